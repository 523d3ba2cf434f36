/* SPDX-License-Identifier: MIT */
/** @file
 * scgate's commands, one a file.
 */
#ifndef SCGATE_H
#define SCGATE_H

/** scgate's exit codes. */
enum {
	EXIT_PASS = 0,
	EXIT_REJECTED = 1,
	EXIT_USAGE = 2, /**< or not to be opened, or no report */
	EXIT_INCOMPLETE = 3,
};

/** Each takes what stands behind "scgate", its own name first, and returns an
 * exit code. */
typedef int scgate_command(int argc, char **argv);
scgate_command scgate_read;
scgate_command scgate_import;
scgate_command scgate_runs;
scgate_command scgate_prune;
scgate_command scgate_query;
scgate_command scgate_sql;
scgate_command scgate_show;
scgate_command scgate_diff;
scgate_command scgate_suppress;
scgate_command scgate_check;
scgate_command scgate_baseline;
scgate_command scgate_hook;
scgate_command scgate_init;
scgate_command scgate_export;

#endif
