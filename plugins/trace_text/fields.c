/* SPDX-License-Identifier: MIT */
/* Which column of a line is what. */
#include "fields.h"

#include <string.h>

static const struct {
	const char *word, *title;
} known[FIELD_COUNT] = {
	[FIELD_NONE] = { "-", "column" },
	[FIELD_NIC] = { "nic", "interface" },
	[FIELD_DST] = { "dst", "destination address" },
	[FIELD_SRC] = { "src", "source address" },
	[FIELD_DPORT] = { "dport", "destination port" },
	[FIELD_SPORT] = { "sport", "source port" },
	[FIELD_PROTOCOL] = { "protocol", "protocol" },
};

const char *field_title(enum field field)
{
	return known[field].title;
}

static enum field find(const char *word, size_t length)
{
	for (int field = FIELD_NONE; field < FIELD_COUNT; field++) {
		if (strlen(known[field].word) == length &&
		    memcmp(known[field].word, word, length) == 0)
			return (enum field)field;
	}
	return FIELD_COUNT;
}

void fields_parse(struct fields *fields, const char *text, bool all,
		  struct sl_host *host)
{
	unsigned seen[FIELD_COUNT] = { 0 };

	fields->count = 0;
	while (*(text += strspn(text, " \t"))) {
		size_t length = strcspn(text, " \t");
		enum field field = find(text, length);

		if (field == FIELD_COUNT) {
			sl_problem(host, "fields", NULL,
				   "\"%.*s\" is none of nic, dst, src, dport, "
				   "sport, protocol, -",
				   (int)length, text);
		} else if (fields->count == FIELDS_MAX) {
			sl_problem(host, "fields", NULL, "more than %d columns",
				   FIELDS_MAX);
			return;
		} else {
			seen[field]++;
			fields->of[fields->count++] = field;
		}
		text += length;
	}
	for (int field = FIELD_NIC; field < FIELD_COUNT; field++) {
		if (seen[field] > 1 || (all && !seen[field]))
			sl_problem(host, "fields", NULL,
				   seen[field] ? "\"%s\" is there twice"
					       : "\"%s\" is missing",
				   known[field].word);
	}
	if (!all && !fields->count)
		sl_problem(host, "fields", NULL, "no column is named");
}
