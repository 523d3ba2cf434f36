/* SPDX-License-Identifier: MIT */
/* All formats, and which of them a document is in. */
#include <string.h>

#include "read/formats.h"
#include "read/reader.h"

const struct sg_format *const sg_formats[] = {
	&sg_format_cppcheck_xml,
	&sg_format_valgrind_xml,
	&sg_format_plist,
	&sg_format_pdr,
	&sg_format_checkstyle,
	&sg_format_sarif,
	&sg_format_gcc_json,
	&sg_format_sanitizer,
	&sg_format_flawfinder,
	&sg_format_flawfinder_csv,
	&sg_format_msvc,
	&sg_format_clang_tidy,
	&sg_format_clang,
	&sg_format_gcc,
	NULL,
};

const struct sg_format *sg_format_named(const char *name)
{
	for (size_t at = 0; sg_formats[at]; at++)
		if (strcmp(sg_formats[at]->name, name) == 0)
			return sg_formats[at];
	return NULL;
}

const struct sg_format *sg_format_sniffed(const char *start, size_t length)
{
	const struct sg_format *surest = NULL;
	int best = 0;

	if (length > SG_SNIFF_BYTES)
		length = SG_SNIFF_BYTES;
	for (size_t at = 0; sg_formats[at]; at++) {
		int score = sg_formats[at]->sniff(start, length);

		if (score > best) {
			best = score;
			surest = sg_formats[at];
		}
	}
	return surest;
}
