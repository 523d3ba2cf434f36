/* SPDX-License-Identifier: MIT */
/** @file
 * What of a source text keeps analyzers quiet: part of run/includes.h.
 */
#ifndef SG_RUN_SILENCES_H
#define SG_RUN_SILENCES_H

#include <stdbool.h>
#include <stddef.h>

#include "sluice/buffer.h"
#include "sluice/defs.h"
#include "sluice/error.h"

/** A place that silences; offsets in the text. */
struct sg_silence {
	size_t at; /**< of its first byte */
	size_t words; /**< of what it says */
	const char *what; /**< what is written before that; static */
	bool quoted; /**< it stands in a string */
};

/** A zeroed struct is empty. */
struct sg_silences {
	struct sg_silence *found; /**< owned */
	size_t count, room;
};

void sg_silences_finish(struct sg_silences *silences);

enum sl_code sg_silences_add(struct sg_silences *silences,
			     const struct sg_silence *silence,
			     struct sl_error *error) SL_MUST_CHECK;

/** Add those of cppcheck in the comment from @p at to @p end. */
enum sl_code sg_silences_in_comment(struct sg_silences *silences,
				    const char *text, size_t at, size_t end,
				    struct sl_error *error) SL_MUST_CHECK;

/** Add those of clang-tidy, in all of the text: it does not ask whether it is
 * in a comment. */
enum sl_code sg_silences_of_tidy(struct sg_silences *silences, const char *text,
				 size_t length,
				 struct sl_error *error) SL_MUST_CHECK;

/** Append a line each to @p out, by place. */
enum sl_code sg_silences_write(struct sg_silences *silences, const char *text,
			       size_t length, struct sl_buffer *out,
			       struct sl_error *error) SL_MUST_CHECK;

#endif
