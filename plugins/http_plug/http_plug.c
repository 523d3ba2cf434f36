/* SPDX-License-Identifier: MIT */
/* http_plug: powers and energies that a device tells over HTTP: a Shelly plug
 * of the second generation, a management controller with Redfish. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "domains.h"

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

static enum sl_code http_plug_open(void *state, struct sl_meter_host *host,
				   struct sl_error *error)
{
	struct http_plug *plug = state;
	enum sl_code code = set_up(plug, error);

	if (code == SL_OK)
		code = http_plug_begin(plug, error);
	if (code != SL_OK)
		return code;
	return domains_add(plug, host, error);
}

static void http_plug_close(void *state)
{
	struct http_plug *plug = state;

	fetch_finish(&plug->fetch);
}

static const struct sl_meter http_plug_meter = {
	.size = sizeof(struct sl_meter),
	.state_size = sizeof(struct http_plug),
	.open = http_plug_open,
	.close = http_plug_close,
	.begin = http_plug_begin,
	.read = domains_read,
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
