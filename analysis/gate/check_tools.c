/* SPDX-License-Identifier: MIT */
/* The analyzers as this machine has them: where they are, and which version. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "gate/check_keys.h"
#include "gate/check_law.h"
#include "gate/check_parts.h"
#include "gate/key.h"
#include "run/program.h"
#include "run/unit_flags.h"

enum { VERSION_MAX = 256, TIMEOUT_S = 30 };

static enum sl_code no_memory(struct sl_error *error)
{
	return SL_FAIL(error, SL_ENOMEM, "no memory for analyzers");
}

/* ---- the version ------------------------------------------------------- */

struct sg_hash sg_check_program_hash(const char *path)
{
	struct stat about = { .st_size = 0 };
	struct sg_key key;

	sg_key_init(&key, "program");
	sg_key_text(&key, path);
	if (stat(path, &about) == 0) {
		sg_key_number(&key, (uint64_t)about.st_dev);
		sg_key_number(&key, (uint64_t)about.st_ino);
		sg_key_number(&key, (uint64_t)about.st_size);
		sg_key_number(&key, (uint64_t)about.st_mtim.tv_sec);
		sg_key_number(&key, (uint64_t)about.st_mtim.tv_nsec);
	}
	return key.hash;
}

/* The lines that a tool says of itself, as one. */
static const char *read_version(struct sg_check *check, const char *path)
{
	char text[VERSION_MAX];
	FILE *file = fopen(path, "re");
	size_t length = file ? fread(text, 1, sizeof(text) - 1, file) : 0;

	if (file)
		fclose(file);
	while (length && (text[length - 1] == '\n' || text[length - 1] == ' '))
		length--;
	for (size_t at = 0; at < length; at++)
		if ((unsigned char)text[at] < ' ')
			text[at] = ' ';
	return length ? sl_arena_text(&check->arena, text, length) : NULL;
}

static struct sg_hash version_key(const struct sg_gate_tool *tool)
{
	struct sg_key key;

	sg_key_init(&key, "version");
	sg_key_hash(&key, sg_check_program_hash(tool->program));
	sg_key_hash(&key, sg_analyzer_hash(tool->analyzer));
	return key.hash;
}

struct asking {
	struct sg_check *check;
	struct sg_gate_tool *tool;
	const char *out;
	struct sg_hash key;
};

static enum sl_code take_version(void *context, const struct sg_job *job,
				 const struct sg_job_result *result,
				 struct sl_error *error)
{
	struct asking *asking = job->context;
	const char *version =
		result->end == SG_JOB_EXITED && result->status == 0
			? read_version(asking->check, asking->out)
			: NULL;

	(void)context;
	if (!version)
		return SL_OK;
	asking->tool->version = version;
	return sg_kept_put_note(asking->check->store, asking->key, version,
				error);
}

static enum sl_code ask_version(struct sg_check *check,
				struct sg_gate_tool *tool, struct sg_jobs *jobs,
				struct sl_error *error)
{
	const struct sg_analyzer *analyzer = tool->analyzer;
	struct asking *asking = sl_arena_alloc(&check->arena, sizeof(*asking));
	const char **own = sl_arena_alloc(&check->arena, 3 * sizeof(*own));
	struct sg_job job = { .directory = "/",
			      .timeout_ns = TIMEOUT_S * INT64_C(1000000000) };
	enum sl_code code = sg_check_make_temp(check, error);

	if (code != SL_OK)
		return code;
	job.out = sg_check_new_file(check, "version");
	if (!asking || !own || !job.out)
		return no_memory(error);
	own[0] = tool->program;
	own[1] = "--version";
	job.words = analyzer->version ? analyzer->version : own;
	job.context = asking;
	*asking = (struct asking){ check, tool, job.out, version_key(tool) };
	return sg_jobs_add(jobs, &job, error);
}

/* ---- all tools --------------------------------------------------------- */

/* "{gcc}" is the unit's own compiler where that is a gcc, whose version is part
 * of the unit's key anyway. */
static void find_program(struct sg_check *check, struct sg_gate_tool *tool)
{
	static const char *const compilers[][2] = { { "{gcc}", "gcc" },
						    { "{clang}", "clang" } };

	tool->name = tool->analyzer->command[0];
	for (size_t at = 0; at < 2; at++)
		if (strcmp(tool->name, compilers[at][0]) == 0)
			tool->name = compilers[at][1];
	tool->program = sg_program_find(tool->name, &check->arena);
	if (!tool->program && tool->name != tool->analyzer->command[0] &&
	    check->tested.count)
		tool->program = sg_program_find(
			sg_unit_compiler(check->tested.rows[0].unit),
			&check->arena);
}

static enum sl_code find_tool(struct sg_check *check, struct sg_gate_tool *tool,
			      struct sg_jobs *jobs, struct sl_error *error)
{
	enum sl_code code;

	find_program(check, tool);
	if (!tool->program)
		return SL_OK;
	code = sg_kept_note(check->store, version_key(tool), &check->arena,
			    &tool->version, error);
	return code == SL_OK && !tool->version
		       ? ask_version(check, tool, jobs, error)
		       : code;
}

static void hash_tool(const struct sg_check *check, struct sg_gate_tool *tool)
{
	struct sg_key key;

	sg_key_init(&key, "tool");
	sg_key_number(&key, SG_CHECK_VERSION);
	sg_key_hash(&key, sg_analyzer_hash(tool->analyzer));
	sg_key_text(&key, tool->version);
	sg_key_text(&key, tool->program);
	sg_key_hash(&key, check->law);
	sg_check_add_environment(&key);
	tool->hash = key.hash;
}

static enum sl_code note_missing(struct sg_check *check,
				 const struct sg_gate_tool *tool,
				 struct sl_error *error)
{
	const struct sg_trouble trouble = {
		.tool = tool->analyzer->name,
		.why = sl_arena_printf(&check->arena,
				       "%s is not on PATH: install it, or "
				       "take it out of %s",
				       tool->name, SG_CONFIG_NAME),
	};

	return trouble.why ? sg_check_trouble(check, &trouble, error)
			   : no_memory(error);
}

static enum sl_code find_all(struct sg_check *check, struct sg_jobs *jobs,
			     struct sl_error *error)
{
	enum sl_code code = SL_OK;

	for (size_t at = 0; code == SL_OK && at < check->tool_count; at++)
		code = find_tool(check, &check->tools[at], jobs, error);
	if (code == SL_OK)
		code = sg_jobs_run(jobs, take_version, check,
				   check->settings.signal_number, error);
	for (size_t at = 0; code == SL_OK && at < check->tool_count; at++) {
		hash_tool(check, &check->tools[at]);
		if (!check->tools[at].program)
			code = note_missing(check, &check->tools[at], error);
	}
	return code;
}

enum sl_code sg_check_find_tools(struct sg_check *check, struct sl_error *error)
{
	const struct sg_jobs_settings settings = { .parallel = 0 };
	struct sg_jobs *jobs;
	enum sl_code code;

	if (check->has_tools)
		return SL_OK;
	check->has_tools = true;
	code = sg_law_read(check, error);
	if (code == SL_OK)
		code = sg_jobs_create(&jobs, &settings, error);
	if (code != SL_OK)
		return code;
	code = find_all(check, jobs, error);
	sg_jobs_destroy(jobs);
	return code;
}
