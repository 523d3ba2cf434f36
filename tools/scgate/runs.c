/* SPDX-License-Identifier: MIT */
/* scgate runs: the runs that are in the store. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "database.h"
#include "output.h"
#include "scgate.h"
#include "talk.h"

static const char help[] =
	"usage: scgate runs [OPTION]...\n"
	"\n"
	"List the runs in the store, the oldest first: what each found, and "
	"against the\n"
	"run before it what was new, fixed, or unknown (no longer seen, but "
	"not surely\n"
	"fixed). Times are in UTC.\n"
	"\n"
	"  --db DB         the database; by default scgate/findings.db in the "
	"git folder\n"
	"                  that worktrees share\n"
	"  --output table  for people (the default)\n"
	"  --output csv    RFC 4180, with a line of names\n"
	"  --output json   one array of objects\n"
	"\n"
	"exit: 0 listed, 2 usage, or not to be opened; 3 not to be read or "
	"written\n";

enum { TIME_TEXT = 32, COMMIT_SHOWN = 8, HALF_A_YEAR = 183 * 24 * 3600 };

/* ---- columns ----------------------------------------------------------- */

enum column {
	RUN,
	TIME,
	NAME,
	COMMIT,
	CONFIGURATION,
	ROOT,
	FORMATS,
	STATE,
	NOTE,
	BASE,
	FOUND,
	NEW,
	FIXED,
	UNKNOWN,
	SUPPRESSED,
	COLUMNS,
};

static const char *const titles[COLUMNS] = {
	[RUN] = "run",
	[TIME] = "time",
	[NAME] = "name",
	[COMMIT] = "commit",
	[CONFIGURATION] = "configuration",
	[ROOT] = "root",
	[FORMATS] = "formats",
	[STATE] = "state",
	[NOTE] = "note",
	[BASE] = "base",
	[FOUND] = "found",
	[NEW] = "new",
	[FIXED] = "fixed",
	[UNKNOWN] = "unknown",
	[SUPPRESSED] = "suppressed",
};

/* What an output shows, ended by COLUMNS. */
static const enum column table_columns[] = {
	RUN,  TIME,    STATE,         FOUND, NEW,    FIXED,   UNKNOWN,
	BASE, FORMATS, CONFIGURATION, NAME,  COMMIT, COLUMNS,
};
static const enum column csv_columns[] = {
	RUN,  TIME,  NAME, COMMIT, FORMATS, STATE,      NOTE,
	BASE, FOUND, NEW,  FIXED,  UNKNOWN, SUPPRESSED, COLUMNS,
};
static const enum column json_columns[] = {
	RUN,  TIME, NAME,  COMMIT, CONFIGURATION, ROOT,    FORMATS,    STATE,
	NOTE, BASE, FOUND, NEW,    FIXED,         UNKNOWN, SUPPRESSED, COLUMNS,
};

struct listing {
	const struct sg_rows_writer *writer;
	const enum column *columns;
	enum column chosen[COLUMNS + 1];
	struct scgate_rows rows;
};

static const struct {
	const struct sg_rows_writer *writer;
	const enum column *columns;
} outputs[] = {
	{ &sg_rows_table, table_columns },
	{ &sg_rows_csv, csv_columns },
	{ &sg_rows_json, json_columns },
};

/* ---- rows -------------------------------------------------------------- */

static struct sg_field number(int64_t value)
{
	return (struct sg_field){ .kind = SG_FIELD_INTEGER, .integer = value };
}

static struct sg_field text(const char *value)
{
	if (!value)
		return (struct sg_field){ .kind = SG_FIELD_NULL };
	return (struct sg_field){ .kind = SG_FIELD_TEXT,
				  .text = value,
				  .length = strlen(value) };
}

static const char *time_text(int64_t time, char text[TIME_TEXT])
{
	time_t seconds = (time_t)time;
	struct tm parts;

	if (!gmtime_r(&seconds, &parts) ||
	    !strftime(text, TIME_TEXT, "%Y-%m-%dT%H:%M:%SZ", &parts))
		return "?";
	return text;
}

/* As `ls -l` tells times: of this year to the minute, of others the day. All
 * are as long as each other. */
static const char *short_time(int64_t when, char text[TIME_TEXT])
{
	time_t seconds = (time_t)when, age = time(NULL) - seconds;
	bool is_near = age > -HALF_A_YEAR && age < HALF_A_YEAR;
	struct tm parts;
	size_t length = 0;

	if (gmtime_r(&seconds, &parts))
		length = is_near ? strftime(text, TIME_TEXT, "%m-%d %H:%M",
					    &parts)
				 : strftime(text, TIME_TEXT, "%Y-%m-%d ",
					    &parts);
	return length ? text : "?";
}

