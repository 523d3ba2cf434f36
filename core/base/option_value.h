/* SPDX-License-Identifier: MIT */
/** @file
 * One value of one option, from a setting or from text.
 *
 * Everything that the value points to is copied to the reader's arena.
 */
#ifndef SL_BASE_OPTION_VALUE_H
#define SL_BASE_OPTION_VALUE_H

#include <stdbool.h>

#include "base/options.h"

/** What the value is for and where it is written. All borrowed. */
struct sl_value_context {
	const struct sl_option_reader *reader;
	const struct sl_option *option;
	const char *file; /**< of the value, or of settings that say none */
	int line; /**< of a value from text; 0: none */
	const char *folder; /**< relative paths start here */
	const char *origin; /**< stands before complaints: "", "default: " */
};

/** Read a value of the option's type. What is wrong with it goes to the
 * reader's problems. @return whether @p value was set. */
bool sl_value_from_setting(const struct sl_value_context *context,
			   const config_setting_t *setting,
			   struct sl_value *value);

/** As above, from what a user wrote behind `--set ...=` or an author as
 * default: a scalar's text as it is, with or without double quotes; a list in
 * libconfig's syntax. */
bool sl_value_from_text(const struct sl_value_context *context,
			const char *text, struct sl_value *value);

/** Report @p fmt as the option's problem, at the context's place. */
void sl_value_problem(const struct sl_value_context *context, const char *file,
		      int line, const char *fmt, ...) SL_PRINTF(4, 5);

#endif
