/* SPDX-License-Identifier: MIT */
/* Configuration files: what is refused, and where everything stood. */
#include "base/config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Each test has a folder of its own, which goes with its files. */
struct folder {
	char path[64];
	struct sl_arena paths;
};

static int given_a_folder(void **state)
{
	struct folder *folder = calloc(1, sizeof(*folder));

	*state = folder;
	snprintf(folder->path, sizeof(folder->path), "/tmp/test_config.XXXXXX");
	return !mkdtemp(folder->path);
}

static int drop(void **state)
{
	struct folder *folder = *state;
	DIR *files = opendir(folder->path);
	struct dirent *file;

	if (!files)
		return -1;
	while ((file = readdir(files)) != NULL)
		unlinkat(dirfd(files), file->d_name, 0);
	closedir(files);
	rmdir(folder->path);
	sl_arena_finish(&folder->paths);
	free(folder);
	return 0;
}

/* @return the path of a new file. */
static const char *write_bytes(struct folder *folder, const char *name,
			       const char *bytes, size_t length)
{
	const char *path =
		sl_arena_printf(&folder->paths, "%s/%s", folder->path, name);
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
	return path;
}

static const char *write_text(struct folder *folder, const char *name,
			      const char *text)
{
	return write_bytes(folder, name, text, strlen(text));
}

static void refused(const char *path, enum sl_code code, const char *input,
		    int line, const char *message)
{
	struct sl_config config;
	struct sl_error error = { 0 };

	assert_int_equal(sl_config_init(&config, path, &error), code);
	assert_string_equal(error.message, message);
	assert_string_equal(error.input, input);
	assert_int_equal(error.input_line, line);
	assert_int_equal(sl_config_init(&config, path, NULL), code);
}

static void settings_know_their_file_and_line(void **state)
{
	struct sl_config config;
	const char *path = write_text(*state, "p.conf",
				      "# a comment\n"
				      "workers = 4;\n"
				      "stages = (\n"
				      "  { plugin = \"nat\";\n"
				      "    size = 0x10; }\n"
				      ");\n# no newline at the end");
	const config_setting_t *size;

	assert_int_equal(sl_config_init(&config, path, NULL), SL_OK);
	assert_string_equal(config.path, path);
	assert_int_equal(strlen(config.folder),
			 strlen(((struct folder *)*state)->path) + 1);
	size = config_lookup(&config.tree, "stages.[0].size");
	assert_int_equal(config_setting_get_int(size), 16);
	assert_int_equal(config_setting_source_line(size), 5);
	assert_string_equal(sl_config_file(&config, size), path);
	sl_config_finish(&config);
}

static void an_element_has_the_line_where_it_starts(void **state)
{
	static const unsigned lines[] = { 2, 3, 5, 7, 8 };
	struct sl_config config;
	const char *path = write_text(*state, "p.conf",
				      "list = ( \n"
				      "\"a\"\n"
				      ", \"b\" /* x */ \"c\"\n"
				      " \"d\",\n"
				      "7,\n"
				      "\n"
				      "\"e\",\n"
				      "\"f\"\n"
				      "\n"
				      ");\n");
	const config_setting_t *list;

	assert_int_equal(sl_config_init(&config, path, NULL), SL_OK);
	list = config_lookup(&config.tree, "list");
	assert_int_equal(config_setting_length(list), 5);
	for (unsigned at = 0; at < 5; at++)
		assert_int_equal(config_setting_source_line(
					 config_setting_get_elem(list, at)),
				 lines[at]);
	assert_string_equal(config_setting_get_string_elem(list, 1), "bcd");
	sl_config_finish(&config);
}

