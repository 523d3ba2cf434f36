-- SPDX-License-Identifier: MIT
-- How many findings of each rule are open, and what has changed?
--
-- A row a rule that has or had open findings; the ones that rose most come
-- first. Open is what a run has, and what it does not tell of.
--
--   tool        whose rule it is
--   rule        of the tool; empty: it names none
--   open        in the run, suppressed ones too
--   was         open in the base; NULL: there is no base
--   change      open less was; NULL: there is no base
--   new         in the run, and not in the base
--   fixed       in the base, and gone
--   unknown     of open: not seen in the run, which does not tell
--   suppressed  of open: accepted, by the report itself or by the tracked file
WITH sums AS (
	SELECT d.rule_id,
		sum(c.verdict <> 'fixed') AS open,
		sum(c.verdict <> 'new') AS was,
		sum(c.verdict = 'new') AS new,
		sum(c.verdict = 'fixed') AS fixed,
		sum(c.verdict = 'unknown') AS unknown
	FROM compared AS c JOIN findings AS d ON d.id = c.finding
	GROUP BY d.rule_id
)
SELECT t.name AS tool,
	u.name AS rule,
	s.open,
	CASE WHEN :base IS NOT NULL THEN s.was END AS was,
	CASE WHEN :base IS NOT NULL THEN s.open - s.was END AS change,
	s.new,
	s.fixed,
	s.unknown,
	(SELECT ifnull(sum(n.suppressed), 0) FROM counts AS n
		WHERE n.run_id = :run AND n.rule_id = s.rule_id) AS suppressed
FROM sums AS s JOIN rules AS u ON u.id = s.rule_id
	JOIN tools AS t ON t.id = u.tool_id
ORDER BY change DESC, s.open DESC, t.name, u.name;
