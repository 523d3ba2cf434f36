/* SPDX-License-Identifier: MIT */
/* cpu_model: an estimate of power where nothing measures it, from how busy the
 * CPUs are: W = idle + (busy - idle) * u^k. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"
#include "sluice/meter.h"
#include "sluice/tree.h"

#define STAT "proc/stat"
/* Ten ticks of a CPU tell its load. */
#define TICKS_A_SECOND 100.0 /* in proc/stat, whatever the kernel's own are */
#define UPDATE_S 0.1

enum { STAT_LIMIT = 4 << 20, CALIBRATION_LIMIT = 64 << 10 };

struct cpu_model {
	/* options */
	const char *root, *calibration;
	double idle, busy, exponent, relative;

	struct sl_buffer text; /**< owned */
	struct load last, next; /**< owned */
};

static const struct sl_option cpu_model_options[] = {
	{ .name = "root",
	  .type = SL_PATH,
	  .offset = offsetof(struct cpu_model, root),
	  .default_text = "/",
	  .help = "Where proc/stat is looked for." },
	{ .name = "idle",
	  .type = SL_FLOAT,
	  .offset = offsetof(struct cpu_model, idle),
	  .default_text = "0.0",
	  .float_min = 0,
	  .float_max = 1e6,
	  .unit = "W",
	  .help = "Power with every CPU idle." },
	{ .name = "busy",
	  .type = SL_FLOAT,
	  .offset = offsetof(struct cpu_model, busy),
	  .default_text = "0.0",
	  .float_min = 0,
	  .float_max = 1e6,
	  .unit = "W",
	  .help = "Power with every CPU busy." },
	{ .name = "exponent",
	  .type = SL_FLOAT,
	  .offset = offsetof(struct cpu_model, exponent),
	  .default_text = "1.0",
	  .float_min = 0.1,
	  .float_max = 10,
	  .help = "How power follows load: 1 in proportion, less if the first "
		  "CPUs cost most." },
	{ .name = "relative",
	  .type = SL_FLOAT,
	  .offset = offsetof(struct cpu_model, relative),
	  .default_text = "0.3",
	  .float_min = 0.01,
	  .float_max = 1,
	  .help = "Half of the 95 % interval, as a part of the figure." },
	{ .name = "calibration",
	  .type = SL_PATH,
	  .offset = offsetof(struct cpu_model, calibration),
	  .help = "A file that sets idle, busy, exponent and relative in "
		  "place of the options." },
};

/* ---- the calibration file: lines NAME = NUMBER ------------------------ */

static double *field_of(struct cpu_model *model, const char *name,
			size_t length)
{
	const struct {
		const char *name;
		double *field;
	} fields[] = {
		{ "idle", &model->idle },
		{ "busy", &model->busy },
		{ "exponent", &model->exponent },
		{ "relative", &model->relative },
	};

	for (size_t at = 0; at < sizeof(fields) / sizeof(fields[0]); at++)
		if (strlen(fields[at].name) == length &&
		    memcmp(fields[at].name, name, length) == 0)
			return fields[at].field;
	return NULL;
}

static enum sl_code read_setting(struct cpu_model *model, char *line,
				 int number, struct sl_error *error)
{
	char *name = line + strspn(line, " \t\r");
	size_t length = strcspn(name, " \t=");
	char *value = strchr(name, '=');
	double *field, given;
	char *end;

	if (!*name || *name == '#')
		return SL_OK;
	field = field_of(model, name, length);
	if (!field || !value)
		return SL_FAIL(error, SL_EINVAL,
			       "%s:%d: no \"idle\", \"busy\", \"exponent\" or "
			       "\"relative\" = NUMBER",
			       sl_path_tail(model->calibration), number);
	errno = 0;
	given = strtod(value + 1, &end);
	end += strspn(end, " \t\r");
	if (end == value + 1 || *end || errno || !isfinite(given) || given < 0)
		return SL_FAIL(error, SL_EINVAL,
			       "%s:%d: \"%.32s\" is no number of 0 or more",
			       sl_path_tail(model->calibration), number,
			       value + 1);
	*field = given;
	return SL_OK;
}

/* A FIFO counts as empty. */
static enum sl_code load_calibration(struct cpu_model *model,
				     struct sl_error *error)
{
	bool absolute = model->calibration[0] == '/';
	enum sl_code code = sl_tree_load(
		absolute ? "/" : ".", model->calibration + absolute,
		CALIBRATION_LIMIT, &model->text, error);

	if (code == SL_OK && !model->text.used)
		code = SL_FAIL(error, SL_EINVAL, "%s: empty",
			       sl_path_tail(model->calibration));
	if (code == SL_OK && strlen(model->text.data) != model->text.used)
		code = SL_FAIL(error, SL_EINVAL, "%s: a NUL byte in it",
			       sl_path_tail(model->calibration));
	return code;
}

