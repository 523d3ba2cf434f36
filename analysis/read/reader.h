/* SPDX-License-Identifier: MIT */
/** @file
 * A reader: a parser of one report format, fed in pieces.
 *
 * Memory is bounded by the largest finding, never by the report; a text of more
 * than SG_TEXT_MAX bytes is cut. A reader never fails for what it reads: it
 * hands on what it understands, and says in the ending what it did not. Its
 * functions fail for want of memory alone, or with what the callback returned.
 *
 * One format is one file, read/FORMAT.c, that defines a struct sg_format and
 * keeps all else static; read/formats.c lists them.
 */
#ifndef SG_READ_READER_H
#define SG_READ_READER_H

#include <stddef.h>

#include "read/finding.h"
#include "sluice/defs.h"
#include "sluice/error.h"

/** The longest text of a finding, in bytes; longer ones are cut. */
#define SG_TEXT_MAX 65536
/** Bytes of a document's start that a sniffer is shown at most. */
#define SG_SNIFF_BYTES 8192

/** Takes a finding. What it returns other than SL_OK ends the reading. */
typedef enum sl_code sg_finding_fn(void *context,
				   const struct sg_finding *finding,
				   struct sl_error *error);

struct sg_format {
	const char *name; /**< "cppcheck-xml" */
	const char *summary; /**< a line without a full stop */
	/** @return how sure it is, 0 (no) to 100, that a document with this
	 * start is of the format. The start is as it is in the file: any
	 * encoding, BOM, CRLF, ANSI colours. */
	int (*sniff)(const char *start, size_t length);
	/** @return a reader's state, owned by the caller; NULL: no memory. */
	void *(*create)(sg_finding_fn *take, void *context);
	/** The next piece; of any size, cut anywhere. */
	enum sl_code (*feed)(void *state, const char *bytes, size_t length,
			     struct sl_error *error);
	/** The document is over: hand on what is left, and say how it ended. */
	enum sl_code (*finish)(void *state, struct sg_ending *ending,
			       struct sl_error *error);
	void (*destroy)(void *state); /**< also in the middle; takes NULL */
};

/** All formats, the more specific first; NULL at the end. */
extern const struct sg_format *const sg_formats[];

/** @return the format of that name, or NULL. */
const struct sg_format *sg_format_named(const char *name);

/** @return the format that is surest of a document's start; NULL: none is. */
const struct sg_format *sg_format_sniffed(const char *start, size_t length);

#endif
