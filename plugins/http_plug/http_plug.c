/* SPDX-License-Identifier: MIT */
/* http_plug: powers and energies that a device tells over HTTP: a Shelly plug
 * of the second generation, a management controller with Redfish. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fetch.h"
#include "sluice/meter.h"
#include "status.h"

#define J_A_WH 3600.0
/* A count is 10^-6 Wh; Shelly tells three decimals of a watt-hour. */
#define COUNT_EXPONENT (-6)
#define JOULES_A_COUNT (J_A_WH * 1e-6)
#define SHELLY_STEP_J (J_A_WH * 1e-3)
#define SHELLY_STEP_W 0.1
#define REDFISH_STEP_W 1.0
#define SHELLY_UPDATE_S 1.0
#define REDFISH_UPDATE_S 5.0

enum { TEXT_BYTES = 320 };

enum use { USE_POWER, USE_ENERGY };

enum members { MEMBERS_OVERLAP, MEMBERS_SEPARATE };

/** What a domain is. */
struct probe {
	bool is_energy;
	char member[NAME_BYTES]; /**< of Redfish */
};

struct http_plug {
	/* options */
	int kind, use, members, scope;
	const char *url, *chassis;
	int64_t id;
	const char *user, *password_file, *ca_file, *proxy;
	int64_t timeout, update, energy_update;
	double accuracy, max_power;

	struct fetch fetch;
	struct plug_status status; /**< of this round */
	struct probe probes[MEMBERS_MAX];
	size_t count;
};

static const char *const kinds[] = { "shelly", "redfish", NULL };
static const char *const uses[] = { "power", "energy", NULL };
static const char *const members_words[] = { "overlap", "separate", NULL };
static const char *const scopes[] = { "part", "platform", NULL };

static const struct sl_option http_plug_options[] = {
	{ .name = "kind",
	  .type = SL_ENUM,
	  .required = true,
	  .offset = offsetof(struct http_plug, kind),
	  .choices = kinds,
	  .help = "What answers: a Shelly device of generation 2 or later "
		  "(Switch.GetStatus), or a Redfish service (Chassis Power)." },
	{ .name = "url",
	  .type = SL_STRING,
	  .required = true,
	  .offset = offsetof(struct http_plug, url),
	  .help = "Where it is, without what is asked: http://192.168.1.20. "
		  "Neither user nor password belongs into it." },
	{ .name = "id",
	  .type = SL_INT,
	  .offset = offsetof(struct http_plug, id),
	  .default_text = "0",
	  .min = 0,
	  .max = 999,
	  .help = "shelly: which switch of the device." },
	{ .name = "chassis",
	  .type = SL_STRING,
	  .offset = offsetof(struct http_plug, chassis),
	  .default_text = "1",
	  .help = "redfish: which chassis; letters, digits, and . _ - ~ ." },
	{ .name = "user",
	  .type = SL_STRING,
	  .offset = offsetof(struct http_plug, user),
	  .default_text = "admin",
	  .help = "Who asks, if there is a password." },
	{ .name = "password_file",
	  .type = SL_PATH,
	  .offset = offsetof(struct http_plug, password_file),
	  .help = "A file whose first line is the password, and that nobody "
		  "else may read. It goes over the wire as a digest (shelly) "
		  "or within TLS (redfish)." },
	{ .name = "ca_file",
	  .type = SL_PATH,
	  .offset = offsetof(struct http_plug, ca_file),
	  .help = "Certificates that https is checked against, instead of the "
		  "system's." },
	{ .name = "proxy",
	  .type = SL_STRING,
	  .offset = offsetof(struct http_plug, proxy),
	  .help = "A proxy to go through. The environment's are not used." },
	{ .name = "timeout",
	  .type = SL_DURATION,
	  .offset = offsetof(struct http_plug, timeout),
	  .default_text = "2 s",
	  .min = 1000000,
	  .max = INT64_C(60000000000),
	  .help = "How long a reading may take." },
	{ .name = "update",
	  .type = SL_DURATION,
	  .offset = offsetof(struct http_plug, update),
	  .default_text = "0 s",
	  .min = 0,
	  .max = INT64_C(3600000000000),
	  .help = "How often the device renews a power; 0: 1 s for a shelly, "
		  "5 s for redfish." },
	{ .name = "energy_update",
	  .type = SL_DURATION,
	  .offset = offsetof(struct http_plug, energy_update),
	  .default_text = "60 s",
	  .min = 1000000,
	  .max = INT64_C(3600000000000),
	  .help = "shelly: how often it renews its energy." },
	{ .name = "use",
	  .type = SL_ENUM,
	  .offset = offsetof(struct http_plug, use),
	  .default_text = "power",
	  .choices = uses,
	  .help = "shelly: which of its two figures sums use: the power, good "
		  "for minutes, or the energy, good for hours." },
	{ .name = "members",
	  .type = SL_ENUM,
	  .offset = offsetof(struct http_plug, members),
	  .default_text = "overlap",
	  .choices = members_words,
	  .help = "redfish: whether the members of PowerControl may hold each "
		  "other, so that only one of them is added, or are known to "
		  "be separate." },
	{ .name = "accuracy",
	  .type = SL_FLOAT,
	  .offset = offsetof(struct http_plug, accuracy),
	  .default_text = "0.05",
	  .float_min = 0,
	  .float_max = 1,
	  .help = "Calibration: half of the 95 % interval, as a part of the "
		  "figure." },
	{ .name = "max_power",
	  .type = SL_FLOAT,
	  .offset = offsetof(struct http_plug, max_power),
	  .default_text = "100000.0",
	  .float_min = 1,
	  .float_max = 1e9,
	  .unit = "W",
	  .help = "What cannot flow: figures beyond it are refused." },
	{ .name = "scope",
	  .type = SL_ENUM,
	  .offset = offsetof(struct http_plug, scope),
	  .default_text = "platform",
	  .choices = scopes,
	  .help = "Whether the device measures a part of a machine, or all "
		  "that it draws." },
};

