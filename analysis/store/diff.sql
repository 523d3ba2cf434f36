-- SPDX-License-Identifier: MIT
-- What diff.c asks of the relation `compared`.

-- name: rows
SELECT c.verdict, -- new, fixed, unknown
	c.finding, -- its number, the same in all runs
	(SELECT v.name FROM severities AS v
		WHERE v.step = o.severity) AS severity,
	t.name AS tool,
	u.name AS rule,
	f.path,
	o.line, -- of fixed and unknown ones the last that was known
	o.message
FROM compared AS c
	JOIN occurrences AS o ON o.id = c.occurrence
	JOIN rules AS u ON u.id = o.rule_id
	JOIN tools AS t ON t.id = u.tool_id
	LEFT JOIN files AS f ON f.id = o.file_id
WHERE c.verdict <> 'same'
ORDER BY CASE c.verdict WHEN 'new' THEN 1 WHEN 'fixed' THEN 2 ELSE 3 END,
	o.severity DESC, f.path IS NULL, f.path, o.line, c.finding;

-- name: counts
SELECT ifnull(sum(verdict = 'new'), 0),
	ifnull(sum(verdict = 'fixed'), 0),
	ifnull(sum(verdict = 'unknown'), 0),
	ifnull(sum(verdict = 'same'), 0)
FROM compared;
