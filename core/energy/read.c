/* SPDX-License-Identifier: MIT */
/* Reading what is open: rounds, the sampling thread, marks and spans. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "energy/energy_private.h"
#include "energy/uncertainty.h"
#include "pipeline/instance.h"

#define PERIOD_MIN_S 0.001
#define PERIOD_MAX_S 3600.0
/* Without a wish: powers want to be integrated, counters only not to wrap. */
#define PERIOD_POWER_S 1.0
#define PERIOD_COUNTER_S 10.0
/* Nothing new for longer than this is a source that stopped. */
#define SILENT_UPDATES 10
#define SILENT_MIN_S 2.0
#define NS_A_SECOND 1e9

/** Two clock readings with a sample between them. */
struct bracket {
	int64_t before_ns, after_ns;
};

static int64_t now_ns(const struct sl_energy *energy)
{
	return energy->clock.monotonic_ns(energy->clock.context);
}

static void fail_place(struct sl_energy_place *place, enum sl_code code,
		       struct sl_error *error, const struct bracket *bracket)
{
	sl_error_complete(error, code);
	sl_text_flatten(error->message);
	sl_track_failure(&place->track, error->message, bracket->before_ns,
			 bracket->after_ns);
}

/* However seldom it is asked: whoever renews a figure has a new one by then. */
static int64_t silence_ns(const struct sl_track *track)
{
	double seconds =
		fmax(SILENT_UPDATES * track->unwrap.update_s, SILENT_MIN_S);

	return track->unwrap.update_s > 0 ? (int64_t)(seconds * NS_A_SECOND)
					  : track->integrate.gap_ns;
}

/* The last reading stands, but not for ever: its energy would pass for that of
 * a longer time. */
static void hear_nothing(struct sl_energy_place *place,
			 const struct bracket *bracket)
{
	const struct sl_energy_reading *reading = &place->track.reading;
	int64_t silent_ns = bracket->after_ns - reading->after_ns;
	char reason[64];

	if (!reading->valid || silent_ns <= silence_ns(&place->track))
		return;
	snprintf(reason, sizeof(reason), "nothing new came for %.1f s",
		 (double)silent_ns / NS_A_SECOND);
	sl_track_failure(&place->track, reason, bracket->before_ns,
			 bracket->after_ns);
}

/* @p whole: of the meter's one request, or NULL. */
static void read_place(const struct sl_energy *energy,
		       struct sl_energy_place *place,
		       const struct bracket *whole)
{
	const struct sl_meter *meter = &place->meter->module.meter;
	struct bracket own = { now_ns(energy), 0 };
	const struct bracket *bracket = whole ? whole : &own;
	struct sl_error error = { .code = SL_OK };
	struct sl_sample sample = {
		.size = sizeof(sample),
		.now_ns = bracket->before_ns,
		.unit_j = place->domain.unit_j,
	};
	enum sl_code code = meter->read(place->meter->state, place->number,
					&sample, &error);

	own.after_ns = now_ns(energy);
	if (code == SL_END)
		hear_nothing(place, bracket);
	else if (code == SL_OK)
		sl_track_sample(&place->track, &sample, bracket->before_ns,
				bracket->after_ns);
	else
		fail_place(place, code, &error, bracket);
}

static void read_meter(const struct sl_energy *energy,
		       struct sl_energy_meter *meter)
{
	struct sl_energy_place **places = energy->places + meter->first;
	struct sl_error error = { .code = SL_OK };
	struct bracket whole = { 0, 0 };
	bool at_once = meter->module.meter.begin;
	enum sl_code code = SL_OK;

	if (at_once) {
		whole.before_ns = now_ns(energy);
		code = meter->module.meter.begin(meter->state, &error);
		whole.after_ns = now_ns(energy);
	}
	for (size_t at = 0; at < meter->count; at++) {
		if (!places[at]->seen.usable)
			continue;
		if (code == SL_OK)
			read_place(energy, places[at], at_once ? &whole : NULL);
		else
			fail_place(places[at], code, &error, &whole);
	}
}

static void break_all(struct sl_energy *energy, int64_t slept_ns)
{
	char reason[64];

	snprintf(reason, sizeof(reason), "the machine was suspended for %.1f s",
		 (double)slept_ns * 1e-9);
	for (size_t at = 0; at < energy->place_count; at++)
		sl_track_break(&energy->places[at]->track, reason);
}

/* Since it was asked last. */
static void notice_suspend(struct sl_energy *energy)
{
	struct sl_stamp stamp;
	int64_t slept_ns = 0;

	energy->clock.stamp(energy->clock.context, &stamp);
	if (energy->stamped)
		slept_ns = sl_stamp_suspended_ns(&energy->stamp, &stamp);
	energy->stamp = stamp;
	energy->stamped = true;
	if (slept_ns)
		break_all(energy, slept_ns);
}

