-- SPDX-License-Identifier: MIT
-- What scgate knows: runs of analyzers, and what they found.
--
-- PRAGMA application_id is 0x53474154 ("SGAT"), PRAGMA user_version 1. Texts
-- are UTF-8 without NUL. Hashes are blobs of 16 bytes, highest first; NULL:
-- there is none. Lines and columns count from 1. NULL: not given.

CREATE TABLE tools (
	id INTEGER PRIMARY KEY, -- in the order in which they were met; so below
	name TEXT NOT NULL UNIQUE -- "cppcheck", "gcc"
);

CREATE TABLE rules (
	id INTEGER PRIMARY KEY,
	tool_id INTEGER NOT NULL REFERENCES tools, -- whose rule it is
	name TEXT NOT NULL, -- the check's id; '': the tool names none
	-- 1: by this rule the tool says that it gave up on a part, where
	-- what is no longer found need not be fixed
	gives_up INTEGER NOT NULL,
	UNIQUE (tool_id, name)
);

CREATE TABLE files (
	id INTEGER PRIMARY KEY, -- in the order in which they were met
	path TEXT NOT NULL UNIQUE -- relative to the repository if it is in it
);

-- One analysis of one tree. A row is there only if its import came to its end.
CREATE TABLE runs (
	id INTEGER PRIMARY KEY AUTOINCREMENT, -- in the order of imports
	name TEXT, -- what its user calls it; need not be unique
	time INTEGER NOT NULL, -- of the import: seconds since 1970, UTC
	commit_id TEXT, -- the revision that was analysed, as it was given
	configuration TEXT, -- digest of flags and tools; equal: comparable
	root TEXT, -- folder that the paths were made relative to
	formats TEXT NOT NULL, -- of its reports, sorted, one blank between
	reports INTEGER NOT NULL, -- how many there were
	sources INTEGER NOT NULL, -- 1: those of its revision were at hand
	-- complete: proven to be whole. limited: whole, but a tool gave up on
	-- a part. unverified: nothing proves that it is whole. incomplete:
	-- broken off, malformed, or a tool failed; never a base.
	state TEXT NOT NULL CHECK (state IN -- the worst of its results'
		('complete', 'limited', 'unverified', 'incomplete')),
	note TEXT, -- why it is not complete, for people
	base_id INTEGER -- the run it was matched with; NULL: none, or pruned
		REFERENCES runs ON DELETE SET NULL
);
CREATE INDEX runs_by_base ON runs (base_id);

-- What one analysis gave: a report, or what one tool said of one unit. Kept once
-- per cache key, and shared by all runs that it is part of.
CREATE TABLE results (
	id INTEGER PRIMARY KEY, -- in the order in which they were stored
	-- Hash of all that the result depends on, or, of a report, of all that
	-- was stored of it; store/digest.h says how it is made.
	cache_key BLOB NOT NULL UNIQUE,
	state TEXT NOT NULL CHECK (state IN -- as that of a run
		('complete', 'limited', 'unverified', 'incomplete')),
	note TEXT -- why it is not complete, for people
);

-- Results that scgate check need not make again, by a key of all that they
-- depend on; results that are equal are one.
CREATE TABLE kept_results (
	key BLOB PRIMARY KEY, -- docs/decisions/0008
	result_id INTEGER NOT NULL REFERENCES results ON DELETE CASCADE,
	used INTEGER NOT NULL -- day on which it was last of use, since 1970
) WITHOUT ROWID;
CREATE INDEX kept_results_by_result ON kept_results (result_id);

-- Small texts that it need not make again: what a file includes, what a compiler
-- reads.
CREATE TABLE kept_notes (
	key BLOB PRIMARY KEY, -- hash of what it was made of
	text TEXT NOT NULL, -- for the program alone
	used INTEGER NOT NULL -- as above
) WITHOUT ROWID;

CREATE TABLE run_results (
	run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, -- the whole
	result_id INTEGER NOT NULL REFERENCES results, -- a part of it
	PRIMARY KEY (run_id, result_id)
) WITHOUT ROWID;
CREATE INDEX run_results_by_result ON run_results (result_id);

