/* SPDX-License-Identifier: MIT */
/* Loading plugins: what a host gets, and what a plugin may not say of
 * itself. */
#include "loader/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/options.h"

static void load(struct sl_module *module, const char *name)
{
	struct sl_error error = { 0 };

	if (sl_module_load(module, test_plugin(name), 0, &error) != SL_OK)
		fail_msg("%s", error.message);
}

static void a_good_plugin_is_loaded_with_all_it_says(void **unused)
{
	struct sl_module module;

	(void)unused;
	load(&module, "good");
	assert_string_equal(module.path, test_plugin("good"));
	assert_int_equal(module.plugin.kind, SL_STAGE);
	assert_string_equal(module.plugin.name, "good");
	assert_string_equal(module.plugin.summary, "count its own calls");
	assert_int_equal(module.plugin.option_count, 3);
	assert_string_equal(module.plugin.options[1].name, "mode");
	assert_null(module.plugin.stage);
	assert_non_null(module.stage.process);
	assert_int_equal(module.source.size, 0);
	assert_int_equal(module.sink.size, 0);
	sl_module_unload(&module);
}

static void a_step_of_a_loaded_plugin_runs(void **unused)
{
	struct sl_module module;
	int64_t state[8] = { 41 };

	(void)unused;
	load(&module, "good");
	assert_int_equal(module.stage.process(state, NULL, NULL), SL_OK);
	assert_int_equal(state[0], 42);
	sl_module_unload(&module);
}

static void a_plugin_loaded_twice_survives_the_first_unloading(void **unused)
{
	struct sl_module first, second;
	int64_t state[8] = { 0 };

	(void)unused;
	load(&first, "good");
	load(&second, "good");
	sl_module_unload(&first);
	assert_int_equal(second.stage.process(state, NULL, NULL), SL_OK);
	assert_int_equal(state[0], 1);
	sl_module_unload(&second);
}

static void a_module_unloaded_is_empty_and_may_be_unloaded_again(void **unused)
{
	struct sl_module module;

	(void)unused;
	load(&module, "good");
	sl_module_unload(&module);
	assert_null(module.handle);
	assert_null(module.path);
	sl_module_unload(&module);
}

static void a_path_without_a_slash_is_in_the_working_folder(void **folder)
{
	struct bytes file = read_file(test_plugin("good"));
	char *before = getcwd(NULL, 0);
	struct sl_module module;

	write_file(*folder, "x.so", file.data, file.size);
	free(file.data);
	assert_non_null(before);
	assert_int_equal(chdir(*folder), 0);
	assert_int_equal(sl_module_load(&module, "x.so", 0, NULL), SL_OK);
	sl_module_unload(&module);
	assert_int_equal(chdir(before), 0);
	free(before);
}

static void
two_plugins_with_a_function_of_one_name_each_use_their_own(void **unused)
{
	struct sl_module one, two;
	int first = 0, second = 0;

	(void)unused;
	load(&one, "lookup_one");
	load(&two, "lookup_two");
	assert_int_equal(two.stage.process(&second, NULL, NULL), SL_OK);
	assert_int_equal(one.stage.process(&first, NULL, NULL), SL_OK);
	assert_int_equal(first, 1);
	assert_int_equal(second, 2);
	sl_module_unload(&one);
	sl_module_unload(&two);
}

static void a_stage_of_an_older_minor_ends_in_zeros(void **unused)
{
	struct sl_module module;
	int64_t state[2] = { 0 };

	(void)unused;
	load(&module, "older_stage");
	assert_null(module.plugin.sink);
	assert_int_equal(module.stage.state_size, 16);
	assert_null(module.stage.process);
	assert_null(module.stage.flush);
	assert_int_equal(module.stage.commit(state, NULL, NULL), SL_OK);
	assert_int_equal(state[0], 1);
	sl_module_unload(&module);
}

static void options_of_an_older_minor_end_in_zeros(void **unused)
{
	struct sl_option_table table;
	struct sl_module module;
	struct sl_option row;

	(void)unused;
	load(&module, "older_stage");
	table = (struct sl_option_table){ module.plugin.options,
					  module.plugin.option_count,
					  module.plugin.option_size };
	row = sl_option_row(&table, 1);
	assert_string_equal(row.name, "second");
	assert_int_equal(row.type, SL_DURATION);
	assert_int_equal(row.offset, 8);
	assert_null(row.choices);
	assert_null(row.help);
	sl_module_unload(&module);
}

static void a_source_of_an_older_minor_ends_in_zeros(void **unused)
{
	struct sl_module module;

	(void)unused;
	load(&module, "older_source");
	assert_non_null(module.source.parse);
	assert_null(module.source.commit);
	assert_null(module.source.place);
	sl_module_unload(&module);
}

static void a_sink_of_an_older_minor_ends_in_zeros(void **unused)
{
	struct sl_module module;

	(void)unused;
	load(&module, "older_sink");
	assert_int_equal(module.sink.state_size, 8);
	assert_null(module.sink.end);
	sl_module_unload(&module);
}

static void assert_not_loaded(const char *name, const char *message)
{
	static const struct sl_module none;
	const char *path = test_plugin(name);
	struct sl_error error = { 0 };
	struct sl_module module;

	memset(&module, 0x55, sizeof(module));
	assert_int_equal(sl_module_load(&module, path, 0, &error), SL_EPLUGIN);
	assert_error(&error, path, SL_EPLUGIN, "%s", message);
	assert_memory_equal(&module, &none, sizeof(module));
}

