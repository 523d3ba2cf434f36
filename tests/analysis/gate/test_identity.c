/* SPDX-License-Identifier: MIT */
/* Identities: unique in a report, and the same in the next one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gate/identity.h"

static const struct sg_fingerprint known = { .function = { 1, 2 },
					     .line = { 3, 4 } };
static const struct sg_fingerprint bare = { .function = { 1, 2 },
					    .bare = true };

static void a_key_is_k1_or_of_a_bare_one_k3(void **state)
{
	const struct sg_keys keys = sg_fingerprint_keys(&known, "a.c");

	(void)state;
	assert_true(sg_hash_equal(sg_identity_key(&known, "a.c"), keys.k1));
	assert_true(sg_hash_equal(sg_identity_key(&bare, "a.c"), keys.k3));
	assert_false(sg_hash_equal(sg_identity_key(&known, "b.c"), keys.k1));
	assert_false(sg_hash_equal(sg_identity_key(&known, NULL), keys.k1));
}

static struct sg_judged make(enum sg_verdict verdict, uint64_t key)
{
	return (struct sg_judged){ .verdict = verdict, .identity = { 7, key } };
}

static void what_is_alone_keeps_its_key(void **state)
{
	struct sg_judged judged[] = { make(SG_NEW, 2), make(SG_SAME, 1) };

	(void)state;
	assert_int_equal(sg_identities_part(judged, 2), SL_OK);
	assert_int_equal(judged[0].identity.low, 2);
	assert_int_equal(judged[1].identity.low, 1);
	assert_int_equal(sg_identities_part(NULL, 0), SL_OK);
}

static void equal_ones_are_told_apart_in_their_order(void **state)
{
	struct sg_judged three[] = { make(SG_SAME, 1), make(SG_NEW, 1),
				     make(SG_SAME, 1) };
	struct sg_judged two[] = { make(SG_SAME, 1), make(SG_NEW, 1) };

	(void)state;
	assert_int_equal(sg_identities_part(three, 3), SL_OK);
	assert_int_equal(sg_identities_part(two, 2), SL_OK);
	assert_int_equal(three[0].identity.low, 1);
	assert_false(sg_hash_equal(three[0].identity, three[1].identity));
	assert_false(sg_hash_equal(three[1].identity, three[2].identity));
	assert_false(sg_hash_equal(three[0].identity, three[2].identity));
	assert_true(sg_hash_equal(three[1].identity, two[1].identity));
}

/* The next report does not have the fixed one any more. */
static void what_is_fixed_does_not_count_off_what_is_open(void **state)
{
	struct sg_judged now[] = { make(SG_FIXED, 1), make(SG_SAME, 1),
				   make(SG_NEW, 1) };
	struct sg_judged next[] = { make(SG_SAME, 1), make(SG_SAME, 1) };

	(void)state;
	assert_int_equal(sg_identities_part(now, 3), SL_OK);
	assert_int_equal(sg_identities_part(next, 2), SL_OK);
	assert_true(sg_hash_equal(now[1].identity, next[0].identity));
	assert_true(sg_hash_equal(now[2].identity, next[1].identity));
	assert_false(sg_hash_equal(now[0].identity, now[1].identity));
	assert_false(sg_hash_equal(now[0].identity, now[2].identity));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_key_is_k1_or_of_a_bare_one_k3),
		cmocka_unit_test(what_is_alone_keeps_its_key),
		cmocka_unit_test(equal_ones_are_told_apart_in_their_order),
		cmocka_unit_test(what_is_fixed_does_not_count_off_what_is_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