-- Which tools spoke in a result.
CREATE TABLE result_tools (
	result_id INTEGER NOT NULL REFERENCES results ON DELETE CASCADE,
	tool_id INTEGER NOT NULL REFERENCES tools, -- also if it found nothing
	version TEXT NOT NULL, -- as the tool says it; '': it does not
	PRIMARY KEY (result_id, tool_id, version)
) WITHOUT ROWID;

-- Translation units that a result covers, as far as it tells.
CREATE TABLE units (
	result_id INTEGER NOT NULL REFERENCES results ON DELETE CASCADE,
	file_id INTEGER NOT NULL REFERENCES files, -- its main source
	PRIMARY KEY (result_id, file_id)
) WITHOUT ROWID;

-- How long the files with findings are, where the source was at hand.
CREATE TABLE sizes (
	result_id INTEGER NOT NULL REFERENCES results ON DELETE CASCADE,
	file_id INTEGER NOT NULL REFERENCES files, -- that has a finding
	lines INTEGER NOT NULL, -- all, comments and empty ones too
	PRIMARY KEY (result_id, file_id)
) WITHOUT ROWID;

-- A defect, the same through all runs that it was recognised in.
CREATE TABLE findings (
	id INTEGER PRIMARY KEY AUTOINCREMENT, -- the number that people use
	rule_id INTEGER NOT NULL REFERENCES rules, -- never another one
	first_time INTEGER NOT NULL, -- of the run that first had it: seconds
	                             -- since 1970, UTC
	first_commit TEXT -- that run's commit_id
);

-- The steps that all tools' severities are put on.
CREATE TABLE severities (
	step INTEGER PRIMARY KEY, -- the higher the worse
	name TEXT NOT NULL -- for people
);
INSERT INTO severities (step, name) VALUES (0, 'unknown'), (1, 'info'),
	(2, 'style'), (3, 'low'), (4, 'warning'), (5, 'error');

-- A finding as one result has it. Equal reports (tool, rule, path, line, column
-- and message) within a result are one row; those in several results of a run
-- are one finding.
CREATE TABLE occurrences (
	id INTEGER PRIMARY KEY, -- in the order of the report
	-- Borrowed results stay as long as a link needs one of their rows.
	result_id INTEGER NOT NULL REFERENCES results ON DELETE CASCADE,
	rule_id INTEGER NOT NULL REFERENCES rules, -- that it breaks
	file_id INTEGER REFERENCES files, -- NULL: it has no place
	line INTEGER, -- where it begins
	column INTEGER, -- in that line, as the tool counts
	end_line INTEGER, -- where it ends, of tools that say so
	end_column INTEGER, -- the last one that belongs to it
	function TEXT, -- that encloses it
	severity INTEGER NOT NULL CHECK (severity BETWEEN 0 AND 5), -- a step
	severity_word TEXT, -- the tool's own
	cwe INTEGER, -- number in the Common Weakness Enumeration
	message TEXT NOT NULL, -- as the tool says it
	verbose TEXT, -- a longer message, where it differs
	inconclusive INTEGER NOT NULL, -- 1: the tool itself is not sure
	suppressed INTEGER NOT NULL, -- 1: the report says it was accepted
	repeats INTEGER NOT NULL -- times it was reported, at least 1
);
CREATE INDEX occurrences_by_result ON occurrences (result_id);

-- The way to a finding, and the notes that belong to it.
CREATE TABLE events (
	occurrence_id INTEGER NOT NULL REFERENCES occurrences ON DELETE CASCADE,
	position INTEGER NOT NULL, -- from 0, in the report's order
	file_id INTEGER REFERENCES files, -- NULL: it has no place
	line INTEGER, -- of the file
	column INTEGER, -- in that line
	message TEXT, -- NULL: a frame without words
	function TEXT, -- of a frame, or where the event is
	PRIMARY KEY (occurrence_id, position)
) WITHOUT ROWID;

