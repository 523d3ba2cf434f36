# SPDX-License-Identifier: MIT
"""git repositories of any size, for `check`."""
import os
import subprocess

# Nothing of the machine's or its user's git counts.
GIT = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1",
       "GIT_AUTHOR_NAME": "n", "GIT_AUTHOR_EMAIL": "n@example.org",
       "GIT_COMMITTER_NAME": "n", "GIT_COMMITTER_EMAIL": "n@example.org"}
FLAGS = ("-Iinclude", "-std=c11")
HEADER = """\
#ifndef TABLE_H
#define TABLE_H

#include <stddef.h>

struct row {
	const char *name;
	unsigned width;
};

struct table {
	struct row *rows;
	size_t count;
};

#endif
"""
SOURCE = """\
/* EDIT */
#include "table.h"

#include <string.h>

static unsigned width_AT(const struct row *row)
{
	unsigned length = (unsigned)strlen(row->name);

	return length > row->width ? length : row->width;
}

size_t widest_AT(const struct table *table);

size_t widest_AT(const struct table *table)
{
	size_t best = 0;

	for (size_t at = 1; at < table->count; at++)
		if (width_AT(&table->rows[at]) > width_AT(&table->rows[best]))
			best = at;
	return best;
}

unsigned total_AT(const struct table *table, unsigned most);

unsigned total_AT(const struct table *table, unsigned most)
{
	unsigned sum = AT;

	for (size_t at = 0; at < table->count; at++) {
		unsigned width = width_AT(&table->rows[at]);

		if (width > most)
			width = most;
		sum += width;
	}
	return sum;
}
"""


class Repository:
    """Of so many units, all of which include one header, and other files up to
    `files`; staged, with a configuration of those analyzers: {name: (command,
    format, output)}, a command as .scgate.conf has it."""

    def __init__(self, folder, analyzers, units, files=0):
        self.folder = folder
        self.edits = 0
        os.makedirs(folder)
        self.git("init", "-q", "-b", "main")
        self.write(".scgate.conf", self.configuration(analyzers))
        self.write("include/table.h", HEADER)
        for at in range(units):
            self.edit(at)
        for at in range(max(0, files - units - 2)):
            self.write(f"doc/{at // 100}/page{at}.md", f"Page {at}.\n")
        self.stage()

    @staticmethod
    def configuration(analyzers):
        def words(some):
            return "[ " + ", ".join(f'"{word}"' for word in some) + " ]"
        return (f'sources = [ "src/" ];\ncompiler = "gcc";\n'
                f"flags = {words(FLAGS)};\nanalyzers = (\n" + ",\n".join(
                    f'\t{{ name = "{name}"; command = {words(command)};\n'
                    f'\t  format = "{form}"; output = "{output}"; }}'
                    for name, (command, form, output) in analyzers.items())
                + " );\n")

    @staticmethod
    def source(at):
        return f"src/part{at // 50}/unit{at}.c"

    def edit(self, at):
        """Give a unit a comment that it never had."""
        self.edits += 1
        self.write(self.source(at), SOURCE.replace("AT", str(at)).replace(
            "EDIT", f"edit {self.edits}"))

    def edit_header(self):
        self.edits += 1
        self.write("include/table.h", f"/* edit {self.edits} */\n{HEADER}")

    def edit_text(self):
        self.edits += 1
        self.write("README.md", f"Edit {self.edits}.\n")

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def git(self, *arguments):
        subprocess.run(["git", *arguments], cwd=self.folder, check=True,
                       env={**os.environ, **GIT}, stdin=subprocess.DEVNULL,
                       capture_output=True)

    def stage(self):
        self.git("add", "-A")

    def commit(self):
        self.stage()
        self.git("commit", "-q", "-m", "m")
