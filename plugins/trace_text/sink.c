/* SPDX-License-Identifier: MIT */
/* The sink: formats each chunk in parallel, writes them in order. */
#include "sink.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fields.h"
#include "sluice/sink.h"

struct sink {
	const char *path;
	const char *fields_text;

	struct sl_host *host;
	struct fields fields;
	bool opened;
	int fd;
	bool regular;
};

static void check(void *state, struct sl_host *host)
{
	struct sink *sink = state;

	fields_parse(&sink->fields, sink->fields_text, host);
}

static enum sl_code open_sink(void *state, struct sl_host *host,
			      struct sl_error *error)
{
	struct sink *sink = state;
	struct stat file;
	enum sl_code code;

	sink->host = host;
	sink->fd = strcmp(sink->path, "-") == 0
			   ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
			   : open(sink->path, O_WRONLY | O_CREAT | O_CLOEXEC,
				  0666);
	if (sink->fd < 0 || fstat(sink->fd, &file))
		return SL_FAIL(error, SL_EIO, "cannot open %s: %s",
			       sl_path_tail(sink->path), strerror(errno));
	sink->opened = true;
	code = sl_host_claim(host, sink->fd, sink->path, SL_FILE_WRITE, error);
	if (code != SL_OK)
		return code;
	sink->regular = S_ISREG(file.st_mode);
	/* Standard output is the caller's: it may be appended to. */
	if (sink->regular && strcmp(sink->path, "-") != 0 &&
	    ftruncate(sink->fd, 0))
		return SL_FAIL(error, SL_EIO, "cannot empty %s: %s",
			       sl_path_tail(sink->path), strerror(errno));
	return SL_OK;
}

static void close_sink(void *state)
{
	struct sink *sink = state;

	if (sink->opened && sink->fd >= 0)
		close(sink->fd);
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

/* A file keeps whole lines only, even when the disk is full. */
static void cut_back(const struct sink *sink, const struct sl_chunk *chunk,
		     size_t written)
{
	size_t whole = written;
	off_t at = lseek(sink->fd, 0, SEEK_CUR);

	while (whole && chunk->out.data[whole - 1] != '\n')
		whole--;
	if (sink->regular && at >= 0 &&
	    ftruncate(sink->fd, at - (off_t)(written - whole)))
		return; /* the failure that is reported is the write's */
}

/* The other end made it non-blocking; it is not meant for us. */
static void wait_writable(int fd)
{
	struct pollfd wait = { .fd = fd, .events = POLLOUT };

	poll(&wait, 1, -1);
}

static enum sl_code write_chunk(void *state, struct sl_chunk *chunk,
				struct sl_error *error)
{
	const struct sink *sink = state;
	size_t done = 0;

	while (done < chunk->out.used) {
		ssize_t written = write(sink->fd, chunk->out.data + done,
					chunk->out.used - done);
		int reason = errno;

		if (written >= 0) {
			done += (size_t)written;
		} else if (reason == EAGAIN) {
			wait_writable(sink->fd);
		} else if (reason != EINTR) {
			cut_back(sink, chunk, done);
			return SL_FAIL(error, SL_EIO, "cannot write %s: %s",
				       sl_path_tail(sink->path),
				       strerror(reason));
		}
	}
	return SL_OK;
}

/* Some file systems tell only here that they could not keep what they took. */
static enum sl_code end_sink(void *state, struct sl_error *error)
{
	struct sink *sink = state;
	int fd = sink->fd;

	sink->fd = -1;
	if (close(fd) && errno != EINTR)
		return SL_FAIL(error, SL_EIO, "cannot write %s: %s",
			       sl_path_tail(sink->path), strerror(errno));
	return SL_OK;
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
	.reads = SL_FIELD_ADDRESSES | SL_FIELD_PORTS | SL_FIELD_APPLICATION |
		 SL_FIELD_NIC_IN,
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
