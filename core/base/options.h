/* SPDX-License-Identifier: MIT */
/** @file
 * Option tables at work: from a configuration's group to a plugin's state.
 */
#ifndef SL_BASE_OPTIONS_H
#define SL_BASE_OPTIONS_H

#include <libconfig.h>

#include "base/arena.h"
#include "base/problems.h"
#include "sluice/name.h"
#include "sluice/option.h"

/** A table together with the length of its rows, which an older plugin may
 * have shorter than ours. */
struct sl_option_table {
	const struct sl_option *rows;
	size_t count;
	size_t row_size; /**< bytes */
};

/** Row @p at, whatever its size: missing fields are zero. */
struct sl_option sl_option_row(const struct sl_option_table *table, size_t at);

/** A value from the command line: --set INSTANCE.OPTION=VALUE. */
struct sl_override {
	const char *instance; /**< borrowed */
	const char *option; /**< borrowed */
	const char *value; /**< borrowed; a string without quotes, or libconfig
				syntax for lists */
	bool used; /**< an instance has taken it */
};

/** What reading needs beside the table. All borrowed. */
struct sl_option_reader {
	const char *who; /**< stands before each message: `stage "nat"`; "" for
			      the file's own keys */
	const char *file; /**< of settings without one; config->path */
	const char *folder; /**< relative paths start here; as in sl_config */
	int line; /**< of the group, for required options that are missing */
	const char *const *reserved; /**< keys of the group that are not
					  options ("plugin", "name"); NULL at
					  the end */
	struct sl_names *nics; /**< for SL_INTERFACE */
	struct sl_arena *arena; /**< owns lists and joined paths */
	struct sl_problems *problems;
};

/** Fill the fields of @p state from @p group, @p overrides and the defaults.
 *
 * Everything wrong goes to reader->problems, and reading goes on:
 *
 *     p.conf:12: stage "nat": unknown option "external_adress" (did you mean
 *             "external_address"?)            [one line]
 *     p.conf:7: stage "compute1": option "size": 99 is out of range 1 to 16
 *     p.conf:7: stage "compute1": option "size": a string given, an integer
 *             wanted
 *     p.conf:9: stage "nat": option "inside": "10.0.0.1/8": host bits are
 *             set (10.0.0.0/8?)
 *     p.conf:5: stage "nat": option "external_address" is missing
 *     --set nat.timeout=x: stage "nat": option "timeout": "x" is no duration
 *             (like 10ms, 5 s, 2 min)
 *
 * An override replaces what the file says; relative paths in one start at the
 * working directory. @p group may be NULL: only overrides and defaults.
 * @p overrides: those whose instance is @p instance (or @p role, if not NULL:
 * "source", "sink") are taken and marked as used, unknown ones reported.
 * Settings are borrowed from the group: it must outlive the state. */
void sl_options_read(const struct sl_option_table *table,
		     const config_setting_t *group,
		     struct sl_override *overrides, size_t override_count,
		     const char *instance, const char *role,
		     const struct sl_option_reader *reader, void *state);

/** @return the word for a type: "integer", "duration", ... */
const char *sl_option_type_word(enum sl_option_type type);

/** Parse "10ms", "1.5 s", "2min" (ns, us, ms, s, min, h) to ns; a bare number
 * is refused unless it is 0. @return whether all of @p text is one. */
bool sl_duration_parse(const char *text, int64_t *ns);

/** Parse "64KiB", "1 MiB", "2GB", "512" to bytes. */
bool sl_size_parse(const char *text, uint64_t *bytes);

#endif
