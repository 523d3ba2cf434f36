/* SPDX-License-Identifier: MIT */
/** @file
 * The file of --stats, opened before the run so that it fails early.
 */
#ifndef REPORT_FILE_H
#define REPORT_FILE_H

#include <stdbool.h>

#include "sluice/defs.h"
#include "sluice/error.h"
#include "sluice/stats.h"

struct report_file {
	const char *path; /**< borrowed; "-": standard output; NULL: none */
	int fd;
	bool created;
};

/** SL_EIO. */
enum sl_code report_open(struct report_file *report,
			 struct sl_error *error) SL_MUST_CHECK;

/** Nothing ran: leave no empty file behind. */
void report_withdraw(const struct report_file *report);

/** Write the figures, in place of what was there, and close; a file has all of
 * them or none. SL_EIO, SL_ENOMEM. */
enum sl_code report_write(const struct report_file *report,
			  const struct sl_stats *stats,
			  struct sl_error *error) SL_MUST_CHECK;

#endif
