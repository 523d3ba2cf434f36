-- SPDX-License-Identifier: MIT
-- What the store asks SQLite, each under its name; sql.c lists the names.

-- name: begin
BEGIN IMMEDIATE;

-- name: commit
COMMIT;

-- name: rollback
ROLLBACK;

-- Around a result: it may turn out to be stored already.
-- name: save
SAVEPOINT result;

-- name: release
RELEASE result;

-- name: rewind
ROLLBACK TO result;

-- name: find_tool
SELECT id FROM tools WHERE name = ?1;

-- name: add_tool
INSERT INTO tools (name) VALUES (?1);

-- name: find_rule
SELECT id FROM rules WHERE tool_id = ?1 AND name = ?2;

-- name: add_rule
INSERT INTO rules (tool_id, name, gives_up) VALUES (?1, ?2, ?3);

-- name: find_file
SELECT id FROM files WHERE path = ?1;

-- name: add_file
INSERT INTO files (path) VALUES (?1);

-- name: add_run
INSERT INTO runs (name, time, commit_id, configuration, root, formats, reports,
	sources, state)
VALUES (?1, ?2, ?3, ?4, ?5, '', 0, ?6, 'incomplete');

-- name: end_run
UPDATE runs SET formats = ?2, state = ?3, note = ?4, reports = ?5
WHERE id = ?1;

-- Until its end a result's key is one that nothing has.
-- name: add_result
INSERT INTO results (cache_key, state) VALUES (randomblob(32), 'incomplete');

-- name: find_result
SELECT id FROM results WHERE cache_key = ?1;

-- name: end_result
UPDATE results SET cache_key = ?2, state = ?3, note = ?4 WHERE id = ?1;

-- name: add_run_result
INSERT OR IGNORE INTO run_results (run_id, result_id) VALUES (?1, ?2);

-- name: add_result_tool
INSERT OR IGNORE INTO result_tools (result_id, tool_id, version)
VALUES (?1, ?2, ?3);

-- name: add_unit
INSERT OR IGNORE INTO units (result_id, file_id) VALUES (?1, ?2);

-- name: add_size
INSERT OR IGNORE INTO sizes (result_id, file_id, lines) VALUES (?1, ?2, ?3);

-- Those of many rows read them from what store/bulk.h gives.

-- name: last_occurrence
SELECT ifnull(max(id), 0) FROM occurrences;

-- name: add_occurrences
INSERT INTO occurrences (result_id, id, rule_id, file_id, line, column,
	end_line, end_column, function, severity, severity_word, cwe, message,
	verbose, inconclusive, suppressed, repeats)
SELECT ?1, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p FROM given;

-- A report that does not suppress it outweighs one that does.
-- name: repeat_occurrence
UPDATE occurrences SET repeats = repeats + ?2, suppressed = min(suppressed, ?3)
WHERE id = ?1;

-- name: add_fingerprints
INSERT INTO fingerprints (version, occurrence_id, bare, message, function,
	line, window, unmasked)
SELECT ?1, a, b, c, d, e, f, g FROM given;

-- name: add_events
INSERT INTO events (occurrence_id, position, file_id, line, column, message,
	function)
SELECT a, b, c, d, e, f, g FROM given;

-- name: add_occurrence_units
INSERT OR IGNORE INTO occurrence_units (occurrence_id, file_id)
SELECT a, b FROM given;

-- The last run that the one of ?1 can be held against: of the same formats,
-- and with a tool in common unless one of the two had nothing to say; of the same
-- configuration if there is one.
-- name: find_base
WITH own (tool_id) AS (SELECT DISTINCT k.tool_id
	FROM run_results AS x JOIN result_tools AS k USING (result_id)
	WHERE x.run_id = ?1)
SELECT id, commit_id, configuration, reports, sources FROM runs AS base
WHERE id < ?1 AND state <> 'incomplete'
	AND formats = (SELECT formats FROM runs WHERE id = ?1)
	AND (NOT EXISTS (SELECT 1 FROM own)
		OR NOT EXISTS (SELECT 1 FROM run_results AS x
			JOIN result_tools AS k USING (result_id)
			WHERE x.run_id = base.id)
		OR EXISTS (SELECT 1 FROM run_results AS x
			JOIN result_tools AS k USING (result_id)
			WHERE x.run_id = base.id
				AND k.tool_id IN (SELECT tool_id FROM own)))
