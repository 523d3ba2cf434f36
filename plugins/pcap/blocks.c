/* SPDX-License-Identifier: MIT */
/* pcapng: blocks that begin and end with their length; sections, which have
 * their own byte order, and in them interfaces and packets
 * (draft-ietf-opsawg-pcapng). */
#include <string.h>

#include "bytes.h"
#include "source.h"

enum {
	SECTION_ORDER = 8,
	SECTION_MAJOR = 12,
	SECTION_MINOR = 14,
	SECTION_LEAST = 28,
	INTERFACE_LINK = 8,
	INTERFACE_SNAPLEN = 12,
	INTERFACE_OPTIONS = 16,
	OPTION_END = 0,
	OPTION_NAME = 2,
	OPTION_RESOLUTION = 9,
	OPTION_OFFSET = 14,
};

/* A block that is there as a whole. */
struct block {
	const uint8_t *bytes;
	uint32_t type, length;
	bool big;
};

bool pcapng_is_packet(uint32_t type)
{
	return type == BLOCK_ENHANCED || type == BLOCK_SIMPLE ||
	       type == BLOCK_OBSOLETE;
}

static bool is_read(uint32_t type)
{
	return pcapng_is_packet(type) || type == BLOCK_SECTION ||
	       type == BLOCK_INTERFACE;
}

/* ---- sections and interfaces ------------------------------------------ */

/* A section's order is told by a word that it holds. @return false: it is not
 * there. */
static bool section_order(const uint8_t *bytes, bool *big)
{
	*big = sl_load_be32(bytes + SECTION_ORDER) == 0x1a2b3c4d;
	return *big || little32(bytes + SECTION_ORDER) == 0x1a2b3c4d;
}

static enum verdict begin_section(struct walk *walk, const struct block *block,
				  struct sl_error *error)
{
	unsigned major, minor;

	if (block->length < SECTION_LEAST)
		return walk_bad(walk, false, error,
				"a section header of %lu bytes; it has at "
				"least %d",
				(unsigned long)block->length, SECTION_LEAST);
	major = get16(block->bytes + SECTION_MAJOR, block->big);
	minor = get16(block->bytes + SECTION_MINOR, block->big);
	if (major != 1 || (minor != 0 && minor != 2))
		return walk_bad(walk, false, error,
				"version %u.%u of pcapng; 1.0 is read", major,
				minor);
	walk->source->big = block->big;
	if (interfaces_begin(&walk->source->interfaces, walk->chunk->sequence,
			     error) != SL_OK)
		return WALK_BAD;
	return WALK_ON;
}

/* Names are 7-bit and without blanks here, or else "ifN": they become columns
 * and words of other files. */
static void take_name(struct interface *interface, const uint8_t *name,
		      size_t length)
{
	while (length && !name[length - 1])
		length--;
	if (!length || length > SL_NAME_LENGTH)
		return;
	for (size_t at = 0; at < length; at++) {
		if (name[at] <= ' ' || name[at] > '~')
			return;
	}
	if (length == 1 && name[0] == '-') /* what no name is shown as */
		return;
	memcpy(interface->name, name, length);
}

/* @return NULL, or what is wrong. */
static const char *read_options(const struct block *block,
				struct interface *interface)
{
	const uint8_t *at = block->bytes + INTERFACE_OPTIONS;
	const uint8_t *end = block->bytes + block->length - 4;
	uint8_t resolution = TICKS_MICROSECONDS;
	int64_t offset = 0;

	while (end - at >= 4) {
		unsigned code = get16(at, block->big);
		unsigned length = get16(at + 2, block->big);

		at += 4;
		if (code == OPTION_END)
			break;
		if (length > (size_t)(end - at))
			return "an option that is longer than its block";
		if (code == OPTION_NAME && !interface->name[0])
			take_name(interface, at, length);
		if (code == OPTION_RESOLUTION && length != 1)
			return "a resolution (if_tsresol) of other than 1 byte";
		if (code == OPTION_RESOLUTION)
			resolution = at[0];
		if (code == OPTION_OFFSET && length != 8)
			return "an offset (if_tsoffset) of other than 8 bytes";
		if (code == OPTION_OFFSET)
			offset = (int64_t)get64(at, block->big);
		length = (length + 3) & ~3u;
		at += length < (size_t)(end - at) ? length : (size_t)(end - at);
	}
	interface->clock = ticks_of(resolution, offset);
	return NULL;
}

static enum verdict add_interface(struct walk *walk, const struct block *block,
				  struct sl_error *error)
{
	struct interface added = { .link = LINK_UNKNOWN };
	const char *wrong;
	enum sl_code code;

