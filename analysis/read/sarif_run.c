/* SPDX-License-Identifier: MIT */
/* Tables that grow, all charged to one budget. */
#include "read/sarif_run.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

void sarif_run_finish(struct sarif_run *run)
{
	for (size_t at = 0; at < run->component_count; at++)
		free(run->components[at].rules);
	free(run->components);
	free(run->artifacts.items);
	free(run->logical_locations.items);
	sl_arena_finish(&run->arena);
	memset(run, 0, sizeof(*run));
}

static bool charge(struct sarif_run *run, size_t bytes)
{
	if (bytes > SARIF_RUN_BYTES_MAX - run->bytes)
		return false;
	run->bytes += bytes;
	return true;
}

/* What the arena takes for so many bytes. */
static size_t taken(size_t bytes)
{
	const size_t align = _Alignof(max_align_t);

	return (bytes + align - 1) / align * align;
}

static void *allocate(struct sarif_run *run, size_t size)
{
	return charge(run, taken(size)) ? sl_arena_alloc(&run->arena, size)
					: NULL;
}

const char *sarif_run_text(struct sarif_run *run, const char *text,
			   size_t length)
{
	return charge(run, taken(length + 1))
		       ? sl_arena_text(&run->arena, text, length)
		       : NULL;
}

/* Make a table have an item at @p index; new ones are zeroed.
 * @return the table; NULL: no room or no memory, and it is as it was. */
static void *reach(struct sarif_run *run, void *items, size_t *count,
		   size_t *space, size_t index, size_t size)
{
	size_t wanted = *space ? *space : 16;

	if (index < *count)
		return items;
	if (index >= SARIF_RUN_BYTES_MAX / size)
		return NULL;
	while (wanted <= index)
		wanted *= 2;
	if (wanted > *space) {
		void *grown;

		if (!charge(run, (wanted - *space) * size))
			return NULL;
		grown = realloc(items, wanted * size);
		if (!grown)
			return NULL;
		items = grown;
		*space = wanted;
	}
	memset((char *)items + *count * size, 0, (index + 1 - *count) * size);
	*count = index + 1;
	return items;
}

struct sarif_component *sarif_run_component(struct sarif_run *run, size_t index)
{
	void *items =
		reach(run, run->components, &run->component_count,
		      &run->component_space, index, sizeof(*run->components));

	if (!items)
		return NULL;
	run->components = items;
	return &run->components[index];
}

struct sarif_rule *sarif_run_rule(struct sarif_run *run, size_t component,
				  size_t index)
{
	struct sarif_component *owner = sarif_run_component(run, component);
	void *items;

	if (!owner)
		return NULL;
	items = reach(run, owner->rules, &owner->count, &owner->space, index,
		      sizeof(struct sarif_rule *));
	if (!items)
		return NULL;
	owner->rules = items;
	if (!owner->rules[index])
		owner->rules[index] = allocate(run, sizeof(struct sarif_rule));
	return owner->rules[index];
}

struct sarif_artifact *sarif_run_artifact(struct sarif_run *run,
					  struct sarif_artifacts *artifacts,
					  size_t index)
{
	void *items =
		reach(run, artifacts->items, &artifacts->count,
		      &artifacts->space, index, sizeof(*artifacts->items));

	if (!items)
		return NULL;
	artifacts->items = items;
	return &artifacts->items[index];
}

struct sarif_base *sarif_run_base(struct sarif_run *run, const char *id,
				  size_t length)
{
	struct sarif_base *base = run->bases;

	/* its members come one after the other */
	if (base && strlen(base->id) == length &&
	    memcmp(base->id, id, length) == 0)
		return base;
	base = allocate(run, sizeof(*base));
	if (!base)
		return NULL;
	base->id = sarif_run_text(run, id, length);
	if (!base->id)
		return NULL;
	base->next = run->bases;
	run->bases = base;
	return base;
}

/* FNV-1a */
static size_t bucket_of(const char *id, size_t length)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (size_t at = 0; at < length; at++)
		hash = (hash ^ (unsigned char)id[at]) * 0x100000001b3;
	return (size_t)(hash ^ hash >> 32) % SARIF_RULE_BUCKETS;
}

void sarif_run_name_rule(struct sarif_run *run, struct sarif_rule *rule,
			 const char *id, size_t length)
{
	struct sarif_rule **bucket = &run->buckets[bucket_of(id, length)];

	if (rule->id)
		return;
	rule->id = sarif_run_text(run, id, length);
	if (!rule->id)
		return;
	rule->next = *bucket;
	*bucket = rule;
}

void sarif_run_string(struct sarif_run *run, struct sarif_string **strings,
		      const char *id, size_t id_length, const char *text,
		      size_t length)
{
	struct sarif_string *string = allocate(run, sizeof(*string));

	if (!string)
		return;
	string->id = sarif_run_text(run, id, id_length);
	string->text = sarif_run_text(run, text, length);
	if (!string->id || !string->text)
		return;
	string->next = *strings;
	*strings = string;
}

const struct sarif_rule *sarif_rule_at(const struct sarif_run *run,
				       size_t component, size_t index)
{
	if (component >= run->component_count ||
	    index >= run->components[component].count)
		return NULL;
	return run->components[component].rules[index];
}

const struct sarif_rule *sarif_rule_named(const struct sarif_run *run,
					  const char *id)
{
	size_t length = strlen(id);

	while (length) {
		const struct sarif_rule *rule =
			run->buckets[bucket_of(id, length)];

		for (; rule; rule = rule->next)
			if (strncmp(rule->id, id, length) == 0 &&
			    rule->id[length] == '\0')
				return rule;
		while (length && id[--length] != '/')
			;
	}
	return NULL;
}

const char *sarif_string_named(const struct sarif_string *strings,
			       const char *id)
{
	while (strings && strcmp(strings->id, id) != 0)
		strings = strings->next;
	return strings ? strings->text : NULL;
}

const struct sarif_base *sarif_base_named(const struct sarif_run *run,
					  const char *id)
{
	const struct sarif_base *base = run->bases;

	while (base && strcmp(base->id, id) != 0)
		base = base->next;
	return base;
}

int64_t sarif_cwe(const char *text, size_t length)
{
	for (size_t at = 0; at + 3 < length; at++) {
		size_t digit = at + 3;
		int64_t number = 0;

		if (strncasecmp(text + at, "cwe", 3) != 0)
			continue;
		if (memchr("-_:/ ", text[digit], 5))
			digit++;
		for (; digit < length && text[digit] >= '0' &&
		       text[digit] <= '9' && number < 100000;
		     digit++)
			number = number * 10 + (text[digit] - '0');
		if (number)
			return number;
	}
	return 0;
}