ORDER BY state = 'unverified',
	configuration IS NOT (SELECT configuration FROM runs WHERE id = ?1),
	id DESC LIMIT 1;

-- name: set_base
UPDATE runs SET base_id = ?2 WHERE id = ?1;

-- Tools that ran in both runs, in other versions.
-- name: list_changed_tools
WITH spoke (run_id, tool_id, version) AS (
	SELECT x.run_id, k.tool_id, k.version
	FROM run_results AS x JOIN result_tools AS k USING (result_id)
	WHERE x.run_id IN (?1, ?2) AND k.version <> '')
SELECT DISTINCT a.tool_id FROM spoke AS a JOIN spoke AS b USING (tool_id)
WHERE a.run_id = ?1 AND b.run_id = ?2
	AND NOT EXISTS (SELECT 1 FROM spoke AS c JOIN spoke AS d
			USING (tool_id, version)
		WHERE c.run_id = ?1 AND d.run_id = ?2
			AND c.tool_id = a.tool_id);

-- Tools of the base that do not speak in the run. Of most formats the tool is
-- known without that, and may have found nothing; SARIF is any tool's.
-- name: list_absent_tools
SELECT DISTINCT k.tool_id
FROM run_results AS x JOIN result_tools AS k USING (result_id)
WHERE x.run_id = ?2
	AND (SELECT instr(' ' || formats || ' ', ' sarif ') FROM runs
		WHERE id = ?1)
	AND k.tool_id NOT IN (SELECT k.tool_id FROM run_results AS x
		JOIN result_tools AS k USING (result_id) WHERE x.run_id = ?1);

-- Tools of which the run has lost more than half of four or more files that they
-- found something in: it looks like an analysis of a part.
-- name: list_lost_tools
WITH old (tool_id, file_id) AS MATERIALIZED (
	SELECT DISTINCT u.tool_id, o.file_id
	FROM links AS l JOIN occurrences AS o ON o.id = l.occurrence_id
		JOIN rules AS u ON u.id = o.rule_id
	WHERE l.run_id = ?2 AND l.verdict IN ('same', 'new')
		AND o.file_id IS NOT NULL),
now (file_id) AS MATERIALIZED (
	SELECT o.file_id
	FROM run_results AS x JOIN occurrences AS o USING (result_id)
	WHERE x.run_id = ?1
	UNION SELECT n.file_id
	FROM run_results AS x JOIN units AS n USING (result_id)
	WHERE x.run_id = ?1)
SELECT tool_id FROM old GROUP BY tool_id
HAVING count(*) >= 4
	AND 2 * sum(file_id IN (SELECT file_id FROM now)) < count(*);

-- Where tools gave up: the place, and the units that it was seen in.
-- name: list_limits
WITH gave_up (id, tool_id, file_id) AS (
	SELECT o.id, u.tool_id, o.file_id
	FROM run_results AS x JOIN occurrences AS o USING (result_id)
		JOIN rules AS u ON u.id = o.rule_id
	WHERE x.run_id = ?1 AND u.gives_up)
SELECT tool_id, file_id FROM gave_up
UNION SELECT g.tool_id, n.file_id
FROM gave_up AS g JOIN occurrence_units AS n ON n.occurrence_id = g.id;

-- name: list_units
SELECT file_id FROM occurrence_units WHERE occurrence_id = ?1;

-- name: tool_of_rule
SELECT tool_id FROM rules WHERE id = ?1;

-- name: count_news
SELECT count(*) FROM run_results AS x JOIN occurrences AS o USING (result_id)
WHERE x.run_id = ?1;

-- name: count_olds
SELECT count(*) FROM links WHERE run_id = ?1 AND verdict <> 'fixed';

-- name: last_file
SELECT ifnull(max(id), 0) FROM files;

-- name: list_files
SELECT id, path FROM files;

