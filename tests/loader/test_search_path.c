/* SPDX-License-Identifier: MIT */
/* Finding a plugin by its name. */
#define _XOPEN_SOURCE 700 /* realpath() */
#include "loader/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/** Two folders and the path over both. */
struct places {
	void *first, *second;
	struct sl_search_path path;
};

static int make_places(void **state)
{
	static struct places places;
	char folders[512];

	places = (struct places){ 0 };
	if (make_folder(&places.first) || make_folder(&places.second))
		return -1;
	snprintf(folders, sizeof(folders), "%s:%s", (char *)places.first,
		 (char *)places.second);
	if (sl_search_path_add(&places.path, folders, NULL) != SL_OK)
		return -1;
	*state = &places;
	return 0;
}

static int remove_places(void **state)
{
	struct places *places = *state;

	sl_search_path_finish(&places->path);
	return remove_folder(&places->first) | remove_folder(&places->second);
}

static void assert_found(const struct places *places, const char *name,
			 const char *expected)
{
	char *found = sl_search_path_find(&places->path, name, NULL);

	assert_non_null(found);
	assert_string_equal(found, expected);
	free(found);
}

static void assert_not_found(const struct sl_search_path *path,
			     const char *name, enum sl_code code,
			     const char *message)
{
	struct sl_error error = { 0 };

	assert_null(sl_search_path_find(path, name, &error));
	assert_string_equal(error.message, message);
	assert_int_equal(error.code, code);
}

static void a_list_of_folders_is_taken_apart(void **unused)
{
	struct sl_search_path path = { 0 };

	(void)unused;
	assert_int_equal(sl_search_path_add(&path, ":/a/::b:/:", NULL), SL_OK);
	assert_int_equal(sl_search_path_add(&path, "/c d", NULL), SL_OK);
	assert_int_equal(sl_search_path_add(&path, "", NULL), SL_OK);
	assert_int_equal(path.count, 4);
	assert_string_equal(path.folders[0], "/a");
	assert_string_equal(path.folders[1], "b");
	assert_string_equal(path.folders[2], "/");
	assert_string_equal(path.folders[3], "/c d");
	sl_search_path_finish(&path);
	assert_int_equal(path.count, 0);
	assert_null(path.folders);
}

static void the_default_folder_is_beside_the_file_of_the_core(void **unused)
{
	struct sl_search_path path = { 0 };
	/* These tests have the core inside. */
	char *self = realpath("/proc/self/exe", NULL);

	(void)unused;
	assert_non_null(self);
	*strrchr(self, '/') = '\0';
	assert_int_equal(sl_search_path_add_default(&path, NULL), SL_OK);
	assert_int_equal(path.count, 1);
	assert_string_equal(path.folders[0], path_in(self, "sluice"));
	sl_search_path_finish(&path);
	free(self);
}

static void the_first_folder_that_has_the_name_wins(void **state)
{
	struct places *places = *state;

	write_file(places->second, "nat.so", "", 0);
	assert_found(places, "nat", path_in(places->second, "nat.so"));
	write_file(places->first, "nat.so", "", 0);
	assert_found(places, "nat", path_in(places->first, "nat.so"));
}

static void a_missing_name_lists_the_folders(void **state)
{
	struct places *places = *state;
	char message[512];

	snprintf(message, sizeof(message), "no plugin \"nat\"; searched %s, %s",
		 (char *)places->first, (char *)places->second);
	assert_not_found(&places->path, "nat", SL_EPLUGIN, message);
}

static void a_misspelt_name_asks_for_the_one_nearby(void **state)
{
	struct places *places = *state;
	char message[512];

	write_file(places->first, "compute.so", "", 0);
	write_file(places->second, "nat.so", "", 0);
	snprintf(message, sizeof(message),
		 "no plugin \"natt\" (did you mean \"nat\"?); searched %s, %s",
		 (char *)places->first, (char *)places->second);
	assert_not_found(&places->path, "natt", SL_EPLUGIN, message);
}

