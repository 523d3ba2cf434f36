/* SPDX-License-Identifier: MIT */
/* The source pcap: whatever the bytes, the packets and the error are the same
 * when they come in pieces, and in chunks of other sizes; and the stage `walk`
 * finds the packets' metadata in their frames. The input's first two bytes say
 * how it is cut, the rest is a capture. */
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pipeline/names.h"
#include "plugins/pcap/source.h"
#include "sluice/plugin.h"
#include "tests/fuzz/fuzz.h"

/* The stage's: tests/runpipe/plugins/walk.c is linked. */
extern const struct sl_plugin sluice_plugin;

/* How one reading of the input goes on, behind the functions that a plugin has
 * of its host. */
struct sl_host {
	const uint8_t *data;
	size_t left, piece;
	uint32_t chunk_packets;
	int to; /* the pipe's end; -1: closed */
};

/* What came of it, as text: a line a packet, and the error. */
struct story {
	char *text;
	size_t used, capacity;
};

static struct sl_names *nics;

/* ---- the host --------------------------------------------------------- */

struct sl_names *sl_host_nics(struct sl_host *host)
{
	(void)host;
	return nics;
}

uint32_t sl_host_chunk_packets(const struct sl_host *host)
{
	return host->chunk_packets;
}

/* Nothing is opened here: the input is a pipe that is there already. */
enum sl_code sl_host_claim(struct sl_host *host, int fd, const char *path,
			   enum sl_file_use use, struct sl_error *error)
{
	(void)host;
	(void)fd;
	(void)path;
	(void)use;
	return SL_FAIL(error, SL_EINVAL, "nobody claims a file here");
}

bool sl_host_stopping(const struct sl_host *host)
{
	(void)host;
	return false;
}

/* The next piece goes into the pipe when the last one was read. */
enum sl_code sl_host_wait_readable(struct sl_host *host, int fd,
				   struct sl_error *error)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	size_t bytes = host->piece < host->left ? host->piece : host->left;

	(void)error;
	if (poll(&wait, 1, 0) > 0 || host->to < 0)
		return SL_OK;
	if (bytes) {
		fuzz_require(write(host->to, host->data, bytes) ==
			     (ssize_t)bytes);
		host->data += bytes;
		host->left -= bytes;
	} else {
		close(host->to);
		host->to = -1;
	}
	return SL_OK;
}

void sl_problem(struct sl_host *host, const char *option,
		const struct sl_value *value, const char *fmt, ...)
{
	(void)host;
	(void)option;
	(void)value;
	(void)fmt;
	abort();
}

void sl_packet_failed(struct sl_chunk *chunk, uint32_t at, const char *file,
		      int line, const char *fmt, ...)
{
	(void)chunk;
	(void)at;
	(void)line;
	fprintf(stderr, "%s: %s\n", file, fmt);
	abort();
}

/* ---- one reading ------------------------------------------------------ */

static char *room(struct story *story, size_t bytes)
{
	if (story->capacity - story->used < bytes) {
		story->capacity = 2 * story->capacity + bytes;
		story->text = realloc(story->text, story->capacity);
		fuzz_require(story->text != NULL);
	}
	return story->text + story->used;
}

static uint64_t sum_of(const void *bytes, size_t count)
{
	const uint8_t *from = bytes;
	uint64_t sum = UINT64_C(0xcbf29ce484222325);

	while (count--)
		sum = (sum ^ *from++) * UINT64_C(0x100000001b3);
	return sum;
}

static void tell(struct story *story, const struct sl_chunk *chunk)
{
	for (uint32_t at = 0; at < chunk->count; at++) {
		const struct sl_packet *packet = sl_chunk_packet(chunk, at);
		const struct sl_packet_info *info = sl_chunk_info(chunk, at);

		fuzz_require(packet->nic_in != SL_NO_NAME);
		fuzz_require(info->captured <= PACKET_BYTES_MAX);
		story->used += (size_t)snprintf(
			room(story, 200), 200,
			"%" PRIu64 " %" PRId64 " %" PRIu32 " %" PRIu32
			" %u %u %u %" PRIx64 " %" PRIx64 "\n",
			info->index, info->time_ns, info->captured,
			info->original, info->l3, info->l4, info->link_type,
			sum_of(packet, sizeof(*packet)),
			sum_of(info->frame, info->captured));
	}
}

