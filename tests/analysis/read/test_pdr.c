/* SPDX-License-Identifier: MIT */
/* Intel's static analysis. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "xml_reading.h"

static const struct sg_format *const format = &sg_format_pdr;

static void assert_text(const char *document, const char *expected,
			enum sg_ending_kind kind)
{
	assert_reads(format, document, strlen(document), expected, kind);
}

#define DIAG(line, verbose) \
	"<diag>\n<message><thread><stacktrace>\n" \
	"<loc><file>/home/me/src/pool.c</file><line>" line "</line></loc>\n" \
	"<loc><file>/home/me/src/main.c</file><line>12</line></loc>\n" \
	"</stacktrace></thread></message>\n<sc_verbose>" verbose \
	"</sc_verbose>\n</diag>\n"

static const char document[] = "<?xml version=\"1.0\"?>\n<diags>\n" DIAG(
	"157", "pool.c(157): warning #12178: this value of \"ret\" "
	       "isn't used in the program")
	DIAG("186",
	     "pool.c(186): error #12192: unreachable statement") "</diags>\n";

static void the_first_loc_is_the_place_and_sc_verbose_the_message(void **unused)
{
	(void)unused;
	assert_text(document,
		    "intel-sc 12178 /home/me/src/pool.c:157:0 - "
		    "warning=warning cwe 0 unit -: pool.c(157): warning "
		    "#12178: this value of \"ret\" isn't used in the program\n"
		    "+ /home/me/src/main.c:12:0 - -\n"
		    "intel-sc 12192 /home/me/src/pool.c:186:0 - error=error "
		    "cwe 0 unit -: pool.c(186): error #12192: unreachable "
		    "statement\n"
		    "+ /home/me/src/main.c:12:0 - -\n",
		    SG_COMPLETE);
	assert_int_equal(format->sniff(document, strlen(document)), 90);
}

static void cut_anywhere_it_is_broken_off(void **unused)
{
	size_t end = sizeof(document) - sizeof(">\n");

	(void)unused;
	for (size_t length = 0; length <= end; length++) {
		struct reading reading;

		reading_init(&reading, format, document, length, SIZE_MAX);
		assert_true(reading.ending.kind == SG_BROKEN_OFF ||
			    reading.ending.kind == SG_NO_REPORT);
		assert_true(reading.ending.findings <= 2);
		reading_finish(&reading);
	}
}

static void without_a_loc_sc_verbose_names_the_place(void **unused)
{
	(void)unused;
	assert_text("<diags><diag><sc_verbose>\n  a(b).c(7): remark #1599: x\n"
		    "</sc_verbose></diag><diag><message>only text</message>"
		    "</diag></diags>",
		    "intel-sc 1599 a(b).c:7:0 - remark=info cwe 0 unit -: "
		    "a(b).c(7): remark #1599: x\n"
		    "intel-sc - -:0:0 - -=unknown cwe 0 unit -: only text\n",
		    SG_COMPLETE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			the_first_loc_is_the_place_and_sc_verbose_the_message),
		cmocka_unit_test(cut_anywhere_it_is_broken_off),
		cmocka_unit_test(without_a_loc_sc_verbose_names_the_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
