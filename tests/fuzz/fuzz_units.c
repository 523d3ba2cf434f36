/* SPDX-License-Identifier: MIT */
/* Fuzz target of what other programs tell of units: a compilation database, of
 * whose units commands are made, and make rules. */
#include "tests/fuzz/fuzz.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "run/analyzer.h"

static enum sl_code take(void *context, const char *path,
			 struct sl_error *error)
{
	size_t *bytes = context;

	(void)error;
	fuzz_require(*path != '\0');
	*bytes += strlen(path);
	return SL_OK;
}

static void try_rule(const char *text, size_t length)
{
	struct sl_error error = { .code = SL_OK };
	size_t bytes = 0;
	enum sl_code code =
		sg_make_rule_read(text, length, take, &bytes, &error);

	fuzz_require(bytes <= length);
	fuzz_require(code == SL_OK || (code == SL_EINVAL && error.message[0]));
}

static void require_command(const struct sg_command *command)
{
	fuzz_require(command->words[0] != NULL && command->directory[0] == '/');
}

static void try_unit(const struct sg_unit *unit)
{
	static const struct sg_exported exported = { "/r", "/x/t", "/x/t/b" };
	struct sl_arena arena = { NULL };
	struct sg_command command;
	const char *const *names;
	size_t count;

	fuzz_require(unit->argument_count > 0 && unit->directory[0] == '/');
	fuzz_require(!unit->arguments[unit->argument_count]);
	/* the program itself may be "" */
	if (sg_compile_command(unit, &exported, "/x/r", &arena, &command,
			       NULL) == SL_OK)
		require_command(&command);
	for (const char *const *name = sg_analyzer_builtins(); *name; name++) {
		const struct sg_analyzer *analyzer =
			sg_analyzer_builtin(*name, SG_INLINE_ALLOW, &arena);

		if (sg_analyzer_command(analyzer, &unit, 1, &exported, "/x/r",
					&arena, &command, NULL) == SL_OK)
			require_command(&command);
		fuzz_require(sg_unit_forced(unit, analyzer, &arena, &names,
					    &count, NULL) == SL_OK);
	}
	(void)sg_unit_hash(unit, "/r");
	sl_arena_finish(&arena);
}

static void try_units(const char *text, size_t length)
{
	struct sl_error error = { .code = SL_OK };
	struct sg_units units;

	if (sg_units_parse(&units, text, length, "db", "/r", &error) != SL_OK) {
		fuzz_require(error.code == SL_EINVAL && error.message[0]);
		fuzz_require(error.input_line > 0);
		return;
	}
	for (size_t at = 0; at < units.count; at++) {
		if (at)
			fuzz_require(strcmp(units.units[at - 1].source,
					    units.units[at].source) <= 0);
		try_unit(&units.units[at]);
	}
	sg_units_finish(&units);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = fuzz_copy(data, size);

	try_rule(copy, size);
	try_units(copy, size);
	free(copy);
	return 0;
}
