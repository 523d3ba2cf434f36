-- SPDX-License-Identifier: MIT
-- Which files have the most open findings, in all and per 1,000 lines?
--
-- A row a file with open findings, the one with the most first. Open is what
-- the run has, and what it does not tell of.
--
--   path        of the file; NULL: findings without a place
--   open        findings in it, suppressed ones too
--   change      open less what was open in the base; NULL: there is no base
--   lines       of the file, comments and empty ones too; NULL: the source was
--               not at hand
--   per_kloc    open ones per 1,000 lines; NULL: lines is not known
WITH sums AS (
	SELECT o.file_id,
		sum(c.verdict <> 'fixed') AS open,
		sum(c.verdict <> 'new') AS was
	FROM compared AS c JOIN occurrences AS o ON o.id = c.occurrence
	GROUP BY o.file_id
), lengths AS (
	SELECT z.file_id, max(z.lines) AS lines
	FROM run_results AS x JOIN sizes AS z ON z.result_id = x.result_id
	WHERE x.run_id = :run GROUP BY z.file_id
)
SELECT f.path,
	s.open,
	CASE WHEN :base IS NOT NULL THEN s.open - s.was END AS change,
	n.lines,
	round(1000.0 * s.open / nullif(n.lines, 0), 1) AS per_kloc
FROM sums AS s LEFT JOIN files AS f ON f.id = s.file_id
	LEFT JOIN lengths AS n ON n.file_id = s.file_id
WHERE s.open > 0
ORDER BY s.open DESC, per_kloc DESC, f.path NULLS LAST;
