/* SPDX-License-Identifier: MIT */
/* Patterns of paths. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "gate/pattern.h"

struct fit {
	const char *pattern, *path;
	bool fits;
};

static void check(const struct fit *fits, size_t count)
{
	for (size_t at = 0; at < count; at++)
		if (sg_pattern_fits(fits[at].pattern, fits[at].path) !=
		    fits[at].fits)
			fail_msg("\"%s\" must %sfit \"%s\"", fits[at].pattern,
				 fits[at].fits ? "" : "not ", fits[at].path);
}

#define CHECK(fits) check(fits, sizeof(fits) / sizeof((fits)[0]))

static void a_name_fits_at_any_depth(void **state)
{
	static const struct fit fits[] = {
		{ "a.c", "a.c", true },
		{ "a.c", "src/a.c", true },
		{ "a.c", "src/deep/a.c", true },
		{ "a.c", "src/ba.c", false },
		{ "a.c", "src/a.cc", false },
		{ "gen", "src/gen/a.c", true },
		{ "gen/", "src/gen/a.c", true },
		{ "gen/", "src/gen", false },
		{ "gen", "src/gen", true },
		{ "*.c", "src/a.c", true },
		{ "", "a.c", false },
	};

	(void)state;
	CHECK(fits);
}

static void with_a_slash_a_pattern_starts_at_the_root(void **state)
{
	static const struct fit fits[] = {
		{ "src/a.c", "src/a.c", true },
		{ "src/a.c", "lib/src/a.c", false },
		{ "./a.c", "a.c", true },
		{ "./a.c", "src/a.c", false },
		{ "src/gen/", "src/gen/deep/a.c", true },
		{ "src/gen", "src/gen/deep/a.c", true },
		{ "src/gen", "src/general/a.c", false },
		{ "src/gen/x", "src/gen", false },
	};

	(void)state;
	CHECK(fits);
}

static void a_star_stays_in_its_part(void **state)
{
	static const struct fit fits[] = {
		{ "src/*.c", "src/a.c", true },
		{ "src/*.c", "src/.c", true },
		{ "src/*.c", "src/deep/a.c", false },
		{ "src/*", "src/deep/a.c", true }, /* in a folder that fits */
		{ "*/a.c", "src/a.c", true },
		{ "*/a.c", "a.c", false },
		{ "*a*b*c", "xxaxxbxxbxxc", true },
		{ "*a*b*c", "xxaxxcxxb", false },
		{ "src/*_test.c", "src/a_test_test.c", true },
		{ "src/**.c", "src/deep/a.c", false },
		{ "src/**.c", "src/a.c", true },
	};

	(void)state;
	CHECK(fits);
}

static void two_stars_are_any_number_of_parts(void **state)
{
	static const struct fit fits[] = {
		{ "**", "a.c", true },
		{ "src/**/a.c", "src/a.c", true },
		{ "src/**/a.c", "src/x/y/a.c", true },
		{ "src/**/a.c", "lib/src/a.c", false },
		{ "src/**", "src/x/y.c", true },
		{ "src/**", "src", false },
		{ "**/gen/*.c", "gen/a.c", true },
		{ "**/gen/*.c", "x/y/gen/a.c", true },
		{ "**/gen/*.c", "x/gen/y/a.c", false },
		{ "**/a/b/**/c", "a/a/b/x/c", true },
		{ "**/a/b/**/c", "a/b/a/d/b", false },
		{ "**/**/a", "a", true },
	};

	(void)state;
	CHECK(fits);
}

static void a_question_mark_is_a_character(void **state)
{
	static const struct fit fits[] = {
		{ "?.c", "a.c", true },    { "?.c", "\xc3\xa4.c", true },
		{ "?.c", "\xff.c", true }, { "?.c", ".c", false },
		{ "a?b", "a/b", false },   { "a[!/]b", "a/b", false },
	};

	(void)state;
	CHECK(fits);
}

static void a_class_is_one_of_its_letters(void **state)
{
	static const struct fit fits[] = {
		{ "[a-c].c", "b.c", true },  { "[a-c].c", "d.c", false },
		{ "[!a-c].c", "d.c", true }, { "[^a-c].c", "b.c", false },
		{ "[]a].c", "].c", true },   { "[a-].c", "-.c", true },
		{ "[\\]x].c", "].c", true }, { "[a", "[a", true },
	};

	(void)state;
	CHECK(fits);
}

static void a_backslash_takes_the_meaning_away(void **state)
{
	static const struct fit fits[] = {
		{ "\\*.c", "*.c", true },
		{ "\\*.c", "a.c", false },
		{ "\\[a]", "[a]", true },
		{ "a\\", "a\\", true },
	};

	(void)state;
	CHECK(fits);
}

/* What backtracks without bound would not come back from these. */
static void hostile_patterns_take_no_time(void **state)
{
	static char pattern[20001], path[20001];

	(void)state;
	for (size_t at = 0; at < 400; at += 2)
		memcpy(pattern + at, "*a", 2);
	memcpy(pattern + 400, "b", 2);
	memset(path, 'a', 10000);
	assert_false(sg_pattern_fits(pattern, path));
	for (size_t at = 0; at < 1000; at += 5)
		memcpy(pattern + at, "**/a/", 5);
	memcpy(pattern + 1000, "b", 2);
	for (size_t at = 0; at < 10000; at += 2)
		memcpy(path + at, "a/", 2);
	path[9999] = '\0';
	assert_false(sg_pattern_fits(pattern, path));
}

static void what_can_fit_nothing_is_a_fault(void **state)
{
	static const struct {
		const char *pattern, *start;
	} faults[] = {
		{ "", "the pattern is empty" },
		{ "/src/", "the pattern is absolute" },
		{ "!a.c", "patterns have no \"!\"" },
		{ "./", "the pattern is the root" },
		{ ".", "the pattern is the root" },
		{ "../x", "no path has a part" },
		{ "src//x", "no path has a part" },
		{ "src/./x", "no path has a part" },
		{ "src/[a", "a \"[\" has no \"]\"" },
		{ "src/[a/b]", "a \"[\" has no \"]\"" },
	};
	static const char *const good[] = { "src/",     "*.c", "./a.c",
					    "src/**/a", "...", "\\!a",
					    "[]]",      "\\[", ".github/" };

	(void)state;
	for (size_t at = 0; at < sizeof(faults) / sizeof(faults[0]); at++) {
		const char *why = sg_pattern_fault(faults[at].pattern);

		assert_non_null(why);
		assert_memory_equal(why, faults[at].start,
				    strlen(faults[at].start));
	}
	for (size_t at = 0; at < sizeof(good) / sizeof(good[0]); at++)
		assert_null(sg_pattern_fault(good[at]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_fits_at_any_depth),
		cmocka_unit_test(with_a_slash_a_pattern_starts_at_the_root),
		cmocka_unit_test(a_star_stays_in_its_part),
		cmocka_unit_test(two_stars_are_any_number_of_parts),
		cmocka_unit_test(a_question_mark_is_a_character),
		cmocka_unit_test(a_class_is_one_of_its_letters),
		cmocka_unit_test(a_backslash_takes_the_meaning_away),
		cmocka_unit_test(hostile_patterns_take_no_time),
		cmocka_unit_test(what_can_fit_nothing_is_a_fault),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
