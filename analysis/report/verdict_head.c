/* SPDX-License-Identifier: MIT */
/* The verdict in one line, why, and what kept it from being told. */
#include <string.h>

#include "report/verdict_pen.h"

/* The table of counts shows all of them. */
enum { OBJECTIONS = 4 };

/* ---- the first line ---------------------------------------------------- */

static void put_count(struct sg_pen *pen, int64_t count, const char *what,
		      bool *is_first)
{
	if (!count)
		return;
	sg_pen_put(pen, *is_first ? "" : ", ");
	sg_pen_number(pen, count);
	sg_pen_put(pen, what);
	*is_first = false;
}

static void put_counts(struct sg_pen *pen)
{
	const struct sg_judgement *judgement = pen->judgement;
	int64_t added = 0, again = 0, accepted = 0;
	bool is_first = true;

	for (size_t at = 0; at < judgement->judged_count; at++) {
		const struct sg_judged *judged = &judgement->judged[at];

		if (!judged->counts)
			continue;
		added += judged->verdict == SG_NEW && !judged->accepted;
		accepted += judged->verdict == SG_NEW && judged->accepted;
		again += judged->verdict == SG_SAME &&
			 judged->accepted_before && !judged->accepted;
	}
	if (!added)
		sg_pen_put(pen, "nothing new");
	is_first = added > 0;
	put_count(pen, added, " new", &is_first);
	put_count(pen, again, " no longer accepted", &is_first);
	put_count(pen, accepted, " new and accepted", &is_first);
	if (!judgement->count_count)
		return;
	put_count(pen, judgement->counts[0].fixed, " fixed", &is_first);
	put_count(pen, judgement->counts[0].unknown, " unknown", &is_first);
	put_count(pen, judgement->counts[0].after, " open", &is_first);
	if (judgement->is_whole || !judgement->counts[0].after)
		return;
	sg_pen_put(pen, " in ");
	sg_pen_number(pen, (int64_t)judgement->affected);
	sg_pen_put(pen, judgement->affected == 1 ? " affected unit"
						 : " affected units");
}

static void put_sides(struct sg_pen *pen)
{
	const struct sg_judgement *judgement = pen->judgement;

	if (!judgement->tested)
		return;
	sg_pen_put(pen, " (");
	sg_pen_words(pen, judgement->tested);
	if (judgement->base) {
		sg_pen_put(pen, " against ");
		sg_pen_words(pen, judgement->base);
	}
	sg_pen_put(pen, ")");
}

static void put_trouble(struct sg_pen *pen, const struct sg_trouble *trouble)
{
	sg_pen_words(pen, trouble->unit);
	sg_pen_put(pen, trouble->unit ? ": " : "");
	sg_pen_words(pen, trouble->tool);
	sg_pen_put(pen, trouble->tool ? ": " : "");
	sg_pen_words(pen, trouble->why);
	sg_pen_put(pen, trouble->in_base ? " (in the base)" : "");
}

/* Why nothing can be told: the first trouble stands for all. */
static void put_incomplete(struct sg_pen *pen)
{
	const struct sg_judgement *judgement = pen->judgement;
	const struct sg_trouble *first = NULL;
	size_t count = 0;

	for (size_t at = 0; at < judgement->trouble_count; at++)
		if (!judgement->troubles[at].limited && !count++)
			first = &judgement->troubles[at];
	if (first)
		put_trouble(pen, first);
	else
		sg_pen_put(pen, "it cannot be told");
	if (count < 2)
		return;
	sg_pen_put(pen, ", and ");
	sg_pen_number(pen, (int64_t)count - 1);
	sg_pen_put(pen, " more");
}

void sg_verdict_head(struct sg_pen *pen)
{
	static const struct {
		const char *word, *color;
	} outcomes[] = {
		[SG_PASS] = { "passed", SG_PEN_GREEN },
		[SG_REJECTED] = { "rejected", SG_PEN_RED },
		[SG_INCOMPLETE] = { "incomplete", SG_PEN_YELLOW },
	};
	const struct sg_judgement *judgement = pen->judgement;
	size_t count = 0;

	sg_pen_put(pen, "scgate check: ");
	sg_pen_color(pen, outcomes[judgement->outcome].color);
	sg_pen_put(pen, outcomes[judgement->outcome].word);
	sg_pen_color(pen, SG_PEN_PLAIN);
	sg_pen_put(pen, ": ");
	if (judgement->outcome == SG_INCOMPLETE)
		put_incomplete(pen);
	else
		put_counts(pen);
	put_sides(pen);
	sg_pen_put(pen, "\n");
	while (judgement->objections && judgement->objections[count]) {
		if (count < OBJECTIONS) {
			sg_pen_put(pen, "  ");
			sg_pen_words(pen, judgement->objections[count]);
			sg_pen_put(pen, "\n");
		}
		count++;
	}
	if (count > OBJECTIONS) {
		sg_pen_put(pen, "  ");
		sg_pen_put(pen, "and ");
		sg_pen_number(pen, (int64_t)(count - OBJECTIONS));
		sg_pen_put(pen, count == OBJECTIONS + 1 ? " more objection\n"
							: " more objections\n");
	}
}

/* ---- troubles ---------------------------------------------------------- */

/* A line of the tool's, indented. @return where the next one begins. */
static const char *put_line(struct sg_pen *pen, const char *line)
{
	char part[512];
	size_t length = strcspn(line, "\n");
	size_t kept = length < sizeof(part) ? length : sizeof(part) - 1;

	memcpy(part, line, kept);
	part[kept] = '\0';
	sg_pen_put(pen, "    ");
	sg_pen_words(pen, part);
	sg_pen_put(pen, "\n");
	return line[length] ? line + length + 1 : line + length;
}

static void put_last_words(struct sg_pen *pen, const char *words)
{
	const char *from = words + strlen(words);
	size_t lines = 0;

	while (from > words && from[-1] == '\n')
		from--;
	while (from > words && (from[-1] != '\n' || ++lines < SG_VERDICT_LINES))
		from--;
	while (*from && pen->code == SL_OK)
		from = put_line(pen, from);
}

void sg_verdict_troubles(struct sg_pen *pen, bool limited)
{
	const struct sg_judgement *judgement = pen->judgement;
	size_t count = 0;

	for (size_t at = 0; at < judgement->trouble_count; at++) {
		const struct sg_trouble *trouble = &judgement->troubles[at];

		if (trouble->limited != limited || ++count > SG_VERDICT_LINES)
			continue;
		sg_pen_block(pen);
		sg_pen_put(pen, limited ? "limited  " : "incomplete  ");
		put_trouble(pen, trouble);
		sg_pen_put(pen, "\n");
		if (trouble->words)
			put_last_words(pen, trouble->words);
	}
	if (count > SG_VERDICT_LINES)
		sg_pen_more(pen, count - SG_VERDICT_LINES);
}
