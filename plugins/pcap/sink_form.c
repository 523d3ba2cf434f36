/* SPDX-License-Identifier: MIT */
/* Forming records: small frames are copied, large ones stay where they are. */
#include "sink_form.h"

#include <string.h>

/* Frames of this size are not copied: the system takes them from where they
 * are. That costs it some 60 ns each, as much as a copy of this many bytes. */
#define BORROW_BYTES 1024

/* Room for a range: the pieces, and behind them what is copied. @return NULL:
 * no memory. */
static struct formed *reserve(struct sl_chunk *chunk, const struct range *range,
			      char **bytes, struct sl_error *error)
{
	size_t copied = 0, borrowed = 0, head;
	struct formed *formed;

	for (uint32_t at = range->from; at < range->to; at++) {
		uint32_t captured = sl_chunk_info(chunk, at)->captured;

		if (captured >= BORROW_BYTES)
			borrowed++;
		else
			copied += captured;
	}
	head = sizeof(*formed) + (2 * borrowed + 1) * sizeof(struct iovec);
	copied += (size_t)(range->to - range->from) * RECORD_MORE;
	chunk->out.used = 0;
	if (sl_buffer_reserve(&chunk->out, head + copied, error) != SL_OK)
		return NULL;
	*bytes = chunk->out.data + head;
	formed = (void *)chunk->out.data;
	memset(formed, 0, sizeof(*formed));
	return formed;
}

static void add_piece(struct formed *formed, void *start, size_t bytes)
{
	formed->pieces[formed->count].iov_base = start;
	formed->pieces[formed->count++].iov_len = bytes;
}

/* Numbers that were looked up lately. Interfaces alternate by chance, so that
 * the last one alone is of little use. */
#define KNOWN 32
struct known {
	uint32_t keys[KNOWN];
	uint32_t numbers[KNOWN]; /* each + 1; 0: none */
};

static inline uint32_t look_up(struct known *known,
			       const struct numbers *numbers, uint32_t key)
{
	uint32_t at = (key ^ key >> 16) % KNOWN;

	if (SL_UNLIKELY(known->keys[at] != key || !known->numbers[at])) {
		known->keys[at] = key;
		known->numbers[at] = numbers_find(numbers, key) + 1;
	}
	return known->numbers[at] - 1;
}

/* One loop for both formats, of which each gets its own copy. */
static SL_ALWAYS_INLINE void form_records(enum format format,
					  const struct numbers *numbers,
					  struct sl_chunk *chunk,
					  const struct range *range,
					  struct formed *formed, char *to)
{
	struct known known = { { 0 }, { 0 } };
	uint32_t interface = 0;
	uint32_t links = 0; /* a bit that two link types do not share */
	char *piece = to;

	for (uint32_t at = range->from; at < range->to; at++) {
		const struct sl_packet_info *info = sl_chunk_info(chunk, at);

		if (info->index >= range->limit)
			continue;
		formed->doubtful |= !form_time_fits(format, info);
		if (format == FORMAT_PCAP) {
			if (at == range->from)
				formed->link_type = info->link_type;
			links |= formed->link_type ^ info->link_type;
		} else {
			interface = look_up(
				&known, numbers,
				form_key_of(sl_chunk_packet(chunk, at), info));
			formed->doubtful |= interface == NUMBER_UNKNOWN;
		}
		to = format_record_header(format, to, info, interface);
		if (info->captured >= BORROW_BYTES) {
			add_piece(formed, piece, (size_t)(to - piece));
			add_piece(formed, info->frame, info->captured);
			piece = to;
		} else if (info->captured) {
			format_copy(to, info->frame, info->captured);
			to += info->captured;
		}
		to = format_record_end(format, to, info->captured);
	}
	formed->doubtful |= links != 0;
	add_piece(formed, piece, (size_t)(to - piece));
}

enum sl_code form_range(enum format format, const struct numbers *numbers,
			struct sl_chunk *chunk, const struct range *range,
			struct sl_error *error)
{
	char *bytes;
	struct formed *formed = reserve(chunk, range, &bytes, error);

	if (!formed)
		return SL_ENOMEM;
	if (format == FORMAT_PCAP)
		form_records(FORMAT_PCAP, numbers, chunk, range, formed, bytes);
	else
		form_records(FORMAT_PCAPNG, numbers, chunk, range, formed,
			     bytes);
	return SL_OK;
}
