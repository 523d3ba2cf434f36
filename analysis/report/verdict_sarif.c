/* SPDX-License-Identifier: MIT */
/* A verdict as a SARIF log. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/sarif_log.h"
#include "report/verdict.h"

/* Tools whose versions are told apart; of further ones each version has a run
 * of its own. */
enum { TOOLS_MAX = 64, MESSAGE_MAX = 4096 };

struct tool {
	const char *name, *version; /* borrowed */
};

struct writing {
	const struct sg_judgement *judgement;
	struct sg_sarif_log *log; /* owned */
	struct sl_buffer *text;
	struct sl_error *error;
	struct tool tools[TOOLS_MAX];
	size_t tool_count;
};

/* ---- tools ------------------------------------------------------------- */

static struct tool *find_tool(struct writing *writing, const char *name)
{
	for (size_t at = 0; at < writing->tool_count; at++)
		if (strcmp(writing->tools[at].name, name) == 0)
			return &writing->tools[at];
	return NULL;
}

static bool is_gone(const struct sg_judged *judged)
{
	return judged->verdict == SG_FIXED || judged->verdict == SG_UNKNOWN;
}

/* What the base's tool said stands in the run of the tool of today. */
static void note_tools(struct writing *writing)
{
	const struct sg_judgement *judgement = writing->judgement;

	for (size_t at = 0; at < judgement->judged_count; at++) {
		const struct sg_finding *finding =
			&judgement->judged[at].finding;
		struct tool *tool = find_tool(writing, finding->tool);

		if (is_gone(&judgement->judged[at]))
			continue;
		if (!tool && writing->tool_count < TOOLS_MAX) {
			tool = &writing->tools[writing->tool_count++];
			tool->name = finding->tool;
		}
		if (tool && !tool->version)
			tool->version = finding->tool_version;
	}
}

/* ---- results ----------------------------------------------------------- */

static const char *state_of(const struct sg_judged *judged)
{
	switch (judged->verdict) {
	case SG_NEW:
		return "new";
	case SG_FIXED:
		return "absent";
	case SG_UNKNOWN:
		return "unchanged";
	case SG_SAME:
		break;
	}
	if (!judged->was_path)
		return "unchanged";
	return judged->was_line == judged->finding.line &&
			       judged->finding.path &&
			       strcmp(judged->was_path, judged->finding.path) ==
				       0
		       ? "unchanged"
		       : "updated";
}

static enum sl_code put_judged(struct writing *writing,
			       const struct sg_judged *judged)
{
	struct sg_finding finding = judged->finding;
	const struct tool *tool = find_tool(writing, finding.tool);
	char fingerprint[SG_HASH_TEXT];
	const struct sg_sarif_more more = {
		.baseline_state = state_of(judged),
		.fingerprint = fingerprint,
		.justification = judged->reason,
		.verdict = sg_verdict_text(judged->verdict),
		.is_objected = judged->is_objected,
	};

	if (tool)
		finding.tool_version = tool->version;
	finding.suppressed = judged->accepted;
	sg_hash_format(judged->identity, fingerprint);
	return sg_sarif_log_put(writing->log, &finding, &more, writing->text,
				writing->error);
}

/* ---- notifications ----------------------------------------------------- */

static enum sl_code put_trouble(struct writing *writing,
				const struct sg_trouble *trouble)
{
	const char *tool = trouble->tool;
	char message[MESSAGE_MAX];

	snprintf(message, sizeof(message), "%s%s%s%s%s%s%s",
		 trouble->unit ? trouble->unit : "", trouble->unit ? ": " : "",
		 trouble->tool ? trouble->tool : "", trouble->tool ? ": " : "",
		 trouble->why, trouble->in_base ? " (in the base)" : "",
		 trouble->words ? "\n" : "");
	if (trouble->words)
		strncat(message, trouble->words,
			sizeof(message) - strlen(message) - 1);
	/* compiling is no tool whose findings anybody has */
	if (!tool || strcmp(tool, "compile") == 0)
		tool = "scgate";
	return sg_sarif_log_notify(
		writing->log, tool, trouble->limited ? "warning" : "error",
		message, trouble->unit, writing->text, writing->error);
}

static enum sl_code write_all(struct writing *writing)
{
	const struct sg_judgement *judgement = writing->judgement;
	enum sl_code code = SL_OK;

	note_tools(writing);
	if (judgement->outcome == SG_INCOMPLETE)
		sg_sarif_log_fail(writing->log);
	for (size_t at = 0; at < judgement->judged_count && code == SL_OK; at++)
		code = put_judged(writing, &judgement->judged[at]);
	for (size_t at = 0; at < judgement->trouble_count && code == SL_OK;
	     at++)
		code = put_trouble(writing, &judgement->troubles[at]);
	if (code == SL_OK)
		code = sg_sarif_log_end(writing->log, writing->text,
					writing->error);
	return code;
}

static enum sl_code write_sarif(const struct sg_verdict_view *view,
				struct sl_buffer *text, struct sl_error *error)
{
	struct writing *writing = calloc(1, sizeof(*writing));
	enum sl_code code = SL_ENOMEM;

	if (writing)
		writing->log = sg_sarif_log_create();
	if (writing && writing->log) {
		writing->judgement = view->judgement;
		writing->text = text;
		writing->error = error;
		code = write_all(writing);
		sg_sarif_log_destroy(writing->log);
	} else {
		code = SL_FAIL(error, SL_ENOMEM, "no memory for a log");
	}
	free(writing);
	return code;
}

const struct sg_verdict_writer sg_verdict_writer_sarif = {
	.name = "sarif",
	.summary = "SARIF 2.1.0, with the state against the base",
	.write = write_sarif,
};
