/* SPDX-License-Identifier: MIT */
/** @file
 * Routes as people write them: "PREFIX NIC", in a list or in a file.
 */
#ifndef ROUTE_ROUTES_H
#define ROUTE_ROUTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/defs.h"
#include "sluice/error.h"
#include "sluice/option.h"

/** Room for an explanation. */
#define ROUTE_WHY 128

struct route_entry {
	uint32_t address; /**< host order */
	uint8_t length; /**< of the prefix */
	uint8_t nic_length;
	int line; /**< in the file; 0: from the list */
	const char *nic; /**< borrowed from the text; no NUL behind it */
	const struct sl_value *value; /**< the list's element, or NULL */
};

/** A zeroed struct is empty. */
struct route_entries {
	struct route_entry *rows; /**< owned */
	size_t count, capacity;
};

/** Parse "PREFIX NIC" into prefix and nic; the other members are untouched.
 * @return NULL, or what is wrong, in words to print, which may be @p why
 * (ROUTE_WHY bytes). */
const char *route_entry_parse(const char *text, size_t length,
			      struct route_entry *entry,
			      char *why) SL_MUST_CHECK;

bool route_entry_same_nic(const struct route_entry *a,
			  const struct route_entry *b);

/** @return false: no memory. */
bool route_entries_add(struct route_entries *entries,
		       const struct route_entry *entry) SL_MUST_CHECK;

/** By address and length; those of one prefix in the order they came in:
 * the list's, then by line. */
void route_entries_sort(struct route_entries *entries);
void route_entries_finish(struct route_entries *entries);

/** A file of routes: a line "PREFIX NIC", '#' and what follows is a comment,
 * blank lines are skipped. Zero it, set fd to -1. */
struct route_file {
	char *text; /**< owned; entries point into it */
	size_t length;
	size_t at; /**< where the next line starts */
	int line; /**< of the line returned last, from 1 */
	int fd; /**< owned; -1: closed */
};

/** Read all of @p path and keep it open, so that it can be claimed. */
enum sl_code route_file_read(struct route_file *file, const char *path,
			     struct sl_error *error) SL_MUST_CHECK;

/** The next line that holds something, without its comment and the blanks
 * around it. @return false: there is none. */
bool route_file_next(struct route_file *file, const char **text,
		     size_t *length);
void route_file_finish(struct route_file *file);

#endif
