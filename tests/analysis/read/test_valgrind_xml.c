/* SPDX-License-Identifier: MIT */
/* Valgrind's XML: places, stacks, and runs that did not end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "xml_reading.h"

static const struct sg_format *const format = &sg_format_valgrind_xml;

static void assert_text(const char *document, const char *expected,
			enum sg_ending_kind kind)
{
	assert_reads(format, document, strlen(document), expected, kind);
}

#define HEAD \
	"<?xml version=\"1.0\"?>\n\n<valgrindoutput>\n" \
	"<protocolversion>4</protocolversion>\n" \
	"<protocoltool>memcheck</protocoltool>\n" \
	"<preamble><line>Using Valgrind-3.19.0 and " \
	"LibVEX; rerun</line></preamble>\n" \
	"<pid>1</pid><tool>memcheck</tool>\n"
#define FINISHED "<status><state>FINISHED</state></status>\n"
#define TAIL "<errorcounts></errorcounts>\n</valgrindoutput>\n"
#define MALLOC \
	"<frame><ip>0x1</ip>" \
	"<obj>/usr/libexec/valgrind/vgpreload_memcheck.so</obj>" \
	"<fn>malloc</fn><dir>/build/coregrind</dir>" \
	"<file>vg_replace_malloc.c</file><line>381</line></frame>\n"
#define LIBC \
	"<frame><obj>/usr/lib/x86_64-linux-gnu/libc.so.6</obj>" \
	"<fn>strdup</fn><dir>./string</dir><file>strdup.c</file>" \
	"<line>42</line></frame>\n"
#define USERS(function, line) \
	"<frame><obj>/home/a/t</obj><fn>" function "</fn>" \
	"<dir>/home/a</dir><file>t.c</file><line>" line "</line></frame>\n"

static const char leak[] = HEAD FINISHED
	"<error>\n<unique>0x2</unique><tid>1</tid>\n"
	"<kind>Leak_DefinitelyLost</kind>\n"
	"<xwhat><text>40 bytes in 1 blocks are definitely lost</text>"
	"<leakedbytes>40</leakedbytes></xwhat>\n"
	"<stack>\n" MALLOC LIBC USERS("leak", "3")
		USERS("main", "5") "</stack>\n</error>\n" TAIL;

static const char leak_read[] =
	"memcheck Leak_DefinitelyLost /home/a/t.c:3:0 leak -=warning cwe 0 "
	"unit -: 40 bytes in 1 blocks are definitely lost\n"
	"+ /build/coregrind/vg_replace_malloc.c:381:0 malloc -\n"
	"+ ./string/strdup.c:42:0 strdup -\n"
	"+ /home/a/t.c:3:0 leak -\n"
	"+ /home/a/t.c:5:0 main -\n";

static void the_place_is_the_innermost_frame_of_the_users_code(void **unused)
{
	(void)unused;
	assert_text(leak, leak_read, SG_COMPLETE);
	assert_int_equal(format->sniff(leak, strlen(leak)), 100);
}

static void a_report_that_broke_off_keeps_the_errors_before(void **unused)
{
	(void)unused;
	for (size_t length = 0; length + 2 < sizeof(leak); length++) {
		struct reading reading;

		reading_init(&reading, format, leak, length, SIZE_MAX);
		assert_true(reading.ending.kind == SG_BROKEN_OFF ||
			    reading.ending.kind == SG_NO_REPORT);
		assert_memory_equal(reading.text, leak_read, reading.length);
		reading_finish(&reading);
	}
}

static void what_auxwhat_says_goes_to_the_stack_that_follows(void **unused)
{
	(void)unused;
	assert_text(
		HEAD
		"<error><kind>InvalidFree</kind><what>Invalid free</what>"
		"<stack>" USERS(
			"main",
			"5") "</stack>"
			     "<auxwhat>free'd at</auxwhat><stack>" USERS(
				     "f", "6") "</stack><xauxwhat><text>not "
					       "stack'd</text></xauxwhat>"
					       "</error>" FINISHED TAIL,
		"memcheck InvalidFree /home/a/t.c:5:0 main -=error cwe 0 unit "
		"-: Invalid free\n"
		"+ /home/a/t.c:5:0 main -\n"
		"+ /home/a/t.c:6:0 f free'd at\n"
		"+ -:0:0 - not stack'd\n",
		SG_COMPLETE);
}

static void a_program_without_debug_symbols_is_the_place_itself(void **unused)
{
	(void)unused;
	assert_text(
		HEAD
		"<error><kind>InvalidRead</kind><what>w</what><stack>" MALLOC
		"<frame><obj>/home/a/t</obj><fn>main</fn>"
		"</frame></stack></error>" FINISHED TAIL,
		"memcheck InvalidRead /home/a/t:0:0 main -=error cwe 0 "
		"unit -: w\n"
		"+ /build/coregrind/vg_replace_malloc.c:381:0 malloc -\n"
		"+ /home/a/t:0:0 main -\n",
		SG_COMPLETE);
}

static void helgrind_and_drd_are_tools_of_their_own(void **unused)
{
	(void)unused;
	assert_text("<valgrindoutput><protocoltool>helgrind</protocoltool>"
		    "<announcethread><hthreadid>1</hthreadid><stack>" LIBC
		    "</stack></announcethread>"
		    "<error><kind>Race</kind><xwhat><text>Possible data race"
		    "</text><hthreadid>1</hthreadid></xwhat><stack>" USERS(
			    "main", "7") "</stack></error>" FINISHED
					 "</valgrindoutput>",
		    "helgrind Race /home/a/t.c:7:0 main -=error cwe 0 unit -: "
		    "Possible data race\n+ /home/a/t.c:7:0 main -\n",
		    SG_COMPLETE);
}

static void a_run_without_its_end_is_not_complete(void **unused)
{
	(void)unused;
	assert_text(HEAD TAIL, "", SG_BROKEN_OFF);
	assert_text(HEAD "<status><state>RUNNING</state></status>" TAIL, "",
		    SG_BROKEN_OFF);
	assert_text(HEAD "<fatal_signal><signame>SIGABRT</signame>"
			 "</fatal_signal>" FINISHED TAIL,
		    "", SG_TOOL_FAILED);
	assert_text(HEAD FINISHED TAIL, "", SG_COMPLETE);
}

#define ERROR(unique, what) \
	"<error><unique>" unique \
	"</unique><kind>UninitValue</kind><what>" what "</what></error>\n"
#define READ(what) \
	"memcheck UninitValue -:0:0 - -=error cwe 0 unit -: " what "\n"
#define PAIR(count, unique) \
	"<pair><count>" count "</count><unique>" unique "</unique></pair>"
#define COUNTS(pairs) "<errorcounts>" pairs "</errorcounts>"

static void an_error_came_as_often_as_its_count_says(void **unused)
{
	static const char document[] = HEAD ERROR("0x1", "a") ERROR(
		"0xA", "b") ERROR("0x2", "c") FINISHED
		ERROR("0x1F",
		      "leak") "<suppcounts><pair><count>9</count><name>s</"
			      "name></pair>"
			      "</suppcounts>" COUNTS(
				      PAIR("3", "0xa") PAIR("1", "0x1") PAIR(
					      "7", "0x2")
					      PAIR("5",
						   "0x1f")) "</valgrindoutput>";

	(void)unused;
	assert_text(document,
		    READ("a") "3 times " READ("b") "7 times " READ(
			    "c") "5 times " READ("leak"),
		    SG_COMPLETE);
}

static void the_last_count_of_several_is_the_one(void **unused)
{
	static const char document[] = HEAD ERROR("0x1", "a")
		COUNTS(PAIR("2", "0x1")) ERROR("0x2", "b")
			COUNTS(PAIR("6", "0x2") PAIR("4", "0x1")) FINISHED TAIL;

	(void)unused;
	assert_text(document, "4 times " READ("a") "6 times " READ("b"),
		    SG_COMPLETE);
}

static void a_count_of_nothing_known_is_none(void **unused)
{
	static const char document[] = HEAD ERROR("0x........", "a") ERROR(
		"0x1", "b") ERROR("0x11111111111111111", "c")
		FINISHED COUNTS(PAIR("2", "0x........") PAIR("3", "0x7") PAIR(
			"...",
			"0x1") PAIR("0", "0x1") "<pair><unique>0x1</"
						"unique><count>8</count></pair>"
						"<pair><unique>0x1</unique></"
						"pair>") "</valgrindoutput>";

	(void)unused;
	assert_text(document, READ("a") READ("b") READ("c"), SG_COMPLETE);
}

static void a_broken_report_has_the_counts_that_came(void **unused)
{
	static const char document[] =
		HEAD ERROR("0x1", "a") COUNTS(PAIR("2", "0x1")) "<err";

	(void)unused;
	assert_text(document, "2 times " READ("a"), SG_BROKEN_OFF);
}

/* So that memory stays bounded, an error that came long before the counts goes
 * on without. */
