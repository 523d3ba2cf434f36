/* SPDX-License-Identifier: MIT */
/* Opening meters: from "rapl:root=/tmp/tree" to a list of domains. */
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "base/text.h"
#include "energy/energy_private.h"

static enum sl_code no_memory(struct sl_error *error)
{
	return SL_FAIL(error, SL_ENOMEM, "no memory for the meters");
}

enum sl_code sl_energy_create(struct sl_energy **energy,
			      const char *plugin_path, struct sl_error *error)
{
	const char *environment = getenv("SLUICE_PLUGIN_PATH");
	struct sl_energy *made = calloc(1, sizeof(*made));
	enum sl_code code = SL_OK;

	*energy = NULL;
	if (!made)
		return no_memory(error);
	made->meters_end = &made->meters;
	made->clock = sl_clock_system();
	pthread_mutex_init(&made->lock, NULL);
	if (environment)
		code = sl_search_path_add(&made->search, environment, error);
	if (code == SL_OK && plugin_path)
		code = sl_search_path_add(&made->search, plugin_path, error);
	if (code == SL_OK)
		code = sl_search_path_add_default(&made->search, error);
	if (code == SL_OK)
		*energy = made;
	else
		sl_energy_destroy(made);
	return code;
}

void sl_energy_destroy(struct sl_energy *energy)
{
	if (!energy)
		return;
	sl_energy_stop(energy);
	for (struct sl_energy_meter *meter = energy->meters; meter;
	     meter = meter->next) {
		if (meter->module.meter.close)
			meter->module.meter.close(meter->state);
		sl_module_unload(&meter->module);
		free(meter->state);
	}
	sl_search_path_finish(&energy->search);
	free(energy->places);
	pthread_mutex_destroy(&energy->lock);
	sl_arena_finish(&energy->arena);
	free(energy);
}

size_t sl_energy_domain_count(const struct sl_energy *energy)
{
	return energy->place_count;
}

const struct sl_energy_domain *sl_energy_domain(const struct sl_energy *energy,
						size_t at)
{
	return at < energy->place_count ? &energy->places[at]->seen : NULL;
}

/* ---- "NAME:OPTION=VALUE,OPTION=VALUE" --------------------------------- */

/** What was written, taken apart. */
struct order {
	char *name; /**< in the arena */
	struct sl_override *options; /**< in the arena */
	size_t count;
};

/* Cut the text at the next comma that stands in no quotes and no parentheses.
 * @return what follows; NULL: nothing. */
static char *cut_option(char *text)
{
	bool quoted = false;
	int depth = 0;

	for (; *text && (quoted || depth > 0 || *text != ','); text++) {
		if (*text == '"')
			quoted = !quoted;
		else if (!quoted)
			depth += (*text == '(') - (*text == ')');
	}
	if (!*text)
		return NULL;
	*text = '\0';
	return text + 1;
}

static enum sl_code take_apart(struct sl_energy *energy, const char *text,
			       struct order *order, struct sl_error *error)
{
	size_t length = strlen(text);
	char *rest;

	order->name = sl_arena_text(&energy->arena, text, length);
	order->options = sl_arena_alloc(&energy->arena,
					(length + 1) * sizeof(*order->options));
	if (!order->name || !order->options)
		return no_memory(error);
	rest = strchr(order->name, ':');
	if (rest)
		*rest++ = '\0';
	while (rest && *rest) {
		char *option = rest, *value;

		rest = cut_option(option);
		value = strchr(option, '=');
		if (!value)
			return SL_FAIL(error, SL_EINVAL,
				       "meter \"%.64s\": \"%.64s\" is no "
				       "OPTION=VALUE",
				       order->name, option);
		*value++ = '\0';
		order->options[order->count++] = (struct sl_override){
			.instance = order->name,
			.option = option,
			.value = value,
		};
	}
	return SL_OK;
}