	if (block->length < INTERFACE_OPTIONS + 4)
		return walk_bad(walk, false, error,
				"an interface of %lu bytes; it has at least "
				"%d",
				(unsigned long)block->length,
				INTERFACE_OPTIONS + 4);
	added.link_type = get16(block->bytes + INTERFACE_LINK, block->big);
	added.link = link_find(&added.link_type);
	added.snaplen = get32(block->bytes + INTERFACE_SNAPLEN, block->big);
	wrong = read_options(block, &added);
	if (wrong)
		return walk_bad(walk, false, error, "%s", wrong);
	code = interfaces_add(&walk->source->interfaces, walk->chunk->sequence,
			      &added, error);
	if (code == SL_ENOSPC)
		return walk_bad(walk, false, error, "more than %u interfaces",
				(unsigned)INTERFACES_MAX);
	return code == SL_OK ? WALK_ON : WALK_BAD;
}

/* ---- packets ---------------------------------------------------------- */

static enum verdict bad_interface(const struct walk *walk, uint32_t id,
				  struct sl_error *error)
{
	uint32_t count = walk->source->interfaces.current->count;

	return walk_bad(walk, true, error,
			"interface %lu, and the section has %lu so far",
			(unsigned long)id, (unsigned long)count);
}

static enum verdict bad_link(const struct walk *walk, uint32_t type,
			     struct sl_error *error)
{
	char text[64];

	return walk_bad(walk, true, error, "frames of %s cannot be read",
			link_words(type, text, sizeof(text)));
}

/* Its @p captured bytes start at @p start. */
static enum verdict check_packet(const struct walk *walk,
				 const struct block *block, uint32_t id,
				 uint32_t captured, uint32_t start,
				 struct sl_error *error)
{
	const struct interface_table *table = walk->source->interfaces.current;

	if (SL_UNLIKELY(id >= table->count))
		return bad_interface(walk, id, error);
	if (SL_UNLIKELY(table->of[id].link == LINK_UNKNOWN))
		return bad_link(walk, table->of[id].link_type, error);
	if (SL_UNLIKELY(captured > PACKET_BYTES_MAX))
		return walk_bad(walk, true, error,
				"a length of %lu bytes, and no packet has "
				"more than %lu",
				(unsigned long)captured,
				(unsigned long)PACKET_BYTES_MAX);
	if (SL_UNLIKELY(captured > block->length - start - 4))
		return walk_bad(walk, true, error,
				"a packet of %lu bytes in a block of %lu",
				(unsigned long)captured,
				(unsigned long)block->length);
	return WALK_ON;
}

static enum verdict check_block(struct walk *walk, const struct block *block,
				struct sl_error *error)
{
	uint32_t start =
		block->type == BLOCK_SIMPLE ? SIMPLE_BYTES : PACKET_BYTES;
	uint32_t id = 0, captured;

	if (SL_UNLIKELY(block->length < start + 4))
		return walk_bad(walk, true, error,
				"a packet's block of %lu bytes; it has at "
				"least %lu",
				(unsigned long)block->length,
				(unsigned long)start + 4);
	if (block->type == BLOCK_ENHANCED) {
		id = get32(block->bytes + PACKET_INTERFACE, block->big);
		captured = get32(block->bytes + PACKET_CAPTURED, block->big);
	} else if (block->type == BLOCK_OBSOLETE) {
		id = get16(block->bytes + PACKET_INTERFACE, block->big);
		captured = get32(block->bytes + PACKET_CAPTURED, block->big);
	} else {
		const struct interface_table *table =
			walk->source->interfaces.current;

		captured = get32(block->bytes + SIMPLE_ORIGINAL, block->big);
		if (table->count)
			captured = simple_captured(&table->of[0], captured);
	}
	return check_packet(walk, block, id, captured, start, error);
}

/* ---- the walk --------------------------------------------------------- */

/* A block that is too long for a chunk and is one to skip begins a chunk, so
 * that its bytes go nowhere. */
static enum verdict begin_skip(struct walk *walk, const struct block *block)
{
	if (walk->at)
		return WALK_FULL;
	walk->source->skip = block->length;
	walk->source->skip_trailer = block->length;
	return WALK_SKIP;
}

/* Look at a block's start. @return WALK_ON: it is there as a whole. */
static enum verdict see_block(struct walk *walk, struct block *block,
			      struct sl_error *error)
{
	size_t left = walk->chunk->bytes_used - walk->at;

