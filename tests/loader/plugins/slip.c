/* SPDX-License-Identifier: MIT */
/* Plugins that each say one thing wrong about themselves. Which one, the build
 * says: it defines the macro that replaces a field of a sane plugin. */
#include "sluice/meter.h"
#include "sluice/sink.h"
#include "sluice/source.h"
#include "sluice/stage.h"

#ifndef KIND
#define KIND SL_STAGE
#endif
#ifndef NAME
#define NAME "slip"
#endif
#ifndef PLUGIN_SIZE
#define PLUGIN_SIZE sizeof(struct sl_plugin)
#endif
#ifndef STAGE
#define STAGE &slip_stage
#endif
#ifndef STAGE_SIZE
#define STAGE_SIZE sizeof(struct sl_stage)
#endif
#ifndef SUMMARY
#define SUMMARY "a test"
#endif
#ifndef PROCESS
#define PROCESS slip_step
#endif
#ifndef PREPARE
#define PREPARE NULL
#endif
#ifndef METER
#define METER NULL
#endif
#ifndef OPTIONS
#define OPTIONS slip_options
#endif
#ifndef OPTION_SIZE
#define OPTION_SIZE sizeof(struct sl_option)
#endif
#ifndef ROW
#define ROW .name = "second", .type = SL_INT, .offset = 8
#endif

enum sl_code slip_step(void *state, struct sl_chunk *chunk,
		       struct sl_error *error);

enum sl_code slip_step(void *state, struct sl_chunk *chunk,
		       struct sl_error *error)
{
	(void)state;
	(void)chunk;
	(void)error;
	return SL_OK;
}

static const struct sl_option slip_options[] = {
	{ .name = "first", .type = SL_INT, .offset = 0 },
	{ ROW },
};

static const struct sl_stage slip_stage = {
	.size = STAGE_SIZE,
	.state_size = 16,
	.process = PROCESS,
	.prepare = PREPARE,
};

static const struct sl_source slip_source = {
	.size = sizeof(struct sl_source),
	.state_size = 16,
	.cut = slip_step,
};

static enum sl_code slip_open(void *state, struct sl_meter_host *host,
			      struct sl_error *error)
{
	(void)state, (void)host, (void)error;
	return SL_OK;
}

static const struct sl_meter slip_no_read = {
	.size = sizeof(struct sl_meter),
	.state_size = 16,
	.open = slip_open,
};

SL_BEGIN_DECLS
extern const void *const slip_all[];
SL_END_DECLS

/* Not every slip uses all of them. */
const void *const slip_all[] = { slip_options, &slip_stage, &slip_source,
				 &slip_no_read };

const struct sl_plugin sluice_plugin = {
	.size = PLUGIN_SIZE,
	.abi = SL_PLUGIN_ABI,
	.kind = KIND,
	.name = NAME,
	.summary = SUMMARY,
	.options = OPTIONS,
	.option_count = 2,
	.option_size = OPTION_SIZE,
	.source = &slip_source,
	.stage = STAGE,
	.meter = METER,
};
