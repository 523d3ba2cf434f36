/* SPDX-License-Identifier: MIT */
#include "domains.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

enum sl_code domains_add(struct http_plug *plug, struct sl_meter_host *host,
			 struct sl_error *error)
{
	const struct plug_status *status = &plug->status;

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

enum sl_code domains_read(void *state, uint32_t domain,
			  struct sl_sample *sample, struct sl_error *error)
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
