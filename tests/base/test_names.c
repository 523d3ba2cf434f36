/* SPDX-License-Identifier: MIT */
/* Names: interning, its bounds, and many threads at once. */
#include "pipeline/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int given_an_empty_table(void **state)
{
	*state = sl_names_create();
	return *state == NULL;
}

static int drop(void **state)
{
	sl_names_destroy(*state);
	return 0;
}

static void a_name_gets_one_id_for_ever(void **state)
{
	struct sl_names *names = *state;
	uint16_t eth0, eth1, again;
	size_t length;

	assert_int_equal(sl_names_find(names, "eth0", 4), SL_NO_NAME);
	assert_int_equal(sl_names_intern(names, "eth0", 4, &eth0, NULL), SL_OK);
	assert_int_equal(sl_names_intern(names, "eth1", 4, &eth1, NULL), SL_OK);
	assert_int_equal(sl_names_intern(names, "eth0!", 4, &again, NULL),
			 SL_OK);
	assert_int_equal(eth0, again);
	assert_int_not_equal(eth0, eth1);
	assert_int_equal(sl_names_find(names, "eth1", 4), eth1);
	assert_int_equal(sl_names_find(names, "eth", 3), SL_NO_NAME);
	assert_string_equal(sl_names_text(names, eth1, &length), "eth1");
	assert_int_equal(length, 4);
	assert_string_equal(sl_names_text(names, eth0, NULL), "eth0");
}

static void what_is_no_id_reads_as_a_dash(void **state)
{
	size_t length;

	assert_string_equal(sl_names_text(*state, SL_NO_NAME, &length), "-");
	assert_int_equal(length, 1);
	assert_string_equal(sl_names_text(*state, 65535, NULL), "-");
	assert_string_equal(sl_names_text(*state, 1, NULL), "-");
}

static void a_name_has_1_to_15_bytes(void **state)
{
	struct sl_error error;
	uint16_t id;

	assert_int_equal(sl_names_intern(*state, "", 0, &id, &error),
			 SL_EINVAL);
	assert_string_equal(error.message, "a name is empty");
	assert_int_equal(
		sl_names_intern(*state, "sixteen_letters_", 16, &id, &error),
		SL_EINVAL);
	assert_string_equal(
		error.message,
		"\"sixteen_letters_\": a name has at most 15 bytes");
	assert_int_equal(
		sl_names_intern(*state, "fifteen_letters", 15, &id, &error),
		SL_OK);
	assert_string_equal(sl_names_text(*state, id, NULL), "fifteen_letters");
	assert_int_equal(sl_names_find(*state, "sixteen_letters_", 16),
			 SL_NO_NAME);
}

static void name_of(unsigned at, char text[16])
{
	snprintf(text, 16, "if%u", at);
}

static void the_65535th_name_is_refused(void **state)
{
	struct sl_error error;
	uint16_t id;
	char text[16];

	for (unsigned at = 0; at < SL_NAMES_MAX; at++) {
		name_of(at, text);
		assert_int_equal(sl_names_intern(*state, text, strlen(text),
						 &id, &error),
				 SL_OK);
	}
	assert_int_equal(sl_names_intern(*state, "more", 4, &id, &error),
			 SL_ENOSPC);
	assert_string_equal(error.message,
			    "\"more\" is one name too many: 65534 are there");
	for (unsigned at = 0; at < SL_NAMES_MAX; at++) {
		name_of(at, text);
		id = sl_names_find(*state, text, strlen(text));
		assert_string_equal(sl_names_text(*state, id, NULL), text);
	}
}

enum { THREADS = 4, SHARED_NAMES = 2000 };

struct crowd {
	struct sl_names *names;
	unsigned first;
	uint16_t ids[SHARED_NAMES];
	unsigned wrong;
};

/* Each thread interns all names, beginning elsewhere, and looks up others. */
static void *intern_all(void *argument)
{
	struct crowd *crowd = argument;
	char text[16];

	for (unsigned step = 0; step < SHARED_NAMES; step++) {
		unsigned at = (crowd->first + step) % SHARED_NAMES;
		uint16_t id;

		name_of(at, text);
		if (sl_names_intern(crowd->names, text, strlen(text),
				    &crowd->ids[at], NULL) != SL_OK)
			crowd->wrong++;
		name_of(at * 7 % SHARED_NAMES, text);
		id = sl_names_find(crowd->names, text, strlen(text));
		if (id != SL_NO_NAME &&
		    strcmp(sl_names_text(crowd->names, id, NULL), text) != 0)
			crowd->wrong++;
	}
	return NULL;
}

static void many_threads_agree_on_every_id(void **state)
{
	static struct crowd crowds[THREADS];
	pthread_t threads[THREADS];

	for (unsigned at = 0; at < THREADS; at++) {
		crowds[at].names = *state;
		crowds[at].first = at * SHARED_NAMES / THREADS;
		assert_int_equal(pthread_create(&threads[at], NULL, intern_all,
						&crowds[at]),
				 0);
	}
	for (unsigned at = 0; at < THREADS; at++) {
		pthread_join(threads[at], NULL);
		assert_int_equal(crowds[at].wrong, 0);
		assert_memory_equal(crowds[at].ids, crowds[0].ids,
				    sizeof(crowds[at].ids));
	}
}

#define SPEC(test) \
	cmocka_unit_test_setup_teardown(test, given_an_empty_table, drop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SPEC(a_name_gets_one_id_for_ever),
		SPEC(what_is_no_id_reads_as_a_dash),
		SPEC(a_name_has_1_to_15_bytes),
		SPEC(the_65535th_name_is_refused),
		SPEC(many_threads_agree_on_every_id),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
