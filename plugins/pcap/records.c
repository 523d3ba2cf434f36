/* SPDX-License-Identifier: MIT */
/* pcap: a header of the file, and a header of 16 bytes before each packet
 * (draft-ietf-opsawg-pcap). */
#include <string.h>

#include "bytes.h"
#include "source.h"

#define MAGIC_MICROSECONDS 0xa1b2c3d4u
#define MAGIC_NANOSECONDS 0xa1b23c4du
/* The upper six bits tell of checksums behind the frames. */
#define LINK_TYPE_BITS 0x03ffffffu

enum pcap_header {
	HEADER_MAGIC = 0,
	HEADER_MAJOR = 4,
	HEADER_MINOR = 6,
	HEADER_SNAPLEN = 16,
	HEADER_LINK = 20,
};

/* One that its writers swapped is told by what its packets' headers say. */
static enum lengths lengths_of(unsigned minor)
{
	return minor > 3    ? LENGTHS_USUAL
	       : minor == 3 ? LENGTHS_SMALLER_FIRST
			    : LENGTHS_SWAPPED;
}

static enum sl_code add_only_interface(struct source *source, uint32_t type,
				       uint64_t chunk, struct sl_error *error)
{
	struct interface only = { .name = "if0" };
	char text[64];
	enum sl_code code = interfaces_begin(&source->interfaces, chunk, error);

	if (code != SL_OK)
		return code;
	only.link = link_find(&type);
	only.link_type = type;
	if (only.link == LINK_UNKNOWN)
		return SL_FAIL(error, SL_EINVAL, "frames of %s cannot be read",
			       link_words(type, text, sizeof(text)));
	return interfaces_add(&source->interfaces, chunk, &only, error);
}

enum sl_code pcap_begin(struct source *source, const uint8_t *header,
			uint64_t chunk, struct sl_error *error)
{
	unsigned major, minor;
	uint32_t magic;

	source->big = header[HEADER_MAGIC] == 0xa1;
	magic = get32(header + HEADER_MAGIC, source->big);
	source->nanoseconds = magic == MAGIC_NANOSECONDS;
	major = get16(header + HEADER_MAJOR, source->big);
	minor = get16(header + HEADER_MINOR, source->big);
	if (major != 2 || minor > 4)
		return SL_FAIL(error, SL_EINVAL,
			       "version %u.%u of pcap; up to 2.4 is read",
			       major, minor);
	source->lengths = lengths_of(minor);
	source->snaplen = get32(header + HEADER_SNAPLEN, source->big);
	if (!source->snaplen)
		source->snaplen = PACKET_BYTES_MAX;
	return add_only_interface(source,
				  get32(header + HEADER_LINK, source->big) &
					  LINK_TYPE_BITS,
				  chunk, error);
}

static uint32_t captured_of(const struct source *source, const uint8_t *record)
{
	uint32_t first = get32(record + RECORD_CAPTURED, source->big);
	uint32_t second = get32(record + RECORD_ORIGINAL, source->big);

	if (source->lengths == LENGTHS_SWAPPED ||
	    (source->lengths == LENGTHS_SMALLER_FIRST && first > second))
		return second;
	return first;
}

static enum verdict bad_length(const struct walk *walk, uint32_t captured,
			       struct sl_error *error)
{
	return walk_bad(walk, true, error,
			"a length of %lu bytes, and no packet has more than "
			"%lu",
			(unsigned long)captured,
			(unsigned long)PACKET_BYTES_MAX);
}

/* What it reads of a record, parse reads again soon. */
static SL_ALWAYS_INLINE enum verdict walk_usual(struct walk *walk, bool big,
						struct sl_error *error)
{
	const uint8_t *bytes = walk->chunk->bytes;
	size_t used = walk->chunk->bytes_used;
	size_t at = walk->at;
	uint32_t packets = walk->packets, captured = 0;
	enum verdict verdict = WALK_FULL;

	for (; packets < walk->wanted; packets++) {
		if (used - at < RECORD_BYTES) {
			verdict = WALK_MORE;
			break;
		}
		captured = get32(bytes + at + RECORD_CAPTURED, big);
		if (captured > PACKET_BYTES_MAX) {
			verdict = WALK_BAD;
			break;
		}
		if (used - at - RECORD_BYTES < captured) {
			verdict = WALK_MORE;
			break;
		}
		at += RECORD_BYTES + captured;
	}
	walk->at = at;
	walk->packets = packets;
	return verdict == WALK_BAD ? bad_length(walk, captured, error)
				   : verdict;
}

static enum verdict walk_old(struct walk *walk, struct sl_error *error)
{
	for (; walk->packets < walk->wanted; walk->packets++) {
		size_t left = walk->chunk->bytes_used - walk->at;
		uint32_t captured;

		if (left < RECORD_BYTES)
			return WALK_MORE;
		captured = captured_of(walk->source,
				       walk->chunk->bytes + walk->at);
		if (captured > PACKET_BYTES_MAX)
			return bad_length(walk, captured, error);
		if (left - RECORD_BYTES < captured)
			return WALK_MORE;
		walk->at += RECORD_BYTES + captured;
	}
	return WALK_FULL;
}

enum verdict pcap_walk(struct walk *walk, struct sl_error *error)
{
	if (walk->source->lengths != LENGTHS_USUAL)
		return walk_old(walk, error);
	return walk->source->big ? walk_usual(walk, true, error)
				 : walk_usual(walk, false, error);
}
