/* SPDX-License-Identifier: MIT */
/* route: the outgoing interface of each packet, by the longest prefix that
 * holds its destination. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lpm4.h"
#include "routes.h"
#include "sluice/stage.h"

/* Packets whose look-ups overlap. */
#define BATCH 64
/* A file whose every line is wrong need not say so in full. */
#define PROBLEMS_MAX 20
/* As much of a bad line is quoted. */
#define QUOTE 48

enum route_drop { ROUTE_NO_ROUTE };

static const char *const route_drops[] = { "no_route", NULL };

struct route {
	struct sl_list routes; /* option */
	const char *routes_file; /* option; may be NULL */

	/* From check to open. */
	bool checked;
	struct route_file file;
	struct route_entries entries;
	size_t problems; /* of the file */
	int last_line; /* of the file in which there is one */

	struct lpm4 *lpm; /* owned */
};

/* A problem of one entry, where it was written. */
static void entry_problem(struct route *route, struct sl_host *host,
			  const struct route_entry *entry, const char *text)
{
	if (entry->value) {
		sl_problem(host, "routes", entry->value, "%s", text);
		return;
	}
	if (entry->line > route->last_line)
		route->last_line = entry->line;
	if (route->problems++ < PROBLEMS_MAX)
		sl_problem_at(host, route->routes_file, entry->line, "%s",
			      text);
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
static bool add_text(struct route *route, struct sl_host *host,
		     const char *text, size_t length, struct route_entry *entry)
{
	char why[ROUTE_WHY], quote[QUOTE + 4], message[QUOTE + ROUTE_WHY + 16];
	const char *wrong = route_entry_parse(text, length, entry, why);

	if (!wrong)
		return route_entries_add(&route->entries, entry);
	quote_text(text, length, quote);
	(void)snprintf(message, sizeof(message), "\"%s\": %s", quote, wrong);
	entry_problem(route, host, entry, message);
	return true;
}

static bool read_list(struct route *route, struct sl_host *host)
{
	for (size_t at = 0; at < route->routes.count; at++) {
		struct route_entry entry = {
			.value = &route->routes.values[at],
		};

		if (!add_text(route, host, entry.value->text,
			      strlen(entry.value->text), &entry))
			return false;
	}
	return true;
}

static bool read_file(struct route *route, struct sl_host *host)
{
	struct sl_error error;
	const char *text;
	size_t length;

	if (strcmp(route->routes_file, "-") == 0) {
		sl_problem(host, "routes_file", NULL,
			   "a file is wanted, not standard input");
		return true;
	}
	if (route_file_read(&route->file, route->routes_file, &error) !=
	    SL_OK) {
		sl_problem(host, "routes_file", NULL, "%s", error.message);
		return true;
	}
	while (route_file_next(&route->file, &text, &length)) {
		struct route_entry entry = { .line = route->file.line };

		if (!add_text(route, host, text, length, &entry))
			return false;
	}
	return true;
}

/* A prefix that leads to two interfaces. */
static void conflict(struct route *route, struct sl_host *host,
		     const struct route_entry *first,
		     const struct route_entry *second)
{
	struct sl_prefix prefix = { .version = 4, .length = second->length };
	char text[SL_ADDRESS_TEXT];
	char message[512];

	prefix.address.v4 = second->address;
	(void)sl_prefix_format(&prefix, text);
	(void)snprintf(message, sizeof(message),
		       "%s leads to \"%.*s\" here, to \"%.*s\" in %s:%d", text,
		       second->nic_length, second->nic, first->nic_length,
		       first->nic,
		       first->value ? first->value->file : route->routes_file,
		       first->value ? first->value->line : first->line);
	entry_problem(route, host, second, message);
}

/* Sort, and keep each prefix once. */
static void unite(struct route *route, struct sl_host *host)
{
	struct route_entries *entries = &route->entries;
	size_t kept = 0;

	route_entries_sort(entries);
	for (size_t at = 0; at < entries->count; at++) {
		const struct route_entry *entry = &entries->rows[at];
		const struct route_entry *last =
			&entries->rows[kept > 0 ? kept - 1 : 0];

		if (kept == 0 || last->address != entry->address ||
		    last->length != entry->length)
			entries->rows[kept++] = *entry;
		else if (!route_entry_same_nic(last, entry))
			conflict(route, host, last, entry);
	}
	entries->count = kept;
}

static void route_check(void *state, struct sl_host *host)
{
	struct route *route = state;
	bool enough_memory;

	route->checked = true;
	route->file.fd = -1;
	if (route->routes.count == 0 && !route->routes_file) {
		sl_problem(host, "routes", NULL,
			   "no route: give routes, or routes_file");
		return;
	}
	enough_memory = read_list(route, host) &&
			(!route->routes_file || read_file(route, host));
	if (!enough_memory) {
		sl_problem(host, "routes", NULL, "out of memory");
		return;
	}
	unite(route, host);
	if (route->problems > PROBLEMS_MAX)
		sl_problem_at(host, route->routes_file, route->last_line,
			      "and %zu more problems up to here",
			      route->problems - PROBLEMS_MAX);
	if (route->entries.count == 0 && route->file.fd >= 0 &&
	    route->problems == 0)
		sl_problem_at(host, route->routes_file, 0, "no route in it");
}

static enum sl_code build_table(struct route *route, struct sl_host *host,
				struct lpm4_route *rows, struct sl_error *error)
{
	const struct route_entries *entries = &route->entries;

	for (size_t at = 0; at < entries->count; at++) {
		const struct route_entry *entry = &entries->rows[at];
		enum sl_code code = sl_names_intern(
			sl_host_nics(host), entry->nic, entry->nic_length,
			&rows[at].next_hop, error);

		if (code != SL_OK)
			return code;
		rows[at].address = entry->address;
		rows[at].length = entry->length;
	}
	route->lpm = lpm4_create(rows, entries->count);
	if (!route->lpm)
		return SL_FAIL(error, SL_ENOMEM, "out of memory for %zu routes",
			       entries->count);
	return SL_OK;
}

/* What only check and open need. */
static void forget_text(struct route *route)
{
	route_entries_finish(&route->entries);
	route_file_finish(&route->file);
}

static enum sl_code route_open(void *state, struct sl_host *host,
			       struct sl_error *error)
{
	struct route *route = state;
	struct lpm4_route *rows;
	enum sl_code code;

	if (route->file.fd >= 0) {
		code = sl_host_claim(host, route->file.fd, route->routes_file,
				     SL_FILE_READ, error);
		if (code != SL_OK)
			return code;
	}
	rows = calloc(route->entries.count + 1, sizeof(*rows));
	if (!rows)
		return SL_FAIL(error, SL_ENOMEM, "out of memory for %zu routes",
			       route->entries.count);
	code = build_table(route, host, rows, error);
	free(rows);
	forget_text(route);
	return code;
}

static void route_close(void *state)
{
	struct route *route = state;

	if (route->checked) /* else fd is not a descriptor yet, but 0 */
		forget_text(route);
	lpm4_destroy(route->lpm);
}

static void route_batch(const struct route *route, struct sl_chunk *chunk,
			uint32_t start, uint32_t count)
{
	uint32_t addresses[BATCH] = { 0 };
	uint16_t nics[BATCH] = { 0 };

	for (uint32_t at = 0; at < count; at++)
		addresses[at] = sl_chunk_packet(chunk, start + at)->dst.v4;
	lpm4_lookup_bulk(route->lpm, addresses, nics, count);
	for (uint32_t at = 0; at < count; at++) {
		struct sl_packet *packet = sl_chunk_packet(chunk, start + at);

		if (SL_LIKELY(nics[at] && packet->ip_version == 4))
			packet->nic_out = nics[at];
		else
			sl_drop(chunk, start + at, ROUTE_NO_ROUTE);
	}
}

static enum sl_code route_process(void *state, struct sl_chunk *chunk,
				  struct sl_error *error)
{
	const struct route *route = state;

	(void)error;
	for (uint32_t start = 0; start < chunk->count; start += BATCH) {
		uint32_t left = chunk->count - start;

		route_batch(route, chunk, start, left < BATCH ? left : BATCH);
	}
	return SL_OK;
}

static const struct sl_option route_options[] = {
	{ .name = "routes",
	  .type = SL_LIST,
	  .element = SL_STRING,
	  .offset = offsetof(struct route, routes),
	  .help = "Routes, \"PREFIX NIC\"." },
	{ .name = "routes_file",
	  .type = SL_PATH,
	  .offset = offsetof(struct route, routes_file),
	  .help = "A file of routes, one PREFIX NIC a line; # starts a "
		  "comment." },
};

static const struct sl_stage route_stage = {
	.size = sizeof(struct sl_stage),
	.state_size = sizeof(struct route),
	.reads = SL_FIELD_ADDRESSES,
	.writes = SL_FIELD_NIC_OUT,
	.drops = route_drops,
	.check = route_check,
	.open = route_open,
	.close = route_close,
	.process = route_process,
};

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_STAGE,
	.name = "route",
	.summary = "the outgoing interface, by longest prefix",
	SL_OPTION_TABLE(route_options),
	.stage = &route_stage,
};
