/* SPDX-License-Identifier: MIT */
/* What scgate suppress says on standard output. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gate/suppress.h"
#include "output.h"
#include "report/cell.h"
#include "suppress.h"

/* ---- the list ---------------------------------------------------------- */

enum column {
	ENTRY,
	STATE,
	UNTIL,
	TOOL,
	RULE,
	PATH,
	LINE,
	REASON,
	MESSAGE,
	COLUMNS
};

static const char *const titles[COLUMNS] = {
	[ENTRY] = "entry", [STATE] = "state",   [UNTIL] = "until",
	[TOOL] = "tool",   [RULE] = "rule",     [PATH] = "path",
	[LINE] = "line",   [REASON] = "reason", [MESSAGE] = "message",
};

static struct sg_field field_of(const char *text)
{
	if (!text)
		return (struct sg_field){ .kind = SG_FIELD_NULL };
	return (struct sg_field){ .kind = SG_FIELD_TEXT,
				  .text = text,
				  .length = strlen(text) };
}

static struct sg_field number_of(int64_t number)
{
	return (struct sg_field){
		.kind = number ? SG_FIELD_INTEGER : SG_FIELD_NULL,
		.integer = number,
	};
}

static enum sl_code put_entry(struct scgate_rows *rows,
			      const struct sg_suppression *entry,
			      const char *today, struct sl_error *error)
{
	bool is_over = entry->until && strcmp(entry->until, today) < 0;
	const struct sg_field fields[COLUMNS] = {
		[ENTRY] = number_of(entry->position),
		[STATE] = field_of(is_over ? "expired" : "active"),
		[UNTIL] = field_of(entry->until),
		[TOOL] = field_of(entry->tool),
		[RULE] = field_of(entry->rule),
		[PATH] = field_of(entry->path),
		[LINE] = number_of(entry->line),
		[REASON] = field_of(entry->reason),
		[MESSAGE] = field_of(entry->message),
	};
	const struct sg_row row = { titles, fields, COLUMNS };

	return scgate_rows_take(rows, &row, error);
}

static enum sl_code put_entries(const struct suppress_settings *settings,
				const struct sg_suppressions *list,
				struct sl_error *error)
{
	const struct sg_row head = { titles, NULL, COLUMNS };
	struct scgate_rows rows;
	char today[SG_DAY_TEXT];
	enum sl_code code = scgate_rows_begin(&rows, settings->writer, error);

	if (code != SL_OK)
		return code;
	sg_today(today);
	code = scgate_rows_take(&rows, &head, error);
	for (size_t at = 0; at < sg_suppressions_count(list) && code == SL_OK;
	     at++)
		code = put_entry(&rows, sg_suppressions_at(list, at), today,
				 error);
	code = scgate_rows_end(&rows, code, error);
	if (code == SL_OK && scgate_rows_show_none(&rows))
		fputs("entries: none\n", stderr);
	return code;
}

enum sl_code suppress_list(const struct suppress_settings *settings,
			   const char *path, struct sl_error *error)
{
	struct sg_suppressions *list;
	enum sl_code code = sg_suppressions_read(path, &list, error);

	if (code != SL_OK)
		return code;
	code = put_entries(settings, list, error);
	sg_suppressions_destroy(list);
	return code;
}

/* ---- what was written -------------------------------------------------- */

struct saying {
	struct sl_buffer text; /* owned */
	enum sl_code code; /* SL_OK until something fails */
	struct sl_error *error;
};

static void put(struct saying *saying, const char *text)
{
	if (saying->code == SL_OK)
		saying->code = sg_report_put(&saying->text, text, strlen(text),
					     saying->error);
}

/* What others wrote cannot steer the terminal. */
static void put_words(struct saying *saying, const char *words)
{
	if (saying->code == SL_OK)
		saying->code =
			sg_cell_put_whole(&saying->text, words, saying->error);
}

static void put_number(struct saying *saying, const char *before,
		       int64_t number)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRId64, number);
	put(saying, before);
	put(saying, digits);
}

static void put_finding(struct saying *saying, const struct sg_finding *said)
{
	put(saying, "  ");
	if (said->path) {
		put_words(saying, said->path);
		if (said->line)
			put_number(saying, ":", said->line);
		put(saying, ": ");
	}
	put_words(saying, said->message);
	if (said->rule && *said->rule) {
		put(saying, " [");
		put_words(saying, said->rule);
		put(saying, "]");
	}
	put(saying, "\n");
}

enum sl_code suppress_tell(const struct suppress_settings *settings,
			   const struct sg_finding *said, bool is_change,
			   const char *path, struct sl_error *error)
{
	struct saying saying = { .error = error };

	if (settings->place)
		put(&saying, "it");
	else
		put_number(&saying, "finding ", settings->finding);
	put(&saying, settings->is_removal ? " is no longer suppressed\n"
		     : is_change          ? " is suppressed anew\n"
					  : " is suppressed\n");
	put_finding(&saying, said);
	if (!settings->is_removal) {
		put(&saying, "  reason: ");
		put_words(&saying, settings->reason);
		put(&saying, settings->until ? "\n  until: " : "\n");
		put(&saying, settings->until ? settings->until : "");
		put(&saying, settings->until ? "\n" : "");
	}
	put_words(&saying, path);
	put(&saying,
	    " is written; commit it by itself, and the next check or import "
	    "counts it\n");
	if (saying.code == SL_OK)
		saying.code = scgate_flush(&saying.text, error);
	free(saying.text.data);
	return saying.code;
}
