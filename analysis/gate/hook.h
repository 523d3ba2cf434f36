/* SPDX-License-Identifier: MIT */
/** @file
 * Hooks of git that run the gate. A hook that was there before is kept beside
 * ours, as NAME.before-scgate, and runs first: with its arguments, its standard
 * input and, where it is a script of sh, its own $0; if it fails, so does the
 * hook.
 */
#ifndef SG_GATE_HOOK_H
#define SG_GATE_HOOK_H

#include <stdbool.h>

#include "sluice/buffer.h"
#include "sluice/defs.h"
#include "sluice/error.h"

enum sg_hook {
	SG_HOOK_PRE_COMMIT,
	SG_HOOK_PRE_MERGE_COMMIT,
	SG_HOOK_PRE_PUSH,
	SG_HOOKS,
};

/** "pre-commit", ...; NULL at the end. */
extern const char *const sg_hook_names[];

enum sg_hook_state {
	SG_HOOK_NONE, /**< there is no such hook */
	SG_HOOK_OTHER, /**< there is one that is not ours */
	SG_HOOK_OURS,
	SG_HOOK_LEGACY, /**< the pre-commit framework came later, and runs
			     ours as NAME.legacy */
};

struct sg_hook_seen {
	enum sg_hook_state state;
	bool has_before; /**< an older hook is kept beside it */
};

/** Find the folder of the hooks of the work tree @p root. *folder: absolute,
 * owned. SL_EINVAL: core.hooksPath is outside of the repository, where a hook
 * of ours would run for others too; SL_EIO; SL_ENOMEM. */
enum sl_code sg_hook_folder(const char *root, char **folder,
			    struct sl_error *error) SL_MUST_CHECK;

enum sl_code sg_hook_look(const char *folder, enum sg_hook hook,
			  struct sg_hook_seen *seen,
			  struct sl_error *error) SL_MUST_CHECK;

/** Install a hook, or make it anew; *was says what was there. The folder is
 * made if it is not there. @p program: the absolute path of scgate, for when
 * PATH has none; NULL: not known. SL_EINVAL: a hook of others is there, and
 * another one is kept already; SL_EIO; SL_ENOMEM. */
enum sl_code sg_hook_install(const char *folder, enum sg_hook hook,
			     const char *program, struct sg_hook_seen *was,
			     struct sl_error *error) SL_MUST_CHECK;

/** Take our hook out, and put the one that was there before back, as it was.
 * *was says what was there. SL_EINVAL: ours is SG_HOOK_LEGACY. */
enum sl_code sg_hook_uninstall(const char *folder, enum sg_hook hook,
			       struct sg_hook_seen *was,
			       struct sl_error *error) SL_MUST_CHECK;

/** Append the script of a hook to @p text, without a NUL. */
enum sl_code sg_hook_script(enum sg_hook hook, const char *program,
			    struct sl_buffer *text,
			    struct sl_error *error) SL_MUST_CHECK;

/** The second line of each script, by which ours are known. */
#define SG_HOOK_MARK \
	"# Made by \"scgate hook install\"; \"scgate hook uninstall\" takes " \
	"it out again.\n"

#endif
