/* SPDX-License-Identifier: MIT */
/* What a compiler's log says about the runs that wrote it: that one gave up,
 * that a unit did not compile, how much clang found. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "read/compiler.h"
#include "read/spans.h"

/* Words with which a run says that it did not finish. */
static const char *const failures[] = {
	"compilation terminated.",
	"internal compiler error",
	"Segmentation fault signal terminated program",
	"Killed signal terminated program",
	"virtual memory exhausted",
	"out of memory allocating",
	"PLEASE submit a bug report",
	"PLEASE ATTACH THE FOLLOWING FILES",
	"clang frontend command failed",
	"unable to execute command",
	"Error while processing ",
	"Found compiler error(s).",
	"Please submit a full bug report",
};

/* Whose errors stop a unit; csmock names them. */
static bool is_compiler(struct sg_span tool)
{
	static const char *const names[] = { "gcc", "g++", "clang", "clang++",
					     "ld" };

	for (size_t at = 0; at < sizeof(names) / sizeof(names[0]); at++)
		if (sg_span_is(tool, names[at]))
			return true;
	return !tool.length;
}

/* gcc and clang write [-Werror...] behind a warning that became an error, after
 * which they go on. [-Wfoo] or [-fpermissive] behind an error is one that
 * nobody asked for, or -pedantic-errors: what comes after the parser, as most
 * that looks at the flow, is not done for that unit. */
static bool is_compile_error(const struct sg_diagnostic *found)
{
	if (found->severity != SG_ERROR || found->as_error ||
	    sg_span_is(found->word, "runtime error"))
		return false;
	if (sg_span_is(found->rule, "clang-diagnostic-error"))
		return true;
	if (found->rule.length && found->rule.text[0] != '-')
		return false;
	return is_compiler(found->tool);
}

void sg_compiler_judge(struct sg_compiler *compiler,
		       const struct sg_diagnostic *found, struct sg_span line)
{
	if (found->fatal || is_compile_error(found))
		sg_textlog_failed(&compiler->log, sg_span_trim(line));
}

/* "12 warnings generated.", "1 warning and 2 errors generated.", "3 warnings
 * generated when compiling for host.": how many; 0: the line is another. */
static int64_t generated(struct sg_span line)
{
	int64_t sum = 0, number = 0;
	size_t at = 0;

	if (!sg_is_digit(*line.text))
		return 0;
	for (int kinds = 0; kinds < 2; kinds++) {
		struct sg_span rest;
		size_t digits = sg_span_number(line, at, &number), word;

		rest = sg_span_from(line, at + digits);
		word = sg_span_starts(rest, " warning") ? strlen(" warning")
		       : sg_span_starts(rest, " error") ? strlen(" error")
							: 0;
		if (!digits || !word)
			return 0;
		sum += number;
		at += digits + word;
		rest = sg_span_from(rest, word);
		if (sg_span_starts(rest, "s")) {
			rest = sg_span_from(rest, 1);
			at++;
		}
		if (sg_span_is(rest, " generated.") ||
		    sg_span_starts(rest, " generated when compiling for "))
			return sum;
		if (!sg_span_starts(rest, " and "))
			return 0;
		at += strlen(" and ");
	}
	return 0;
}

/* "Suppressed 4 warnings (4 in non-user code).": clang-tidy's last words. */
static bool suppressed(struct sg_span line, int64_t *number)
{
	size_t at = strlen("Suppressed "), digits;

	if (!sg_span_starts(line, "Suppressed "))
		return false;
	digits = sg_span_number(line, at, number);
	return digits &&
	       sg_span_starts(sg_span_from(line, at + digits), " warning");
}

static void count(struct sg_compiler *compiler, struct sg_span line)
{
	struct sg_compiler_counts *counts = &compiler->counts;
	int64_t number = generated(line);

	if (number) {
		compiler->log.familiar++;
		counts->sum += (uint64_t)number;
		if ((uint64_t)number > counts->peak)
			counts->peak = (uint64_t)number;
	} else if (suppressed(line, &number)) {
		if ((uint64_t)number > counts->peak)
			number = (int64_t)counts->peak;
		counts->suppressed += (uint64_t)number;
		counts->tidied += counts->peak;
		counts->peak = 0;
		counts->tidy = true;
	}
}

/* "error: unknown argument: '-fx' [clang-diagnostic-error]", "warning: unknown
 * warning option": clang's, about its arguments or its files. */
static bool is_placeless(struct sg_compiler *compiler, struct sg_span line)
{
	if (sg_span_starts(line, "warning: "))
		return true;
	if (!sg_span_starts(line, "error: ") &&
	    !sg_span_starts(line, "fatal error: "))
		return false;
	/* others begin a line so, too */
	if (strcmp(compiler->tool, "gcc") != 0 ||
	    sg_span_ends(line, " [clang-diagnostic-error]"))
		sg_textlog_failed(&compiler->log, sg_span_trim(line));
	return true;
}

void sg_compiler_remark(struct sg_compiler *compiler, struct sg_span line)
{
	bool stopped = sg_span_says(line, failures,
				    sizeof(failures) / sizeof(failures[0])) <
		       line.length;

	/* a recipe that a signal ended, not one that found errors */
	if (sg_span_has(line, "*** [") &&
	    (sg_span_ends(line, " Killed") ||
	     sg_span_ends(line, " Segmentation fault") ||
	     sg_span_ends(line, " Interrupt")))
		stopped = true;
	if (stopped)
		sg_textlog_failed(&compiler->log, sg_span_trim(line));
	if (is_placeless(compiler, line)) {
		compiler->counts.placeless++;
		/* about its arguments or its configuration, with a rule: such a
		 * line alone is a log, too */
		if (sg_span_ends(line, "]") && sg_span_has(line, " ["))
			compiler->log.familiar++;
	}
	count(compiler, line);
}

/* Units of a parallel make lie in each other, so only the whole log is held
 * against what was counted. clang-tidy counts what it does not show, and goes
 * on counting from file to file: only a log of it without any finding tells. */
static void hold_against_counts(const struct sg_compiler *compiler,
				struct sg_ending *ending)
{
	const struct sg_compiler_counts *counts = &compiler->counts;
	uint64_t seen = ending->findings + counts->placeless;
	uint64_t counted =
		counts->tidy ? counts->tidied + counts->peak : counts->sum;
	bool is_tidy = counts->tidy || counts->tidy_found ||
		       strcmp(compiler->tool, "clang-tidy") == 0;

	if (counted - counts->suppressed <= seen || (seen && is_tidy))
		return;
	ending->kind = SG_BROKEN_OFF;
	if (counts->suppressed)
		snprintf(ending->message, sizeof(ending->message),
			 "clang-tidy counted %" PRIu64
			 " and suppressed %" PRIu64 ", the log has %" PRIu64,
			 counted, counts->suppressed, seen);
	else
		snprintf(ending->message, sizeof(ending->message),
			 "clang counted %" PRIu64 ", the log has %" PRIu64,
			 counted, seen);
}

enum sl_code sg_compiler_finish(void *state, struct sg_ending *ending,
				struct sl_error *error)
{
	enum sl_code code = sg_textlog_finish(state, ending, error);

	if (code == SL_OK && ending->kind == SG_UNVERIFIED)
		hold_against_counts(state, ending);
	return code;
}
