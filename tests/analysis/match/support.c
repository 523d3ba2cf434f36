/* SPDX-License-Identifier: MIT */
/* Trees in one text, and a plain diff of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/match/support.h"

/* " same 3 rule: message" up to @p end. */
static void add_finding(struct test_tree *tree, const char *path, int64_t line,
			const char *text, size_t length)
{
	static const char *const verdicts[] = { "same", "new", "fixed",
						"unknown" };
	struct test_finding *finding = &tree->findings[tree->finding_count++];
	char copy[192], verdict[16], step[2] = "";
	int read = 0;

	assert_true(tree->finding_count < FINDINGS_MAX);
	assert_true(length < sizeof(copy));
	while (length > 0 && text[length - 1] == ' ')
		length--;
	snprintf(copy, sizeof(copy), "%.*s", (int)length, text);
	assert_int_equal(sscanf(copy, " %15[a-z] %n", verdict, &read), 1);
	if (copy[read] >= '1' && copy[read] <= '6') {
		step[0] = copy[read];
		read += 2;
	}
	*finding = (struct test_finding){ .path = path, .line = line };
	finding->step = step[0] ? step[0] - '0' : 0;
	assert_int_equal(sscanf(copy + read, "%31[^:]: %95[^\n]", finding->rule,
				finding->message),
			 2);
	while (finding->expected <= SG_UNKNOWN &&
	       strcmp(verdict, verdicts[finding->expected]) != 0)
		finding->expected++;
	assert_true(finding->expected <= SG_UNKNOWN);
}

/* Append a line without its findings to @p file. */
static void add_line(struct test_tree *tree, struct test_file *file,
		     int64_t line, const char *text, size_t length)
{
	size_t used = strlen(file->text), code = length;

	for (size_t at = 0; at + 3 <= length; at++) {
		size_t end;

		if (memcmp(text + at, "//!", 3) != 0)
			continue;
		if (code == length)
			code = at;
		for (end = at + 3; end < length; end++)
			if (end + 3 <= length &&
			    memcmp(text + end, "//!", 3) == 0)
				break;
		add_finding(tree, file->path, line, text + at + 3,
			    end - at - 3);
	}
	while (code > 0 && text[code - 1] == ' ')
		code--;
	memcpy(file->text + used, text, code);
	file->text[used + code] = '\n';
	file->text[used + code + 1] = '\0';
}

static void read_text(struct test_tree *tree, const char *text)
{
	struct test_file *file = NULL;
	size_t room = strlen(text) + 2;
	int64_t line = 0;

	while (*text) {
		size_t length = strcspn(text, "\n");

		if (strncmp(text, "== ", 3) == 0) {
			assert_true(tree->file_count < FILES_MAX);
			file = &tree->files[tree->file_count++];
			snprintf(file->path, sizeof(file->path), "%.*s",
				 (int)length - 3, text + 3);
			file->text = calloc(1, room);
			assert_non_null(file->text);
			line = 0;
		} else {
			assert_non_null(file);
			add_line(tree, file, ++line, text, length);
		}
		text += length + (text[length] == '\n');
	}
}

static const struct test_file *file_of(const struct test_tree *tree,
				       const char *path)
{
	for (size_t at = 0; at < tree->file_count; at++)
		if (strcmp(tree->files[at].path, path) == 0)
			return &tree->files[at];
	return NULL;
}

void tree_init(struct test_tree *tree, const char *text, bool bare)
{
	memset(tree, 0, sizeof(*tree));
	read_text(tree, text);
	for (size_t at = 0; at < tree->file_count; at++) {
		struct test_file *file = &tree->files[at];

		assert_int_equal(sg_source_init(&file->source, file->text,
						strlen(file->text)),
				 SL_OK);
		assert_int_equal(
			sg_functions_init(&file->functions, &file->source),
			SL_OK);
	}
	for (size_t at = 0; at < tree->finding_count; at++) {
		const struct test_finding *finding = &tree->findings[at];
		const struct test_file *file = file_of(tree, finding->path);
		struct sg_sighting *sighting = &tree->sightings[at];
		struct sg_words words = {
			.tool = "test",
			.rule = finding->rule,
			.message = finding->message,
			.function = bare ? NULL
					 : sg_function_at(&file->functions,
							  finding->line),
		};

		sighting->path = finding->path;
		sighting->line = finding->line;
		assert_int_equal(
			sg_fingerprint_init(&sighting->fingerprint, &words,
					    bare ? NULL : &file->source,
					    finding->line),
			SL_OK);
	}
}

