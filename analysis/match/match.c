/* SPDX-License-Identifier: MIT */
/* Each step gives what is left on each side a key, sorts both sides by it and
 * joins them, group by group. */
#include "match/match.h"

#include <stdlib.h>
#include <string.h>

#include "match/side.h"

/* A kind of join. */
enum pairing {
	IN_ORDER,
	NEAREST,
	UNIQUE,
	ACROSS_BARE, /* marks, makes no pairs */
};

struct step {
	enum sg_step step;
	enum pairing pairing;
	bool at_line; /* the mapped line is a part of the key */
	bool anywhere; /* the path is not */
	bool bare; /* bare ones take part */
	size_t hash; /* offset in struct sg_fingerprint */
};

#define HASH(member) offsetof(struct sg_fingerprint, member)

static const struct step steps[] = {
	{ SG_STEP_LINE, IN_ORDER, true, false, false, HASH(unmasked) },
	{ SG_STEP_LINE, IN_ORDER, true, false, false, HASH(line) },
	{ SG_STEP_MESSAGE_AT_LINE, IN_ORDER, true, false, true, HASH(message) },
	{ SG_STEP_NEAREST_LINE, NEAREST, false, false, false, HASH(line) },
	{ SG_STEP_NEAREST_IN_FUNCTION, NEAREST, false, false, true,
	  HASH(function) },
	{ SG_STEP_MOVED, IN_ORDER, false, true, false, HASH(line) },
	{ SG_STEP_SURROUNDINGS, UNIQUE, false, false, false, HASH(window) },
	{ SG_STEP_NONE, ACROSS_BARE, false, false, true, HASH(function) },
};

struct join {
	struct sg_side olds, news;
	const struct step *step;
};