-- The units that saw an occurrence.
CREATE TABLE occurrence_units (
	occurrence_id INTEGER NOT NULL REFERENCES occurrences ON DELETE CASCADE,
	file_id INTEGER NOT NULL REFERENCES files, -- the unit's main source
	PRIMARY KEY (occurrence_id, file_id)
) WITHOUT ROWID;

-- What of an occurrence survives edits; analysis/match/fingerprint.h says how
-- the hashes are made. None has the path in it.
CREATE TABLE fingerprints (
	occurrence_id INTEGER PRIMARY KEY
		REFERENCES occurrences ON DELETE CASCADE,
	version INTEGER NOT NULL, -- hashes of two versions must not be compared
	bare INTEGER NOT NULL, -- 1: the source was not at hand
	message BLOB NOT NULL, -- tool, rule, masked message
	function BLOB NOT NULL, -- and function: K3 without path
	line BLOB, -- and the line's tokens: K2
	window BLOB, -- tool, rule, tokens around: K4 without path
	unmasked BLOB NOT NULL -- of the message as it was said
);

-- What became of each finding in a run, against the run's base. A finding has
-- at most one row a run.
CREATE TABLE links (
	run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
	finding_id INTEGER NOT NULL REFERENCES findings, -- that it is about
	-- same: it was in the base. new: it was not. fixed: it was, and is not
	-- here though its rule and units were analysed healthily. unknown: it
	-- was, and whether it still is cannot be told; it counts on.
	verdict TEXT NOT NULL CHECK (verdict = 'same' OR verdict = 'new'
		OR verdict = 'fixed' OR verdict = 'unknown'), -- IN is slower
	step INTEGER NOT NULL, -- what matched it, enum sg_step; 0: nothing
	-- This run's occurrence; of fixed and unknown ones the last there was.
	occurrence_id INTEGER NOT NULL REFERENCES occurrences,
	PRIMARY KEY (run_id, finding_id)
) WITHOUT ROWID;
CREATE INDEX links_by_finding ON links (finding_id);
CREATE INDEX links_by_occurrence ON links (occurrence_id);
-- For what is reopened: few are fixed.
CREATE INDEX links_fixed ON links (run_id, occurrence_id)
	WHERE verdict = 'fixed';

-- What people decided to live with: the tracked file as the run found it.
CREATE TABLE suppressions (
	run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
	position INTEGER NOT NULL, -- the entry's line in the file, from 1
	tool TEXT NOT NULL, -- the entry's words, as people wrote them
	rule TEXT NOT NULL, -- '': the tool names none
	path TEXT, -- NULL: the finding has no place
	line INTEGER, -- where it was when it was suppressed
	message TEXT NOT NULL, -- as the tool said it then
	reason TEXT NOT NULL, -- why it is lived with
	until TEXT, -- last day that it holds, YYYY-MM-DD; NULL: for ever
	-- active: its finding is not counted. expired: it is counted again.
	-- unused: the run has no such finding. unchecked: it has none, but its
	-- tool does not speak in the run.
	state TEXT NOT NULL CHECK (state IN
		('active', 'expired', 'unused', 'unchecked')),
	finding_id INTEGER REFERENCES findings, -- NULL: it has none
	PRIMARY KEY (run_id, position)
) WITHOUT ROWID;
-- With the state, or SQLite takes the primary key instead: all entries a finding.
CREATE INDEX suppressions_by_finding
	ON suppressions (run_id, finding_id, state);

-- Findings of a run by rule and severity. What a run has open is found +
-- unknown.
CREATE TABLE counts (
	run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
	rule_id INTEGER NOT NULL REFERENCES rules,
	severity INTEGER NOT NULL, -- as in occurrences
	found INTEGER NOT NULL, -- new ones and same ones
	new INTEGER NOT NULL, -- by the verdicts of links
	fixed INTEGER NOT NULL,
	unknown INTEGER NOT NULL,
	-- of found: accepted, by the report itself or by the tracked file
	suppressed INTEGER NOT NULL,
	PRIMARY KEY (run_id, rule_id, severity)
) WITHOUT ROWID;

-- ---- views: what queries, Grafana or Datasette look at --------------------