/* ---- asking ----------------------------------------------------------- */

static enum sl_code check_id(const struct http_plug *plug,
			     struct sl_error *error)
{
	const struct plug_field *id = &plug->status.id;
	uint64_t number;

	if (plug->kind != PLUG_SHELLY || !id->there || id->is_null ||
	    (sl_decimal_count(&id->value, 0, &number) &&
	     number == (uint64_t)plug->id))
		return SL_OK;
	return SL_FAIL(error, SL_EIO,
		       "byte %zu: it tells of another switch than %" PRId64,
		       id->byte, plug->id);
}

static enum sl_code http_plug_begin(void *state, struct sl_error *error)
{
	struct http_plug *plug = state;
	struct sl_error why = { .code = SL_OK };
	enum sl_code code = fetch_get(&plug->fetch, error);

	if (code != SL_OK)
		return code;
	code = plug_status_parse(&plug->status, (enum plug_kind)plug->kind,
				 plug->fetch.text, plug->fetch.used, &why);
	if (code == SL_OK)
		code = check_id(plug, &why);
	if (code != SL_OK)
		return SL_FAIL(error, code, "%s: %s", plug->fetch.where,
			       why.message);
	return SL_OK;
}

/* ---- opening ---------------------------------------------------------- */

static bool is_plain(const char *text)
{
	return *text && !text[strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
					   "abcdefghijklmnopqrstuvwxyz"
					   "0123456789._-~")];
}

static enum sl_code set_up(struct http_plug *plug, struct sl_error *error)
{
	char path[160];
	const struct fetch_settings settings = {
		.url = plug->url,
		.path = path,
		.user = plug->user,
		.password_file = plug->password_file,
		.ca_file = plug->ca_file,
		.proxy = plug->proxy,
		.timeout_ns = plug->timeout,
		.basic = plug->kind == PLUG_REDFISH,
	};

	if (plug->kind == PLUG_SHELLY)
		snprintf(path, sizeof(path),
			 "/rpc/Switch.GetStatus?id=%" PRId64, plug->id);
	else if (is_plain(plug->chassis) && strlen(plug->chassis) < 100)
		snprintf(path, sizeof(path), "/redfish/v1/Chassis/%s/Power",
			 plug->chassis);
	else
		return SL_FAIL(error, SL_EINVAL,
			       "chassis: letters, digits, and . _ - ~ are "
			       "allowed");
	return fetch_init(&plug->fetch, &settings, error);
}

