/* SPDX-License-Identifier: MIT */
/* The six steps against a model that is slow and obviously right, and what
 * does not show in the table of edits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "match/match.h"
#include "sluice/random.h"

enum { SIDE_MAX = 14 };

static const struct sg_hunk rewritten = { 1, 2000000, 1, 2000000 };
static const struct sg_hunk inserted = { 0, 0, 1, 5 };

static const struct sg_file_change changes[] = {
	{ "b.c", "c.c", &inserted, 1 },
	{ "d.c", "d.c", &rewritten, 1 },
	{ "e.c", NULL, NULL, 0 },
};

/* A few values each, so that all kinds of equality come about. */
static struct sg_hash few(uint64_t seed, uint64_t index, unsigned values)
{
	uint64_t value = sl_random_at(seed, index) % values;

	return (struct sg_hash){ value + 1, index };
}

/* As of a real finding: what is equal with more is equal with less. */
static struct sg_sighting random_sighting(uint64_t seed)
{
	static const char *const paths[] = { "a.c", "b.c", "c.c", "d.c",
					     "e.c" };
	struct sg_sighting sighting = {
		.path = paths[sl_random_at(seed, 1) % 5],
		.line = (int64_t)(sl_random_at(seed, 2) % 4 * 7),
		.column = (int64_t)(sl_random_at(seed, 3) % 1000000),
	};
	struct sg_fingerprint *print = &sighting.fingerprint;

	if (sl_random_at(seed, 4) % 2)
		sighting.line = (int64_t)(sl_random_at(seed, 5) % 1000000) + 1;
	print->message = few(seed, 6, 3);
	print->function = few(seed, 7, 2);
	print->function.low += print->message.high * 16;
	print->line = few(seed, 8, 2);
	print->line.low += print->function.low * 64 + print->function.high * 8;
	print->unmasked = few(seed, 9, 2);
	print->unmasked.low += print->line.low * 64 + print->line.high * 8;
	print->window = few(seed, 10, 6);
	if (sl_random_at(seed, 11) % 6 == 0)
		print->window = (struct sg_hash){ 0, 0 };
	print->bare = sl_random_at(seed, 12) % 5 == 0;
	return sighting;
}

static int by_place(const void *a, const void *b)
{
	const struct sg_sighting *left = a, *right = b;
	int by = strcmp(left->path, right->path);

	if (!by)
		by = (left->line > right->line) - (left->line < right->line);
	return by ? by
		  : (left->column > right->column) -
			       (left->column < right->column);
}

static size_t random_side(uint64_t seed, struct sg_sighting *side)
{
	size_t count = sl_random_at(seed, 0) % SIDE_MAX;

	for (size_t at = 0; at < count; at++)
		side[at] = random_sighting(sl_random_at(seed, at + 1));
	qsort(side, count, sizeof(*side), by_place);
	return count;
}

struct model {
	const struct sg_sighting *olds, *news; /* sorted */
	size_t old_count, new_count;
	struct sg_place places[SIDE_MAX]; /* of the old ones */
	size_t old_partner[SIDE_MAX], new_partner[SIDE_MAX]; /* + 1; 0: none */
	int old_step[SIDE_MAX];
	bool tied; /* equal distances left a choice */
};

static bool same(struct sg_hash a, struct sg_hash b)
{
	return sg_hash_equal(a, b);
}

/* Whether step @p step (0: the unmasked half of 1) may pair two. */
static bool may_pair(const struct model *model, int step, size_t old_at,
		     size_t new_at)
{
	const struct sg_fingerprint *a = &model->olds[old_at].fingerprint;
	const struct sg_fingerprint *b = &model->news[new_at].fingerprint;
	const struct sg_place *place = &model->places[old_at];
	bool same_path = place->path &&
			 strcmp(place->path, model->news[new_at].path) == 0;
	bool same_line = same_path && place->exact &&
			 place->line == model->news[new_at].line;

	if (model->old_partner[old_at] || model->new_partner[new_at] ||
	    a->bare != b->bare || (a->bare && step != 2 && step != 4))
		return false;
	switch (step) {
	case 0:
		return same_line && same(a->unmasked, b->unmasked);
	case 1:
		return same_line && same(a->line, b->line);
	case 2:
		return same_line && same(a->message, b->message);
	case 3:
		return same_path && same(a->line, b->line);
	case 4:
		return same_path && same(a->function, b->function);
	case 5:
		return same(a->line, b->line);
	default:
		return same_path && a->window.high &&
		       same(a->window, b->window);
	}
}

static void model_pair(struct model *model, int step, size_t old_at,
		       size_t new_at)
{
	model->old_partner[old_at] = new_at + 1;
	model->new_partner[new_at] = old_at + 1;
	model->old_step[old_at] = step ? step : 1;
}

/* Of all that may be paired the nearest; steps other than 3 and 4 take the
 * first. @return whether there was one. */
