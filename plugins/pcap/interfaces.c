/* SPDX-License-Identifier: MIT */
/* Tables of interfaces, a chain of them from the oldest in use to the one that
 * the input stands in. */
#include "interfaces.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CAPACITY_FIRST = 4 };

static enum sl_code append_table(struct interfaces *interfaces, uint64_t chunk,
				 uint32_t capacity, struct sl_error *error)
{
	struct interface_table *table =
		calloc(1, sizeof(*table) + capacity * sizeof(table->of[0]));

	if (!table)
		return SL_FAIL(error, SL_ENOMEM, "no memory for %u interfaces",
			       (unsigned)capacity);
	table->capacity = capacity;
	if (interfaces->current) {
		interfaces->current->next = table;
		interfaces->current->last_chunk = chunk;
	} else {
		interfaces->oldest = table;
	}
	interfaces->current = table;
	return SL_OK;
}

enum sl_code interfaces_begin(struct interfaces *interfaces, uint64_t chunk,
			      struct sl_error *error)
{
	return append_table(interfaces, chunk, CAPACITY_FIRST, error);
}

static void copy_interface(struct interface *to, const struct interface *from)
{
	to->clock = from->clock;
	to->snaplen = from->snaplen;
	to->link_type = from->link_type;
	to->link = from->link;
	memcpy(to->name, from->name, sizeof(to->name));
}

/* The ids are not taken over: commit may be about to write them. */
static enum sl_code grow(struct interfaces *interfaces, uint64_t chunk,
			 struct sl_error *error)
{
	const struct interface_table *from = interfaces->current;
	enum sl_code code;

	if (from->count == INTERFACES_MAX)
		return SL_FAIL(error, SL_ENOSPC, "more than %u interfaces",
			       (unsigned)INTERFACES_MAX);
	code = append_table(interfaces, chunk, from->capacity * 4, error);
	if (code != SL_OK)
		return code;
	for (uint32_t at = 0; at < from->count; at++)
		copy_interface(&interfaces->current->of[at], &from->of[at]);
	interfaces->current->count = from->count;
	return SL_OK;
}

enum sl_code interfaces_add(struct interfaces *interfaces, uint64_t chunk,
			    const struct interface *interface,
			    struct sl_error *error)
{
	struct interface *added;
	enum sl_code code = SL_OK;

	if (interfaces->current->count == interfaces->current->capacity)
		code = grow(interfaces, chunk, error);
	if (code != SL_OK)
		return code;
	added = &interfaces->current->of[interfaces->current->count];
	copy_interface(added, interface);
	if (!added->name[0])
		snprintf(added->name, sizeof(added->name), "if%u",
			 (unsigned)interfaces->current->count);
	interfaces->current->count++;
	return SL_OK;
}

static void drop_oldest(struct interfaces *interfaces)
{
	struct interface_table *table = interfaces->oldest;

	interfaces->oldest = table->next;
	free(table);
}

void interfaces_forget(struct interfaces *interfaces, uint64_t chunk)
{
	while (interfaces->oldest != interfaces->current &&
	       interfaces->oldest->last_chunk < chunk)
		drop_oldest(interfaces);
}

void interfaces_finish(struct interfaces *interfaces)
{
	while (interfaces->oldest)
		drop_oldest(interfaces);
	interfaces->current = NULL;
}
