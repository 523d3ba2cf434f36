/* SPDX-License-Identifier: MIT */
/* GitLab's code quality report: what is open in the tested tree. GitLab itself
 * holds it against the target branch's, by fingerprints. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "gate/key.h"
#include "report/verdict.h"

/* GitLab wants one of info, minor, major, critical, blocker. */
static const char *severity_of(enum sg_severity severity)
{
	switch (severity) {
	case SG_INFO:
	case SG_STYLE:
		return "info";
	case SG_LOW:
		return "minor";
	case SG_ERROR:
		return "critical";
	case SG_WARNING:
	case SG_SEVERITY_UNKNOWN:
		break;
	}
	return "major";
}

static void put_check(yajl_gen gen, const struct sg_finding *finding,
		      struct sl_buffer *name)
{
	name->used = 0;
	if (!finding->rule || !*finding->rule) {
		sl_json_pair(gen, "check_name", finding->tool);
		return;
	}
	if (sg_report_put(name, finding->tool, strlen(finding->tool), NULL) ||
	    sg_report_put(name, " ", 1, NULL) ||
	    sg_report_put(name, finding->rule, strlen(finding->rule) + 1, NULL))
		sl_json_pair(gen, "check_name", finding->rule);
	else
		sl_json_pair(gen, "check_name", name->data);
}

/* GitLab drops what has no path or line, so that it gets some. */
static void put_judged(yajl_gen gen, const struct sg_judged *judged,
		       struct sl_buffer *scratch)
{
	const struct sg_finding *finding = &judged->finding;
	char fingerprint[SG_HASH_TEXT];

	sg_hash_format(judged->identity, fingerprint);
	yajl_gen_map_open(gen);
	sl_json_pair(gen, "description", finding->message);
	put_check(gen, finding, scratch);
	sl_json_pair(gen, "fingerprint", fingerprint);
	sl_json_pair(gen, "severity", severity_of(finding->severity));
	sl_json_key(gen, "location");
	yajl_gen_map_open(gen);
	sl_json_pair(gen, "path", finding->path ? finding->path : ".");
	sl_json_key(gen, "lines");
	yajl_gen_map_open(gen);
	sl_json_integer(gen, "begin", finding->line > 0 ? finding->line : 1);
	if (finding->end_line > finding->line)
		sl_json_integer(gen, "end", finding->end_line);
	yajl_gen_map_close(gen);
	yajl_gen_map_close(gen);
	yajl_gen_map_close(gen);
}

/* An empty report would say that all is mended. */
static void put_trouble(yajl_gen gen, const struct sg_trouble *trouble,
			struct sl_buffer *scratch)
{
	static const char nothing[] = "nothing is known: ";
	char fingerprint[SG_HASH_TEXT];
	struct sg_key key;

	sg_key_init(&key, "trouble");
	sg_key_text(&key, trouble->unit);
	sg_key_text(&key, trouble->tool);
	sg_key_text(&key, trouble->why);
	sg_hash_format(key.hash, fingerprint);
	scratch->used = 0;
	yajl_gen_map_open(gen);
	if (sg_report_put(scratch, nothing, sizeof(nothing) - 1, NULL) ||
	    (trouble->tool && (sg_report_put(scratch, trouble->tool,
					     strlen(trouble->tool), NULL) ||
			       sg_report_put(scratch, ": ", 2, NULL))) ||
	    sg_report_put(scratch, trouble->why, strlen(trouble->why) + 1,
			  NULL))
		sl_json_pair(gen, "description", trouble->why);
	else
		sl_json_pair(gen, "description", scratch->data);
	sl_json_pair(gen, "check_name", "scgate incomplete");
	sl_json_pair(gen, "fingerprint", fingerprint);
	sl_json_pair(gen, "severity", "blocker");
	sl_json_key(gen, "location");
	yajl_gen_map_open(gen);
	sl_json_pair(gen, "path",
		     trouble->unit ? trouble->unit : SG_CONFIG_NAME);
	sl_json_key(gen, "lines");
	yajl_gen_map_open(gen);
	sl_json_integer(gen, "begin", 1);
	yajl_gen_map_close(gen);
	yajl_gen_map_close(gen);
	yajl_gen_map_close(gen);
}

static enum sl_code write_gitlab(const struct sg_verdict_view *view,
				 struct sl_buffer *text, struct sl_error *error)
{
	const struct sg_judgement *judgement = view->judgement;
	struct sl_buffer scratch = { .data = NULL };
	yajl_gen gen = sl_json_begin();

	if (!gen)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a report");
	yajl_gen_array_open(gen);
	for (size_t at = 0; at < judgement->judged_count; at++) {
		const struct sg_judged *judged = &judgement->judged[at];

		if (judged->counts && !judged->accepted &&
		    judged->verdict != SG_FIXED)
			put_judged(gen, judged, &scratch);
	}
	for (size_t at = 0; judgement->outcome == SG_INCOMPLETE &&
			    at < judgement->trouble_count;
	     at++)
		if (!judgement->troubles[at].limited)
			put_trouble(gen, &judgement->troubles[at], &scratch);
	yajl_gen_array_close(gen);
	free(scratch.data);
	return sl_json_end(gen, text, error);
}

const struct sg_verdict_writer sg_verdict_writer_gitlab = {
	.name = "gitlab",
	.summary = "GitLab's code quality report",
	.write = write_gitlab,
};
