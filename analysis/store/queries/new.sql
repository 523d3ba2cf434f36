-- SPDX-License-Identifier: MIT
-- What does the run have that its base has not?
--
-- A row a finding, the most severe first. Without a base all are new.
--
--   finding     its number, the same in all runs
--   severity    error, warning, low, style, info or unknown
--   tool        that reported it
--   rule        of the tool; empty: it names none
--   path        of the file; NULL: the finding has no place
--   line        in it, from 1
--   suppressed  1: accepted, by the report itself or by the tracked file
--   message     as the tool says it
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
	o.message
FROM compared AS c
	JOIN occurrences AS o ON o.id = c.occurrence
	JOIN rules AS u ON u.id = o.rule_id
	JOIN tools AS t ON t.id = u.tool_id
	LEFT JOIN files AS f ON f.id = o.file_id
WHERE c.verdict = 'new'
ORDER BY o.severity DESC, f.path NULLS LAST, o.line, c.finding;
