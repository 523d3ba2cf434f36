/* SPDX-License-Identifier: MIT */
/* Checkstyle's XML. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "xml_reading.h"

static const struct sg_format *const format = &sg_format_checkstyle;

static void assert_text(const char *document, const char *expected,
			enum sg_ending_kind kind)
{
	assert_reads(format, document, strlen(document), expected, kind);
}

static const char document[] =
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	"<checkstyle version=\"5.7\">\n<file name=\"src/a.c\">\n"
	"<error line=\"3\" column=\"7\" severity=\"warning\" message=\"a &lt; "
	"b\" source=\"indent.tab\"/>\n"
	"<error line=\"9\" severity=\"error\" message=\"m\"/>\n"
	"</file>\n<file name=\"b.c\"><error line=\"0\" message=\"n\"/></file>\n"
	"</checkstyle>\n";

static void errors_belong_to_the_file_around_them(void **unused)
{
	(void)unused;
	assert_text(document,
		    "checkstyle indent.tab src/a.c:3:7 - warning=warning cwe 0 "
		    "unit -: a < b\n"
		    "checkstyle - src/a.c:9:0 - error=error cwe 0 unit -: m\n"
		    "checkstyle - b.c:0:0 - -=unknown cwe 0 unit -: n\n",
		    SG_COMPLETE);
	assert_cuts_break_off(format, document);
	assert_int_equal(format->sniff(document, strlen(document)), 95);
}

static void an_exception_is_a_file_that_was_not_checked(void **unused)
{
	(void)unused;
	assert_text("<checkstyle><file name='a'><exception><![CDATA[x < y ]]]>"
		    "</exception></file></checkstyle>",
		    "", SG_TOOL_FAILED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(errors_belong_to_the_file_around_them),
		cmocka_unit_test(an_exception_is_a_file_that_was_not_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