static bool model_once(struct model *model, int step)
{
	int64_t best = INT64_MAX;
	size_t best_old = 0, best_new = 0;

	for (size_t at = 0; at < model->old_count; at++)
		for (size_t to = 0; to < model->new_count; to++) {
			int64_t far = step == 3 || step == 4
					      ? llabs(model->places[at].line -
						      model->news[to].line)
					      : 0;

			if (far > best || !may_pair(model, step, at, to))
				continue;
			if (far == best) {
				model->tied |= step == 3 || step == 4;
				continue;
			}
			best = far;
			best_old = at;
			best_new = to;
		}
	if (best < INT64_MAX)
		model_pair(model, step, best_old, best_new);
	return best < INT64_MAX;
}

static void model_unique(struct model *model)
{
	size_t found[SIDE_MAX][2], pairs = 0;

	for (size_t at = 0; at < model->old_count; at++)
		for (size_t to = 0; to < model->new_count; to++) {
			size_t rivals = 0;

			if (!may_pair(model, 6, at, to))
				continue;
			for (size_t it = 0; it < model->old_count; it++)
				rivals += may_pair(model, 6, it, to);
			for (size_t it = 0; it < model->new_count; it++)
				rivals += may_pair(model, 6, at, it);
			if (rivals == 2) {
				found[pairs][0] = at;
				found[pairs++][1] = to;
			}
		}
	while (pairs-- > 0)
		model_pair(model, 6, found[pairs][0], found[pairs][1]);
}

static void model_run(struct model *model, const struct sg_map *map)
{
	for (size_t at = 0; at < model->old_count; at++)
		model->places[at] = sg_map_place(map, model->olds[at].path,
						 model->olds[at].line);
	for (int step = 0; step <= 5; step++)
		while (model_once(model, step))
			;
	model_unique(model);
}

/* What is compared is how many each step pairs. */
static void compare(const struct model *model, const struct sg_match *match)
{
	size_t expected[7] = { 0 }, found[7] = { 0 };

	for (size_t at = 0; at < model->old_count; at++) {
		expected[model->old_step[at]]++;
		found[match->olds[at].step]++;
	}
	assert_memory_equal(expected, found, sizeof(expected));
}

static bool even(const void *context, size_t old_at)
{
	(void)context;
	return old_at % 2 == 0;
}

static void the_steps_pair_as_the_model_does(void **state)
{
	static struct sg_sighting olds[SIDE_MAX], news[SIDE_MAX];
	struct sg_map map;
	unsigned compared = 0;

	(void)state;
	assert_int_equal(sg_map_init(&map, changes, 3), SL_OK);
	for (uint64_t round = 0; round < 60000; round++) {
		struct model model = {
			.olds = olds,
			.news = news,
			.old_count = random_side(2 * round, olds),
			.new_count = random_side(2 * round + 1, news),
		};
		struct sg_match_input input = { olds, model.old_count,
						news, model.new_count,
						&map, even,
						NULL };
		struct sg_match match;

		assert_int_equal(sg_match_init(&match, &input), SL_OK);
		model_run(&model, &map);
		if (!model.tied) {
			compare(&model, &match);
			compared++;
		}
		sg_match_finish(&match);
	}
	assert_true(compared > 30000);
	sg_map_finish(&map);
}

/* @p order[k] is the index of what stands at k. */
static void shuffle(uint64_t seed, struct sg_sighting *side, size_t *order,
		    size_t count)
{
	for (size_t at = 0; at < count; at++)
		order[at] = at;
	for (size_t at = count; at > 1; at--) {
		size_t other = sl_random_at(seed, at) % at;
		struct sg_sighting kept = side[at - 1];
		size_t index = order[at - 1];

		side[at - 1] = side[other];
		side[other] = kept;
		order[at - 1] = order[other];
		order[other] = index;
	}
}

static void the_order_of_the_input_changes_nothing(void **state)
{
	struct sg_sighting olds[SIDE_MAX], news[SIDE_MAX];
	size_t old_order[SIDE_MAX], new_order[SIDE_MAX];

	(void)state;
	for (uint64_t round = 0; round < 20000; round++) {
		size_t old_count = random_side(2 * round, olds);
		size_t new_count = random_side(2 * round + 1, news);
		struct sg_match_input input = { olds,      old_count, news,
						new_count, NULL,      NULL,
						NULL };
		struct sg_match one, two;

		assert_int_equal(sg_match_init(&one, &input), SL_OK);
		shuffle(round, olds, old_order, old_count);
		shuffle(round + 1, news, new_order, new_count);
		assert_int_equal(sg_match_init(&two, &input), SL_OK);
		for (size_t at = 0; at < old_count; at++) {
			const struct sg_match_row *a = &one.olds[old_order[at]];
			const struct sg_match_row *b = &two.olds[at];

			assert_int_equal(a->step, b->step);
			assert_int_equal(a->verdict, b->verdict);
			if (a->partner != SG_NO_PARTNER)
				assert_int_equal(a->partner,
						 new_order[b->partner]);
		}
		sg_match_finish(&one);
		sg_match_finish(&two);
	}
}

