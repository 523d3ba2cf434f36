-- SPDX-License-Identifier: MIT
-- Which component has how many open findings of which severity?
--
-- A row a component: the first folder of the path. Open is what the run has,
-- and what it does not tell of. The one with the most comes first.
--
--   component  the folder; ".": files in none; "/": files outside of the
--              repository; NULL: findings without a place
--   open       findings in it, suppressed ones too
--   change     open less what was open in the base; NULL: there is no base
--   error      of open: that severe
--   warning    of open: that severe
--   low        of open: that severe
--   style      of open: that severe
--   info       of open: that severe
--   other      of open: the tool gives no severity
WITH sums AS (
	SELECT o.file_id,
		o.severity,
		sum(c.verdict <> 'fixed') AS open,
		sum(c.verdict <> 'new') AS was
	FROM compared AS c JOIN occurrences AS o ON o.id = c.occurrence
	GROUP BY o.file_id, o.severity
), placed AS (
	-- A path that is NULL comes through as NULL.
	SELECT s.*,
		CASE instr(f.path, '/') WHEN 0 THEN '.' WHEN 1 THEN '/'
			ELSE substr(f.path, 1, instr(f.path, '/') - 1)
			END AS component
	FROM sums AS s LEFT JOIN files AS f ON f.id = s.file_id
)
SELECT component,
	sum(open) AS open,
	CASE WHEN :base IS NOT NULL THEN sum(open) - sum(was) END AS change,
	sum(iif(severity = 5, open, 0)) AS error,
	sum(iif(severity = 4, open, 0)) AS warning,
	sum(iif(severity = 3, open, 0)) AS low,
	sum(iif(severity = 2, open, 0)) AS style,
	sum(iif(severity = 1, open, 0)) AS info,
	sum(iif(severity = 0, open, 0)) AS other
FROM placed
GROUP BY component HAVING sum(open) > 0
ORDER BY sum(open) DESC, component NULLS LAST;
