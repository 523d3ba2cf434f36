/* SPDX-License-Identifier: MIT */
/* A sink that writes all that is known of a packet as a line:
 *
 *     INDEX TIME CAPTURED ORIGINAL HASH NIC_IN NIC_OUT LINK
 *     VERSION TRANSPORT SRC SPORT DST DPORT DSCP FLAGS L3 L4
 *
 * The hash is FNV-1a of the frame's bytes; with `bytes` they stand at the
 * line's end as well. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sluice/sink.h"

struct dump {
	const char *path;
	bool bytes;

	struct sl_host *host;
	bool opened;
	int fd;
};

static enum sl_code open_dump(void *state, struct sl_host *host,
			      struct sl_error *error)
{
	struct dump *dump = state;

	dump->host = host;
	dump->fd =
		strcmp(dump->path, "-") == 0
			? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
			: open(dump->path,
			       O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (dump->fd < 0)
		return SL_FAIL(error, SL_EIO, "cannot open %s: %s", dump->path,
			       strerror(errno));
	dump->opened = true;
	return SL_OK;
}

static void close_dump(void *state)
{
	struct dump *dump = state;

	if (dump->opened)
		close(dump->fd);
}

static uint64_t hash(const uint8_t *bytes, uint32_t count)
{
	uint64_t sum = UINT64_C(0xcbf29ce484222325);

	for (uint32_t at = 0; at < count; at++)
		sum = (sum ^ bytes[at]) * UINT64_C(0x100000001b3);
	return sum;
}

static const char *address(const struct sl_packet *packet, bool source,
			   char *text)
{
	if (packet->ip_version != 4 && packet->ip_version != 6)
		return "-";
	sl_address_format(source ? &packet->src : &packet->dst,
			  packet->ip_version, text);
	return text;
}

static int put(char *to, size_t room, const struct dump *dump,
	       const struct sl_packet *packet,
	       const struct sl_packet_info *info)
{
	char src[SL_ADDRESS_TEXT], dst[SL_ADDRESS_TEXT];
	const struct sl_names *nics = sl_host_nics(dump->host);

	return snprintf(
		to, room,
		"%" PRIu64 " %" PRId64 " %" PRIu32 " %" PRIu32 " %016" PRIx64
		" %s %s %u %u %u %s %u %s %u %u %u %u %u",
		info->index, info->time_ns, info->captured, info->original,
		hash(info->frame, info->captured),
		sl_names_text(nics, packet->nic_in, NULL),
		sl_names_text(nics, packet->nic_out, NULL), info->link_type,
		packet->ip_version, packet->transport,
		address(packet, true, src), packet->sport,
		address(packet, false, dst), packet->dport, packet->dscp,
		packet->flags, packet->ip_version ? info->l3 : 0, info->l4);
}

static enum sl_code format_chunk(void *state, struct sl_chunk *chunk,
				 struct sl_error *error)
{
	const struct dump *dump = state;
	const size_t line = 400;

	for (uint32_t at = 0; at < chunk->count; at++) {
		const struct sl_packet_info *info = sl_chunk_info(chunk, at);
		size_t room = line + (dump->bytes ? 2 * info->captured : 0);
		enum sl_code code = sl_buffer_reserve(&chunk->out, room, error);
		char *to = chunk->out.data + chunk->out.used;

		if (code != SL_OK)
			return code;
		to += put(to, line, dump, sl_chunk_packet(chunk, at), info);
		if (dump->bytes)
			*to++ = ' ';
		for (uint32_t b = 0; dump->bytes && b < info->captured; b++)
			to += snprintf(to, 3, "%02x", info->frame[b]);
		*to++ = '\n';
		chunk->out.used = (size_t)(to - chunk->out.data);
	}
	return SL_OK;
}

static enum sl_code write_chunk(void *state, struct sl_chunk *chunk,
				struct sl_error *error)
{
	const struct dump *dump = state;
	size_t done = 0;

	while (done < chunk->out.used) {
		ssize_t written = write(dump->fd, chunk->out.data + done,
					chunk->out.used - done);

		if (written < 0 && errno != EINTR)
			return SL_FAIL(error, SL_EIO, "cannot write %s: %s",
				       dump->path, strerror(errno));
		if (written > 0)
			done += (size_t)written;
	}
	return SL_OK;
}

static const struct sl_option dump_options[] = {
	{ .name = "path",
	  .type = SL_PATH,
	  .default_text = "-",
	  .offset = offsetof(struct dump, path),
	  .help = "Where to." },
	{ .name = "bytes",
	  .type = SL_BOOL,
	  .default_text = "false",
	  .offset = offsetof(struct dump, bytes),
	  .help = "Write the frames too, in hex." },
};

static const struct sl_sink dump_sink = {
	.size = sizeof(struct sl_sink),
	.state_size = sizeof(struct dump),
	.reads = SL_FIELD_ADDRESSES | SL_FIELD_PORTS | SL_FIELD_NIC_IN |
		 SL_FIELD_DSCP | SL_FIELD_FRAME | SL_FIELD_TIME,
	.open = open_dump,
	.close = close_dump,
	.prepare = format_chunk,
	.write = write_chunk,
};

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_SINK,
	.name = "dump",
	.summary = "a test",
	SL_OPTION_TABLE(dump_options),
	.sink = &dump_sink,
};
