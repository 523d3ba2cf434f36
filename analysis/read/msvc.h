/* SPDX-License-Identifier: MIT */
/** @file
 * What the msvc reader's two files share: lines of the compiler, and lines of
 * Visual C++'s debug heap in the output of the program.
 */
#ifndef SG_READ_MSVC_H
#define SG_READ_MSVC_H

#include "read/diagnostic.h"
#include "read/textlog.h"

struct sg_msvc {
	struct sg_textlog log; /**< first */
	bool leaks_said; /**< the open finding is "Detected memory leaks!" */
	bool heap; /**< the open finding is the debug heap's */
};

/** `path(12)`, `path(12,5)`, `path(12,5,13,9)` and the colon behind. @return
 * the bytes that they take; 0: no place. */
size_t sg_msvc_place(struct sg_span line, struct sg_diagnostic *found);

/** A line of the debug heap. *done: it was one. */
enum sl_code sg_msvc_heap_line(struct sg_msvc *msvc, struct sg_span line,
			       bool *done,
			       struct sl_error *error) SL_MUST_CHECK;

/** @return whether the debug heap writes such lines, for a sniffer. */
bool sg_msvc_is_heap_line(struct sg_span line);

#endif
