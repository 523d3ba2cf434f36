/* SPDX-License-Identifier: MIT */
/* What a meter says of its domains: copied, checked, put into the list. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "energy/energy_private.h"
#include "pipeline/instance.h"

struct sl_meter_host {
	struct sl_energy *energy;
	struct sl_energy_meter *meter;
	enum sl_code code; /**< of the first domain that was refused */
	struct sl_error error;
};

static const char *name_of(const struct sl_energy_meter *meter)
{
	return meter->name;
}

static void refuse(struct sl_meter_host *host, const char *id, const char *why)
{
	if (host->code != SL_OK)
		return;
	host->code = SL_FAIL(&host->error, SL_EPLUGIN, "domain \"%.64s\": %s",
			     id ? id : "", why);
}

static void no_memory(struct sl_meter_host *host)
{
	if (host->code == SL_OK)
		host->code = SL_FAIL(&host->error, SL_ENOMEM,
				     "no memory for the meters");
}

static bool is_share(double value)
{
	return isfinite(value) && value >= 0;
}

static bool counts(const struct sl_domain *domain)
{
	return domain->form == SL_FORM_COUNTER || domain->form == SL_FORM_STORE;
}

/* @return what is wrong, or NULL. */
static const char *judge(const struct sl_domain *domain)
{
	if (!domain->id || !domain->id[0])
		return "it has no id";
	if (domain->quality < SL_QUALITY_MEASURED ||
	    domain->quality > SL_QUALITY_MODEL)
		return "of no quality";
	if (domain->form < SL_FORM_COUNTER || domain->form > SL_FORM_MEAN_WATTS)
		return "of no form";
	if (domain->scope < SL_SCOPE_PART || domain->scope > SL_SCOPE_PLATFORM)
		return "of no scope";
	if (!is_share(domain->unit_j) || !is_share(domain->resolution_j) ||
	    !is_share(domain->resolution_w) || !is_share(domain->update_s) ||
	    !is_share(domain->relative) || !is_share(domain->noise_j) ||
	    !is_share(domain->power_max_w))
		return "a figure is negative or none";
	if (counts(domain) && domain->unit_j <= 0)
		return "counts without a unit";
	return NULL;
}

/* @return its index; SL_COVER_NO_PARENT: there is none. */
static size_t find(const struct sl_meter_host *host, const char *id)
{
	const struct sl_energy *energy = host->energy;

	for (size_t at = host->meter->first; at < energy->place_count; at++)
		if (strcmp(energy->places[at]->domain.id, id) == 0)
			return at;
	return SL_COVER_NO_PARENT;
}

/* @return a copy in the arena; NULL for NULL, or with a failure noted. */
static const char *keep(struct sl_meter_host *host, const char *text)
{
	char *copy;

	if (!text)
		return NULL;
	copy = sl_arena_text(&host->energy->arena, text, strlen(text));
	if (copy)
		sl_text_flatten(copy);
	else
		no_memory(host);
	return copy;
}

static struct sl_energy_place *add_place(struct sl_meter_host *host)
{
	struct sl_energy *energy = host->energy;
	struct sl_energy_place *place =
		sl_arena_alloc(&energy->arena, sizeof(*place));
	size_t capacity = energy->place_capacity;
	struct sl_energy_place **places = energy->places;

	if (place && energy->place_count == capacity) {
		capacity = capacity ? 2 * capacity : 16;
		places = realloc(places,
				 capacity * sizeof(struct sl_energy_place *));
	}
	if (!place || !places) {
		no_memory(host);
		return NULL;
	}
	energy->places = places;
	energy->place_capacity = capacity;
	place->meter = host->meter;
	place->meter_number = energy->meter_count;
	place->number = (uint32_t)host->meter->count;
	return place;
}

static void show(struct sl_energy_place *place)
{
	const struct sl_domain *domain = &place->domain;
	double resolution_j = domain->resolution_j;

	if (resolution_j <= 0 && counts(domain))
		resolution_j = domain->unit_j;
	place->seen = (struct sl_energy_domain){
		.size = sizeof(place->seen),
		.meter = place->meter->module.plugin.name,
		.id = domain->id,
		.label = domain->label,
		.parent = domain->parent,
		.overlap = domain->overlap,
		.quality = (enum sl_quality)domain->quality,
		.scope = (enum sl_scope)domain->scope,
		.resolution_j = resolution_j,
		.update_s = domain->update_s,
		.relative = domain->relative,
		.wrap_j = (double)domain->modulus * domain->unit_j,
		.usable = true,
	};
}

/* Whatever the plugin's version knows of a domain. */
static bool take(struct sl_meter_host *host, const struct sl_domain *theirs,
		 struct sl_domain *domain)
{
	const size_t least = offsetof(struct sl_domain, power_max_w);
	size_t size = theirs->size;

	*domain = (struct sl_domain){ 0 };
	if (size < least) {
		refuse(host, NULL, "it is too small");
		return false;
	}
	memcpy(domain, theirs, size < sizeof(*domain) ? size : sizeof(*domain));
	domain->size = sizeof(*domain);
	return true;
}

