/* SPDX-License-Identifier: MIT */
/** @file
 * What an assessment has found: its conditions, its phases with the raw samples
 * they stand on, its figures or the reasons why there are none.
 */
#ifndef SL_POWER_REPORT_H
#define SL_POWER_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "power/conditions.h"
#include "power/look.h"
#include "power/processes.h"
#include "sluice/assess.h"
#include "sluice/buffer.h"
#include "sluice/counter.h"
#include "sluice/energy.h"
#include "sluice/temperature.h"

enum sl_phase_kind {
	SL_PHASE_BASELINE, /**< the application does not run, or waits */
	SL_PHASE_ACTIVE,
	SL_PHASE_IDLE, /**< it runs and has nothing to do */
};

/** "baseline", "active", "idle". */
const char *sl_phase_word(enum sl_phase_kind kind);

/** One reading of one domain, as it entered the figures. */
struct sl_raw {
	double time_s; /**< since the phase began: middle of the two clocks */
	double energy_j; /**< since the first reading of all */
	double raw; /**< what the source itself said */
	uint32_t epoch;
	bool valid;
};

enum { SL_USE_BINS = 10 };

/** A phase that was finished. */
struct sl_phase {
	enum sl_phase_kind kind;
	unsigned repeat; /**< from 1; of a baseline: the run that it stands
			      before */
	double started; /**< s since 1970 */
	double elapsed_s;
	bool running; /**< an idle phase: the application ran; else it had
			   ended, and the phase is a baseline as well */
	bool whole; /**< ended by the end of the command, not by its window */
	struct sl_energy_span sum;
	struct sl_energy_span *domains; /**< owned; one a domain of the report
					 */
	struct sl_idle idle;
	uint64_t use[SL_USE_BINS]; /**< CPU-use histogram: how often a CPU was
				      found at 0-10 %, 10-20 %, ... */
	struct sl_temperatures before, after;
	double app_wakeups_s; /**< of the application; NAN: unknown */
	double work; /**< done in it; negative: not counted */
	bool looks_active; /**< an idle phase that looks like the active one:
				its figures are invalid */
	struct sl_raw *raw; /**< owned; `samples` rows of one a domain */
	size_t samples, sample_room;
};

/** A domain, as it was. */
struct sl_report_domain {
	char meter[32], id[64], label[64], reason[128];
	enum sl_quality quality;
	double resolution_j, update_s, relative;
	bool usable, in_sum;
};

enum sl_outcome {
	SL_OUTCOME_DONE, /**< there is a figure */
	SL_OUTCOME_REFUSED, /**< measured, and no figure */
	SL_OUTCOME_FAILED, /**< not measured to the end */
	SL_OUTCOME_CANCELLED,
};

/** "measured", "on-die", "integrated", "estimate". */
const char *sl_quality_word(enum sl_quality quality);

/** "done", "refused", ... */
const char *sl_outcome_word(enum sl_outcome outcome);

enum { SL_ACTIVE_SHOWN = 5 };

/** How the machine was before anything began. */
struct sl_quiet {
	bool quiet;
	struct sl_idle idle;
	char reason[512]; /**< why not quiet; "" */
	struct sl_activity active[SL_ACTIVE_SHOWN]; /**< by CPU */
	size_t active_count;
	struct sl_activity waking[SL_ACTIVE_SHOWN]; /**< by wakeups */
	size_t waking_count;
};

struct sl_report {
	const char *version; /**< borrowed */
	char *command; /**< owned; words as a shell would take them */
	double settle_s, window_s; /**< window 0: the whole run */
	double baseline_s, sample_s;
	unsigned repeats;
	char *meters; /**< owned; what was asked for, "; " between; "": those
			   that were found */
	char start[128]; /**< when active begins: "at once", "after 3 s", ... */
	char idle_command[128]; /**< "": none */
	char work_of[128], work_unit[SL_COUNTER_UNIT];
	struct sl_conditions conditions;
	struct sl_quiet quiet;
	struct sl_report_domain *domains; /**< owned */
	size_t domain_count;
	struct sl_phase *phases; /**< owned */
	size_t phase_count, phase_room;
	enum sl_outcome outcome;
	char reason[600]; /**< why failed or refused; "" */
	bool judged; /**< the figures below were computed */
	struct sl_assessment assessment;
	struct sl_figure seconds, gross_w; /**< of the active phases */
	struct sl_figure idle_w; /**< of the idle phases, over the baseline */
};

void sl_report_finish(struct sl_report *report);

/** Take the domains as they are open now. SL_ENOMEM. */
enum sl_code sl_report_domains(struct sl_report *report,
			       const struct sl_energy *energy,
			       struct sl_error *error) SL_MUST_CHECK;

/** Append an empty phase. @return it, borrowed until the next; NULL: no memory.
 */
struct sl_phase *sl_report_add(struct sl_report *report);
/** Remove the last phase: it was broken off. */
void sl_report_drop(struct sl_report *report);

/** Append the readings of a mark, @p began_ns being the phase's first moment.
 * Long phases are thinned out: first and last stay. SL_ENOMEM. */
enum sl_code sl_phase_sample(struct sl_phase *phase,
			     const struct sl_energy_mark *mark,
			     int64_t began_ns,
			     struct sl_error *error) SL_MUST_CHECK;

/** Compute the figures from the phases, and set outcome and reason. */
void sl_report_judge(struct sl_report *report);

/** Whether any figure is a model's. */
bool sl_report_estimate(const struct sl_report *report);

/** Append the report. SL_ENOMEM. */
enum sl_code sl_report_xml(const struct sl_report *report,
			   struct sl_buffer *text,
			   struct sl_error *error) SL_MUST_CHECK;
enum sl_code sl_report_json(const struct sl_report *report,
			    struct sl_buffer *text,
			    struct sl_error *error) SL_MUST_CHECK;

#endif