static void without_folders_the_message_says_so(void **unused)
{
	static const struct sl_search_path nowhere;

	(void)unused;
	assert_not_found(&nowhere, "nat", SL_EPLUGIN,
			 "no plugin \"nat\"; searched no folder");
}

static void folders_beyond_a_message_are_cut_off(void **unused)
{
	struct sl_search_path path = { 0 };
	struct sl_error error = { 0 };

	(void)unused;
	for (int i = 0; i < 100; i++)
		assert_int_equal(
			sl_search_path_add(&path, "/nowhere/at/all", NULL),
			SL_OK);
	assert_null(sl_search_path_find(&path, "nat", &error));
	assert_int_equal(strlen(error.message), sizeof(error.message) - 1);
	sl_search_path_finish(&path);
}

static void a_name_that_is_a_path_is_refused(void **state)
{
	static const struct {
		const char *name, *message;
	} names[] = {
		{ "../nat", "\"../nat\" is no plugin's name: it may not be "
			    "empty, hold '/' or start with '.'" },
		{ "a/nat", "\"a/nat\" is no plugin's name: it may not be "
			   "empty, hold '/' or start with '.'" },
		{ ".nat", "\".nat\" is no plugin's name: it may not be empty, "
			  "hold '/' or start with '.'" },
		{ "", "\"\" is no plugin's name: it may not be empty, hold "
		      "'/' or start with '.'" },
	};
	struct places *places = *state;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_not_found(&places->path, names[i].name, SL_EINVAL,
				 names[i].message);
}

static void the_list_is_sorted_and_has_each_name_once(void **state)
{
	struct places *places = *state;
	char **paths;

	write_file(places->first, "nat.so", "", 0);
	write_file(places->first, "README", "", 0);
	write_file(places->first, ".hidden.so", "", 0);
	write_file(places->first, ".so", "", 0);
	write_file(places->second, "nat.so", "", 0);
	write_file(places->second, "compute.so", "", 0);
	write_file(places->second, "nat-64.so", "", 0);
	assert_int_equal(mkdir(path_in(places->second, "folder.so"), 0755), 0);

	assert_int_equal(sl_search_path_list(&places->path, &paths), 3);
	assert_string_equal(paths[0], path_in(places->second, "compute.so"));
	assert_string_equal(paths[1], path_in(places->first, "nat.so"));
	assert_string_equal(paths[2], path_in(places->second, "nat-64.so"));
	sl_search_path_list_free(paths, 3);
}

static void a_path_without_plugins_has_an_empty_list(void **state)
{
	struct places *places = *state;
	char **paths;

	assert_int_equal(
		sl_search_path_add(&places->path, "/nowhere/at/all", NULL),
		SL_OK);
	assert_int_equal(sl_search_path_list(&places->path, &paths), 0);
	assert_null(paths);
}

#define IN_PLACES(test) \
	cmocka_unit_test_setup_teardown(test, make_places, remove_places)

int main(void)
{
	const struct CMUnitTest search_path[] = {
		cmocka_unit_test(a_list_of_folders_is_taken_apart),
		cmocka_unit_test(
			the_default_folder_is_beside_the_file_of_the_core),
		IN_PLACES(the_first_folder_that_has_the_name_wins),
		IN_PLACES(a_missing_name_lists_the_folders),
		IN_PLACES(a_misspelt_name_asks_for_the_one_nearby),
		cmocka_unit_test(without_folders_the_message_says_so),
		cmocka_unit_test(folders_beyond_a_message_are_cut_off),
		IN_PLACES(a_name_that_is_a_path_is_refused),
		IN_PLACES(the_list_is_sorted_and_has_each_name_once),
		IN_PLACES(a_path_without_plugins_has_an_empty_list),
	};

	return cmocka_run_group_tests(search_path, NULL, NULL);
}