static void an_included_file_has_lines_of_its_own(void **state)
{
	static const struct {
		const char *name, *file;
		unsigned line;
	} rows[] = {
		{ "before", "p.conf", 1 },     { "inner.x", "i.conf", 2 },
		{ "inner.deep", "j.conf", 1 }, { "inner.y", "i.conf", 4 },
		{ "inner.rest", "p.conf", 3 }, { "after", "p.conf", 6 },
		{ "last", "j.conf", 1 },
	};
	struct folder *folder = *state;
	struct sl_config config;
	char text[256];
	const char *path, *absolute;

	absolute = write_text(folder, "k.conf", "last = 1");
	write_text(folder, "i.conf",
		   "# nothing\nx = 1;\n  @include\t\"j.conf\"\ny = 2;");
	write_text(folder, "j.conf", "deep = 3;");
	snprintf(text, sizeof(text),
		 "before = 1; inner: {\n"
		 "// @include \"none.conf\"\n"
		 "@include \"i.conf\" rest = 5; text = \"\n"
		 "@include \\\"none.conf\\\"\"; };\n"
		 "@include \"%s\"\nafter = 1;",
		 absolute);
	path = write_text(folder, "p.conf", text);
	assert_int_equal(sl_config_init(&config, path, NULL), SL_OK);
	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]) - 1; at++) {
		const config_setting_t *setting =
			config_lookup(&config.tree, rows[at].name);
		char file[128];

		assert_non_null(setting);
		snprintf(file, sizeof(file), "%s/%s", folder->path,
			 rows[at].file);
		assert_string_equal(sl_config_file(&config, setting), file);
		assert_int_equal(config_setting_source_line(setting),
				 rows[at].line);
	}
	assert_string_equal(
		sl_config_file(&config, config_lookup(&config.tree, "last")),
		absolute);
	sl_config_finish(&config);
}

#define SYNTAX_ERROR \
	"syntax error (is a ',' or ';' missing before it, a text without " \
	"quotes, or a list of groups in [ ] and not ( )?)"

static void a_syntax_error_says_where(void **state)
{
	static const struct {
		const char *text;
		int line;
		const char *message;
	} rows[] = {
		{ "a = 1;\nb = ;\n", 2, SYNTAX_ERROR },
		{ "a = 1;\na = 2;\n", 2, "duplicate setting name" },
		{ "g: { a = 1;\n\na = 2; };", 3, "duplicate setting name" },
		{ "a = [ 1,\n\"x\" ];", 2, "mismatched element type in array" },
		{ "a = 1;\n\ns = \"x\ny", 3, "this string does not end" },
		{ "a = 1;\n/* x\ny", 2, "this comment does not end" },
		{ "x = 1; @include \"p.conf\"", 1, SYNTAX_ERROR },
		{ "{", 1, SYNTAX_ERROR },
		{ "s = wan;", 1, SYNTAX_ERROR },
		{ "s = [ { a = 1; } ];", 1, SYNTAX_ERROR },
		{ "", 0, "there is no setting in it" },
		{ "# nothing\n", 0, "there is no setting in it" },
	};

	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++) {
		struct folder *folder = *state;
		const char *path = write_text(folder, "p.conf", rows[at].text);

		refused(path, SL_EINVAL, path, rows[at].line, rows[at].message);
	}
}

static void a_syntax_error_in_an_included_file_says_where(void **state)
{
	struct folder *folder = *state;
	const char *included = write_text(folder, "i.conf", "\n\nx = ;");
	const char *path =
		write_text(folder, "p.conf", "a = 1;\n@include \"i.conf\"\n");

	refused(path, SL_EINVAL, included, 3, SYNTAX_ERROR);
}

