/* SPDX-License-Identifier: MIT */
/** @file
 * A frame of a sanitizer's stack:
 * `#1 0x55 in f(int) /x/a.c:3:12`, `#0 main a.c:4 (t+0xd01)`,
 * `#2 0x7f (lib.so+0x12)`.
 */
#ifndef SG_READ_STACK_H
#define SG_READ_STACK_H

#include <stdbool.h>

#include "read/lines.h"

struct sg_frame {
	struct sg_span function, path; /**< empty: not known */
	int64_t line, column;
	bool first; /**< #0 */
	bool users; /**< in a file that is neither the sanitizer's runtime nor
		       the C or C++ library's */
};

/** @return whether the line is a frame. */
bool sg_frame_parse(struct sg_span line, struct sg_frame *frame);

#endif