static void too_many_errors_do_not_wait(void **unused)
{
	enum { MANY = 3000, WORDS = 2000 };
	struct reading reading;
	char *document = NULL, words[WORDS + 1];
	size_t length = 0;
	FILE *to = open_memstream(&document, &length);

	(void)unused;
	assert_non_null(to);
	memset(words, 'w', WORDS);
	words[WORDS] = '\0';
	fprintf(to, HEAD);
	for (unsigned at = 1; at <= MANY; at++)
		fprintf(to, ERROR("0x%x", "%u %s"), at, at, words);
	fprintf(to,
		FINISHED COUNTS(PAIR("2", "0x1")
					PAIR("3", "0x%x")) "</valgrindoutput>",
		(unsigned)MANY);
	fclose(to);
	reading_init(&reading, format, document, length, 65536);
	assert_int_equal(reading.ending.kind, SG_COMPLETE);
	assert_int_equal(reading.ending.findings, MANY);
	assert_memory_equal(reading.text, "memcheck ", 9);
	assert_non_null(strstr(reading.text, "\n3 times memcheck "));
	assert_null(strstr(reading.text, "2 times"));
	reading_finish(&reading);
	free(document);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			the_place_is_the_innermost_frame_of_the_users_code),
		cmocka_unit_test(
			a_report_that_broke_off_keeps_the_errors_before),
		cmocka_unit_test(
			what_auxwhat_says_goes_to_the_stack_that_follows),
		cmocka_unit_test(
			a_program_without_debug_symbols_is_the_place_itself),
		cmocka_unit_test(helgrind_and_drd_are_tools_of_their_own),
		cmocka_unit_test(a_run_without_its_end_is_not_complete),
		cmocka_unit_test(an_error_came_as_often_as_its_count_says),
		cmocka_unit_test(the_last_count_of_several_is_the_one),
		cmocka_unit_test(a_count_of_nothing_known_is_none),
		cmocka_unit_test(a_broken_report_has_the_counts_that_came),
		cmocka_unit_test(too_many_errors_do_not_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
