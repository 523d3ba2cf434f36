-- SPDX-License-Identifier: MIT
-- How long have the open findings of each rule been open?
--
-- A row a rule with open findings, the one with the oldest first. Age is the time
-- from the import that first had a finding to that of the run.
--
--   tool    whose rule it is
--   rule    of the tool; empty: it names none
--   open    findings, suppressed ones too
--   day     of open: younger than a day
--   week    of open: younger than 7 days, but not day
--   month   of open: younger than 30 days, but not week
--   year    of open: younger than 365 days, but not month
--   older   of open: the rest
--   oldest  age of the oldest, in days
WITH ages AS (
	SELECT d.rule_id,
		((SELECT time FROM runs WHERE id = :run) - d.first_time)
			/ 86400.0 AS days
	FROM compared AS c JOIN findings AS d ON d.id = c.finding
	WHERE c.verdict <> 'fixed'
)
SELECT t.name AS tool,
	u.name AS rule,
	count(*) AS open,
	sum(a.days < 1) AS day,
	sum(a.days >= 1 AND a.days < 7) AS week,
	sum(a.days >= 7 AND a.days < 30) AS month,
	sum(a.days >= 30 AND a.days < 365) AS year,
	sum(a.days >= 365) AS older,
	round(max(a.days), 1) AS oldest
FROM ages AS a JOIN rules AS u ON u.id = a.rule_id
	JOIN tools AS t ON t.id = u.tool_id
GROUP BY a.rule_id
ORDER BY oldest DESC, open DESC, t.name, u.name;
