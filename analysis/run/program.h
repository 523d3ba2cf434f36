/* SPDX-License-Identifier: MIT */
/** @file
 * Programs along PATH.
 */
#ifndef SG_RUN_PROGRAM_H
#define SG_RUN_PROGRAM_H

#include "base/arena.h"

/** Find the file that a shell would run as @p name: as it is if it holds a '/',
 * else along PATH, whose relative folders start at the current one. *path: in
 * @p arena, absolute unless @p name held a '/'. @return 0; or errno: ENOENT,
 * EACCES (it is there, but must not be run), ENOMEM. */
int sg_program_search(const char *name, struct sl_arena *arena,
		      const char **path);

/** Find a program as sg_program_search(). @return its path, with symlinks
 * resolved, in @p arena; NULL: there is none. */
const char *sg_program_find(const char *name, struct sl_arena *arena);

#endif
