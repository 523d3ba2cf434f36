-- SPDX-License-Identifier: MIT
-- How have the runs of this kind come along?
--
-- A row a run of the same report formats, up to this one, the oldest first.
--
--   run         its number
--   time        of its import, UTC
--   name        what its user calls it; NULL: nothing
--   commit      the revision; NULL: not given
--   state       complete, limited, unverified or incomplete
--   base        the run it was held against; NULL: none, or pruned
--   open        findings that it has, and those that it does not tell of
--   new         of these, not in its base
--   fixed       in its base, and gone
--   unknown     of open: not seen
--   suppressed  of open: accepted, by the report itself or by the tracked file
SELECT v.run,
	v.time,
	v.name,
	v."commit",
	v.state,
	v.base,
	v.found + v.unknown AS open,
	v.new,
	v.fixed,
	v.unknown,
	v.suppressed
FROM v_runs AS v
WHERE v.run <= :run
	AND v.formats = (SELECT formats FROM runs WHERE id = :run)
ORDER BY v.run;
