/* SPDX-License-Identifier: MIT */
/** @file
 * A document: a report in a file, in a folder, or on a stream.
 */
#ifndef SG_READ_DOCUMENT_H
#define SG_READ_DOCUMENT_H

#include "read/reader.h"

/** What reading a document came to. */
struct sg_document {
	const struct sg_format *format; /**< NULL: none was sure of it */
	struct sg_ending ending;
};

/** Read @p path ("-": stdin) to its end and hand its findings to @p take.
 * @p format: NULL, to be found out from the start of the document. A folder is
 * one of Intel's static analysis, rNsc/, whose data.N/rNsc.pdr are read in the
 * order of N.
 *
 * SL_OK: it was read; *document says how it ended. A document that no format
 * knows ends as SG_NO_REPORT. SL_EIO: it cannot be opened or read; SL_ENOMEM;
 * or what @p take returned. Findings before the failure were handed on. */
enum sl_code sg_document_read(const char *path, const struct sg_format *format,
			      sg_finding_fn *take, void *context,
			      struct sg_document *document,
			      struct sl_error *error) SL_MUST_CHECK;

#endif