static void an_undefined_symbol_gives_the_linkers_words(void **unused)
{
	(void)unused;
	assert_not_loaded("undefined", "undefined symbol: sl_nobody_has_this");
}

static void a_file_that_fails_the_check_is_not_loaded(void **unused)
{
	(void)unused;
	assert_not_loaded("next_major", "made for plugin ABI 2.0, this is 1.0");
}

static void the_plugin_behind_the_slips_is_sane(void **unused)
{
	struct sl_module module;

	(void)unused;
	load(&module, "no_slip");
	sl_module_unload(&module);
}

/* Each plugin is named after its slip; see CMakeLists.txt. */
static void a_slip_of_the_author_is_said_in_words(void **unused)
{
	static const struct {
		const char *plugin, *message;
	} slips[] = {
		{ "slip_meter",
		  "says that it is a meter, but its field \"meter\" is "
		  "NULL" },
		{ "slip_no_read",
		  "a meter has \"open\" and \"read\", this one lacks one" },
		{ "slip_kind", "of the unknown kind 9" },
		{ "slip_no_name",
		  "its name \"\" is no plugin's name; letters, digits, '_' "
		  "and '-' are" },
		{ "slip_name",
		  "its name \"a.b\" is no plugin's name; letters, digits, "
		  "'_' and '-' are" },
		{ "slip_no_stage",
		  "says that it is a stage, but its field \"stage\" is "
		  "NULL" },
		{ "slip_no_sink",
		  "says that it is a sink, but its field \"sink\" is NULL" },
		{ "slip_stage_small",
		  "its struct sl_stage says that it has 64 bytes, which no "
		  "version has" },
		{ "slip_both",
		  "a stage has either \"process\" or the three steps, this "
		  "one has both" },
		{ "slip_no_parse",
		  "a source has \"cut\" and \"parse\", this one lacks one" },
		{ "slip_no_options",
		  "its table of options is NULL; write SL_OPTION_TABLE()" },
		{ "slip_option_size",
		  "its table of options is of a row size that no version has; "
		  "write SL_OPTION_TABLE()" },
		{ "slip_option_name", "option 2 has no name" },
		{ "slip_option_twice", "option \"first\" is there twice" },
		{ "slip_no_summary", "it has no summary" },
		{ "slip_no_step", "a stage without a step" },
		{ "slip_option_case",
		  "option \"Second\": its name is not all lower case, digits "
		  "and '_'" },
		{ "slip_option_taken",
		  "option \"name\": this name is taken by every group" },
		{ "slip_option_required",
		  "option \"second\": it is required and has a default" },
		{ "slip_option_bounds",
		  "option \"second\": its minimum is above its maximum" },
		{ "slip_option_type", "option \"second\": type 77 is unknown" },
		{ "slip_option_no_type",
		  "option \"second\": type 0 is unknown" },
		{ "slip_option_element",
		  "option \"second\": type 0 is unknown for a list's "
		  "elements" },
		{ "slip_option_choices", "option \"second\" has no choices" },
		{ "slip_option_outside",
		  "option \"second\": its field of 8 bytes at offset 16 "
		  "leaves the state, which has 16" },
		{ "slip_option_crooked",
		  "option \"second\": its type does not fit the field at "
		  "offset 4" },
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(slips) / sizeof(slips[0]); i++)
		assert_not_loaded(slips[i].plugin, slips[i].message);
}

static void sizes_that_depend_on_the_machine_are_said_too(void **unused)
{
	char message[256];

	(void)unused;
	snprintf(message, sizeof(message),
		 "its struct sl_stage says that it has %zu bytes, which no "
		 "version has",
		 sizeof(struct sl_stage) - 1);
	assert_not_loaded("slip_stage_odd", message);
	snprintf(message, sizeof(message),
		 "option \"second\": its field of 8 bytes at offset %zu leaves "
		 "the state, which has 16",
		 SIZE_MAX);
	assert_not_loaded("slip_option_far", message);
}

#define IN_FOLDER(test) \
	cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
	const struct CMUnitTest module[] = {
		cmocka_unit_test(a_good_plugin_is_loaded_with_all_it_says),
		cmocka_unit_test(a_step_of_a_loaded_plugin_runs),
		cmocka_unit_test(
			a_plugin_loaded_twice_survives_the_first_unloading),
		cmocka_unit_test(
			a_module_unloaded_is_empty_and_may_be_unloaded_again),
		IN_FOLDER(a_path_without_a_slash_is_in_the_working_folder),
		cmocka_unit_test(
			two_plugins_with_a_function_of_one_name_each_use_their_own),
		cmocka_unit_test(a_stage_of_an_older_minor_ends_in_zeros),
		cmocka_unit_test(options_of_an_older_minor_end_in_zeros),
		cmocka_unit_test(a_source_of_an_older_minor_ends_in_zeros),
		cmocka_unit_test(a_sink_of_an_older_minor_ends_in_zeros),
		cmocka_unit_test(an_undefined_symbol_gives_the_linkers_words),
		cmocka_unit_test(a_file_that_fails_the_check_is_not_loaded),
		cmocka_unit_test(the_plugin_behind_the_slips_is_sane),
		cmocka_unit_test(a_slip_of_the_author_is_said_in_words),
		cmocka_unit_test(sizes_that_depend_on_the_machine_are_said_too),
	};

	return cmocka_run_group_tests(module, NULL, NULL);
}
