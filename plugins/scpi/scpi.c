/* SPDX-License-Identifier: MIT */
/* scpi: a power meter of Yokogawa's WT series, over TCP, a serial line or
 * USBTMC. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "instrument.h"
#include "sluice/meter.h"

#define J_A_WH 3600.0
/* A count is 10^-9 Wh, so that every figure is a whole number of them. */
#define COUNT_EXPONENT (-9)
#define JOULES_A_COUNT (J_A_WH * 1e-9)

enum { TEXT_BYTES = 192 };

enum use { USE_ENERGY, USE_POWER };

/** What a domain is. */
struct probe {
	size_t element; /**< index in the list of elements */
	bool is_energy;
	uint64_t base; /**< counts that an integration begun anew already had
			    when that was noticed */
	uint64_t last;
};

struct scpi {
	/* options */
	const char *address, *device;
	struct sl_list element;
	int use, integration, scope;
	bool reset;
	int64_t timeout;
	double resolution, accuracy, max_power;

	struct instrument instrument;
	bool ready; /**< the instrument is to be left */
	double resolution_j; /**< as the domains were told */
	struct probe probes[2 * ELEMENTS_MAX];
	size_t count;
};

static const char *const uses[] = { "energy", "power", NULL };
static const char *const integrations[] = { "start", "keep", "none", NULL };
static const char *const scopes[] = { "part", "platform", NULL };

static const struct sl_option scpi_options[] = {
	{ .name = "address",
	  .type = SL_STRING,
	  .offset = offsetof(struct scpi, address),
	  .help = "Where the instrument, or what its serial line is plugged "
		  "into, listens: HOST:PORT." },
	{ .name = "device",
	  .type = SL_PATH,
	  .offset = offsetof(struct scpi, device),
	  .help = "Instead of an address: a serial port, whose speed must be "
		  "set already, or /dev/usbtmc0." },
	{ .name = "element",
	  .type = SL_LIST,
	  .element = SL_INT,
	  .offset = offsetof(struct scpi, element),
	  .min = 1,
	  .max = 7,
	  .help = "Inputs of the instrument that are read. Without this the "
		  "first." },
	{ .name = "use",
	  .type = SL_ENUM,
	  .offset = offsetof(struct scpi, use),
	  .default_text = "energy",
	  .choices = uses,
	  .help = "Which of an input's two figures sums use: the energy that "
		  "the instrument integrates, or the power." },
	{ .name = "integration",
	  .type = SL_ENUM,
	  .offset = offsetof(struct scpi, integration),
	  .default_text = "start",
	  .choices = integrations,
	  .help = "start: use the integration that runs, and start one that "
		  "stands at 0, to stop and reset it at the end; keep: use "
		  "one that runs and never touch it; none: powers only." },
	{ .name = "reset",
	  .type = SL_BOOL,
	  .offset = offsetof(struct scpi, reset),
	  .default_text = "false",
	  .help = "Whether an integration that runs, or holds a sum, may be "
		  "reset to start a new one." },
	{ .name = "timeout",
	  .type = SL_DURATION,
	  .offset = offsetof(struct scpi, timeout),
	  .default_text = "1 s",
	  .min = 1000000,
	  .max = INT64_C(60000000000),
	  .help = "How long a reading may take; when the meter is opened, how "
		  "long each answer may." },
	{ .name = "resolution",
	  .type = SL_FLOAT,
	  .offset = offsetof(struct scpi, resolution),
	  .default_text = "3.6",
	  .float_min = 0,
	  .float_max = 1e9,
	  .unit = "J",
	  .help = "The coarsest step of the energy that is accepted: the "
		  "instrument shows a fixed number of digits, so steps grow "
		  "with the sum." },
	{ .name = "accuracy",
	  .type = SL_FLOAT,
	  .offset = offsetof(struct scpi, accuracy),
	  .default_text = "0.005",
	  .float_min = 0,
	  .float_max = 1,
	  .help = "Calibration: half of the 95 % interval, as a part of the "
		  "figure." },
	{ .name = "max_power",
	  .type = SL_FLOAT,
	  .offset = offsetof(struct scpi, max_power),
	  .default_text = "25000.0",
	  .float_min = 1,
	  .float_max = 1e9,
	  .unit = "W",
	  .help = "What cannot flow: figures beyond it are refused." },
	{ .name = "scope",
	  .type = SL_ENUM,
	  .offset = offsetof(struct scpi, scope),
	  .default_text = "platform",
	  .choices = scopes,
	  .help = "Whether the inputs measure parts of a machine, or all that "
		  "it draws." },
};

