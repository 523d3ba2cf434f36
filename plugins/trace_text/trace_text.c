/* SPDX-License-Identifier: MIT */
/* trace_text: packets as lines of text, "nic dst src dport sport protocol".
 * This file is the source: it cuts a trace at every so many lines and parses
 * each chunk; sink.c is the sink.
 *
 * A chunk's bytes are read into the chunk itself, about as many as it needs;
 * what was read too much is carried over to the next one. So the worker that
 * cuts a chunk also has its bytes in its own cache when it parses them, and
 * no mapped pages count as this process's memory.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "line.h"
#include "sink.h"
#include "sluice/plugin.h"
#include "sluice/source.h"
#include "words.h"

enum on_error { ON_ERROR_STOP, ON_ERROR_SKIP };
enum drop { DROP_BAD_LINE };

static const char *const on_error_words[] = { "stop", "skip", NULL };
static const char *const drop_names[] = { "bad_line", NULL };

struct source {
	const char *path;
	const char *fields_text;
	int on_error;
	int64_t packet_interval_ns;

	struct sl_host *host;
	struct fields fields;
	bool default_order;
	int fd;
	bool regular; /* reading it never waits */
	bool ended;
	bool skipping; /* inside a line that is too long */
	uint8_t *carry; /* owned: read, but not yet cut */
	size_t carried;
	uint64_t next_index; /* of the next line */
	size_t line_bytes; /* what a line takes, as far as seen */
};

struct worker {
	struct word_cache nics, applications;
};

/* What parse must know of a chunk. */
struct cut {
	uint64_t first_index;
	bool too_long; /* it is one line, of which this is the start */
	bool new_names; /* parse met some */
};

static void check(void *state, struct sl_host *host)
{
	struct source *source = state;

	fields_parse(&source->fields, source->fields_text, host);
}

static bool is_default(const struct fields *fields)
{
	static const enum field order[] = { FIELD_NIC,   FIELD_DST,
					    FIELD_SRC,   FIELD_DPORT,
					    FIELD_SPORT, FIELD_PROTOCOL };
	const size_t count = sizeof(order) / sizeof(order[0]);

	return fields->count == count &&
	       memcmp(fields->of, order, sizeof(order)) == 0;
}

static enum sl_code open_input(struct source *source, struct sl_host *host,
			       struct sl_error *error)
{
	struct stat file;

	source->fd = strcmp(source->path, "-") == 0
			     ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
			     : open(source->path, O_RDONLY | O_CLOEXEC);
	if (source->fd < 0 || fstat(source->fd, &file))
		return SL_FAIL(error, SL_EIO, "cannot open %s: %s",
			       source->path, strerror(errno));
	if (S_ISDIR(file.st_mode))
		return SL_FAIL(error, SL_EIO, "cannot read %s: %s",
			       source->path, strerror(EISDIR));
	source->regular = S_ISREG(file.st_mode);
	return sl_host_claim(host, source->fd, source->path, SL_FILE_READ,
			     error);
}

static enum sl_code open_source(void *state, struct sl_host *host,
				struct sl_error *error)
{
	struct source *source = state;
	enum sl_code code;

	source->host = host;
	source->default_order = is_default(&source->fields);
	source->line_bytes = 48;
	source->fd = -1;
	source->carry = malloc(SL_CHUNK_BYTES);
	if (!source->carry)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a buffer");
	code = words_intern(sl_host_applications(host), error);
	return code == SL_OK ? open_input(source, host, error) : code;
}

static void close_source(void *state)
{
	struct source *source = state;

	/* Without a buffer it was never opened. */
	if (source->carry && source->fd >= 0)
		close(source->fd);
	free(source->carry);
}

