/* SPDX-License-Identifier: MIT */
/* Reading routes, and saying what is wrong with them. */
#include "table.h"

#include <stdio.h>
#include <string.h>

#include "sluice/name.h"

/* A file whose every line is wrong need not say so in full. */
#define PROBLEMS_MAX 20
/* As much of a bad line is quoted. */
#define QUOTE 48

/* Where a route was written, as a number: the file's line, from 1, or -1 and
 * down for the elements of the list. */
static int32_t place_in_list(size_t index)
{
	return -1 - (int32_t)index;
}

static const struct sl_value *value_at(const struct table *table, int32_t place)
{
	return place < 0 ? &table->list.values[-1 - place] : NULL;
}

/* A problem of one route, where it was written. */
static void report(struct table *table, struct sl_host *host, int32_t place,
		   const char *text)
{
	if (place < 0) {
		sl_problem(host, "routes", value_at(table, place), "%s", text);
		return;
	}
	if (place > table->last_line)
		table->last_line = place;
	if (table->problems++ < PROBLEMS_MAX)
		sl_problem_at(host, table->file.path, place, "%s", text);
}

/* Write what can be printed of a line to @p quote. */
static void quote_text(const char *text, size_t length, char quote[QUOTE + 4])
{
	size_t shown = length;

	if (shown > QUOTE)
		shown = QUOTE;
	for (size_t at = 0; at < shown; at++)
		quote[at] = text[at] >= ' ' && text[at] <= '~' ? text[at] : '?';
	memcpy(quote + shown, length > QUOTE ? "..." : "",
	       length > QUOTE ? 4 : 1);
}

/* @return false: no memory. */
static bool add_text(struct table *table, struct sl_host *host, int32_t place,
		     const char *text, size_t length)
{
	char why[ROUTE_WHY], quote[QUOTE + 4], message[QUOTE + ROUTE_WHY + 16];
	struct route_text route;
	struct sl_error error;
	uint16_t nic;
	const char *wrong = route_text_parse(text, length, &route, why);

	if (!wrong) {
		if (sl_names_intern(sl_host_nics(host), route.nic,
				    route.nic_length, &nic, &error) == SL_OK)
			return routes_add(route.prefix.version == 4
						  ? &table->v4
						  : &table->v6,
					  &route.prefix, nic, place);
		report(table, host, place, error.message);
		return true;
	}
	quote_text(text, length, quote);
	(void)snprintf(message, sizeof(message), "\"%s\": %s", quote, wrong);
	report(table, host, place, message);
	return true;
}

static bool read_list(struct table *table, struct sl_host *host)
{
	for (size_t at = 0; at < table->list.count; at++) {
		const char *text = table->list.values[at].text;

		if (!add_text(table, host, place_in_list(at), text,
			      strlen(text)))
			return false;
	}
	return true;
}

static bool read_file(struct table *table, struct sl_host *host,
		      const char *path)
{
	struct sl_error error;
	const char *text;
	size_t length;
	enum sl_code code;

	if (strcmp(path, "-") == 0) {
		sl_problem(host, "routes_file", NULL,
			   "a file is wanted, not standard input");
		return true;
	}
	code = route_file_open(&table->file, path, &error);
	while (code == SL_OK) {
		code = route_file_next(&table->file, &text, &length, &error);
		if (code == SL_OK &&
		    !add_text(table, host, table->file.line, text, length))
			return false;
	}
	if (code != SL_END)
		sl_problem(host, "routes_file", NULL, "%s", error.message);
	if (code == SL_END && !table->v4.count && !table->v6.count &&
	    !table->problems)
		sl_problem_at(host, path, 0, "no route in it");
	return true;
}

/* A prefix that leads to two interfaces. */
static void conflict(struct table *table, struct sl_host *host,
		     const struct routes *routes, size_t first, size_t second)
{
	const struct sl_names *nics = sl_host_nics(host);
	const struct route_tail *tails[] = { routes_tail(routes, first),
					     routes_tail(routes, second) };
	const struct sl_value *value = value_at(table, tails[0]->place);
	const struct sl_prefix prefix = routes_prefix(routes, second);
	char text[SL_ADDRESS_TEXT];
	char message[512];

	(void)sl_prefix_format(&prefix, text);
	(void)snprintf(message, sizeof(message),
		       "%s leads to \"%s\" here, to \"%s\" in %s:%d", text,
		       sl_names_text(nics, tails[1]->next_hop, NULL),
		       sl_names_text(nics, tails[0]->next_hop, NULL),
		       value ? value->file : table->file.path,
		       value ? value->line : tails[0]->place);
	report(table, host, tails[1]->place, message);
}

/* Sort, and keep each prefix once. @return false: no memory. */
static bool unite(struct table *table, struct sl_host *host,
		  struct routes *routes)
{
	size_t kept = 0;

	if (!routes_sort(routes))
		return false;
	for (size_t at = 0; at < routes->count; at++) {
		if (kept == 0 || !routes_same_prefix(routes, kept - 1, at))
			routes_copy(routes, kept++, at);
		else if (routes_tail(routes, kept - 1)->next_hop !=
			 routes_tail(routes, at)->next_hop)
			conflict(table, host, routes, kept - 1, at);
	}
	routes->count = kept;
	return true;
}

void table_read(struct table *table, struct sl_host *host,
		const struct sl_list *list, const char *path)
{
	bool enough_memory;

	memset(table, 0, sizeof(*table));
	table->list = *list;
	table->file.fd = -1;
	routes_init(&table->v4, 4);
	routes_init(&table->v6, 6);
	enough_memory = read_list(table, host) &&
			(!path || read_file(table, host, path));
	route_file_forget(&table->file);
	enough_memory = enough_memory && unite(table, host, &table->v4) &&
			unite(table, host, &table->v6);
	if (!enough_memory)
		sl_problem(host, "routes", NULL, "out of memory");
	if (table->problems > PROBLEMS_MAX)
		sl_problem_at(host, path, table->last_line,
			      "and %zu more problems up to here",
			      table->problems - PROBLEMS_MAX);
}

void table_finish(struct table *table)
{
	routes_finish(&table->v4);
	routes_finish(&table->v6);
	route_file_finish(&table->file);
}
