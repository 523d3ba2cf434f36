/* SPDX-License-Identifier: MIT */
/* The readers of text logs. The first byte names the format and how the log is
 * cut; the rest is the log. Cut or whole, the same must be read, and every text
 * must be what the contract says: UTF-8 of at most SG_TEXT_MAX bytes. */
#include <stdlib.h>
#include <string.h>

#include "read/formats.h"
#include "read/line_clean.h"
#include "tests/fuzz/chosen.h"
#include "tests/fuzz/fuzz.h"

struct digest {
	uint64_t value, findings;
};

static void check(struct digest *digest, const char *text)
{
	size_t length = text ? strlen(text) : 0;
	char *clean;

	digest->value = digest->value * 31 + 1 + (text != NULL);
	if (!length)
		return;
	/* twice, for blanks may be put between two texts */
	clean = malloc(3 * length);
	if (!clean || length > SG_TEXT_MAX ||
	    sg_line_clean(text, length, clean, 3 * length) != length ||
	    memcmp(clean, text, length) != 0)
		abort();
	free(clean);
	for (size_t at = 0; at < length; at++)
		digest->value = digest->value * 31 + (unsigned char)text[at];
}

static enum sl_code take(void *context, const struct sg_finding *finding,
			 struct sl_error *error)
{
	struct digest *digest = context;

	(void)error;
	if (!finding->tool || !finding->message || finding->repeats < 1 ||
	    finding->line < 0 || finding->column < 0)
		abort();
	check(digest, finding->tool);
	check(digest, finding->rule);
	check(digest, finding->severity_word);
	check(digest, finding->message);
	check(digest, finding->verbose);
	check(digest, finding->path);
	check(digest, finding->function);
	digest->value += (uint64_t)(finding->line + finding->column);
	for (size_t at = 0; at < finding->event_count; at++) {
		check(digest, finding->events[at].path);
		check(digest, finding->events[at].message);
		check(digest, finding->events[at].function);
	}
	digest->findings++;
	return SL_OK;
}

static struct digest read_log(const struct sg_format *format, const char *log,
			      size_t length, size_t piece)
{
	struct digest digest = { 0 };
	struct sg_ending ending;
	void *state = format->create(take, &digest);

	if (!state)
		abort();
	for (size_t at = 0; at < length; at += piece)
		if (format->feed(state, log + at,
				 length - at < piece ? length - at : piece,
				 NULL) != SL_OK)
			abort();
	if (format->finish(state, &ending, NULL) != SL_OK ||
	    ending.findings != digest.findings ||
	    !memchr(ending.message, '\0', sizeof(ending.message)))
		abort();
	format->destroy(state);
	return digest;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct sg_format *const formats[] = {
		&sg_format_gcc,
		&sg_format_clang,
		&sg_format_clang_tidy,
		&sg_format_sanitizer,
		&sg_format_msvc,
		&sg_format_flawfinder,
		&sg_format_flawfinder_csv,
	};
	const size_t count = sizeof(formats) / sizeof(formats[0]);
	const struct sg_format *format;
	struct digest whole, cut;
	const char *log;
	int sure;

	if (!size)
		return 0;
	/* letters name formats, so that a corpus can be written by hand */
	format = fuzz_chosen() ? sg_format_named(fuzz_chosen())
			       : formats[data[0] % count];
	if (!format)
		abort();
	log = (const char *)data + 1;
	whole = read_log(format, log, size - 1, size);
	cut = read_log(format, log, size - 1, 1 + data[0] / count % 16);
	if (whole.value != cut.value || whole.findings != cut.findings)
		abort();
	sure = format->sniff(log, size - 1 < SG_SNIFF_BYTES ? size - 1
							    : SG_SNIFF_BYTES);
	if (sure < 0 || sure > 100)
		abort();
	return 0;
}