	block->length = 0;
	if (left < BLOCK_LEAST)
		return WALK_MORE;
	block->bytes = walk->chunk->bytes + walk->at;
	block->big = walk->source->big;
	block->type = get32(block->bytes + BLOCK_TYPE, block->big);
	if (block->type == BLOCK_SECTION) {
		if (walk->at) /* a section begins a chunk: its order is one */
			return WALK_FULL;
		if (!section_order(block->bytes, &block->big))
			return walk_bad(walk, false, error,
					"a section without its byte order");
	}
	block->length = get32(block->bytes + BLOCK_LENGTH, block->big);
	if (SL_UNLIKELY(block->length < BLOCK_LEAST || block->length % 4 ||
			block->length > BLOCK_BYTES_MAX))
		return walk_bad(walk, pcapng_is_packet(block->type), error,
				"a block of %lu bytes; a multiple of 4 from "
				"%d to %lu is possible",
				(unsigned long)block->length, BLOCK_LEAST,
				(unsigned long)BLOCK_BYTES_MAX);
	if (SL_LIKELY(block->length <= left))
		return WALK_ON;
	if (block->length <= walk->chunk->bytes_capacity)
		return WALK_MORE;
	if (is_read(block->type))
		return walk_bad(walk, pcapng_is_packet(block->type), error,
				"a block of %lu bytes; one of its type may "
				"have %lu",
				(unsigned long)block->length,
				(unsigned long)walk->chunk->bytes_capacity);
	return begin_skip(walk, block);
}

static enum verdict take_block(struct walk *walk, const struct block *block,
			       struct sl_error *error)
{
	uint32_t trailer = get32(block->bytes + block->length - 4, block->big);

	if (SL_UNLIKELY(trailer != block->length))
		return walk_bad(walk, pcapng_is_packet(block->type), error,
				"a block of %lu bytes that ends as one of %lu",
				(unsigned long)block->length,
				(unsigned long)trailer);
	if (SL_LIKELY(pcapng_is_packet(block->type)))
		return check_block(walk, block, error);
	if (block->type == BLOCK_SECTION)
		return begin_section(walk, block, error);
	if (block->type == BLOCK_INTERFACE)
		return add_interface(walk, block, error);
	return WALK_ON;
}

/* Throw away what there is of a block to skip. @return WALK_ON: it is all
 * gone. */
static enum verdict skip_block(struct walk *walk, struct sl_error *error)
{
	struct source *source = walk->source;
	struct sl_chunk *chunk = walk->chunk;
	uint32_t body = source->skip > 4 ? source->skip - 4 : 0;
	size_t gone = body < chunk->bytes_used ? body : chunk->bytes_used;
	uint32_t trailer;

	if (source->skip == body + 4 && chunk->bytes_used - gone >= 4) {
		trailer = get32(chunk->bytes + gone, source->big);
		if (trailer != source->skip_trailer)
			return walk_bad(walk, false, error,
					"a block of %lu bytes that ends as "
					"one of %lu",
					(unsigned long)source->skip_trailer,
					(unsigned long)trailer);
		gone += 4;
	}
	chunk->bytes_used -= gone;
	memmove(chunk->bytes, chunk->bytes + gone, chunk->bytes_used);
	source->offset += gone;
	source->skip -= (uint32_t)gone;
	return source->skip ? WALK_MORE : WALK_ON;
}

/* Pass packets of the enhanced kind in which nothing is out of the way: the
 * others, and what is wrong, are left to the steps above. */
static SL_ALWAYS_INLINE void pass_packets(struct walk *walk, bool big)
{
	const struct interface_table *table = walk->source->interfaces.current;
	const uint8_t *at = walk->chunk->bytes + walk->at;
	const uint8_t *end = walk->chunk->bytes + walk->chunk->bytes_used;
	uint32_t packets = walk->packets;

	while (packets < walk->wanted && end - at >= PACKET_BYTES + 4) {
		uint32_t length = get32(at + BLOCK_LENGTH, big);
		uint32_t id = get32(at + PACKET_INTERFACE, big);
		uint32_t captured = get32(at + PACKET_CAPTURED, big);

		if (get32(at + BLOCK_TYPE, big) != BLOCK_ENHANCED ||
		    length % 4 || length < PACKET_BYTES + 4 ||
		    length > (size_t)(end - at) ||
		    get32(at + length - 4, big) != length ||
		    captured > length - PACKET_BYTES - 4 ||
		    captured > PACKET_BYTES_MAX || id >= table->count ||
		    table->of[id].link == LINK_UNKNOWN)
			break;
		at += length;
		packets++;
	}
	walk->at = (size_t)(at - walk->chunk->bytes);
	walk->packets = packets;
}

static void pass_most(struct walk *walk)
{
	if (!walk->source->interfaces.current || walk->source->skip)
		return;
	if (walk->source->big)
		pass_packets(walk, true);
	else
		pass_packets(walk, false);
}

enum verdict pcapng_walk(struct walk *walk, struct sl_error *error)
{
	for (;;) {
		enum verdict verdict = WALK_ON;
		struct block block;

		pass_most(walk);
		if (walk->packets == walk->wanted)
			return WALK_FULL;
		if (SL_UNLIKELY(walk->source->skip))
			verdict = skip_block(walk, error);
		if (verdict == WALK_ON)
			verdict = see_block(walk, &block, error);
		if (verdict == WALK_SKIP)
			continue;
		if (verdict == WALK_ON)
			verdict = take_block(walk, &block, error);
		if (verdict != WALK_ON)
			return verdict;
		walk->at += block.length;
		walk->packets += pcapng_is_packet(block.type);
	}
}
