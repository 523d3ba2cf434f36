/* SPDX-License-Identifier: MIT */
/** @file
 * All that is known of one finding, written down, with the lines of source that
 * it is about.
 */
#ifndef SG_REPORT_DETAIL_H
#define SG_REPORT_DETAIL_H

#include "report/report.h"
#include "store/show.h"

/** Where lines of source come from. All borrowed. */
struct sg_detail_sources {
	sg_source_fn *source; /**< NULL: from nowhere */
	void *context;
	const char *commit; /**< whose files they are; NULL: as they are now */
	const char *missing; /**< without `source`: why there are none */
};

/** Append it as text for people. What tools and sources say cannot steer the
 * terminal. SL_ENOMEM, or what the source's function returned. */
enum sl_code sg_detail_text(const struct sg_shown *shown,
			    const struct sg_detail_sources *sources,
			    const struct sg_look *look, struct sl_buffer *text,
			    struct sl_error *error) SL_MUST_CHECK;

/** Append it as one JSON object. Codes as those of sg_detail_text(). */
enum sl_code sg_detail_json(const struct sg_shown *shown,
			    const struct sg_detail_sources *sources,
			    struct sl_buffer *text,
			    struct sl_error *error) SL_MUST_CHECK;

/* ---- shared by the two ------------------------------------------------- */

/** The file whose source is at hand. A zeroed one is none. */
struct sg_detail_file {
	const char *path; /**< borrowed; NULL: none was asked for */
	const char *text; /**< borrowed; NULL: it is not at hand */
	size_t length;
};

/** Have the source of @p path at hand, if it can be had. */
enum sl_code sg_detail_open(struct sg_detail_file *file,
			    const struct sg_detail_sources *sources,
			    const char *path,
			    struct sl_error *error) SL_MUST_CHECK;

/** @return whether the tool's columns count as a terminal shows them. */
bool sg_detail_shown_columns(const struct sg_finding *said);

/** Bytes of a time as text. */
enum { SG_TIME_TEXT = 32 };

/** @return the time in UTC, "2026-11-30T21:30:38Z", in @p text. */
const char *sg_time_text(int64_t time, char text[SG_TIME_TEXT]);

/** Lines shown before and after the one that a finding is about. */
enum { SG_DETAIL_AROUND = 3 };

#endif
