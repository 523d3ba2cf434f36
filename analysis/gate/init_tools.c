/* SPDX-License-Identifier: MIT */
/* Which analyzers there are. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gate/init_look.h"
#include "run/analyzer.h"

enum { GCC_WITH_ANALYZER = 10 };

/* What a program says of itself. @return whether it says something. */
static bool ask_version(const char *name, char *said, size_t size)
{
	char command[64];
	FILE *pipe;
	size_t length;

	snprintf(command, sizeof(command),
		 "LC_ALL=C %s --version </dev/null 2>/dev/null", name);
	pipe = popen(command, "re");
	if (!pipe)
		return false;
	length = fread(said, 1, size - 1, pipe);
	said[length] = '\0';
	return pclose(pipe) == 0 && length;
}

/* Keep of what is said the first number with a point in it, as behind the
 * parenthesis in "gcc (Debian 12.2.0-14) 12.2.0". @return whether there is
 * one. */
static bool find_number(const char *said, char *number, size_t size)
{
	for (const char *at = said; *at; at++) {
		size_t length = strspn(at, "0123456789.");

		if (length > 1 && isdigit((unsigned char)*at) &&
		    memchr(at, '.', length) &&
		    (at == said || !isalnum((unsigned char)at[-1]))) {
			if (at[length - 1] == '.')
				length--;
			snprintf(number, size, "%.*s", (int)length, at);
			return true;
		}
		if (length > 1)
			at += length - 1;
	}
	return false;
}

/* @return why an analyzer that is there is of no use, in the arena; NULL: it
 * is. Its version goes to @p number. */
static const char *judge(const char *name, char *number, size_t size)
{
	static const char no_run[] = "it does not say its version";
	char said[4096];

	number[0] = '\0';
	if (!ask_version(name, said, sizeof(said)) ||
	    !find_number(said, number, size))
		return no_run;
	if (strcmp(name, "gcc") != 0)
		return NULL;
	if (!strstr(said, "Free Software Foundation"))
		return "it is another compiler under that name";
	if (strtol(number, NULL, 10) < GCC_WITH_ANALYZER)
		return "it is too old for -fanalyzer, which came with gcc 10";
	return NULL;
}

/* Why an analyzer is not taken; NULL: it is. clang-tidy says what clang's own
 * analyzer does: of the two one is enough, or each finding would count twice.
 */
static const char *why_not(const char *name, bool has_tidy,
			   struct sl_arena *arena, char *number, size_t size)
{
	const char *why = sg_program_find(name, arena)
				  ? judge(name, number, size)
				  : "it is not on PATH";

	if (!why && has_tidy && strcmp(name, "clang") == 0)
		return "clang-tidy says what it would, too";
	return why;
}

enum sl_code sg_init_tools(struct sg_init *found, struct sl_error *error)
{
	const char *const *name = sg_analyzer_builtins();
	struct sg_init_list taken = { .arena = &found->arena };
	struct sg_init_list absent = { .arena = &found->arena };
	char version[32];
	bool has_tidy = !why_not("clang-tidy", false, &found->arena, version,
				 sizeof(version));
	enum sl_code code = SL_OK;

	for (; code == SL_OK && *name; name++) {
		char number[32] = "";
		const char *why = why_not(*name, has_tidy, &found->arena,
					  number, sizeof(number));

		code = sg_init_note(found,
				    sl_arena_printf(&found->arena, "%s%s%s",
						    *name, *number ? " " : "",
						    number),
				    why, error);
		if (code == SL_OK)
			code = sg_init_add(why ? &absent : &taken, *name,
					   error);
	}
	found->analyzers = sg_init_texts(&taken);
	found->absent = sg_init_texts(&absent);
	if (code == SL_OK && !taken.count)
		code = SL_FAIL(error, SL_EINVAL,
			       "no analyzer is on PATH: install cppcheck, gcc "
			       "(10 or newer), clang or clang-tidy");
	return code;
}
