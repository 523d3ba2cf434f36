/* SPDX-License-Identifier: MIT */
/** @file
 * What a check came to: the verdict and all that explains it. Policies fill in
 * the verdict (gate/policy.h), writers show it (report/verdict.h).
 *
 * All texts are borrowed from whoever made the judgement.
 */
#ifndef SG_GATE_JUDGEMENT_H
#define SG_GATE_JUDGEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gate/config.h"
#include "match/match.h"
#include "read/finding.h"

enum sg_outcome {
	SG_PASS, /**< exit 0 */
	SG_REJECTED, /**< exit 1 */
	SG_INCOMPLETE, /**< exit 3: it cannot be told */
};

/** A finding in a check. Of the tested tree if it is the same or new there;
 * else of the base, as it was. */
struct sg_judged {
	struct sg_finding finding; /**< path relative to the repository; events
					of new ones only */
	struct sg_hash identity; /**< unique in a judgement; the same in the
				      next one, as long as K1 and the order of
				      equal ones are */
	enum sg_verdict verdict; /**< same, new, fixed, unknown */
	const char *was_path; /**< where the base had it, of a same one */
	int64_t was_line;
	/** It does not count, since it is accepted: in the tested tree if it is
	 * there, else in the base. */
	bool accepted;
	bool accepted_before; /**< of a same one: in the base it was */
	const char *reason; /**< why it is accepted; NULL: the report says so */
	const char *until; /**< "2027-03-31"; NULL: for ever */
	/** Its entry among the suppressions came with the tested change; it
	 * counts as accepted only where the parent's configuration allows. */
	bool entry_is_new;
	struct sg_hash line_hash, window_hash; /**< of its fingerprint; zero:
						    none */
	/* ---- filled in by sg_policy_apply() ---- */
	enum sg_policy policy; /**< that holds at its path */
	bool counts; /**< it is severe enough for the policy there */
	bool is_swap; /**< new, and for it one of its rule was fixed */
	const struct sg_judged *swapped; /**< of a swap: the fixed one, and of
					      that the new one; else NULL */
	bool is_objected; /**< the verdict is "rejected" because of it, or it is
			       one of those that make a count rise */
};

/** Counts of what counts, a tool's, a rule's, or all. */
struct sg_judged_count {
	const char *tool; /**< NULL: of all */
	const char *rule; /**< NULL: of all rules of the tool; "": of those
			       for which it names none */
	int64_t before, after; /**< open; after = before + added - fixed, with
				    unknown ones on both sides, and what was
				    accepted or no longer is moved across */
	int64_t added, fixed, unknown;
};

/** Something that kept a tool from telling all. */
struct sg_trouble {
	bool limited; /**< it gave up on a part; else the check is incomplete */
	bool in_base; /**< in the tree of the base */
	const char *unit; /**< its source; NULL: not of one unit */
	const char *tool; /**< "cppcheck", "compile"; NULL: not of a tool */
	const char *why; /**< "exited with 1", "timed out after 5 min" */
	const char *words; /**< the tool's own last words, some lines; NULL */
};

struct sg_judgement {
	enum sg_outcome outcome;
	/** Why it is rejected: sentences, NULL at the end, as "no-raise: the
	 * count of gcc -Wanalyzer-null-dereference rose from 1 to 2". Filled in
	 * by sg_policy_apply(). */
	const char *const *objections;
	const char
		*tested; /**< "staged changes", "work tree", "HEAD 1a2b3c4d" */
	const char *base; /**< "HEAD 1a2b3c4d", "no parent", "merge base ..." */
	struct sg_judged *judged; /**< borrowed; by path, line, tool, rule */
	size_t judged_count;
	struct sg_judged_count *counts; /**< of all, then by tool, each with its
					     rules behind it; filled in by
					     sg_policy_apply() */
	size_t count_count;
	const struct sg_trouble *troubles;
	size_t trouble_count;
	const char *const *notes; /**< what the reader should know: "judged by
				       the parent's .scgate.conf"; NULL at the
				       end */
	const char *const *steps; /**< what to do next: commands and sentences;
				       NULL at the end */
	bool is_merge;
	bool changes_code; /**< a token of analysed code differs: for
				must-reduce */
	/** Whether findings of all units are in `judged`; else those of the
	 * affected ones alone, and counts are of these. */
	bool is_whole;
	size_t units, affected, analysed, cached; /**< units in the tested tree;
					of these affected; runs of analyzers;
					results that were there already */
	int64_t elapsed_ns, tools_ns; /**< in all; spent waiting for tools */
};

#endif
