/* SPDX-License-Identifier: MIT */
/* Cutting: where a chunk of lines ends, and what is read for it. It ends behind
 * so many lines or before SL_CHUNK_BYTES, whatever read() returns; a line that
 * is longer than that is a chunk of its own, and all but its start is skipped.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "source.h"

/* Find the @p wanted-th newline. *seen is how many there are up to what is
 * returned: the byte behind it, or the end. */
static const uint8_t *walk_lines(const uint8_t *from, const uint8_t *end,
				 uint32_t wanted, uint32_t *seen)
{
	enum { BLOCK = 128 };
	uint32_t count = 0;

	/* Counting a block is one vector loop; looking into it, many. */
	while (end - from >= BLOCK) {
		uint8_t block = 0;

		for (int at = 0; at < BLOCK; at++)
			block = (uint8_t)(block + (from[at] == '\n'));
		if (count + block >= wanted)
			break;
		count += block;
		from += BLOCK;
	}
	while (from < end && count < wanted) {
		const uint8_t *newline =
			memchr(from, '\n', (size_t)(end - from));

		from = newline ? newline + 1 : end;
		count += newline != NULL;
	}
	*seen = count;
	return from;
}

/* Read once, behind what the chunk has, no more than it will need. */
static enum sl_code read_more(struct source *source, struct sl_chunk *chunk,
			      uint32_t lines_missing, struct sl_error *error)
{
	size_t wanted = lines_missing * source->line_bytes + 4096;
	size_t room = chunk->bytes_capacity - chunk->bytes_used;
	size_t got;
	enum sl_code code = sl_input_read(
		&source->input, source->host, chunk->bytes + chunk->bytes_used,
		wanted < room ? wanted : room, &got, error);

	chunk->bytes_used += got;
	return code;
}

/* Drop the rest of a line that was too long. */
static void skip_line(struct source *source, struct sl_chunk *chunk)
{
	const uint8_t *newline = memchr(chunk->bytes, '\n', chunk->bytes_used);

	if (!newline) {
		chunk->bytes_used = 0;
		return;
	}
	source->skipping = false;
	chunk->bytes_used -= (size_t)(newline + 1 - chunk->bytes);
	memmove(chunk->bytes, newline + 1, chunk->bytes_used);
}

/* Fill the chunk until it has its lines, is full, or the input ends.
 * @return where the lines end. */
static enum sl_code fill(struct source *source, struct sl_chunk *chunk,
			 size_t *lines_end, uint32_t *lines,
			 struct sl_error *error)
{
	uint32_t wanted = sl_host_chunk_packets(source->host);
	size_t walked = 0;
	enum sl_code code = SL_OK;

	*lines = 0;
	*lines_end = 0;
	for (;;) {
		const uint8_t *end = chunk->bytes + chunk->bytes_used;
		uint32_t seen;

		if (source->skipping) {
			skip_line(source, chunk);
			end = chunk->bytes + chunk->bytes_used;
		}
		walked = (size_t)(walk_lines(chunk->bytes + walked, end,
					     wanted - *lines, &seen) -
				  chunk->bytes);
		*lines += seen;
		if (*lines == wanted || source->input.ended || code != SL_OK ||
		    chunk->bytes_used == chunk->bytes_capacity)
			break;
		code = read_more(source, chunk, wanted - *lines, error);
	}
	*lines_end = walked;
	return code;
}

/* The last newline that the chunk has, when it has not enough of them. */
static size_t last_line_end(const struct sl_chunk *chunk)
{
	size_t end = chunk->bytes_used;

	while (end && chunk->bytes[end - 1] != '\n')
		end--;
	return end;
}

static void carry_over(struct source *source, struct sl_chunk *chunk,
		       size_t from)
{
	source->carried = chunk->bytes_used - from;
	memcpy(source->carry, chunk->bytes + from, source->carried);
	chunk->bytes_used = from;
}

/* The input ended, or broke off, inside the chunk: its last line may lack the
 * newline. After a failure or a stop such a line is not whole. */
static void end_input(struct source *source, struct sl_chunk *chunk,
		      uint32_t *lines, bool broken)
{
	size_t end = last_line_end(chunk);

	if (broken) {
		chunk->bytes_used = end;
	} else if (end < chunk->bytes_used) {
		chunk->bytes[chunk->bytes_used++] = '\n';
		++*lines;
	}
	source->carried = 0;
}

enum sl_code cut_chunk(void *state, struct sl_chunk *chunk,
		       struct sl_error *error)
{
	struct source *source = state;
	struct cut *cut = chunk->cut;
	uint32_t wanted = sl_host_chunk_packets(source->host);
	uint32_t lines;
	size_t end;
	enum sl_code code;

	memcpy(chunk->bytes, source->carry, source->carried);
	chunk->bytes_used = source->carried;
	code = fill(source, chunk, &end, &lines, error);
	cut->first_index = source->next_index;
	cut->too_long = false;
	cut->new_names = false;
	if (lines == wanted) {
		carry_over(source, chunk, end);
	} else if (source->input.ended || code != SL_OK) {
		end_input(source, chunk, &lines, code != SL_OK);
		if (code == SL_OK)
			code = SL_END;
	} else if (lines) {
		carry_over(source, chunk, last_line_end(chunk));
	} else {
		cut->too_long = true;
		source->skipping = true;
		source->carried = 0;
		lines = 1;
	}
	source->next_index += lines;
	if (lines)
		source->line_bytes = chunk->bytes_used / lines + 1;
	return code;
}
