/* SPDX-License-Identifier: MIT */
/* Options: values of every type, where they come from, and every complaint. */
#include "base/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/names.h"

struct state {
	bool loop;
	int64_t size;
	int64_t offset;
	double rate;
	const char *label;
	const char *input;
	int kernel;
	uint64_t memory;
	int64_t timeout;
	struct sl_ip address;
	struct sl_prefix inside;
	uint16_t nic;
	struct sl_list prefixes;
	struct sl_list forwards;
	struct sl_list weights;
};

static const char *const kernels[] = { "nqueens", "spin", NULL };

static const struct sl_option rows[] = {
	{ .name = "loop",
	  .type = SL_BOOL,
	  .offset = offsetof(struct state, loop) },
	{ .name = "size",
	  .type = SL_INT,
	  .default_text = "8",
	  .offset = offsetof(struct state, size),
	  .min = 1,
	  .max = 16,
	  .unit = "queens" },
	{ .name = "offset",
	  .type = SL_INT,
	  .offset = offsetof(struct state, offset),
	  .min = 0,
	  .max = INT64_MAX },
	{ .name = "rate",
	  .type = SL_FLOAT,
	  .default_text = "0.5",
	  .offset = offsetof(struct state, rate),
	  .float_min = 0,
	  .float_max = 1 },
	{ .name = "label",
	  .type = SL_STRING,
	  .offset = offsetof(struct state, label) },
	{ .name = "input",
	  .type = SL_PATH,
	  .default_text = "trace.txt",
	  .offset = offsetof(struct state, input) },
	{ .name = "kernel",
	  .type = SL_ENUM,
	  .default_text = "spin",
	  .offset = offsetof(struct state, kernel),
	  .choices = kernels },
	{ .name = "memory",
	  .type = SL_SIZE,
	  .default_text = "64KiB",
	  .offset = offsetof(struct state, memory),
	  .min = 1024,
	  .max = INT64_C(1) << 30 },
	{ .name = "timeout",
	  .type = SL_DURATION,
	  .default_text = "5 s",
	  .offset = offsetof(struct state, timeout),
	  .min = 0,
	  .max = INT64_C(60000000000) },
	{ .name = "address",
	  .type = SL_ADDRESS,
	  .offset = offsetof(struct state, address) },
	{ .name = "inside",
	  .type = SL_PREFIX,
	  .offset = offsetof(struct state, inside) },
	{ .name = "nic",
	  .type = SL_INTERFACE,
	  .offset = offsetof(struct state, nic) },
	{ .name = "prefixes",
	  .type = SL_LIST,
	  .element = SL_PREFIX,
	  .offset = offsetof(struct state, prefixes),
	  .default_text = "[ \"10.0.0.0/8\", \"172.16.0.0/12\" ]" },
	{ .name = "forwards",
	  .type = SL_LIST,
	  .element = SL_LIST,
	  .inner = SL_STRING,
	  .offset = offsetof(struct state, forwards) },
	{ .name = "weights",
	  .type = SL_LIST,
	  .element = SL_INT,
	  .offset = offsetof(struct state, weights),
	  .min = 1,
	  .max = 9 },
};

static const char *const reserved[] = { "plugin", "name", NULL };

/* Everything that a reading needs, and what came out of it. */
struct fixture {
	config_t tree;
	struct sl_arena arena;
	struct sl_problems problems;
	struct sl_names *nics;
	struct sl_option_table table;
	struct state state;
};

static int given_a_table(void **fixture)
{
	struct fixture *made = calloc(1, sizeof(*made));

	if (!made)
		return -1;
	config_init(&made->tree);
	made->nics = sl_names_create();
	made->table =
		(struct sl_option_table){ rows, sizeof(rows) / sizeof(rows[0]),
					  sizeof(rows[0]) };
	*fixture = made;
	return !made->nics;
}

static int drop(void **fixture)
{
	struct fixture *made = *fixture;

	config_destroy(&made->tree);
	sl_arena_finish(&made->arena);
	sl_problems_finish(&made->problems);
	sl_names_destroy(made->nics);
	free(made);
	return 0;
}

static void read_with(struct fixture *fixture, const char *group,
		      struct sl_override *overrides, size_t count)
{
	const struct sl_option_reader reader = {
		.who = "stage \"nat\"",
		.file = "p.conf",
		.folder = "conf/",
		.line = 1,
		.reserved = reserved,
		.nics = fixture->nics,
		.arena = &fixture->arena,
		.problems = &fixture->problems,
	};
	const config_setting_t *root = NULL;

