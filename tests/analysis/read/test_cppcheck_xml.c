/* SPDX-License-Identifier: MIT */
/* cppcheck's XML: findings, endings, encodings, hostile documents. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "xml_reading.h"

#define HEAD \
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" \
	"<results version=\"2\">\n" \
	"    <cppcheck version=\"2.10\"/>\n" \
	"    <errors>\n"
#define TAIL "    </errors>\n</results>\n"
#define ERROR(id, message) \
	"<error id=\"" id "\" severity=\"error\" msg=\"" message "\">" \
	"<location file=\"a.c\" line=\"1\" column=\"2\"/></error>\n"
#define READ(id, message) \
	"cppcheck " id " a.c:1:2 - error=error cwe 0 unit -: " message "\n"

static const struct sg_format *const format = &sg_format_cppcheck_xml;

static const char two[] = HEAD
	"<error id=\"nullPointer\" severity=\"warning\" msg=\"Possible null "
	"pointer: p &amp; q\" verbose=\"long\" cwe=\"476\" "
	"inconclusive=\"true\" file0=\"src/a.c\">\n"
	"<location file=\"src/a.h\" line=\"5\" column=\"9\" info=\"here\"/>\n"
	"<location file=\"src/a.c\" line=\"3\" column=\"2\" "
	"info=\"Assignment &apos;p=0&apos;\"/>\n"
	"<symbol>p</symbol>\n</error>\n"
	"<error id=\"toomanyconfigs\" severity=\"information\" msg=\"Too "
	"many\"/>\n" TAIL;

static const char two_read[] =
	"cppcheck nullPointer src/a.h:5:9 - warning=warning cwe 476 "
	"inconclusive unit src/a.c: Possible null pointer: p & q\n"
	"+ src/a.c:3:2 - Assignment 'p=0'\n"
	"cppcheck toomanyconfigs -:0:0 - information=info cwe 0 unit -: Too "
	"many\n";

static void assert_text(const char *document, const char *expected,
			enum sg_ending_kind kind)
{
	assert_reads(format, document, strlen(document), expected, kind);
}

static void the_first_location_is_the_place_and_the_others_are_events(void **u)
{
	(void)u;
	assert_text(two, two_read, SG_COMPLETE);
	assert_cuts_break_off(format, two);
}

static void version_1_has_the_place_in_the_error(void **unused)
{
	static const char document[] =
		"<?xml version=\"1.0\"?>\n<results>\n"
		"<error file=\"a\\b.c\" line=\"24\" id=\"Xid\" "
		"severity=\"possible style\" msg=\"m\"/>\n</results>";

	(void)unused;
	assert_text(document,
		    "cppcheck Xid a\\b.c:24:0 - possible style=unknown cwe 0 "
		    "unit -: m\n",
		    SG_COMPLETE);
	assert_cuts_break_off(format, document);
}

static void an_error_that_stopped_cppcheck_makes_the_run_a_failed_one(void **u)
{
	static const char *const documents[] = {
		HEAD ERROR("syntaxError", "m") TAIL,
		HEAD ERROR("internalError", "m") TAIL,
		HEAD ERROR("cppcheckError", "m") TAIL,
		HEAD ERROR("preprocessorErrorDirective", "m") TAIL,
		HEAD ERROR("unknownMacro", "m") TAIL,
	};

	(void)u;
	for (size_t at = 0; at < sizeof(documents) / sizeof(documents[0]);
	     at++) {
		struct reading reading;

		reading_init(&reading, format, documents[at],
			     strlen(documents[at]), SIZE_MAX);
		assert_int_equal(reading.ending.kind, SG_TOOL_FAILED);
		assert_int_equal(reading.ending.findings, 1);
		assert_non_null(strstr(reading.ending.message, ": m"));
		reading_finish(&reading);
	}
}

static void illegal_bytes_are_replaced_and_cost_no_finding(void **unused)
{
	static const char document[] = HEAD ERROR(
		"a", "\x01<NUL>\xff\xc3\xe2\x82 \xed\xa0\x80 \xc3\xa4") TAIL;
	char bytes[sizeof(document)];
	char *nul;
	size_t length = sizeof(document) - 1;

	(void)unused;
	memcpy(bytes, document, sizeof(document));
	nul = strstr(bytes, "<NUL>");
	*nul = '\0';
	memmove(nul + 1, nul + 5, length - (size_t)(nul + 5 - bytes));
	assert_reads(format, bytes, length - 4,
		     READ("a", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF"
			       "\xBD\xEF\xBF\xBD\xEF\xBF\xBD \xEF\xBF\xBD\xEF"
			       "\xBF\xBD\xEF\xBF\xBD \xc3\xa4"),
		     SG_COMPLETE);
}

static void references_that_xml_does_not_know_stay_text(void **unused)
{
	(void)unused;
	assert_text(HEAD ERROR("a", "&nbsp; &#1; &#x41;&#65; a && b &am") TAIL,
		    READ("a", "&nbsp; &#1; AA a && b &am"), SG_COMPLETE);
}

static void declared_encodings_are_honoured(void **unused)
{
	static const char latin[] =
		"<?xml version='1.0' encoding='ISO-8859-1'?>"
		"<results>" ERROR("a", "\xe4") "</results>";
	static const char unknown[] =
		"<?xml version='1.0' encoding='no-such'?>"
		"<results>" ERROR("a", "\xc3\xa4") "</results>";
	static const char lying[] = "<?xml version='1.0' encoding='UTF-16'?>"
				    "<results>" ERROR("a", "b") "</results>";
	static const char mark[] = "\xEF\xBB\xBF" HEAD ERROR("a", "b") TAIL;

	(void)unused;
	assert_text(latin, READ("a", "\xc3\xa4"), SG_COMPLETE);
	assert_text(unknown, READ("a", "\xc3\xa4"), SG_COMPLETE);
	assert_text(lying, READ("a", "b"), SG_COMPLETE);
	assert_text(mark, READ("a", "b"), SG_COMPLETE);
}

static void utf_16_is_read_with_and_without_a_mark(void **unused)
{
	static const char document[] = HEAD ERROR("a", "b") TAIL;
	char wide[2 * sizeof(document)];
	size_t length = sizeof(document) - 1;

	(void)unused;
	for (unsigned big = 0; big < 2; big++) {
		memcpy(wide, big ? "\xFE\xFF" : "\xFF\xFE", 2);
		for (size_t at = 0; at < length; at++) {
			wide[2 + 2 * at + big] = document[at];
			wide[2 + 2 * at + !big] = '\0';
		}
		assert_int_equal(format->sniff(wide, 2 + 2 * length), 95);
		assert_reads(format, wide, 2 + 2 * length, READ("a", "b"),
			     SG_COMPLETE);
		assert_reads(format, wide + 2, 2 * length, READ("a", "b"),
			     SG_COMPLETE);
	}
}

static void a_malformed_document_ends_at_its_line_and_column(void **unused)
{
	static const struct {
		const char *document;
		int64_t line, column;
	} rows[] = {
		{ HEAD ERROR("a", "b") "</error>\n" TAIL, 6, 9 },
		{ HEAD ERROR("a", "b") "<error id=\"x\" id=\"y\"/>\n" TAIL, 6,
		  21 },
	};

	(void)unused;
	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++) {
		struct reading reading;

		reading_init(&reading, format, rows[at].document,
			     strlen(rows[at].document), SIZE_MAX);
		assert_string_equal(reading.text, READ("a", "b"));
		assert_int_equal(reading.ending.kind, SG_MALFORMED);
		assert_int_equal(reading.ending.line, rows[at].line);
		assert_int_equal(reading.ending.column, rows[at].column);
		reading_finish(&reading);
	}
}

static void a_document_that_broke_off_says_where(void **unused)
{
	static const char document[] = HEAD ERROR("a", "b") "<error id=\"x";
	struct reading reading;

	(void)unused;
	reading_init(&reading, format, document, strlen(document), 5);
	assert_int_equal(reading.ending.kind, SG_BROKEN_OFF);
	assert_int_equal(reading.ending.line, 6);
	assert_int_equal(reading.ending.column, 13);
	reading_finish(&reading);
}

static void entities_of_its_own_are_refused(void **unused)
{
	(void)unused;
	assert_text("<?xml version=\"1.0\"?>\n<!DOCTYPE results [\n"
		    "<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>\n"
		    "<results>" ERROR("a", "&b;") "</results>",
		    "", SG_NO_REPORT);
	assert_text("<!DOCTYPE results SYSTEM \"file:///etc/passwd\">\n"
		    "<results>" ERROR("a", "&xxe;") "</results>",
		    READ("a", "&xxe;"), SG_COMPLETE);
}

static void what_is_around_and_between_costs_no_finding(void **unused)
{
	(void)unused;
	assert_text("cppcheck: noise\n \n" HEAD
		    "Checking a.c ...\n<!-- a --- > comment -->"
		    "<?pi x?>" ERROR("a", "b") TAIL "done\n",
		    READ("a", "b"), SG_COMPLETE);
	assert_text(two, two_read, SG_COMPLETE);
}

static void a_second_report_in_the_same_file_is_read_too(void **unused)
{
	(void)unused;
	assert_text(HEAD ERROR("a", "b") TAIL HEAD ERROR("c", "d") TAIL,
		    READ("a", "b") READ("c", "d"), SG_COMPLETE);
	assert_text(HEAD ERROR("a", "b") TAIL HEAD ERROR("c", "d"),
		    READ("a", "b") READ("c", "d"), SG_BROKEN_OFF);
}

static void numbers_that_cannot_be_are_none(void **unused)
{
	(void)unused;
	assert_text("<results>"
		    "<error id='a' severity='style' msg='m' cwe='-3' "
		    "file='f' line='-1' column='4294967296'/>"
		    "<error id='a' severity='' msg='' file='f' line='1x'/>"
		    "</results>",
		    "cppcheck a f:0:0 - style=style cwe 0 unit -: m\n"
		    "cppcheck a f:0:0 - -=unknown cwe 0 unit -: \n",
		    SG_COMPLETE);
}

/* @return a document with @p count times @p text in it; owned. */
static char *repeated(const char *before, const char *text, size_t count,
		      const char *after, size_t *length)
{
	size_t bytes = strlen(text), head = strlen(before);
	char *document = malloc(head + count * bytes + strlen(after) + 1);

	assert_non_null(document);
	memcpy(document, before, head);
	for (size_t at = 0; at < count; at++)
		memcpy(document + head + at * bytes, text, bytes);
	memcpy(document + head + count * bytes, after, strlen(after) + 1);
	*length = head + count * bytes + strlen(after);
	return document;
}

