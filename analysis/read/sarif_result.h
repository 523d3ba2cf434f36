/* SPDX-License-Identifier: MIT */
/** @file
 * A SARIF result: what it says itself, and how it becomes a finding with the
 * help of its run.
 */
#ifndef SG_READ_SARIF_RESULT_H
#define SG_READ_SARIF_RESULT_H

#include "read/reader.h"
#include "read/record.h"
#include "read/sarif_run.h"

enum { SARIF_ARGUMENTS_MAX = 16 };

/** What a log that we wrote says beyond SARIF's own properties. */
struct sarif_ours {
	enum sg_severity severity;
	bool given; /**< the severity is, and the word is this one or none */
	bool inconclusive;
	sg_text word, verbose;
	sg_text units; /**< the first; the others stand behind it */
	size_t unit_count, units_end;
};

/** A zeroed struct is an empty result. Indices are 0 if not given, else one
 * more than in the report. */
struct sarif_result {
	struct sg_record record; /**< place.message is the message's text */
	sg_text rule_id, level, kind;
	uint32_t rule_index, component;
	sg_text message_id, markdown;
	sg_text arguments[SARIF_ARGUMENTS_MAX];
	unsigned argument_count;
	struct sg_place target; /**< analysisTarget: only its path is told */
	struct sarif_ours ours;
	int64_t cwe, occurrences;
	bool absent; /**< from an older run, and gone since */
	bool suppressed; /**< somebody asked for it */
	bool refused; /**< a request that is under review or was rejected */
};

/** Forget what is in it; keep the buffers. */
void sarif_result_clear(struct sarif_result *result);

/** @return whether it reports a problem: not one that passed or is gone. */
bool sarif_result_is_finding(const struct sarif_result *result);

/** @return whether all that it refers to is known. */
bool sarif_result_is_ready(const struct sarif_result *result,
			   const struct sarif_run *run);

/** @return bytes that it takes when it is kept back. */
size_t sarif_result_size(const struct sarif_result *result);

/** @return the name by which the run's tool is known in its other formats, too;
 * "sarif" if it has none. */
const char *sarif_tool_name(const struct sarif_run *run);
/** @return NULL: not given. */
const char *sarif_tool_version(const struct sarif_run *run);

/** Resolve with what is known, and hand on.
 * @p scratch has room for SG_TEXT_MAX + 1 bytes.
 * @return SL_OK, SL_ENOMEM, or what @p take returned. */
enum sl_code sarif_result_hand_on(struct sarif_result *result,
				  const struct sarif_run *run, char *scratch,
				  sg_finding_fn *take, void *context,
				  struct sl_error *error);

#endif
