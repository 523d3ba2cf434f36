/* SPDX-License-Identifier: MIT */
#include "repository.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <unistd.h>

char test_folder[64];

static const char preamble[] =
	"export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null\n"
	"init() { git init -q \"$@\" . && git config user.name T &&\n"
	"git config user.email t@example.invalid; }\n"
	"set -e\n";

int make_test_folder(void **state)
{
	(void)state;
	snprintf(test_folder, sizeof(test_folder), "/tmp/sg_run.XXXXXX");
	return mkdtemp(test_folder) ? 0 : -1;
}

int remove_test_folder(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", test_folder);
	return system(command);
}

/* Run a script whose output, with that of a shell that fails, goes to @p out,
 * a file beside the folder's own. */
static int run(const char *script, const char *out)
{
	size_t room = strlen(script) + 1024;
	char *command = malloc(room);
	int status;

	assert_non_null(command);
	snprintf(command, room, "exec >%s 2>&1\ncd %s\n%s%s", out, test_folder,
		 preamble, script);
	status = system(command);
	free(command);
	return status;
}

static void read_file(const char *path, char *text, size_t room)
{
	FILE *file = fopen(path, "r");
	size_t length;

	assert_non_null(file);
	length = fread(text, 1, room - 1, file);
	text[length] = '\0';
	fclose(file);
}

void expect_output(const char *script, const char *expected)
{
	char out[80], text[8192];
	int status;

	snprintf(out, sizeof(out), "%s.out", test_folder);
	status = run(script, out);
	read_file(out, text, sizeof(text));
	unlink(out);
	if (status != 0)
		fail_msg("a script failed: %s\n%s", script, text);
	if (expected)
		assert_string_equal(text, expected);
}

void shell(const char *script)
{
	expect_output(script, NULL);
}
