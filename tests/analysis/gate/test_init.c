/* SPDX-License-Identifier: MIT */
/* The first .scgate.conf says what was found, and our own parser takes it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "gate/config.h"
#include "gate/init.h"

static const char *const none[] = { NULL };

static void write_and_parse(const struct sg_init *found,
			    struct sg_config *config)
{
	struct sl_problems problems = { .count = 0 };
	struct sl_buffer text = { .data = NULL };
	enum sl_code code;

	assert_int_equal(sg_init_text(found, &text, NULL), SL_OK);
	code = sg_config_parse(config, text.data, text.used, SG_CONFIG_NAME,
			       &problems, NULL);
	if (problems.count)
		fail_msg("line %d: %s", problems.rows[0].line,
			 problems.rows[0].text);
	assert_int_equal(code, SL_OK);
	sl_problems_finish(&problems);
	free(text.data);
}

static void assert_texts(const char *const *texts, const char *const *expected)
{
	for (; *expected; expected++, texts++) {
		assert_non_null(*texts);
		assert_string_equal(*texts, *expected);
	}
	assert_null(*texts);
}

static void a_database_is_named(void **state)
{
	static const char *const analyzers[] = { "cppcheck", "clang-tidy",
						 NULL };
	static const char *const absent[] = { "gcc", "clang", NULL };
	const struct sg_init found = {
		.build = "build/a \"b\" \\c",
		.sources = none,
		.flags = none,
		.exclude = none,
		.analyzers = analyzers,
		.absent = absent,
	};
	struct sg_config config;

	(void)state;
	write_and_parse(&found, &config);
	assert_string_equal(config.build, "build/a \"b\" \\c");
	assert_null(config.sources);
	assert_int_equal(config.policy, SG_POLICY_NO_RAISE);
	assert_string_equal(config.analyzers[0]->name, "cppcheck");
	assert_string_equal(config.analyzers[1]->name, "clang-tidy");
	assert_null(config.analyzers[2]);
	assert_int_equal(config.hook_budget_ns, INT64_C(60000000000));
	assert_null(config.baseline);
	sg_config_finish(&config);
}

static void without_a_database_there_are_patterns(void **state)
{
	static const char *const sources[] = { "./*.c",
					       "sr\\[c/**/*.c",
					       "\xc3\xa4/**/*.cpp",
					       "new\nline/**/*.c",
					       "\\!odd/**/*.c",
					       NULL };
	static const char *const flags[] = { "-Iinclude", NULL };
	static const char *const exclude[] = { "vendor/", NULL };
	static const char *const analyzers[] = { "gcc", NULL };
	const struct sg_init found = {
		.sources = sources,
		.flags = flags,
		.exclude = exclude,
		.analyzers = analyzers,
		.absent = none,
	};
	struct sg_config config;

	(void)state;
	write_and_parse(&found, &config);
	assert_null(config.build);
	assert_texts(config.sources, sources);
	assert_texts(config.flags, flags);
	assert_texts(config.exclude, exclude);
	sg_config_finish(&config);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_database_is_named),
		cmocka_unit_test(without_a_database_there_are_patterns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
