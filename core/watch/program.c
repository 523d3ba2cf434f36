/* SPDX-License-Identifier: MIT */
#include "watch/program.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A gauge's rate is over one to two of these. */
#define STEADY_NS INT64_C(2500000000)

enum sl_code sl_watch_init(struct sl_watch_program *program,
			   const struct sl_counter_program *about,
			   struct sl_error *error)
{
	program->counters = calloc(about->count, sizeof(*program->counters));
	if (!program->counters)
		return SL_FAIL(error, SL_ENOMEM, "no memory for counters");
	program->about = *about;
	return SL_OK;
}

void sl_watch_finish(struct sl_watch_program *program)
{
	free(program->counters);
	program->counters = NULL;
}

static size_t slot(size_t sample)
{
	return sample % SL_WATCH_HISTORY;
}

static bool same_counter(const struct sl_counter_value *a,
			 const struct sl_counter_value *b)
{
	return strcmp(a->name, b->name) == 0 && a->is_double == b->is_double;
}

static void start_afresh(struct sl_watch_counter *counter)
{
	*counter = (struct sl_watch_counter){ .rate = NAN };
	for (size_t at = 0; at < SL_WATCH_HISTORY; at++)
		counter->history[at] = NAN;
}

static double per_second(double amount, int64_t ns)
{
	return ns > 0 ? amount / ((double)ns / 1e9) : NAN;
}

static void rate_count(struct sl_watch_counter *counter,
		       const struct sl_counter_value *value, int64_t ns)
{
	uint64_t before = counter->value.count;

	counter->fell = value->count < before;
	counter->rate = counter->fell
				? NAN
				: per_second((double)(value->count - before) *
						     value->scale,
					     ns);
}

/* A meter has news more rarely than we look, or a little before: between two
 * readings a joule counter would stand still, leap, or seem too fast. So a rate
 * is between two changes that are some seconds apart. */
static void rate_gauge(struct sl_watch_counter *counter,
		       const struct sl_counter_value *value, int64_t now_ns)
{
	double before = counter->value.number;
	int64_t since_ns = now_ns - counter->changed_ns;
	struct sl_watch_change change = { value->number, now_ns };

	if (value->number >= before && value->number <= before) {
		if (counter->period_ns && since_ns / 3 > counter->period_ns)
			counter->rate = NAN;
		return;
	}
	if (!counter->changed_ns) {
		counter->from = change;
		counter->next = change;
	} else {
		counter->rate = per_second(value->number - counter->from.number,
					   now_ns - counter->from.at_ns);
		counter->period_ns = since_ns;
	}
	if (now_ns - counter->next.at_ns >= STEADY_NS) {
		counter->from = counter->next;
		counter->next = change;
	}
	counter->changed_ns = now_ns;
}

/* What is beyond a float is as good as its end, for a chart. */
static float narrowed(double number)
{
	if (!isfinite(number))
		return NAN;
	if (number > (double)FLT_MAX)
		return FLT_MAX;
	return number < -(double)FLT_MAX ? -FLT_MAX : (float)number;
}

static void take_one(struct sl_watch_program *program,
		     struct sl_watch_counter *counter,
		     const struct sl_counter_value *value, int64_t now_ns)
{
	int64_t before_ns = sl_watch_now(program);

	if (!before_ns || !same_counter(&counter->value, value)) {
		start_afresh(counter);
	} else if (value->is_double) {
		rate_gauge(counter, value, now_ns);
	} else {
		rate_count(counter, value, now_ns - before_ns);
	}
	counter->value = *value;
	counter->history[slot(program->samples)] =
		narrowed(value->is_double ? value->number : counter->rate);
}

/* What ended does nothing any more; its last rates are no rates of now. */
static void forget_rates(struct sl_watch_program *program)
{
	for (size_t at = 0; at < program->about.count; at++)
		program->counters[at].rate = NAN;
}

void sl_watch_take(struct sl_watch_program *program, int64_t now_ns,
		   const struct sl_counter_value *values,
		   enum sl_counter_state state)
{
	if (program->state == SL_WATCH_ENDED || program->state == SL_WATCH_DEAD)
		return;
	for (size_t at = 0; at < program->about.count; at++)
		take_one(program, &program->counters[at], &values[at], now_ns);
	program->times_ns[slot(program->samples)] = now_ns;
	program->samples++;
	program->state = state == SL_COUNTERS_LIVE    ? SL_WATCH_LIVE
			 : state == SL_COUNTERS_ENDED ? SL_WATCH_ENDED
						      : SL_WATCH_DEAD;
	program->why[0] = '\0';
	if (program->state != SL_WATCH_LIVE)
		forget_rates(program);
}

void sl_watch_lose(struct sl_watch_program *program, const char *why)
{
	if (program->state == SL_WATCH_ENDED || program->state == SL_WATCH_DEAD)
		return;
	program->state = SL_WATCH_LOST;
	(void)snprintf(program->why, sizeof(program->why), "%s", why);
	forget_rates(program);
}

int64_t sl_watch_now(const struct sl_watch_program *program)
{
	return program->samples ? program->times_ns[slot(program->samples - 1)]
				: 0;
}

static size_t remembered(const struct sl_watch_program *program)
{
	return program->samples < SL_WATCH_HISTORY ? program->samples
						   : SL_WATCH_HISTORY;
}

double sl_watch_span_s(const struct sl_watch_program *program, size_t back)
{
	size_t count = remembered(program);

	if (!count)
		return 0;
	if (back >= count)
		back = count - 1;
	return (double)(sl_watch_now(program) -
			program->times_ns[slot(program->samples - 1 - back)]) /
	       1e9;
}

double sl_watch_past(const struct sl_watch_program *program,
		     const struct sl_watch_counter *counter, size_t back)
{
	if (!counter || back >= remembered(program))
		return NAN;
	return (double)counter->history[slot(program->samples - 1 - back)];
}

const struct sl_watch_counter *
sl_watch_find(const struct sl_watch_program *program, const char *name)
{
	for (size_t at = 0; at < program->about.count; at++)
		if (strcmp(program->counters[at].value.name, name) == 0)
			return &program->counters[at];
	return NULL;
}
