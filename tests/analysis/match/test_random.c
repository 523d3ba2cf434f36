/* SPDX-License-Identifier: MIT */
/* Random edits of a made-up file, where the truth is known: how many pairs are
 * right, and how many of the right ones are found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/match/support.h"
#include "sluice/random.h"

enum {
	FUNCTIONS = 8,
	STATEMENTS = 20, /* a function, before edits */
	LINES_MAX = 64,
	ROUNDS = 400,
};

/* A statement, and whether a finding is on it. */
struct statement {
	uint32_t identity;
	char text[40], indent[8], comment[16];
	int rule; /* -1: no finding */
	unsigned number; /* in its message: noise */
};

struct model {
	struct statement lines[FUNCTIONS][LINES_MAX];
	size_t count[FUNCTIONS];
	unsigned order[FUNCTIONS]; /* of functions in the file */
	uint32_t identities;
	uint64_t seed, drawn;
};

/* The findings' identities in the order of a tree's. */
struct truth {
	uint32_t identities[FINDINGS_MAX];
	size_t count;
};

static unsigned draw(struct model *model, unsigned below)
{
	return (unsigned)(sl_random_at(model->seed, model->drawn++) % below);
}

/* Few different statements: equal lines in one function are common. */
static struct statement new_statement(struct model *model)
{
	struct statement statement = { .identity = model->identities++,
				       .rule = -1 };

	snprintf(statement.text, sizeof(statement.text), "a += g%u(a, b);",
		 draw(model, 25));
	snprintf(statement.indent, sizeof(statement.indent), "\t");
	if (draw(model, 3) == 0)
		statement.rule = (int)draw(model, 3);
	statement.number = draw(model, 1000);
	return statement;
}

static void insert(struct model *model, unsigned function,
		   struct statement statement)
{
	size_t at = draw(model, (unsigned)model->count[function] + 1);
	struct statement *lines = model->lines[function];

	if (model->count[function] == LINES_MAX)
		return;
	memmove(&lines[at + 1], &lines[at],
		(model->count[function] - at) * sizeof(*lines));
	lines[at] = statement;
	model->count[function]++;
}

static struct statement cut(struct model *model, unsigned function)
{
	size_t at = draw(model, (unsigned)model->count[function]);
	struct statement *lines = model->lines[function];
	struct statement gone = lines[at];

	model->count[function]--;
	memmove(&lines[at], &lines[at + 1],
		(model->count[function] - at) * sizeof(*lines));
	return gone;
}

static void model_init(struct model *model, uint64_t seed)
{
	memset(model, 0, sizeof(*model));
	model->seed = seed;
	for (unsigned function = 0; function < FUNCTIONS; function++) {
		model->order[function] = function;
		for (int at = 0; at < STATEMENTS; at++)
			insert(model, function, new_statement(model));
	}
}

static void edit(struct model *model)
{
	unsigned function = draw(model, FUNCTIONS), other, kept;
	struct statement *line;

	if (model->count[function] < 2)
		return;
	line = &model->lines[function]
			    [draw(model, (unsigned)model->count[function])];
	switch (draw(model, 7)) {
	case 0:
		insert(model, function, new_statement(model));
		break;
	case 1:
		(void)cut(model, function);
		break;
	case 2: /* a line moves within its function */
		insert(model, function, cut(model, function));
		break;
	case 3: /* a function moves */
		other = draw(model, FUNCTIONS);
		kept = model->order[function];
		model->order[function] = model->order[other];
		model->order[other] = kept;
		break;
	case 4:
		snprintf(line->indent, sizeof(line->indent), "\t\t");
		break;
	case 5:
		snprintf(line->comment, sizeof(line->comment), " /* %u */",
			 draw(model, 1000));
		break;
	default: /* the tool's numbers change */
		line->number = draw(model, 1000);
		break;
	}
}

/* @return the tree's text, owned by the caller. */
static char *print_model(const struct model *model, struct truth *truth)
{
	char *text = NULL;
	size_t length;
	FILE *to = open_memstream(&text, &length);

	assert_non_null(to);
	truth->count = 0;
	fprintf(to, "== a.c\n");
	for (unsigned place = 0; place < FUNCTIONS; place++) {
		unsigned function = model->order[place];

		fprintf(to, "int f%u(int a, int b)\n{\n", function);
		for (size_t at = 0; at < model->count[function]; at++) {
			const struct statement *line =
				&model->lines[function][at];

			fprintf(to, "%s%s%s", line->indent, line->text,
				line->comment);
			if (line->rule >= 0) {
				fprintf(to, " //! same r%d: bad after %u bytes",
					line->rule, line->number);
				truth->identities[truth->count++] =
					line->identity;
			}
			fputc('\n', to);
		}
		fprintf(to, "\treturn a;\n}\n\n");
	}
	assert_int_equal(fclose(to), 0);
	return text;
}

struct score {
	size_t pairs, right, possible;
};

static size_t common(const struct truth *olds, const struct truth *news)
{
	size_t count = 0;

	for (size_t at = 0; at < olds->count; at++)
		for (size_t other = 0; other < news->count; other++)
			count +=
				olds->identities[at] == news->identities[other];
	return count;
}

static void run(uint64_t seed, unsigned edits, struct score *score)
{
	static struct model model;
	static struct test_tree before, after;
	static struct truth olds, news;
	struct sg_match match;
	char *text;

	model_init(&model, seed);
	text = print_model(&model, &olds);
	tree_init(&before, text, false);
	free(text);
	for (unsigned at = 0; at < edits; at++)
		edit(&model);
	text = print_model(&model, &news);
	tree_init(&after, text, false);
	free(text);
	trees_match(&before, &after, NULL, true, &match);
	for (size_t at = 0; at < match.old_count; at++) {
		const struct sg_match_row *row = &match.olds[at];

		if (row->partner == SG_NO_PARTNER)
			continue;
		assert_int_equal(match.news[row->partner].partner, at);
		score->pairs++;
		score->right +=
			olds.identities[at] == news.identities[row->partner];
	}
	score->possible += common(&olds, &news);
	sg_match_finish(&match);
	tree_finish(&before);
	tree_finish(&after);
}

static void measure(unsigned edits, struct score *score, double *precision,
		    double *recall)
{
	*score = (struct score){ 0 };
	for (uint64_t round = 0; round < ROUNDS; round++)
		run(round * 1000 + edits, edits, score);
	*precision = (double)score->right / (double)score->pairs;
	*recall = (double)score->right / (double)score->possible;
	print_message("%3u edits: %zu pairs, %zu right of %zu: precision %.4f, "
		      "recall %.4f\n",
		      edits, score->pairs, score->right, score->possible,
		      *precision, *recall);
}

static void without_edits_every_pair_is_right(void **state)
{
	double precision, recall;
	struct score score;

	(void)state;
	measure(0, &score, &precision, &recall);
	assert_int_equal(score.pairs, score.possible);
	assert_int_equal(score.right, score.possible);
}

static void few_edits_lose_next_to_nothing(void **state)
{
	double precision, recall;
	struct score score;

	(void)state;
	measure(5, &score, &precision, &recall);
	assert_true(precision > 0.99);
	assert_true(recall > 0.99);
}

static void many_edits_lose_little(void **state)
{
	double precision, recall;
	struct score score;

	(void)state;
	measure(40, &score, &precision, &recall);
	assert_true(precision > 0.97);
	assert_true(recall > 0.97);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_edits_every_pair_is_right),
		cmocka_unit_test(few_edits_lose_next_to_nothing),
		cmocka_unit_test(many_edits_lose_little),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