static void tell_error(struct story *story, enum sl_code code,
		       const struct sl_error *error)
{
	story->used +=
		(size_t)snprintf(room(story, 1024), 1024, "%d %s: %s\n",
				 (int)code, code == SL_END ? "" : error->input,
				 code == SL_END ? "" : error->message);
}

/* The bytes that were cut, moved to where reading behind them is found. */
static uint8_t *set_apart(struct sl_chunk *chunk)
{
	size_t size = chunk->bytes_used + 2 * SL_CHUNK_SLACK;
	uint8_t *apart = malloc(size);

	fuzz_require(apart != NULL);
	memset(apart, 'x', size);
	memcpy(apart + SL_CHUNK_SLACK, chunk->bytes, chunk->bytes_used);
	chunk->bytes = apart + SL_CHUNK_SLACK;
	return apart;
}

/* Cut, parse and walk one chunk. @return false: it was the last. */
static bool read_chunk(struct source *source, struct sl_chunk *chunk,
		       struct story *story)
{
	struct sl_error error = { .code = SL_OK };
	uint8_t *bytes = chunk->bytes;
	uint8_t *apart;
	enum sl_code code;

	chunk->count = chunk->used = 0;
	code = cut_chunk(source, chunk, &error);
	if (code != SL_OK && code != SL_END)
		fuzz_require(code == error.code);
	apart = set_apart(chunk);
	fuzz_require(parse_chunk(source, chunk, NULL) == SL_OK);
	fuzz_require(commit_chunk(source, chunk, NULL) == SL_OK);
	fuzz_require(chunk->count <= chunk->capacity);
	fuzz_require(sluice_plugin.stage->process(NULL, chunk, NULL) == SL_OK);
	tell(story, chunk);
	free(apart);
	chunk->bytes = bytes;
	chunk->sequence++;
	if (code != SL_OK)
		tell_error(story, code, &error);
	return code == SL_OK;
}

static struct story read_all(const uint8_t *data, size_t size, size_t piece,
			     uint32_t chunk_packets)
{
	static uint8_t bytes[SL_CHUNK_BYTES + 2 * SL_CHUNK_SLACK];
	static uint8_t carry[SL_CHUNK_BYTES];
	struct sl_host host = { data, size, piece, chunk_packets, -1 };
	struct source *source =
		aligned_alloc(SL_CACHE_LINE, (sizeof(*source) + 63) / 64 * 64);
	struct cut cut = { .packets = 0 };
	struct sl_chunk chunk = {
		.bytes = bytes + SL_CHUNK_SLACK,
		.bytes_capacity = SL_CHUNK_BYTES,
		.capacity = chunk_packets,
		.cut = &cut,
	};
	struct story story = { NULL, 0, 0 };
	int ends[2];

	chunk.packets = aligned_alloc(SL_CACHE_LINE,
				      chunk_packets * sizeof(*chunk.packets));
	chunk.infos = malloc(chunk_packets * sizeof(*chunk.infos));
	chunk.order = malloc(chunk_packets * sizeof(*chunk.order));
	fuzz_require(source && chunk.packets && chunk.infos && chunk.order);
	fuzz_require(pipe(ends) == 0);
	host.to = ends[1];
	memset(source, 0, sizeof(*source));
	source->path = "in";
	source->host = &host;
	source->input.path = source->path;
	source->input.fd = ends[0];
	source->carry = carry;
	source->seen_bytes = 128;
	source->seen_packets = 1;
	while (read_chunk(source, &chunk, &story)) {
	}
	interfaces_finish(&source->interfaces);
	free(source);
	free(chunk.packets);
	free(chunk.infos);
	free(chunk.order);
	close(ends[0]);
	if (host.to >= 0)
		close(host.to);
	return story;
}

static void compare(struct story a, struct story b)
{
	fuzz_require(a.used == b.used && memcmp(a.text, b.text, a.used) == 0);
	free(b.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct story whole;

	if (!nics) {
		nics = sl_names_create();
		fuzz_require(nics != NULL);
	}
	if (size < 2)
		return 0;
	whole = read_all(data + 2, size - 2, 32768, 64);
	compare(whole, read_all(data + 2, size - 2, 1u + data[0], 64));
	compare(whole, read_all(data + 2, size - 2, 32768, 1u + data[1] % 8));
	free(whole.text);
	return 0;
}
