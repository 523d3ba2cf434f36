/* SPDX-License-Identifier: MIT */
/** @file
 * What all commands do alike: their options, and how they complain of them.
 *
 *     const struct scgate_option options[] = {
 *             { "db", SCGATE_TEXT, &db },
 *             { "list", SCGATE_FLAG, &is_list },
 *             { NULL, SCGATE_FLAG, NULL },
 *     };
 *     int code = scgate_parse("query", help, options, argc, argv);
 *
 *     if (code >= 0)
 *             return code;
 *     argc -= optind; argv += optind;
 */
#ifndef SCGATE_COMMAND_H
#define SCGATE_COMMAND_H

#include "sluice/error.h"

enum scgate_option_kind {
	SCGATE_FLAG, /**< a bool, which becomes true */
	SCGATE_TEXT, /**< a const char *, borrowed from argv */
	SCGATE_ROWS, /**< a const struct sg_rows_writer *, by its name */
	SCGATE_FORMAT, /**< a const struct sg_format *, by its name */
	SCGATE_COUNT, /**< an int64_t, from 0 */
};

struct scgate_option {
	const char *name; /**< without its dashes; NULL: the table ends */
	enum scgate_option_kind kind;
	void *to; /**< as the kind says; borrowed */
};

/** Parse the options of "scgate COMMAND"; --help prints @p help. Behind it
 * `optind` is the first argument that is none.
 * @return -1: go on; else the exit code, and all is said. */
int scgate_parse(const char *command, const char *help,
		 const struct scgate_option *options, int argc, char **argv);

/** Say how a command was misused, and where help is. @p what: the argument that
 * is wrong; may be NULL. @return EXIT_USAGE. */
int scgate_misused(const char *command, const char *message, const char *what);

/** Say that no @p kind ("output") is called @p given, and which are @p known:
 * their names, NULL at the end. @return EXIT_USAGE. */
int scgate_unknown(const char *command, const char *kind, const char *given,
		   const char *const *known);

/** The same of a report's format. @return EXIT_USAGE. */
int scgate_unknown_format(const char *command, const char *given);

/** Complain of @p error unless @p code is SL_OK. @return the exit code: what
 * the user asked for is wrong (2), or it could not be done (3). */
int scgate_exit(const char *command, enum sl_code code,
		const struct sl_error *error);

#endif