/* Asked before and after: sleep between the readings of one round counts too.
 */
void sl_energy_round(struct sl_energy *energy)
{
	notice_suspend(energy);
	for (struct sl_energy_meter *meter = energy->meters; meter;
	     meter = meter->next)
		read_meter(energy, meter);
	notice_suspend(energy);
}

/* ---- the thread ------------------------------------------------------- */

static void locked_round(void *context)
{
	struct sl_energy *energy = context;

	pthread_mutex_lock(&energy->lock);
	sl_energy_round(energy);
	pthread_mutex_unlock(&energy->lock);
	if (energy->after_round)
		energy->after_round(energy->context);
}

static double choose_period(const struct sl_energy *energy, double wish_s)
{
	double period_s = wish_s > 0 ? wish_s : PERIOD_COUNTER_S;

	for (size_t at = 0; at < energy->place_count; at++) {
		const struct sl_energy_place *place = energy->places[at];
		double wanted_s = 0;

		if (!place->seen.usable)
			continue;
		if (place->track.form == SL_FORM_COUNTER)
			wanted_s = sl_unwrap_period_s(&place->track.unwrap);
		else if (place->track.form != SL_FORM_STORE && wish_s <= 0)
			wanted_s = PERIOD_POWER_S;
		if (wanted_s > 0)
			period_s = fmin(period_s, wanted_s);
	}
	return fmax(period_s, PERIOD_MIN_S);
}

enum sl_code sl_energy_start(struct sl_energy *energy, double period_s,
			     struct sl_error *error)
{
	double chosen_s;

	if (energy->sampler.running)
		return SL_FAIL(error, SL_EINVAL, "it was started already");
	if (!(period_s == 0 ||
	      (period_s >= PERIOD_MIN_S && period_s <= PERIOD_MAX_S)))
		return SL_FAIL(error, SL_EINVAL,
			       "a period of %g s; 0.001 to 3600 are allowed",
			       period_s);
	chosen_s = choose_period(energy, period_s);
	energy->period_s = chosen_s;
	pthread_mutex_lock(&energy->lock);
	for (size_t at = 0; at < energy->place_count; at++)
		sl_track_set_period(&energy->places[at]->track, chosen_s);
	sl_energy_round(energy);
	pthread_mutex_unlock(&energy->lock);
	return sl_sampler_start(&energy->sampler, chosen_s, locked_round,
				energy, error);
}

void sl_energy_stop(struct sl_energy *energy)
{
	sl_sampler_stop(&energy->sampler);
}

double sl_energy_period(const struct sl_energy *energy)
{
	return energy->sampler.running ? energy->sampler.period_s : 0;
}

/* ---- marks and spans -------------------------------------------------- */

static enum sl_code take_mark(struct sl_energy *energy,
			      struct sl_energy_mark *mark, bool anew,
			      struct sl_error *error)
{
	size_t count = energy->place_count;

	if (mark->capacity < count || !mark->readings) {
		size_t capacity = count ? count : 1;
		struct sl_energy_reading *readings =
			realloc(mark->readings, capacity * sizeof(*readings));

		if (!readings)
			return SL_FAIL(error, SL_ENOMEM, "no memory");
		mark->readings = readings;
		mark->capacity = capacity;
	}
	pthread_mutex_lock(&energy->lock);
	if (anew)
		sl_energy_round(energy);
	for (size_t at = 0; at < count; at++)
		mark->readings[at] = energy->places[at]->track.reading;
	pthread_mutex_unlock(&energy->lock);
	mark->count = count;
	return SL_OK;
}

enum sl_code sl_energy_mark(struct sl_energy *energy,
			    struct sl_energy_mark *mark, struct sl_error *error)
{
	return take_mark(energy, mark, true, error);
}

enum sl_code sl_energy_peek(struct sl_energy *energy,
			    struct sl_energy_mark *mark, struct sl_error *error)
{
	return take_mark(energy, mark, false, error);
}

void sl_energy_mark_finish(struct sl_energy_mark *mark)
{
	free(mark->readings);
	*mark = (struct sl_energy_mark){ 0 };
}

static enum sl_code check_marks(const struct sl_energy *energy,
				const struct sl_energy_mark *from,
				const struct sl_energy_mark *to,
				struct sl_error *error)
{
	if (from->count != energy->place_count ||
	    to->count != energy->place_count)
		return SL_FAIL(error, SL_EINVAL,
			       "a mark that was not taken of these meters");
	for (size_t at = 0; at < from->count; at++)
		if (from->readings[at].before_ns > to->readings[at].before_ns)
			return SL_FAIL(error, SL_EINVAL,
				       "the marks are in the wrong order");
	return SL_OK;
}

