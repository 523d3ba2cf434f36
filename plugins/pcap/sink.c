/* SPDX-License-Identifier: MIT */
/* The sink: forms the records of a chunk's packets in parallel, writes them in
 * order.
 *
 * Forming needs the numbers of interfaces, which are given in the order of the
 * packets. So prepare uses those that are known by then and is in doubt about
 * the chunk if one is missing, or if a packet may have to be refused; write
 * then forms the chunk once more, packet by packet. That is rare: it takes a
 * new interface. */
#include "sink.h"

#include <string.h>
#include <sys/uio.h>

#include "sink_form.h"
#include "sink_format.h"
#include "sink_numbers.h"
#include "sluice/output.h"
#include "sluice/sink.h"

static const char *const format_words[] = { "pcapng", "pcap", NULL };

struct sink {
	const char *path; /* option */
	int format; /* option: enum format */

	struct sl_host *host;
	struct sl_output output;
	struct numbers numbers;

	/* Of write and end. */
	bool begun; /* the header is written */
	bool failed; /* so is no more */
	uint16_t link_type; /* of a pcap file */
};

static enum sl_code open_sink(void *state, struct sl_host *host,
			      struct sl_error *error)
{
	struct sink *sink = state;
	enum sl_code code = numbers_init(&sink->numbers, error);

	sink->host = host;
	return code == SL_OK
		       ? sl_output_open(&sink->output, host, sink->path, error)
		       : code;
}

static void close_sink(void *state)
{
	struct sink *sink = state;

	sl_output_close(&sink->output);
	numbers_finish(&sink->numbers);
}

static enum sl_code form_chunk(void *state, struct sl_chunk *chunk,
			       struct sl_error *error)
{
	struct range all = { 0, chunk->count, UINT64_MAX };

	const struct sink *sink = state;

	return form_range((enum format)sink->format, &sink->numbers, chunk,
			  &all, error);
}

/* ---- write ------------------------------------------------------------ */

static enum sl_code write_header(struct sink *sink, uint16_t link_type,
				 struct sl_error *error)
{
	char bytes[FORMAT_HEADER_MAX];
	struct iovec header = { bytes, format_header((enum format)sink->format,
						     bytes, link_type) };
	size_t written;
	enum sl_code code =
		sl_output_write(&sink->output, &header, 1, &written, error);

	sink->begun = true;
	sink->link_type = link_type;
	if (code != SL_OK)
		sl_output_take_back(&sink->output, written);
	return code;
}

static enum sl_code write_interface(struct sink *sink, uint32_t key,
				    struct sl_error *error)
{
	char bytes[FORMAT_INTERFACE_MAX];
	struct iovec block = { bytes, 0 };
	uint16_t nic = (uint16_t)(key >> 16);
	size_t length = 0, written;
	const char *name =
		sl_names_text(sl_host_nics(sink->host), nic, &length);
	enum sl_code code;

	block.iov_len = format_interface(bytes, (uint16_t)key, name,
					 nic == SL_NO_NAME ? 0 : length);
	code = sl_output_write(&sink->output, &block, 1, &written, error);
	if (code != SL_OK)
		sl_output_take_back(&sink->output, written);
	return code;
}

/* How many of @p written bytes of a range are whole records. */
static size_t whole_records(const struct sink *sink,
			    const struct sl_chunk *chunk,
			    const struct range *range, size_t written)
{
	size_t whole = 0;

	for (uint32_t at = range->from; at < range->to; at++) {
		const struct sl_packet_info *info = sl_chunk_info(chunk, at);
		size_t size = format_record_size((enum format)sink->format,
						 info->captured);

		if (info->index >= range->limit)
			continue;
		if (whole + size > written)
			break;
		whole += size;
	}
	return whole;
}

/* Write what was formed of a range. */
static enum sl_code write_records(struct sink *sink, struct sl_chunk *chunk,
				  const struct range *range,
				  struct sl_error *error)
{
	struct formed *formed = (void *)chunk->out.data;
	size_t written;
	enum sl_code code = sl_output_write(&sink->output, formed->pieces,
					    formed->count, &written, error);

	if (code != SL_OK)
		sl_output_take_back(
			&sink->output,
			written - whole_records(sink, chunk, range, written));
	return code;
}

/* The position of the first packet in input order; chunk->count > 0. */
static uint32_t first_packet(const struct sl_chunk *chunk)
{
	uint32_t first = 0;

	for (uint32_t at = 1; at < chunk->count; at++)
		if (sl_chunk_info(chunk, at)->index <
		    sl_chunk_info(chunk, first)->index)
			first = at;
	return first;
}

static bool is_refused(const struct sink *sink,
		       const struct sl_packet_info *info)
{
	enum format format = (enum format)sink->format;

	return !form_time_fits(format, info) ||
	       (format == FORMAT_PCAP && info->link_type != sink->link_type);
}

