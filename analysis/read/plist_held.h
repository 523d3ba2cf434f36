/* SPDX-License-Identifier: MIT */
/** @file
 * Diagnostics of a property list, held until the list of files is known.
 *
 * A place names its file by a number, and since clang 10 the list of files
 * follows the diagnostics; up to SG_PLIST_HELD_MAX bytes of them are held.
 */
#ifndef SG_READ_PLIST_HELD_H
#define SG_READ_PLIST_HELD_H

#include "base/arena.h"
#include "read/draft.h"

enum { SG_PLIST_HELD_MAX = 64 << 20, SG_PLIST_FILES_MAX = 65536 };

/** Where a value stands: the keys of the dictionaries around it. An array has
 * SG_PLIST_NONE. */
enum sg_plist_key {
	SG_PLIST_NONE = 0,
	SG_PLIST_ANALYZER,
	SG_PLIST_CATEGORY,
	SG_PLIST_CHECK_NAME,
	SG_PLIST_CLANG_VERSION,
	SG_PLIST_COL,
	SG_PLIST_DESCRIPTION,
	SG_PLIST_DIAGNOSTICS,
	SG_PLIST_FILE,
	SG_PLIST_FILES,
	SG_PLIST_ISSUE_CONTEXT,
	SG_PLIST_KIND,
	SG_PLIST_LINE,
	SG_PLIST_LOCATION,
	SG_PLIST_MESSAGE,
	SG_PLIST_METADATA,
	SG_PLIST_NAME,
	SG_PLIST_NOTES,
	SG_PLIST_PATH,
	SG_PLIST_TYPE,
	SG_PLIST_KEYS
};

struct sg_plist_place {
	int64_t file; /**< from 0; -1: none */
	int64_t line, column;
};

struct sg_plist_step {
	struct sg_plist_place place;
	char *message; /**< in the diagnostic's arena; NULL: none */
};

/** All but the steps' array is in its arena. */
struct sg_plist_diagnostic {
	struct sl_arena arena;
	size_t bytes; /**< in the arena, about */
	struct sg_plist_place place;
	char *texts[SG_PLIST_KEYS]; /**< by their keys; NULL: none */
	struct sg_plist_step *steps; /**< owned */
	size_t step_count, step_room;
	struct sg_plist_diagnostic *next;
};

/** Zeroed is empty, but for sg_plist_held_init(). */
struct sg_plist_held {
	struct sg_draft draft;
	struct sg_plist_diagnostic *first, **last; /**< in the report's order */
	size_t bytes;
	bool too_many; /**< some went out without their files */
	struct sl_arena arena; /**< of the files' names */
	char **files; /**< owned; the names are in the arena */
	size_t file_count, file_room, file_bytes;
	bool files_known;
	char tool[64], version[256];
};

SL_MUST_CHECK enum sl_code sg_plist_held_init(struct sg_plist_held *held,
					      sg_finding_fn *take,
					      void *context);
void sg_plist_held_finish(struct sg_plist_held *held);

/** Another document: hand on what is held, forget the files. */
SL_MUST_CHECK enum sl_code sg_plist_restart(struct sg_plist_held *held,
					    struct sl_error *error);

SL_MUST_CHECK enum sl_code sg_plist_add_file(struct sg_plist_held *held,
					     struct sg_span name,
					     struct sl_error *error);

/** The diagnostic is whole: hand it on, or hold it. It is owned by @p held now.
 */
SL_MUST_CHECK enum sl_code sg_plist_add(struct sg_plist_held *held,
					struct sg_plist_diagnostic *diagnostic,
					struct sl_error *error);

/** The list of files is whole, or will not come: hand on what is held. */
SL_MUST_CHECK enum sl_code sg_plist_hand_on(struct sg_plist_held *held,
					    struct sl_error *error);

/** A text of a diagnostic; *to stays as it is if there is no more room. */
SL_MUST_CHECK enum sl_code
sg_plist_keep_text(struct sg_plist_diagnostic *diagnostic, struct sg_span text,
		   char **to, struct sl_error *error);

/** A step of the path; those beyond SG_DRAFT_EVENTS are dropped. */
SL_MUST_CHECK enum sl_code
sg_plist_add_step(struct sg_plist_diagnostic *diagnostic,
		  const struct sg_plist_step *step, struct sl_error *error);

/** Takes NULL. */
void sg_plist_diagnostic_free(struct sg_plist_diagnostic *diagnostic);

#endif
