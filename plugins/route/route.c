/* SPDX-License-Identifier: MIT */
/* route: the outgoing interface of each packet, by the longest prefix that
 * holds its destination, and one off its TTL or hop limit. */
#include "lpm4.h"
#include "lpm6.h"
#include "sluice/stage.h"
#include "table.h"

/* Packets whose look-ups overlap. */
#define BATCH 64

enum route_drop { ROUTE_NO_ROUTE, ROUTE_TTL_EXPIRED, ROUTE_MALFORMED };

static const char *const route_drops[] = { "no_route", "ttl_expired",
					   "malformed", NULL };

struct route {
	struct sl_list routes; /* option */
	const char *routes_file; /* option; may be NULL */
	bool decrement_ttl; /* option */

	bool checked;
	struct table table; /* from check to open */
	struct lpm4 *lpm4; /* owned; NULL: no routes */
	struct lpm6 *lpm6;
};

static void route_check(void *state, struct sl_host *host)
{
	struct route *route = state;

	if (route->routes.count == 0 && !route->routes_file) {
		sl_problem(host, "routes", NULL,
			   "no route: give routes, or routes_file");
		return;
	}
	route->checked = true;
	table_read(&route->table, host, &route->routes, route->routes_file);
}

/* Build both tables, and forget the routes of each at once: a million are
 * worth it. */
static enum sl_code build_tables(struct route *route, struct sl_error *error)
{
	struct routes *v4 = &route->table.v4, *v6 = &route->table.v6;
	size_t count = v4->count + v6->count;

	if (v4->count) {
		route->lpm4 = lpm4_create(v4);
		if (!route->lpm4)
			return SL_FAIL(error, SL_ENOMEM,
				       "out of memory for %zu routes", count);
		routes_finish(v4);
	}
	if (v6->count) {
		route->lpm6 = lpm6_create(v6);
		if (!route->lpm6)
			return SL_FAIL(error, SL_ENOMEM,
				       "out of memory for %zu routes", count);
	}
	return SL_OK;
}

static enum sl_code route_open(void *state, struct sl_host *host,
			       struct sl_error *error)
{
	struct route *route = state;
	enum sl_code code = SL_OK;

	if (route->table.file.fd >= 0)
		code = sl_host_claim(host, route->table.file.fd,
				     route->routes_file, SL_FILE_READ, error);
	if (code == SL_OK)
		code = build_tables(route, error);
	table_finish(&route->table);
	return code;
}

static void route_close(void *state)
{
	struct route *route = state;

	if (route->checked) /* else fd is not a descriptor yet, but 0 */
		table_finish(&route->table);
	lpm4_destroy(route->lpm4);
	lpm6_destroy(route->lpm6);
}

/* ---- packets ---------------------------------------------------------- */

/* Packets of one version in a batch: where they are in it. */
struct queries {
	uint8_t at[BATCH];
	uint32_t count;
};

/* Look up a batch. What has no route keeps SL_NO_NAME in @p nics. */
static void look_up(const struct route *route, const struct sl_chunk *chunk,
		    uint32_t start, uint32_t count, uint16_t nics[BATCH])
{
	struct queries v4 = { .count = 0 }, v6 = { .count = 0 };
	uint32_t addresses4[BATCH];
	const struct sl_address *addresses6[BATCH];
	uint16_t found[BATCH];

	/* No branches: versions may alternate. */
	for (uint32_t at = 0; at < count; at++) {
		const struct sl_packet *packet =
			sl_chunk_packet(chunk, start + at);

		nics[at] = SL_NO_NAME;
		addresses4[v4.count] = packet->dst.v4;
		addresses6[v6.count] = &packet->dst;
		v4.at[v4.count] = (uint8_t)at;
		v6.at[v6.count] = (uint8_t)at;
		v4.count += packet->ip_version == 4;
		v6.count += packet->ip_version == 6;
	}
	if (route->lpm4 && v4.count) {
		lpm4_lookup_bulk(route->lpm4, addresses4, found, v4.count);
		for (uint32_t at = 0; at < v4.count; at++)
			nics[v4.at[at]] = found[at];
	}
	if (route->lpm6 && v6.count) {
		lpm6_lookup_bulk(route->lpm6, addresses6, found, v6.count);
		for (uint32_t at = 0; at < v6.count; at++)
			nics[v6.at[at]] = found[at];
	}
}

/* A packet without a way. */
static void drop_lost(struct sl_chunk *chunk, uint32_t at)
{
	if (sl_chunk_packet(chunk, at)->flags & SL_PACKET_MALFORMED)
		sl_drop(chunk, at, ROUTE_MALFORMED);
	else
		sl_drop(chunk, at, ROUTE_NO_ROUTE);
}

static void route_batch(const struct route *route, struct sl_chunk *chunk,
			uint32_t start, uint32_t count, bool decrement)
{
	uint16_t nics[BATCH];

	look_up(route, chunk, start, count, nics);
	for (uint32_t at = start; at < start + count; at++) {
		struct sl_packet *packet = sl_chunk_packet(chunk, at);

		packet->nic_out = nics[at - start];
		if (SL_UNLIKELY(!packet->nic_out))
			drop_lost(chunk, at);
		else if (decrement &&
			 SL_UNLIKELY(!sl_frame_decrement_hop_limit(
				 packet, sl_chunk_info(chunk, at))))
			sl_drop(chunk, at, ROUTE_TTL_EXPIRED);
	}
}

static enum sl_code route_process(void *state, struct sl_chunk *chunk,
				  struct sl_error *error)
{
	const struct route *route = state;
	bool decrement =
		route->decrement_ttl && (chunk->fields & SL_FIELD_FRAME);

	(void)error;
	for (uint32_t start = 0; start < chunk->count; start += BATCH) {
		uint32_t left = chunk->count - start;

		route_batch(route, chunk, start, left < BATCH ? left : BATCH,
			    decrement);
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
	{ .name = "decrement_ttl",
	  .type = SL_BOOL,
	  .offset = offsetof(struct route, decrement_ttl),
	  .default_text = "true",
	  .help = "Take one off the TTL or hop limit of a frame." },
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
