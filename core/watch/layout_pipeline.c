/* SPDX-License-Identifier: MIT */
/* A pipeline: packets, energy, the load of its stages, and with the room that
 * is left charts. */
#include <math.h>
#include <stdio.h>

#include "watch/layout_private.h"

enum { LABEL = 0, NOW_END = 32, ALL_END = 50, CHART = 52 };

static int chart_width(const struct sl_screen *screen)
{
	return screen->columns - CHART;
}

static void draw_head(struct sl_screen *screen, int row, const char *label)
{
	(void)sl_screen_print(screen, row, 0, SL_STYLE_HEAD, "%-*s",
			      screen->columns, label);
}

static void draw_counter(struct sl_screen *screen,
			 const struct sl_watch_pipeline *pipeline,
			 const struct sl_watch_counter *counter, int row,
			 const char *label)
{
	struct sl_layout_history history = { pipeline->program, counter };
	struct sl_series series = { sl_layout_past, &history };
	char text[2 * SL_DRAW_NUMBER];

	(void)sl_screen_print(screen, row, LABEL, SL_STYLE_PLAIN, "%s", label);
	sl_draw_number(sl_watch_rate(counter), text);
	sl_screen_right(screen, row, NOW_END, SL_STYLE_PLAIN, "%s", text);
	sl_draw_count(sl_watch_number(counter), text);
	sl_screen_right(screen, row, ALL_END, SL_STYLE_PLAIN, "%s", text);
	sl_layout_spark(screen, row, CHART, chart_width(screen), SL_STYLE_GOOD,
			&series);
}

static int draw_packets(struct sl_screen *screen,
			const struct sl_watch_pipeline *pipeline, int row)
{
	draw_head(screen, row, "packets");
	sl_screen_right(screen, row, NOW_END, SL_STYLE_HEAD, "now/s");
	sl_screen_right(screen, row, ALL_END, SL_STYLE_HEAD, "all");
	sl_layout_span(screen, row, CHART, pipeline->program,
		       chart_width(screen));
	draw_counter(screen, pipeline, pipeline->in, row + 1, "in");
	draw_counter(screen, pipeline, pipeline->out, row + 2, "out");
	draw_counter(screen, pipeline, pipeline->dropped, row + 3, "dropped");
	return row + 4;
}

/* ---- energy ---- */

static void draw_joules(struct sl_screen *screen, int row, const char *label,
			double now, const char *now_unit, double all,
			const char *all_unit, bool estimate)
{
	char text[2 * SL_DRAW_NUMBER];

	(void)sl_screen_print(screen, row, LABEL, SL_STYLE_PLAIN, "%.20s",
			      label);
	sl_draw_unit(now, now_unit, estimate, text);
	sl_screen_right(screen, row, NOW_END, SL_STYLE_PLAIN, "%s", text);
	sl_draw_unit(all, all_unit, estimate, text);
	sl_screen_right(screen, row, ALL_END, SL_STYLE_PLAIN, "%s", text);
}

/* What ended uses no power any more. */
static double power_now(const struct sl_watch_pipeline *pipeline)
{
	return pipeline->program->state == SL_WATCH_LIVE
		       ? sl_watch_number(pipeline->power)
		       : NAN;
}

static double efficiency_now(const struct sl_watch_pipeline *pipeline)
{
	return pipeline->program->state == SL_WATCH_LIVE
		       ? sl_watch_packets_per_j(pipeline, 0)
		       : NAN;
}

static void draw_domains(struct sl_screen *screen,
			 const struct sl_watch_pipeline *pipeline, int row,
			 size_t shown)
{
	bool estimate = sl_watch_estimate(pipeline);

	for (size_t at = 0; at < shown; at++) {
		const struct sl_watch_domain *domain = &pipeline->domains[at];

		draw_joules(screen, row++, domain->name,
			    sl_watch_rate(domain->energy), "W",
			    sl_watch_number(domain->energy), "J", estimate);
	}
	if (shown < pipeline->domain_count)
		(void)sl_screen_print(screen, row - 1, CHART, SL_STYLE_FAINT,
				      "and %zu domains more",
				      pipeline->domain_count - shown);
}

static int draw_energy(struct sl_screen *screen,
		       const struct sl_watch_pipeline *pipeline, int row,
		       size_t domains)
{
	bool estimate = sl_watch_estimate(pipeline);
	struct sl_layout_history history = { pipeline->program,
					     pipeline->power };
	struct sl_series power = { sl_layout_past, &history };
	struct sl_series packets = { sl_layout_past_packets_per_j, pipeline };

	if (!pipeline->energy) {
		(void)sl_screen_print(screen, row, 0, SL_STYLE_FAINT,
				      "energy: no meters");
		return row + 1;
	}
	draw_head(screen, row, estimate ? "energy (~ estimate)" : "energy");
	sl_screen_right(screen, row, NOW_END, SL_STYLE_HEAD, "now");
	sl_screen_right(screen, row, ALL_END, SL_STYLE_HEAD, "all");
	draw_joules(screen, row + 1, "sum", power_now(pipeline), "W",
		    sl_watch_number(pipeline->energy), "J", estimate);
	sl_layout_spark(screen, row + 1, CHART, chart_width(screen),
			SL_STYLE_ENERGY, &power);
	draw_joules(screen, row + 2, "packets/J", efficiency_now(pipeline), "",
		    sl_watch_packets_per_j_total(pipeline), "", estimate);
	sl_layout_spark(screen, row + 2, CHART, chart_width(screen),
			SL_STYLE_ENERGY, &packets);
	draw_domains(screen, pipeline, row + 3, domains);
	return row + 3 + (int)domains;
}

