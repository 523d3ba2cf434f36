/* SPDX-License-Identifier: MIT */
/* Chunks: their memory, and what may happen to their order. */
#include "pipeline/chunk.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The bytes of an emitted packet's frame, freed when the chunk is emptied. */
struct sl_frame_copy {
	struct sl_frame_copy *next;
	uint8_t bytes[];
};

/* Both sizes are multiples of the alignment because the element is. */
static void *alloc_lines(size_t count, size_t size)
{
	size_t bytes = count * size;

	bytes = (bytes + SL_CACHE_LINE - 1) / SL_CACHE_LINE * SL_CACHE_LINE;
	return aligned_alloc(SL_CACHE_LINE, bytes ? bytes : SL_CACHE_LINE);
}

/* The arrays that have `capacity` elements. */
static bool alloc_arrays(struct sl_chunk *chunk)
{
	size_t capacity = chunk->capacity;

	chunk->packets = alloc_lines(capacity, sizeof(*chunk->packets));
	chunk->infos = alloc_lines(capacity, sizeof(*chunk->infos));
	chunk->order = alloc_lines(capacity, sizeof(*chunk->order));
	chunk->scratch = alloc_lines(capacity, chunk->host->scratch_size);
	return chunk->packets && chunk->infos && chunk->order && chunk->scratch;
}

static void free_arrays(struct sl_chunk *chunk)
{
	free(chunk->scratch);
	free(chunk->order);
	free(chunk->infos);
	free(chunk->packets);
}

enum sl_code sl_parcel_init(struct sl_parcel *parcel,
			    const struct sl_parcel_shape *shape,
			    struct sl_error *error)
{
	struct sl_chunk *chunk = &parcel->chunk;

	memset(parcel, 0, sizeof(*parcel));
	chunk->capacity = shape->packets;
	chunk->fields = shape->fields;
	chunk->host = &parcel->host;
	chunk->bytes_capacity = SL_CHUNK_BYTES;
	parcel->host.scratch_size = shape->scratch_size;
	parcel->host.failed_at = SL_NEVER;

	parcel->bytes = malloc(chunk->bytes_capacity + 2 * SL_CHUNK_SLACK);
	if (parcel->bytes)
		chunk->bytes = parcel->bytes + SL_CHUNK_SLACK;
	chunk->cut = calloc(1, shape->cut_size ? shape->cut_size : 1);
	parcel->host.tally =
		calloc(shape->tally_size, sizeof(*parcel->host.tally));
	if (alloc_arrays(chunk) && chunk->bytes && chunk->cut &&
	    parcel->host.tally)
		return SL_OK;

	sl_parcel_finish(parcel);
	return SL_FAIL(error, SL_ENOMEM, "no memory for a chunk of %u packets",
		       shape->packets);
}

static void drop_copies(struct sl_chunk_private *host)
{
	while (host->copies) {
		struct sl_frame_copy *copy = host->copies;

		host->copies = copy->next;
		free(copy);
	}
}

void sl_parcel_finish(struct sl_parcel *parcel)
{
	struct sl_chunk *chunk = &parcel->chunk;

	drop_copies(&parcel->host);
	free(parcel->host.emissions);
	free(parcel->host.tally);
	free(chunk->out.data);
	free(chunk->cut);
	free(parcel->bytes);
	free_arrays(chunk);
	memset(parcel, 0, sizeof(*parcel));
}

void sl_parcel_reset(struct sl_parcel *parcel, size_t tally_size)
{
	struct sl_chunk *chunk = &parcel->chunk;

	drop_copies(&parcel->host);
	chunk->count = 0;
	chunk->gone = 0;
	chunk->used = 0;
	chunk->bytes_used = 0;
	chunk->out.used = 0;
	parcel->host.emission_count = 0;
	parcel->host.failed_at = SL_NEVER;
	parcel->host.whole_failed = false;
	memset(parcel->host.tally, 0, tally_size * sizeof(*parcel->host.tally));
	parcel->step = 0;
	parcel->sampled = false;
	parcel->flush = false;
	parcel->flush_more = false;
}