static void an_integer_that_would_wrap_is_refused(void **state)
{
	static const struct {
		const char *number, *message; /* NULL: it fits */
	} rows[] = {
		{ "2147483647", NULL },
		{ "-2147483648", NULL },
		{ "0x7fffffff", NULL },
		{ "000000000000000000000000000001", NULL },
		{ "4294967296L", NULL },
		{ "9223372036854775807L", NULL },
		{ "-9223372036854775808LL", NULL },
		{ "0x7FFFFFFFFFFFFFFFL", NULL },
		{ "4294967296.0", NULL },
		{ "4294967296e0", NULL },
		{ "\"4294967296\"", NULL },
		{ "1 /* 4294967296 */", NULL },
		{ "1; a4294967296 = 1", NULL },
		{ "1 # 4294967296", NULL },
		{ "4294967296", "4294967296 does not fit in 32 bits: write "
				"4294967296L" },
		{ "2147483648", "2147483648 does not fit in 32 bits: write "
				"2147483648L" },
		{ "-2147483649", "-2147483649 does not fit in 32 bits: write "
				 "-2147483649L" },
		{ "0xFFFFFFFF", "0xFFFFFFFF does not fit in 32 bits: write "
				"0xFFFFFFFFL" },
		{ "( 1, 2, 4294967297 )", "4294967297 does not fit in 32 "
					  "bits: write 4294967297L" },
		{ "9223372036854775808L",
		  "9223372036854775808L does not fit in 64 bits" },
		{ "-9223372036854775809L",
		  "-9223372036854775809L does not fit in 64 bits" },
		{ "0x8000000000000000L",
		  "0x8000000000000000L does not fit in 64 bits" },
		{ "99999999999999999999",
		  "99999999999999999999 does not fit in 64 bits" },
	};
	struct folder *folder = *state;
	struct sl_config config;
	char text[256], number[64];

	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++) {
		int line = rows[at].message ? 3 : 0;
		const char *path;

		snprintf(text, sizeof(text), "a = 1;\n\nb = %s;\nc = 1;",
			 rows[at].number);
		path = write_text(folder, "p.conf", text);
		assert_int_equal(
			sl_config_scan_integers(text, strlen(text), number),
			line);
		if (rows[at].message) {
			refused(path, SL_EINVAL, path, 3, rows[at].message);
		} else {
			assert_int_equal(sl_config_init(&config, path, NULL),
					 SL_OK);
			sl_config_finish(&config);
		}
	}
}

static void a_wide_integer_in_an_included_file_is_refused(void **state)
{
	const char *included =
		write_text(*state, "i.conf", "x = 1;\ny = 4294967296;");
	const char *path =
		write_text(*state, "p.conf", "@include \"i.conf\"\n");

	refused(path, SL_EINVAL, included, 2,
		"4294967296 does not fit in 32 bits: write 4294967296L");
}

static void what_cannot_be_read_is_said_and_named(void **state)
{
	struct folder *folder = *state;
	char path[128], message[256];
	const char *file;

	refused("/nonexistent/p.conf", SL_EIO, "/nonexistent/p.conf", 0,
		"cannot open: No such file or directory");
	refused(folder->path, SL_EIO, folder->path, 0,
		"cannot read: Is a directory");
	file = write_text(folder, "p.conf", "a = 1;\n@include \"no.conf\"\n");
	snprintf(message, sizeof(message),
		 "cannot open \"%s/no.conf\": No such file or directory",
		 folder->path);
	refused(file, SL_EIO, file, 2, message);
	snprintf(path, sizeof(path), "%s/.", folder->path);
	file = write_text(folder, "q.conf", "@include \".\"\n");
	refused(file, SL_EIO, path, 0, "cannot read: Is a directory");
	file = write_bytes(folder, "r.conf", "a = 1;\nb\0c", 10);
	refused(file, SL_EINVAL, file, 2,
		"a NUL byte: this is no configuration");
}

static void a_file_that_includes_itself_is_refused(void **state)
{
	struct folder *folder = *state;
	struct sl_config config;
	struct sl_error error;
	const char *path =
		write_text(folder, "p.conf", "@include \"p.conf\"\n");

	assert_int_equal(sl_config_init(&config, path, &error), SL_EINVAL);
	assert_string_equal(error.input, path);
	assert_int_equal(error.input_line, 1);
	assert_non_null(strstr(error.message, "at most 10 files deep"));
}