/* ---- cut -------------------------------------------------------------- */

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
	ssize_t got;
	enum sl_code code;

	if (!source->regular) {
		code = sl_host_wait_readable(source->host, source->fd, error);
		if (code != SL_OK)
			return code;
	}
	do
		got = read(source->fd, chunk->bytes + chunk->bytes_used,
			   wanted < room ? wanted : room);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return SL_FAIL(error, SL_EIO, "cannot read %s: %s",
			       source->path, strerror(errno));
	chunk->bytes_used += (size_t)got;
	if (!got)
		source->ended = true;
	return SL_OK;
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
		if (*lines == wanted || source->ended || code != SL_OK ||
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
 * newline. After a failure such a line is not whole. */
static void end_input(struct source *source, struct sl_chunk *chunk,
		      uint32_t *lines, bool failed)
{
	size_t end = last_line_end(chunk);

	if (failed) {
		chunk->bytes_used = end;
	} else if (end < chunk->bytes_used) {
		chunk->bytes[chunk->bytes_used++] = '\n'; /* in the slack */
		++*lines;
	}
	source->carried = 0;
}

static enum sl_code cut_chunk(void *state, struct sl_chunk *chunk,
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
	} else if (source->ended || code != SL_OK) {
		end_input(source, chunk, &lines,
			  code != SL_OK && code != SL_ESTOPPED);
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

/* ---- parse ------------------------------------------------------------ */

static int64_t time_of(const struct source *source, uint64_t index)
{
	int64_t time;

	return __builtin_mul_overflow(index, source->packet_interval_ns, &time)
		       ? INT64_MAX
		       : time;
}

static void undo_append(struct sl_chunk *chunk)
{
	chunk->used--;
	chunk->count--;
}

/* @return false: the input ends at this line. */
static bool bad_line(const struct source *source, struct sl_chunk *chunk,
		     uint64_t index, struct sl_error *error)
{
	if (source->on_error == ON_ERROR_SKIP) {
		sl_count_drop(chunk, DROP_BAD_LINE);
		return true;
	}
	sl_error_at(error, source->path, (int)(index + 1));
	return false;
}

static enum sl_code too_long(const struct source *source,
			     struct sl_chunk *chunk, uint64_t index,
			     struct sl_error *error)
{
	enum sl_code code =
		SL_FAIL(error, SL_EINVAL, "the line is longer than %u bytes",
			SL_CHUNK_BYTES - 1);

	return bad_line(source, chunk, index, error) ? SL_OK : code;
}

static enum sl_code parse_chunk(void *state, struct sl_chunk *chunk,
				struct sl_error *error)
{
	const struct source *source = state;
	struct worker *worker = chunk->worker;
	struct cut *cut = chunk->cut;
	const struct line_reader reader = {
		.fields = &source->fields,
		.nics = sl_host_nics(source->host),
		.applications = sl_host_applications(source->host),
		.nic_cache = &worker->nics,
		.application_cache = &worker->applications,
		.default_order = source->default_order,
	};
	const uint8_t *text = chunk->bytes;
	const uint8_t *limit = chunk->bytes + chunk->bytes_used;
	uint64_t index = cut->first_index;

	if (cut->too_long)
		return too_long(source, chunk, index, error);
	for (; text < limit; index++) {
		const uint8_t *end;
		uint16_t at = sl_chunk_append(chunk);
		struct sl_packet_info *info = &chunk->infos[at];
		enum line_result result = line_parse(
			&reader, text, limit, &end, &chunk->packets[at], error);

		info->index = index;
		info->time_ns = time_of(source, index);
		if (SL_UNLIKELY(result != LINE_GOOD)) {
			if (result == LINE_NEW_NAME) {
				/* Where commit finds it. */
				info->reserved =
					(uint32_t)(text - chunk->bytes) + 1;
				cut->new_names = true;
			} else {
				undo_append(chunk);
			}
			if (result == LINE_BAD &&
			    !bad_line(source, chunk, index, error))
				return SL_EINVAL;
		}
		text = end + 1;
	}
	return SL_OK;
}

/* ---- commit ----------------------------------------------------------- */

static enum sl_code intern_names(const struct source *source,
				 const struct sl_chunk *chunk, uint32_t at,
				 struct sl_error *error)
{
	struct sl_packet *packet = sl_chunk_packet(chunk, at);
	struct sl_packet_info *info = sl_chunk_info(chunk, at);
	const uint8_t *text = chunk->bytes + info->reserved - 1;
	const uint8_t *end = memchr(text, '\n', SL_CHUNK_BYTES);
	struct line_name nic = { NULL, 0 }, protocol = { NULL, 0 };
	enum sl_code code;

	info->reserved = 0;
	line_names(&source->fields, text, end, &nic, &protocol);
	code = sl_names_intern(sl_host_nics(source->host), nic.text, nic.length,
			       &packet->nic_in, error);
	if (code == SL_OK)
		code = sl_names_intern(sl_host_applications(source->host),
				       protocol.text, protocol.length,
				       &packet->application, error);
	return code;
}

/* Names met for the first time, in input order. */
static enum sl_code commit_names(void *state, struct sl_chunk *chunk,
				 struct sl_error *error)
{
	const struct source *source = state;
	const struct cut *cut = chunk->cut;

	(void)error;
	if (!cut->new_names)
		return SL_OK;
	for (uint32_t at = 0; at < chunk->count; at++) {
		struct sl_error reason;

		if (sl_chunk_info(chunk, at)->reserved &&
		    intern_names(source, chunk, at, &reason) != SL_OK) {
			SL_FAIL_PACKET(chunk, at, "%s", reason.message);
			break;
		}
	}
	return SL_OK;
}

static const char *place_of(const void *state, uint64_t index, int *line)
{
	const struct source *source = state;

	*line = (int)(index + 1);
	return source->path;
}

static const struct sl_option options[] = {
	{ .name = "path",
	  .type = SL_PATH,
	  .required = true,
	  .offset = offsetof(struct source, path),
	  .help = "The trace; `-` is standard input." },
	{ .name = "fields",
	  .type = SL_STRING,
	  .offset = offsetof(struct source, fields_text),
	  .default_text = FIELDS_DEFAULT,
	  .help = "What the columns of a line are, in order; `-` is a column "
		  "of no interest." },
	{ .name = "on_error",
	  .type = SL_ENUM,
	  .offset = offsetof(struct source, on_error),
	  .default_text = "stop",
	  .choices = on_error_words,
	  .help = "What a bad line does: end the run, or be skipped and "
		  "counted." },
	{ .name = "packet_interval",
	  .type = SL_DURATION,
	  .offset = offsetof(struct source, packet_interval_ns),
	  .default_text = "0",
	  .min = 0,
	  .max = 3600000000000,
	  .help = "Time from one line to the next; 0: the trace has no "
		  "time." },
};

static const struct sl_source trace_source = {
	.size = sizeof(struct sl_source),
	.state_size = sizeof(struct source),
	.worker_size = sizeof(struct worker),
	.cut_size = sizeof(struct cut),
	.provides = SL_FIELD_ADDRESSES | SL_FIELD_PORTS | SL_FIELD_APPLICATION |
		    SL_FIELD_NIC_IN,
	.drops = drop_names,
	.check = check,
	.open = open_source,
	.close = close_source,
	.cut = cut_chunk,
	.parse = parse_chunk,
	.commit = commit_names,
	.place = place_of,
};

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_SOURCE,
	.name = "trace_text",
	.summary = "read packets from a text trace, a line each",
	SL_OPTION_TABLE(options),
	.source = &trace_source,
	.also = &trace_text_sink,
};
