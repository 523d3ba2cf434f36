/* SPDX-License-Identifier: MIT */
/* pcap: packets from capture files, pcap and pcapng. cut.c cuts them into
 * chunks by the walks of records.c and blocks.c, parse.c makes packets of them.
 */
#include <stdlib.h>

#include "sink.h"
#include "sluice/plugin.h"
#include "source.h"

static void check(void *state, struct sl_host *host)
{
	const struct source *source = state;

	by_source_check(&source->nic_by_source, host);
}

static enum sl_code open_source(void *state, struct sl_host *host,
				struct sl_error *error)
{
	struct source *source = state;
	enum sl_code code = SL_OK;

	source->host = host;
	source->seen_bytes = 128;
	source->seen_packets = 1;
	source->carry = malloc(SL_CHUNK_BYTES);
	if (!source->carry)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a buffer");
	if (source->nic_by_source.count)
		code = by_source_init(&source->by_source,
				      &source->nic_by_source,
				      sl_host_nics(host), error);
	return code == SL_OK ? sl_input_open(&source->input, host, source->path,
					     error)
			     : code;
}

static void close_source(void *state)
{
	struct source *source = state;

	sl_input_close(&source->input);
	interfaces_finish(&source->interfaces);
	by_source_finish(&source->by_source);
	free(source->carry);
}

static const char *place_of(const void *state, uint64_t index, int64_t *number)
{
	const struct source *source = state;

	*number = (int64_t)index + 1;
	return source->path;
}

static const struct sl_option options[] = {
	{ .name = "path",
	  .type = SL_PATH,
	  .required = true,
	  .offset = offsetof(struct source, path),
	  .help = "The capture; `-` is standard input." },
	{ .name = "nic",
	  .type = SL_INTERFACE,
	  .offset = offsetof(struct source, nic),
	  .help = "The interface that packets come in on: all, or those that "
		  "`nic_by_source` does not tell. Else it is the one that the "
		  "capture names, and `if0` where it names none." },
	{ .name = "nic_by_source",
	  .type = SL_LIST,
	  .element = SL_STRING,
	  .offset = offsetof(struct source, nic_by_source),
	  .help = "The interface by the source's address, as "
		  "`\"10.0.0.0/8 eth1\"`: the longest prefix that holds it." },
};

static const struct sl_source pcap_source = {
	.size = sizeof(struct sl_source),
	.state_size = sizeof(struct source),
	.cut_size = sizeof(struct cut),
	.provides = SL_FIELD_ADDRESSES | SL_FIELD_PORTS | SL_FIELD_NIC_IN |
		    SL_FIELD_DSCP | SL_FIELD_FRAME | SL_FIELD_TIME,
	.check = check,
	.open = open_source,
	.close = close_source,
	.cut = cut_chunk,
	.parse = parse_chunk,
	.commit = commit_chunk,
	.place = place_of,
	.record = "packet",
};

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_SOURCE,
	.name = "pcap",
	.summary = "read packets from a capture file",
	SL_OPTION_TABLE(options),
	.source = &pcap_source,
	.also = &pcap_sink,
};