static void garbage_of_any_size_is_an_error(void **state)
{
	struct folder *folder = *state;
	const size_t length = 17u << 20;
	char *bytes = malloc(length);
	const char *path;

	assert_non_null(bytes);
	memset(bytes, '(', length);
	path = write_bytes(folder, "p.conf", bytes, length);
	refused(path, SL_EINVAL, path, 0, "a configuration has at most 16 MiB");
	memcpy(bytes, "a = ", 4);
	path = write_bytes(folder, "q.conf", bytes, 1u << 20);
	refused(path, SL_EINVAL, path, 1, "too many brackets are open");
	memset(bytes, '$', 1u << 20);
	path = write_bytes(folder, "r.conf", bytes, 1u << 20);
	refused(path, SL_EINVAL, path, 1, SYNTAX_ERROR);
	memset(bytes, '7', 1u << 20);
	memcpy(bytes, "a = ", 4);
	path = write_bytes(folder, "s.conf", bytes, 1u << 20);
	refused(path, SL_EINVAL, path, 1,
		"77777777777777777777777777777777777777777777777777777777"
		"7777... does not fit in 64 bits");
	free(bytes);
}

static void a_dash_is_standard_input(void **state)
{
	struct sl_config config;
	const char *path = write_text(*state, "p.conf", "a = 5;");

	assert_non_null(freopen(path, "r", stdin));
	assert_int_equal(sl_config_init(&config, "-", NULL), SL_OK);
	assert_string_equal(config.folder, "");
	assert_string_equal(
		sl_config_file(&config, config_lookup(&config.tree, "a")), "-");
	sl_config_finish(&config);
}

static void refused_text(const char *text, size_t length, int line,
			 const char *message)
{
	struct sl_config config;
	struct sl_error error = { 0 };

	assert_int_equal(
		sl_config_init_text(&config, "x.conf", text, length, &error),
		SL_EINVAL);
	assert_string_equal(error.message, message);
	assert_string_equal(error.input, "x.conf");
	assert_int_equal(error.input_line, line);
}

static void a_text_needs_no_file(void **state)
{
	static const char text[] = "a = 5;\nb = \"x\";garbage";
	struct sl_config config;
	const config_setting_t *b;

	(void)state;
	assert_int_equal(
		sl_config_init_text(&config, "HEAD:x.conf", text, 15, NULL),
		SL_OK);
	b = config_lookup(&config.tree, "b");
	assert_string_equal(config_setting_get_string(b), "x");
	assert_int_equal(config_setting_source_line(b), 2);
	assert_string_equal(sl_config_file(&config, b), "HEAD:x.conf");
	assert_string_equal(config.folder, "");
	sl_config_finish(&config);
}

static void a_text_is_scanned_as_a_file_is(void **state)
{
	(void)state;
	refused_text("a = 1;\nb = 3000000000;\n", 23, 2,
		     "3000000000 does not fit in 32 bits: write 3000000000L");
	refused_text("a = 1;\n\0", 8, 2,
		     "a NUL byte: this is no configuration");
	refused_text("\na = \"", 6, 2, "this string does not end");
	refused_text("", 0, 0, "there is no setting in it");
}

static void a_text_includes_nothing(void **state)
{
	static const char text[] = "a = 1;\n@include \"/etc/passwd\"\n";

	(void)state;
	refused_text(text, sizeof(text) - 1, 2,
		     "this configuration cannot include another file");
}

#define SPEC(test) cmocka_unit_test_setup_teardown(test, given_a_folder, drop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SPEC(settings_know_their_file_and_line),
		SPEC(an_element_has_the_line_where_it_starts),
		SPEC(an_included_file_has_lines_of_its_own),
		SPEC(a_syntax_error_says_where),
		SPEC(a_syntax_error_in_an_included_file_says_where),
		SPEC(an_integer_that_would_wrap_is_refused),
		SPEC(a_wide_integer_in_an_included_file_is_refused),
		SPEC(what_cannot_be_read_is_said_and_named),
		SPEC(a_file_that_includes_itself_is_refused),
		SPEC(garbage_of_any_size_is_an_error),
		SPEC(a_dash_is_standard_input),
		cmocka_unit_test(a_text_needs_no_file),
		cmocka_unit_test(a_text_is_scanned_as_a_file_is),
		cmocka_unit_test(a_text_includes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