/* What both kinds share. */
static struct sl_domain describe(const struct http_plug *plug, bool is_energy)
{
	bool is_shelly = plug->kind == PLUG_SHELLY;
	double update_s = is_shelly ? SHELLY_UPDATE_S : REDFISH_UPDATE_S;

	if (plug->update)
		update_s = (double)plug->update / 1e9;
	if (is_energy)
		update_s = (double)plug->energy_update / 1e9;
	return (struct sl_domain){
		.size = sizeof(struct sl_domain),
		.quality =
			is_energy ? SL_QUALITY_MEASURED : SL_QUALITY_INTEGRATED,
		.form = is_energy ? SL_FORM_COUNTER : SL_FORM_WATTS,
		.scope = plug->scope ? SL_SCOPE_PLATFORM : SL_SCOPE_PART,
		.unit_j = is_energy ? JOULES_A_COUNT : 0,
		.resolution_j = is_energy ? SHELLY_STEP_J : 0,
		.resolution_w = is_energy   ? 0
				: is_shelly ? SHELLY_STEP_W
					    : REDFISH_STEP_W,
		.update_s = update_s,
		.relative = plug->accuracy,
		.power_max_w = plug->max_power,
	};
}

static void add(struct http_plug *plug, struct sl_meter_host *host,
		struct sl_domain *domain, const struct plug_field *field,
		const struct probe *probe, const char *key)
{
	uint32_t number = sl_meter_add(host, domain);

	plug->probes[plug->count++] = *probe;
	if (!field->there)
		sl_meter_unusable(host, number, "the answer has no %s", key);
}

static void add_switch(struct http_plug *plug, struct sl_meter_host *host,
		       bool is_energy)
{
	struct sl_domain domain = describe(plug, is_energy);
	const struct probe probe = { .is_energy = is_energy };
	char id[TEXT_BYTES], label[TEXT_BYTES];

	snprintf(id, sizeof(id), "switch:%" PRId64 "/%s", plug->id,
		 is_energy ? "energy" : "power");
	snprintf(label, sizeof(label), "Shelly switch %" PRId64, plug->id);
	domain.id = id;
	domain.label = label;
	domain.overlap = plug->fetch.where;
	add(plug, host, &domain,
	    is_energy ? &plug->status.total_wh : &plug->status.apower, &probe,
	    is_energy ? "aenergy.total" : "apower");
}

static void add_member(struct http_plug *plug, struct sl_meter_host *host,
		       const struct plug_member *member)
{
	struct sl_domain domain = describe(plug, false);
	struct probe probe = { .is_energy = false };
	char id[TEXT_BYTES], label[TEXT_BYTES], overlap[TEXT_BYTES];

	memcpy(probe.member, member->id, sizeof(probe.member));
	snprintf(id, sizeof(id), "power:%s", member->id);
	snprintf(label, sizeof(label), "%s",
		 member->name[0] ? member->name : id);
	snprintf(overlap, sizeof(overlap), "%s %s", plug->fetch.where,
		 plug->members == MEMBERS_SEPARATE ? member->id : "");
	domain.id = id;
	domain.label = label;
	domain.overlap = overlap;
	add(plug, host, &domain, &member->watts, &probe, "PowerConsumedWatts");
}

static enum sl_code http_plug_open(void *state, struct sl_meter_host *host,
				   struct sl_error *error)
{
	struct http_plug *plug = state;
	const struct plug_status *status = &plug->status;
	enum sl_code code = set_up(plug, error);

