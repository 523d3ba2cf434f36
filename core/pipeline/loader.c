/* SPDX-License-Identifier: MIT */
/* Loading a plugin, and the checks of what it says of itself: an author's slip
 * costs a message at the start, not a crash under load. */
#include "pipeline/loader.h"

#include <dlfcn.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"

/** What the checks need of the structure that a kind demands. */
struct part {
	const char *kind; /**< the word for messages, "stage" */
	const void *theirs; /**< in the plugin */
	void *ours; /**< in the module */
	size_t our_size; /**< bytes */
	size_t needed; /**< bytes that even the oldest plugin has */
	const size_t *state_size; /**< in `ours` */
};

/* Every structure of a plugin begins with its size. */
static void copy_known_part(void *ours, size_t our_size, const void *theirs,
			    size_t their_size)
{
	memset(ours, 0, our_size);
	memcpy(ours, theirs, their_size < our_size ? their_size : our_size);
}

static bool is_name(const char *name)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_-";

	return name && name[0] && name[strspn(name, allowed)] == '\0';
}

static enum sl_code check_name(const struct sl_module *module,
			       struct sl_error *error)
{
	const char *name = module->plugin.name;

	if (is_name(name) && !module->plugin.summary)
		return SL_FAIL(error, SL_EPLUGIN, "%s: it has no summary",
			       sl_path_tail(module->path));
	if (is_name(name))
		return SL_OK;
	return SL_FAIL(error, SL_EPLUGIN,
		       "%s: its name \"%s\" is no plugin's name; letters, "
		       "digits, '_' and '-' are",
		       sl_path_tail(module->path), name ? name : "");
}

/** Find the part that the plugin's kind demands. */
static enum sl_code find_part(struct sl_module *module, struct part *part,
			      struct sl_error *error)
{
	const struct sl_plugin *plugin = &module->plugin;

	switch (plugin->kind) {
	case SL_SOURCE:
		*part = (struct part){
			"source",
			plugin->source,
			&module->source,
			sizeof(module->source),
			offsetof(struct sl_source, commit),
			&module->source.state_size,
		};
		return SL_OK;
	case SL_STAGE:
		*part = (struct part){
			"stage",
			plugin->stage,
			&module->stage,
			sizeof(module->stage),
			offsetof(struct sl_stage, flush),
			&module->stage.state_size,
		};
		return SL_OK;
	case SL_SINK:
		*part = (struct part){
			"sink",
			plugin->sink,
			&module->sink,
			sizeof(module->sink),
			offsetof(struct sl_sink, end),
			&module->sink.state_size,
		};
		return SL_OK;
	case SL_METER:
		*part = (struct part){
			"meter",
			plugin->meter,
			&module->meter,
			sizeof(module->meter),
			sizeof(module->meter),
			&module->meter.state_size,
		};
		return SL_OK;
	default:
		return SL_FAIL(error, SL_EPLUGIN, "%s: of the unknown kind %u",
			       sl_path_tail(module->path),
			       (unsigned)plugin->kind);
	}
}

static enum sl_code copy_part(struct sl_module *module, const struct part *part,
			      struct sl_error *error)
{
	size_t size;

	if (!part->theirs)
		return SL_FAIL(error, SL_EPLUGIN,
			       "%s: says that it is a %s, but its field "
			       "\"%s\" is NULL",
			       sl_path_tail(module->path), part->kind,
			       part->kind);
	memcpy(&size, part->theirs, sizeof(size));
	if (size < part->needed || size % alignof(size_t) != 0)
		return SL_FAIL(error, SL_EPLUGIN,
			       "%s: its struct sl_%s says that it has %zu "
			       "bytes, which no version has",
			       sl_path_tail(module->path), part->kind, size);
	copy_known_part(part->ours, part->our_size, part->theirs, size);
	module->plugin.source = NULL;
	module->plugin.stage = NULL;
	module->plugin.sink = NULL;
	module->plugin.meter = NULL;
	return SL_OK;
}

static enum sl_code check_steps(const struct sl_module *module,
				struct sl_error *error)
{
	const struct sl_stage *stage = &module->stage;
	const struct sl_source *source = &module->source;

