/* SPDX-License-Identifier: MIT */
/** @file
 * What a run did: packets, drops, times.
 *
 * All counts are of chunks that reached the sink, the one with the first error
 * among them, whose packets from the error on are in the figures of the stages
 * they reached: there, and only there, what comes in is more than what is
 * accounted for. The figures do not depend on the number of workers, even then.
 */
#ifndef SLUICE_STATS_H
#define SLUICE_STATS_H

#include <stddef.h>
#include <stdint.h>

#include "sluice/assess.h"
#include "sluice/buffer.h"
#include "sluice/defs.h"
#include "sluice/energy.h"
#include "sluice/error.h"

/** One instance: the source, a stage, or the sink.
 * packets_in + emitted = packets_out + held + the sum of drops. */
struct sl_instance_stats {
	const char *name, *plugin; /**< borrowed from the pipeline */
	uint64_t packets_in, packets_out;
	uint64_t held; /**< taken out to be kept */
	uint64_t emitted; /**< put in, new or held before; or let go from what
				was held, to be dropped */
	size_t drop_count;
	const char *const *drop_names;
	const uint64_t *drops; /**< by reason; a source's are skipped records,
				    which never were packets */
	int64_t busy_ns; /**< wall time in its steps, summed over workers */
	int64_t cpu_ns; /**< CPU time in its steps, by samples; without meters
			     0 */
	struct sl_figure energy_j; /**< its share of what the run cost above
					idle; struct sl_energy_stats says why
					there is none */
	uint64_t cpu_samples; /**< steps whose CPU time was taken */
};

/** One domain of a meter over the measured region. Frozen. */
struct sl_domain_stats {
	const char *instance; /**< the meter's name in the configuration */
	const struct sl_energy_domain *domain;
	struct sl_energy_span span;
};

/** Where the power of the idle machine comes from. */
enum sl_idle_source { SL_IDLE_UNKNOWN, SL_IDLE_GIVEN, SL_IDLE_MEASURED };

/** What a run cost, by its meters. Everything is borrowed from the pipeline.
 *
 *     sum = idle power x elapsed + the energy of the instances
 *
 * where the latter is shared by CPU time, and `idle_j` is a row of its own.
 * Domains that overlap stand side by side and are never added. */
struct sl_energy_stats {
	size_t size; /**< sizeof(struct sl_energy_stats) of the library */
	size_t domain_count;
	const struct sl_domain_stats *domains;
	struct sl_energy_span sum; /**< of the domains that do not overlap */
	struct sl_figure packets_per_j, j_per_packet; /**< gross: packets that
							   the sink took, over
							   `sum` */
	enum sl_idle_source idle;
	double idle_w, idle_half_w; /**< half of the 95 % interval; NaN:
					 unknown, as that of a given power */
	struct sl_figure idle_j; /**< idle power x elapsed */
	const char *no_shares; /**< why the instances have no energy: under 20
				    update periods, no idle power; NULL: they
				    have */
	const char *no_ratio; /**< why packets_per_j, j_per_packet have no
				   figure; NULL: they have */
	const char *no_idle; /**< why idle_j has none; NULL: it has */
	struct sl_figure net_j; /**< sum - idle; its value and sign are kept
				     where it cannot be told from 0 */
};

/** How a run ended. */
enum sl_outcome {
	SL_DONE,
	SL_FAILED,
	SL_STOPPED,
	SL_RUNNING /**< it has not */
};

struct sl_stats {
	size_t size; /**< sizeof(struct sl_stats), as the library has it */
	enum sl_outcome outcome;
	const char *failure; /**< what sl_pipeline_result() says, with its
				  place; NULL unless failed; borrowed */
	uint64_t packets_in; /**< that the source made */
	uint64_t packets_out; /**< that the sink took */
	uint64_t packets_dropped; /**< by stages, all reasons */
	uint64_t chunks;
	int64_t elapsed_ns; /**< the measured region: from the first chunk's
				 cut to the last one's end */
	int64_t total_ns; /**< from the program's start to the report */
	int64_t cpu_ns; /**< user and system time of the whole program */
	unsigned workers;
	double mean_busy_workers; /**< over the measured region */
	const int64_t *concurrency_ns; /**< [k]: time in which exactly k workers
					    were busy; workers + 1 of them */
	int64_t latency_p50_ns, latency_p90_ns, latency_p99_ns, latency_max_ns;
	/**< of chunks, from cut to the sink's end; quantiles are upper bounds
	 * with a relative error below 1/32 */
	const struct sl_instance_stats *source, *sink;
	const struct sl_instance_stats *const *stages;
	size_t stage_count;
	const struct sl_energy_stats *energy; /**< NULL: no meters */
};

SL_BEGIN_DECLS

/** Append the summary for people: lines of at most 80 columns. The caller
 * frees text->data, here and below. */
enum sl_code sl_stats_text(const struct sl_stats *stats, struct sl_buffer *text,
			   struct sl_error *error) SL_MUST_CHECK;

/** Append the same as one JSON object and a newline. Rates without a time to
 * divide by are null. */
enum sl_code sl_stats_json(const struct sl_stats *stats, struct sl_buffer *json,
			   struct sl_error *error) SL_MUST_CHECK;

/** Append the same in Prometheus' text format (version 0.0.4): "# HELP" and
 * "# TYPE" of each metric, base units, counters end in _total. Instances are
 * told by the labels `stage`, their name, and `role`: "source", "stage" or
 * "sink". What has no figure is left out. */
enum sl_code sl_stats_prometheus(const struct sl_stats *stats,
				 struct sl_buffer *text,
				 struct sl_error *error) SL_MUST_CHECK;

/** Append a row of a table: CSV (RFC 4180, lines end in CR LF). The columns and
 * their order depend on the configuration alone, so that rows of one run can
 * stand below each other, and below the header. What has no figure is an empty
 * field. */
enum sl_code sl_stats_csv(const struct sl_stats *stats, struct sl_buffer *text,
			  struct sl_error *error) SL_MUST_CHECK;

/** Append the header: the columns' names. */
enum sl_code sl_stats_csv_header(const struct sl_stats *stats,
				 struct sl_buffer *text,
				 struct sl_error *error) SL_MUST_CHECK;

SL_END_DECLS

#endif
