/* SPDX-License-Identifier: MIT */
/* Names: a hash table that grows by appending, so that readers need no lock.
 *
 * An entry never changes once its id stands in a slot, and ids never leave
 * their slots. A writer fills the entry and then stores the id with release;
 * a reader loads the id with acquire and so sees the entry. There is no
 * resizing: 131,072 slots keep the table at most half full. */
#include "pipeline/names.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { SLOTS = 1 << 17 };

SL_STATIC_ASSERT(SLOTS >= 2 * SL_NAMES_MAX, "a probe soon meets a free slot");

struct name {
	uint8_t length;
	char text[SL_NAME_LENGTH + 1];
};

struct sl_names {
	pthread_mutex_t lock; /* held by who interns */
	atomic_uint count;
	_Atomic uint16_t *slots; /* ids; SL_NO_NAME is free */
	struct name *entries; /* by id; [SL_NO_NAME] stays empty */
};

struct sl_names *sl_names_create(void)
{
	struct sl_names *names = calloc(1, sizeof(*names));

	if (!names)
		return NULL;
	names->slots = calloc(SLOTS, sizeof(*names->slots));
	names->entries = calloc(SL_NAMES_MAX + 1, sizeof(*names->entries));
	if (!names->slots || !names->entries ||
	    pthread_mutex_init(&names->lock, NULL) != 0) {
		free(names->slots);
		free(names->entries);
		free(names);
		return NULL;
	}
	return names;
}

void sl_names_destroy(struct sl_names *names)
{
	if (!names)
		return;
	pthread_mutex_destroy(&names->lock);
	free(names->slots);
	free(names->entries);
	free(names);
}

/* Walk to the slot that holds the name, or to the free one where it belongs.
 * @return the id found there. */
static uint16_t probe(const struct sl_names *names, const char *text,
		      size_t length, size_t *slot)
{
	size_t at = XXH3_64bits(text, length) % SLOTS;

	for (;; at = (at + 1) % SLOTS) {
		uint16_t id = atomic_load_explicit(&names->slots[at],
						   memory_order_acquire);
		const struct name *entry = &names->entries[id];

		if (id == SL_NO_NAME ||
		    (entry->length == length &&
		     memcmp(entry->text, text, length) == 0)) {
			*slot = at;
			return id;
		}
	}
}

uint16_t sl_names_find(const struct sl_names *names, const char *text,
		       size_t length)
{
	size_t slot;

	if (length == 0 || length > SL_NAME_LENGTH)
		return SL_NO_NAME;
	return probe(names, text, length, &slot);
}

/* Under the lock. @return the id, or SL_NO_NAME if the table is full. */
static uint16_t add(struct sl_names *names, const char *text, size_t length)
{
	size_t slot;
	uint16_t id = probe(names, text, length, &slot);
	unsigned count;

	if (id != SL_NO_NAME) /* somebody was faster */
		return id;
	count = atomic_load_explicit(&names->count, memory_order_relaxed);
	if (count == SL_NAMES_MAX)
		return SL_NO_NAME;

	id = (uint16_t)(count + 1);
	names->entries[id].length = (uint8_t)length;
	memcpy(names->entries[id].text, text, length);
	atomic_store_explicit(&names->count, id, memory_order_release);
	atomic_store_explicit(&names->slots[slot], id, memory_order_release);
	return id;
}

enum sl_code sl_names_intern(struct sl_names *names, const char *text,
			     size_t length, uint16_t *id,
			     struct sl_error *error)
{
	if (length == 0)
		return SL_FAIL(error, SL_EINVAL, "a name is empty");
	if (length > SL_NAME_LENGTH)
		return SL_FAIL(error, SL_EINVAL,
			       "\"%.*s%s\": a name has at most %d bytes",
			       (int)(length < 64 ? length : 64), text,
			       length > 64 ? "..." : "", SL_NAME_LENGTH);

	*id = sl_names_find(names, text, length);
	if (*id == SL_NO_NAME) {
		pthread_mutex_lock(&names->lock);
		*id = add(names, text, length);
		pthread_mutex_unlock(&names->lock);
	}
	if (*id == SL_NO_NAME)
		return SL_FAIL(error, SL_ENOSPC,
			       "\"%.*s\" is one name too many: %d are there",
			       (int)length, text, SL_NAMES_MAX);
	return SL_OK;
}

const char *sl_names_text(const struct sl_names *names, uint16_t id,
			  size_t *length)
{
	const struct name *entry = &names->entries[id];

	if (id == SL_NO_NAME ||
	    id > atomic_load_explicit(&names->count, memory_order_acquire)) {
		if (length)
			*length = 1;
		return "-";
	}
	if (length)
		*length = entry->length;
	return entry->text;
}