static struct sg_sighting plain(int64_t line, uint64_t what)
{
	struct sg_hash hash = { what, 1 };

	return (struct sg_sighting){
		.path = "a.c",
		.line = line,
		.fingerprint = { hash, hash, hash, hash, hash, false },
	};
}

static void who_was_not_analysed_is_unknown(void **state)
{
	const struct sg_sighting olds[] = { plain(1, 1), plain(2, 2),
					    plain(3, 3) };
	struct sg_match_input input = { .olds = olds,
					.old_count = 3,
					.was_analysed = even };
	struct sg_match match;

	(void)state;
	assert_int_equal(sg_match_init(&match, &input), SL_OK);
	assert_int_equal(match.olds[0].verdict, SG_FIXED);
	assert_int_equal(match.olds[1].verdict, SG_UNKNOWN);
	assert_int_equal(match.counts[SG_FIXED], 2);
	assert_int_equal(match.counts[SG_UNKNOWN], 1);
	sg_match_finish(&match);

	input.was_analysed = NULL;
	assert_int_equal(sg_match_init(&match, &input), SL_OK);
	assert_int_equal(match.counts[SG_UNKNOWN], 3);
	sg_match_finish(&match);
}

static void of_two_candidates_the_unchanged_words_go_first(void **state)
{
	struct sg_sighting olds[] = { plain(1, 1), plain(1, 1) };
	struct sg_sighting news[] = { plain(1, 1) };
	struct sg_match_input input = {
		.olds = olds, .old_count = 2, .news = news, .new_count = 1
	};
	struct sg_match match;

	(void)state;
	olds[0].fingerprint.unmasked.high = 7;
	olds[1].fingerprint.unmasked.high = 8;
	news[0].fingerprint.unmasked.high = 8;
	assert_int_equal(sg_match_init(&match, &input), SL_OK);
	assert_int_equal(match.news[0].partner, 1);
	assert_int_equal(match.olds[0].verdict, SG_UNKNOWN);
	sg_match_finish(&match);
}

static void findings_without_a_place_match(void **state)
{
	struct sg_sighting olds[] = { plain(0, 1) }, news[] = { plain(0, 1) };
	struct sg_match_input input = {
		.olds = olds, .old_count = 1, .news = news, .new_count = 1
	};
	struct sg_match match;

	(void)state;
	olds[0].path = news[0].path = NULL;
	assert_int_equal(sg_match_init(&match, &input), SL_OK);
	assert_int_equal(match.counts[SG_SAME], 1);
	sg_match_finish(&match);
}

static void nothing_against_nothing_is_nothing(void **state)
{
	struct sg_match_input input = { 0 };
	struct sg_match match;

	(void)state;
	assert_int_equal(sg_match_init(&match, &input), SL_OK);
	for (int verdict = SG_SAME; verdict <= SG_UNKNOWN; verdict++)
		assert_int_equal(match.counts[verdict], 0);
	sg_match_finish(&match);
}

/* Enough for the bucket sort, and one key more common than all others. */
static void many_findings_match_too(void **state)
{
	enum { MANY = 20000 };
	struct sg_sighting *olds = calloc(MANY, sizeof(*olds));
	struct sg_sighting *news = calloc(MANY, sizeof(*news));
	struct sg_match_input input = {
		olds, MANY, news, MANY, NULL, even, NULL
	};
	struct sg_match match;

	(void)state;
	assert_non_null(olds);
	assert_non_null(news);
	for (size_t at = 0; at < MANY; at++) {
		uint64_t what = at % 2 ? 1 : sl_random_at(5, at);

		olds[at] = plain((int64_t)at + 1, what);
		news[MANY - 1 - at] = plain((int64_t)at + 4, what);
	}
	assert_int_equal(sg_match_init(&match, &input), SL_OK);
	assert_int_equal(match.counts[SG_SAME], MANY);
	for (size_t at = 0; at < MANY; at += 2)
		assert_int_equal(match.olds[at].partner, MANY - 1 - at);
	sg_match_finish(&match);
	free(olds);
	free(news);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_steps_pair_as_the_model_does),
		cmocka_unit_test(the_order_of_the_input_changes_nothing),
		cmocka_unit_test(who_was_not_analysed_is_unknown),
		cmocka_unit_test(
			of_two_candidates_the_unchanged_words_go_first),
		cmocka_unit_test(findings_without_a_place_match),
		cmocka_unit_test(nothing_against_nothing_is_nothing),
		cmocka_unit_test(many_findings_match_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