static enum sl_code read_calibration(struct cpu_model *model,
				     struct sl_error *error)
{
	enum sl_code code = load_calibration(model, error);
	char *line = model->text.data;

	for (int number = 1; code == SL_OK && line; number++) {
		char *end = strchr(line, '\n');

		if (end)
			*end++ = '\0';
		code = read_setting(model, line, number, error);
		line = end;
	}
	return code;
}

static enum sl_code check_curve(const struct cpu_model *model,
				struct sl_error *error)
{
	const char *file = model->calibration;
	const char *where = file ? sl_path_tail(file) : "";
	const char *colon = file ? ": " : "";

	if (model->busy <= 0)
		return SL_FAIL(error, SL_EINVAL, "%s%sno power is known: %s",
			       where, colon,
			       file ? "it gives no busy"
				    : "give idle and busy, or a calibration "
				      "file");
	if (model->busy < model->idle)
		return SL_FAIL(error, SL_EINVAL,
			       "%s%sbusy (%g W) is less than idle (%g W)",
			       where, colon, model->busy, model->idle);
	if (model->exponent < 0.1 || model->exponent > 10 ||
	    model->relative < 0.01 || model->relative > 1)
		return SL_FAIL(error, SL_EINVAL,
			       "%s%san exponent is from 0.1 to 10, an "
			       "uncertainty from 0.01 to 1",
			       where, colon);
	return SL_OK;
}

/* ---- the meter -------------------------------------------------------- */

static enum sl_code look(struct cpu_model *model, struct load *load,
			 struct sl_error *error)
{
	enum sl_code code = sl_tree_load(model->root, STAT, STAT_LIMIT,
					 &model->text, error);

	if (code == SL_OK)
		code = load_parse(load, model->text.data, error);
	return code == SL_END ? SL_EIO : code;
}

static double watts_at(const struct cpu_model *model, double share)
{
	return model->idle +
	       (model->busy - model->idle) * pow(share, model->exponent);
}

/* What one tick of one CPU makes of an update. No tick at all is less. */
static double tick_watts(const struct cpu_model *model)
{
	double ticks = UPDATE_S * TICKS_A_SECOND * (double)model->next.count;

	return watts_at(model, fmin(1, 1 / ticks)) - model->idle;
}

static enum sl_code cpu_model_open(void *state, struct sl_meter_host *host,
				   struct sl_error *error)
{
	struct cpu_model *model = state;
	enum sl_code code = SL_OK;
	struct sl_domain domain;

	if (model->calibration)
		code = read_calibration(model, error);
	if (code == SL_OK)
		code = check_curve(model, error);
	if (code == SL_OK)
		code = look(model, &model->next, error);
	if (code != SL_OK)
		return code == SL_END ? SL_EIO : code;
	domain = (struct sl_domain){
		.size = sizeof(domain),
		.id = "cpu",
		.label = "CPUs (estimate)",
		.quality = SL_QUALITY_MODEL,
		.form = SL_FORM_MEAN_WATTS,
		.scope = SL_SCOPE_PART,
		.resolution_w = tick_watts(model),
		.update_s = UPDATE_S,
		.relative = model->relative,
	};
	sl_meter_add(host, &domain);
	return SL_OK;
}

static void cpu_model_close(void *state)
{
	struct cpu_model *model = state;

	free(model->text.data);
	load_finish(&model->last);
	load_finish(&model->next);
}

static enum sl_code cpu_model_read(void *state, uint32_t domain,
				   struct sl_sample *sample,
				   struct sl_error *error)
{
	struct cpu_model *model = state;
	bool first = model->last.count == 0;
	struct load swapped;
	double share = 0;
	enum sl_code code;

	(void)domain;
	code = look(model, &model->next, error);
	if (code != SL_OK)
		return code;
	if (!first && !load_between(&model->last, &model->next, &share))
		return SL_END; /* nothing new yet */
	sample->watts = watts_at(model, share);
	swapped = model->last;
	model->last = model->next;
	model->next = swapped;
	return SL_OK;
}

static const struct sl_meter cpu_model_meter = {
	.size = sizeof(struct sl_meter),
	.state_size = sizeof(struct cpu_model),
	.open = cpu_model_open,
	.close = cpu_model_close,
	.read = cpu_model_read,
};

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_METER,
	.name = "cpu_model",
	.summary = "an estimate of power from how busy the CPUs are",
	SL_OPTION_TABLE(cpu_model_options),
	.meter = &cpu_model_meter,
};