-- name: list_news
SELECT o.id, 0, o.rule_id, o.file_id, o.line, o.column, f.version, f.bare,
	f.message, f.function, f.line, f.window, f.unmasked, o.suppressed,
	o.severity
FROM run_results AS x JOIN occurrences AS o USING (result_id)
	JOIN fingerprints AS f ON f.occurrence_id = o.id
WHERE x.run_id = ?1 ORDER BY x.result_id, o.id;

-- Imports trust these rows to be there, so those without are left out.
-- name: list_olds
SELECT o.id, l.finding_id, o.rule_id, o.file_id, o.line, o.column, f.version,
	f.bare,
	f.message, f.function, f.line, f.window, f.unmasked, o.suppressed,
	o.severity
FROM links AS l JOIN occurrences AS o ON o.id = l.occurrence_id
	JOIN findings AS d ON d.id = l.finding_id
	JOIN rules AS u ON u.id = o.rule_id
	JOIN fingerprints AS f ON f.occurrence_id = o.id
WHERE l.run_id = ?1 AND l.verdict <> 'fixed' ORDER BY l.finding_id;

-- name: list_seen
SELECT o.id, l.finding_id, o.rule_id, o.file_id, o.line, o.column, f.version,
	f.bare, f.message, f.function, f.line, f.window, f.unmasked,
	o.suppressed, o.severity
FROM links AS l JOIN occurrences AS o ON o.id = l.occurrence_id
	JOIN fingerprints AS f ON f.occurrence_id = o.id
WHERE l.run_id = ?1 AND l.verdict IN ('same', 'new') ORDER BY l.finding_id;

-- name: count_results
SELECT count(*) FROM run_results WHERE run_id = ?1;

-- The highest number that a finding ever had.
-- name: last_finding
SELECT max(ifnull((SELECT max(seq) FROM sqlite_sequence
		WHERE name = 'findings'), 0),
	ifnull((SELECT max(id) FROM findings), 0));

-- name: add_findings
INSERT INTO findings (first_time, first_commit, id, rule_id)
SELECT ?1, ?2, a, b FROM given;

-- name: add_links
INSERT INTO links (run_id, finding_id, verdict, step, occurrence_id)
SELECT ?1, a, b, c, d FROM given;

-- name: speaks
SELECT count(*) FROM run_results AS x JOIN result_tools AS k USING (result_id)
	JOIN tools AS t ON t.id = k.tool_id
WHERE x.run_id = ?1 AND t.name = ?2;

-- name: add_suppression
INSERT INTO suppressions (run_id, position, tool, rule, path, line, message,
	reason, until, state, finding_id)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11);

-- name: add_count
INSERT INTO counts (run_id, rule_id, severity, found, new, fixed, unknown,
	suppressed)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8);

-- What the tracked file accepts, beside what reports do: few.
-- name: count_accepted
UPDATE counts SET suppressed = counts.suppressed + a.findings
FROM (SELECT o.rule_id, o.severity, count(DISTINCT s.finding_id) AS findings
	FROM suppressions AS s
		JOIN links AS l USING (run_id, finding_id)
		JOIN occurrences AS o ON o.id = l.occurrence_id
	WHERE s.run_id = ?1 AND s.state = 'active'
		AND l.verdict IN ('same', 'new') AND NOT o.suppressed
	GROUP BY o.rule_id, o.severity) AS a
WHERE counts.run_id = ?1 AND counts.rule_id = a.rule_id
	AND counts.severity = a.severity;

-- All runs, or the one of ?1.
-- name: list_runs
SELECT r.id, r.name, r.time, r.commit_id, r.configuration, r.root, r.formats,
	r.state, r.note, r.base_id, ifnull(sum(c.found), 0),
	ifnull(sum(c.new), 0), ifnull(sum(c.fixed), 0),
	ifnull(sum(c.unknown), 0), ifnull(sum(c.suppressed), 0)
FROM runs AS r LEFT JOIN counts AS c ON c.run_id = r.id
WHERE ?1 IS NULL OR r.id = ?1 GROUP BY r.id ORDER BY r.id;

