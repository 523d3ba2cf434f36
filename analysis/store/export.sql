-- SPDX-License-Identifier: MIT
-- What export.c asks. ?1 is a run's id and ?2 that of its base; 0: it has none.

-- name: run
SELECT r.state,
	r.note,
	r.commit_id,
	b.id, -- of the base
	b.commit_id
FROM runs AS r LEFT JOIN runs AS b ON b.id = r.base_id
WHERE r.id = ?1;

-- What is accepted is so in the run, or, of what is fixed, in the base.
-- name: findings
WITH entries AS MATERIALIZED (
	SELECT run_id, finding_id, reason, until, min(position)
	FROM suppressions
	WHERE run_id IN (?1, ?2) AND state = 'active'
	GROUP BY run_id, finding_id
), versions AS MATERIALIZED (
	SELECT k.result_id, k.tool_id, group_concat(k.version, ', ') AS version
	FROM result_tools AS k
	WHERE k.version <> ''
	GROUP BY k.result_id, k.tool_id
)
SELECT c.verdict,
	c.occurrence,
	t.name, -- 2
	n.version,
	u.name,
	o.severity, -- 5
	o.severity_word,
	o.message,
	o.verbose,
	f.path,
	o.line, -- 10
	o.column,
	o.end_line,
	o.end_column,
	o.function,
	o.cwe, -- 15
	o.inconclusive,
	o.suppressed,
	o.repeats,
	e.reason, -- of its entry; NULL: none
	e.until, -- 20
	g.path, -- where the base had it, if it is the same
	q.line,
	q.suppressed OR w.reason IS NOT NULL, -- 23: was it accepted there?
	p.function,
	p.line -- 25
FROM compared AS c
	JOIN occurrences AS o ON o.id = c.occurrence
	JOIN rules AS u ON u.id = o.rule_id
	JOIN tools AS t ON t.id = u.tool_id
	LEFT JOIN files AS f ON f.id = o.file_id
	LEFT JOIN versions AS n ON n.result_id = o.result_id
		AND n.tool_id = u.tool_id
	LEFT JOIN entries AS e ON e.finding_id = c.finding
		AND e.run_id = CASE c.verdict WHEN 'fixed' THEN ?2 ELSE ?1 END
	LEFT JOIN links AS l ON c.verdict = 'same' AND l.run_id = ?2
		AND l.finding_id = c.finding
	LEFT JOIN occurrences AS q ON q.id = l.occurrence_id
	LEFT JOIN files AS g ON g.id = q.file_id
	LEFT JOIN entries AS w ON w.run_id = l.run_id
		AND w.finding_id = l.finding_id
	LEFT JOIN fingerprints AS p ON p.occurrence_id = o.id
ORDER BY f.path, o.line, t.name, u.name, o.column, o.message, c.finding;

-- The way there, and the units, in the order of occurrences.
-- name: events
SELECT c.occurrence, f.path, v.line, v.column, v.message, v.function
FROM compared AS c JOIN events AS v ON v.occurrence_id = c.occurrence
	LEFT JOIN files AS f ON f.id = v.file_id
WHERE c.verdict <> 'fixed'
ORDER BY c.occurrence, v.position;

-- name: units
SELECT c.occurrence, f.path
FROM compared AS c JOIN occurrence_units AS x
		ON x.occurrence_id = c.occurrence
	JOIN files AS f ON f.id = x.file_id
WHERE c.verdict <> 'fixed'
ORDER BY c.occurrence, f.path;
