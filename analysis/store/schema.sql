-- SPDX-License-Identifier: MIT
-- What scgate knows: runs of analyzers, and what they found.
--
-- PRAGMA application_id is 0x53474154 ("SGAT"), PRAGMA user_version 1. Texts
-- are UTF-8 without NUL. Hashes are blobs of 16 bytes, highest first; NULL:
-- there is none. Lines and columns count from 1. NULL: not given.

CREATE TABLE tools (
	id INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE -- "cppcheck", "gcc"
);

CREATE TABLE rules (
	id INTEGER PRIMARY KEY,
	tool_id INTEGER NOT NULL REFERENCES tools,
	name TEXT NOT NULL, -- the check's id; '': the tool names none
	UNIQUE (tool_id, name)
);

CREATE TABLE files (
	id INTEGER PRIMARY KEY,
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
	-- complete: proven to be whole. limited: whole, but a tool gave up on
	-- a part. unverified: nothing proves that it is whole. incomplete:
	-- broken off, malformed, or a tool failed; never a base.
	state TEXT NOT NULL CHECK (state IN
		('complete', 'limited', 'unverified', 'incomplete')),
	note TEXT, -- why it is not complete, for people
	base_id INTEGER -- the run it was matched with; NULL: none, or pruned
		REFERENCES runs ON DELETE SET NULL
);
CREATE INDEX runs_by_base ON runs (base_id);

-- Which tools spoke in a run.
CREATE TABLE run_tools (
	run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
	tool_id INTEGER NOT NULL REFERENCES tools,
	version TEXT NOT NULL, -- as the tool says it; '': it does not
	PRIMARY KEY (run_id, tool_id, version)
) WITHOUT ROWID;

-- Translation units that a run analysed, as far as its reports tell.
CREATE TABLE units (
	run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
	file_id INTEGER NOT NULL REFERENCES files, -- its main source
	PRIMARY KEY (run_id, file_id)
) WITHOUT ROWID;

-- A defect, the same through all runs that it was recognised in.
CREATE TABLE findings (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	rule_id INTEGER NOT NULL REFERENCES rules,
	first_time INTEGER NOT NULL, -- of the run that first had it: seconds
	                             -- since 1970, UTC
	first_commit TEXT -- that run's commit_id
);

-- A finding as one run saw it. Equal reports (tool, rule, path, line, column
-- and message) within a run are one row.
CREATE TABLE occurrences (
	id INTEGER PRIMARY KEY, -- in the order of the reports
	-- The run that saw it; when that was pruned, the oldest run left whose
	-- links need it.
	run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
	rule_id INTEGER NOT NULL REFERENCES rules,
	file_id INTEGER REFERENCES files, -- NULL: it has no place
	line INTEGER,
	column INTEGER,
	end_line INTEGER,
	end_column INTEGER,
	function TEXT, -- that encloses it
	-- 0 unknown, 1 info, 2 style, 3 low, 4 warning, 5 error
	severity INTEGER NOT NULL CHECK (severity BETWEEN 0 AND 5),
	severity_word TEXT, -- the tool's own
	cwe INTEGER, -- number in the Common Weakness Enumeration
	message TEXT NOT NULL,
	verbose TEXT, -- a longer message, where it differs
	inconclusive INTEGER NOT NULL, -- 1: the tool itself is not sure
	suppressed INTEGER NOT NULL, -- 1: the report says it was accepted
	repeats INTEGER NOT NULL -- times it was reported, at least 1
);
CREATE INDEX occurrences_by_run ON occurrences (run_id);

-- The way to a finding, and the notes that belong to it.
CREATE TABLE events (
	occurrence_id INTEGER NOT NULL REFERENCES occurrences ON DELETE CASCADE,
	position INTEGER NOT NULL, -- from 0, in the report's order
	file_id INTEGER REFERENCES files,
	line INTEGER,
	column INTEGER,
	message TEXT, -- NULL: a frame without words
	function TEXT,
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
	finding_id INTEGER NOT NULL REFERENCES findings,
	-- same: it was in the base. new: it was not. fixed: it was, and is not
	-- here though its rule and units were analysed healthily. unknown: it
	-- was, and whether it still is cannot be told; it counts on.
	verdict TEXT NOT NULL CHECK (verdict IN
		('same', 'new', 'fixed', 'unknown')),
	step INTEGER NOT NULL, -- what matched it, enum sg_step; 0: nothing
	-- This run's occurrence; of fixed and unknown ones the last there was.
	occurrence_id INTEGER NOT NULL REFERENCES occurrences,
	PRIMARY KEY (run_id, finding_id)
) WITHOUT ROWID;
CREATE INDEX links_by_finding ON links (finding_id);
CREATE INDEX links_by_occurrence ON links (occurrence_id);

-- What people decided to live with, from the tracked file.
CREATE TABLE suppressions (
	id INTEGER PRIMARY KEY,
	finding_id INTEGER NOT NULL REFERENCES findings,
	reason TEXT NOT NULL,
	until TEXT, -- day that it ends with, YYYY-MM-DD; NULL: it does not
	UNIQUE (finding_id)
);

-- Findings of a run by rule and severity. What a run has open is found +
-- unknown.
CREATE TABLE counts (
	run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
	rule_id INTEGER NOT NULL REFERENCES rules,
	severity INTEGER NOT NULL, -- as in occurrences
	found INTEGER NOT NULL, -- new ones and same ones
	new INTEGER NOT NULL,
	fixed INTEGER NOT NULL,
	unknown INTEGER NOT NULL,
	suppressed INTEGER NOT NULL, -- of found: by the report itself
	PRIMARY KEY (run_id, rule_id, severity)
) WITHOUT ROWID;
