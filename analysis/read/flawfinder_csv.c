/* SPDX-License-Identifier: MIT */
/* flawfinder --csv: a header names the columns, whose order and number changed
 * between versions, and each line is a hit (RFC 4180). */
#include "read/textlog.h"

#include <stdio.h>
#include <string.h>

#include "read/formats.h"
#include "read/spans.h"

enum { COLUMNS_MAX = 32 };

enum column {
	FILE_NAME,
	LINE,
	COLUMN,
	LEVEL,
	NAME,
	WARNING,
	SUGGESTION,
	NOTE,
	WEAKNESSES,
	VERSION,
	RULE,
	COLUMNS,
};

static const char *const names[COLUMNS] = {
	"File",       "Line", "Column", "Level",       "Name",   "Warning",
	"Suggestion", "Note", "CWEs",   "ToolVersion", "RuleId",
};

struct csv {
	struct sg_textlog log; /* first */
	size_t column_count; /* of the header; 0: it was not seen */
	size_t place[COLUMNS]; /* its index, from 1; 0: not there */
	int64_t malformed; /* the line from which on nothing is taken; 0 */
	char version[32];
	char plain[SG_LINE_MAX]; /* fields without their quotes */
	char said[SG_LINE_MAX]; /* a hit's words */
};

/* Cut a record. A field's doubled quotes are made single in @p plain, which has
 * room for the line. @return the number of fields; 0: it is none. */
static size_t cut(struct sg_span line, char *plain,
		  struct sg_span fields[COLUMNS_MAX])
{
	size_t count = 0, at = 0;

	while (count < COLUMNS_MAX) {
		char *start = plain;
		bool quoted = at < line.length && line.text[at] == '"';

		for (at += quoted; at < line.length; at++) {
			if (quoted && line.text[at] == '"') {
				if (at + 1 == line.length ||
				    line.text[at + 1] != '"')
					break;
				at++;
			} else if (!quoted && line.text[at] == ',') {
				break;
			}
			*plain++ = line.text[at];
		}
		/* a quote that was not closed, or has something behind it */
		if (quoted && at++ == line.length)
			return 0;
		if (at < line.length && line.text[at] != ',')
			return 0;
		fields[count++] =
			(struct sg_span){ start, (size_t)(plain - start) };
		if (at++ >= line.length)
			return count;
	}
	return 0;
}

static bool is_header(struct sg_span line)
{
	return sg_span_starts(line, "File,Line,Column,") &&
	       sg_span_has(line, ",Level,Category,Name,Warning,");
}

static void on_header(struct csv *csv, struct sg_span line)
{
	struct sg_span fields[COLUMNS_MAX];
	size_t count = cut(line, csv->plain, fields);

	csv->column_count = count;
	csv->log.familiar++;
	for (size_t at = 0; at < count; at++)
		for (size_t known = 0; known < COLUMNS; known++)
			if (sg_span_is(fields[at], names[known]))
				csv->place[known] = at + 1;
}

static struct sg_span field(const struct csv *csv, const struct sg_span *fields,
			    enum column column)
{
	size_t place = csv->place[column];

	return place ? fields[place - 1] : (struct sg_span){ "", 0 };
}

/* As flawfinder's text has it: "warning. suggestion. note." @return the bytes
 * written behind the first @p used. */
static size_t say(struct csv *csv, size_t used, struct sg_span words)
{
	size_t room = sizeof(csv->said) - used;

	if (!words.length || words.length + 2 > room)
		return used;
	if (used)
		csv->said[used++] = ' ';
	memcpy(csv->said + used, words.text, words.length);
	used += words.length;
	if (csv->said[used - 1] != '.')
		csv->said[used++] = '.';
	return used;
}

static void set_message(struct csv *csv, const struct sg_span *fields)
{
	size_t used = say(csv, 0, field(csv, fields, WARNING));

	used = say(csv, used, field(csv, fields, SUGGESTION));
	used = say(csv, used, field(csv, fields, NOTE));
	sg_draft_set(&csv->log.draft, SG_DRAFT_MESSAGE,
		     (struct sg_span){ csv->said, used });
}

/* Levels are of risk, 0 to 5. */
static enum sg_severity severity_of(struct sg_span level)
{
	char risk = level.length ? level.text[0] : '\0';

	if (risk >= '4')
		return SG_ERROR;
	if (risk == '3')
		return SG_WARNING;
	return risk == '0' ? SG_INFO : SG_LOW;
}

static enum sl_code on_hit(struct csv *csv, const struct sg_span *fields,
			   struct sl_error *error)
{
	struct sg_draft *draft = &csv->log.draft;
	struct sg_span rule = field(csv, fields, RULE);
	struct sg_span weaknesses = field(csv, fields, WEAKNESSES);
	struct sg_span version = field(csv, fields, VERSION);
	enum sl_code code = sg_draft_begin(draft, "flawfinder", error);

	if (code != SL_OK)
		return code;
	if (version.length && version.length < sizeof(csv->version)) {
		memcpy(csv->version, version.text, version.length);
		csv->version[version.length] = '\0';
		draft->finding.tool_version = csv->version;
	}
	draft->finding.severity = severity_of(field(csv, fields, LEVEL));
	(void)sg_span_number(field(csv, fields, LINE), 0, &draft->finding.line);
	(void)sg_span_number(field(csv, fields, COLUMN), 0,
			     &draft->finding.column);
	if (sg_span_starts(weaknesses, "CWE-"))
		(void)sg_span_number(weaknesses, 4, &draft->finding.cwe);
	sg_draft_set(draft, SG_DRAFT_RULE,
		     rule.length ? rule : field(csv, fields, NAME));
	sg_draft_set(draft, SG_DRAFT_WORD, field(csv, fields, LEVEL));
	sg_draft_set(draft, SG_DRAFT_PATH, field(csv, fields, FILE_NAME));
	set_message(csv, fields);
	return sg_draft_end(draft, error);
}

static enum sl_code on_line(void *context, struct sg_span line,
			    struct sl_error *error)
{
	struct csv *csv = context;
	struct sg_span fields[COLUMNS_MAX];

	if (!csv->column_count) {
		if (is_header(line))
			on_header(csv, line);
		return SL_OK;
	}
	if (csv->malformed || !line.length)
		return SL_OK;
	if (cut(line, csv->plain, fields) == csv->column_count)
		return on_hit(csv, fields, error);
	csv->malformed = csv->log.lines.number;
	return SL_OK;
}

static enum sl_code finish(void *context, struct sg_ending *ending,
			   struct sl_error *error)
{
	struct csv *csv = context;
	enum sl_code code = sg_textlog_finish(csv, ending, error);

	if (code != SL_OK || !csv->malformed)
		return code;
	ending->kind = SG_MALFORMED;
	ending->line = csv->malformed;
	(void)snprintf(ending->message, sizeof(ending->message),
		       "a record that has not the header's %zu fields",
		       csv->column_count);
	return SL_OK;
}

static enum sl_code on_sign(void *context, struct sg_span line,
			    struct sl_error *error)
{
	int *sure = context;

	(void)error;
	if (is_header(line))
		*sure = 100;
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
	return sg_textlog_create(sizeof(struct csv), on_line, take, context);
}

const struct sg_format sg_format_flawfinder_csv = {
	.name = "flawfinder-csv",
	.summary = "flawfinder --csv",
	.sniff = sniff,
	.create = create,
	.feed = sg_textlog_feed,
	.finish = finish,
	.destroy = sg_textlog_destroy,
};