	sl_problems_finish(&fixture->problems);
	memset(&fixture->state, 0, sizeof(fixture->state));
	if (group) {
		assert_int_equal(config_read_string(&fixture->tree, group),
				 CONFIG_TRUE);
		root = config_root_setting(&fixture->tree);
	}
	sl_options_read(&fixture->table, root, overrides, count, "nat",
			"source", &reader, &fixture->state);
}

/* The problems, one a line, must be @p expected ("" for none). */
static void expect(const struct fixture *fixture, const char *expected)
{
	char all[4096] = "";
	size_t used = 0;

	for (size_t at = 0; at < fixture->problems.count; at++) {
		char *text = sl_problems_text(&fixture->problems, at);
		size_t length = strlen(text);

		assert_true(used + length + 2 < sizeof(all));
		if (used > 0)
			all[used++] = '\n';
		memcpy(all + used, text, length + 1);
		used += length;
		free(text);
	}
	assert_string_equal(all, expected);
	assert_false(fixture->problems.incomplete);
}

static void every_type_is_read_from_a_group(void **state)
{
	struct fixture *fixture = *state;
	const struct state *got = &fixture->state;
	char text[SL_ADDRESS_TEXT];

	read_with(fixture,
		  "plugin = \"nat\"; name = \"n1\"; loop = true; size = 16L;\n"
		  "offset = 0x10; rate = 1; label = \"a b\"; input = \"t.txt\";"
		  "kernel = \"nqueens\"; memory = 2048; timeout = \"1.5 s\";\n"
		  "address = \"010.1.2.3\"; inside = \"2001:db8::/32\";\n"
		  "nic = \"eth3\"; prefixes = ( \"10.0.0.0/8\" );\n"
		  "forwards = ( ( \"udp\", \"x\" ), [ \"tcp\" ], ( ) );\n"
		  "weights = [ 1, 2, 9 ];",
		  NULL, 0);
	expect(fixture, "");
	assert_true(got->loop);
	assert_int_equal(got->size, 16);
	assert_int_equal(got->offset, 16);
	assert_true(got->rate >= 1 && got->rate <= 1);
	assert_string_equal(got->label, "a b");
	assert_string_equal(got->input, "conf/t.txt");
	assert_int_equal(got->kernel, 0);
	assert_int_equal(got->memory, 2048);
	assert_int_equal(got->timeout, 1500000000);
	assert_int_equal(got->address.version, 4);
	assert_int_equal(got->address.address.v4, 0x0a010203);
	sl_prefix_format(&got->inside, text);
	assert_string_equal(text, "2001:db8::/32");
	assert_string_equal(sl_names_text(fixture->nics, got->nic, NULL),
			    "eth3");
	assert_int_equal(got->prefixes.count, 1);
	assert_int_equal(got->prefixes.values[0].prefix.length, 8);
	assert_string_equal(got->prefixes.values[0].file, "p.conf");
	assert_int_equal(got->prefixes.values[0].line, 4);
	assert_int_equal(got->forwards.count, 3);
	assert_int_equal(got->forwards.values[0].list.count, 2);
	assert_string_equal(got->forwards.values[0].list.values[1].text, "x");
	assert_string_equal(got->forwards.values[1].list.values[0].text, "tcp");
	assert_int_equal(got->forwards.values[2].list.count, 0);
	assert_int_equal(got->weights.values[2].integer, 9);
}

static void what_is_not_given_has_its_default(void **state)
{
	struct fixture *fixture = *state;
	const struct state *got = &fixture->state;

	read_with(fixture, NULL, NULL, 0);
	expect(fixture, "");
	assert_false(got->loop);
	assert_int_equal(got->size, 8);
	assert_true(got->rate >= 0.5 && got->rate <= 0.5);
	assert_null(got->label);
	assert_string_equal(got->input, "trace.txt");
	assert_int_equal(got->kernel, 1);
	assert_int_equal(got->memory, 65536);
	assert_int_equal(got->timeout, INT64_C(5000000000));
	assert_int_equal(got->address.version, 0);
	assert_int_equal(got->nic, SL_NO_NAME);
	assert_int_equal(got->prefixes.count, 2);
	assert_int_equal(got->prefixes.values[1].prefix.length, 12);
	assert_int_equal(got->forwards.count, 0);
	assert_null(got->forwards.values);
}

