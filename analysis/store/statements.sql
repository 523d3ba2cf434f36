-- SPDX-License-Identifier: MIT
-- What the store asks SQLite, each under its name; sql.c lists the names.

-- name: begin
BEGIN IMMEDIATE;

-- name: commit
COMMIT;

-- name: rollback
ROLLBACK;

-- name: find_tool
SELECT id FROM tools WHERE name = ?1;

-- name: add_tool
INSERT INTO tools (name) VALUES (?1);

-- name: find_rule
SELECT id FROM rules WHERE tool_id = ?1 AND name = ?2;

-- name: add_rule
INSERT INTO rules (tool_id, name) VALUES (?1, ?2);

-- name: find_file
SELECT id FROM files WHERE path = ?1;

-- name: add_file
INSERT INTO files (path) VALUES (?1);

-- name: add_run
INSERT INTO runs (name, time, commit_id, configuration, root, formats, state)
VALUES (?1, ?2, ?3, ?4, ?5, '', 'incomplete');

-- name: end_run
UPDATE runs SET formats = ?2, state = ?3, note = ?4 WHERE id = ?1;

-- name: add_run_tool
INSERT OR IGNORE INTO run_tools (run_id, tool_id, version) VALUES (?1, ?2, ?3);

-- name: add_unit
INSERT OR IGNORE INTO units (run_id, file_id) VALUES (?1, ?2);

-- name: add_occurrence
INSERT INTO occurrences (run_id, rule_id, file_id, line, column, end_line,
	end_column, function, severity, severity_word, cwe, message, verbose,
	inconclusive, suppressed, repeats)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16);

-- A report that does not suppress it outweighs one that does.
-- name: repeat_occurrence
UPDATE occurrences SET repeats = repeats + ?2, suppressed = min(suppressed, ?3)
WHERE id = ?1;

-- name: add_fingerprint
INSERT INTO fingerprints (occurrence_id, version, bare, message, function,
	line, window, unmasked)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8);

-- name: add_event
INSERT INTO events (occurrence_id, position, file_id, line, column, message,
	function)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7);

-- name: add_occurrence_unit
INSERT OR IGNORE INTO occurrence_units (occurrence_id, file_id)
VALUES (?1, ?2);

-- The last run that the one of ?1 can be held against: of the same formats,
-- and with a tool in common unless one of the two had nothing to say.
-- name: find_base
SELECT id, commit_id, configuration FROM runs AS base
WHERE id < ?1 AND state <> 'incomplete'
	AND formats = (SELECT formats FROM runs WHERE id = ?1)
	AND (NOT EXISTS (SELECT 1 FROM run_tools WHERE run_id = ?1)
		OR NOT EXISTS (SELECT 1 FROM run_tools WHERE run_id = base.id)
		OR EXISTS (SELECT 1 FROM run_tools AS a
			JOIN run_tools AS b USING (tool_id)
			WHERE a.run_id = ?1 AND b.run_id = base.id))
ORDER BY state = 'unverified', id DESC LIMIT 1;

-- name: set_base
UPDATE runs SET base_id = ?2 WHERE id = ?1;

-- name: count_news
SELECT count(*) FROM occurrences WHERE run_id = ?1;

-- name: count_olds
SELECT count(*) FROM links WHERE run_id = ?1 AND verdict <> 'fixed';

-- name: last_file
SELECT ifnull(max(id), 0) FROM files;

-- name: list_files
SELECT id, path FROM files;

-- name: list_news
SELECT o.id, 0, o.rule_id, o.file_id, o.line, o.column, f.version, f.bare,
	f.message, f.function, f.line, f.window, f.unmasked
FROM occurrences AS o JOIN fingerprints AS f ON f.occurrence_id = o.id
WHERE o.run_id = ?1 ORDER BY o.id;

-- name: list_olds
SELECT o.id, l.finding_id, o.rule_id, o.file_id, o.line, o.column, f.version,
	f.bare, f.message, f.function, f.line, f.window, f.unmasked
FROM links AS l JOIN occurrences AS o ON o.id = l.occurrence_id
	JOIN fingerprints AS f ON f.occurrence_id = o.id
WHERE l.run_id = ?1 AND l.verdict <> 'fixed' ORDER BY l.finding_id;

-- name: add_finding
INSERT INTO findings (rule_id, first_time, first_commit)
VALUES (?1, ?2, ?3);

-- name: add_link
INSERT INTO links (run_id, finding_id, verdict, step, occurrence_id)
VALUES (?1, ?2, ?3, ?4, ?5);

-- name: add_counts
INSERT INTO counts (run_id, rule_id, severity, found, new, fixed, unknown,
	suppressed)
SELECT l.run_id, o.rule_id, o.severity,
	sum(l.verdict IN ('same', 'new')), sum(l.verdict = 'new'),
	sum(l.verdict = 'fixed'), sum(l.verdict = 'unknown'),
	sum(o.suppressed AND l.verdict IN ('same', 'new'))
FROM links AS l JOIN occurrences AS o ON o.id = l.occurrence_id
WHERE l.run_id = ?1 GROUP BY o.rule_id, o.severity;

-- All runs, or the one of ?1.
-- name: list_runs
SELECT r.id, r.name, r.time, r.commit_id, r.configuration, r.root, r.formats,
	r.state, r.note, r.base_id, ifnull(sum(c.found), 0),
	ifnull(sum(c.new), 0), ifnull(sum(c.fixed), 0),
	ifnull(sum(c.unknown), 0), ifnull(sum(c.suppressed), 0)
FROM runs AS r LEFT JOIN counts AS c ON c.run_id = r.id
WHERE ?1 IS NULL OR r.id = ?1 GROUP BY r.id ORDER BY r.id;

-- Those that may go: not among the last ?1, and not the last whole run of its
-- formats, which the next import will be held against.
-- name: choose_pruned
INSERT INTO temp.pruned (run_id)
SELECT id FROM runs
WHERE id NOT IN (SELECT id FROM runs ORDER BY id DESC LIMIT ?1)
	AND id NOT IN (SELECT max(id) FROM runs
		WHERE state IN ('complete', 'limited') GROUP BY formats);

-- name: clear_pruned
DELETE FROM temp.pruned;

-- What runs that stay say of findings that they did not see.
-- name: keep_occurrences
UPDATE occurrences SET run_id = (SELECT min(l.run_id) FROM links AS l
	WHERE l.occurrence_id = occurrences.id
		AND l.run_id NOT IN (SELECT run_id FROM temp.pruned))
WHERE run_id IN (SELECT run_id FROM temp.pruned)
	AND EXISTS (SELECT 1 FROM links AS l
		WHERE l.occurrence_id = occurrences.id
			AND l.run_id NOT IN (SELECT run_id FROM temp.pruned));

-- name: delete_links
DELETE FROM links WHERE run_id IN (SELECT run_id FROM temp.pruned);

-- name: delete_runs
DELETE FROM runs WHERE id IN (SELECT run_id FROM temp.pruned);

-- name: count_pruned
SELECT count(*) FROM temp.pruned;

-- name: delete_findings
DELETE FROM findings WHERE NOT EXISTS (SELECT 1 FROM links
		WHERE links.finding_id = findings.id)
	AND NOT EXISTS (SELECT 1 FROM suppressions
		WHERE suppressions.finding_id = findings.id);
