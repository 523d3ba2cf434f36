/* SPDX-License-Identifier: MIT */
/* flawfinder's text: `file:12:  [4] (buffer) strcpy:` and indented lines with
 * the words, or all on one line (-S). Its summary counts the hits, so a log
 * that has it can prove that it is whole. */
#include "read/textlog.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "read/diagnostic.h"
#include "read/formats.h"
#include "read/spans.h"

struct flawfinder {
	struct sg_textlog log; /* first */
	bool headed; /* "Flawfinder version" stands at the start */
	bool counted; /* "Hits =" stands at the end */
	int64_t hits;
	bool wants_words; /* the next indented line is a hit's */
};

/* Levels are of risk, 0 to 5. */
static enum sg_severity severity_of(char level)
{
	if (level >= '4')
		return SG_ERROR;
	if (level == '3')
		return SG_WARNING;
	return level == '0' ? SG_INFO : SG_LOW;
}

/* "  [4] (buffer) strcpy:" behind the place. @return the bytes; 0: no hit. */
static size_t parse_hit(struct sg_span line, struct sg_diagnostic *found)
{
	size_t at, open, close, colon;
	struct sg_span rest;

	*found = (struct sg_diagnostic){ 0 };
	at = sg_place_parse(line, found);
	if (!at)
		return 0;
	rest = sg_span_from(line, at);
	open = sg_span_find(rest, 0, "[");
	if (sg_span_trim(sg_span_to(rest, open)).length ||
	    rest.length - open < 4 || !sg_is_digit(rest.text[open + 1]) ||
	    !sg_span_starts(sg_span_from(rest, open + 2), "] ("))
		return 0;
	close = sg_span_find(rest, open, ") ");
	colon = sg_span_find(rest, close, ":");
	if (colon == rest.length)
		return 0;
	found->word = sg_span_to(sg_span_from(rest, open + 1), 1);
	found->severity = severity_of(rest.text[open + 1]);
	found->rule = sg_span_trim(
		sg_span_to(sg_span_from(rest, close + 1), colon - close - 1));
	return found->rule.length ? at + colon + 1 : 0;
}

static void look_for_cwe(struct sg_draft *draft, struct sg_span text)
{
	size_t at = sg_span_find(text, 0, "CWE-");

	if (!draft->finding.cwe && at < text.length)
		(void)sg_span_number(text, at + 4, &draft->finding.cwe);
}

static enum sl_code on_hit(struct flawfinder *state,
			   const struct sg_diagnostic *found,
			   struct sg_span words, struct sl_error *error)
{
	struct sg_draft *draft = &state->log.draft;
	enum sl_code code = sg_draft_begin(draft, "flawfinder", error);

	if (code != SL_OK)
		return code;
	draft->finding.severity = found->severity;
	draft->finding.line = found->line;
	draft->finding.column = found->column;
	sg_draft_set(draft, SG_DRAFT_RULE, found->rule);
	sg_draft_set(draft, SG_DRAFT_WORD, found->word);
	sg_draft_set(draft, SG_DRAFT_PATH, found->path);
	sg_draft_set(draft, SG_DRAFT_MESSAGE, words);
	look_for_cwe(draft, words);
	state->wants_words = true;
	return SL_OK;
}

static enum sl_code on_line(void *context, struct sg_span line,
			    struct sl_error *error)
{
	static const char hits[] = "Hits = ";
	struct flawfinder *state = context;
	struct sg_draft *draft = &state->log.draft;
	struct sg_diagnostic found;
	size_t used;

	if (sg_span_starts(line, "Flawfinder version ")) {
		state->headed = true;
		state->log.familiar++;
		return SL_OK;
	}
	if (sg_span_starts(line, hits) &&
	    sg_span_number(line, strlen(hits), &state->hits)) {
		state->counted = true;
		return sg_draft_end(draft, error);
	}
	if (sg_span_starts(line, "*** No input files") ||
	    sg_span_starts(line, "Error: "))
		sg_textlog_failed(&state->log, line);
	used = parse_hit(line, &found);
	if (used)
		return on_hit(state, &found,
			      sg_span_trim(sg_span_from(line, used)), error);
	/* context lines (-c) come after a hit's words and are not indented by
	 * exactly two */
	if (state->wants_words && draft->open && sg_span_starts(line, "  ")) {
		sg_draft_add(draft, SG_DRAFT_MESSAGE, sg_span_trim(line));
		look_for_cwe(draft, line);
		return SL_OK;
	}
	state->wants_words = false;
	return SL_OK;
}

static enum sl_code finish(void *context, struct sg_ending *ending,
			   struct sl_error *error)
{
	struct flawfinder *state = context;
	enum sl_code code = sg_textlog_finish(state, ending, error);

	if (ending->kind == SG_TOOL_FAILED)
		return code;
	if (state->counted && (uint64_t)state->hits == ending->findings) {
		ending->kind = SG_COMPLETE;
		ending->message[0] = '\0';
	} else if (state->counted) {
		ending->kind = SG_BROKEN_OFF;
		(void)snprintf(ending->message, sizeof(ending->message),
			       "the summary counts %" PRId64
			       " hits, the log has %" PRIu64,
			       state->hits, ending->findings);
	} else if (state->headed) {
		ending->kind = SG_BROKEN_OFF;
		(void)snprintf(ending->message, sizeof(ending->message),
			       "there is no summary at the end");
	}
	return code;
}

static enum sl_code on_sign(void *context, struct sg_span line,
			    struct sl_error *error)
{
	int *sure = context;
	struct sg_diagnostic found;

	(void)error;
	if (sg_span_starts(line, "Flawfinder version ") ||
	    parse_hit(line, &found))
		*sure = 95;
	return SL_OK;
}

static int sniff(const char *start, size_t length)
{
	int sure = 0;

	sg_textlog_sniff(start, length, on_sign, &sure);
	return sure;
}

static void *create(sg_finding_fn *take, void *context)
{
	return sg_textlog_create(sizeof(struct flawfinder), on_line, take,
				 context);
}

const struct sg_format sg_format_flawfinder = {
	.name = "flawfinder",
	.summary = "text of flawfinder",
	.sniff = sniff,
	.create = create,
	.feed = sg_textlog_feed,
	.finish = finish,
	.destroy = sg_textlog_destroy,
};
