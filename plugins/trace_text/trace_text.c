/* SPDX-License-Identifier: MIT */
/* trace_text: packets as lines of text, "nic dst src dport sport protocol".
 * This file is the source: it parses the chunks that cut.c cuts; sink.c is the
 * sink.
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
#include "source.h"
#include "words.h"

enum drop { DROP_BAD_LINE };

static const char *const on_error_words[] = { "stop", "skip", NULL };
static const char *const drop_names[] = { "bad_line", NULL };

struct worker {
	struct word_cache nics, applications;
};

static void check(void *state, struct sl_host *host)
{
	struct source *source = state;

	fields_parse(&source->fields, source->fields_text, true, host);
	if (source->packet_interval_ns)
		sl_host_writes(host, SL_FIELD_TIME);
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

static enum sl_code open_source(void *state, struct sl_host *host,
				struct sl_error *error)
{
	struct source *source = state;
	enum sl_code code;

	source->host = host;
	source->default_order = is_default(&source->fields);
	source->batch = source->default_order ? line_batch_choose() : NULL;
	line_forms_init(&source->forms);
	source->line_bytes = 48;
	source->carry = malloc(SL_CHUNK_BYTES);
	if (!source->carry)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a buffer");
	code = words_intern(sl_host_applications(host), error);
	return code == SL_OK ? sl_input_open(&source->input, host, source->path,
					     error)
			     : code;
}

static void close_source(void *state)
{
	struct source *source = state;

	sl_input_close(&source->input);
	free(source->carry);
}

/* ---- parse ------------------------------------------------------------ */

/* The end of time, where the product does not fit. */
static int64_t time_of(const struct source *source, uint64_t index)
{
	uint64_t interval = (uint64_t)source->packet_interval_ns;

	return interval && index > INT64_MAX / interval
		       ? INT64_MAX
		       : (int64_t)(index * interval);
}

static void undo_append(struct sl_chunk *chunk)
{
	chunk->used--;
	chunk->count--;
}

/* Lines of the common form, as many as come in a row. @return how many. */
static uint32_t parse_batch(const struct source *source,
			    const struct line_reader *reader,
			    struct sl_chunk *chunk, const uint8_t **text,
			    uint64_t index)
{
	const uint8_t *limit = chunk->bytes + chunk->bytes_used;
	uint32_t first = chunk->used;
	uint32_t count;

	if (!source->batch)
		return 0;
	count = source->batch(reader, text, limit, &chunk->packets[first],
			      chunk->capacity - first);
	for (uint32_t at = 0; at < count; at++)
		chunk->infos[first + at] =
			(struct sl_packet_info){ .index = index + at };
	if (source->packet_interval_ns)
		for (uint32_t at = 0; at < count; at++)
			chunk->infos[first + at].time_ns =
				time_of(source, index + at);
	sl_chunk_append_filled(chunk, count);
	return count;
}

/* @return false: the input ends at this line. */
static bool bad_line(const struct source *source, struct sl_chunk *chunk,
		     uint64_t index, struct sl_error *error)
{
	if (source->on_error == ON_ERROR_SKIP) {
		sl_count_drop(chunk, DROP_BAD_LINE);
		return true;
	}
	sl_error_at(error, source->path, (int64_t)index + 1);
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

/* @return false: the input ends at this line. */
static bool parse_line(const struct source *source,
		       const struct line_reader *reader, struct sl_chunk *chunk,
		       const uint8_t **text, uint64_t index,
		       struct sl_error *error)
{
	const uint8_t *limit = chunk->bytes + chunk->bytes_used;
	struct cut *cut = chunk->cut;
	uint16_t at = sl_chunk_append(chunk);
	const uint8_t *end;
	enum line_result result = line_parse(reader, *text, limit, &end,
					     &chunk->packets[at], error);

	*text = end + 1;
	chunk->infos[at].index = index;
	chunk->infos[at].time_ns = time_of(source, index);
	if (SL_LIKELY(result == LINE_GOOD))
		return true;
	if (result == LINE_NEW_NAME)
		cut->new_names = true;
	else
		undo_append(chunk);
	return result != LINE_BAD || bad_line(source, chunk, index, error);
}

static enum sl_code parse_chunk(void *state, struct sl_chunk *chunk,
				struct sl_error *error)
{
	const struct source *source = state;
	struct worker *worker = chunk->worker;
	const struct cut *cut = chunk->cut;
	const struct line_reader reader = {
		.fields = &source->fields,
		.nics = sl_host_nics(source->host),
		.applications = sl_host_applications(source->host),
		.nic_cache = &worker->nics,
		.application_cache = &worker->applications,
		.forms = &source->forms,
		.default_order = source->default_order,
	};
	const uint8_t *text = chunk->bytes;
	const uint8_t *limit = chunk->bytes + chunk->bytes_used;
	uint64_t index = cut->first_index;

	if (cut->too_long)
		return too_long(source, chunk, index, error);
	while (index += parse_batch(source, &reader, chunk, &text, index),
	       text < limit) {
		if (!parse_line(source, &reader, chunk, &text, index, error))
			return SL_EINVAL;
		index++;
	}
	return SL_OK;
}

/* ---- commit ----------------------------------------------------------- */

static enum sl_code intern_names(const struct source *source,
				 struct sl_packet *packet, const uint8_t *text,
				 const uint8_t *end, struct sl_error *error)
{
	struct line_name nic = { NULL, 0 }, protocol = { NULL, 0 };
	enum sl_code code;

	line_names(&source->fields, text, end, &nic, &protocol);
	code = sl_names_intern(sl_host_nics(source->host), nic.text, nic.length,
			       &packet->nic_in, error);
	if (code == SL_OK)
		code = sl_names_intern(sl_host_applications(source->host),
				       protocol.text, protocol.length,
				       &packet->application, error);
	return code;
}

/* Names met for the first time, in input order. The packets stand as their
 * lines do, so both are walked together. */
static enum sl_code commit_names(void *state, struct sl_chunk *chunk,
				 struct sl_error *error)
{
	const struct source *source = state;
	const struct cut *cut = chunk->cut;
	const uint8_t *limit = chunk->bytes + chunk->bytes_used;
	const uint8_t *text = chunk->bytes;
	uint64_t line = cut->first_index;

	(void)error;
	for (uint32_t at = 0; cut->new_names && at < chunk->count; at++) {
		struct sl_packet *packet = sl_chunk_packet(chunk, at);
		const uint8_t *end;
		struct sl_error reason;

		for (;; line++, text = end + 1) {
			end = memchr(text, '\n', (size_t)(limit - text));
			if (line == sl_chunk_info(chunk, at)->index)
				break;
		}
		if ((!packet->nic_in || !packet->application) &&
		    intern_names(source, packet, text, end, &reason) != SL_OK) {
			SL_FAIL_PACKET(chunk, at, "%s", reason.message);
			break;
		}
	}
	return SL_OK;
}

static const char *place_of(const void *state, uint64_t index, int64_t *line)
{
	const struct source *source = state;

	*line = (int64_t)index + 1;
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