static void values_outlive_the_tree_they_were_read_from(void **state)
{
	struct fixture *fixture = *state;

	read_with(fixture, "label = \"kept\"; forwards = ( ( \"x\" ) );", NULL,
		  0);
	config_destroy(&fixture->tree);
	config_init(&fixture->tree);
	assert_string_equal(fixture->state.label, "kept");
	assert_string_equal(
		fixture->state.forwards.values[0].list.values[0].text, "x");
}

/* One setting, and the complaint about it. */
static void a_wrong_value_is_refused_in_words(void **state)
{
	static const struct {
		const char *group, *problem;
	} cases[] = {
		{ "external_adress = 1;",
		  "unknown option \"external_adress\"" },
		{ "sise = 1;", "unknown option \"sise\" (did you mean "
			       "\"size\"?)" },
		{ "plugn = 1;", "unknown option \"plugn\" (did you mean "
				"\"plugin\"?)" },
		{ "loop = 1;",
		  "option \"loop\": an integer given, a boolean wanted" },
		{ "size = 99;", "option \"size\": 99 is out of range 1 to 16 "
				"queens" },
		{ "size = 4294967297L;", "option \"size\": 4294967297 is out "
					 "of range 1 to 16 queens" },
		{ "size = \"x\";",
		  "option \"size\": a string given, an integer wanted" },
		{ "size = 1.0;",
		  "option \"size\": a float given, an integer wanted" },
		{ "size = { };",
		  "option \"size\": a group given, an integer wanted" },
		{ "size = ( 1 );",
		  "option \"size\": a list given, an integer wanted" },
		{ "offset = -1;",
		  "option \"offset\": -1 is out of range: at least 0" },
		{ "rate = 1.5;",
		  "option \"rate\": 1.5 is out of range 0 to 1" },
		{ "rate = 2;", "option \"rate\": 2 is out of range 0 to 1" },
		{ "rate = true;",
		  "option \"rate\": a boolean given, a float wanted" },
		{ "rate = 1e999;", "option \"rate\": the number is too large" },
		{ "label = 7;",
		  "option \"label\": an integer given, a string wanted" },
		{ "input = \"\";", "option \"input\": a path is empty" },
		{ "input = 7;",
		  "option \"input\": an integer given, a path wanted" },
		{ "kernel = \"nqueen\";",
		  "option \"kernel\": \"nqueen\" is none of \"nqueens\", "
		  "\"spin\" (did you mean \"nqueens\"?)" },
		{ "kernel = \"xyz\";", "option \"kernel\": \"xyz\" is none of "
				       "\"nqueens\", \"spin\"" },
		{ "kernel = 1;", "option \"kernel\": an integer given, one of "
				 "\"nqueens\", \"spin\" wanted" },
		{ "memory = \"64K\";", "option \"memory\": \"64K\" is no size "
				       "(like 512, 64 KiB, 2 GB)" },
		{ "memory = -1;", "option \"memory\": -1 is no size (like "
				  "512, 64 KiB, 2 GB)" },
		{ "memory = 1;",
		  "option \"memory\": 1 is out of range 1 KiB to 1 GiB" },
		{ "memory = \"18446744073709551615\";",
		  "option \"memory\": \"18446744073709551615\" is out of "
		  "range 1 KiB to 1 GiB" },
		{ "timeout = 5;", "option \"timeout\": 5 is no duration (like "
				  "10ms, 5 s, 2 min)" },
		{ "timeout = \"2 min\";", "option \"timeout\": \"2 min\" is "
					  "out of range 0 to 1 min" },
		{ "timeout = 1.5;",
		  "option \"timeout\": a float given, a duration (like "
		  "\"10ms\", \"5 s\", \"2 min\") wanted" },
		{ "address = \"10.0.0.300\";",
		  "option \"address\": \"10.0.0.300\" is no IP address" },
		{ "address = 10;",
		  "option \"address\": an integer given, an address wanted" },
		{ "inside = \"10.0.0.1/8\";",
		  "option \"inside\": \"10.0.0.1/8\": host bits are set "
		  "(10.0.0.0/8?)" },
		{ "nic = \"sixteen_letters_\";",
		  "option \"nic\": \"sixteen_letters_\": a name has at most "
		  "15 bytes" },
		{ "nic = \"\";", "option \"nic\": a name is empty" },
		{ "prefixes = \"10.0.0.0/8\";",
		  "option \"prefixes\": \"10.0.0.0/8\" is no list: write "
		  "( \"10.0.0.0/8\" )" },
		{ "weights = 5;",
		  "option \"weights\": 5 is no list: write ( 5 )" },
		{ "weights = { };",
		  "option \"weights\": a group given, a list wanted" },
		{ "weights = [ 1, 10 ];",
		  "option \"weights\": 10 is out of range 1 to 9" },
		{ "forwards = ( \"udp\" );",
		  "option \"forwards\": \"udp\" is no list: write "
		  "( \"udp\" )" },
		{ "forwards = ( ( 7 ) );",
		  "option \"forwards\": an integer given, a string wanted" },
	};

	for (size_t at = 0; at < sizeof(cases) / sizeof(cases[0]); at++) {
		struct fixture *fixture = *state;
		char expected[512];

		snprintf(expected, sizeof(expected),
			 "p.conf:1: stage \"nat\": %s", cases[at].problem);
		read_with(fixture, cases[at].group, NULL, 0);
		expect(fixture, expected);
	}
}

