/* SPDX-License-Identifier: MIT */
/* Frames through the parser of captures, nat and route. Whatever the frames,
 * what comes out is parsed again and has the metadata that it came with; a
 * checksum that was right is right, and UDP's zero stays.
 *
 * The input is a byte of options and then records: a byte that says how, one of
 * time, one of length, and the frame. A frame may ask for its lengths and
 * checksums to be put right, without which few would come far. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/names.h"
#include "pipeline/pipeline_private.h"
#include "plugins/nat/nat.h"
#include "plugins/pcap/frame.h"
#include "sluice/checksum.h"
#include "tests/fuzz/fuzz.h"

enum {
	RECORDS = 512, /* of an input, at most */
	CHUNK = 8,
	FRAME_MAX = 255,
	DROPS = NAT_FRAGMENT_OVERFLOW + 1,
	ROUTE_DROPS = 3,
	OUTSIDE_NIC = 1,
	INSIDE_NIC = 2,
};

/* A record's first byte. */
enum { FROM_OUTSIDE = 1, ETHERNET = 2, MENDED = 4, CUT = 8, LATE = 16 };

/* The plugins'; they are compiled under these names. */
extern const struct sl_plugin nat_plugin, route_plugin;

/* route, made once: its tables take longer than a trial. */
struct router {
	struct sl_pipeline pipeline; /* has the names of interfaces alone */
	struct sl_host host;
	void *state;
};

/* What a frame's checksums were when it came. */
struct before {
	bool header, transport, none;
};

struct trial {
	struct nat *nat;
	struct sl_parcel *parcel; /* borrowed; one for all trials */
	struct router *router; /* borrowed; likewise */
	struct sl_host host;
	uint64_t route_drops[ROUTE_DROPS];
	struct before before[RECORDS];
	size_t records, out;
	int64_t now_ns;
};

/* ---- slow and plain ------------------------------------------------------ */

static uint32_t sum_of(const uint8_t *bytes, size_t size)
{
	uint32_t sum = 0;

	for (size_t at = 0; at < size; at++)
		sum += (uint32_t)bytes[at] << (at % 2 ? 0 : 8);
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return sum;
}

/* The sum of a transport with its pseudo-header. */
static uint32_t transport_sum(const uint8_t *ip, size_t header, size_t total)
{
	uint8_t covered[12 + FRAME_MAX + 8];
	size_t size = total - header;

	memcpy(covered, ip + 12, 8);
	covered[8] = 0;
	covered[9] = ip[9];
	covered[10] = (uint8_t)(size >> 8);
	covered[11] = (uint8_t)size;
	memcpy(covered + 12, ip + header, size);
	return ip[9] == 1 ? sum_of(covered + 12, size)
			  : sum_of(covered, 12 + size);
}

static size_t checksum_offset(uint8_t protocol)
{
	return protocol == 6 ? 16 : protocol == 17 ? 6 : 2;
}

static struct before look(const struct sl_packet *packet,
			  const struct sl_packet_info *info)
{
	struct before before = { false, false, false };
	const uint8_t *ip = info->frame + info->l3;
	size_t header, total, offset;

	if (packet->ip_version != 4)
		return before;
	header = 4 * (ip[0] & 15u);
	total = sl_load_be16(ip + 2);
	offset = header + checksum_offset(ip[9]);
	if (info->l3 + header > info->captured)
		return before;
	before.header = sum_of(ip, header) == 0xffff;
	if (info->l3 + total > info->captured || offset + 2 > total ||
	    (packet->flags & SL_PACKET_FRAGMENT))
		return before;
	before.none = ip[9] == 17 && !sl_load_be16(ip + offset);
	before.transport = (ip[9] == 1 || ip[9] == 6 || ip[9] == 17) &&
			   transport_sum(ip, header, total) == 0xffff;
	return before;
}

