/* SPDX-License-Identifier: MIT */
/* rev-parse, and a look at what it says. */
#include "run/revision.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/git.h"

bool sg_is_object_id(const char *text)
{
	size_t digits = strspn(text, "0123456789abcdef");

	return !text[digits] && digits >= 40;
}

enum sl_code sg_revision_find(const char *folder, const char *revision,
			      char **commit, struct sl_error *error)
{
	size_t room = strlen(revision) + sizeof("^{commit}");
	char *name = malloc(room);
	const char *const command[] = { "rev-parse", "--verify",
					"--quiet",   "--end-of-options",
					name,        NULL };
	enum sl_code code;

	*commit = NULL;
	if (!name)
		return SL_FAIL(error, SL_ENOMEM, "no memory for sources");
	snprintf(name, room, "%s^{commit}", revision);
	code = sg_git_line(folder, command, commit, error);
	free(name);
	/* "^HEAD" is verified, too, and is no commit */
	if (*commit && !sg_is_object_id(*commit)) {
		free(*commit);
		*commit = NULL;
	}
	return code;
}