	if (stage->process &&
	    (stage->prepare || stage->commit || stage->finish))
		return SL_FAIL(error, SL_EPLUGIN,
			       "%s: a stage has either \"process\" or the "
			       "three steps, this one has both",
			       sl_path_tail(module->path));
	if (module->plugin.kind == SL_STAGE && !stage->process &&
	    !stage->prepare && !stage->commit && !stage->finish &&
	    !stage->flush)
		return SL_FAIL(error, SL_EPLUGIN, "%s: a stage without a step",
			       sl_path_tail(module->path));
	if (module->plugin.kind == SL_SOURCE &&
	    (!source->cut || !source->parse))
		return SL_FAIL(error, SL_EPLUGIN,
			       "%s: a source has \"cut\" and \"parse\", this "
			       "one lacks one",
			       sl_path_tail(module->path));
	if (module->plugin.kind == SL_METER &&
	    (!module->meter.open || !module->meter.read))
		return SL_FAIL(error, SL_EPLUGIN,
			       "%s: a meter has \"open\" and \"read\", this "
			       "one lacks one",
			       sl_path_tail(module->path));
	return SL_OK;
}

/** Take over what the plugin says of itself, and check it. */
static enum sl_code take_plugin(struct sl_module *module,
				const struct sl_plugin *theirs,
				struct sl_error *error)
{
	struct part part = { 0 };
	enum sl_code code;

	copy_known_part(&module->plugin, sizeof(module->plugin), theirs,
			theirs->size);
	code = check_name(module, error);
	if (code == SL_OK)
		code = find_part(module, &part, error);
	if (code == SL_OK)
		code = copy_part(module, &part, error);
	if (code == SL_OK)
		code = check_steps(module, error);
	if (code == SL_OK)
		code = sl_module_check_options(module, *part.state_size, error);
	return code;
}

/** What dlerror() says, without the path that it may begin with. */
static const char *loading_error(const char *path)
{
	const char *text = dlerror();
	size_t length = strlen(path);

	if (!text)
		return "cannot be loaded";
	if (strncmp(text, path, length) == 0 &&
	    strncmp(text + length, ": ", 2) == 0)
		text += length + 2;
	return text;
}

/* dlopen() would look for a name without a slash in the system's folders. */
static enum sl_code open_library(struct sl_module *module,
				 struct sl_error *error)
{
	const char *here = strchr(module->path, '/') ? "" : "./";
	size_t size = strlen(here) + strlen(module->path) + 1;
	char *path = malloc(size);
	enum sl_code code = SL_OK;

	if (!path)
		return SL_FAIL(error, SL_ENOMEM, "out of memory");
	snprintf(path, size, "%s%s", here, module->path);
	module->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!module->handle)
		code = SL_FAIL(error, SL_EPLUGIN, "%s: %s",
			       sl_path_tail(module->path), loading_error(path));
	free(path);
	return code;
}

/* What a plugin must have at least to stand in more than one role. */
#define WITH_ALSO \
	(offsetof(struct sl_plugin, also) + sizeof(const struct sl_plugin *))

/* A chain longer than there are kinds is a mistake, perhaps a ring. */
static const struct sl_plugin *choose_role(const struct sl_plugin *first,
					   uint32_t kind)
{
	const struct sl_plugin *plugin = first;

	for (int left = SL_METER; left && plugin; left--) {
		if (plugin->size < WITH_ALSO)
			break;
		if (plugin->kind == kind)
			return plugin;
		plugin = plugin->also;
	}
	return first;
}

static enum sl_code load(struct sl_module *module, uint32_t kind,
			 struct sl_error *error)
{
	const struct sl_plugin *plugin;
	enum sl_code code = open_library(module, error);

	if (code != SL_OK)
		return code;
	plugin = dlsym(module->handle, "sluice_plugin");
	if (!plugin)
		return SL_FAIL(error, SL_EPLUGIN, "%s: %s",
			       sl_path_tail(module->path),
			       loading_error(module->path));
	return take_plugin(module, choose_role(plugin, kind), error);
}

enum sl_code sl_module_load(struct sl_module *module, const char *path,
			    uint32_t kind, struct sl_error *error)
{
	enum sl_code code;

	*module = (struct sl_module){ 0 };
	code = sl_plugin_check(path, error);
	if (code != SL_OK)
		return code;
	module->path = strdup(path);
	if (!module->path)
		return SL_FAIL(error, SL_ENOMEM, "out of memory");
	code = load(module, kind, error);
	if (code != SL_OK)
		sl_module_unload(module);
	return code;
}

void sl_module_unload(struct sl_module *module)
{
	if (module->handle)
		dlclose(module->handle);
	free(module->path);
	*module = (struct sl_module){ 0 };
}
