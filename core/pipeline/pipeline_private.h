/* SPDX-License-Identifier: MIT */
/** @file
 * A pipeline from inside: the configuration, its instances, what they claim.
 */
#ifndef SL_PIPELINE_PIPELINE_PRIVATE_H
#define SL_PIPELINE_PIPELINE_PRIVATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/config.h"
#include "base/options.h"
#include "base/problems.h"
#include "pipeline/engine.h"
#include "pipeline/instance.h"
#include "pipeline/meters.h"
#include "pipeline/published.h"
#include "sluice/pipeline.h"

/** An open file that somebody in the pipeline reads or writes. */
struct sl_claim {
	dev_t device;
	ino_t inode;
	bool exclusive; /**< two that use it would spoil it */
	bool is_stream; /**< "-": whoever reads it takes it from others */
	enum sl_file_use use;
	const char *who; /**< in the arena */
	struct sl_claim *next;
};

struct sl_pipeline {
	struct sl_pipeline_settings settings;
	struct sl_config config;
	bool has_config;
	struct sl_arena arena;
	struct sl_problems problems;
	struct sl_override *overrides; /**< in the arena */
	const char **override_places; /**< "--set nat.timeout=5s" */
	struct sl_search_path search;
	struct sl_names *nics, *applications; /**< owned */
	/* The configuration's own keys. */
	int64_t workers, tokens, chunk;
	struct sl_list plugin_path; /**< or one: */
	const char *plugin_folder;

	struct sl_host *hosts; /**< owned: source, stages, sink */
	struct sl_host **order; /**< owned: pointers to them */
	size_t host_count;
	size_t tally_size;
	struct sl_claim *claims; /**< in the arena */
	struct sl_engine *engine; /**< owned; NULL before start */
	struct sl_meters meters;
	struct sl_published published;

	struct sl_stats stats;
	char *failure; /**< owned; for the stats */
	struct sl_instance_stats *instance_stats; /**< owned; as hosts */
	const struct sl_instance_stats **instance_list; /**< owned; to them */
	atomic_bool stop; /**< told to, perhaps before the start */
	int stop_fd; /**< eventfd: readable then; -1: nobody waits for it */
	atomic_bool started;
	bool opening, opened;
};

/** Build the instances from the configuration. What is wrong goes to
 * pipeline->problems; the code is for memory alone. */
enum sl_code sl_wire(struct sl_pipeline *pipeline,
		     struct sl_error *error) SL_MUST_CHECK;

/** Release what sl_wire() made, closing the plugins' states. */
void sl_unwire(struct sl_pipeline *pipeline);

/** As sl_pipeline_progress(), once there is an engine. */
void sl_pipeline_count(const struct sl_pipeline *pipeline,
		       struct sl_progress *progress);

/** Say a line that is no failure. */
void sl_pipeline_notice(const struct sl_pipeline *pipeline, const char *line);

/** The search path of plugins: $SLUICE_PLUGIN_PATH, the configuration's
 * plugin_path (@p pipeline may be NULL), the installation's folder. */
enum sl_code sl_search_path_init(struct sl_search_path *search,
				 const struct sl_pipeline *pipeline,
				 struct sl_error *error) SL_MUST_CHECK;

/** Claim for @p who; see sl_host_claim(). */
enum sl_code sl_pipeline_claim(struct sl_pipeline *pipeline, const char *who,
			       int fd, const char *path, enum sl_file_use use,
			       struct sl_error *error) SL_MUST_CHECK;

/** A state's options as a table. */
struct sl_option_table sl_plugin_options(const struct sl_plugin *plugin);

/** The keys of a configuration that are no groups. */
struct sl_option_table sl_configuration_keys(void);

#endif
