/* SPDX-License-Identifier: MIT */
/* The keys of .scgate.conf. */
#include "gate/config_options.h"

#include "gate/config.h"

const char *const sg_policy_names[] = {
	[SG_POLICY_ZERO] = "zero",
	[SG_POLICY_NO_RAISE] = "no-raise",
	[SG_POLICY_NO_NEW] = "no-new",
	[SG_POLICY_MUST_REDUCE] = "must-reduce",
	NULL,
};

const char *const sg_lowest_names[] = { "info",    "style", "low",
					"warning", "error", NULL };

static const char *const inline_names[] = {
	[SG_INLINE_ALLOW] = "allow",
	[SG_INLINE_FORBID] = "forbid",
	NULL,
};

static const char *const output_names[] = {
	[SG_ANALYZER_STDOUT] = "stdout",
	[SG_ANALYZER_STDERR] = "stderr",
	[SG_ANALYZER_REPORT] = "report",
	NULL,
};

static const char *const language_names[] = {
	[SG_LANGUAGE_C] = "c",
	[SG_LANGUAGE_CXX] = "c++",
	NULL,
};

#define TABLE(rows) \
	{ \
		rows, sizeof(rows) / sizeof((rows)[0]), sizeof((rows)[0]) \
	}

#define AT(field) .offset = offsetof(struct sg_config_given, field)

static const struct sl_option config_rows[] = {
	{ .name = "policy",
	  .type = SL_ENUM,
	  .choices = sg_policy_names,
	  AT(policy),
	  .default_text = "no-raise",
	  .help = "What a commit must not do." },
	{ .name = "lowest",
	  .type = SL_ENUM,
	  .choices = sg_lowest_names,
	  AT(lowest),
	  .default_text = "info",
	  .help = "The least severity that counts." },
	{ .name = "build",
	  .type = SL_STRING,
	  AT(build),
	  .help = "The folder of compile_commands.json, from the root or "
		  "absolute." },
	{ .name = "variants",
	  .type = SL_BOOL,
	  AT(variants),
	  .default_text = "true",
	  .help = "Whether a source that is compiled in several ways is "
		  "analysed in each; else it is in the first." },
	{ .name = "sources",
	  .type = SL_LIST,
	  .element = SL_STRING,
	  AT(sources),
	  .help = "Without a compile_commands.json: patterns of tracked files, "
		  "of which each is a unit." },
	{ .name = "compiler",
	  .type = SL_STRING,
	  AT(compiler),
	  .default_text = "cc",
	  .help = "What compiles `sources`." },
	{ .name = "flags",
	  .type = SL_LIST,
	  .element = SL_STRING,
	  AT(flags),
	  .help = "The flags of `sources`." },
	{ .name = "exclude",
	  .type = SL_LIST,
	  .element = SL_STRING,
	  AT(exclude),
	  .help = "Patterns of what is neither analysed nor judged." },
	{ .name = "suppressions",
	  .type = SL_STRING,
	  AT(suppressions),
	  .default_text = ".scgate-suppressions",
	  .help = "The file of accepted findings, from the root." },
	{ .name = "new_suppressions",
	  .type = SL_BOOL,
	  AT(new_suppressions),
	  .default_text = "false",
	  .help = "Whether entries count that the tested commit brings." },
	{ .name = "inline_suppressions",
	  .type = SL_ENUM,
	  .choices = inline_names,
	  AT(inline_suppressions),
	  .default_text = "allow",
	  .help = "Whether the code itself may silence an analyzer; where it "
		  "is forbidden, doing so is a finding." },
	{ .name = "baseline",
	  .type = SL_STRING,
	  AT(baseline),
	  .help = "The file that `scgate baseline write` writes, from the "
		  "root." },
	{ .name = "hook_budget",
	  .type = SL_DURATION,
	  AT(hook_budget),
	  .default_text = "60 s",
	  .help = "How long a check of staged changes may take; 0: as long as "
		  "it takes." },
	{ .name = "timeout",
	  .type = SL_DURATION,
	  AT(timeout),
	  .default_text = "5 min",
	  .help = "How long a run of an analyzer may take; 0: as long as it "
		  "takes." },
	{ .name = "jobs",
	  .type = SL_INT,
	  AT(jobs),
	  .default_text = "0",
	  .min = 0,
	  .max = 1024,
	  .help = "How many analyzers run at once; 0: one a core." },
};

#undef AT
#define AT(field) .offset = offsetof(struct sg_analyzer_given, field)

static const struct sl_option analyzer_rows[] = {
	{ .name = "name",
	  .type = SL_STRING,
	  .required = true,
	  AT(name),
	  .help = "A built-in one (cppcheck, gcc, clang, clang-tidy), or with "
		  "`command` any." },
	{ .name = "add",
	  .type = SL_LIST,
	  .element = SL_STRING,
	  AT(add),
	  .help = "Of a built-in one: more words, in front of the source." },
	{ .name = "command",
	  .type = SL_LIST,
	  .element = SL_STRING,
	  AT(command),
	  .help = "The command's words." },
	{ .name = "format",
	  .type = SL_STRING,
	  AT(format),
	  .help = "The format of what the command says, as `scgate read "
		  "--format` takes it." },
	{ .name = "output",
	  .type = SL_ENUM,
	  .choices = output_names,
	  AT(output),
	  .default_text = "stdout",
	  .help = "Where it says it; \"report\": in the file {report}." },
	{ .name = "languages",
	  .type = SL_LIST,
	  .element = SL_ENUM,
	  .choices = language_names,
	  AT(languages),
	  .help = "The languages that it is for; by default both, or what a "
		  "built-in one is for." },
	{ .name = "files",
	  .type = SL_LIST,
	  .element = SL_STRING,
	  AT(files),
	  .help = "Patterns of the sources that it is for; by default all." },
	{ .name = "statuses",
	  .type = SL_LIST,
	  .element = SL_INT,
	  .min = 0,
	  .max = 255,
	  AT(statuses),
	  .help = "The exit statuses of a run that did its work; by default 0 "
		  "alone." },
	{ .name = "timeout",
	  .type = SL_DURATION,
	  AT(timeout),
	  .help = "How long a run may take; by default the file's `timeout`." },
	{ .name = "once",
	  .type = SL_BOOL,
	  AT(once),
	  .default_text = "false",
	  .help = "One run for all units, as against one a unit." },
	{ .name = "version",
	  .type = SL_LIST,
	  .element = SL_STRING,
	  AT(version),
	  .help = "The command that tells its version; by default the first "
		  "word of `command` with --version." },
};

#undef AT
#define AT(field) .offset = offsetof(struct sg_path_given, field)

static const struct sl_option path_rows[] = {
	{ .name = "path",
	  .type = SL_STRING,
	  .required = true,
	  AT(path),
	  .help = "A pattern." },
	{ .name = "policy",
	  .type = SL_ENUM,
	  .choices = sg_policy_names,
	  AT(policy),
	  .help = "The policy there." },
	{ .name = "lowest",
	  .type = SL_ENUM,
	  .choices = sg_lowest_names,
	  AT(lowest),
	  .help = "The least severity that counts there." },
};

const struct sl_option_table sg_config_options = TABLE(config_rows);
const struct sl_option_table sg_analyzer_options = TABLE(analyzer_rows);
const struct sl_option_table sg_path_options = TABLE(path_rows);

const char *const sg_config_groups[] = { "analyzers", "paths", NULL };