static void all_problems_come_at_once_sorted_by_line(void **state)
{
	struct fixture *fixture = *state;

	read_with(fixture,
		  "\nweights = ( 0,\n 5,\n 77, \"x\" );\nsize = 99;\n"
		  "colour = 1;\nkernel = \"spin\";",
		  NULL, 0);
	expect(fixture,
	       "p.conf:2: stage \"nat\": option \"weights\": 0 is out of "
	       "range 1 to 9\n"
	       "p.conf:4: stage \"nat\": option \"weights\": 77 is out of "
	       "range 1 to 9\n"
	       "p.conf:4: stage \"nat\": option \"weights\": a string given, "
	       "an integer wanted\n"
	       "p.conf:5: stage \"nat\": option \"size\": 99 is out of range "
	       "1 to 16 queens\n"
	       "p.conf:6: stage \"nat\": unknown option \"colour\"");
	/* a bad value leaves the default */
	assert_int_equal(fixture->state.size, 8);
	assert_int_equal(fixture->state.kernel, 1);
}

static void the_files_own_keys_have_no_instance(void **state)
{
	struct fixture *fixture = *state;
	const struct sl_option_reader reader = {
		.who = "",
		.file = "p.conf",
		.folder = "",
		.arena = &fixture->arena,
		.problems = &fixture->problems,
	};

	assert_int_equal(
		config_read_string(&fixture->tree, "size = 0;\nsiz = 1;"),
		CONFIG_TRUE);
	sl_options_read(&fixture->table, config_root_setting(&fixture->tree),
			NULL, 0, "", NULL, &reader, &fixture->state);
	expect(fixture, "p.conf:1: option \"size\": 0 is out of range 1 to 16 "
			"queens\n"
			"p.conf:2: unknown option \"siz\" (did you mean "
			"\"size\"?)");
}

static void an_override_replaces_what_the_file_says(void **state)
{
	struct fixture *fixture = *state;
	const struct state *got = &fixture->state;
	struct sl_override overrides[] = {
		{ "nat", "size", "2", false },
		{ "nat", "size", "0x3", false },
		{ "nat", "loop", "true", false },
		{ "source", "offset", "4294967296", false },
		{ "nat", "rate", "0.25", false },
		{ "nat", "label", "\"in quotes\"", false },
		{ "nat", "input", "t.txt", false },
		{ "nat", "memory", "1MiB", false },
		{ "nat", "timeout", "0", false },
		{ "nat", "address", "::1", false },
		{ "nat", "prefixes", "( \"10.1.0.0/16\" )", false },
		{ "nat", "weights", "[]", false },
		{ "other", "size", "x", false },
	};

	read_with(fixture, "size = \"bad, but replaced\"; input = \"u\";",
		  overrides, sizeof(overrides) / sizeof(overrides[0]));
	expect(fixture, "");
	assert_int_equal(got->size, 3);
	assert_true(got->loop);
	assert_int_equal(got->offset, INT64_C(4294967296));
	assert_true(got->rate >= 0.25 && got->rate <= 0.25);
	assert_string_equal(got->label, "in quotes");
	assert_string_equal(got->input, "t.txt");
	assert_int_equal(got->memory, 1048576);
	assert_int_equal(got->timeout, 0);
	assert_int_equal(got->address.version, 6);
	assert_int_equal(got->prefixes.count, 1);
	assert_string_equal(got->prefixes.values[0].file,
			    "--set nat.prefixes=( \"10.1.0.0/16\" )");
	assert_int_equal(got->prefixes.values[0].line, 0);
	assert_int_equal(got->weights.count, 0);
	for (size_t at = 0; at < 12; at++)
		assert_true(overrides[at].used);
	assert_false(overrides[12].used);
}

