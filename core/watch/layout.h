/* SPDX-License-Identifier: MIT */
/** @file
 * What `runpipe top` shows, on a screen in memory.
 */
#ifndef SL_WATCH_LAYOUT_H
#define SL_WATCH_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "watch/list.h"
#include "watch/screen.h"

/** Below that there is only a line that says so. */
#define SL_LAYOUT_ROWS 24
#define SL_LAYOUT_COLUMNS 80

/** What the user has set. */
struct sl_look {
	double interval_s;
	bool paused, help;
	bool table; /**< a pipeline, too, as a table of its counters */
	size_t scroll; /**< rows of a list that are above its window; made
			    smaller when that is beyond its end */
};

/** Draw everything anew. SL_ENOMEM. */
enum sl_code sl_layout(struct sl_screen *screen, struct sl_watch_list *list,
		       struct sl_look *look,
		       struct sl_error *error) SL_MUST_CHECK;

#endif
