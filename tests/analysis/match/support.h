/* SPDX-License-Identifier: MIT */
/** @file
 * Small source trees with findings written into them, before and after an
 * edit: what tests of matching share.
 *
 * A tree is one text. A line "== PATH" starts a file; a line of code may end
 * with findings, which are cut off before anything looks at it:
 *
 *     return *p; //! same 3 nullPtr: Null pointer dereference: p
 *
 * is a finding of rule nullPtr, whose expected verdict is "same" by step 3 (a
 * step is only given in the new tree).
 */
#ifndef TESTS_MATCH_SUPPORT_H
#define TESTS_MATCH_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "match/function.h"
#include "match/match.h"

enum { FILES_MAX = 4, FINDINGS_MAX = 512, HUNKS_MAX = 1024 };

struct test_finding {
	const char *path; /* borrowed from the file */
	int64_t line;
	char rule[32], message[96];
	enum sg_verdict expected;
	int step; /* expected; 0: not given */
};

struct test_file {
	char path[64];
	char *text; /* owned; without findings */
	struct sg_source source;
	struct sg_functions functions;
};

struct test_tree {
	struct test_file files[FILES_MAX];
	size_t file_count;
	struct test_finding findings[FINDINGS_MAX];
	struct sg_sighting sightings[FINDINGS_MAX];
	size_t finding_count;
};

/** Read a tree; asserts that it is well-formed. @p bare: as if its source were
 * not at hand. */
void tree_init(struct test_tree *tree, const char *text, bool bare);
void tree_finish(struct test_tree *tree);

/** The hunks by which two texts differ, as `git diff -U0` would have them (by
 * longest common subsequence). @return their number. */
size_t diff_lines(const char *old_text, const char *new_text,
		  struct sg_hunk hunks[HUNKS_MAX]);

/** Match two trees. @p renamed: "OLD>NEW" or NULL; other files are the same if
 * their paths are. @p analysed: the answer to all questions. */
void trees_match(const struct test_tree *before, const struct test_tree *after,
		 const char *renamed, bool analysed, struct sg_match *match);

#endif
