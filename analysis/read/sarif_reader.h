/* SPDX-License-Identifier: MIT */
/** @file
 * The state of a SARIF reader; only the files sarif*.c see it.
 */
#ifndef SG_READ_SARIF_READER_H
#define SG_READ_SARIF_READER_H

#include "read/json.h"
#include "read/reader.h"
#include "read/sarif_kept.h"
#include "read/sarif_result.h"
#include "read/sarif_run.h"

/** What names a weakness: id and taxonomy come in any order. */
struct sarif_taxon {
	int64_t number;
	bool is_prefixed; /**< the id says itself that it is a CWE */
	bool is_cwe; /**< the taxonomy is */
};

/** What the tool says about its own run. */
struct sarif_notification {
	bool is_error;
	char text[160];
};

struct sarif_reader {
	struct sg_json *json; /**< owned */
	sg_finding_fn *take;
	void *context; /**< borrowed, passed to `take` */
	char *scratch; /**< owned, SG_TEXT_MAX + 1 bytes */
	struct sarif_run run;
	struct sarif_result result; /**< being read */
	struct sarif_kept kept;
	size_t kept_bytes;
	struct sg_place *place; /**< being read; NULL: it does not matter */
	unsigned logical_count; /**< logical locations of it so far */
	struct sarif_taxon taxon;
	struct sarif_notification notification;

	uint64_t findings, runs;
	bool is_log; /**< something of SARIF was there */
	bool is_other_version;
	bool has_results; /**< the run being read has an array of them */
	bool lacks_results; /**< some run had none */
	bool is_external; /**< results are in other files */
	bool has_failed; /**< the tool says so */
	char version[16];
	struct sg_ending named; /**< has the tool of the last run */
	char failure[160]; /**< its words; "": it has none */
};

/** For sg_json_create(); @p context is a struct sarif_reader. */
enum sl_code sarif_take(void *context, const struct sg_json_event *event,
			struct sl_error *error);

/** A member of a location, or a location as it begins or ends. */
void sarif_take_place(struct sarif_reader *reader,
		      const struct sg_json_event *event);

/** What a log, or a run, says beside results and rules. */
void sarif_take_log(struct sarif_reader *reader,
		    const struct sg_json_event *event);
enum sl_code sarif_take_run(struct sarif_reader *reader,
			    const struct sg_json_event *event,
			    struct sl_error *error);

/** @return whether it is this string. */
bool sarif_is(const struct sg_json_event *event, const char *word);

/** @return the copy of a string; 0: it is none. */
sg_text sarif_text(struct sg_record *record, const struct sg_json_event *event);

/** Set what is not set yet: the first of several wins. */
void sarif_set_text(struct sg_record *record, sg_text *text,
		    const struct sg_json_event *event);

/** @return an index and one; 0 for -1, which is SARIF's "not given". */
uint32_t sarif_index(const struct sg_json_event *event);

/** A result was read in full: hand it on, or keep it back. */
enum sl_code sarif_end_result(struct sarif_reader *reader,
			      struct sl_error *error);

/** A run is over: hand on what was kept back. */
enum sl_code sarif_end_run(struct sarif_reader *reader, struct sl_error *error);

#endif
