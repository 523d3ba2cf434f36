/* SPDX-License-Identifier: MIT */
/* The hooks' scripts, put together from gate/hooks/. */
#include "gate/hook.h"

#include "gate/text.h"

/* Embedded by the build. */
extern const char sg_hook_begin[], sg_hook_staged[], sg_hook_pushed[];

const char *const sg_hook_names[] = {
	[SG_HOOK_PRE_COMMIT] = "pre-commit",
	[SG_HOOK_PRE_MERGE_COMMIT] = "pre-merge-commit",
	[SG_HOOK_PRE_PUSH] = "pre-push",
	[SG_HOOKS] = NULL,
};

/* NAME='...', as a shell reads it. */
static enum sl_code assign(struct sl_buffer *text, const char *name,
			   const char *value, struct sl_error *error)
{
	enum sl_code code = sg_text_say(text, name, error);

	if (code == SL_OK)
		code = sg_text_say(text, "='", error);
	for (; code == SL_OK && *value; value++)
		code = *value == '\'' ? sg_text_say(text, "'\\''", error)
				      : sg_text_put(text, value, 1, error);
	return code == SL_OK ? sg_text_say(text, "'\n", error) : code;
}

enum sl_code sg_hook_script(enum sg_hook hook, const char *program,
			    struct sl_buffer *text, struct sl_error *error)
{
	static const char *const passed_by[] = {
		[SG_HOOK_PRE_COMMIT] = "commit",
		[SG_HOOK_PRE_MERGE_COMMIT] = "merge",
		[SG_HOOK_PRE_PUSH] = "push",
	};
	/* by its own name, for the pre-commit framework renames ours */
	const char *const parts[] = {
		"before=${0%/*}/",
		sg_hook_names[hook],
		".before-scgate\n",
		sg_hook_begin,
		hook == SG_HOOK_PRE_PUSH ? sg_hook_pushed : sg_hook_staged,
	};
	enum sl_code code =
		sg_text_say(text, "#!/bin/sh\n" SG_HOOK_MARK, error);

	if (code == SL_OK)
		code = assign(text, "installed", program ? program : "", error);
	if (code == SL_OK)
		code = assign(text, "passed_by", passed_by[hook], error);
	for (size_t at = 0;
	     code == SL_OK && at < sizeof(parts) / sizeof(parts[0]); at++)
		code = sg_text_say(text, parts[at], error);
	return code;
}
