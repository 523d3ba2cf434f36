/* SPDX-License-Identifier: MIT */
/* scgate runs: the runs that are in the store. */
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/json.h"
#include "database.h"
#include "scgate.h"
#include "talk.h"

static const char help[] =
	"usage: scgate runs [OPTION]...\n"
	"\n"
	"List the runs in the store, the oldest first: what each found, and "
	"against the\n"
	"run before it what was new, fixed, or unknown (no longer seen, but "
	"not surely\n"
	"fixed).\n"
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

struct listing {
	sg_run_fn *show;
	int width; /* columns of the terminal; 0: no terminal */
	yajl_gen gen;
};

enum { TIME_TEXT = 32 };

static const char *time_text(int64_t time, char text[TIME_TEXT])
{
	time_t seconds = (time_t)time;
	struct tm parts;

	if (!gmtime_r(&seconds, &parts) ||
	    !strftime(text, TIME_TEXT, "%Y-%m-%dT%H:%M:%SZ", &parts))
		return "?";
	return text;
}

/* ---- table ------------------------------------------------------------- */

/* At most @p width characters, padded with blanks if @p pad; the user's text
 * may not steer the terminal. */
static int put_words(const char *text, int width, bool pad)
{
	int used = 0;

	for (; *text; text++) {
		unsigned char byte = (unsigned char)*text;

		used += (byte & 0xc0) != 0x80;
		if (used > width)
			break;
		putchar(byte < 0x20 || byte == 0x7f ? '?' : byte);
	}
	for (; pad && used < width; used++)
		putchar(' ');
	return used;
}

enum { COMMIT_WIDTH = 12, NUMBERS_WIDTH = 84, ANY_WIDTH = 1 << 20 };

static enum sl_code show_table(void *context, const struct sg_run *run,
			       struct sl_error *error)
{
	const struct listing *listing = context;
	char time[TIME_TEXT];
	int left = listing->width ? listing->width - NUMBERS_WIDTH : ANY_WIDTH;

	(void)error;
	printf("%5lld  %.16s  %-10s  %7lld  %7lld  %7lld  %7lld  ",
	       (long long)run->id, time_text(run->time, time), run->state,
	       (long long)run->found, (long long)run->added,
	       (long long)run->fixed, (long long)run->unknown);
	put_words(run->commit ? run->commit : "-", COMMIT_WIDTH, run->name);
	if (run->name && left > 0) {
		fputs("  ", stdout);
		put_words(run->name, left, false);
	}
	putchar('\n');
	return SL_OK;
}

/* ---- csv --------------------------------------------------------------- */

static void put_field(const char *text, char end)
{
	if (text && text[strcspn(text, ",\"\r\n")]) {
		putchar('"');
		for (; *text; text++) {
			if (*text == '"')
				putchar('"');
			putchar(*text);
		}
		putchar('"');
	} else if (text) {
		fputs(text, stdout);
	}
	putchar(end);
}

static enum sl_code show_csv(void *context, const struct sg_run *run,
			     struct sl_error *error)
{
	char time[TIME_TEXT];

	(void)context;
	(void)error;
	printf("%lld,%s,", (long long)run->id, time_text(run->time, time));
	put_field(run->name, ',');
	put_field(run->commit, ',');
	put_field(run->formats, ',');
	printf("%s,", run->state);
	put_field(run->note, ',');
	if (run->base)
		printf("%lld", (long long)run->base);
	printf(",%lld,%lld,%lld,%lld,%lld\r\n", (long long)run->found,
	       (long long)run->added, (long long)run->fixed,
	       (long long)run->unknown, (long long)run->suppressed);
	return SL_OK;
}

/* ---- json -------------------------------------------------------------- */

static enum sl_code show_json(void *context, const struct sg_run *run,
			      struct sl_error *error)
{
	yajl_gen gen = ((const struct listing *)context)->gen;
	char time[TIME_TEXT];

