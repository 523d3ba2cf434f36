/* SPDX-License-Identifier: MIT */
#include "watch/list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "watch/pipeline.h"

static bool is_over(const struct sl_watch_program *program)
{
	return program->state == SL_WATCH_ENDED ||
	       program->state == SL_WATCH_DEAD;
}

static void destroy_item(struct sl_watch_item *item)
{
	if (!item)
		return;
	sl_watch_finish(&item->program);
	sl_counter_reader_close(item->reader);
	free(item->path);
	free(item);
}

static void remove_item(struct sl_watch_list *list, size_t at)
{
	destroy_item(list->items[at]);
	list->count--;
	memmove(&list->items[at], &list->items[at + 1],
		(list->count - at) * sizeof(list->items[0]));
	if (list->chosen > at || (list->chosen && list->chosen == list->count))
		list->chosen--;
}

/* @return false: all are still wanted. */
static bool make_room(struct sl_watch_list *list)
{
	for (size_t at = 0;
	     list->count == SL_WATCH_PROGRAMS && at < list->count; at++)
		if (at != list->chosen && is_over(&list->items[at]->program))
			remove_item(list, at);
	return list->count < SL_WATCH_PROGRAMS;
}

static enum sl_code read_item(struct sl_watch_item *item,
			      struct sl_error *error)
{
	struct sl_watch_program *program = &item->program;
	struct sl_counter_value *values =
		calloc(program->about.count, sizeof(*values));
	struct sl_error why = { .code = SL_OK };
	enum sl_counter_state state;

	if (!values)
		return SL_FAIL(error, SL_ENOMEM, "no memory for counters");
	if (sl_counter_reader_read(item->reader, values, program->about.count,
				   &state, &why) == SL_OK) {
		sl_watch_take(program, sl_clock_ns(), values, state);
		if (!is_over(program) || program->samples == 1)
			program->age_s =
				(double)(sl_clock_read_ns(CLOCK_REALTIME) -
					 program->about.created_ns) /
				1e9;
	} else {
		sl_watch_lose(program, why.message);
	}
	free(values);
	return SL_OK;
}

static enum sl_code add_item(struct sl_watch_list *list, const char *path,
			     struct sl_error *error)
{
	struct sl_watch_item *item;
	struct sl_error why;
	enum sl_code code;

	if (!make_room(list)) {
		list->left_out++;
		return SL_OK;
	}
	item = calloc(1, sizeof(*item));
	if (!item)
		return SL_FAIL(error, SL_ENOMEM, "no memory for counters");
	item->path = strdup(path);
	/* It may have gone since the walk saw it. */
	if (sl_counter_reader_open(&item->reader, path, &why) != SL_OK) {
		destroy_item(item);
		return SL_OK;
	}
	code = sl_watch_init(&item->program,
			     sl_counter_reader_program(item->reader), error);
	if (code == SL_OK && !item->path)
		code = SL_FAIL(error, SL_ENOMEM, "no memory for counters");
	if (code == SL_OK)
		code = read_item(item, error);
	if (code != SL_OK) {
		destroy_item(item);
		return code;
	}
	list->items[list->count++] = item;
	return SL_OK;
}

/* Whether it is one that we hold; another may come to have the same name. */
static bool known(const struct sl_watch_list *list, const char *path,
		  const struct sl_counter_program *about)
{
	for (size_t at = 0; at < list->count; at++) {
		const struct sl_watch_item *item = list->items[at];

		if (strcmp(item->path, path) == 0 &&
		    (!is_over(&item->program) ||
		     item->program.about.created_ns == about->created_ns))
			return true;
	}
	return false;
}

struct walk {
	struct sl_watch_list *list;
	enum sl_code code;
	struct sl_error *error;
};

static bool visit(void *context, const char *path,
		  struct sl_counter_reader *reader,
		  const struct sl_error *error)
{
	struct walk *walk = context;
	struct sl_watch_list *list = walk->list;
	const struct sl_counter_program *about;
	const char *name = strrchr(path, '/');

	if (error) {
		list->unreadable++;
		(void)snprintf(list->why, sizeof(list->why), "%.200s: %.250s",
			       name ? name + 1 : path, error->message);
		return true;
	}
	about = sl_counter_reader_program(reader);
	if ((list->name && strcmp(list->name, about->program) != 0) ||
	    (list->process && list->process != about->process) ||
	    known(list, path, about))
		return true;
	walk->code = add_item(list, path, walk->error);
	return walk->code == SL_OK;
}

/* How much one would rather look at it. */
static int worth(const struct sl_watch_program *program)
{
	bool live = program->state == SL_WATCH_LIVE;

	return (live ? 2 : 0) + (sl_watch_is_pipeline(program) ? 1 : 0);
}

static void choose_best(struct sl_watch_list *list)
{
	const struct sl_watch_program *now, *other;
	bool stays;

	if (list->picked || !list->count)
		return;
	for (size_t at = 0; at < list->count; at++) {
		now = &list->items[list->chosen]->program;
		other = &list->items[at]->program;
		/* One that we saw running stays, and so does a pipeline. */
		stays = sl_watch_is_pipeline(now) &&
			(now->samples > 1 || worth(now) > worth(other));
		if (!stays &&
		    (worth(other) > worth(now) ||
		     (worth(other) == worth(now) &&
		      other->about.created_ns > now->about.created_ns)))
			list->chosen = at;
	}
}

enum sl_code sl_watch_refresh(struct sl_watch_list *list,
			      struct sl_error *error)
{
	struct walk walk = { list, SL_OK, error };
	enum sl_code code = SL_OK;

	for (size_t at = 0; code == SL_OK && at < list->count; at++)
		if (!is_over(&list->items[at]->program))
			code = read_item(list->items[at], error);
	list->unreadable = 0;
	list->left_out = 0;
	if (code == SL_OK)
		code = sl_counters_walk(list->folder, visit, &walk, error);
	if (code == SL_OK)
		code = walk.code;
	choose_best(list);
	return code;
}

void sl_watch_choose(struct sl_watch_list *list, int step)
{
	if (!list->count)
		return;
	list->picked = true;
	list->chosen =
		(list->chosen + (step > 0 ? 1 : list->count - 1)) % list->count;
}

struct sl_watch_program *sl_watch_chosen(struct sl_watch_list *list)
{
	return list->count ? &list->items[list->chosen]->program : NULL;
}

void sl_watch_list_finish(struct sl_watch_list *list)
{
	while (list->count)
		destroy_item(list->items[--list->count]);
}