static void a_wrong_override_is_named_as_it_was_written(void **state)
{
	static const struct {
		const char *option, *value, *problem;
	} cases[] = {
		{ "timeout", "x",
		  "option \"timeout\": \"x\" is no duration "
		  "(like 10ms, 5 s, 2 min)" },
		{ "size", "99",
		  "option \"size\": 99 is out of range 1 to 16 "
		  "queens" },
		{ "size", "9x",
		  "option \"size\": \"9x\" is no integer of 64 "
		  "bits" },
		{ "size", "",
		  "option \"size\": \"\" is no integer of 64 "
		  "bits" },
		{ "size", "0x",
		  "option \"size\": \"0x\" is no integer of 64 "
		  "bits" },
		{ "size", "99999999999999999999",
		  "option \"size\": \"99999999999999999999\" is no integer of "
		  "64 bits" },
		{ "loop", "yes",
		  "option \"loop\": \"yes\" is neither true "
		  "nor false" },
		{ "rate", "nan", "option \"rate\": \"nan\" is no number" },
		{ "rate", "0x1", "option \"rate\": \"0x1\" is no number" },
		{ "rate", "1e", "option \"rate\": \"1e\" is no number" },
		{ "rate", "1e999",
		  "option \"rate\": the number is too "
		  "large" },
		{ "siz", "1",
		  "unknown option \"siz\" (did you mean "
		  "\"size\"?)" },
		{ "plugin", "x", "\"plugin\" can be set in the file alone" },
		{ "weights", "5",
		  "option \"weights\": \"5\" is no list: "
		  "write ( \"5\" )" },
		{ "weights", "( 5",
		  "option \"weights\": not a list, like "
		  "( 1, 2 ) or [ \"a\", \"b\" ]: syntax "
		  "error" },
		{ "weights", "( 5 ); size = 1",
		  "option \"weights\": not a list, like ( 1, 2 ) or "
		  "[ \"a\", \"b\" ]: more stands behind it" },
		{ "weights", "( 4294967297 )",
		  "option \"weights\": 4294967297 does not fit in 32 bits: "
		  "write 4294967297L" },
		{ "weights", "( \"",
		  "option \"weights\": a string does not "
		  "end" },
		{ "weights", "( 1, 77 )",
		  "option \"weights\": 77 is out of "
		  "range 1 to 9" },
	};

	for (size_t at = 0; at < sizeof(cases) / sizeof(cases[0]); at++) {
		struct sl_override override = { "nat", cases[at].option,
						cases[at].value, false };
		char expected[512];

		snprintf(expected, sizeof(expected),
			 "--set nat.%s=%s: stage \"nat\": %s", cases[at].option,
			 cases[at].value, cases[at].problem);
		read_with(*state, NULL, &override, 1);
		expect(*state, expected);
		assert_true(override.used);
	}
}

static void a_list_from_the_command_line_includes_no_file(void **state)
{
	struct sl_override override = { "nat", "weights",
					"(\n@include \"/tmp\"\n)", false };

	read_with(*state, NULL, &override, 1);
	expect(*state,
	       "--set nat.weights=(?@include \"/tmp\"?): stage \"nat\": "
	       "option \"weights\": nothing can be included here");
}

static void a_required_option_is_missed_where_the_group_starts(void **state)
{
	static const struct sl_option required[] = {
		{ .name = "external_address",
		  .type = SL_ADDRESS,
		  .required = true,
		  .offset = offsetof(struct state, address) },
	};
	struct fixture *fixture = *state;
	struct sl_override override = { "nat", "external_address", "1.2.3.4",
					false };

	fixture->table =
		(struct sl_option_table){ required, 1, sizeof(required[0]) };
	read_with(fixture, "\n\nplugin = \"nat\";", NULL, 0);
	expect(fixture, "p.conf:1: stage \"nat\": option "
			"\"external_address\" is missing");
	read_with(fixture, "external_adress = \"1.2.3.4\";", &override, 1);
	expect(fixture, "p.conf:1: stage \"nat\": unknown option "
			"\"external_adress\" (did you mean "
			"\"external_address\"?)");
	assert_int_equal(fixture->state.address.address.v4, 0x01020304);
}

