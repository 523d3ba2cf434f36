/* SPDX-License-Identifier: MIT */
/* A finding is shown with other texts; what it was made of stays untouched. */
#include "read/normal.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "read/fold.h"
#include "read/root.h"

struct sg_normal {
	sg_finding_fn *take;
	void *context; /* borrowed */
	struct sg_root *root; /* owned; NULL: paths stay */
	struct sg_fold *fold; /* owned */
	struct sl_arena arena; /* of the finding that is being handed on */
};

enum sl_code sg_normal_create(struct sg_normal **normal,
			      const struct sg_normal_settings *settings,
			      sg_finding_fn *take, void *context,
			      struct sl_error *error)
{
	struct sg_normal *made = calloc(1, sizeof(*made));
	enum sl_code code = SL_OK;

	*normal = NULL;
	if (!made)
		return SL_FAIL(error, SL_ENOMEM, "no memory for findings");
	made->take = take;
	made->context = context;
	made->fold = sg_fold_create(take, context);
	if (!made->fold)
		code = SL_FAIL(error, SL_ENOMEM, "no memory for findings");
	else if (settings->root)
		code = sg_root_create(&made->root, settings->root,
				      settings->bases, settings->base_count,
				      error);
	if (code == SL_OK)
		*normal = made;
	else
		sg_normal_destroy(made);
	return code;
}

void sg_normal_destroy(struct sg_normal *normal)
{
	if (!normal)
		return;
	sg_root_destroy(normal->root);
	sg_fold_destroy(normal->fold);
	sl_arena_finish(&normal->arena);
	free(normal);
}

/* The root's answer lives until the next one, so it is copied. */
static const char *relative(struct sg_normal *normal, const char *path,
			    bool *failed)
{
	const char *found = path ? sg_root_relative(normal->root, path) : NULL;

	if (found && found != path)
		found = sl_arena_text(&normal->arena, found, strlen(found));
	*failed |= path && !found;
	return found;
}

static void place_events(struct sg_normal *normal, struct sg_finding *finding,
			 bool *failed)
{
	size_t size = finding->event_count * sizeof(*finding->events);
	struct sg_event *events =
		size ? sl_arena_alloc(&normal->arena, size) : NULL;

	*failed |= size && !events;
	if (!events)
		return;
	memcpy(events, finding->events, size);
	for (size_t at = 0; at < finding->event_count; at++)
		events[at].path = relative(normal, events[at].path, failed);
	finding->events = events;
}

static void place_units(struct sg_normal *normal, struct sg_finding *finding,
			bool *failed)
{
	size_t size = finding->unit_count * sizeof(*finding->units);
	const char **units = size ? sl_arena_alloc(&normal->arena, size) : NULL;

	*failed |= size && !units;
	if (!units)
		return;
	for (size_t at = 0; at < finding->unit_count; at++)
		units[at] = relative(normal, finding->units[at], failed);
	finding->units = units;
}

static enum sl_code pass(struct sg_normal *normal,
			 const struct sg_finding *finding,
			 struct sl_error *error)
{
	return sg_fold_is_dynamic(finding)
		       ? sg_fold_add(normal->fold, finding, error)
		       : normal->take(normal->context, finding, error);
}

enum sl_code sg_normal_take(void *context, const struct sg_finding *finding,
			    struct sl_error *error)
{
	struct sg_normal *normal = context;
	struct sg_finding placed = *finding;
	bool failed = false;
	enum sl_code code;

	if (!normal->root)
		return pass(normal, finding, error);
	placed.path = relative(normal, finding->path, &failed);
	place_events(normal, &placed, &failed);
	place_units(normal, &placed, &failed);
	code = failed ? SL_FAIL(error, SL_ENOMEM, "no memory for a finding")
		      : pass(normal, &placed, error);
	sl_arena_clear(&normal->arena);
	return code;
}

enum sl_code sg_normal_flush(struct sg_normal *normal, struct sl_error *error)
{
	return sg_fold_flush(normal->fold, error);
}