static void deep_nesting_is_malformed(void **unused)
{
	size_t length;
	char *document = repeated(HEAD, "<error>", 100000, "", &length);
	struct reading reading;

	(void)unused;
	reading_init(&reading, format, document, length, 4096);
	assert_int_equal(reading.ending.kind, SG_MALFORMED);
	assert_string_equal(reading.ending.message,
			    "elements nested more than 256 deep");
	reading_finish(&reading);
	free(document);
}

static void a_text_of_10_megabytes_is_cut(void **unused)
{
	size_t length;
	char *document =
		repeated("<results><error id='a' severity='error' "
			 "file='f' line='1' msg='",
			 "\xc3\xa4 > &lt; ", 1000000, "'/></results>", &length);
	struct reading reading;

	(void)unused;
	reading_init(&reading, format, document, length, 65536);
	assert_int_equal(reading.ending.kind, SG_COMPLETE);
	assert_int_equal(reading.ending.findings, 1);
	assert_in_range(reading.length, SG_TEXT_MAX, SG_TEXT_MAX + 100);
	reading_finish(&reading);
	free(document);
}

static void a_tag_with_too_many_attributes_is_malformed(void **unused)
{
	size_t length;
	char *document = repeated("<results><error", " a='1'", 100000,
				  "/></results>", &length);
	struct reading reading;

	(void)unused;
	reading_init(&reading, format, document, length, 65536);
	assert_int_equal(reading.ending.kind, SG_MALFORMED);
	reading_finish(&reading);
	free(document);
}

