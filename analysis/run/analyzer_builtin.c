/* SPDX-License-Identifier: MIT */
/* The analyzers that come with scgate, as Debian 12 has them. What each does
 * when it fails was measured: see docs/scgate-analyzers.md. */
#include <string.h>

#include "read/formats.h"
#include "run/analyzer.h"

enum { BOTH = 1 << SG_LANGUAGE_C | 1 << SG_LANGUAGE_CXX };

#define TIMEOUT_NS INT64_C(300000000000)

/* With -fsyntax-only -fanalyzer finds nothing. It is not made for C++; that it
 * gives up on a function it tells only if asked. With -pipe one that is killed
 * leaves no file in /tmp. */
static const char *const gcc[] = {
	"{gcc}",
	"{flags}",
	"-Wall",
	"-Wextra",
	"{c:-fanalyzer}",
	"{c:-Wanalyzer-too-complex}",
	"-fdiagnostics-format=json",
	"-pipe",
	"-o",
	"/dev/null",
	"-c",
	"{file}",
	NULL,
};

/* A plist of one file drops what leads through a header. One that crashes would
 * leave the source in /tmp. */
static const char *const clang[] = {
	"{clang}",
	"--analyze",
	"{flags}",
	"-Xclang",
	"-analyzer-output=plist-multi-file",
	"-Xclang",
	"-analyzer-opt-analyze-headers",
	"-Qunused-arguments",
	"-fno-crash-diagnostics",
	"-o",
	"{report}",
	"{file}",
	NULL,
};

/* With no warning an error, the exit status tells what happened to it. */
static const char *const clang_tidy[] = {
	"clang-tidy",
	"--quiet",
	"--use-color=0",
	"--warnings-as-errors=-*",
	"{tidy}",
	"{file}",
	"--",
	"{flags}",
	"-Qunused-arguments",
	NULL,
};

#define CPPCHECK \
	"cppcheck", "--xml", "--xml-version=2", "-q", \
		"--enable=warning,style,performance,portability", \
		"--language={language}", "{defines}", \
		"--suppress=missingIncludeSystem", \
		"--suppress=unmatchedSuppression"

static const char *const cppcheck[] = { CPPCHECK, "{file}", NULL };
static const char *const cppcheck_inline[] = { CPPCHECK, "--inline-suppr",
					       "{file}", NULL };

static const char *const gcc_version[] = { "gcc", "--version", NULL };
static const char *const clang_version[] = { "clang", "--version", NULL };

static const struct sg_analyzer builtins[] = {
	{
		.name = "cppcheck",
		.command = cppcheck,
		.format = &sg_format_cppcheck_xml,
		.output = SG_ANALYZER_STDERR,
		.languages = BOTH,
		.timeout_ns = TIMEOUT_NS,
	},
	{
		.name = "gcc",
		.command = gcc,
		.version = gcc_version,
		.format = &sg_format_gcc_json,
		.output = SG_ANALYZER_STDERR,
		.languages = BOTH,
		.timeout_ns = TIMEOUT_NS,
	},
	{
		.name = "clang",
		.command = clang,
		.version = clang_version,
		.format = &sg_format_plist,
		.output = SG_ANALYZER_REPORT,
		.languages = BOTH,
		.timeout_ns = TIMEOUT_NS,
	},
	{
		.name = "clang-tidy",
		.command = clang_tidy,
		.format = &sg_format_clang_tidy,
		.output = SG_ANALYZER_STDOUT,
		.languages = BOTH,
		.timeout_ns = TIMEOUT_NS,
	},
};

const struct sg_analyzer *sg_analyzer_builtin(const char *name,
					      enum sg_inline inline_rule,
					      struct sl_arena *arena)
{
	for (size_t at = 0; at < sizeof(builtins) / sizeof(builtins[0]); at++) {
		struct sg_analyzer *copy;

		if (strcmp(builtins[at].name, name) != 0)
			continue;
		copy = sl_arena_alloc(arena, sizeof(*copy));
		if (!copy)
			return NULL;
		*copy = builtins[at];
		if (copy->command == cppcheck && inline_rule == SG_INLINE_ALLOW)
			copy->command = cppcheck_inline;
		return copy;
	}
	return NULL;
}

const char *const *sg_analyzer_builtins(void)
{
	static const char *const names[] = { "cppcheck", "gcc", "clang",
					     "clang-tidy", NULL };

	return names;
}
