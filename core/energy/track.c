/* SPDX-License-Identifier: MIT */
#include "energy/track.h"

#include <math.h>
#include <stdio.h>

#define GAP_UPDATES 10
#define GAP_MIN_S 2.0
#define LOCAL_UPDATES 4
#define NS_A_SECOND 1e9
/* No computer takes a gigawatt, whatever a sensor says: 2^63 uW is garbage. */
#define WATTS_MAX 1e9

void sl_track_set_period(struct sl_track *track, double period_s)
{
	double update_s = fmax(track->unwrap.update_s, period_s);
	double gap_s = fmax(GAP_UPDATES * update_s, GAP_MIN_S);

	track->integrate.gap_ns = (int64_t)(gap_s * NS_A_SECOND);
}

void sl_track_init(struct sl_track *track, const struct sl_domain *domain)
{
	double resolution_j = domain->resolution_j > 0 ? domain->resolution_j
						       : domain->unit_j;

	*track = (struct sl_track){
		.form = (enum sl_form)domain->form,
		.unwrap = {
			.unit_j = domain->unit_j,
			.modulus = domain->modulus,
			.noise_j = domain->noise_j > 0 ? domain->noise_j
						       : 2 * resolution_j,
			.slack_j = 2 * resolution_j,
			.power_max_w = domain->power_max_w,
			.update_s = domain->update_s,
		},
		.integrate = {
			.resolution_w = domain->resolution_w,
			.mean = domain->form == SL_FORM_MEAN_WATTS,
		},
		.reading = {
			.watts = -1,
			.local_w = -1,
			.reason = "not read yet",
		},
	};
	sl_track_set_period(track, 0);
}

static void set_reason(struct sl_track *track, const char *reason)
{
	snprintf(track->reading.reason, sizeof(track->reading.reason), "%s",
		 reason);
}

static void begin_epoch(struct sl_track *track, const char *reason)
{
	track->points = 0;
	track->reading.epoch++;
	snprintf(track->epoch_reason, sizeof(track->epoch_reason), "%s",
		 reason);
	set_reason(track, reason);
}

void sl_track_break(struct sl_track *track, const char *reason)
{
	sl_unwrap_forget(&track->unwrap);
	sl_integrate_forget(&track->integrate);
	track->reading.watts = -1;
	track->reading.local_w = -1;
	begin_epoch(track, reason);
}

void sl_track_failure(struct sl_track *track, const char *reason,
		      int64_t before_ns, int64_t after_ns)
{
	struct sl_energy_reading *reading = &track->reading;

	/* A gap is one discontinuity, however often it is met. */
	if (track->form != SL_FORM_COUNTER && reading->valid)
		sl_track_break(track, reason);
	reading->valid = false;
	reading->watts = -1;
	reading->before_ns = before_ns;
	reading->after_ns = after_ns;
	set_reason(track, reason);
}

static const char *step_text(enum sl_step step, enum sl_form form)
{
	switch (step) {
	case SL_STEP_RESET:
		if (form == SL_FORM_STORE)
			return "the store was filled";
		return "the counter was reset: it fell, and no wrap explains "
		       "that";
	case SL_STEP_JUMP:
		return "the counter jumped by more than can flow in the time";
	case SL_STEP_AMBIGUOUS:
		return "the counter may have wrapped more than once between "
		       "two readings: read it more often";
	case SL_STEP_RANGE:
		return "the counter shows a value beyond its range";
	case SL_STEP_GAP:
		return "the power was not read for too long to be integrated";
	case SL_STEP_FIRST:
	case SL_STEP_OK:
	case SL_STEP_TREMBLE:
		break;
	}
	return "";
}

/* A store is a counter that runs backwards, and its counts may be worth more
 * or less as its voltage changes: the energy of a step is taken at the mean. */
static enum sl_step step_store(struct sl_track *track,
			       const struct sl_sample *sample,
			       int64_t before_ns, int64_t after_ns,
			       double *energy_j)
{
	struct sl_unwrap *unwrap = &track->unwrap;
	double unit_j = track->last_unit_j;
	enum sl_step step;

	if (unwrap->started)
		unwrap->unit_j = (unit_j + sample->unit_j) / 2;
	step = sl_unwrap_step(unwrap, UINT64_MAX - sample->count, before_ns,
			      after_ns, energy_j);
	track->last_unit_j = sample->unit_j;
	return step;
}