/* ---- opening ---------------------------------------------------------- */

/* "WT310" of "YOKOGAWA,WT310,C2QA12345E,F1.01". */
static void model_of(const struct scpi *scpi, char model[32])
{
	const char *identity = scpi->instrument.identity;
	const char *second = strchr(identity, ',') + 1;

	snprintf(model, 32, "%.*s", (int)strcspn(second, ","), second);
}

/* What the last digit of the sum is worth now. */
static double step_j(const struct figure *figure)
{
	const struct sl_decimal digit = { 1, figure->value.exponent, false };

	return figure->kind == FIGURE_NUMBER ? sl_decimal_value(&digit) * J_A_WH
					     : 0;
}

static struct sl_domain describe(const struct scpi *scpi, bool is_energy)
{
	return (struct sl_domain){
		.size = sizeof(struct sl_domain),
		.quality =
			is_energy ? SL_QUALITY_MEASURED : SL_QUALITY_INTEGRATED,
		.form = is_energy ? SL_FORM_COUNTER : SL_FORM_WATTS,
		.scope = scpi->scope ? SL_SCOPE_PLATFORM : SL_SCOPE_PART,
		.unit_j = is_energy ? JOULES_A_COUNT : 0,
		.resolution_j = is_energy ? scpi->resolution_j : 0,
		.update_s = scpi->instrument.update_s,
		.relative = scpi->accuracy,
		.power_max_w = scpi->max_power,
	};
}

static void say_unusable(const struct scpi *scpi, struct sl_meter_host *host,
			 uint32_t number)
{
	enum integration state = scpi->instrument.state;

	if (state == INTEGRATION_START)
		return;
	if (state == INTEGRATION_RESET)
		sl_meter_unusable(host, number,
				  "no integration runs (RESET): start one, or "
				  "let integration = \"start\" do it");
	else if (state == INTEGRATION_READY)
		sl_meter_unusable(host, number,
				  "the integration waits for its time (READY)");
	else
		sl_meter_unusable(host, number,
				  "the integration ended (%s) and holds its "
				  "sum: reset = true gives that up",
				  integration_word(state));
}

static void add(struct scpi *scpi, struct sl_meter_host *host, size_t at,
		bool is_energy)
{
	unsigned element = scpi->instrument.elements[at];
	struct sl_domain domain = describe(scpi, is_energy);
	char id[TEXT_BYTES], label[TEXT_BYTES], overlap[TEXT_BYTES];
	char model[32];
	uint32_t number;

	if (is_energy && scpi->integration == INTEGRATE_NONE)
		return;
	model_of(scpi, model);
	snprintf(id, sizeof(id), "element%u/%s", element,
		 is_energy ? "energy" : "power");
	snprintf(label, sizeof(label), "%s element %u", model, element);
	snprintf(overlap, sizeof(overlap), "%s %u", scpi->instrument.link.name,
		 element);
	domain.id = id;
	domain.label = label;
	domain.overlap = overlap;
	number = sl_meter_add(host, &domain);
	scpi->probes[scpi->count++] =
		(struct probe){ .element = at, .is_energy = is_energy };
	if (is_energy)
		say_unusable(scpi, host, number);
}

static enum sl_code take_elements(struct scpi *scpi, struct sl_error *error)
{
	struct instrument *instrument = &scpi->instrument;

	instrument->elements[0] = 1;
	instrument->element_count =
		scpi->element.count ? scpi->element.count : 1;
	if (scpi->element.count > ELEMENTS_MAX)
		return SL_FAIL(error, SL_EINVAL,
			       "%zu elements, %d are possible",
			       scpi->element.count, ELEMENTS_MAX);
	for (size_t at = 0; at < scpi->element.count; at++)
		instrument->elements[at] =
			(unsigned)scpi->element.values[at].integer;
	for (size_t at = 1; at < instrument->element_count; at++)
		for (size_t other = 0; other < at; other++)
			if (instrument->elements[at] ==
			    instrument->elements[other])
				return SL_FAIL(error, SL_EINVAL,
					       "element %u is there twice",
					       instrument->elements[at]);
	return SL_OK;
}

static enum sl_code scpi_open(void *state, struct sl_meter_host *host,
			      struct sl_error *error)
{
	struct scpi *scpi = state;
	struct instrument *instrument = &scpi->instrument;
	enum sl_code code;