-- A row a run: what it came to.
CREATE VIEW v_runs AS
SELECT r.id AS run,
	r.name,
	strftime('%Y-%m-%dT%H:%M:%SZ', r.time, 'unixepoch') AS time, -- UTC
	r.commit_id AS "commit",
	r.formats,
	r.state,
	r.note,
	r.base_id AS base, -- the run it was held against
	ifnull(sum(c.found), 0) AS found, -- findings that it has
	ifnull(sum(c.new), 0) AS new, -- of these, not in the base
	ifnull(sum(c.fixed), 0) AS fixed, -- in the base, and gone
	ifnull(sum(c.unknown), 0) AS unknown, -- in the base, and not seen
	ifnull(sum(c.suppressed), 0) AS suppressed -- of found: accepted
FROM runs AS r LEFT JOIN counts AS c ON c.run_id = r.id
GROUP BY r.id;

-- A row a run, rule and severity.
CREATE VIEW v_counts AS
SELECT c.run_id AS run,
	t.name AS tool,
	u.name AS rule,
	(SELECT v.name FROM severities AS v WHERE v.step = c.severity)
		AS severity, -- error, warning, low, style, info, unknown
	c.found,
	c.new,
	c.fixed,
	c.unknown,
	c.suppressed
FROM counts AS c JOIN rules AS u ON u.id = c.rule_id
	JOIN tools AS t ON t.id = u.tool_id;

-- A row a run and finding: those it has, and those of its base that it has not.
CREATE VIEW v_findings AS
SELECT l.run_id AS run,
	l.finding_id AS finding, -- the same number in all runs
	l.verdict, -- same, new, fixed, unknown
	t.name AS tool,
	u.name AS rule,
	(SELECT v.name FROM severities AS v WHERE v.step = o.severity)
		AS severity, -- error, warning, low, style, info, unknown
	o.severity_word, -- the tool's own
	f.path,
	o.line, -- of fixed and unknown ones the last that was known
	o.column,
	o.function,
	o.message,
	o.cwe,
	o.inconclusive, -- 1: the tool itself is not sure
	o.repeats, -- times it was reported
	-- 1: accepted, by the report itself or by the tracked file
	(o.suppressed OR EXISTS (SELECT 1 FROM suppressions AS s
		WHERE s.run_id = l.run_id AND s.finding_id = l.finding_id
			AND s.state = 'active')) AS suppressed,
	strftime('%Y-%m-%dT%H:%M:%SZ', d.first_time, 'unixepoch')
		AS first_time, -- of the run that first had it; UTC
	d.first_commit,
	l.occurrence_id AS occurrence -- for v_events
FROM links AS l JOIN findings AS d ON d.id = l.finding_id
	JOIN occurrences AS o ON o.id = l.occurrence_id
	JOIN rules AS u ON u.id = o.rule_id
	JOIN tools AS t ON t.id = u.tool_id
	LEFT JOIN files AS f ON f.id = o.file_id;

-- A row an event on the way to an occurrence.
CREATE VIEW v_events AS
SELECT e.occurrence_id AS occurrence,
	e.position, -- from 0
	f.path,
	e.line,
	e.column,
	e.function,
	e.message
FROM events AS e LEFT JOIN files AS f ON f.id = e.file_id;

-- A row a run and result: which reports it is made of.
CREATE VIEW v_results AS
SELECT x.run_id AS run,
	x.result_id AS result,
	(SELECT group_concat(t.name || CASE k.version WHEN '' THEN ''
			ELSE ' ' || k.version END, ', ')
		FROM result_tools AS k JOIN tools AS t ON t.id = k.tool_id
		WHERE k.result_id = x.result_id) AS tools,
	(SELECT count(*) FROM units AS n
		WHERE n.result_id = x.result_id) AS units,
	r.state,
	r.note
FROM run_results AS x JOIN results AS r ON r.id = x.result_id;

-- A row a run and entry of the tracked file.
CREATE VIEW v_suppressions AS
SELECT run_id AS run,
	position,
	state, -- active, expired, unused, unchecked
	finding_id AS finding,
	tool,
	rule,
	path,
	line,
	message,
	reason,
	until
FROM suppressions;
