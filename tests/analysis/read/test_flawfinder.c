/* SPDX-License-Identifier: MIT */
/* flawfinder's text and CSV. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "analysis/read/text_reading.h"
#include "read/formats.h"

#define HEAD "Flawfinder version 2.0.19, (C) 2001-2019 David A. Wheeler.\n"

static void a_hit_has_its_words_on_the_next_lines(void **unused)
{
	(void)unused;
	reads(&sg_format_flawfinder,
	      HEAD "Examining test.c\n\nFINAL RESULTS:\n\n"
		   "test.c:32:  [5] (buffer) gets:\n"
		   "  Does not check for buffer overflows (CWE-120, CWE-20). "
		   "Use\n"
		   "  fgets() instead. \n"
		   " gets(f);\n"
		   "a b/t.c:56:2:  [2] (buffer) char:\n"
		   "  Statically-sized arrays (CWE-119!/CWE-120).\n\n"
		   "ANALYSIS SUMMARY:\n\nHits = 2\nLines analyzed = 9\n",
	      "flawfinder|gets|5|test.c:32:0|-|Does not check for buffer "
	      "overflows (CWE-120, CWE-20). Use fgets() instead.\n"
	      "flawfinder|char|3|a b/t.c:56:2|-|Statically-sized arrays "
	      "(CWE-119!/CWE-120).\n"
	      "= complete 0\n");
}

static void a_hit_may_be_one_line(void **unused)
{
	(void)unused;
	reads(&sg_format_flawfinder,
	      "test.c:32:  [3] (random) srand:  Weak (CWE-327).\n",
	      "flawfinder|srand|4|test.c:32:0|-|Weak (CWE-327).\n"
	      "= unverified 0\n");
}

static void the_summary_tells_a_broken_log(void **unused)
{
	(void)unused;
	reads(&sg_format_flawfinder, HEAD "Examining test.c\n",
	      "= broken off 0\n");
	reads(&sg_format_flawfinder, HEAD "Hits = 1\n", "= broken off 0\n");
	reads(&sg_format_flawfinder, HEAD "Hits = 0\n", "= complete 0\n");
	reads(&sg_format_flawfinder, "*** No input files\n", "= failed 1\n");
	reads(&sg_format_flawfinder, "hello\n", "= no report 0\n");
}

#define COLUMNS \
	"File,Line,Column,DefaultLevel,Level,Category,Name,Warning," \
	"Suggestion,Note,CWEs,Context,Fingerprint,ToolVersion,RuleId," \
	"HelpUri\r\n"

static void a_record_is_a_hit(void **unused)
{
	(void)unused;
	reads(&sg_format_flawfinder_csv,
	      COLUMNS
	      "a b/t.c,32,13,4,4,buffer,strcpy,Does not check (CWE-120),"
	      "\"Use snprintf, or "
	      "\"\"strlcpy\"\"\",,CWE-120,x,f0,2.0.15,FF1001,"
	      "u\r\n"
	      "t.c,2,1,2,3,buffer,char,Static.,,,CWE-119!/CWE-120,,f1,2.0.15,"
	      "FF1002,u\r\n",
	      "flawfinder|FF1001|5|a b/t.c:32:13|-|Does not check (CWE-120). "
	      "Use snprintf, or \"strlcpy\".\n"
	      "flawfinder|FF1002|4|t.c:2:1|-|Static.\n"
	      "= unverified 0\n");
}

static void columns_go_by_their_names(void **unused)
{
	(void)unused;
	reads(&sg_format_flawfinder_csv,
	      "File,Line,Column,Level,Category,Name,Warning,Suggestion,Note,"
	      "CWEs,Context,Fingerprint\n"
	      "t.c,3,1,0,misc,open,Check,,Beware,CWE-362,\" a,b\",f\n",
	      "flawfinder|open|1|t.c:3:1|-|Check. Beware.\n= unverified 0\n");
}

static void a_record_of_other_fields_is_malformed(void **unused)
{
	(void)unused;
	reads(&sg_format_flawfinder_csv,
	      COLUMNS "t.c,1,1,4,4,b,n,W,,,,,,,R,\n"
		      "1,1,4,4,b,n,W,,,,,,,R,\n",
	      "flawfinder|R|5|t.c:1:1|-|W.\n= malformed 3\n");
	reads(&sg_format_flawfinder_csv, COLUMNS "t.c,1,1,\"4\n",
	      "= malformed 2\n");
	reads(&sg_format_flawfinder_csv, COLUMNS, "= unverified 0\n");
	reads(&sg_format_flawfinder_csv, "x,y\n", "= no report 0\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_hit_has_its_words_on_the_next_lines),
		cmocka_unit_test(a_hit_may_be_one_line),
		cmocka_unit_test(the_summary_tells_a_broken_log),
		cmocka_unit_test(a_record_is_a_hit),
		cmocka_unit_test(columns_go_by_their_names),
		cmocka_unit_test(a_record_of_other_fields_is_malformed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
