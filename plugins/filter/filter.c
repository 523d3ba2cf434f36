/* SPDX-License-Identifier: MIT */
/* filter: packets that an expression of pcap-filter(7) picks, or the others. */
#include "programs.h"
#include "sluice/plugin.h"
#include "sluice/stage.h"

enum matching { MATCHING_PASS, MATCHING_DROP };
enum filter_drop { FILTER_FILTERED };

static const char *const matching_words[] = { "pass", "drop", NULL };
static const char *const filter_drops[] = { "filtered", NULL };

struct filter {
	const char *expression; /* option */
	int matching; /* option: enum matching */
	struct programs *programs; /* owned */
};

static void filter_check(void *state, struct sl_host *host)
{
	const struct filter *filter = state;
	char why[PROGRAM_WHY];

	if (filter->expression && !programs_try(filter->expression, why))
		sl_problem(host, "expression", NULL, "\"%.256s\": %s",
			   filter->expression, why);
}

static enum sl_code filter_open(void *state, struct sl_host *host,
				struct sl_error *error)
{
	struct filter *filter = state;

	(void)host;
	return programs_create(&filter->programs, filter->expression, error);
}

static void filter_close(void *state)
{
	struct filter *filter = state;

	programs_destroy(filter->programs);
}

/* The program for a packet. @return NULL: it cannot be judged, which ends the
 * run there. */
static const struct program *program_for(const struct filter *filter,
					 struct sl_chunk *chunk, uint32_t at)
{
	uint16_t link_type = sl_chunk_info(chunk, at)->link_type;
	const struct program *program =
		programs_find(filter->programs, link_type);
	const char *why = program ? program_why(program) : "no memory";

	if (!why)
		return program;
	SL_FAIL_PACKET(chunk, at,
		       "the expression does not fit link type %u: %s",
		       link_type, why);
	return NULL;
}

static enum sl_code filter_process(void *state, struct sl_chunk *chunk,
				   struct sl_error *error)
{
	const struct filter *filter = state;
	bool dropped = filter->matching == MATCHING_DROP;
	const struct program *program = NULL;
	uint16_t link_type = 0; /* of the program */

	(void)error;
	for (uint32_t at = 0; at < chunk->count; at++) {
		const struct sl_packet_info *info = sl_chunk_info(chunk, at);

		if (SL_UNLIKELY(!program || info->link_type != link_type)) {
			program = program_for(filter, chunk, at);
			link_type = info->link_type;
		}
		if (program &&
		    program_matches(program, info->frame, info->captured,
				    info->original) == dropped)
			sl_drop(chunk, at, FILTER_FILTERED);
	}
	return SL_OK;
}

static const struct sl_option filter_options[] = {
	{ .name = "expression",
	  .type = SL_STRING,
	  .required = true,
	  .offset = offsetof(struct filter, expression),
	  .help = "What a packet has to be, in the words of pcap-filter(7), as "
		  "for tcpdump." },
	{ .name = "matching",
	  .type = SL_ENUM,
	  .offset = offsetof(struct filter, matching),
	  .default_text = "pass",
	  .choices = matching_words,
	  .help = "What becomes of packets that match; the others fare the "
		  "other way." },
};

static const struct sl_stage filter_stage = {
	.size = sizeof(struct sl_stage),
	.state_size = sizeof(struct filter),
	.reads = SL_FIELD_FRAME,
	.drops = filter_drops,
	.check = filter_check,
	.open = filter_open,
	.close = filter_close,
	.process = filter_process,
};

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_STAGE,
	.name = "filter",
	.summary = "packets that an expression picks, as for tcpdump",
	SL_OPTION_TABLE(filter_options),
	.stage = &filter_stage,
};