/* Say why the file cannot hold a packet. */
static void refuse(const struct sink *sink, struct sl_chunk *chunk, uint32_t at)
{
	const struct sl_packet_info *info = sl_chunk_info(chunk, at);

	if (info->time_ns < 0)
		SL_FAIL_PACKET(chunk, at,
			       "its time is before 1970, which a "
			       "capture cannot say");
	else if (!form_time_fits((enum format)sink->format, info))
		SL_FAIL_PACKET(chunk, at,
			       "its time is beyond 32 bits of "
			       "seconds, which pcap cannot say; "
			       "format \"pcapng\" can");
	else
		SL_FAIL_PACKET(chunk, at,
			       "its link type is %u, and a pcap file has one, "
			       "here %u; format \"pcapng\" takes both",
			       info->link_type, sink->link_type);
}

/* Fail at the packets that the file cannot hold. @return the index of the first
 * of them; UINT64_MAX: there is none. */
static uint64_t refuse_packets(const struct sink *sink, struct sl_chunk *chunk)
{
	uint64_t limit = UINT64_MAX;

	for (uint32_t at = 0; at < chunk->count; at++) {
		const struct sl_packet_info *info = sl_chunk_info(chunk, at);

		if (info->index >= limit || !is_refused(sink, info))
			continue;
		limit = info->index;
		refuse(sink, chunk, at);
	}
	return limit;
}

/* Form a range, for it is known by now what was in doubt, and write it. */
static enum sl_code form_and_write(struct sink *sink, struct sl_chunk *chunk,
				   const struct range *range,
				   struct sl_error *error)
{
	enum sl_code code = form_range((enum format)sink->format,
				       &sink->numbers, chunk, range, error);

	return code == SL_OK ? write_records(sink, chunk, range, error) : code;
}

/* Each new interface stands before the first packet that uses it. */
static enum sl_code write_doubtful(struct sink *sink, struct sl_chunk *chunk,
				   struct sl_error *error)
{
	struct range range = { 0, 0, refuse_packets(sink, chunk) };
	enum sl_code code = SL_OK;

	for (uint32_t at = 0; at < chunk->count && code == SL_OK; at++) {
		const struct sl_packet_info *info = sl_chunk_info(chunk, at);
		uint32_t key = form_key_of(sl_chunk_packet(chunk, at), info);

		if (sink->format == FORMAT_PCAP || info->index >= range.limit ||
		    numbers_find(&sink->numbers, key) != NUMBER_UNKNOWN)
			continue;
		range.to = at;
		code = form_and_write(sink, chunk, &range, error);
		range.from = at;
		if (code == SL_OK)
			code = numbers_add(&sink->numbers, key, error);
		if (code == SL_OK)
			code = write_interface(sink, key, error);
	}
	range.to = chunk->count;
	return code == SL_OK ? form_and_write(sink, chunk, &range, error)
			     : code;
}

static enum sl_code write_packets(struct sink *sink, struct sl_chunk *chunk,
				  struct sl_error *error)
{
	const struct formed *formed = (void *)chunk->out.data;
	struct range all = { 0, chunk->count, UINT64_MAX };
	uint32_t first;
	enum sl_code code = SL_OK;

	if (!chunk->count)
		return SL_OK;
	if (!sink->begun) {
		first = first_packet(chunk);
		code = write_header(
			sink, sl_chunk_info(chunk, first)->link_type, error);
	}
	if (code != SL_OK)
		return code;
	if (formed->doubtful || (sink->format == FORMAT_PCAP &&
				 formed->link_type != sink->link_type))
		return write_doubtful(sink, chunk, error);
	return write_records(sink, chunk, &all, error);
}

static enum sl_code write_chunk(void *state, struct sl_chunk *chunk,
				struct sl_error *error)
{
	struct sink *sink = state;
	enum sl_code code = write_packets(sink, chunk, error);

	sink->failed = code != SL_OK;
	return code;
}

/* A capture without packets is one all the same. */
static enum sl_code end_sink(void *state, struct sl_error *error)
{
	enum { ETHERNET = 1 };
	struct sink *sink = state;
	enum sl_code code = SL_OK;

	if (!sink->begun && !sink->failed)
		code = write_header(sink, ETHERNET, error);
	return code == SL_OK ? sl_output_end(&sink->output, error) : code;
}

static const struct sl_option options[] = {
	{ .name = "path",
	  .type = SL_PATH,
	  .required = true,
	  .offset = offsetof(struct sink, path),
	  .help = "The capture; `-` is standard output." },
	{ .name = "format",
	  .type = SL_ENUM,
	  .offset = offsetof(struct sink, format),
	  .default_text = "pcapng",
	  .choices = format_words,
	  .help = "pcapng says the outgoing interface of each packet, and "
		  "takes "
		  "several link types; pcap does neither. Both have "
		  "nanoseconds." },
};

static const struct sl_sink sink_of_captures = {
	.size = sizeof(struct sl_sink),
	.state_size = sizeof(struct sink),
	.reads = SL_FIELD_FRAME | SL_FIELD_TIME,
	.open = open_sink,
	.close = close_sink,
	.prepare = form_chunk,
	.write = write_chunk,
	.end = end_sink,
};

const struct sl_plugin pcap_sink = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_SINK,
	.name = "pcap",
	.summary = "write packets to a capture, pcapng or pcap",
	SL_OPTION_TABLE(options),
	.sink = &sink_of_captures,
};