	(void)error;
	yajl_gen_map_open(gen);
	sl_json_integer(gen, "run", run->id);
	sl_json_pair(gen, "time", time_text(run->time, time));
	sl_json_pair(gen, "name", run->name);
	sl_json_pair(gen, "commit", run->commit);
	sl_json_pair(gen, "configuration", run->configuration);
	sl_json_pair(gen, "root", run->root);
	sl_json_pair(gen, "formats", run->formats);
	sl_json_pair(gen, "state", run->state);
	sl_json_pair(gen, "note", run->note);
	sl_json_key(gen, "base");
	if (run->base)
		yajl_gen_integer(gen, run->base);
	else
		yajl_gen_null(gen);
	sl_json_integer(gen, "found", run->found);
	sl_json_integer(gen, "new", run->added);
	sl_json_integer(gen, "fixed", run->fixed);
	sl_json_integer(gen, "unknown", run->unknown);
	sl_json_integer(gen, "suppressed", run->suppressed);
	yajl_gen_map_close(gen);
	return SL_OK;
}

/* ---- the command ------------------------------------------------------- */

static enum sl_code list_json(struct sg_store *store, struct listing *listing,
			      struct sl_error *error)
{
	struct sl_buffer text = { .data = NULL };
	enum sl_code code, ended;

	listing->gen = sl_json_begin();
	if (!listing->gen)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a list");
	yajl_gen_array_open(listing->gen);
	code = sg_store_runs(store, show_json, listing, error);
	yajl_gen_array_close(listing->gen);
	ended = sl_json_end(listing->gen, &text, code == SL_OK ? error : NULL);
	if (code == SL_OK && ended == SL_OK && text.used)
		fwrite(text.data, 1, text.used, stdout);
	free(text.data);
	return code == SL_OK ? ended : code;
}

static enum sl_code list(struct sg_store *store, struct listing *listing,
			 struct sl_error *error)
{
	struct winsize size;

	if (listing->show == show_json)
		return list_json(store, listing, error);
	if (listing->show == show_csv)
		fputs("run,time,name,commit,formats,state,note,base,found,new,"
		      "fixed,unknown,suppressed\r\n",
		      stdout);
	else
		fputs("  run  time              state         found      new"
		      "    fixed  unknown  commit        name\n",
		      stdout);
	if (isatty(STDOUT_FILENO) &&
	    ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
		listing->width = size.ws_col;
	return sg_store_runs(store, listing->show, listing, error);
}

static int show_all(const char *db, struct listing *listing)
{
	struct sl_error error = { .code = SL_OK };
	struct sg_store *store;
	int code = EXIT_PASS;

	if (scgate_open(db, &store, &error) != SL_OK) {
		scgate_complain("runs", &error);
		return EXIT_USAGE;
	}
	if (list(store, listing, &error) != SL_OK) {
		scgate_complain("runs", &error);
		code = EXIT_INCOMPLETE;
	}
	sg_store_close(store);
	if (fflush(stdout) == EOF || ferror(stdout)) {
		fprintf(stderr, "scgate runs: cannot write: %s\n",
			strerror(errno));
		code = EXIT_INCOMPLETE;
	}
	return code;
}

static const struct option options[] = {
	{ "db", required_argument, NULL, 'd' },
	{ "output", required_argument, NULL, 'o' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static int misused(const char *message, const char *what)
{
	fprintf(stderr, "scgate runs: %s: %s\ntry scgate runs --help\n",
		message, what);
	return EXIT_USAGE;
}

static sg_run_fn *output_named(const char *name)
{
	if (strcmp(name, "table") == 0)
		return show_table;
	if (strcmp(name, "csv") == 0)
		return show_csv;
	return strcmp(name, "json") == 0 ? show_json : NULL;
}

int scgate_runs(int argc, char **argv)
{
	static char own_name[] = "scgate runs";
	struct listing listing = { .show = show_table };
	const char *db = NULL;
	int option;

	argv[0] = own_name;
	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		switch (option) {
		case 'd':
			db = optarg;
			break;
		case 'o':
			listing.show = output_named(optarg);
			if (!listing.show)
				return misused("unknown output", optarg);
			break;
		case 'h':
			fputs(help, stdout);
			return EXIT_PASS;
		default:
			return EXIT_USAGE;
		}
	}
	if (optind < argc)
		return misused("not wanted", argv[optind]);
	return show_all(db, &listing);
}
