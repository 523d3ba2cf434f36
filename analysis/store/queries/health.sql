-- SPDX-License-Identifier: MIT
-- Can the run be trusted, or did something fail to look?
--
-- A row a problem, the worst first; none: all is well.
--
--   problem  failed: a result is incomplete, so what it lacks is not fixed
--            missing: no result covers a unit that the base has
--            silent: a tool of the base says nothing
--            unverified: nothing proves that a result is whole
--            limited: a tool gave up on a part
--            fewer: of a rule with 10 findings or more less than half are left
--   subject  the tools of the result, the unit, the tool, or "tool: rule"
--   was      of silent and fewer: findings in the base; else NULL
--   now      of silent and fewer: findings in the run; else NULL
--   note     why, as the result says; NULL: it does not say
WITH found AS (
	SELECT run_id, rule_id, sum(found) AS found
	FROM counts WHERE run_id IN (:run, :base)
	GROUP BY run_id, rule_id
), spoke AS (
	SELECT DISTINCT x.run_id, k.tool_id
	FROM run_results AS x JOIN result_tools AS k USING (result_id)
	WHERE x.run_id IN (:run, :base)
), problems AS (
	SELECT CASE r.state WHEN 'incomplete' THEN 1 WHEN 'unverified' THEN 4
			ELSE 5 END AS rank,
		CASE r.state WHEN 'incomplete' THEN 'failed' ELSE r.state END
			AS problem,
		(SELECT group_concat(name, ', ') FROM (
			SELECT trim(t.name || ' ' || k.version) AS name
			FROM result_tools AS k JOIN tools AS t
				ON t.id = k.tool_id
			WHERE k.result_id = r.id ORDER BY name)) AS subject,
		NULL AS was,
		NULL AS now,
		r.note
	FROM run_results AS x JOIN results AS r ON r.id = x.result_id
	WHERE x.run_id = :run AND r.state <> 'complete'
	UNION ALL
	SELECT 2, 'missing', f.path, NULL, NULL, NULL
	FROM files AS f WHERE f.id IN (
		SELECT n.file_id FROM run_results AS x JOIN units AS n USING (result_id)
		WHERE x.run_id = :base
		EXCEPT
		SELECT n.file_id FROM run_results AS x JOIN units AS n USING (result_id)
		WHERE x.run_id = :run)
	UNION ALL
	SELECT 3, 'silent', t.name,
		(SELECT ifnull(sum(n.found), 0)
			FROM found AS n JOIN rules AS u ON u.id = n.rule_id
			WHERE n.run_id = :base AND u.tool_id = t.id), 0, NULL
	FROM tools AS t WHERE t.id IN (
		SELECT tool_id FROM spoke WHERE run_id = :base
		EXCEPT
		SELECT tool_id FROM spoke WHERE run_id = :run)
	UNION ALL
	SELECT 6, 'fewer', t.name || ': ' || u.name, b.found,
		ifnull(r.found, 0), NULL
	FROM found AS b JOIN rules AS u ON u.id = b.rule_id
		JOIN tools AS t ON t.id = u.tool_id
		LEFT JOIN found AS r ON r.run_id = :run
			AND r.rule_id = b.rule_id
	WHERE b.run_id = :base AND :base <> :run AND b.found >= 10
		AND ifnull(r.found, 0) * 2 < b.found
)
SELECT problem, subject, was, now, note FROM problems
ORDER BY rank, subject, note;