	if (!scpi->address == !scpi->device)
		return SL_FAIL(error, SL_EINVAL,
			       "give an address or a device%s",
			       scpi->address ? ", not both" : "");
	instrument->integrate = (enum integrate)scpi->integration;
	instrument->reset = scpi->reset;
	instrument->timeout_ns = scpi->timeout;
	code = take_elements(scpi, error);
	if (code != SL_OK)
		return code;
	code = link_init(&instrument->link, scpi->address, scpi->device, error);
	scpi->ready = code == SL_OK;
	if (code == SL_OK)
		code = instrument_enter(instrument, error);
	if (code == SL_OK)
		code = instrument_round(instrument, error);
	if (code != SL_OK)
		return code;
	scpi->resolution_j = scpi->resolution;
	for (size_t at = 0; at < instrument->element_count; at++)
		scpi->resolution_j =
			fmax(scpi->resolution_j,
			     step_j(instrument_energy(instrument, at)));
	for (size_t at = 0; at < instrument->element_count; at++) {
		add(scpi, host, at, scpi->use == USE_ENERGY);
		add(scpi, host, at, scpi->use != USE_ENERGY);
	}
	return SL_OK;
}

static void scpi_close(void *state)
{
	struct scpi *scpi = state;

	if (scpi->ready)
		instrument_leave(&scpi->instrument);
}

/* ---- reading ---------------------------------------------------------- */

static enum sl_code scpi_begin(void *state, struct sl_error *error)
{
	struct scpi *scpi = state;
	enum sl_code code = instrument_round(&scpi->instrument, error);

	if (code != SL_OK || !scpi->instrument.restarted)
		return code;
	/* The core sees a reset by the fall of a count. Where the new sum has
	 * passed the old one it is counted from here. */
	for (size_t at = 0; at < scpi->count; at++)
		scpi->probes[at].base = UINT64_MAX;
	return SL_OK;
}

static enum sl_code need_number(const struct figure *figure, const char *what,
				struct sl_error *error)
{
	if (figure->kind == FIGURE_NONE)
		return SL_FAIL(error, SL_EIO,
			       "the instrument has no figure of the %s (NAN)",
			       what);
	if (figure->kind == FIGURE_OVER)
		return SL_FAIL(error, SL_EIO,
			       "the %s is over the instrument's range (INF)",
			       what);
	if (figure->value.negative && figure->value.digits)
		return SL_FAIL(error, SL_EIO,
			       "the %s is negative: more flows back than forth",
			       what);
	return SL_OK;
}

static enum sl_code read_energy(struct scpi *scpi, struct probe *probe,
				struct sl_sample *sample,
				struct sl_error *error)
{
	const struct figure *figure =
		instrument_energy(&scpi->instrument, probe->element);
	uint64_t count;
	enum sl_code code;

	if (scpi->instrument.state != INTEGRATION_START)
		return SL_FAIL(error, SL_EIO,
			       "the integration does not run (%s)",
			       integration_word(scpi->instrument.state));
	code = need_number(figure, "energy", error);
	if (code != SL_OK)
		return code;
	if (!sl_decimal_count(&figure->value, COUNT_EXPONENT, &count))
		return SL_FAIL(error, SL_EIO, "an energy of %g Wh cannot be",
			       sl_decimal_value(&figure->value));
	if (count && step_j(figure) > scpi->resolution_j * (1 + 1e-9))
		return SL_FAIL(error, SL_EIO,
			       "the sum has grown to steps of %g J, and %g J "
			       "were stated: reset it, or give a resolution",
			       step_j(figure), scpi->resolution_j);
	if (probe->base == UINT64_MAX)
		probe->base = count >= probe->last ? count : 0;
	probe->last = count;
	sample->count = count >= probe->base ? count - probe->base : 0;
	return SL_OK;
}

static enum sl_code scpi_read(void *state, uint32_t domain,
			      struct sl_sample *sample, struct sl_error *error)
{
	struct scpi *scpi = state;
	struct probe *probe = &scpi->probes[domain];
	const struct figure *figure;
	enum sl_code code;

	if (probe->is_energy)
		return read_energy(scpi, probe, sample, error);
	figure = instrument_power(&scpi->instrument, probe->element);
	code = need_number(figure, "power", error);
	sample->watts = sl_decimal_value(&figure->value);
	return code;
}

static const struct sl_meter scpi_meter = {
	.size = sizeof(struct sl_meter),
	.state_size = sizeof(struct scpi),
	.open = scpi_open,
	.close = scpi_close,
	.begin = scpi_begin,
	.read = scpi_read,
};

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_METER,
	.name = "scpi",
	.summary = "power meters of Yokogawa's WT series",
	SL_OPTION_TABLE(scpi_options),
	.meter = &scpi_meter,
};