/* ---- stages ---- */

/* Columns' ends. The bar takes what there is, to a point; then histories. */
struct columns {
	int name, bar, load, packets, ns, rate, dropped, chart;
};

static struct columns columns_of(const struct sl_screen *screen)
{
	int spare = screen->columns - SL_LAYOUT_COLUMNS;
	struct columns at;

	at.name = 17 + (spare > 12 ? 10 : 0);
	at.bar = at.name + 16 + (spare > 40 ? 14 : 0);
	at.load = at.bar + 8;
	at.packets = at.load + 10;
	at.ns = at.packets + 10;
	at.rate = at.ns + 10;
	at.dropped = at.rate + 9 + (spare > 40 ? 8 : 0);
	at.chart = at.dropped + 2;
	return at;
}

struct past_load {
	const struct sl_watch_pipeline *pipeline;
	const struct sl_watch_stage *stage;
};

static double past_load(const void *context, size_t back)
{
	const struct past_load *of = context;

	return sl_watch_past_load(of->pipeline, of->stage, back);
}

static void draw_figure(struct sl_screen *screen, int row, int end,
			double number)
{
	char text[SL_DRAW_NUMBER];

	sl_draw_number(number, text);
	sl_screen_right(screen, row, end, SL_STYLE_PLAIN, "%s", text);
}

static void draw_stage(struct sl_screen *screen,
		       const struct sl_watch_pipeline *pipeline,
		       const struct sl_watch_stage *stage, int row)
{
	struct columns at = columns_of(screen);
	double load = sl_watch_load(pipeline, stage);
	struct past_load history = { pipeline, stage };
	struct sl_series series = { past_load, &history };
	bool live = pipeline->program->state == SL_WATCH_LIVE;

	(void)sl_screen_print(screen, row, 0, SL_STYLE_PLAIN, "%.*s",
			      at.name - 1, stage->name);
	sl_draw_bar(screen, row, at.name, at.bar - at.name, load);
	if (isnan(load))
		sl_screen_right(screen, row, at.load, SL_STYLE_PLAIN, "-");
	else
		sl_screen_right(screen, row, at.load, SL_STYLE_PLAIN, "%.1f %%",
				fmin(100 * load, 9999));
	draw_figure(screen, row, at.packets, sl_watch_rate(stage->packets));
	draw_figure(screen, row, at.ns,
		    live ? sl_watch_packet_ns(stage)
			 : sl_watch_packet_ns_total(stage));
	draw_figure(screen, row, at.rate, sl_watch_rate(stage->dropped));
	draw_figure(screen, row, at.dropped, sl_watch_number(stage->dropped));
	if (screen->columns - at.chart > 8)
		sl_draw_chart(screen, row, at.chart, 1,
			      screen->columns - at.chart, SL_STYLE_GOOD,
			      &series, 1);
}

static int draw_stages(struct sl_screen *screen,
		       const struct sl_watch_pipeline *pipeline,
		       struct sl_look *look, int row, size_t shown)
{
	struct columns at = columns_of(screen);
	size_t first = sl_layout_scroll(look, pipeline->stage_count, shown);
	char more[80] = "stage";

	if (shown < pipeline->stage_count)
		(void)snprintf(more, sizeof(more), "stage %zu-%zu of %zu",
			       first + 1, first + shown, pipeline->stage_count);
	draw_head(screen, row, more);
	sl_screen_right(screen, row, at.load, SL_STYLE_HEAD, "load");
	sl_screen_right(screen, row, at.packets, SL_STYLE_HEAD, "packets/s");
	sl_screen_right(screen, row, at.ns, SL_STYLE_HEAD, "ns/packet");
	sl_screen_right(screen, row, at.rate, SL_STYLE_HEAD, "dropped/s");
	sl_screen_right(screen, row, at.dropped, SL_STYLE_HEAD, "dropped");
	if (screen->columns - at.chart > 8)
		(void)sl_screen_print(screen, row, at.chart, SL_STYLE_HEAD,
				      "load, 0 to 100 %%");
	for (size_t stage = first; stage < first + shown; stage++)
		draw_stage(screen, pipeline, &pipeline->stages[stage], ++row);
	return row + 1;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

void sl_layout_pipeline(struct sl_screen *screen,
			const struct sl_watch_pipeline *pipeline,
			struct sl_look *look, int row, int end)
{
	size_t stages = pipeline->stage_count, room;
	/* Of many domains a few are enough, unless the stages leave room. */
	size_t domains = pipeline->domain_count;
	int fixed = 4 + 1 + (pipeline->energy ? 3 : 1) + 1 + 1;

	room = (size_t)(end - row - fixed);
	if (domains + stages > room)
		domains = least(domains, room > stages + 3 ? room - stages : 3);
	stages = least(stages, room - domains);
	row = draw_packets(screen, pipeline, row) + 1;
	row = draw_energy(screen, pipeline, row, domains) + 1;
	if (pipeline->stage_count)
		row = draw_stages(screen, pipeline, look, row, stages) + 1;
	sl_layout_charts(screen, pipeline, row, end);
}
