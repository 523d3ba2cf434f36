-- SPDX-License-Identifier: MIT
-- What is new beside something fixed, so that the count does not tell?
--
-- A row a new or fixed finding of a rule that has both, by rule: a count that
-- does not rise may hide a new defect behind another's fix.
--
--   tool        that reported it
--   rule        of the tool; empty: it names none
--   verdict     new or fixed
--   finding     its number, the same in all runs
--   severity    error, warning, low, style, info or unknown
--   path        of the file; NULL: the finding has no place
--   line        in it, from 1; of a fixed one where it was last
--   suppressed  1: accepted, by the report itself or by the tracked file of the
--               base or the run
--   message     as the tool says it
WITH changed AS MATERIALIZED (
	SELECT c.finding, c.verdict, c.occurrence, d.rule_id
	FROM compared AS c JOIN findings AS d ON d.id = c.finding
	WHERE c.verdict IN ('new', 'fixed')
), swapped AS (
	SELECT rule_id FROM changed
	GROUP BY rule_id HAVING min(verdict) <> max(verdict)
)
SELECT t.name AS tool,
	u.name AS rule,
	c.verdict,
	c.finding,
	(SELECT v.name FROM severities AS v
		WHERE v.step = o.severity) AS severity,
	f.path,
	o.line,
	(o.suppressed OR EXISTS (SELECT 1 FROM suppressions AS s
		WHERE s.run_id IN (:run, :base) AND s.finding_id = c.finding
			AND s.state = 'active')) AS suppressed,
	o.message
FROM changed AS c
	JOIN occurrences AS o ON o.id = c.occurrence
	JOIN rules AS u ON u.id = c.rule_id
	JOIN tools AS t ON t.id = u.tool_id
	LEFT JOIN files AS f ON f.id = o.file_id
WHERE c.rule_id IN (SELECT rule_id FROM swapped)
ORDER BY t.name, u.name, c.verdict DESC, f.path NULLS LAST, o.line,
	c.finding;
