/* SPDX-License-Identifier: MIT */
/** @file
 * The inside of store/export.h: rows read one by one.
 */
#ifndef SG_STORE_EXPORTING_H
#define SG_STORE_EXPORTING_H

#include "store/ask.h"
#include "store/export.h"

struct sg_export_place {
	int64_t occurrence;
	size_t at; /**< in the judgement */
};

struct sg_exporting {
	struct sg_store *store;
	struct sl_error *error;
	struct sl_arena *arena;
	struct sg_judgement *judgement;
	struct sg_trouble *trouble;
	int64_t run, base; /**< ids; 0: there is no base */
	struct sg_export_place *places; /**< owned; one a finding */
	size_t room; /**< of places, and of findings */
};

/** Record that there is no memory. @return SL_ENOMEM. */
enum sl_code sg_export_no_memory(const struct sg_exporting *exporting);

/** Ask the statement behind @p mark; as sg_ask_start(). */
enum sl_code sg_export_ask(const struct sg_exporting *exporting,
			   struct sg_ask *ask, const char *mark) SL_MUST_CHECK;

/** A row whose texts are copied; a failure is told at its end. */
struct sg_export_row {
	const struct sg_exporting *exporting;
	const struct sg_ask *row;
	bool no_memory;
};

/** @return a column's text in the arena; NULL: it is NULL. */
const char *sg_export_text(struct sg_export_row *row, int column);

static inline int64_t sg_export_number(const struct sg_export_row *row,
				       int column)
{
	return sg_ask_number(row->row, column);
}

/** Load events and units of what was loaded. */
enum sl_code sg_export_ways(struct sg_exporting *exporting) SL_MUST_CHECK;

#endif
