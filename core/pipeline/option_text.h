/* SPDX-License-Identifier: MIT */
/** @file
 * An option in words, for lists and manual pages.
 */
#ifndef SL_PIPELINE_OPTION_TEXT_H
#define SL_PIPELINE_OPTION_TEXT_H

#include <stddef.h>

#include "sluice/option.h"

/** Write "list of lists of strings", cut to @p size bytes. */
void sl_option_type_text(const struct sl_option *option, char *text,
			 size_t size);

/** Write "1 to 16 queens", "stop, skip", or nothing. */
void sl_option_allowed_text(const struct sl_option *option, char *text,
			    size_t size);

#endif