static enum sl_step step(struct sl_track *track, const struct sl_sample *sample,
			 int64_t before_ns, int64_t after_ns, double *energy_j,
			 double *variance_j2)
{
	*variance_j2 = 0;
	switch (track->form) {
	case SL_FORM_COUNTER:
		return sl_unwrap_step(&track->unwrap, sample->count, before_ns,
				      after_ns, energy_j);
	case SL_FORM_STORE:
		return step_store(track, sample, before_ns, after_ns, energy_j);
	case SL_FORM_WATTS:
	case SL_FORM_MEAN_WATTS:
		break;
	}
	return sl_integrate_step(&track->integrate, sample->watts,
				 before_ns + (after_ns - before_ns) / 2,
				 energy_j, variance_j2);
}

/* What a sensor or a file says may be anything. */
static bool is_possible(const struct sl_track *track,
			const struct sl_sample *sample)
{
	switch (track->form) {
	case SL_FORM_COUNTER:
		return true;
	case SL_FORM_STORE:
		return isfinite(sample->unit_j) && sample->unit_j > 0;
	case SL_FORM_WATTS:
	case SL_FORM_MEAN_WATTS:
		break;
	}
	return isfinite(sample->watts) && sample->watts >= 0 &&
	       sample->watts <= (track->unwrap.power_max_w > 0
					 ? track->unwrap.power_max_w
					 : WATTS_MAX);
}

/* @return W, negative: unknown. */
static double mean_w(const struct sl_energy_reading *from, int64_t before_ns,
		     int64_t after_ns, double energy_j)
{
	double seconds = ((double)(before_ns - from->before_ns) +
			  (double)(after_ns - from->after_ns)) /
			 2 / NS_A_SECOND;

	return seconds > 0 ? energy_j / seconds : -1;
}

/* Keep a point every few updates, and tell the power since the older one. */
static void set_local(struct sl_track *track)
{
	struct sl_energy_reading *reading = &track->reading;
	const struct sl_track_point now = {
		.energy_j = reading->energy_j,
		.at_s = ((double)reading->before_ns +
			 (double)reading->after_ns) /
			2 / NS_A_SECOND,
	};
	double apart_s = LOCAL_UPDATES * track->unwrap.update_s;

	reading->local_w = -1;
	if (track->points == 0) {
		track->older = now;
		track->newer = now;
		track->points = 1;
		return;
	}
	if (now.at_s - track->older.at_s >= apart_s &&
	    now.at_s > track->older.at_s)
		reading->local_w = (now.energy_j - track->older.energy_j) /
				   (now.at_s - track->older.at_s);
	if (now.at_s - track->newer.at_s < apart_s)
		return;
	track->older = track->points > 1 ? track->newer : track->older;
	track->newer = now;
	track->points = 2;
}

/* In joules or watts. */
static double raw_of(const struct sl_track *track,
		     const struct sl_sample *sample)
{
	if (track->form == SL_FORM_COUNTER || track->form == SL_FORM_STORE)
		return (double)sample->count * sample->unit_j;
	return sample->watts;
}

void sl_track_sample(struct sl_track *track, const struct sl_sample *sample,
		     int64_t before_ns, int64_t after_ns)
{
	struct sl_energy_reading *reading = &track->reading;
	double energy_j, variance_j2;
	enum sl_step taken;

	if (!is_possible(track, sample)) {
		sl_track_failure(track, "it says what cannot be", before_ns,
				 after_ns);
		return;
	}
	taken = step(track, sample, before_ns, after_ns, &energy_j,
		     &variance_j2);
	if (!reading->valid || !sl_step_goes_on(taken))
		reading->watts = -1;
	else
		reading->watts = mean_w(reading, before_ns, after_ns, energy_j);
	if (track->form == SL_FORM_WATTS)
		reading->watts = sample->watts;
	if (taken != SL_STEP_FIRST && !sl_step_goes_on(taken))
		begin_epoch(track, step_text(taken, track->form));
	else
		set_reason(track, track->epoch_reason);
	reading->raw = raw_of(track, sample);
	reading->energy_j += energy_j;
	reading->variance_j2 += variance_j2;
	reading->before_ns = before_ns;
	reading->after_ns = after_ns;
	reading->valid = taken != SL_STEP_RANGE;
	set_local(track);
}
