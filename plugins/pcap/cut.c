/* SPDX-License-Identifier: MIT */
/* Cutting: what is read for a chunk, and where it ends: behind so many packets
 * or before SL_CHUNK_BYTES, or where a section begins, whatever read()
 * returns. What was read too much is carried over to the chunks that follow,
 * each of which takes about what it needs: a chunk may be as small as a section
 * without packets. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bytes.h"
#include "source.h"

/* What a chunk takes first of the bytes that were read before it. */
#define CARRIED_FIRST 8192
/* Whatever packets are estimated to take: not a read() for every one. */
#define READ_LEAST ((size_t)4096)

/* ---- what is wrong, and where ----------------------------------------- */

void place_words(const struct source *source, uint64_t index, char *text,
		 size_t size)
{
	snprintf(text, size, "%s: packet %llu", sl_path_tail(source->path),
		 (unsigned long long)index + 1);
}

static void say_place(const struct walk *walk, bool is_packet,
		      struct sl_error *error)
{
	const struct source *source = walk->source;
	char text[SL_PATH_SHOWN + 32];

	if (is_packet)
		place_words(source, source->next_index + walk->packets, text,
			    sizeof(text));
	sl_error_at(error, is_packet ? text : source->path, 0);
}

/* Where the record starts that the walk stands at. Of a block to skip, what was
 * read is gone. */
static uint64_t record_start(const struct walk *walk)
{
	const struct source *source = walk->source;
	uint64_t gone = source->skip ? source->skip_trailer - source->skip : 0;

	return source->offset + walk->at - gone;
}

enum verdict walk_bad(const struct walk *walk, bool is_packet,
		      struct sl_error *error, const char *fmt, ...)
{
	char text[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	(void)SL_FAIL(error, SL_EINVAL, "at byte %llu: %s",
		      (unsigned long long)record_start(walk), text);
	say_place(walk, is_packet, error);
	return WALK_BAD;
}

const char *link_words(uint32_t type, char *text, size_t size)
{
	const char *name = link_name(type);

	snprintf(text, size, "link type %lu%s%s%s", (unsigned long)type,
		 *name ? " (" : "", name, *name ? ")" : "");
	return text;
}

/* ---- reading ---------------------------------------------------------- */

/* Take of what was carried over: each time as much as there is already, so that
 * a chunk that needs all of it has it soon. */
static void take_carried(struct source *source, struct sl_chunk *chunk)
{
	size_t room = chunk->bytes_capacity - chunk->bytes_used;
	size_t taken = chunk->bytes_used < CARRIED_FIRST ? CARRIED_FIRST
							 : chunk->bytes_used;

	if (taken > room)
		taken = room;
	if (taken > source->carried)
		taken = source->carried;
	memcpy(chunk->bytes + chunk->bytes_used,
	       source->carry + source->carry_at, taken);
	chunk->bytes_used += taken;
	source->carry_at += taken;
	source->carried -= taken;
}

/* What is still to be read, if packets go on as in the chunk before: where all
 * are of one size exactly that, so that nothing has to be carried over, from
 * core to core. A chunk that then still wants some takes more at once. */
static size_t bytes_wanted(const struct walk *walk)
{
	const struct source *source = walk->source;
	size_t packets = walk->wanted - walk->packets;
	size_t there = walk->chunk->bytes_used - walk->at;
	size_t bytes = (size_t)((uint64_t)packets * source->seen_bytes /
				source->seen_packets);

	return bytes > there + READ_LEAST ? bytes - there : READ_LEAST;
}

/* Read once, behind what the chunk has, about what it will need. */
static enum sl_code read_more(struct walk *walk, struct sl_error *error)
{
	struct source *source = walk->source;
	struct sl_chunk *chunk = walk->chunk;
	size_t wanted = bytes_wanted(walk);
	size_t room = chunk->bytes_capacity - chunk->bytes_used;
	size_t got;
	enum sl_code code;

	if (sl_host_stopping(source->host))
		return SL_ESTOPPED;
	if (source->carried) {
		take_carried(source, chunk);
		return SL_OK;
	}
	code = sl_input_read(&source->input, source->host,
			     chunk->bytes + chunk->bytes_used,
			     wanted < room ? wanted : room, &got, error);
	chunk->bytes_used += got;
	return code;
}

/* ---- the start of the file -------------------------------------------- */

static const struct {
	const char *name;
	uint8_t length;
	uint8_t bytes[6];
} compressed[] = {
	{ "gzip", 2, { 0x1f, 0x8b } },
	{ "zstd", 4, { 0x28, 0xb5, 0x2f, 0xfd } },
	{ "xz", 6, { 0xfd, '7', 'z', 'X', 'Z', 0 } },
	{ "bzip2", 3, { 'B', 'Z', 'h' } },
	{ "lz4", 4, { 0x04, 0x22, 0x4d, 0x18 } },
};

static enum sl_code no_capture(const struct sl_chunk *chunk,
			       struct sl_error *error)
{
	const uint8_t *bytes = chunk->bytes;

	if (!chunk->bytes_used)
		return SL_FAIL(error, SL_EINVAL, "it is empty, and no capture");
	for (size_t at = 0; at < sizeof(compressed) / sizeof(compressed[0]);
	     at++) {
		if (chunk->bytes_used >= compressed[at].length &&
		    memcmp(bytes, compressed[at].bytes,
			   compressed[at].length) == 0)
			return SL_FAIL(error, SL_EINVAL,
				       "it is compressed (%s): decompress it "
				       "first",
				       compressed[at].name);
	}
	if (chunk->bytes_used < 4)
		return SL_FAIL(error, SL_EINVAL, "no capture: it has %zu bytes",
			       chunk->bytes_used);
	return SL_FAIL(error, SL_EINVAL,
		       "no capture: it starts with the bytes %02x %02x %02x "
		       "%02x",
		       bytes[0], bytes[1], bytes[2], bytes[3]);
}

static enum format format_of(const struct sl_chunk *chunk)
{
	static const uint8_t magics[][4] = {
		{ 0x0a, 0x0d, 0x0d, 0x0a }, { 0xa1, 0xb2, 0xc3, 0xd4 },
		{ 0xd4, 0xc3, 0xb2, 0xa1 }, { 0xa1, 0xb2, 0x3c, 0x4d },
		{ 0x4d, 0x3c, 0xb2, 0xa1 },
	};

