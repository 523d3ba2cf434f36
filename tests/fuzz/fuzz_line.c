/* SPDX-License-Identifier: MIT */
/* trace_text's ways to read a line must read every line alike: the same
 * verdict and, where it is good, the same packet. The slow one is the measure.
 * The one for many lines may leave any line to the others, but not read it
 * otherwise. */
#include <stdlib.h>
#include <string.h>

#include "pipeline/names.h"
#include "plugins/trace_text/line.h"
#include "plugins/trace_text/words.h"
#include "sluice/chunk.h"
#include "tests/fuzz/fuzz.h"

static const struct fields orders[] = {
	{ { FIELD_NIC, FIELD_DST, FIELD_SRC, FIELD_DPORT, FIELD_SPORT,
	    FIELD_PROTOCOL },
	  6 },
	{ { FIELD_SPORT, FIELD_SRC, FIELD_NONE, FIELD_PROTOCOL, FIELD_DST,
	    FIELD_DPORT, FIELD_NIC },
	  7 },
	{ { FIELD_DST, FIELD_SRC, FIELD_PROTOCOL, FIELD_NIC, FIELD_DPORT,
	    FIELD_SPORT, FIELD_NONE },
	  7 },
	{ { FIELD_NONE, FIELD_NIC, FIELD_DST, FIELD_SRC, FIELD_DPORT,
	    FIELD_SPORT, FIELD_PROTOCOL, FIELD_NONE },
	  8 },
	{ { FIELD_DPORT, FIELD_SPORT, FIELD_NIC, FIELD_PROTOCOL, FIELD_DST,
	    FIELD_SRC },
	  6 },
};

static struct sl_names *nics, *applications;
static struct word_cache nic_cache, application_cache;
static struct line_forms forms;

static void prepare(void)
{
	static const char *const names[] = { "eth0",  "eth1", "eth2",   "eth3",
					     "wlan0", "e",    "longest" };
	uint16_t id;

	line_forms_init(&forms);
	nics = sl_names_create();
	applications = sl_names_create();
	fuzz_require(nics && applications);
	fuzz_require(words_intern(applications, NULL) == SL_OK);
	for (size_t at = 0; at < sizeof(names) / sizeof(names[0]); at++)
		fuzz_require(sl_names_intern(nics, names[at], strlen(names[at]),
					     &id, NULL) == SL_OK);
}

static void compare(const struct line_reader *reader, const uint8_t *text,
		    const uint8_t *limit)
{
	const uint8_t *newline = memchr(text, '\n', (size_t)(limit - text));
	const uint8_t *end;
	struct sl_packet quick, slow;
	struct sl_error error;
	enum line_result verdict;

	memset(&quick, 0, sizeof(quick));
	memset(&slow, 0, sizeof(slow));
	verdict = line_parse(reader, text, limit, &end, &quick, &error);
	fuzz_require(end == newline);
	fuzz_require(verdict ==
		     line_parse_slowly(reader, text, newline, &slow, &error));
	if (verdict == LINE_GOOD || verdict == LINE_NEW_NAME)
		fuzz_require(memcmp(&quick, &slow, sizeof(quick)) == 0);
}

/* As many lines from @p text on as the batch reads, up to @p room. */
static void compare_batch(const struct line_reader *reader, line_batch *batch,
			  const uint8_t *text, const uint8_t *limit,
			  uint32_t room)
{
	enum { ROOM = 8 };
	struct sl_packet packets[ROOM], slow;
	const uint8_t *behind = text;
	struct sl_error error;
	uint32_t count;

	fuzz_require(room <= ROOM);
	memset(packets, 0xa5, sizeof(packets));
	count = batch(reader, &behind, limit, packets, room);
	fuzz_require(count <= room);
	for (uint32_t at = 0; at < count; at++) {
		const uint8_t *newline =
			memchr(text, '\n', (size_t)(limit - text));

		memset(&slow, 0, sizeof(slow));
		fuzz_require(line_parse_slowly(reader, text, newline, &slow,
					       &error) == LINE_GOOD);
		fuzz_require(memcmp(&packets[at], &slow, sizeof(slow)) == 0);
		text = newline + 1;
	}
	fuzz_require(behind == text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *buffer = malloc(size + 1 + 2 * SL_CHUNK_SLACK);
	line_batch *batch = line_batch_choose();
	uint8_t *text, *limit;

	if (!nics)
		prepare();
	fuzz_require(buffer != NULL);
	memset(buffer, '7', size + 1 + 2 * SL_CHUNK_SLACK);
	text = buffer + SL_CHUNK_SLACK;
	if (size)
		memcpy(text, data, size);
	text[size] = '\n';
	limit = text + size + 1;
	for (size_t at = 0; at < sizeof(orders) / sizeof(orders[0]); at++) {
		const struct line_reader reader = {
			.fields = &orders[at],
			.nics = nics,
			.applications = applications,
			.nic_cache = &nic_cache,
			.application_cache = &application_cache,
			.forms = &forms,
			.default_order = at == 0,
		};

		for (const uint8_t *line = text; line < limit;
		     line = (const uint8_t *)memchr(line, '\n',
						    (size_t)(limit - line)) +
			    1) {
			compare(&reader, line, limit);
			if (batch && reader.default_order) {
				compare_batch(&reader, batch, line, limit, 1);
				compare_batch(&reader, batch, line, limit, 8);
			}
		}
	}
	free(buffer);
	return 0;
}
