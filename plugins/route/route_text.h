/* SPDX-License-Identifier: MIT */
/** @file
 * Routes as people write them: "PREFIX NIC", in a list or in a file.
 */
#ifndef ROUTE_ROUTE_TEXT_H
#define ROUTE_ROUTE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/address.h"
#include "sluice/defs.h"
#include "sluice/error.h"

/** Room for an explanation. */
#define ROUTE_WHY 128

struct route_text {
	struct sl_prefix prefix;
	const char *nic; /**< borrowed from the text; no NUL behind it */
	size_t nic_length;
};

/** Parse "PREFIX NIC". @return NULL, or what is wrong, in words to print, which
 * may be @p why (ROUTE_WHY bytes). */
const char *route_text_parse(const char *text, size_t length,
			     struct route_text *route, char *why) SL_MUST_CHECK;

/** A file of routes: a line "PREFIX NIC", '#' and what follows is a comment,
 * blank lines are skipped. Zero it, set fd to -1. */
struct route_file {
	const char *path; /**< borrowed */
	char *text; /**< owned: the part that is being read */
	size_t at, length; /**< of it: the next line, the end of what is there
			    */
	uint64_t bytes; /**< read so far */
	int line; /**< of the line returned last, from 1 */
	int fd; /**< owned; -1: closed */
	bool ended;
};

enum sl_code route_file_open(struct route_file *file, const char *path,
			     struct sl_error *error) SL_MUST_CHECK;

/** The next line that holds something, without its comment and the blanks
 * around it, borrowed until the next call. @return SL_END: there is none;
 * SL_EIO; SL_ENOSPC: a line or the file is too long. */
enum sl_code route_file_next(struct route_file *file, const char **text,
			     size_t *length,
			     struct sl_error *error) SL_MUST_CHECK;

/** Free what only reading needs; the file stays open, to be claimed. */
void route_file_forget(struct route_file *file);
void route_file_finish(struct route_file *file);

#endif
