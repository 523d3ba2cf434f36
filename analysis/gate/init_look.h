/* SPDX-License-Identifier: MIT */
/** @file
 * The parts of looking around. The inside of gate/init.h.
 */
#ifndef SG_GATE_INIT_LOOK_H
#define SG_GATE_INIT_LOOK_H

#include "gate/init.h"
#include "run/units.h"

/** A list of texts in an arena. */
struct sg_init_list {
	struct sl_arena *arena;
	const char **texts; /**< NULL at the end, once there is one */
	size_t count, capacity;
};

/** Add @p text, borrowed, unless it is there. SL_ENOMEM. */
enum sl_code sg_init_add(struct sg_init_list *list, const char *text,
			 struct sl_error *error) SL_MUST_CHECK;

/** @return the list's texts, NULL at the end. */
const char *const *sg_init_texts(const struct sg_init_list *list);

/** Note that @p what was found, or, if @p why is not NULL, left out. Both in
 * the arena or constant; a @p what of NULL is a lack of memory. */
enum sl_code sg_init_note(struct sg_init *found, const char *what,
			  const char *why,
			  struct sl_error *error) SL_MUST_CHECK;

/** Find and read the database; *units is empty if there is none. */
enum sl_code sg_init_database(struct sg_init *found, const char *root,
			      const char *build, struct sg_units *units,
			      struct sl_error *error) SL_MUST_CHECK;

/** Look at the tracked sources: what to exclude, and which are in no unit; or,
 * without a database, patterns of them. */
enum sl_code sg_init_sources(struct sg_init *found, const char *root,
			     const struct sg_units *units,
			     struct sl_error *error) SL_MUST_CHECK;

/** Find the built-in analyzers along PATH. */
enum sl_code sg_init_tools(struct sg_init *found,
			   struct sl_error *error) SL_MUST_CHECK;

#endif