-- Those that may go: not among the last ?1, and not one that the next import of
-- its formats, configuration and tools may be held against.
-- name: choose_pruned
INSERT INTO temp.pruned (run_id)
SELECT id FROM runs
WHERE id NOT IN (SELECT id FROM runs ORDER BY id DESC LIMIT ?1)
	AND id NOT IN (SELECT max(id) FROM runs WHERE state <> 'incomplete'
		GROUP BY formats, configuration, state = 'unverified')
	AND id NOT IN (SELECT max(r.id) FROM runs AS r
			JOIN run_results AS x ON x.run_id = r.id
			JOIN result_tools AS k USING (result_id)
		WHERE r.state <> 'incomplete'
		GROUP BY r.formats, r.configuration, k.tool_id,
			r.state = 'unverified');

-- name: choose_one
INSERT INTO temp.pruned (run_id) SELECT id FROM runs WHERE id = ?1;

-- name: clear_pruned
DELETE FROM temp.pruned;

-- name: delete_links
DELETE FROM links WHERE run_id IN (SELECT run_id FROM temp.pruned);

-- name: delete_runs
DELETE FROM runs WHERE id IN (SELECT run_id FROM temp.pruned);

-- Of results that nobody needs stays what runs say of findings they did not
-- see; so they are no longer what their key says.
-- name: void_results
UPDATE results SET cache_key = randomblob(32) WHERE NOT EXISTS (
	SELECT 1 FROM run_results AS x WHERE x.result_id = results.id)
	AND NOT EXISTS (SELECT 1 FROM kept_results AS k
		WHERE k.result_id = results.id);

-- name: delete_occurrences
DELETE FROM occurrences WHERE result_id IN (SELECT r.id FROM results AS r
		WHERE NOT EXISTS (SELECT 1 FROM run_results AS x
			WHERE x.result_id = r.id)
		AND NOT EXISTS (SELECT 1 FROM kept_results AS k
			WHERE k.result_id = r.id))
	AND NOT EXISTS (SELECT 1 FROM links AS l
		WHERE l.occurrence_id = occurrences.id);

-- name: delete_results
DELETE FROM results WHERE NOT EXISTS (SELECT 1 FROM run_results AS x
		WHERE x.result_id = results.id)
	AND NOT EXISTS (SELECT 1 FROM kept_results AS k
		WHERE k.result_id = results.id)
	AND NOT EXISTS (SELECT 1 FROM occurrences AS o
		WHERE o.result_id = results.id);

-- name: count_pruned
SELECT count(*) FROM temp.pruned;

-- name: delete_findings
DELETE FROM findings WHERE NOT EXISTS (SELECT 1 FROM links
	WHERE links.finding_id = findings.id);

-- Runs as sg_store_run_named() names them.
-- name: last_run
SELECT ifnull(max(id), 0) FROM runs;

-- name: run_with_id
SELECT id FROM runs WHERE id = ?1;

-- name: run_of_name
SELECT ifnull(max(id), 0) FROM runs WHERE name = ?1;

-- name: run_of_commit
SELECT ifnull(max(id), 0) FROM runs
WHERE commit_id = ?1 OR (length(?1) >= 7
	AND substr(commit_id, 1, length(?1)) = ?1);

-- name: base_of
SELECT base_id FROM runs WHERE id = ?1;

-- name: commit_of
SELECT commit_id FROM runs WHERE id = ?1;

-- name: verdict_of
SELECT verdict IN ('same', 'new', 'fixed') FROM links
WHERE run_id = ?1 AND finding_id = ?2;

-- Whether ?2 is among the bases of ?1, or bases of these.
-- name: is_ancestor
WITH RECURSIVE line (id) AS (SELECT base_id FROM runs WHERE id = ?1
	UNION SELECT r.base_id FROM runs AS r JOIN line ON r.id = line.id)
SELECT count(*) FROM line WHERE id = ?2;

-- What store/compare.c makes `compared` of.
-- name: set_pair
INSERT OR REPLACE INTO temp.pair (one, run_id, base_id) VALUES (1, ?1, ?2);

