/* SPDX-License-Identifier: MIT */
/** @file
 * The keys of .scgate.conf as option tables: one row serves parsing, checking,
 * messages and docs/scgate-check.md. The inside of gate/config.h.
 */
#ifndef SG_GATE_CONFIG_OPTIONS_H
#define SG_GATE_CONFIG_OPTIONS_H

#include "base/options.h"

/** What a choice is when it is not given. */
#define SG_NOT_GIVEN (-1)

/** The file's own keys. */
struct sg_config_given {
	int policy; /**< enum sg_policy */
	int lowest; /**< into sg_lowest_names */
	const char *build;
	struct sl_list sources;
	const char *compiler;
	struct sl_list flags, exclude;
	const char *suppressions;
	bool variants;
	bool new_suppressions;
	int inline_suppressions; /**< enum sg_inline */
	const char *baseline;
	int64_t hook_budget, timeout; /**< ns */
	int64_t jobs;
};

/** Those of one in "analyzers". */
struct sg_analyzer_given {
	const char *name;
	struct sl_list add, command, languages, files, statuses, version;
	const char *format;
	int output; /**< enum sg_analyzer_output */
	int64_t timeout; /**< ns; SG_NOT_GIVEN */
	bool once;
};

/** Those of one in "paths". */
struct sg_path_given {
	const char *path;
	int policy, lowest; /**< as above; SG_NOT_GIVEN */
};

/** "info", ..., "error"; NULL at the end. The first is SG_INFO. */
extern const char *const sg_lowest_names[];

extern const struct sl_option_table sg_config_options;
extern const struct sl_option_table sg_analyzer_options;
extern const struct sl_option_table sg_path_options;

/** The keys of the file that are no options, but lists of groups; NULL at the
 * end. */
extern const char *const sg_config_groups[];

#endif
