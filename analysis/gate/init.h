/* SPDX-License-Identifier: MIT */
/** @file
 * A first .scgate.conf: what a tree has to go by, and the text that says so.
 */
#ifndef SG_GATE_INIT_H
#define SG_GATE_INIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "sluice/buffer.h"
#include "sluice/defs.h"
#include "sluice/error.h"

/** What was found, or left out. */
struct sg_init_note {
	const char *what; /**< "cppcheck 2.10" */
	const char *why; /**< it was left out; NULL: it was taken */
	const struct sg_init_note *next;
};

/** What a tree has. Everything is in the arena; a zeroed struct is empty. */
struct sg_init {
	struct sl_arena arena;
	const char *build; /**< the folder of the compile_commands.json, as the
				configuration names it; NULL: there is none */
	const char *const *sources; /**< patterns, where there is none; NULL at
					 the end */
	const char *const *flags, *const *exclude; /**< NULL at the end */
	const char *const *analyzers; /**< those to run; NULL at the end */
	const char *const *absent; /**< built-in ones that are not; NULL at the
					end */
	const struct sg_init_note *notes; /**< in the order of finding */
	struct sg_init_note *last_note;
};

/** Look around in the work tree @p root (absolute, normalised). @p build: a
 * folder whose compile_commands.json is wanted, absolute and normalised; NULL:
 * the newest is looked for in the root, build*, out and cmake-build-*, and one
 * level below these. SL_EINVAL: @p build has none that can be used; there is
 * neither one nor a tracked source of C or C++; no analyzer is on PATH. */
enum sl_code sg_init_look(struct sg_init *found, const char *root,
			  const char *build,
			  struct sl_error *error) SL_MUST_CHECK;
void sg_init_finish(struct sg_init *found);

/** Append the configuration to @p text, without a NUL. */
enum sl_code sg_init_text(const struct sg_init *found, struct sl_buffer *text,
			  struct sl_error *error) SL_MUST_CHECK;

#endif