static void a_wrong_default_is_reported_as_such(void **state)
{
	static const struct sl_option wrong[] = {
		{ .name = "size",
		  .type = SL_INT,
		  .default_text = "17",
		  .max = 16,
		  .offset = offsetof(struct state, size) },
	};
	struct fixture *fixture = *state;

	fixture->table = (struct sl_option_table){ wrong, 1, sizeof(wrong[0]) };
	read_with(fixture, NULL, NULL, 0);
	expect(fixture, "p.conf:1: stage \"nat\": option \"size\": default: "
			"17 is out of range 0 to 16");
}

static void paths_start_at_the_configurations_folder(void **state)
{
	static const struct {
		const char *group, *path;
	} cases[] = {
		{ "input = \"t.txt\";", "conf/t.txt" },
		{ "input = \"../t.txt\";", "conf/../t.txt" },
		{ "input = \"/t.txt\";", "/t.txt" },
		{ "input = \"-\";", "-" },
		{ "", "trace.txt" },
	};

	for (size_t at = 0; at < sizeof(cases) / sizeof(cases[0]); at++) {
		struct fixture *fixture = *state;

		read_with(fixture, cases[at].group, NULL, 0);
		expect(fixture, "");
		assert_string_equal(fixture->state.input, cases[at].path);
	}
}

/* A row as it was before `choices`: nothing behind it may be read. */
struct old_row {
	const char *name;
	enum sl_option_type type, element, inner;
	bool required;
	size_t offset;
	const char *default_text;
};

static void the_shorter_rows_of_an_older_plugin_are_read(void **state)
{
	struct fixture *fixture = *state;
	struct old_row old[2];

	old[0] = (struct old_row){ .name = "size",
				   .type = SL_INT,
				   .offset = offsetof(struct state, size),
				   .default_text = "99" };
	old[1] = (struct old_row){ .name = "label",
				   .type = SL_STRING,
				   .offset = offsetof(struct state, label) };
	fixture->table = (struct sl_option_table){
		(const struct sl_option *)(const void *)old, 2, sizeof(old[0])
	};
	assert_string_equal(sl_option_row(&fixture->table, 1).name, "label");
	assert_null(sl_option_row(&fixture->table, 1).help);
	read_with(fixture, "label = \"x\"; size = 100;", NULL, 0);
	expect(fixture, "");
	assert_int_equal(fixture->state.size, 100);
	assert_string_equal(fixture->state.label, "x");
}

static void an_unknown_type_is_a_problem_not_a_crash(void **state)
{
	static const struct sl_option odd[] = {
		{ .name = "size", .type = (enum sl_option_type)99 },
		{ .name = "list", .type = SL_LIST },
	};
	struct fixture *fixture = *state;

	fixture->table = (struct sl_option_table){ odd, 2, sizeof(odd[0]) };
	read_with(fixture, "size = 1; list = ( 1 );", NULL, 0);
	expect(fixture, "p.conf:1: stage \"nat\": option \"size\": its type "
			"is unknown (99)\n"
			"p.conf:1: stage \"nat\": option \"list\": its type "
			"is unknown (0)");
	assert_string_equal(sl_option_type_word(odd[0].type), "unknown");
	assert_string_equal(sl_option_type_word(SL_DURATION), "duration");
}

#define SPEC(test) cmocka_unit_test_setup_teardown(test, given_a_table, drop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SPEC(every_type_is_read_from_a_group),
		SPEC(what_is_not_given_has_its_default),
		SPEC(values_outlive_the_tree_they_were_read_from),
		SPEC(a_wrong_value_is_refused_in_words),
		SPEC(all_problems_come_at_once_sorted_by_line),
		SPEC(the_files_own_keys_have_no_instance),
		SPEC(an_override_replaces_what_the_file_says),
		SPEC(a_wrong_override_is_named_as_it_was_written),
		SPEC(a_list_from_the_command_line_includes_no_file),
		SPEC(a_required_option_is_missed_where_the_group_starts),
		SPEC(a_wrong_default_is_reported_as_such),
		SPEC(paths_start_at_the_configurations_folder),
		SPEC(the_shorter_rows_of_an_older_plugin_are_read),
		SPEC(an_unknown_type_is_a_problem_not_a_crash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
