/* SPDX-License-Identifier: MIT */
/* Words, tables and the counting sort behind prioritize. */
#include "classes.h"

#include <stdlib.h>
#include <string.h>

#include "sluice/name.h"

#define IDS 65536 /* of names, and ports */

/* Digits alone, at most @p max. */
static bool number_parse(const char *text, uint32_t min, uint32_t max,
			 uint16_t *number)
{
	size_t length = strlen(text);
	uint32_t value = 0;

	if (length < 1 || length > 5 || strspn(text, "0123456789") != length)
		return false;
	for (size_t at = 0; at < length; at++)
		value = value * 10 + (uint32_t)(text[at] - '0');
	if (value < min || value > max)
		return false;
	*number = (uint16_t)value;
	return true;
}

static const char *name_parse(const char *text, struct match *match)
{
	size_t length = strlen(text);

	if (length == 0)
		return "a protocol's name must not be empty";
	if (length > SL_NAME_LENGTH)
		return "a protocol's name has at most 15 characters";
	if (strcspn(text, " \t\r\n") != length)
		return "a protocol's name has no blanks";
	match->kind = MATCH_NAME;
	match->number = 0;
	match->name = text;
	return NULL;
}

const char *match_parse(const char *text, struct match *match)
{
	static const struct {
		const char *start;
		enum match_kind kind;
		uint32_t min, max;
		const char *why;
	} forms[] = {
		{ "udp/", MATCH_UDP, 1, 65535, "a port is 1 to 65535" },
		{ "tcp/", MATCH_TCP, 1, 65535, "a port is 1 to 65535" },
		{ "dscp/", MATCH_DSCP, 0, 63, "a DSCP is 0 to 63" },
	};

	if (!strchr(text, '/'))
		return name_parse(text, match);
	for (size_t at = 0; at < sizeof(forms) / sizeof(forms[0]); at++) {
		size_t length = strlen(forms[at].start);

		if (strncmp(text, forms[at].start, length) != 0)
			continue;
		match->kind = forms[at].kind;
		match->name = NULL;
		return number_parse(text + length, forms[at].min, forms[at].max,
				    &match->number)
			       ? NULL
			       : forms[at].why;
	}
	return "it must be a protocol's name, udp/PORT, tcp/PORT or dscp/VALUE";
}

bool match_equal(const struct match *a, const struct match *b)
{
	if (a->kind != b->kind || a->number != b->number)
		return false;
	return a->kind != MATCH_NAME || strcmp(a->name, b->name) == 0;
}

void classes_init(struct classes *classes, uint8_t class_count)
{
	memset(classes, 0, sizeof(*classes));
	classes->rest = class_count;
	memset(classes->by_dscp, class_count, sizeof(classes->by_dscp));
}

void classes_finish(struct classes *classes)
{
	free(classes->by_name);
	free(classes->by_udp_port);
	free(classes->by_tcp_port);
	memset(classes, 0, sizeof(*classes));
}

/* Enter a class into a table of IDS entries, made if it is not there. */
static enum sl_code enter(uint8_t **table, uint8_t rest, uint16_t id,
			  uint8_t class_index, struct sl_error *error)
{
	if (!*table) {
		*table = malloc(IDS);
		if (!*table)
			return SL_FAIL(error, SL_ENOMEM, "out of memory");
		memset(*table, rest, IDS);
	}
	(*table)[id] = classes_first((*table)[id], class_index);
	return SL_OK;
}

enum sl_code classes_add(struct classes *classes, const struct match *match,
			 uint16_t name, uint8_t class_index,
			 struct sl_error *error)
{
	uint8_t rest = classes->rest;

	switch (match->kind) {
	case MATCH_NAME:
		return enter(&classes->by_name, rest, name, class_index, error);
	case MATCH_UDP:
		return enter(&classes->by_udp_port, rest, match->number,
			     class_index, error);
	case MATCH_TCP:
		return enter(&classes->by_tcp_port, rest, match->number,
			     class_index, error);
	case MATCH_DSCP:
		classes->has_dscp = true;
		classes->by_dscp[match->number] = classes_first(
			classes->by_dscp[match->number], class_index);
		return SL_OK;
	}
	return SL_FAIL(error, SL_EINVAL, "no such match: %d", (int)match->kind);
}

/* A counter that was just written is not read at once: packets of one class
 * often follow each other, and each would wait for the one before it. So the
 * packets are dealt with in runs, all of them at the same time, each with
 * counters of its own. */
enum { RUNS = 4 };

void classes_sort(uint16_t *order, const uint8_t *class_at, uint32_t count,
		  uint8_t last_class, uint16_t *sorted)
{
	uint32_t next[CLASSES_MAX + 1][RUNS];
	uint32_t length = count / RUNS; /* of a run; the last has the rest */
	uint32_t start = 0;

	memset(next, 0, (last_class + 1u) * sizeof(*next));
	for (uint32_t at = 0; at < length; at++)
		for (uint32_t run = 0; run < RUNS; run++)
			next[class_at[run * length + at]][run]++;
	for (uint32_t at = RUNS * length; at < count; at++)
		next[class_at[at]][RUNS - 1]++;
	for (uint32_t class_index = 0; class_index <= last_class;
	     class_index++) {
		for (uint32_t run = 0; run < RUNS; run++) {
			uint32_t members = next[class_index][run];

			next[class_index][run] = start;
			start += members;
		}
	}
	for (uint32_t at = 0; at < length; at++)
		for (uint32_t run = 0; run < RUNS; run++)
			sorted[next[class_at[run * length + at]][run]++] =
				order[run * length + at];
	for (uint32_t at = RUNS * length; at < count; at++)
		sorted[next[class_at[at]][RUNS - 1]++] = order[at];
	memcpy(order, sorted, count * sizeof(*order));
}
