/* SPDX-License-Identifier: MIT */
/** @file
 * A shell's command line, split into words.
 */
#ifndef SG_RUN_SHELL_H
#define SG_RUN_SHELL_H

#include <stddef.h>

#include "run/list.h"
#include "sluice/error.h"

/** Split @p text as a POSIX shell would: blanks and newlines part words,
 * single quotes, double quotes and backslashes hold them together (XCU 2.2).
 * Nothing is expanded; `;`, `|`, `$`, `#` and the like are letters. Appends to
 * @p list. SL_EINVAL: a quote is not closed; SL_ENOMEM. */
enum sl_code sg_shell_split(const char *text, struct sg_list *list,
			    struct sl_error *error) SL_MUST_CHECK;

#endif
