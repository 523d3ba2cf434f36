-- SPDX-License-Identifier: MIT
-- What show.c asks. ?1 is a finding's number and ?2 a run's id.

-- name: last_run
SELECT max(run_id), -- that tells of it; NULL: no run does
	max(CASE WHEN verdict <> 'fixed' THEN run_id END) -- that has it open
FROM links WHERE finding_id = ?1;

-- Its place is in the tree of the run that saw it there, the last one that did.
-- name: finding
SELECT l.verdict,
	r.commit_id,
	r.root,
	r.time,
	t.name,
	u.name,
	o.severity,
	o.severity_word,
	o.message,
	o.verbose,
	f.path,
	o.line,
	o.column,
	o.end_line,
	o.end_column,
	o.function,
	o.cwe,
	o.inconclusive,
	o.suppressed,
	d.first_time,
	d.first_commit,
	(SELECT min(x.run_id) FROM links AS x JOIN runs AS y ON y.id = x.run_id
		WHERE x.finding_id = d.id AND x.verdict = 'new'
			AND y.time = d.first_time) AS first_run,
	(SELECT group_concat(k.version, ', ') FROM result_tools AS k
		WHERE k.result_id = o.result_id AND k.tool_id = u.tool_id
			AND k.version <> '') AS versions,
	p.version,
	p.line,
	p.window,
	v.commit_id,
	v.root
FROM links AS l JOIN runs AS r ON r.id = l.run_id
	JOIN findings AS d ON d.id = l.finding_id
	JOIN occurrences AS o ON o.id = l.occurrence_id
	JOIN rules AS u ON u.id = o.rule_id
	JOIN tools AS t ON t.id = u.tool_id
	LEFT JOIN files AS f ON f.id = o.file_id
	LEFT JOIN fingerprints AS p ON p.occurrence_id = o.id
	LEFT JOIN runs AS v ON v.id = (SELECT max(x.run_id) FROM links AS x
		WHERE x.finding_id = ?1 AND x.run_id <= ?2
			AND x.occurrence_id = o.id
			AND x.verdict IN ('same', 'new'))
WHERE l.finding_id = ?1 AND l.run_id = ?2;

-- The occurrences that are this finding in the run: one in each result that
-- has it.
-- name: repeats
SELECT sum(o.repeats)
FROM links AS l JOIN occurrences AS a ON a.id = l.occurrence_id
	JOIN occurrences AS o ON o.rule_id = a.rule_id
		AND o.file_id IS a.file_id AND o.line IS a.line
		AND o.column IS a.column AND o.message = a.message
WHERE l.finding_id = ?1 AND l.run_id = ?2
	AND (o.id = a.id OR (l.verdict IN ('same', 'new')
		AND o.result_id IN (SELECT result_id FROM run_results
			WHERE run_id = ?2)));

-- name: units
SELECT DISTINCT f.path
FROM links AS l JOIN occurrences AS a ON a.id = l.occurrence_id
	JOIN occurrences AS o ON o.rule_id = a.rule_id
		AND o.file_id IS a.file_id AND o.line IS a.line
		AND o.column IS a.column AND o.message = a.message
	JOIN occurrence_units AS x ON x.occurrence_id = o.id
	JOIN files AS f ON f.id = x.file_id
WHERE l.finding_id = ?1 AND l.run_id = ?2
	AND (o.id = a.id OR (l.verdict IN ('same', 'new')
		AND o.result_id IN (SELECT result_id FROM run_results
			WHERE run_id = ?2)))
ORDER BY f.path;

-- name: events
SELECT f.path, e.line, e.column, e.message, e.function
FROM links AS l JOIN events AS e ON e.occurrence_id = l.occurrence_id
	LEFT JOIN files AS f ON f.id = e.file_id
WHERE l.finding_id = ?1 AND l.run_id = ?2
ORDER BY e.position;

-- name: history
SELECT run_id, verdict FROM links WHERE finding_id = ?1 ORDER BY run_id;

-- name: entry
SELECT position, tool, rule, path, line, message, reason, until, state
FROM suppressions WHERE run_id = ?2 AND finding_id = ?1
ORDER BY state LIMIT 1; -- an active one first

-- name: equals
SELECT (SELECT count(*)
		FROM links AS x JOIN occurrences AS o ON o.id = x.occurrence_id
		WHERE x.run_id = l.run_id AND x.verdict <> 'fixed'
			AND o.rule_id = a.rule_id AND o.file_id IS a.file_id
			AND o.line IS a.line AND o.message = a.message
			AND o.function IS a.function
			AND NOT EXISTS (SELECT 1 FROM suppressions AS s
				WHERE s.run_id = x.run_id
					AND s.finding_id = x.finding_id)),
	(SELECT count(*) FROM suppressions AS s
		WHERE s.run_id = l.run_id AND s.finding_id IS NOT NULL
			AND s.finding_id <> ?1
			AND s.tool = t.name AND s.rule = u.name
			AND s.path IS f.path AND s.line IS a.line
			AND s.message = a.message)
FROM links AS l JOIN occurrences AS a ON a.id = l.occurrence_id
	JOIN rules AS u ON u.id = a.rule_id
	JOIN tools AS t ON t.id = u.tool_id
	LEFT JOIN files AS f ON f.id = a.file_id
WHERE l.finding_id = ?1 AND l.run_id = ?2;
