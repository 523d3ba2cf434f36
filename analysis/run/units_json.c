/* SPDX-License-Identifier: MIT */
/* A database is an array of objects; YAJL walks through it, and a row is made
 * of what stands two levels deep. read/json.h would not do: it mends bytes that
 * are no UTF-8 and cuts long strings, which paths and commands can be. */
#include "run/units_json.h"

#include <stdbool.h>
#include <string.h>
#include <yajl/yajl_parse.h>

#include "base/text.h"
#include "run/list.h"
#include "run/shell.h"

enum member {
	MEMBER_NONE,
	MEMBER_DIRECTORY,
	MEMBER_FILE,
	MEMBER_COMMAND,
	MEMBER_ARGUMENTS,
};

enum { LEVEL_TOP, LEVEL_ROWS, LEVEL_ROW, LEVEL_MEMBER };

struct walk {
	const char *text;
	size_t counted; /* of the text: newlines up to there are in `line` */
	int64_t line;
	yajl_handle yajl;
	size_t level; /* open arrays and objects */
	enum member member; /* whose value comes */
	bool in_arguments; /* their array is open */
	struct sl_arena *arena;
	struct sg_unit_row row;
	const char *command;
	struct sg_list arguments;
	bool has_arguments;
	sg_unit_row_fn *take;
	void *context;
	enum sl_code code; /* why it was broken off */
	struct sl_error *error;
};

/* @return the line that the parser is at: it only goes on. */
static int64_t line_now(struct walk *walk)
{
	size_t offset = yajl_get_bytes_consumed(walk->yajl);
	const char *at = walk->text + walk->counted;
	const char *end = walk->text + offset;

	while (at < end && (at = memchr(at, '\n', (size_t)(end - at)))) {
		walk->line++;
		at++;
	}
	if (offset > walk->counted)
		walk->counted = offset;
	return walk->line;
}

/* @return what a callback returns to break off. */
static int fail_at(struct walk *walk, int64_t line, const char *what)
{
	walk->code = SL_FAIL(walk->error, SL_EINVAL, "%s", what);
	sl_error_at(walk->error, "", line);
	return 0;
}

static int fail(struct walk *walk, const char *what)
{
	return fail_at(walk, line_now(walk), what);
}

static int fail_memory(struct walk *walk)
{
	walk->code = SL_FAIL(walk->error, SL_ENOMEM, "no memory for a unit");
	return 0;
}

/* ---- rows -------------------------------------------------------------- */

static void begin_row(struct walk *walk)
{
	walk->row = (struct sg_unit_row){ .line = line_now(walk) };
	walk->command = NULL;
	walk->arguments = (struct sg_list){ .arena = walk->arena };
	walk->has_arguments = false;
	walk->member = MEMBER_NONE;
}

static int split_command(struct walk *walk)
{
	walk->code =
		sg_shell_split(walk->command, &walk->arguments, walk->error);
	if (walk->code == SL_EINVAL)
		sl_error_at(walk->error, "", walk->row.line);
	return walk->code == SL_OK;
}

static int end_row(struct walk *walk)
{
	struct sg_unit_row *row = &walk->row;

	if (!row->file)
		return fail_at(walk, row->line, "the unit has no \"file\"");
	if (!row->directory)
		return fail_at(walk, row->line,
			       "the unit has no \"directory\"");
	if (!walk->has_arguments && !walk->command)
		return fail_at(walk, row->line,
			       "the unit has neither \"arguments\" nor a "
			       "\"command\"");
	if (!walk->has_arguments && !split_command(walk))
		return 0;
	if (!walk->arguments.count)
		return fail_at(walk, row->line, "the unit's command is empty");
	row->arguments = sg_list_words(&walk->arguments);
	row->argument_count = walk->arguments.count;
	if (!row->arguments)
		return fail_memory(walk);
	walk->code = walk->take(walk->context, row, walk->error);
	if (walk->code == SL_EINVAL)
		sl_error_at(walk->error, "", row->line);
	return walk->code == SL_OK;
}

/* ---- what YAJL calls --------------------------------------------------- */

static bool is_text_wanted(const struct walk *walk)
{
	return walk->level == LEVEL_ROW && walk->member != MEMBER_NONE;
}

/* A value that is no string. */
static int take_other(void *context)
{
	struct walk *walk = context;

	if (walk->level <= LEVEL_ROWS)
		return fail(walk, "a compilation database is an array of "
				  "objects");
	if (is_text_wanted(walk) || walk->in_arguments)
		return fail(walk, "a string is missing here");
	return 1;
}

static int take_boolean(void *context, int value)
{
	(void)value;
	return take_other(context);
}

static int take_number(void *context, const char *digits, size_t length)
{
	(void)digits;
	(void)length;
	return take_other(context);
}