/* Put the length and checksums of an IPv4 packet right. */
static void mend(uint8_t *ip, size_t size)
{
	size_t header, at;

	if (size < 20)
		return;
	if ((ip[0] & 15) < 5)
		ip[0] = 0x45;
	ip[0] = (uint8_t)(0x40 | (ip[0] & 15));
	header = 4 * (ip[0] & 15u);
	if (header > size)
		return;
	sl_store_be16(ip + 2, (uint16_t)size);
	sl_store_be16(ip + 10, 0);
	sl_store_be16(ip + 10, (uint16_t)~sum_of(ip, header));
	at = header + checksum_offset(ip[9]);
	if (at + 2 > size)
		return;
	sl_store_be16(ip + at, 0);
	sl_store_be16(ip + at, (uint16_t)~transport_sum(ip, header, size));
	if (ip[9] == 17 && !sl_load_be16(ip + at))
		sl_store_be16(ip + at, 0xffff);
}

/* ---- what comes out ------------------------------------------------------ */

static void judge(struct trial *trial, struct sl_packet *packet,
		  struct sl_packet_info *info)
{
	struct frame frame = { info->frame, info->captured, info->original };
	struct sl_packet again;
	struct sl_packet_info again_info;
	struct before before, after;

	fuzz_require(info->index < trial->records);
	fuzz_require(packet->nic_out);
	before = trial->before[info->index];
	memset(&again, 0, sizeof(again));
	memset(&again_info, 0, sizeof(again_info));
	frame_parse(&frame, info->link_type == 1 ? LINK_ETHERNET : LINK_RAW,
		    &again, &again_info);
	fuzz_require(again.ip_version == packet->ip_version &&
		     again.flags == packet->flags &&
		     again.transport == packet->transport &&
		     again.sport == packet->sport &&
		     again.dport == packet->dport &&
		     sl_address_equal(&again.src, &packet->src) &&
		     sl_address_equal(&again.dst, &packet->dst) &&
		     again_info.l3 == info->l3 && again_info.l4 == info->l4);
	after = look(packet, info);
	fuzz_require(!before.header || after.header);
	fuzz_require(!before.transport || after.transport);
	fuzz_require(before.none == after.none);
	trial->out++;
}

static void route(struct trial *trial)
{
	struct sl_chunk *chunk = &trial->parcel->chunk;
	uint64_t *drops = chunk->drops;

	trial->parcel->host.running = &trial->router->host;
	chunk->drops = trial->route_drops;
	chunk->drop_count = ROUTE_DROPS;
	fuzz_require(route_plugin.stage->process(trial->router->state, chunk,
						 NULL) == SL_OK);
	sl_chunk_compact(chunk);
	trial->parcel->host.running = &trial->host;
	chunk->drops = drops;
	chunk->drop_count = DROPS;
}

static void judge_all(struct trial *trial)
{
	struct sl_chunk *chunk = &trial->parcel->chunk;

	sl_chunk_compact(chunk);
	fuzz_require(sl_chunk_join_emissions(chunk, NULL) == SL_OK);
	route(trial);
	for (uint32_t at = 0; at < chunk->count; at++)
		judge(trial, sl_chunk_packet(chunk, at),
		      sl_chunk_info(chunk, at));
	fuzz_require(trial->parcel->host.failed_at == SL_NEVER);
}

/* ---- what goes in -------------------------------------------------------- */

/* One record's bytes, at most FRAME_MAX and 14 before them, into the chunk.
 * @return bytes of the input that it took; 0: there is none. */