-- name: forget_compared
DROP VIEW IF EXISTS temp.compared;

-- The run against the base that it was matched with.
-- The ids of the pair are asked for as values: SQLite then knows that there is
-- one, and looks at the links of no other run.
-- name: compare_as_linked
CREATE TEMP VIEW compared (finding, verdict, occurrence) AS
SELECT l.finding_id, l.verdict, l.occurrence_id
FROM main.links AS l WHERE l.run_id = (SELECT run_id FROM temp.pair);

-- The run against any other.
-- name: compare_as_matched
CREATE TEMP VIEW compared (finding, verdict, occurrence) AS
SELECT finding, verdict, occurrence FROM temp.matched;

-- name: clear_matched
DELETE FROM temp.matched;

-- name: add_matched
INSERT INTO temp.matched (finding, verdict, occurrence) VALUES (?1, ?2, ?3);

-- Whether what ?1 has not, but ?2 has, is fixed.
-- name: tells_fixed
SELECT a.state = 'complete' AND a.formats = b.formats
	AND a.configuration IS b.configuration AND a.reports >= b.reports
	AND a.sources = b.sources
FROM runs AS a JOIN runs AS b WHERE a.id = ?1 AND b.id = ?2;

-- What scgate check keeps (store/kept.h).
-- name: find_kept
SELECT k.result_id, r.state, k.used
FROM kept_results AS k JOIN results AS r ON r.id = k.result_id
WHERE k.key = ?1;

-- name: keep_result
INSERT OR IGNORE INTO kept_results (key, result_id, used) VALUES (?1, ?2, ?3);

-- name: use_kept
UPDATE kept_results SET used = ?2 WHERE key = ?1;

-- name: find_note
SELECT text FROM kept_notes WHERE key = ?1;

-- name: keep_note
INSERT OR REPLACE INTO kept_notes (key, text, used) VALUES (?1, ?2, ?3);

-- name: list_kept
SELECT o.id, t.name, u.name, f.path, o.line, o.column, o.end_line, o.end_column,
	o.function, o.severity, o.severity_word, o.cwe, o.message, o.verbose,
	o.inconclusive, o.suppressed, o.repeats,
	(SELECT k.version FROM result_tools AS k WHERE k.result_id = ?1
		AND k.tool_id = t.id AND k.version <> ''),
	p.version, p.bare, p.message, p.function, p.line, p.window, p.unmasked
FROM occurrences AS o JOIN fingerprints AS p ON p.occurrence_id = o.id
	JOIN rules AS u ON u.id = o.rule_id
	JOIN tools AS t ON t.id = u.tool_id
	LEFT JOIN files AS f ON f.id = o.file_id
WHERE o.result_id = ?1 ORDER BY o.id;

-- What was kept of a place, the latest first.
-- name: list_kept_at
SELECT o.id, t.name, u.name, f.path, o.line, o.column, o.end_line, o.end_column,
	o.function, o.severity, o.severity_word, o.cwe, o.message, o.verbose,
	o.inconclusive, o.suppressed, o.repeats,
	(SELECT k.version FROM result_tools AS k WHERE k.result_id = o.result_id
		AND k.tool_id = t.id AND k.version <> ''),
	p.version, p.bare, p.message, p.function, p.line, p.window, p.unmasked
FROM occurrences AS o JOIN fingerprints AS p ON p.occurrence_id = o.id
	JOIN rules AS u ON u.id = o.rule_id
	JOIN tools AS t ON t.id = u.tool_id
	LEFT JOIN files AS f ON f.id = o.file_id
WHERE f.path = ?1 AND o.line = ?2
	AND o.result_id IN (SELECT k.result_id FROM kept_results AS k)
ORDER BY o.id DESC;

-- name: list_events
SELECT f.path, e.line, e.column, e.message, e.function
FROM events AS e LEFT JOIN files AS f ON f.id = e.file_id
WHERE e.occurrence_id = ?1 ORDER BY e.position;

-- name: forget_kept
DELETE FROM kept_results WHERE used < ?1;

-- name: forget_notes
DELETE FROM kept_notes WHERE used < ?1;