/* All that is wrong, as far as it fits into one message. */
static enum sl_code problems_as_error(const struct sl_problems *problems,
				      struct sl_error *error)
{
	char text[sizeof(error->message)] = "";
	size_t used = 0;

	if (problems->incomplete)
		return no_memory(error);
	if (!problems->count)
		return SL_OK;
	for (size_t at = 0; at < problems->count; at++) {
		const char *row = problems->rows[at].text;
		size_t length = strlen(row);

		if (used + length + 3 > sizeof(text))
			break;
		if (used) {
			memcpy(text + used, "; ", 2);
			used += 2;
		}
		memcpy(text + used, row, length + 1);
		used += length;
	}
	return SL_FAIL(error, SL_EINVAL, "%s",
		       used ? text : problems->rows[0].text);
}

/* The names of interfaces belong to a pipeline. */
static enum sl_code refuse_interfaces(const struct sl_module *module,
				      const struct sl_option_table *table,
				      struct sl_error *error)
{
	for (size_t at = 0; at < table->count; at++) {
		struct sl_option row = sl_option_row(table, at);

		if (row.type == SL_INTERFACE || row.element == SL_INTERFACE ||
		    row.inner == SL_INTERFACE)
			return SL_FAIL(error, SL_EPLUGIN,
				       "%s: option \"%s\": a meter knows no "
				       "interfaces",
				       sl_path_tail(module->path), row.name);
	}
	return SL_OK;
}

static enum sl_code read_options(struct sl_energy *energy,
				 const struct sl_module *module,
				 const struct order *order, void *state,
				 struct sl_error *error)
{
	static const char *const nothing[] = { NULL };
	const struct sl_option_table table = {
		module->plugin.options,
		module->plugin.option_count,
		module->plugin.option_size,
	};
	struct sl_problems problems = { 0 };
	const struct sl_option_reader reader = {
		.who = sl_arena_printf(&energy->arena, "meter \"%s\"",
				       order->name),
		.file = "",
		.folder = "",
		.reserved = nothing,
		.arena = &energy->arena,
		.problems = &problems,
	};
	enum sl_code code;

	if (!reader.who)
		return no_memory(error);
	code = refuse_interfaces(module, &table, error);
	if (code != SL_OK)
		return code;
	sl_options_read(&table, NULL, order->options, order->count, order->name,
			NULL, &reader, state);
	code = problems_as_error(&problems, error);
	sl_problems_finish(&problems);
	return code;
}

static enum sl_code open_loaded(struct sl_energy *energy,
				const struct sl_module *module,
				const struct order *order,
				struct sl_error *error)
{
	size_t size = module->meter.state_size;
	void *state = calloc(1, size ? size : 1);
	enum sl_code code;

	if (!state)
		return no_memory(error);
	code = read_options(energy, module, order, state, error);
	if (code == SL_OK)
		code = sl_energy_adopt(energy, module, NULL, state, error);
	if (code != SL_OK)
		free(state);
	return code;
}

enum sl_code sl_energy_open(struct sl_energy *energy, const char *meter,
			    struct sl_error *error)
{
	struct sl_error unread = { .code = SL_OK };
	struct sl_module module;
	struct order order = { 0 };
	enum sl_code code;
	char *path;

	if (!error)
		error = &unread;
	code = take_apart(energy, meter, &order, error);
	if (code != SL_OK)
		return code;
	path = sl_search_path_find(&energy->search, order.name, error);
	if (!path)
		return error->code;
	code = sl_module_load(&module, path, SL_METER, error);
	free(path);
	if (code != SL_OK)
		return code;
	if (module.plugin.kind != SL_METER)
		code = SL_FAIL(error, SL_EPLUGIN, "plugin \"%s\" is no meter",
			       order.name);
	if (code == SL_OK)
		code = open_loaded(energy, &module, &order, error);
	if (code != SL_OK) {
		sl_module_unload(&module);
		return code;
	}
	return sl_energy_choose(energy, error);
}