uint32_t sl_meter_add(struct sl_meter_host *host,
		      const struct sl_domain *theirs)
{
	uint32_t number = (uint32_t)host->meter->count;
	struct sl_energy_place *place;
	struct sl_domain domain;
	const char *wrong;

	if (!take(host, theirs, &domain))
		return number;
	wrong = judge(&domain);
	if (!wrong && find(host, domain.id) != SL_COVER_NO_PARENT)
		wrong = "it is there twice";
	if (!wrong && domain.parent &&
	    find(host, domain.parent) == SL_COVER_NO_PARENT)
		wrong = "its parent is not there";
	if (wrong) {
		refuse(host, domain.id, wrong);
		return number;
	}
	place = add_place(host);
	if (!place)
		return number;
	place->parent =
		domain.parent ? find(host, domain.parent) : SL_COVER_NO_PARENT;
	domain.label = keep(host, domain.label ? domain.label : domain.id);
	domain.id = keep(host, domain.id);
	domain.parent = keep(host, domain.parent);
	domain.overlap = keep(host, domain.overlap);
	if (host->code == SL_ENOMEM)
		return number;
	place->domain = domain;
	show(place);
	sl_track_init(&place->track, &domain);
	host->energy->places[host->energy->place_count++] = place;
	host->meter->count++;
	return number;
}

void sl_meter_unusable(struct sl_meter_host *host, uint32_t domain,
		       const char *fmt, ...)
{
	struct sl_energy_place *place;
	char text[SL_REASON_BYTES];
	va_list args;

	if (domain >= host->meter->count)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	place = host->energy->places[host->meter->first + domain];
	place->seen.usable = false;
	place->seen.unusable = keep(host, text);
}

/* The meter's own words, behind its name. */
static enum sl_code say(const struct sl_energy_meter *meter, enum sl_code code,
			const struct sl_error *why, struct sl_error *error)
{
	return SL_FAIL(error, code, "meter \"%s\": %s", name_of(meter),
		       why->message);
}

enum sl_code sl_energy_adopt(struct sl_energy *energy,
			     const struct sl_module *module, const char *name,
			     void *state, struct sl_error *error)
{
	struct sl_energy_meter *meter =
		sl_arena_alloc(&energy->arena, sizeof(*meter));
	struct sl_meter_host host = { .energy = energy, .meter = meter };
	struct sl_error why = { .code = SL_OK };
	enum sl_code code;

	if (!meter)
		return SL_FAIL(error, SL_ENOMEM, "no memory for the meters");
	meter->module = *module;
	meter->name = name ? name : module->plugin.name;
	meter->state = state;
	meter->first = energy->place_count;
	code = module->meter.open(state, &host, &why);
	if (code != SL_OK) {
		sl_error_complete(&why, code);
	} else if (host.code != SL_OK) {
		code = host.code;
		why = host.error;
	} else if (meter->count == 0) {
		code = SL_FAIL(&why, SL_EIO, "nothing to measure");
	}
	if (code == SL_OK) {
		*energy->meters_end = meter;
		energy->meters_end = &meter->next;
		energy->meter_count++;
		return SL_OK;
	}
	if (module->meter.close)
		module->meter.close(state);
	energy->place_count = meter->first;
	return say(meter, code == SL_END ? SL_EIO : code, &why, error);
}

static void fill_items(const struct sl_energy *energy,
		       struct sl_cover_item *items)
{
	for (size_t at = 0; at < energy->place_count; at++) {
		const struct sl_energy_place *place = energy->places[at];

		items[at] = (struct sl_cover_item){
			.meter = place->meter_number,
			.id = place->domain.id,
			.overlap = place->domain.overlap,
			.parent = place->parent,
			.quality = place->seen.quality,
			.scope = place->seen.scope,
			.usable = place->seen.usable,
		};
	}
}

/* @return false: no memory. */
static bool take_answer(struct sl_energy *energy, size_t at,
			const struct sl_cover_item *item)
{
	struct sl_energy_domain *seen = &energy->places[at]->seen;

	seen->in_sum = item->chosen;
	seen->aside = NULL;
	if (!item->chosen) {
		seen->aside = sl_arena_text(&energy->arena, item->aside,
					    strlen(item->aside));
		if (!seen->aside)
			return false;
	}
	if (!item->missing)
		return true;
	energy->missing = sl_arena_printf(
		&energy->arena, "%s%s %s (%s)",
		energy->missing ? energy->missing : "missing from the sum:",
		energy->missing ? "," : "", seen->id, seen->unusable);
	return energy->missing;
}

enum sl_code sl_energy_choose(struct sl_energy *energy, struct sl_error *error)
{
	struct sl_cover_item *items =
		calloc(energy->place_count + 1, sizeof(*items));
	bool kept = items;

	if (items) {
		fill_items(energy, items);
		sl_cover_choose(items, energy->place_count);
	}
	energy->missing = NULL;
	for (size_t at = 0; kept && at < energy->place_count; at++)
		kept = take_answer(energy, at, &items[at]);
	free(items);
	return kept ? SL_OK
		    : SL_FAIL(error, SL_ENOMEM, "no memory for the meters");
}