static void fill(const struct sg_run *run, char time[TIME_TEXT],
		 struct sg_field fields[COLUMNS])
{
	fields[RUN] = number(run->id);
	fields[TIME] = text(time_text(run->time, time));
	fields[NAME] = text(run->name);
	fields[COMMIT] = text(run->commit);
	fields[CONFIGURATION] = text(run->configuration);
	fields[ROOT] = text(run->root);
	fields[FORMATS] = text(run->formats);
	fields[STATE] = text(run->state);
	fields[NOTE] = text(run->note);
	fields[BASE] = run->base ? number(run->base) : text(NULL);
	fields[FOUND] = number(run->found);
	fields[NEW] = number(run->added);
	fields[FIXED] = number(run->fixed);
	fields[UNKNOWN] = number(run->unknown);
	fields[SUPPRESSED] = number(run->suppressed);
}

/* Its first @p length bytes, in @p room for one more. */
static struct sg_field cut(struct sg_field field, char *room, size_t length)
{
	if (field.kind != SG_FIELD_TEXT || field.length <= length)
		return field;
	memcpy(room, field.text, length);
	room[length] = '\0';
	return text(room);
}

/* @p all: by column; NULL: only the names. */
static enum sl_code put(struct listing *listing, const struct sg_field *all,
			struct sl_error *error)
{
	const char *names[COLUMNS];
	struct sg_field fields[COLUMNS];
	struct sg_row row = { .names = names, .fields = all ? fields : NULL };

	for (; listing->columns[row.count] != COLUMNS; row.count++) {
		names[row.count] = titles[listing->columns[row.count]];
		if (all)
			fields[row.count] = all[listing->columns[row.count]];
	}
	return scgate_rows_take(&listing->rows, &row, error);
}

/* People see less of times and commits. */
static enum sl_code show(void *context, const struct sg_run *run,
			 struct sl_error *error)
{
	struct listing *listing = context;
	struct sg_field fields[COLUMNS];
	char time[TIME_TEXT], commit[COMMIT_SHOWN + 1];

	fill(run, time, fields);
	if (listing->writer == &sg_rows_table) {
		fields[TIME] = text(short_time(run->time, time));
		fields[COMMIT] = cut(fields[COMMIT], commit, COMMIT_SHOWN);
	}
	return put(listing, fields, error);
}

/* ---- the command ------------------------------------------------------- */

/* A column of what nobody gave would only take room. */
static enum sl_code see_given(void *context, const struct sg_run *run,
			      struct sl_error *error)
{
	bool *is_given = context;

	(void)error;
	is_given[NAME] |= run->name != NULL;
	is_given[CONFIGURATION] |= run->configuration != NULL;
	return SL_OK;
}

/* Choose the columns of a table. */
static enum sl_code choose(struct sg_store *store, struct listing *listing,
			   struct sl_error *error)
{
	bool is_given[COLUMNS] = { false };
	size_t count = 0;
	enum sl_code code = sg_store_runs(store, see_given, is_given, error);

	for (const enum column *at = table_columns; *at != COLUMNS; at++)
		if ((*at != NAME && *at != CONFIGURATION) || is_given[*at])
			listing->chosen[count++] = *at;
	listing->chosen[count] = COLUMNS;
	listing->columns = listing->chosen;
	return code;
}

static enum sl_code list(struct sg_store *store, struct listing *listing,
			 struct sl_error *error)
{
	enum sl_code code = SL_OK;

	if (listing->writer == &sg_rows_table)
		code = choose(store, listing, error);
	if (code == SL_OK)
		code = scgate_rows_begin(&listing->rows, listing->writer,
					 error);
	if (code != SL_OK)
		return code;
	code = put(listing, NULL, error);
	if (code == SL_OK)
		code = sg_store_runs(store, show, listing, error);
	code = scgate_rows_end(&listing->rows, code, error);
	if (code == SL_OK && scgate_rows_show_none(&listing->rows))
		fputs("runs: none\n", stderr);
	return code;
}

static int show_all(const char *db, struct listing *listing)
{
	struct sl_error error = { .code = SL_OK };
	struct sg_store *store;
	int code = EXIT_PASS;

	if (scgate_open_to_read(db, &store, &error) != SL_OK) {
		scgate_complain("runs", &error);
		return EXIT_USAGE;
	}
	if (list(store, listing, &error) != SL_OK) {
		scgate_complain("runs", &error);
		code = EXIT_INCOMPLETE;
	}
	sg_store_close(store);
	return code;
}

static const enum column *columns_of(const struct sg_rows_writer *writer)
{
	size_t at = 0;

	while (outputs[at].writer != writer)
		at++;
	return outputs[at].columns;
}

int scgate_runs(int argc, char **argv)
{
	struct listing listing = { .writer = &sg_rows_table };
	const char *db = NULL;
	const struct scgate_option options[] = {
		{ "db", SCGATE_TEXT, &db },
		{ "output", SCGATE_ROWS, &listing.writer },
		{ NULL, SCGATE_FLAG, NULL },
	};
	int code = scgate_parse("runs", help, options, argc, argv);

	if (code >= 0)
		return code;
	if (optind < argc)
		return scgate_misused("runs", "not wanted", argv[optind]);
	listing.columns = columns_of(listing.writer);
	return show_all(db, &listing);
}
