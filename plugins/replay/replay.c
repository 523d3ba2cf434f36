/* SPDX-License-Identifier: MIT */
/* replay: a meter that was read before: a CSV file of times and joules or
 * watts, played back in real time or faster. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/meter.h"
#include "sluice/tree.h"
#include "table.h"

#define JOULES_A_COUNT 1e-6

enum { FILE_LIMIT = 256 << 20 };

struct replay {
	/* options */
	const char *file, *time;
	struct sl_list joules, watts;
	double speed, wrap, max_power, accuracy;
	int scope;

	struct table table;
	bool started;
	int64_t start_ns; /**< when the first row was played */
};

static const char *const scopes[] = { "part", "platform", NULL };

static const struct sl_option replay_options[] = {
	{ .name = "file",
	  .type = SL_PATH,
	  .required = true,
	  .offset = offsetof(struct replay, file),
	  .help = "The recording: names in its first line, numbers below." },
	{ .name = "time",
	  .type = SL_STRING,
	  .offset = offsetof(struct replay, time),
	  .default_text = "time_s",
	  .help = "The column that holds the time in seconds." },
	{ .name = "joules",
	  .type = SL_LIST,
	  .element = SL_STRING,
	  .offset = offsetof(struct replay, joules),
	  .help = "Columns that count joules. Without this and watts: all that "
		  "end in joules or _j." },
	{ .name = "watts",
	  .type = SL_LIST,
	  .element = SL_STRING,
	  .offset = offsetof(struct replay, watts),
	  .help = "Columns of powers. Without this and joules: all that end in "
		  "watts or _w." },
	{ .name = "speed",
	  .type = SL_FLOAT,
	  .offset = offsetof(struct replay, speed),
	  .default_text = "1.0",
	  .float_min = 0.001,
	  .float_max = 1e6,
	  .help = "Seconds of the recording a second." },
	{ .name = "wrap",
	  .type = SL_FLOAT,
	  .offset = offsetof(struct replay, wrap),
	  .default_text = "0.0",
	  .float_min = 0,
	  .float_max = 1e12,
	  .unit = "J",
	  .help = "Where columns of joules begin again at 0; 0: never." },
	{ .name = "max_power",
	  .type = SL_FLOAT,
	  .offset = offsetof(struct replay, max_power),
	  .default_text = "10000.0",
	  .float_min = 1,
	  .float_max = 1e9,
	  .unit = "W",
	  .help = "What no column can exceed." },
	{ .name = "accuracy",
	  .type = SL_FLOAT,
	  .offset = offsetof(struct replay, accuracy),
	  .default_text = "0.0",
	  .float_min = 0,
	  .float_max = 1,
	  .help = "Calibration of the meter that was recorded: half of the 95 "
		  "% interval, as a part of the figure." },
	{ .name = "scope",
	  .type = SL_ENUM,
	  .offset = offsetof(struct replay, scope),
	  .default_text = "part",
	  .choices = scopes,
	  .help = "Whether the columns are parts of a machine, which add up, "
		  "or each all of it." },
};

/* The shortest time between two rows: as often the meter can have been read. */
static double update_s(const struct replay *replay)
{
	const struct table *table = &replay->table;
	double least = INFINITY;

	for (size_t at = 1; at < table->row_count; at++)
		least = fmin(least, table->times[at] - table->times[at - 1]);
	return isfinite(least) ? least / replay->speed : 0;
}

static void add_column(const struct replay *replay, size_t at, double period_s,
		       struct sl_meter_host *host)
{
	const struct column *column = &replay->table.columns[at];
	const struct sl_domain domain = {
		.size = sizeof(domain),
		.id = column->name,
		.quality = column->is_watts ? SL_QUALITY_INTEGRATED
					    : SL_QUALITY_MEASURED,
		.form = column->is_watts ? SL_FORM_WATTS : SL_FORM_COUNTER,
		.scope = replay->scope ? SL_SCOPE_PLATFORM : SL_SCOPE_PART,
		.unit_j = column->is_watts ? 0 : JOULES_A_COUNT,
		.modulus = column->is_watts ? 0
					    : (uint64_t)llround(replay->wrap /
								JOULES_A_COUNT),
		.update_s = period_s,
		.relative = replay->accuracy,
		.power_max_w = replay->max_power * replay->speed,
	};