static size_t append(struct trial *trial, const uint8_t *data, size_t size)
{
	struct sl_chunk *chunk = &trial->parcel->chunk;
	uint8_t *bytes = chunk->bytes + chunk->bytes_used;
	size_t length, link;
	struct sl_packet_info *info;
	struct frame frame;
	uint16_t index;

	if (size < 3 || trial->records == RECORDS)
		return 0;
	length = data[2] < size - 3 ? data[2] : size - 3;
	link = data[0] & ETHERNET ? 14 : 0;
	memset(bytes, 0, link);
	if (link)
		bytes[12] = 8;
	memcpy(bytes + link, data + 3, length);
	if (data[0] & MENDED)
		mend(bytes + link, length);
	index = sl_chunk_append(chunk);
	info = &chunk->infos[index];
	frame.bytes = bytes;
	frame.wire = (uint32_t)(link + length);
	frame.captured = data[0] & CUT ? frame.wire * 3 / 4 : frame.wire;
	frame_parse(&frame, link ? LINK_ETHERNET : LINK_RAW,
		    &chunk->packets[index], info);
	chunk->bytes_used += frame.wire;
	trial->now_ns += (int64_t)data[1] * (data[0] & LATE ? 1000 : 1);
	info->index = trial->records;
	info->time_ns = trial->now_ns;
	info->frame = bytes;
	info->captured = frame.captured;
	info->original = frame.wire;
	info->link_type = link ? 1 : 101;
	chunk->packets[index].nic_in =
		data[0] & FROM_OUTSIDE ? OUTSIDE_NIC : INSIDE_NIC;
	trial->before[trial->records++] = look(&chunk->packets[index], info);
	return 3 + length;
}

static void run_steps(struct trial *trial)
{
	const struct sl_stage *stage = nat_plugin.stage;
	struct sl_chunk *chunk = &trial->parcel->chunk;

	memset(chunk->scratch, 0, stage->scratch_size * chunk->capacity);
	fuzz_require(stage->prepare(trial->nat, chunk, NULL) == SL_OK);
	sl_chunk_compact(chunk);
	trial->parcel->host.ordered = true;
	fuzz_require(stage->commit(trial->nat, chunk, NULL) == SL_OK);
	trial->parcel->host.ordered = false;
	sl_chunk_compact(chunk);
	fuzz_require(stage->finish(trial->nat, chunk, NULL) == SL_OK);
	judge_all(trial);
}

/* The tally goes on from chunk to chunk: it is for the sums at the end. */
static void reset(struct trial *trial)
{
	sl_parcel_reset(trial->parcel, 0);
}

static void flush(struct trial *trial)
{
	bool more = true;

	while (more) {
		more = false;
		reset(trial);
		trial->parcel->host.ordered = true;
		trial->parcel->host.flushing = true;
		fuzz_require(nat_plugin.stage->flush(trial->nat,
						     &trial->parcel->chunk,
						     &more, NULL) == SL_OK);
		judge_all(trial);
	}
}

/* ---- the stage ----------------------------------------------------------- */

static void set_options(struct nat *nat, uint8_t options)
{
	static const struct sl_value forwards[] = {
		{ .text = "udp 2000 10.0.0.9:9" },
		{ .text = "tcp 203.0.113.2:80 10.0.0.9:80" },
	};
	static struct sl_value pool[1], within[1];

	within[0].prefix.address = sl_address_from_v4(0x0a000000);
	within[0].prefix.version = 4;
	within[0].prefix.length = 8;
	pool[0].prefix.address = sl_address_from_v4(0xcb007100);
	pool[0].prefix.version = 4;
	pool[0].prefix.length = 30;
	nat->external_nic = OUTSIDE_NIC;
	nat->external_address.address = sl_address_from_v4(0xcb007101);
	nat->external_address.version = 4;
	nat->external_addresses = (struct sl_list){ 1, pool };
	nat->ports = options & 1 ? "1024-1026" : "1024-65535";
	nat->inside = (struct sl_list){ 1, within };
	nat->timeout = nat->icmp_timeout = 2000;
	nat->tcp_timeout = 20000;
	nat->tcp_transitory_timeout = 1000;
	nat->fragment_timeout = 3000;
	nat->fragment_memory = options & 2 ? 2000 : 1 << 20;
	nat->forwards = (struct sl_list){ options & 4 ? 2 : 0, forwards };
	nat->other = options & 8 ? NAT_OTHER_PASS : NAT_OTHER_DROP;
	nat->verify_checksums = options & 16;
}

