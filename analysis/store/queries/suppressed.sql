-- SPDX-License-Identifier: MIT
-- What is accepted, and which entries of the tracked file are of no use?
--
-- A row an entry of the tracked file, and one a finding that no entry is about
-- but that the report itself calls accepted.
--
--   state     expired: the entry's last day is over, so its finding counts
--             unused: the run has no such finding, so the entry can go
--             unchecked: its tool does not speak in the run, which cannot tell
--             active: the finding is not counted
--             report: the report itself says that the finding was accepted
--   entry     the entry's line in the tracked file; NULL: report
--   finding   its number, the same in all runs; NULL: it has none
--   tool      that reports it
--   rule      of the tool; empty: it names none
--   path      of the file; NULL: the finding has no place
--   line      where it was when it was suppressed; of report: where it is
--   until     last day that the entry holds, YYYY-MM-DD; NULL: for ever
--   reason    as the entry gives it; NULL: report
--   message   as the tool says it
WITH accepted AS (
	SELECT s.state,
		s.position AS entry,
		s.finding_id AS finding,
		s.tool,
		s.rule,
		s.path,
		s.line,
		s.until,
		s.reason,
		s.message
	FROM suppressions AS s WHERE s.run_id = :run
	UNION ALL
	SELECT 'report', NULL, l.finding_id, t.name, u.name, f.path, o.line, NULL, NULL,
		o.message
	FROM links AS l JOIN occurrences AS o ON o.id = l.occurrence_id
		JOIN rules AS u ON u.id = o.rule_id
		JOIN tools AS t ON t.id = u.tool_id
		LEFT JOIN files AS f ON f.id = o.file_id
	WHERE l.run_id = :run AND l.verdict IN ('same', 'new') AND o.suppressed
		AND NOT EXISTS (SELECT 1 FROM suppressions AS s
			WHERE s.run_id = :run AND s.finding_id = l.finding_id)
)
SELECT * FROM accepted
ORDER BY CASE state WHEN 'expired' THEN 1 WHEN 'unused' THEN 2
		WHEN 'unchecked' THEN 3 WHEN 'active' THEN 4 ELSE 5 END,
	entry, path NULLS LAST, line, finding;
