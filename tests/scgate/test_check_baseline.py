# SPDX-License-Identifier: MIT
"""scgate baseline, and checks that are held against what it wrote."""
import unittest

import defects
from gate import Gate

NULL = ("cppcheck", "nullPointer")


class Baseline(Gate):
    def setUp(self):
        super().setUp()
        self.configure("cppcheck", baseline=".scgate-baseline")

    def write_baseline(self):
        code, out, err = self.scgate("baseline write")
        self.assertEqual(code, 0, err)
        return out

    def begin(self, files):
        """A commit with these sources, and its baseline in the next."""
        self.base(files)
        self.write_baseline()
        self.stage()
        self.commit()

    def lines(self):
        return [line for line in self.read(".scgate-baseline").splitlines()
                if not line.startswith("#")]

    def test_has_a_finding_a_line_in_order(self):
        self.base({"b.c": defects.NULL, "a.c": defects.NULL + defects.LEAK})
        self.assertEqual(self.write_baseline(), ".scgate-baseline: 3 findings\n")
        self.assertEqual([line.split('"')[3] for line in self.lines()],
                         ["a.c", "a.c", "b.c"])
        self.assertIn("# tool cppcheck: Cppcheck 2.10\n",
                      self.read(".scgate-baseline"))

    def test_what_it_has_is_known(self):
        self.begin({"a.c": defects.NULL})
        self.change({"a.c": "\n\n" + defects.NULL})
        self.unchanged(self.check(), ("a.c", 9, *NULL))

    def test_what_came_in_past_the_gate_is_not(self):
        self.begin({"a.c": defects.CLEAN})
        self.base({"a.c": defects.NULL})
        self.change({"a.c": "\n" + defects.NULL})
        self.rejected_for(self.check(), ("a.c", 8, *NULL))

    def test_a_stale_entry_excuses_nothing(self):
        self.begin({"a.c": defects.NULL})
        self.base({"a.c": defects.NULL_FIXED})
        self.assertEqual(len(self.lines()), 1)
        self.change({"a.c": defects.NULL})
        self.rejected_for(self.check(), ("a.c", 7, *NULL))

    def test_of_other_tools_is_refused(self):
        self.begin({"a.c": defects.NULL})
        text = self.read(".scgate-baseline")
        self.base({".scgate-baseline":
                   text.replace("Cppcheck 2.10", "Cppcheck 1.90")})
        self.change({"a.c": "\n" + defects.NULL})
        run = self.run_check()
        self.assertEqual((run.returncode, run.stdout), (2, b""))
        self.assertIn(b"scgate baseline write", run.stderr)

    def test_two_branches_merge(self):
        self.write(".gitattributes", ".scgate-baseline merge=union\n")
        self.begin({"a.c": defects.NULL, "b.c": defects.NULL,
                    "c.c": defects.NULL})
        for branch, name in (("left", "a.c"), ("right", "b.c")):
            self.git("checkout", "-q", "-b", branch, "main")
            self.base({name: defects.NULL_FIXED})
            self.write_baseline()
            self.stage()
            self.commit()
        self.git("merge", "-q", "--no-edit", "left")
        self.write_baseline()
        self.assertEqual([line.split('"')[3] for line in self.lines()],
                         ["c.c"])

    def test_that_is_not_whole_is_not_written(self):
        self.begin({"a.c": defects.NULL})
        before = self.read(".scgate-baseline")
        self.write("b.c", "int broken(\n")
        code, _, err = self.scgate("baseline write")
        self.assertEqual(code, 3)
        self.assertIn("nothing was written", err)
        self.assertIn("b.c", err)
        self.assertEqual(self.read(".scgate-baseline"), before)

    def test_where_there_is_none_all_is_new(self):
        self.base({"a.c": defects.NULL})
        self.change({"a.c": "\n" + defects.NULL})
        verdict = self.check()
        self.rejected_for(verdict, ("a.c", 8, *NULL))
        self.assertIn("scgate baseline write", verdict.text)

    def test_needs_a_name_in_the_configuration(self):
        self.configure("cppcheck")
        self.base({"a.c": defects.NULL})
        code, _, err = self.scgate("baseline write")
        self.assertEqual(code, 2)
        self.assertIn('baseline = ".scgate-baseline";', err)


if __name__ == "__main__":
    unittest.main()
