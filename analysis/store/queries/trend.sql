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
SELECT r.id AS run,
	strftime('%Y-%m-%dT%H:%M:%SZ', r.time, 'unixepoch') AS time,
	r.name,
	r.commit_id AS "commit",
	r.state,
	r.base_id AS base,
	ifnull(sum(c.found + c.unknown), 0) AS open,
	ifnull(sum(c.new), 0) AS new,
	ifnull(sum(c.fixed), 0) AS fixed,
	ifnull(sum(c.unknown), 0) AS unknown,
	ifnull(sum(c.suppressed), 0) AS suppressed
FROM runs AS r LEFT JOIN counts AS c ON c.run_id = r.id
WHERE r.id <= :run
	AND r.formats = (SELECT formats FROM runs WHERE id = :run)
GROUP BY r.id
ORDER BY r.id;
