/* SPDX-License-Identifier: MIT */
/** @file
 * An instance: one plugin standing at one place of a pipeline. To the plugin
 * it is a struct sl_host.
 */
#ifndef SL_PIPELINE_INSTANCE_H
#define SL_PIPELINE_INSTANCE_H

#include <libconfig.h>
#include <stdbool.h>
#include <stdint.h>

#include "pipeline/loader.h"
#include "sluice/sink.h"
#include "sluice/source.h"
#include "sluice/stage.h"

struct sl_pipeline;

/** An instance's counters in a chunk's tally: the fixed ones, then one a drop
 * reason. */
enum sl_tally {
	SL_TALLY_IN,
	SL_TALLY_OUT,
	SL_TALLY_HELD,
	SL_TALLY_EMITTED,
	SL_TALLY_DROPS,
};

struct sl_host {
	struct sl_pipeline *pipeline; /**< borrowed */
	struct sl_module module; /**< owned */
	const struct sl_source *source; /**< the one that fits, in the module */
	const struct sl_stage *stage;
	const struct sl_sink *sink;
	bool is_meter; /**< it is one of the pipeline's meters */
	const char *name; /**< borrowed from the configuration or plugin */
	const char *role; /**< "source", "sink": a second name; else NULL */
	const char *who; /**< `stage "nat"`; in the pipeline's arena */
	const char *config_file; /**< where its group stands */
	int config_line;
	const config_setting_t *group; /**< borrowed */
	void *state; /**< owned; made before check() */
	void *worker_states; /**< owned; worker_stride bytes a worker */
	size_t worker_size, worker_stride, scratch_size;
	uint32_t reads, writes; /**< enum sl_field */
	const char *const *drop_names;
	size_t drop_count;
	size_t tally; /**< where its counters start in a tally */
	bool flushed; /**< it has given all that it held */
	unsigned id; /**< its place: 0 the source, then the stages, the sink; of
			  a meter: among the meters */
};

/** Find and load the plugin that @p group names, and read its options, for a
 * place that wants @p kind. What is wrong goes to the pipeline's problems: then
 * host->state may be NULL. SL_ENOMEM. */
enum sl_code sl_instance_init(struct sl_host *host, config_setting_t *group,
			      enum sl_plugin_kind kind,
			      struct sl_error *error) SL_MUST_CHECK;

/** Let the plugin judge its options. It has a state. */
void sl_instance_check(struct sl_host *host);

/** Close and unload, as far as it got. */
void sl_instance_finish(struct sl_host *host);

/** A plugin's callback returned @p code, which is no success: give @p error
 * what it lacks, a code and a message. */
void sl_error_complete(struct sl_error *error, enum sl_code code);

/** Whether --set means this instance by @p name. */
bool sl_host_is(const struct sl_host *host, const char *name);

#endif
