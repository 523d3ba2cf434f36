/* SPDX-License-Identifier: MIT */
/* The sink: formats each chunk in parallel, writes them in order. */
#include "sink.h"

#include <string.h>

#include "fields.h"
#include "sluice/output.h"
#include "sluice/sink.h"

struct sink {
	const char *path;
	const char *fields_text;

	struct sl_host *host;
	struct fields fields;
	struct sl_output output;
};

/* What is not shown need not be there. */
static void check(void *state, struct sl_host *host)
{
	static const uint32_t reads[FIELD_COUNT] = {
		[FIELD_NIC] = SL_FIELD_NIC_IN,
		[FIELD_DST] = SL_FIELD_ADDRESSES,
		[FIELD_SRC] = SL_FIELD_ADDRESSES,
		[FIELD_DPORT] = SL_FIELD_PORTS,
		[FIELD_SPORT] = SL_FIELD_PORTS,
		[FIELD_PROTOCOL] = SL_FIELD_APPLICATION,
	};
	struct sink *sink = state;

	fields_parse(&sink->fields, sink->fields_text, false, host);
	for (size_t at = 0; at < sink->fields.count; at++)
		sl_host_reads(host, reads[sink->fields.of[at]]);
}

static enum sl_code open_sink(void *state, struct sl_host *host,
			      struct sl_error *error)
{
	struct sink *sink = state;

	sink->host = host;
	return sl_output_open(&sink->output, host, sink->path, error);
}

static void close_sink(void *state)
{
	struct sink *sink = state;

	sl_output_close(&sink->output);
}

/* ---- format ----------------------------------------------------------- */

/* The most bytes that a column takes, with its separator. */
enum { COLUMN_MAX = SL_ADDRESS_TEXT };

static char *put_number(char *to, unsigned number)
{
	char digits[5];
	unsigned count = 0;

	do {
		digits[count++] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	while (count)
		*to++ = digits[--count];
	return to;
}

static char *put_address(char *to, const struct sl_address *address,
			 unsigned version)
{
	if (SL_UNLIKELY(!version)) {
		*to++ = '-';
		return to;
	}
	if (SL_UNLIKELY(version != 4))
		return to + sl_address_format(address, version, to);
	to = put_number(to, address->v4 >> 24);
	*to++ = '.';
	to = put_number(to, address->v4 >> 16 & 255);
	*to++ = '.';
	to = put_number(to, address->v4 >> 8 & 255);
	*to++ = '.';
	return put_number(to, address->v4 & 255);
}

static char *put_name(char *to, const struct sl_names *names, uint16_t id)
{
	size_t length;
	const char *text = sl_names_text(names, id, &length);

	memcpy(to, text, length);
	return to + length;
}

static char *put_field(char *to, const struct sink *sink, enum field field,
		       const struct sl_packet *packet)
{
	switch (field) {
	case FIELD_NIC: /* a packet that no stage has routed stays */
		return put_name(to, sl_host_nics(sink->host),
				packet->nic_out ? packet->nic_out
						: packet->nic_in);
	case FIELD_DST:
		return put_address(to, &packet->dst, packet->ip_version);
	case FIELD_SRC:
		return put_address(to, &packet->src, packet->ip_version);
	case FIELD_DPORT:
		return put_number(to, packet->dport);
	case FIELD_SPORT:
		return put_number(to, packet->sport);
	case FIELD_PROTOCOL:
		return put_name(to, sl_host_applications(sink->host),
				packet->application);
	case FIELD_NONE:
	case FIELD_COUNT:
		break;
	}
	*to++ = '-';
	return to;
}

static enum sl_code format_chunk(void *state, struct sl_chunk *chunk,
				 struct sl_error *error)
{
	const struct sink *sink = state;
	const struct fields *fields = &sink->fields;
	char *to;
	enum sl_code code;

	code = sl_buffer_reserve(
		&chunk->out, chunk->count * fields->count * COLUMN_MAX, error);
	if (code != SL_OK)
		return code;
	to = chunk->out.data;
	for (uint32_t at = 0; at < chunk->count; at++) {
		const struct sl_packet *packet = sl_chunk_packet(chunk, at);

		for (size_t column = 0; column < fields->count; column++) {
			to = put_field(to, sink, fields->of[column], packet);
			*to++ = column + 1 < fields->count ? ' ' : '\n';
		}
	}
	chunk->out.used = chunk->count ? (size_t)(to - chunk->out.data) : 0;
	return SL_OK;
}

/* ---- write ------------------------------------------------------------ */

static enum sl_code write_chunk(void *state, struct sl_chunk *chunk,
				struct sl_error *error)
{
	const struct sink *sink = state;
	struct iovec text = { chunk->out.data, chunk->out.used };
	size_t written, whole;
	enum sl_code code =
		sl_output_write(&sink->output, &text, 1, &written, error);

	if (code == SL_OK)
		return code;
	/* A file keeps whole lines only, even when the disk is full. */
	whole = written;
	while (whole && chunk->out.data[whole - 1] != '\n')
		whole--;
	sl_output_take_back(&sink->output, written - whole);
	return code;
}

static enum sl_code end_sink(void *state, struct sl_error *error)
{
	struct sink *sink = state;

	return sl_output_end(&sink->output, error);
}

static const struct sl_option options[] = {
	{ .name = "path",
	  .type = SL_PATH,
	  .required = true,
	  .offset = offsetof(struct sink, path),
	  .help = "The trace; `-` is standard output." },
	{ .name = "fields",
	  .type = SL_STRING,
	  .offset = offsetof(struct sink, fields_text),
	  .default_text = FIELDS_DEFAULT,
	  .help = "What the columns of a line are, in order; `-` writes a "
		  "dash. The interface is the outgoing one." },
};

static const struct sl_sink trace_sink = {
	.size = sizeof(struct sl_sink),
	.state_size = sizeof(struct sink),
	.check = check,
	.open = open_sink,
	.close = close_sink,
	.prepare = format_chunk,
	.write = write_chunk,
	.end = end_sink,
};

const struct sl_plugin trace_text_sink = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_SINK,
	.name = "trace_text",
	.summary = "write packets as a text trace, a line each",
	SL_OPTION_TABLE(options),
	.sink = &trace_sink,
};
