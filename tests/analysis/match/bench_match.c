/* SPDX-License-Identifier: MIT */
/* How long 100,000 findings against 100,000 take, for runs that differ little
 * and for those that are hard: usage: bench_match [FINDINGS]. Prints medians.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "match/match.h"
#include "sluice/random.h"

enum { ROUNDS = 7, FILES = 500, PATH_BYTES = 48 };

static char paths[FILES][PATH_BYTES];

/* How a new run is made of an old one. */
enum change {
	NOTHING, /* all at their lines */
	SHIFTED, /* one hunk at the start of each file */
	EDITED, /* 2 % of the lines are others, 2 % gone, 2 % moved */
	REPLACED, /* nothing matches */
	ONE_GROUP, /* all findings are equal, each new file is rewritten */
};

static const char *const change_names[] = {
	"unchanged", "shifted", "edited", "all other", "one group, rewritten",
};

static struct sg_hash hash_of(uint64_t seed, uint64_t index)
{
	return (struct sg_hash){ sl_random_at(seed, index),
				 sl_random_at(seed + 1, index) };
}

static struct sg_sighting sighting(uint64_t index, size_t count,
				   enum change change)
{
	size_t a_file = change == ONE_GROUP ? count : count / FILES + 1;
	uint64_t what = change == ONE_GROUP ? 0 : index;

	return (struct sg_sighting){
		.path = paths[index / a_file],
		.line = (int64_t)(index % a_file) * 7 + 1,
		.column = (int64_t)(sl_random_at(3, index) % 80),
		.fingerprint = {
			.message = hash_of(10, what % 5000),
			.function = hash_of(20, what / 3),
			.line = hash_of(30, what / 2),
			.window = hash_of(40, what),
			.unmasked = hash_of(50, what),
		},
	};
}

static struct sg_sighting changed(struct sg_sighting from, uint64_t index,
				  enum change change)
{
	uint64_t dice = sl_random_at(7, index) % 100;

	if (change == SHIFTED)
		from.line += 3;
	if (change == EDITED && dice < 2)
		from.fingerprint.line = from.fingerprint.unmasked =
			hash_of(60, index);
	if (change == EDITED && dice >= 2 && dice < 4)
		memset(&from.fingerprint, (int)dice, sizeof(from.fingerprint));
	if (change == EDITED && dice >= 4 && dice < 6)
		from.path = paths[dice];
	if (change == REPLACED) {
		from.fingerprint =
			sighting(index + UINT64_C(1000000000), 1, ONE_GROUP)
				.fingerprint;
		from.fingerprint.line = from.fingerprint.message =
			from.fingerprint.function = from.fingerprint.window =
				hash_of(70, index);
	}
	return from;
}

/* Both runs arrive in no order. */
static void shuffle(struct sg_sighting *sightings, size_t count)
{
	for (size_t at = count; at > 1; at--) {
		size_t other = sl_random_at(9, at) % at;
		struct sg_sighting kept = sightings[at - 1];

		sightings[at - 1] = sightings[other];
		sightings[other] = kept;
	}
}

static bool always(const void *context, size_t old_at)
{
	(void)context;
	(void)old_at;
	return true;
}

static int by_value(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int measure(struct sg_match_input *input, const char *name)
{
	double times_ms[ROUNDS];
	struct sg_match match;

	for (int round = 0; round < ROUNDS; round++) {
		double start_ms = now_ms();

		if (sg_match_init(&match, input) != SL_OK)
			return 1;
		times_ms[round] = now_ms() - start_ms;
		if (round < ROUNDS - 1)
			sg_match_finish(&match);
	}
	qsort(times_ms, ROUNDS, sizeof(times_ms[0]), by_value);
	printf("%-22s %8.1f ms  same %zu new %zu fixed %zu\n", name,
	       times_ms[ROUNDS / 2], match.counts[SG_SAME],
	       match.counts[SG_NEW], match.counts[SG_FIXED]);
	sg_match_finish(&match);
	return 0;
}

static int bench(size_t count, enum change change)
{
	struct sg_sighting *olds = calloc(count, sizeof(*olds));
	struct sg_sighting *news = calloc(count, sizeof(*news));
	static const struct sg_hunk start = { 0, 0, 1, 3 };
	static const struct sg_hunk all = { 1, 10000000, 1, 10000000 };
	static struct sg_file_change changes[FILES];
	struct sg_match_input input = { olds, count,  news, count,
					NULL, always, NULL };
	struct sg_map map = { 0 };
	int failed = 1;

	for (size_t at = 0; at < FILES; at++)
		changes[at] = (struct sg_file_change){
			paths[at], paths[at],
			change == ONE_GROUP ? &all : &start, 1
		};
	for (size_t at = 0; olds && news && at < count; at++) {
		olds[at] = sighting(at, count, change);
		news[at] = changed(olds[at], at, change);
	}
	if (olds && news &&
	    sg_map_init(&map, changes,
			change == SHIFTED || change == ONE_GROUP ? FILES : 0) ==
		    SL_OK) {
		shuffle(olds, count);
		shuffle(news, count);
		input.map = &map;
		failed = measure(&input, change_names[change]);
	}
	sg_map_finish(&map);
	free(olds);
	free(news);
	return failed;
}

int main(int argc, char **argv)
{
	size_t count = argc > 1 ? (size_t)strtoull(argv[1], NULL, 10) : 100000;

	for (size_t at = 0; at < FILES; at++)
		snprintf(paths[at], PATH_BYTES,
			 "src/component/part%03zu/file.c", at);
	for (int change = NOTHING; change <= ONE_GROUP; change++)
		if (bench(count, (enum change)change) != 0)
			return EXIT_FAILURE;
	return EXIT_SUCCESS;
}
