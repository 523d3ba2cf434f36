/* SPDX-License-Identifier: MIT */
/* What is open, for GitLab. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "verdict_made.h"

static void what_is_open_is_reported(void **state)
{
	(void)state;
	assert_verdict(
		&sg_verdict_writer_gitlab, made_rejected(),
		"[\n"
		"  {\n"
		"    \"description\": \"no place and no rule\",\n"
		"    \"check_name\": \"gcc\",\n"
		"    \"fingerprint\": "
		"\"00000000000000010000000000000001\",\n"
		"    \"severity\": \"major\",\n"
		"    \"location\": {\n"
		"      \"path\": \".\",\n"
		"      \"lines\": {\n"
		"        \"begin\": 1\n"
		"      }\n"
		"    }\n"
		"  },\n"
		"  {\n"
		"    \"description\": \"Memory leak: p\",\n"
		"    \"check_name\": \"cppcheck memleak\",\n"
		"    \"fingerprint\": "
		"\"00000000000000010000000000000002\",\n"
		"    \"severity\": \"critical\",\n"
		"    \"location\": {\n"
		"      \"path\": \"src/a.c\",\n"
		"      \"lines\": {\n"
		"        \"begin\": 12\n"
		"      }\n"
		"    }\n"
		"  },\n"
		"  {\n"
		"    \"description\": \"x is never read\",\n"
		"    \"check_name\": \"cppcheck unreadVariable\",\n"
		"    \"fingerprint\": "
		"\"00000000000000010000000000000004\",\n"
		"    \"severity\": \"info\",\n"
		"    \"location\": {\n"
		"      \"path\": \"src/c.c\",\n"
		"      \"lines\": {\n"
		"        \"begin\": 3\n"
		"      }\n"
		"    }\n"
		"  },\n"
		"  {\n"
		"    \"description\": \"moved\",\n"
		"    \"check_name\": \"clang-tidy bugprone-x\",\n"
		"    \"fingerprint\": "
		"\"00000000000000010000000000000005\",\n"
		"    \"severity\": \"major\",\n"
		"    \"location\": {\n"
		"      \"path\": \"src/d.c\",\n"
		"      \"lines\": {\n"
		"        \"begin\": 9,\n"
		"        \"end\": 11\n"
		"      }\n"
		"    }\n"
		"  },\n"
		"  {\n"
		"    \"description\": \"50% "
		"of\\r\\n::error::\\u001B[31mred\",\n"
		"    \"check_name\": \"odd r,1:%\",\n"
		"    \"fingerprint\": "
		"\"00000000000000010000000000000007\",\n"
		"    \"severity\": \"minor\",\n"
		"    \"location\": {\n"
		"      \"path\": \"src/odd,name:1%.c\",\n"
		"      \"lines\": {\n"
		"        \"begin\": 1\n"
		"      }\n"
		"    }\n"
		"  },\n"
		"  {\n"
		"    \"description\": \"dereference of NULL 'p'\",\n"
		"    \"check_name\": \"gcc -Wanalyzer-null-dereference\",\n"
		"    \"fingerprint\": "
		"\"00000000000000010000000000000008\",\n"
		"    \"severity\": \"major\",\n"
		"    \"location\": {\n"
		"      \"path\": \"src/pool.c\",\n"
		"      \"lines\": {\n"
		"        \"begin\": 2\n"
		"      }\n"
		"    }\n"
		"  }\n"
		"]\n");
}

static void nothing_is_an_empty_array(void **state)
{
	(void)state;
	assert_verdict(&sg_verdict_writer_gitlab, made_passed(),
		       "[\n"
		       "\n"
		       "]\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_open_is_reported),
		cmocka_unit_test(nothing_is_an_empty_array),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