	if (code == SL_OK)
		code = http_plug_begin(plug, error);
	if (code != SL_OK)
		return code;
	if (plug->kind == PLUG_SHELLY && !status->apower.there &&
	    !status->total_wh.there)
		return SL_FAIL(error, SL_EIO,
			       "%s: neither apower nor aenergy.total: this "
			       "switch measures nothing",
			       plug->fetch.where);
	if (plug->kind == PLUG_REDFISH && !status->member_count)
		return SL_FAIL(error, SL_EIO,
			       "%s: PowerControl is not there, or empty",
			       plug->fetch.where);
	if (plug->kind == PLUG_SHELLY) {
		add_switch(plug, host, plug->use == USE_ENERGY);
		add_switch(plug, host, plug->use != USE_ENERGY);
	}
	for (size_t at = 0; at < status->member_count; at++)
		add_member(plug, host, &status->members[at]);
	return SL_OK;
}

static void http_plug_close(void *state)
{
	struct http_plug *plug = state;

	fetch_finish(&plug->fetch);
}

/* ---- reading ---------------------------------------------------------- */

/* @return the member of that id in this answer, wherever it stands; NULL. */
static const struct plug_member *find_member(const struct plug_status *status,
					     const char *id)
{
	for (size_t at = 0; at < status->member_count; at++)
		if (strcmp(status->members[at].id, id) == 0)
			return &status->members[at];
	return NULL;
}

static enum sl_code need_number(const struct http_plug *plug,
				const struct plug_field *field, const char *key,
				struct sl_error *error)
{
	const char *where = plug->fetch.where;

	if (!field->there)
		return SL_FAIL(error, SL_EIO, "%s: the answer has no %s", where,
			       key);
	if (field->is_null)
		return SL_FAIL(error, SL_EIO, "%s: byte %zu: %s is null", where,
			       field->byte, key);
	if (field->value.negative && field->value.digits)
		return SL_FAIL(error, SL_EIO,
			       "%s: byte %zu: %s is negative: more flows back "
			       "than forth",
			       where, field->byte, key);
	return SL_OK;
}

static enum sl_code read_energy(const struct http_plug *plug,
				struct sl_sample *sample,
				struct sl_error *error)
{
	const struct plug_field *field = &plug->status.total_wh;
	enum sl_code code = need_number(plug, field, "aenergy.total", error);

	if (code == SL_OK &&
	    !sl_decimal_count(&field->value, COUNT_EXPONENT, &sample->count))
		code = SL_FAIL(error, SL_EIO,
			       "%s: byte %zu: an energy of %g Wh cannot be",
			       plug->fetch.where, field->byte,
			       sl_decimal_value(&field->value));
	return code;
}

static enum sl_code read_power(const struct http_plug *plug,
			       const struct plug_field *field, const char *key,
			       struct sl_sample *sample, struct sl_error *error)
{
	enum sl_code code = need_number(plug, field, key, error);

	if (code != SL_OK)
		return code;
	sample->watts = sl_decimal_value(&field->value);
	if (sample->watts > plug->max_power)
		return SL_FAIL(error, SL_EIO,
			       "%s: byte %zu: %s of %g W: more than max_power",
			       plug->fetch.where, field->byte, key,
			       sample->watts);
	return SL_OK;
}

static enum sl_code http_plug_read(void *state, uint32_t domain,
				   struct sl_sample *sample,
				   struct sl_error *error)
{
	const struct http_plug *plug = state;
	const struct probe *probe = &plug->probes[domain];
	const struct plug_member *member;

	if (probe->is_energy)
		return read_energy(plug, sample, error);
	if (plug->kind == PLUG_SHELLY)
		return read_power(plug, &plug->status.apower, "apower", sample,
				  error);
	member = find_member(&plug->status, probe->member);
	if (!member)
		return SL_FAIL(error, SL_EIO,
			       "%s: the answer has no member \"%s\"",
			       plug->fetch.where, probe->member);
	return read_power(plug, &member->watts, "PowerConsumedWatts", sample,
			  error);
}

static const struct sl_meter http_plug_meter = {
	.size = sizeof(struct sl_meter),
	.state_size = sizeof(struct http_plug),
	.open = http_plug_open,
	.close = http_plug_close,
	.begin = http_plug_begin,
	.read = http_plug_read,
};

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_METER,
	.name = "http_plug",
	.summary = "power that a plug or a Redfish service tells",
	SL_OPTION_TABLE(http_plug_options),
	.meter = &http_plug_meter,
};
