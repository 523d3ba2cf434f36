/* SPDX-License-Identifier: MIT */
/* The readers of XML: what they make of a document may not depend on how it
 * was cut, and every text of a finding is UTF-8 as XML allows it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/formats.h"
#include "tests/fuzz/chosen.h"
#include "tests/fuzz/fuzz.h"

/* What was handed on, as one number (FNV-1a). */
struct sum {
	uint64_t hash;
	uint64_t findings;
};

static void add_text(struct sum *sum, const char *text)
{
	for (; text && *text; text++) {
		unsigned char byte = (unsigned char)*text;

		if (byte < 0x20 && !strchr("\t\n\r", byte))
			abort();
		sum->hash = (sum->hash ^ byte) * UINT64_C(1099511628211);
	}
	sum->hash *= UINT64_C(1099511628211);
}

static enum sl_code take(void *context, const struct sg_finding *finding,
			 struct sl_error *error)
{
	struct sum *sum = context;

	(void)error;
	sum->findings++;
	if (!finding->tool || !finding->message || finding->repeats < 1 ||
	    finding->line < 0 || strlen(finding->message) > SG_TEXT_MAX)
		abort();
	add_text(sum, finding->message);
	add_text(sum, finding->path);
	add_text(sum, finding->rule);
	add_text(sum, finding->function);
	add_text(sum, finding->unit_count ? finding->units[0] : NULL);
	for (size_t at = 0; at < finding->event_count; at++) {
		add_text(sum, finding->events[at].path);
		add_text(sum, finding->events[at].message);
	}
	return SL_OK;
}

static struct sg_ending read_in_pieces(const struct sg_format *format,
				       const uint8_t *data, size_t size,
				       size_t piece, struct sum *sum)
{
	void *state = format->create(take, sum);
	struct sg_ending ending;

	memset(&ending, 0, sizeof(ending));
	*sum = (struct sum){ UINT64_C(14695981039346656037), 0 };
	if (!state)
		abort();
	for (size_t at = 0, more; at < size; at += more) {
		more = size - at < piece ? size - at : piece;
		if (format->feed(state, (const char *)data + at, more, NULL) !=
		    SL_OK)
			abort();
	}
	if (format->finish(state, &ending, NULL) != SL_OK ||
	    ending.findings != sum->findings)
		abort();
	format->destroy(state);
	return ending;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct sg_format *const formats[] = {
		&sg_format_cppcheck_xml, &sg_format_valgrind_xml,
		&sg_format_plist,        &sg_format_pdr,
		&sg_format_checkstyle,
	};
	size_t piece = size ? 1 + data[size / 2] % 64u : 1;

	for (size_t at = 0; at < sizeof(formats) / sizeof(formats[0]); at++) {
		struct sum one, other;
		struct sg_ending whole, pieces;

		if (!fuzz_wants(formats[at]->name))
			continue;
		formats[at]->sniff((const char *)data, size);
		whole = read_in_pieces(formats[at], data, size, SIZE_MAX, &one);
		pieces = read_in_pieces(formats[at], data, size, piece, &other);
		if (one.hash != other.hash || whole.kind != pieces.kind ||
		    whole.line != pieces.line ||
		    whole.column != pieces.column) {
			fprintf(stderr,
				"%s in pieces of %zu: %s %lld:%lld %llx, not "
				"%s %lld:%lld %llx\n",
				formats[at]->name, piece,
				sg_ending_text(pieces.kind),
				(long long)pieces.line,
				(long long)pieces.column,
				(unsigned long long)other.hash,
				sg_ending_text(whole.kind),
				(long long)whole.line, (long long)whole.column,
				(unsigned long long)one.hash);
			abort();
		}
	}
	return 0;
}
