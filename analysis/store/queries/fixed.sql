-- SPDX-License-Identifier: MIT
-- What did the base have that is gone?
--
-- A row a finding, the most severe first: the run would have shown it
-- (docs/scgate-store.md says when), and has not.
--
--   finding     its number, the same in all runs
--   severity    error, warning, low, style, info or unknown
--   tool        that reported it
--   rule        of the tool; empty: it names none
--   path        of the file; NULL: the finding has no place
--   line        in it, from 1, where it was last
--   suppressed  1: accepted, by the report itself or by the tracked file of the
--               base or the run
--   seen        the last run, up to this one, that had it
--   message     as the tool said it
SELECT c.finding,
	(SELECT v.name FROM severities AS v
		WHERE v.step = o.severity) AS severity,
	t.name AS tool,
	u.name AS rule,
	f.path,
	o.line,
	(o.suppressed OR EXISTS (SELECT 1 FROM suppressions AS s
		WHERE s.run_id IN (:run, :base) AND s.finding_id = c.finding
			AND s.state = 'active')) AS suppressed,
	(SELECT l.run_id FROM links AS l
		WHERE l.finding_id = c.finding AND l.run_id <= :run
			AND l.verdict IN ('same', 'new')
		ORDER BY l.run_id DESC LIMIT 1) AS seen,
	o.message
FROM compared AS c
	JOIN occurrences AS o ON o.id = c.occurrence
	JOIN rules AS u ON u.id = o.rule_id
	JOIN tools AS t ON t.id = u.tool_id
	LEFT JOIN files AS f ON f.id = o.file_id
WHERE c.verdict = 'fixed'
ORDER BY o.severity DESC, f.path NULLS LAST, o.line, c.finding;