	sl_meter_add(host, &domain);
}

static enum sl_code replay_open(void *state, struct sl_meter_host *host,
				struct sl_error *error)
{
	struct replay *replay = state;
	const struct table_choice choice = {
		.time = replay->time,
		.joules = &replay->joules,
		.watts = &replay->watts,
	};
	bool absolute = replay->file[0] == '/';
	struct sl_buffer text = { NULL, 0, 0 };
	struct sl_error why = { .code = SL_OK };
	enum sl_code code =
		sl_tree_load(absolute ? "/" : ".", replay->file + absolute,
			     FILE_LIMIT, &text, error);

	/* What follows it would be missing, and nobody would know. */
	if (code == SL_OK && strlen(text.data) != text.used)
		code = SL_FAIL(error, SL_EINVAL, "%s: a NUL byte in it",
			       sl_path_tail(replay->file));
	if (code == SL_OK) {
		code = table_init(&replay->table, text.data, &choice, &why);
		if (code != SL_OK)
			code = SL_FAIL(error, code, "%s: %s",
				       sl_path_tail(replay->file), why.message);
	}
	free(text.data);
	if (code != SL_OK)
		return code == SL_END ? SL_EIO : code;
	for (size_t at = 0; at < replay->table.column_count; at++)
		add_column(replay, at, update_s(replay), host);
	return SL_OK;
}

static void replay_close(void *state)
{
	struct replay *replay = state;

	table_finish(&replay->table);
}

/* The row that is due at @p now_ns; its last one lasts as long as the one
 * before it did. */
static enum sl_code find_row(struct replay *replay, int64_t now_ns, size_t *row,
			     struct sl_error *error)
{
	const struct table *table = &replay->table;
	size_t last = table->row_count - 1;
	double step = last ? table->times[last] - table->times[last - 1] : 0;
	double time;

	if (!replay->started) {
		replay->started = true;
		replay->start_ns = now_ns;
	}
	time = table->times[0] +
	       (double)(now_ns - replay->start_ns) * 1e-9 * replay->speed;
	if (time > table->times[last] + step)
		return SL_FAIL(error, SL_EIO,
			       "the recording ended at %g s of its time",
			       table->times[last]);
	*row = table_row_at(table, time);
	return SL_OK;
}

static enum sl_code replay_read(void *state, uint32_t domain,
				struct sl_sample *sample,
				struct sl_error *error)
{
	struct replay *replay = state;
	const struct table *table = &replay->table;
	size_t row = 0;
	enum sl_code code = find_row(replay, sample->now_ns, &row, error);
	double value;

	if (code != SL_OK)
		return code;
	value = table->values[row * table->column_count + domain];
	if (isnan(value))
		return SL_FAIL(error, SL_EIO, "nothing was recorded at %g s",
			       table->times[row]);
	sample->watts = value * replay->speed;
	if (table->columns[domain].is_watts)
		return SL_OK;
	if (value < 0 || value > 1e12)
		return SL_FAIL(error, SL_EINVAL,
			       "%g J at %g s: not between 0 and 1e12", value,
			       table->times[row]);
	sample->count = (uint64_t)llround(value / JOULES_A_COUNT);
	return SL_OK;
}

static const struct sl_meter replay_meter = {
	.size = sizeof(struct sl_meter),
	.state_size = sizeof(struct replay),
	.open = replay_open,
	.close = replay_close,
	.read = replay_read,
};

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_METER,
	.name = "replay",
	.summary = "joules or watts of a recording",
	SL_OPTION_TABLE(replay_options),
	.meter = &replay_meter,
};