static int take_value(struct walk *walk, const char *text)
{
	if (walk->in_arguments && walk->level == LEVEL_MEMBER) {
		sg_list_add(&walk->arguments, text);
		return walk->arguments.failed ? fail_memory(walk) : 1;
	}
	switch (walk->member) {
	case MEMBER_DIRECTORY:
		walk->row.directory = text;
		break;
	case MEMBER_FILE:
		walk->row.file = text;
		break;
	case MEMBER_COMMAND:
		walk->command = text;
		break;
	case MEMBER_ARGUMENTS:
		return fail(walk, "\"arguments\" is an array of strings");
	case MEMBER_NONE:
		break;
	}
	return 1;
}

static int take_string(void *context, const unsigned char *bytes, size_t length)
{
	struct walk *walk = context;
	const char *text;

	if (walk->level <= LEVEL_ROWS)
		return take_other(walk);
	if (!is_text_wanted(walk) && !walk->in_arguments)
		return 1;
	if (length && memchr(bytes, '\0', length))
		return fail(walk, "a NUL is in a string");
	text = sl_arena_text(walk->arena, (const char *)bytes, length);
	return text ? take_value(walk, text) : fail_memory(walk);
}

static int take_key(void *context, const unsigned char *bytes, size_t length)
{
	static const struct {
		const char *name;
		enum member member;
	} members[] = {
		{ "directory", MEMBER_DIRECTORY },
		{ "file", MEMBER_FILE },
		{ "command", MEMBER_COMMAND },
		{ "arguments", MEMBER_ARGUMENTS },
	};
	struct walk *walk = context;

	if (walk->level != LEVEL_ROW)
		return 1;
	walk->member = MEMBER_NONE;
	for (size_t at = 0; at < sizeof(members) / sizeof(members[0]); at++)
		if (length == strlen(members[at].name) &&
		    memcmp(bytes, members[at].name, length) == 0)
			walk->member = members[at].member;
	return 1;
}

static int open_object(void *context)
{
	struct walk *walk = context;

	if (walk->level == LEVEL_ROWS)
		begin_row(walk);
	else if (!take_other(walk))
		return 0;
	walk->level++;
	return 1;
}

static int close_object(void *context)
{
	struct walk *walk = context;

	return --walk->level == LEVEL_ROWS ? end_row(walk) : 1;
}

static int open_array(void *context)
{
	struct walk *walk = context;

	if (walk->level == LEVEL_ROW && walk->member == MEMBER_ARGUMENTS) {
		walk->arguments = (struct sg_list){ .arena = walk->arena };
		walk->has_arguments = walk->in_arguments = true;
	} else if (walk->level != LEVEL_TOP && !take_other(walk)) {
		return 0;
	}
	walk->level++;
	return 1;
}

static int close_array(void *context)
{
	struct walk *walk = context;

	if (--walk->level == LEVEL_ROW)
		walk->in_arguments = false;
	return 1;
}

static const yajl_callbacks callbacks = {
	.yajl_null = take_other,
	.yajl_boolean = take_boolean,
	.yajl_number = take_number,
	.yajl_string = take_string,
	.yajl_start_map = open_object,
	.yajl_map_key = take_key,
	.yajl_end_map = close_object,
	.yajl_start_array = open_array,
	.yajl_end_array = close_array,
};

/* ---- the whole --------------------------------------------------------- */

/* YAJL's words, without the excerpt that it quotes. */
static void fail_syntax(struct walk *walk)
{
	char message[256] = "it is no JSON";
	unsigned char *words = yajl_get_error(walk->yajl, 0, NULL, 0);

	if (words) {
		size_t length = strcspn((const char *)words, "\n");

		if (length >= sizeof(message))
			length = sizeof(message) - 1;
		memcpy(message, words, length);
		message[length] = '\0';
		sl_text_flatten(message);
		yajl_free_error(walk->yajl, words);
	}
	(void)fail(walk, message);
}

static enum sl_code parse(struct walk *walk, size_t length)
{
	const unsigned char *bytes = (const unsigned char *)walk->text;
	yajl_status status = yajl_parse(walk->yajl, bytes, length);

	if (status == yajl_status_ok) {
		status = yajl_complete_parse(walk->yajl);
		/* Only what is not whole fails there. */
		if (status != yajl_status_ok && walk->code == SL_OK) {
			int64_t line = walk->line;

			for (size_t at = walk->counted; at < length; at++)
				line += walk->text[at] == '\n';
			(void)fail_at(walk, line,
				      "it ends in the middle of the database");
		}
	} else if (walk->code == SL_OK) {
		fail_syntax(walk);
	}
	return walk->code;
}

enum sl_code sg_unit_rows_read(const char *text, size_t length,
			       struct sl_arena *arena, sg_unit_row_fn *take,
			       void *context, struct sl_error *error)
{
	static const char mark[] = "\xef\xbb\xbf"; /* some editors' BOM */
	size_t skip = length >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
	struct walk walk = {
		.text = text + skip,
		.line = 1,
		.arena = arena,
		.take = take,
		.context = context,
		.error = error,
	};
	enum sl_code code;

	walk.yajl = yajl_alloc(&callbacks, NULL, &walk);
	if (!walk.yajl)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a parser");
	yajl_config(walk.yajl, yajl_dont_validate_strings, 1);
	code = parse(&walk, length - skip);
	yajl_free(walk.yajl);
	return code;
}
