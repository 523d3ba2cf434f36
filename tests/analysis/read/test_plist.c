/* SPDX-License-Identifier: MIT */
/* Property lists of clang's analyzer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "xml_reading.h"

static const struct sg_format *const format = &sg_format_plist;

static void assert_text(const char *document, const char *expected,
			enum sg_ending_kind kind)
{
	assert_reads(format, document, strlen(document), expected, kind);
}

#define HEAD \
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" \
	"<!DOCTYPE plist PUBLIC \"-//Apple Computer//DTD PLIST 1.0//EN\" " \
	"\"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n" \
	"<plist version=\"1.0\">\n<dict>\n <key>clang_version</key>\n"
#define CLANG "<string>clang version 14.0.6</string>\n"
#define FILES \
	"<key>files</key>\n<array>\n<string>a.c</string>\n" \
	"<string>inc/a.h</string>\n</array>\n"
#define PLACE(line, col, file) \
	"<dict><key>line</key><integer>" line "</integer>" \
	"<key>col</key><integer>" col "</integer>" \
	"<key>file</key><integer>" file "</integer></dict>\n"
#define DIAGNOSTICS \
	"<key>diagnostics</key>\n<array>\n<dict>\n<key>path</key>\n<array>\n" \
	"<dict><key>kind</key><string>control</string><key>edges</key>" \
	"<array><dict><key>start</key><array>" PLACE( \
		"1", \
		"1", "0") "</array></dict></array></dict>\n" \
			  "<dict><key>kind</key><string>event</" \
			  "string><key>location</key>" PLACE("5", "26", "1") "<key>ranges</key><array><array>" PLACE( \
				  "5", "30", \
				  "1") "</array></array><key>depth</key>" \
				       "<integer>0</" \
				       "integer><key>extended_message</" \
				       "key><string>long" \
				       "</string><key>message</" \
				       "key><string>Calling " \
				       "&apos;f&apos;</string>" \
				       "</dict>\n</array>\n<key>notes</" \
				       "key><array><dict><key>location</" \
				       "key>" PLACE( \
					       "2", "3", \
					       "0") "<key>message</" \
						    "key><string>a " \
						    "note</string>" \
						    "</dict></" \
						    "array>\n<key>" \
						    "description</" \
						    "key><string>Division by " \
						    "zero" \
						    "</" \
						    "string>\n<key>category</" \
						    "key><string>Logic " \
						    "error</string>\n" \
						    "<key>type</" \
						    "key><string>Divide</" \
						    "string>\n<key>check_" \
						    "name</key>" \
						    "<string>core.DivideZero<" \
						    "/string>\n<key>issue_" \
						    "context</key>" \
						    "<string>main</" \
						    "string>\n<key>location</" \
						    "key>\n" PLACE( \
							    "7", "14", \
							    "0") "</dict>\n</" \
								 "array>\n"
#define TAIL "</dict>\n</plist>\n"

static const char finding[] =
	"clang core.DivideZero a.c:7:14 main -=warning cwe 0 unit -: Division "
	"by zero\n"
	"+ inc/a.h:5:26 - Calling 'f'\n"
	"+ a.c:2:3 - a note\n";

static void files_may_stand_before_or_behind_the_diagnostics(void **unused)
{
	static const char before[] = HEAD CLANG FILES DIAGNOSTICS TAIL;
	static const char behind[] = HEAD CLANG DIAGNOSTICS FILES TAIL;

	(void)unused;
	assert_text(before, finding, SG_COMPLETE);
	assert_text(behind, finding, SG_COMPLETE);
	assert_cuts_break_off(format, before);
	assert_int_equal(format->sniff(behind, strlen(behind)), 95);
}

static void without_its_files_a_broken_list_still_has_its_findings(void **u)
{
	(void)u;
	assert_text(HEAD CLANG DIAGNOSTICS,
		    "clang core.DivideZero -:7:14 main -=warning cwe 0 unit "
		    "-: Division by zero\n"
		    "+ -:5:26 - Calling 'f'\n"
		    "+ -:2:3 - a note\n",
		    SG_BROKEN_OFF);
}

static void a_list_without_findings_is_complete(void **unused)
{
	(void)unused;
	assert_text(HEAD CLANG "<key>diagnostics</key><array></array>" TAIL, "",
		    SG_COMPLETE);
	assert_text(HEAD CLANG "<key>diagnostics</key><array/>" TAIL, "",
		    SG_COMPLETE);
}

static void the_type_is_the_rule_where_no_check_is_named(void **unused)
{
	(void)unused;
	assert_text(HEAD "<string>cppcheck version 1.87</string>" FILES
			 "<key>diagnostics</key><array><dict><key>type</key>"
			 "<string>Dead store</string><key>location</key>" PLACE(
				 "1", "2", "9") "</dict></array>" TAIL,
		    "cppcheck Dead store -:1:2 - -=warning cwe 0 unit -: \n",
		    SG_COMPLETE);
}

static void each_document_has_files_of_its_own(void **unused)
{
	(void)unused;
	assert_text(HEAD CLANG FILES TAIL HEAD CLANG
		    "<key>files</key><array>"
		    "<string>b.c</string></array><key>diagnostics</key><array>"
		    "<dict><key>location</key>" PLACE(
			    "1", "2", "0") "</dict></array>" TAIL,
		    "clang - b.c:1:2 - -=warning cwe 0 unit -: \n",
		    SG_COMPLETE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			files_may_stand_before_or_behind_the_diagnostics),
		cmocka_unit_test(
			without_its_files_a_broken_list_still_has_its_findings),
		cmocka_unit_test(a_list_without_findings_is_complete),
		cmocka_unit_test(the_type_is_the_rule_where_no_check_is_named),
		cmocka_unit_test(each_document_has_files_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