static int compare_emissions(const void *a, const void *b)
{
	const struct sl_emission *x = a, *y = b;

	if (x->before != y->before)
		return x->before < y->before ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

static void sort_emissions(struct sl_chunk_private *host)
{
	if (host->unsorted)
		qsort(host->emissions, host->emission_count,
		      sizeof(*host->emissions), compare_emissions);
	host->unsorted = false;
}

void sl_chunk_compact(struct sl_chunk *chunk)
{
	struct sl_chunk_private *host = chunk->host;
	uint32_t kept = 0;
	size_t next = 0;

	sort_emissions(host);
	if (!chunk->gone)
		return;

	for (uint32_t at = 0; at < chunk->count; at++) {
		for (; next < host->emission_count &&
		       host->emissions[next].before == at;
		     next++)
			host->emissions[next].before = kept;
		if (chunk->order[at] != SL_GONE)
			chunk->order[kept++] = chunk->order[at];
	}
	for (; next < host->emission_count; next++)
		host->emissions[next].before = kept;
	chunk->count = kept;
	chunk->gone = 0;
}

void sl_chunk_truncate(struct sl_chunk *chunk, uint64_t from)
{
	for (uint32_t at = 0; at < chunk->count; at++) {
		if (chunk->order[at] == SL_GONE ||
		    sl_chunk_info(chunk, at)->index < from)
			continue;
		chunk->order[at] = SL_GONE;
		chunk->gone++;
	}
	sl_chunk_compact(chunk);
}

/* Copy what is in use into the wider arrays and take them over. */
static void replace_arrays(struct sl_chunk *chunk, const struct sl_chunk *wider)
{
	memcpy(wider->packets, chunk->packets,
	       chunk->used * sizeof(*chunk->packets));
	memcpy(wider->infos, chunk->infos, chunk->used * sizeof(*chunk->infos));
	memcpy(wider->order, chunk->order,
	       chunk->count * sizeof(*chunk->order));
	memcpy(wider->scratch, chunk->scratch,
	       chunk->used * chunk->host->scratch_size);
	free_arrays(chunk);
	chunk->packets = wider->packets;
	chunk->infos = wider->infos;
	chunk->order = wider->order;
	chunk->scratch = wider->scratch;
	chunk->capacity = wider->capacity;
}

/* Make room for the emissions; twice what there was, since more will come. */
static enum sl_code grow(struct sl_chunk *chunk, struct sl_error *error)
{
	struct sl_chunk wider = { .host = chunk->host };
	size_t wanted = chunk->used + chunk->host->emission_count;

	if (wanted < 2 * (size_t)chunk->capacity)
		wanted = 2 * (size_t)chunk->capacity;
	wider.capacity = wanted < SL_CHUNK_PACKETS_MAX ? (uint32_t)wanted
						       : SL_CHUNK_PACKETS_MAX;
	if (!alloc_arrays(&wider)) {
		free_arrays(&wider);
		return SL_FAIL(error, SL_ENOMEM,
			       "no memory for a chunk of %u packets",
			       wider.capacity);
	}
	replace_arrays(chunk, &wider);
	return SL_OK;
}

/* Move the emissions to the end of the arrays, and their indices into the
 * order: from the back, so that each index moves once. */
static void place_emissions(struct sl_chunk *chunk)
{
	struct sl_chunk_private *host = chunk->host;
	uint32_t from = chunk->count;
	uint32_t to = chunk->count + (uint32_t)host->emission_count;
	uint32_t index = chunk->used + (uint32_t)host->emission_count;

	chunk->count = to;
	chunk->used = index;
	for (size_t left = host->emission_count; left; left--) {
		const struct sl_emission *emission = &host->emissions[left - 1];

		while (from > emission->before)
			chunk->order[--to] = chunk->order[--from];
		chunk->packets[--index] = emission->packet;
		chunk->infos[index] = emission->info;
		chunk->order[--to] = (uint16_t)index;
	}
	host->emission_count = 0;
}

enum sl_code sl_chunk_join_emissions(struct sl_chunk *chunk,
				     struct sl_error *error)
{
	enum sl_code code = SL_OK;

	if (!chunk->host->emission_count)
		return SL_OK;
	sort_emissions(chunk->host);
	if (chunk->used + chunk->host->emission_count > chunk->capacity)
		code = grow(chunk, error);
	if (code == SL_OK)
		place_emissions(chunk);
	else
		chunk->host->emission_count = 0;
	return code;
}

void sl_chunk_note_failure(struct sl_chunk *chunk, uint64_t at,
			   uint32_t position, const struct sl_host *by,
			   const struct sl_error *error)
{
	struct sl_chunk_private *host = chunk->host;

	if (at > host->failed_at ||
	    (at == host->failed_at && position >= host->failed_position))
		return;
	host->failed_at = at;
	host->failed_position = position;
	host->failed_by = by;
	host->error = *error;
}

void sl_chunk_note_whole_failure(struct sl_chunk *chunk,
				 const struct sl_error *error)
{
	chunk->host->whole_failed = true;
	sl_chunk_note_failure(chunk, sl_chunk_first_index(chunk),
			      chunk->host->offset, chunk->host->running, error);
}

uint64_t sl_chunk_first_index(const struct sl_chunk *chunk)
{
	uint64_t first = SL_BEHIND_ALL;

	for (uint32_t at = 0; at < chunk->used; at++)
		if (chunk->infos[at].index < first)
			first = chunk->infos[at].index;
	return first;
}

/* ---- what plugins call ------------------------------------------------ */

void sl_packet_failed(struct sl_chunk *chunk, uint32_t at, const char *file,
		      int line, const char *fmt, ...)
{
	struct sl_error error = { .code = SL_EINVAL };
	char message[sizeof(error.message)];
	uint64_t index = sl_chunk_info(chunk, at)->index;
	va_list args;

	if (index > chunk->host->failed_at)
		return;
	va_start(args, fmt);
	vsnprintf(message, sizeof(message), fmt, args);
	va_end(args);
	sl_error_set(&error, SL_EINVAL, file, line, "%s", message);
	sl_chunk_note_failure(chunk, index, chunk->host->offset + at,
			      chunk->host->running, &error);
}

static enum sl_code out_of_order(struct sl_error *error, const char *what)
{
	return SL_FAIL(error, SL_EINVAL, "%s, and was called elsewhere", what);
}

void sl_hold(struct sl_chunk *chunk, uint32_t at)
{
	struct sl_error error = { .code = SL_OK };

	if (!chunk->host->ordered || chunk->host->flushing) {
		(void)out_of_order(&error, "sl_hold() is for commit");
		sl_chunk_note_whole_failure(chunk, &error);
		return;
	}
	chunk->order[at] = SL_GONE;
	chunk->gone++;
	chunk->host->tally[chunk->host->running->tally + SL_TALLY_HELD]++;
}

static enum sl_code keep_frame(struct sl_chunk *chunk,
			       struct sl_packet_info *info,
			       struct sl_error *error)
{
	struct sl_frame_copy *copy;

	if (!info->frame)
		return SL_OK;
	copy = malloc(sizeof(*copy) + info->captured);
	if (!copy)
		return SL_FAIL(error, SL_ENOMEM,
			       "no memory for a frame of %u bytes",
			       info->captured);
	memcpy(copy->bytes, info->frame, info->captured);
	info->frame = copy->bytes;
	copy->next = chunk->host->copies;
	chunk->host->copies = copy;
	return SL_OK;
}

static enum sl_code reserve_emission(struct sl_chunk_private *host,
				     struct sl_error *error)
{
	size_t capacity =
		host->emission_capacity ? host->emission_capacity * 2 : 16;
	struct sl_emission *grown;

	if (host->emission_count < host->emission_capacity)
		return SL_OK;
	grown = aligned_alloc(SL_CACHE_LINE, capacity * sizeof(*grown));
	if (!grown)
		return SL_FAIL(error, SL_ENOMEM,
			       "no memory for %zu new packets", capacity);
	if (host->emission_count)
		memcpy(grown, host->emissions,
		       host->emission_count * sizeof(*grown));
	free(host->emissions);
	host->emissions = grown;
	host->emission_capacity = capacity;
	return SL_OK;
}

enum sl_code sl_emit(struct sl_chunk *chunk, uint32_t at,
		     const struct sl_packet *packet,
		     const struct sl_packet_info *info, struct sl_error *error)
{
	struct sl_chunk_private *host = chunk->host;
	struct sl_packet_info copy = *info;
	struct sl_emission *emission;
	enum sl_code code;

	if (!host->ordered)
		return out_of_order(error, "sl_emit() is for commit and flush");
	if (chunk->used + host->emission_count >= SL_CHUNK_PACKETS_MAX)
		return SL_FAIL(error, SL_ENOSPC,
			       "the chunk is full: %d packets",
			       SL_CHUNK_PACKETS_MAX);
	code = reserve_emission(host, error);
	if (code == SL_OK)
		code = keep_frame(chunk, &copy, error);
	if (code != SL_OK)
		return code;
	emission = &host->emissions[host->emission_count];
	emission->before =
		host->flushing || at >= chunk->count ? chunk->count : at + 1;
	emission->number = (uint32_t)host->emission_count;
	/* Commits walk forward, so the new one nearly always comes last. */
	if (host->emission_count && emission[-1].before > emission->before)
		host->unsorted = true;
	host->emission_count++;
	emission->packet = *packet;
	emission->packet.drop = 0;
	emission->info = copy;
	host->tally[host->running->tally + SL_TALLY_EMITTED]++;
	return SL_OK;
}

void sl_drop_held(struct sl_chunk *chunk, unsigned reason)
{
	chunk->host->tally[chunk->host->running->tally + SL_TALLY_EMITTED]++;
	sl_count_drop(chunk, reason);
}

void sl_bad_drop(struct sl_chunk *chunk, unsigned reason)
{
	struct sl_error error = { .code = SL_OK };

	sl_error_set(&error, SL_EINVAL, __FILE__, __LINE__,
		     "drops for reason %u, but declares %u", reason,
		     chunk->drop_count);
	sl_chunk_note_whole_failure(chunk, &error);
}