void tree_finish(struct test_tree *tree)
{
	for (size_t at = 0; at < tree->file_count; at++) {
		sg_functions_finish(&tree->files[at].functions);
		sg_source_finish(&tree->files[at].source);
		free(tree->files[at].text);
	}
}

/* Lines of a text, for the diff. */
struct lines {
	const char *start[2048];
	size_t length[2048];
	size_t count;
};

static void split(struct lines *lines, const char *text)
{
	lines->count = 0;
	while (*text) {
		size_t length = strcspn(text, "\n");

		assert_true(lines->count < 2048);
		lines->start[lines->count] = text;
		lines->length[lines->count++] = length;
		text += length + (text[length] == '\n');
	}
}

static bool equal(const struct lines *a, size_t at, const struct lines *b,
		  size_t other)
{
	return a->length[at] == b->length[other] &&
	       memcmp(a->start[at], b->start[other], a->length[at]) == 0;
}

/* Walk the table of common subsequences' lengths and note where they part. */
static size_t walk(const struct lines *a, const struct lines *b,
		   const uint16_t *common, struct sg_hunk *hunks)
{
	size_t wide = b->count + 1, i = 0, j = 0, count = 0;

	while (i < a->count || j < b->count) {
		size_t from = i, to = j;

		while (i < a->count || j < b->count) {
			bool has_both = i < a->count && j < b->count;

			if (has_both && equal(a, i, b, j))
				break;
			if (j == b->count ||
			    (i < a->count && common[(i + 1) * wide + j] >=
						     common[i * wide + j + 1]))
				i++;
			else
				j++;
		}
		if (i > from || j > to) {
			assert_true(count < HUNKS_MAX);
			hunks[count++] = (struct sg_hunk){
				(uint32_t)(from + (i > from)),
				(uint32_t)(i - from),
				(uint32_t)(to + (j > to)),
				(uint32_t)(j - to),
			};
		}
		while (i < a->count && j < b->count && equal(a, i, b, j)) {
			i++;
			j++;
		}
	}
	return count;
}

size_t diff_lines(const char *old_text, const char *new_text,
		  struct sg_hunk hunks[HUNKS_MAX])
{
	struct lines *a = malloc(sizeof(*a)), *b = malloc(sizeof(*b));
	uint16_t *common;
	size_t wide, count;

	assert_non_null(a);
	assert_non_null(b);
	split(a, old_text);
	split(b, new_text);
	wide = b->count + 1;
	common = calloc((a->count + 1) * wide, sizeof(*common));
	assert_non_null(common);
	for (size_t i = a->count; i-- > 0;)
		for (size_t j = b->count; j-- > 0;) {
			uint16_t down = common[(i + 1) * wide + j];
			uint16_t right = common[i * wide + j + 1];

			common[i * wide + j] =
				equal(a, i, b, j)
					? (uint16_t)(common[(i + 1) * wide + j +
							    1] +
						     1)
				: down > right ? down
					       : right;
		}
	count = walk(a, b, common, hunks);
	free(common);
	free(a);
	free(b);
	return count;
}

static bool answer(const void *context, size_t old_at)
{
	(void)old_at;
	return *(const bool *)context;
}

void trees_match(const struct test_tree *before, const struct test_tree *after,
		 const char *renamed, bool analysed, struct sg_match *match)
{
	static struct sg_hunk hunks[FILES_MAX][HUNKS_MAX];
	struct sg_file_change changes[FILES_MAX];
	struct sg_match_input input = {
		.olds = before->sightings,
		.old_count = before->finding_count,
		.news = after->sightings,
		.new_count = after->finding_count,
		.was_analysed = answer,
		.context = &analysed,
	};
	struct sg_map map;

	for (size_t at = 0; at < before->file_count; at++) {
		const struct test_file *file = &before->files[at];
		size_t length = strlen(file->path);
		bool is_renamed = renamed &&
				  strncmp(renamed, file->path, length) == 0 &&
				  renamed[length] == '>';
		const struct test_file *now = file_of(
			after, is_renamed ? renamed + length + 1 : file->path);

		changes[at] = (struct sg_file_change){ .old_path = file->path };
		if (!now)
			continue;
		changes[at].new_path = now->path;
		changes[at].hunks = hunks[at];
		changes[at].hunk_count =
			diff_lines(file->text, now->text, hunks[at]);
	}
	assert_int_equal(sg_map_init(&map, changes, before->file_count), SL_OK);
	input.map = &map;
	assert_int_equal(sg_match_init(match, &input), SL_OK);
	sg_map_finish(&map);
}