	for (size_t at = 0; at < 5 && chunk->bytes_used >= 4; at++) {
		if (memcmp(chunk->bytes, magics[at], 4) == 0)
			return at ? FORMAT_PCAP : FORMAT_PCAPNG;
	}
	return FORMAT_UNKNOWN;
}

/* The file's header leaves the chunk, which holds records alone. */
static enum sl_code begin_pcap(struct walk *walk, struct sl_error *error)
{
	struct source *source = walk->source;
	struct sl_chunk *chunk = walk->chunk;
	enum sl_code code;

	if (chunk->bytes_used < PCAP_HEADER_BYTES)
		return SL_FAIL(error, SL_EINVAL,
			       "it ends at byte %zu, in its header",
			       chunk->bytes_used);
	code = pcap_begin(source, chunk->bytes, chunk->sequence, error);
	source->offset = PCAP_HEADER_BYTES;
	chunk->bytes_used -= PCAP_HEADER_BYTES;
	memmove(chunk->bytes, chunk->bytes + PCAP_HEADER_BYTES,
		chunk->bytes_used);
	return code;
}

static enum sl_code begin(struct walk *walk, struct sl_error *error)
{
	struct source *source = walk->source;
	struct sl_chunk *chunk = walk->chunk;
	enum sl_code code = SL_OK;

	while (chunk->bytes_used < PCAP_HEADER_BYTES && !source->input.ended &&
	       code == SL_OK)
		code = read_more(walk, error);
	if (code != SL_OK)
		return code;
	source->format = format_of(chunk);
	if (source->format == FORMAT_UNKNOWN)
		code = no_capture(chunk, error);
	else if (source->format == FORMAT_PCAP)
		code = begin_pcap(walk, error);
	if (code != SL_OK)
		sl_error_at(error, source->path, 0);
	return code;
}

/* ---- cut -------------------------------------------------------------- */

/* The input ended, and what is left is no whole record. */
static enum sl_code end_input(const struct walk *walk, struct sl_error *error)
{
	const struct source *source = walk->source;
	size_t left = walk->chunk->bytes_used - walk->at;
	bool is_packet = source->format == FORMAT_PCAP;

	if (!left && !source->skip)
		return SL_END;
	if (source->format == FORMAT_PCAPNG && left >= 4)
		is_packet = pcapng_is_packet(
			get32(walk->chunk->bytes + walk->at, source->big));
	(void)SL_FAIL(
		error, SL_EINVAL,
		"the capture ends at byte %llu, in what starts at byte "
		"%llu",
		(unsigned long long)(source->offset + walk->chunk->bytes_used),
		(unsigned long long)record_start(walk));
	say_place(walk, is_packet, error);
	return SL_EINVAL;
}

/* Fill the chunk until it has its packets, is full, or the input ends. */
static enum sl_code fill(struct walk *walk, struct sl_error *error)
{
	const struct source *source = walk->source;
	enum sl_code code = SL_OK;

	if (source->format == FORMAT_UNKNOWN)
		code = begin(walk, error);
	while (code == SL_OK) {
		enum verdict verdict = source->format == FORMAT_PCAP
					       ? pcap_walk(walk, error)
					       : pcapng_walk(walk, error);

		if (verdict == WALK_BAD)
			return error->code;
		if (verdict == WALK_FULL ||
		    walk->chunk->bytes_used == walk->chunk->bytes_capacity)
			return SL_OK;
		if (source->input.ended && !source->carried)
			return end_input(walk, error);
		code = read_more(walk, error);
	}
	return code;
}

/* Give back what the chunk does not take. While something is still carried all
 * of it came from there, and stands there yet. */
static void carry_over(struct walk *walk)
{
	struct source *source = walk->source;
	struct sl_chunk *chunk = walk->chunk;
	size_t left = chunk->bytes_used - walk->at;

	if (source->carried) {
		source->carry_at -= left;
		source->carried += left;
		return;
	}
	source->carry_at = 0;
	source->carried = left;
	memcpy(source->carry, chunk->bytes + walk->at, left);
}

enum sl_code cut_chunk(void *state, struct sl_chunk *chunk,
		       struct sl_error *error)
{
	struct source *source = state;
	struct cut *cut = chunk->cut;
	struct walk walk = {
		.source = source,
		.chunk = chunk,
		.wanted = sl_host_chunk_packets(source->host),
	};
	enum sl_code code;

	interfaces_forget(
		&source->interfaces,
		atomic_load_explicit(&source->through, memory_order_acquire));
	chunk->bytes_used = 0;
	take_carried(source, chunk);
	code = fill(&walk, error);
	carry_over(&walk);
	chunk->bytes_used = walk.at;
	source->offset += walk.at;
	cut->interfaces = source->interfaces.current;
	cut->first_index = source->next_index;
	cut->packets = walk.packets;
	cut->big = source->big;
	cut->new_names = false;
	source->next_index += walk.packets;
	if (walk.packets) {
		source->seen_bytes = walk.at;
		source->seen_packets = walk.packets;
	}
	return code;
}
