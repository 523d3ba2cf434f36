/* SPDX-License-Identifier: MIT */
/** @file
 * A pipeline, for programs that run one: what `runpipe` is made of.
 *
 *     create -> (check only: destroy) -> open -> start -> wait -> destroy
 *
 * All calls from one thread, except sl_pipeline_stop() and
 * sl_pipeline_progress(). A call that is out of this order fails with SL_EINVAL
 * or, where it cannot fail, does nothing.
 */
#ifndef SLUICE_PIPELINE_H
#define SLUICE_PIPELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/buffer.h"
#include "sluice/defs.h"
#include "sluice/error.h"
#include "sluice/stats.h"

struct sl_pipeline;

/** Takes one line that says what is wrong, "FILE:LINE: ..." or, of overrides,
 * "--set ...: ...", without its newline. */
typedef void sl_problem_fn(void *context, const char *line);

struct sl_pipeline_settings {
	size_t size; /**< sizeof(struct sl_pipeline_settings) */
	const char *config; /**< path; "-" is stdin. This and all other texts
				 are borrowed until destroy. */
	const char *const *overrides; /**< "INSTANCE.OPTION=VALUE" */
	size_t override_count;
	bool set_workers; /**< `workers` counts, not the configuration's */
	unsigned workers; /**< at most 1024; 0: one a core */
	bool serial; /**< a plain loop on one thread instead of the engine */
	int64_t started_ns; /**< CLOCK_MONOTONIC at the program's start; 0: not
				 known, and so is the total time */
	sl_problem_fn *problem; /**< hears of everything that is wrong; may be
				     NULL */
	void *problem_context;
	const char *publish; /**< publish counters (sluice/counter.h) as the
				  program of this name, from open to destroy;
				  NULL: none */
	sl_problem_fn *notice; /**< hears what does not keep a run from
				    running, "no counters: REASON", "measuring
				    the idle machine for 10 s", in open; may be
				    NULL; the context is problem_context */
};

/** How far a run is. */
struct sl_progress {
	size_t size; /**< sizeof(struct sl_progress), set by the caller */
	uint64_t packets_in, packets_out, packets_dropped;
	int64_t elapsed_ns;
};

SL_BEGIN_DECLS

/** The library's version, "0.1.0". */
const char *sl_version(void);

/** Read the configuration, load the plugins, check all options and the
 * wiring. Nothing is opened for writing. On failure *pipeline is NULL;
 * SL_EINVAL: the problems went to settings->problem, and *error repeats the
 * first; all other codes: *error alone, SL_EIO if the configuration cannot be
 * read. */
enum sl_code sl_pipeline_create(struct sl_pipeline **pipeline,
				const struct sl_pipeline_settings *settings,
				struct sl_error *error) SL_MUST_CHECK;

/** Also in the middle of a failure; NULL is fine. Not while it runs. */
void sl_pipeline_destroy(struct sl_pipeline *pipeline);

/** Claim a file that the caller itself will write (a report), so that no
 * stage reads or writes it: SL_EINVAL if one does, or the configuration is that
 * file. Before open, so that nothing is truncated for nothing; the caller
 * truncates after open. */
enum sl_code sl_pipeline_claim_output(struct sl_pipeline *pipeline, int fd,
				      const char *path,
				      struct sl_error *error) SL_MUST_CHECK;

/** Open the meters and, where the configuration says so, measure the power of
 * the idle machine; then every instance, source first and sink last. SL_EINVAL:
 * the configuration cannot be (output equal to input). SL_ESTOPPED:
 * sl_pipeline_stop() came while the idle power was measured; nothing else was
 * opened then. */
enum sl_code sl_pipeline_open(struct sl_pipeline *pipeline,
			      struct sl_error *error) SL_MUST_CHECK;

/** Start the workers. */
enum sl_code sl_pipeline_start(struct sl_pipeline *pipeline,
			       struct sl_error *error) SL_MUST_CHECK;

/** Wait until the run has ended, at most @p timeout_ms (negative: for ever).
 * @return whether it has. */
bool sl_pipeline_wait(struct sl_pipeline *pipeline,
		      int timeout_ms) SL_MUST_CHECK;

/** End the input: what is in flight drains. Async-signal-safe, thread-safe,
 * from create to destroy. */
void sl_pipeline_stop(struct sl_pipeline *pipeline);

void sl_pipeline_progress(struct sl_pipeline *pipeline,
			  struct sl_progress *progress);

/** After the wait: how the run ended. SL_OK also when it was stopped. */
enum sl_code sl_pipeline_result(struct sl_pipeline *pipeline,
				struct sl_error *error) SL_MUST_CHECK;

/** The figures so far, or after the wait those of the whole run: borrowed until
 * the next call. From the thread that waits. While it runs they are of about
 * one moment, the meters are read anew, and the outcome is SL_RUNNING. NULL
 * before the start. */
const struct sl_stats *sl_pipeline_stats(struct sl_pipeline *pipeline);

/** An error as the tools print it: "FILE:LINE: MESSAGE".
 * @return text owned by the caller (free()), or NULL: no memory. */
char *sl_error_text(const struct sl_error *error);

/** Describe the plugins that can be found: appends to @p text what
 * `runpipe --list` prints; the caller frees text->data. @p name: only this
 * plugin, with its options. SL_LIST_CONFIGURATION: a configuration's own keys.
 * SL_EPLUGIN: there is none of that name. */
#define SL_LIST_CONFIGURATION "configuration"
enum sl_list_format { SL_LIST_TEXT, SL_LIST_JSON, SL_LIST_MARKDOWN };
enum sl_code sl_plugins_list(const char *name, enum sl_list_format format,
			     struct sl_buffer *text,
			     struct sl_error *error) SL_MUST_CHECK;

SL_END_DECLS

#endif