static void set_span(const struct sl_energy *energy, size_t at,
		     const struct sl_energy_mark *from,
		     const struct sl_energy_mark *to,
		     struct sl_energy_span *span, struct sl_error_sum *errors)
{
	const struct sl_energy_place *place = energy->places[at];

	sl_span_set(span, &place->domain, &from->readings[at],
		    &to->readings[at], errors);
	/* A power that is read once a second has a figure once a second. */
	if (place->track.form == SL_FORM_WATTS)
		span->update_s = fmax(span->update_s, energy->period_s);
	if (place->seen.usable)
		return;
	span->valid = false;
	snprintf(span->reason, sizeof(span->reason), "%s",
		 place->seen.unusable);
}

enum sl_code sl_energy_between(const struct sl_energy *energy, size_t at,
			       const struct sl_energy_mark *from,
			       const struct sl_energy_mark *to,
			       struct sl_energy_span *span,
			       struct sl_error *error)
{
	struct sl_error_sum errors = { 0, 0 };
	enum sl_code code;

	*span = (struct sl_energy_span){ .reason = "no such domain" };
	if (at >= energy->place_count)
		return SL_FAIL(error, SL_EINVAL, "there is no domain %zu", at);
	code = check_marks(energy, from, to, error);
	if (code == SL_OK)
		set_span(energy, at, from, to, span, &errors);
	return code;
}

/* Why there is no domain to add: the first that cannot be used, and why. */
static void say_nothing_usable(const struct sl_energy *energy,
			       struct sl_energy_span *span)
{
	const struct sl_energy_domain *first = sl_energy_domain(energy, 0);

	if (first)
		snprintf(span->reason, sizeof(span->reason),
			 "no domain can be used; %.48s: %s", first->id,
			 first->unusable);
	else
		snprintf(span->reason, sizeof(span->reason),
			 "no meter is open");
}

/** A sum on its way. */
struct adding {
	struct sl_error_sum errors;
	double systematic_j; /**< of the meter at hand: its domains err alike */
	double systematic_j2; /**< of those before it, squared */
	const struct sl_energy_meter *meter;
	double seconds;
};

static void end_meter(struct adding *adding, const struct sl_energy_meter *next)
{
	adding->systematic_j2 += adding->systematic_j * adding->systematic_j;
	adding->systematic_j = 0;
	adding->meter = next;
}

static void add_span(const struct sl_energy_place *place,
		     const struct sl_energy_span *one, struct adding *adding,
		     struct sl_energy_span *sum)
{
	if (place->meter != adding->meter)
		end_meter(adding, place->meter);
	adding->systematic_j += one->systematic_j;
	adding->seconds += one->seconds;
	sum->energy_j += one->energy_j;
	sum->estimate |= one->estimate;
	sum->update_s = fmax(sum->update_s, one->update_s);
	sum->domains++;
	if (one->valid || !sum->valid)
		return;
	sum->valid = false;
	snprintf(sum->reason, sizeof(sum->reason), "%.48s: %.200s",
		 place->seen.id, one->reason);
}

static void finish_sum(struct adding *adding, struct sl_energy_span *sum)
{
	end_meter(adding, NULL);
	sum->seconds = adding->seconds / sum->domains;
	sum->watts = sum->seconds > 0 ? sum->energy_j / sum->seconds : 0;
	sum->u_j = sqrt(adding->errors.variance);
	sum->random_j = sl_error_half95(&adding->errors);
	sum->systematic_j = sqrt(adding->systematic_j2);
	sum->half_j = hypot(sum->random_j, sum->systematic_j);
}

enum sl_code sl_energy_sum(const struct sl_energy *energy,
			   const struct sl_energy_mark *from,
			   const struct sl_energy_mark *to,
			   struct sl_energy_span *span, struct sl_error *error)
{
	struct adding adding = { 0 };
	enum sl_code code;

	*span = (struct sl_energy_span){ .reason = "" };
	code = check_marks(energy, from, to, error);
	if (code != SL_OK)
		return code;
	span->valid = true;
	for (size_t at = 0; at < energy->place_count; at++) {
		struct sl_energy_span one;

		if (!energy->places[at]->seen.in_sum)
			continue;
		set_span(energy, at, from, to, &one, &adding.errors);
		add_span(energy->places[at], &one, &adding, span);
	}
	if (!span->domains) {
		span->valid = false;
		say_nothing_usable(energy, span);
		return SL_OK;
	}
	finish_sum(&adding, span);
	if (span->valid && energy->missing)
		snprintf(span->reason, sizeof(span->reason), "%s",
			 energy->missing);
	return SL_OK;
}
