/* SPDX-License-Identifier: MIT */
/** @file
 * From what the options say to sorted routes, with all that is wrong reported.
 */
#ifndef ROUTE_TABLE_H
#define ROUTE_TABLE_H

#include "route_text.h"
#include "routes.h"
#include "sluice/host.h"
#include "sluice/option.h"

struct table {
	struct sl_list list; /**< the option `routes`, borrowed */
	struct route_file file; /**< open, if there is one, until finished */
	struct routes v4, v6; /**< sorted, each prefix once */
	size_t problems; /**< of the file */
	int last_line; /**< of the file in which there is one */
};

/** Set up @p table, zeroed or not, and read the list and the file (NULL:
 * none); for check(). */
void table_read(struct table *table, struct sl_host *host,
		const struct sl_list *list, const char *path);
void table_finish(struct table *table);

#endif
