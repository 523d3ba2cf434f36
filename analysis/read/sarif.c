/* SPDX-License-Identifier: MIT */
/* The format "sarif": SARIF 2.1.0 of any driver. A run's members come in any
 * order, so a result that refers to what is not known yet is kept back, up to
 * KEPT_BYTES_MAX, and with it those behind it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/formats.h"
#include "read/reader.h"
#include "read/sarif_paths.h"
#include "read/sarif_reader.h"

enum { KEPT_BYTES_MAX = 48 << 20 };

static int sniff(const char *start, size_t length)
{
	char text[SG_SNIFF_BYTES + 1];
	bool runs, named;

	if (!sg_json_start(start, length, text, sizeof(text)) || *text != '{')
		return 0;
	runs = strstr(text, "\"runs\"") != NULL;
	named = strstr(text, "sarif") != NULL && strstr(text, "\"$schema\"");
	if (runs)
		return named ? 98 : 85;
	return named ? 80 : 0;
}

static void destroy(void *state)
{
	struct sarif_reader *reader = state;

	if (!reader)
		return;
	sarif_kept_finish(&reader->kept);
	sg_json_destroy(reader->json);
	sg_record_release(&reader->result.record);
	sarif_run_finish(&reader->run);
	free(reader->scratch);
	free(reader);
}

static void *create(sg_finding_fn *take, void *context)
{
	struct sarif_reader *reader = calloc(1, sizeof(*reader));

	if (!reader)
		return NULL;
	reader->take = take;
	reader->context = context;
	reader->scratch = malloc(SG_TEXT_MAX + 1);
	reader->json = sg_json_create(sarif_paths, sarif_path_count, false,
				      sarif_take, reader);
	if (reader->scratch && reader->json)
		return reader;
	destroy(reader);
	return NULL;
}

static enum sl_code feed(void *state, const char *bytes, size_t length,
			 struct sl_error *error)
{
	struct sarif_reader *reader = state;

	return sg_json_feed(reader->json, bytes, length, error);
}

/* The result at hand becomes a finding. */
static enum sl_code hand_on(struct sarif_reader *reader, struct sl_error *error)
{
	reader->findings++;
	return sarif_result_hand_on(&reader->result, &reader->run,
				    reader->scratch, reader->take,
				    reader->context, error);
}

/* Those kept back, with what is known by now; none is at hand. */
static enum sl_code flush(struct sarif_reader *reader, struct sl_error *error)
{
	enum sl_code code = SL_OK;

	while (reader->kept.count && code == SL_OK) {
		if (!sarif_kept_take(&reader->kept, &reader->result))
			return SL_FAIL(error, SL_ENOMEM,
				       "no memory for a finding");
		code = hand_on(reader, error);
	}
	reader->kept_bytes = 0;
	return code;
}

static enum sl_code keep_back(struct sarif_reader *reader,
			      struct sl_error *error)
{
	if (!sarif_kept_put(&reader->kept, &reader->result))
		return SL_FAIL(error, SL_ENOMEM, "no memory for a finding");
	reader->kept_bytes += sarif_result_size(&reader->result);
	return reader->kept_bytes > KEPT_BYTES_MAX ? flush(reader, error)
						   : SL_OK;
}

enum sl_code sarif_end_result(struct sarif_reader *reader,
			      struct sl_error *error)
{
	struct sarif_result *result = &reader->result;

	if (reader->is_other_version || !sarif_result_is_finding(result))
		return SL_OK;
	if (!reader->kept.count && sarif_result_is_ready(result, &reader->run))
		return hand_on(reader, error);
	return keep_back(reader, error);
}

enum sl_code sarif_end_run(struct sarif_reader *reader, struct sl_error *error)
{
	enum sl_code code = flush(reader, error);

	if (!reader->has_results)
		reader->lacks_results = true;
	sg_ending_name_tool(&reader->named, sarif_tool_name(&reader->run),
			    sarif_tool_version(&reader->run));
	sarif_run_finish(&reader->run);
	return code;
}

static void set_kind(struct sg_ending *ending, enum sg_ending_kind kind,
		     const char *message)
{
	ending->kind = kind;
	snprintf(ending->message, sizeof(ending->message), "%s", message);
}

static void judge_failed(const struct sarif_reader *reader,
			 struct sg_ending *ending)
{
	set_kind(ending, SG_TOOL_FAILED, "the tool says that it failed");
	if (*reader->failure)
		snprintf(ending->message, sizeof(ending->message),
			 "the tool says that it failed: %s", reader->failure);
}

/* The document is whole JSON: is it a whole report, and a good one? A run
 * without an array of results, be it empty, did not look (3.14.23). */
static void judge(const struct sarif_reader *reader, struct sg_ending *ending)
{
	if (!reader->is_log) {
		set_kind(ending, SG_NO_REPORT, "JSON, but no SARIF log");
	} else if (reader->is_other_version) {
		ending->kind = SG_NO_REPORT;
		snprintf(ending->message, sizeof(ending->message),
			 "SARIF %s is not read, only 2.1.0 is",
			 reader->version);
	} else if (reader->has_failed) {
		judge_failed(reader, ending);
	} else if (reader->is_external) {
		set_kind(ending, SG_UNVERIFIED,
			 "results are in other files, which are not read");
	} else if (!reader->runs) {
		set_kind(ending, SG_UNVERIFIED, "the log has no run");
	} else if (reader->lacks_results) {
		set_kind(ending, SG_UNVERIFIED,
			 "a run has no array of results, not even an empty "
			 "one");
	}
}

static enum sl_code finish(void *state, struct sg_ending *ending,
			   struct sl_error *error)
{
	struct sarif_reader *reader = state;
	enum sl_code code = sg_json_finish(reader->json, ending, error);

	if (code != SL_OK)
		return code;
	if (ending->kind == SG_COMPLETE)
		judge(reader, ending);
	else if (ending->kind == SG_MALFORMED && !reader->is_log)
		ending->kind = SG_NO_REPORT;
	code = flush(reader, error);
	ending->findings = reader->findings;
	sg_ending_name_tool(ending, reader->named.tool,
			    reader->named.tool_version);
	return code;
}

const struct sg_format sg_format_sarif = {
	.name = "sarif",
	.summary = "SARIF 2.1.0 of any tool",
	.sniff = sniff,
	.create = create,
	.feed = feed,
	.finish = finish,
	.destroy = destroy,
};