static void begin(struct trial *trial, uint8_t options)
{
	const struct sl_stage *stage = nat_plugin.stage;
	struct sl_chunk *chunk = &trial->parcel->chunk;

	trial->nat = aligned_alloc(SL_CACHE_LINE,
				   (sizeof(*trial->nat) + SL_CACHE_LINE - 1) /
					   SL_CACHE_LINE * SL_CACHE_LINE);
	fuzz_require(trial->nat != NULL);
	memset(trial->nat, 0, sizeof(*trial->nat));
	sl_parcel_reset(trial->parcel, SL_TALLY_DROPS + DROPS);
	trial->parcel->host.flushing = false;
	trial->parcel->host.running = &trial->host;
	chunk->drops = trial->parcel->host.tally + SL_TALLY_DROPS;
	chunk->drop_count = DROPS;
	set_options(trial->nat, options);
	stage->check(trial->nat, &trial->host);
	fuzz_require(stage->open(trial->nat, &trial->host, NULL) == SL_OK);
}

/* Every packet that came in went out or was dropped by name. */
static void end(struct trial *trial)
{
	const uint64_t *tally = trial->parcel->host.tally;
	uint64_t dropped = 0;

	for (unsigned at = 0; at < DROPS; at++)
		dropped += tally[SL_TALLY_DROPS + at];
	for (unsigned at = 0; at < ROUTE_DROPS; at++)
		dropped += trial->route_drops[at];
	fuzz_require(trial->records == trial->out + dropped);
	fuzz_require(tally[SL_TALLY_HELD] == tally[SL_TALLY_EMITTED]);
	nat_plugin.stage->close(trial->nat);
	free(trial->nat);
}

/* Some destinations have no route. */
static void make_router(struct router *router)
{
	static const struct sl_value routes[] = {
		{ .text = "10.0.0.0/8 inside" },
		{ .text = "128.0.0.0/1 outside" },
		{ .text = "203.0.113.0/30 inside" },
		{ .text = "8000::/1 outside" },
	};
	const struct sl_option *options = route_plugin.options;
	const struct sl_stage *stage = route_plugin.stage;

	if (router->state)
		return;
	router->pipeline.nics = sl_names_create();
	router->host.pipeline = &router->pipeline;
	router->host.who = "stage \"route\"";
	router->state = calloc(1, stage->state_size);
	fuzz_require(router->pipeline.nics && router->state);
	for (size_t at = 0; at < route_plugin.option_count; at++) {
		void *value = (char *)router->state + options[at].offset;

		if (strcmp(options[at].name, "routes") == 0)
			*(struct sl_list *)value =
				(struct sl_list){ 4, routes };
		else if (strcmp(options[at].name, "decrement_ttl") == 0)
			*(bool *)value = true;
	}
	stage->check(router->state, &router->host);
	fuzz_require(stage->open(router->state, &router->host, NULL) == SL_OK);
}

/* A parcel is a MiB: it is made once. */
static void make_parcel(struct sl_parcel *parcel)
{
	const struct sl_parcel_shape shape = {
		.packets = CHUNK,
		.scratch_size = nat_plugin.stage->scratch_size,
		.tally_size = SL_TALLY_DROPS + DROPS,
		.fields = SL_FIELD_ADDRESSES | SL_FIELD_PORTS |
			  SL_FIELD_NIC_IN | SL_FIELD_FRAME | SL_FIELD_TIME,
	};

	if (!parcel->chunk.capacity)
		fuzz_require(sl_parcel_init(parcel, &shape, NULL) == SL_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct sl_parcel parcel;
	static struct router router;
	static struct trial trial;
	size_t taken = 1;

	if (size < 1)
		return 0;
	memset(&trial, 0, sizeof(trial));
	make_parcel(&parcel);
	make_router(&router);
	trial.parcel = &parcel;
	trial.router = &router;
	trial.host.who = "stage \"nat\"";
	begin(&trial, data[0]);
	data++;
	size--;
	while (taken) {
		reset(&trial);
		for (unsigned at = 0; at < CHUNK && taken; at++) {
			taken = append(&trial, data, size);
			data += taken;
			size -= taken;
		}
		run_steps(&trial);
	}
	flush(&trial);
	end(&trial);
	return 0;
}