static void ever_new_names_are_malformed(void **unused)
{
	enum { NAMES = 20000, ROOM = 16 };
	char *document = malloc(NAMES * ROOM);
	size_t length = 0;
	struct reading reading;

	(void)unused;
	assert_non_null(document);
	length += (size_t)snprintf(document, ROOM, "<results>");
	for (int name = 0; name < NAMES - 1; name++)
		length += (size_t)snprintf(document + length, ROOM, "<n%d/>",
					   name);
	reading_init(&reading, format, document, length, 65536);
	assert_int_equal(reading.ending.kind, SG_MALFORMED);
	assert_string_equal(reading.ending.message,
			    "more than 10000 different names");
	reading_finish(&reading);
	free(document);
}

static void what_is_no_report_of_cppcheck_is_none(void **unused)
{
	static const char *const documents[] = { "",
						 "This is not XML.",
						 "<html><error/></html>",
						 "<?xml version='1.0'?>",
						 "\xff\xfe",
						 "<<<<>>>>" };

	(void)unused;
	for (size_t at = 0; at < sizeof(documents) / sizeof(documents[0]);
	     at++) {
		assert_text(documents[at], "", SG_NO_REPORT);
		assert_int_equal(
			format->sniff(documents[at], strlen(documents[at])), 0);
	}
	assert_int_equal(format->sniff(two, strlen(two)), 95);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			the_first_location_is_the_place_and_the_others_are_events),
		cmocka_unit_test(version_1_has_the_place_in_the_error),
		cmocka_unit_test(
			an_error_that_stopped_cppcheck_makes_the_run_a_failed_one),
		cmocka_unit_test(
			illegal_bytes_are_replaced_and_cost_no_finding),
		cmocka_unit_test(references_that_xml_does_not_know_stay_text),
		cmocka_unit_test(declared_encodings_are_honoured),
		cmocka_unit_test(utf_16_is_read_with_and_without_a_mark),
		cmocka_unit_test(
			a_malformed_document_ends_at_its_line_and_column),
		cmocka_unit_test(a_document_that_broke_off_says_where),
		cmocka_unit_test(entities_of_its_own_are_refused),
		cmocka_unit_test(what_is_around_and_between_costs_no_finding),
		cmocka_unit_test(a_second_report_in_the_same_file_is_read_too),
		cmocka_unit_test(numbers_that_cannot_be_are_none),
		cmocka_unit_test(deep_nesting_is_malformed),
		cmocka_unit_test(a_text_of_10_megabytes_is_cut),
		cmocka_unit_test(a_tag_with_too_many_attributes_is_malformed),
		cmocka_unit_test(ever_new_names_are_malformed),
		cmocka_unit_test(what_is_no_report_of_cppcheck_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
