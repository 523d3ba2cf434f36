-- SPDX-License-Identifier: MIT
-- What is new, but had been fixed once?
--
-- A row a new finding that is equal to one that an earlier run called fixed: the
-- same rule, message and function in the same file, and the same line of code
-- where the sources of both are known. The most severe come first.
--
--   finding     its number, the same in all runs
--   severity    error, warning, low, style, info or unknown
--   tool        that reported it
--   rule        of the tool; empty: it names none
--   path        of the file; NULL: the finding has no place
--   line        in it, from 1
--   suppressed  1: accepted, by the report itself or by the tracked file
--   was         the number that it had before
--   fixed_in    the last run that called it fixed
--   message     as the tool says it
WITH gone AS MATERIALIZED (
	SELECT l.run_id, l.finding_id, o.file_id, p.version, p.function, p.line
	FROM links AS l JOIN occurrences AS o ON o.id = l.occurrence_id
		JOIN fingerprints AS p ON p.occurrence_id = o.id
	WHERE l.verdict = 'fixed' AND l.run_id < :run
)
SELECT c.finding,
	(SELECT v.name FROM severities AS v
		WHERE v.step = o.severity) AS severity,
	t.name AS tool,
	u.name AS rule,
	f.path,
	o.line,
	(o.suppressed OR EXISTS (SELECT 1 FROM suppressions AS s
		WHERE s.run_id = :run AND s.finding_id = c.finding
			AND s.state = 'active')) AS suppressed,
	g.finding_id AS was,
	max(g.run_id) AS fixed_in,
	o.message
FROM compared AS c
	JOIN occurrences AS o ON o.id = c.occurrence
	JOIN rules AS u ON u.id = o.rule_id
	JOIN tools AS t ON t.id = u.tool_id
	LEFT JOIN files AS f ON f.id = o.file_id
	JOIN fingerprints AS p ON p.occurrence_id = o.id
	-- What has the same line has the same function, too. CROSS: each new
	-- one looks for gone ones, by that.
	CROSS JOIN gone AS g ON g.function = p.function AND g.version = p.version
		AND g.file_id IS o.file_id
		AND (g.line = p.line OR g.line IS NULL OR p.line IS NULL)
WHERE c.verdict = 'new'
GROUP BY c.finding
ORDER BY o.severity DESC, f.path NULLS LAST, o.line, c.finding;
