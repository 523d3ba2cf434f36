/* SPDX-License-Identifier: MIT */
/* What of the tree a unit depends on beside what its source includes. */
#include <string.h>

#include "run/analyzer.h"
#include "run/closure.h"
#include "run/path.h"
#include "run/unit_flags.h"

/* As an #include would name it. Of an absolute path the root is unknown here,
 * and what turns back is no end of a path: their last parts are names of more
 * files than they mean, never of fewer. */
static void add_name(const char *path, struct sg_list *list)
{
	const char *start = path;

	for (;;) {
		if (strncmp(start, "./", 2) == 0)
			start += 2;
		else if (strncmp(start, "../", 3) == 0)
			start += 3;
		else
			break;
	}
	if (*start == '/' || strstr(start, "//") || strstr(start, "/./") ||
	    strstr(start, "/../"))
		start = sg_path_name(start);
	if (*start)
		sg_list_add(list, start);
}

/* Of what is passed on to the preprocessor, all that is no option:
 * -Wp,-include, FILE or -Xpreprocessor FILE. */
static void add_passed_on(const char *words, struct sg_list *list)
{
	while (*words) {
		size_t length = strcspn(words, ",");
		const char *word = *words == '-' ? ""
						 : sl_arena_text(list->arena,
								 words, length);

		if (word)
			add_name(word, list);
		else
			sg_list_add(list, NULL); /* no memory */
		words += length;
		words += *words == ',';
	}
}

static bool is_one_of(const char *word, const char *const *names)
{
	for (; *names; names++)
		if (strcmp(word, *names) == 0)
			return true;
	return false;
}

/* @return whether a flag can include what no word that we read names: files of
 * further flags, and flags that are handed on to a part of the compiler. */
static bool hides_names(const struct sg_flag *flag)
{
	static const char *const files[] = { "@", "-specs=", NULL };
	static const char *const others[] = { "-Wp,@", "--config",
					      "-fmodule-map-file", NULL };

	if (is_one_of(flag->name, files))
		return true;
	if (strcmp(flag->name, "-Xpreprocessor") == 0)
		return flag->value && *flag->value == '@';
	for (const char *const *at = others; *at; at++)
		if (strncmp(flag->word, *at, strlen(*at)) == 0)
			return true;
	return false;
}

static void add_flag(const struct sg_flag *flag, struct sg_list *list)
{
	static const char *const names[] = {
		"-include",  "--include",  "--include=", "-imacros",
		"--imacros", "--imacros=", "@",          "-specs="
	};

	if (strncmp(flag->word, "-Wp,", 4) == 0)
		add_passed_on(flag->word + 4, list);
	else if (flag->value && strcmp(flag->name, "-Xpreprocessor") == 0)
		add_passed_on(flag->value, list);
	for (size_t at = 0; at < sizeof(names) / sizeof(names[0]); at++)
		if (flag->value && strcmp(flag->name, names[at]) == 0)
			add_name(flag->value, list);
	if (hides_names(flag))
		sg_list_add(list, SG_ANY_FILE);
}

/* Words of options name files behind a '='. */
static void add_word(const char *word, struct sg_list *list)
{
	static const char root[] = "{root}/";
	const char *equals = strchr(word, '=');

	if (equals)
		word = equals + 1;
	if (strncmp(word, root, sizeof(root) - 1) == 0)
		word += sizeof(root) - 1;
	if (*word && *word != '-' && !strpbrk(word, "{}"))
		add_name(word, list);
}

static bool is_tidy(const char *program)
{
	return strncmp(sg_path_name(program), "clang-tidy", 10) == 0;
}

enum sl_code sg_unit_forced(const struct sg_unit *unit,
			    const struct sg_analyzer *analyzer,
			    struct sl_arena *arena, const char *const **names,
			    size_t *count, struct sl_error *error)
{
	const char *const *words = sg_unit_flags(unit);
	struct sg_list list = { .arena = arena };

	while (*words) {
		struct sg_flag flag;

		sg_flag_next(&words, &flag);
		add_flag(&flag, &list);
	}
	words = analyzer ? analyzer->command : NULL;
	if (words && *words) {
		if (is_tidy(*words)) /* at any depth */
			sg_list_add(&list, ".clang-tidy");
		if (strchr(*words, '/'))
			add_word(*words, &list);
		while (*++words)
			add_word(*words, &list);
	}
	*names = sg_list_words(&list);
	*count = list.count;
	return *names ? SL_OK
		      : SL_FAIL(error, SL_ENOMEM, "no memory for a command");
}
