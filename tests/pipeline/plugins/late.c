/* SPDX-License-Identifier: MIT */
/* late: hold every packet whose destination port is a multiple of `every`, and
 * let it go behind the `by`-th packet after it, or at the end of the input.
 * Held packets over `room` are given up. */
#include <stdlib.h>

#include "sluice/plugin.h"
#include "sluice/stage.h"

enum { DROP_NO_ROOM };
static const char *const drop_names[] = { "no_room", NULL };

struct kept {
	struct sl_packet packet;
	struct sl_packet_info info;
	uint64_t due; /* the number of the packet that it follows */
};

struct late {
	int64_t every, by, room;
	struct kept *kept; /* owned: a ring of room */
	int64_t first, count;
	uint64_t seen;
};

static enum sl_code late_open(void *state, struct sl_host *host,
			      struct sl_error *error)
{
	struct late *late = state;

	(void)host;
	late->kept = calloc((size_t)late->room, sizeof(*late->kept));
	return late->kept ? SL_OK : SL_FAIL(error, SL_ENOMEM, "no memory");
}

static void late_close(void *state)
{
	struct late *late = state;

	free(late->kept);
}

static void keep(struct late *late, struct sl_chunk *chunk, uint32_t at)
{
	struct kept *kept =
		&late->kept[(late->first + late->count) % late->room];

	if (late->count == late->room) {
		sl_drop(chunk, at, DROP_NO_ROOM);
		return;
	}
	kept->packet = *sl_chunk_packet(chunk, at);
	kept->info = *sl_chunk_info(chunk, at);
	kept->due = late->seen + (uint64_t)late->by;
	late->count++;
	sl_hold(chunk, at);
}

static enum sl_code let_go(struct late *late, struct sl_chunk *chunk,
			   uint32_t at, struct sl_error *error)
{
	const struct kept *kept = &late->kept[late->first];
	enum sl_code code =
		sl_emit(chunk, at, &kept->packet, &kept->info, error);

	if (code == SL_OK) {
		late->first = (late->first + 1) % late->room;
		late->count--;
	}
	return code;
}

static enum sl_code late_commit(void *state, struct sl_chunk *chunk,
				struct sl_error *error)
{
	struct late *late = state;

	for (uint32_t at = 0; at < chunk->count; at++) {
		late->seen++;
		if (sl_chunk_packet(chunk, at)->dport % late->every == 0)
			keep(late, chunk, at);
		while (late->count &&
		       late->kept[late->first].due <= late->seen) {
			enum sl_code code = let_go(late, chunk, at, error);

			if (code != SL_OK)
				return code;
		}
	}
	return SL_OK;
}

static enum sl_code late_flush(void *state, struct sl_chunk *chunk, bool *more,
			       struct sl_error *error)
{
	struct late *late = state;

	while (late->count) {
		enum sl_code code = let_go(late, chunk, 0, error);

		if (code == SL_ENOSPC) {
			*more = true;
			return SL_OK;
		}
		if (code != SL_OK)
			return code;
	}
	return SL_OK;
}

static const struct sl_option options[] = {
	{ .name = "every",
	  .type = SL_INT,
	  .offset = offsetof(struct late, every),
	  .default_text = "3",
	  .min = 1,
	  .max = 65535 },
	{ .name = "by",
	  .type = SL_INT,
	  .offset = offsetof(struct late, by),
	  .default_text = "4",
	  .min = 1,
	  .max = 1000000000 },
	{ .name = "room",
	  .type = SL_INT,
	  .offset = offsetof(struct late, room),
	  .default_text = "1000000",
	  .min = 1,
	  .max = 1000000 },
};

static const struct sl_stage stage = {
	.size = sizeof(struct sl_stage),
	.state_size = sizeof(struct late),
	.drops = drop_names,
	.open = late_open,
	.close = late_close,
	.commit = late_commit,
	.flush = late_flush,
};

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_STAGE,
	.name = "late",
	.summary = "hold some packets for a while",
	SL_OPTION_TABLE(options),
	.stage = &stage,
};
