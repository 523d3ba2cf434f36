/* SPDX-License-Identifier: MIT */
/* The JSON formats: however a report is cut into pieces, the same findings and
 * the same kind of ending come out; texts are UTF-8 without NUL. */
#include <stdlib.h>
#include <string.h>

#include "read/formats.h"
#include "read/reader.h"
#include "tests/fuzz/chosen.h"
#include "tests/fuzz/fuzz.h"

struct sum {
	uint64_t hash;
	uint64_t findings;
};

static void add_number(struct sum *sum, uint64_t number)
{
	sum->hash = (sum->hash ^ number) * 0x100000001b3;
}

/* The length of a UTF-8 character; 0: it is none. */
static size_t character(const unsigned char *at)
{
	size_t size = at[0] < 0x80   ? 1
		      : at[0] < 0xc2 ? 0
		      : at[0] < 0xe0 ? 2
		      : at[0] < 0xf0 ? 3
		      : at[0] < 0xf5 ? 4
				     : 0;

	for (size_t next = 1; next < size; next++)
		if ((at[next] & 0xc0) != 0x80)
			return 0;
	return size;
}

static void add_text(struct sum *sum, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	add_number(sum, text ? 1 : 2);
	while (at && *at) {
		size_t size = character(at);

		fuzz_require(size > 0);
		for (; size; size--)
			add_number(sum, *at++);
	}
}

static enum sl_code take(void *context, const struct sg_finding *finding,
			 struct sl_error *error)
{
	struct sum *sum = context;

	(void)error;
	fuzz_require(finding->tool && finding->message &&
		     finding->repeats >= 1);
	fuzz_require(finding->line >= 0 && finding->column >= 0);
	sum->findings++;
	add_text(sum, finding->tool);
	add_text(sum, finding->tool_version);
	add_text(sum, finding->rule);
	add_text(sum, finding->severity_word);
	add_text(sum, finding->message);
	add_text(sum, finding->path);
	add_text(sum, finding->function);
	add_number(sum, (uint64_t)finding->line);
	add_number(sum, (uint64_t)finding->column);
	add_number(sum, (uint64_t)finding->cwe);
	add_number(sum, finding->suppressed);
	for (size_t at = 0; at < finding->event_count; at++) {
		add_text(sum, finding->events[at].path);
		add_text(sum, finding->events[at].message);
		add_text(sum, finding->events[at].function);
		add_number(sum, (uint64_t)finding->events[at].line);
	}
	return SL_OK;
}

static struct sum read_in_pieces(const struct sg_format *format,
				 const uint8_t *data, size_t size, size_t piece)
{
	struct sum sum = { 0xcbf29ce484222325, 0 };
	struct sg_ending ending;
	struct sl_error error;
	void *state = format->create(take, &sum);

	fuzz_require(state != NULL);
	for (size_t at = 0; at < size; at += piece) {
		size_t length = size - at < piece ? size - at : piece;

		fuzz_require(format->feed(state, (const char *)data + at,
					  length, &error) == SL_OK);
	}
	fuzz_require(format->finish(state, &ending, &error) == SL_OK);
	format->destroy(state);
	fuzz_require(ending.findings == sum.findings);
	add_number(&sum, ending.kind);
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct sg_format *formats[] = { &sg_format_sarif,
					      &sg_format_gcc_json };
	uint8_t *copy = (uint8_t *)fuzz_copy(data, size);

	for (size_t at = 0; at < 2; at++) {
		struct sum whole, cut;

		if (!fuzz_wants(formats[at]->name))
			continue;
		formats[at]->sniff((const char *)copy,
				   size < SG_SNIFF_BYTES ? size
							 : SG_SNIFF_BYTES);
		whole = read_in_pieces(formats[at], copy, size, SIZE_MAX / 2);
		for (size_t piece = 1; piece < 4; piece += 2) {
			cut = read_in_pieces(formats[at], copy, size, piece);
			fuzz_require(cut.hash == whole.hash);
		}
	}
	free(copy);
	return 0;
}