static int order(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* Whether two entries may be paired; else in which order they are. */
static int by_group(const struct step *step, const struct sg_entry *a,
		    const struct sg_entry *b)
{
	int by = sg_hash_order(a->key, b->key);

	if (!by && step->pairing != ACROSS_BARE)
		by = (int)a->bare - (int)b->bare;
	return by || !step->at_line ? by : order(a->line, b->line);
}

static struct sg_hash hash_of(const struct sg_candidate *candidate,
			      size_t offset)
{
	struct sg_hash hash;

	memcpy(&hash, (const char *)&candidate->sighting->fingerprint + offset,
	       sizeof(hash));
	return hash;
}

static bool takes_part(const struct step *step,
		       const struct sg_candidate *candidate)
{
	if (candidate->matched)
		return false;
	if (candidate->sighting->fingerprint.bare && !step->bare)
		return false;
	if (step->at_line && !candidate->exact)
		return false;
	if (!step->anywhere && sg_hash_is_zero(candidate->path))
		return false;
	return step->pairing != UNIQUE ||
	       !sg_hash_is_zero(hash_of(candidate, step->hash));
}

/* Give those that take part their keys, and sort them by these. */
static void prepare(struct sg_side *side, const struct step *step)
{
	side->entry_count = 0;
	for (size_t rank = 0; rank < side->count; rank++) {
		const struct sg_candidate *candidate = &side->candidates[rank];
		struct sg_entry *entry = &side->entries[side->entry_count];

		if (!takes_part(step, candidate))
			continue;
		entry->key = hash_of(candidate, step->hash);
		if (!step->anywhere)
			entry->key = sg_hash_join(entry->key, candidate->path);
		entry->line = step->anywhere ? 0 : candidate->line;
		entry->rank = (uint32_t)rank;
		entry->bare = candidate->sighting->fingerprint.bare;
		side->entry_count++;
	}
	sg_side_sort(side);
}

static struct sg_match_row *row_of(const struct sg_side *side, uint32_t rank)
{
	return &side->rows[side->candidates[rank].sighting - side->base];
}

static void pair(void *context, uint32_t old_rank, uint32_t new_rank)
{
	struct join *join = context;
	struct sg_match_row *old_row = row_of(&join->olds, old_rank);
	struct sg_match_row *new_row = row_of(&join->news, new_rank);

	old_row->partner = (uint32_t)(new_row - join->news.rows);
	new_row->partner = (uint32_t)(old_row - join->olds.rows);
	old_row->step = new_row->step = join->step->step;
	old_row->verdict = new_row->verdict = SG_SAME;
	join->olds.candidates[old_rank].matched = true;
	join->news.candidates[new_rank].matched = true;
}

/* The entries from @p from on of one group, as points. @return their number. */
static size_t points_of(struct sg_side *side, size_t from, size_t count)
{
	for (size_t at = 0; at < count; at++)
		side->points[at] =
			(struct sg_point){ side->entries[from + at].line,
					   side->entries[from + at].rank };
	return count;
}

/* What cannot be compared with what is left is unknown. */
static void mark_unknown(struct join *join, size_t old_from, size_t olds,
			 size_t new_from, size_t news)
{
	bool has[2] = { false, false };

	for (size_t at = new_from; at < new_from + news; at++)
		has[join->news.entries[at].bare] = true;
	for (size_t at = old_from; at < old_from + olds; at++)
		if (has[!join->olds.entries[at].bare])
			row_of(&join->olds, join->olds.entries[at].rank)
				->verdict = SG_UNKNOWN;
}

static enum sl_code join_group(struct join *join, size_t old_from, size_t olds,
			       size_t new_from, size_t news)
{
	enum sl_code code = SL_OK;

	switch (join->step->pairing) {
	case UNIQUE:
		if (olds == 1 && news == 1)
			pair(join, join->olds.entries[old_from].rank,
			     join->news.entries[new_from].rank);
		break;
	case IN_ORDER:
		for (size_t at = 0; at < olds && at < news; at++)
			pair(join, join->olds.entries[old_from + at].rank,
			     join->news.entries[new_from + at].rank);
		break;
	case NEAREST:
		code = sg_pair_nearest(join->olds.points,
				       points_of(&join->olds, old_from, olds),
				       join->news.points,
				       points_of(&join->news, new_from, news),
				       pair, join);
		break;
	case ACROSS_BARE:
		mark_unknown(join, old_from, olds, new_from, news);
		break;
	}
	return code;
}

/* @return behind the group that starts at @p from. */
static size_t group_end(const struct sg_side *side, const struct step *step,
			size_t from)
{
	size_t at = from + 1;

	while (at < side->entry_count &&
	       by_group(step, &side->entries[from], &side->entries[at]) == 0)
		at++;
	return at;
}

static enum sl_code run_step(struct join *join, const struct step *step)
{
	enum sl_code code = SL_OK;
	size_t old_at = 0, new_at = 0;

	join->step = step;
	prepare(&join->olds, step);
	if (!join->olds.entry_count)
		return SL_OK;
	prepare(&join->news, step);
	while (old_at < join->olds.entry_count &&
	       new_at < join->news.entry_count && code == SL_OK) {
		int by = by_group(step, &join->olds.entries[old_at],
				  &join->news.entries[new_at]);

		if (by == 0) {
			size_t old_end = group_end(&join->olds, step, old_at);
			size_t new_end = group_end(&join->news, step, new_at);

			code = join_group(join, old_at, old_end - old_at,
					  new_at, new_end - new_at);
			old_at = old_end;
			new_at = new_end;
		} else if (by < 0) {
			old_at++;
		} else {
			new_at++;
		}
	}
	return code;
}

static enum sl_code run(struct join *join, const struct sg_match_input *input,
			struct sg_match *match)
{
	enum sl_code code = SL_OK;

	/* the first run of its kind has nothing to be ranked against */
	if (!input->old_count || !input->new_count)
		return SL_OK;
	if (!sg_side_init(&join->olds, input->olds, input->old_count,
			  match->olds) ||
	    !sg_side_init(&join->news, input->news, input->new_count,
			  match->news))
		return SL_ENOMEM;
	sg_side_place(&join->olds, input->map);
	sg_side_place(&join->news, NULL);
	for (size_t at = 0;
	     at < sizeof(steps) / sizeof(steps[0]) && code == SL_OK; at++)
		code = run_step(join, &steps[at]);
	return code;
}

/* What is left over was set to unknown where it cannot be compared. */
static void judge(struct sg_match *match, const struct sg_match_input *input)
{
	for (size_t at = 0; at < match->old_count; at++) {
		struct sg_match_row *row = &match->olds[at];

		if (row->partner == SG_NO_PARTNER && row->verdict == SG_FIXED &&
		    (!input->was_analysed ||
		     !input->was_analysed(input->context, at)))
			row->verdict = SG_UNKNOWN;
		match->counts[row->verdict]++;
	}
	for (size_t at = 0; at < match->new_count; at++)
		match->counts[SG_NEW] += match->news[at].verdict == SG_NEW;
}

static struct sg_match_row *rows_create(size_t count, enum sg_verdict verdict)
{
	struct sg_match_row *rows = calloc(count ? count : 1, sizeof(*rows));

	for (size_t at = 0; rows && at < count; at++)
		rows[at] = (struct sg_match_row){ SG_NO_PARTNER, SG_STEP_NONE,
						  verdict };
	return rows;
}

enum sl_code sg_match_init(struct sg_match *match,
			   const struct sg_match_input *input)
{
	struct join join = { 0 };
	enum sl_code code = SL_ENOMEM;

	*match = (struct sg_match){ .old_count = input->old_count,
				    .new_count = input->new_count };
	if (input->old_count >= SG_NO_PARTNER ||
	    input->new_count >= SG_NO_PARTNER)
		return SL_EINVAL;
	match->olds = rows_create(input->old_count, SG_FIXED);
	match->news = rows_create(input->new_count, SG_NEW);
	if (match->olds && match->news)
		code = run(&join, input, match);
	sg_side_finish(&join.olds);
	sg_side_finish(&join.news);
	if (code == SL_OK)
		judge(match, input);
	else
		sg_match_finish(match);
	return code;
}

void sg_match_finish(struct sg_match *match)
{
	free(match->olds);
	free(match->news);
	*match = (struct sg_match){ 0 };
}

const char *sg_verdict_text(enum sg_verdict verdict)
{
	static const char *const texts[] = { "same", "new", "fixed",
					     "unknown" };

	return texts[verdict];
}

const char *sg_step_text(enum sg_step step)
{
	static const char *const texts[] = {
		"",
		"the same line",
		"the same words at the same line",
		"the same line elsewhere in the file",
		"the same words in the same function",
		"the same line in another file",
		"the same lines around",
	};

	return texts[step];
}
