/* SPDX-License-Identifier: MIT */
/* What an entry is, and how it is written. */
#include "gate/entry.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"

size_t sg_text_valid(const char *text, size_t length)
{
	static const uint32_t least[] = { 0, 1, 0x80, 0x800, 0x10000 };
	const unsigned char *bytes = (const unsigned char *)text;
	size_t at = 0;

	while (at < length) {
		unsigned char first = bytes[at];
		size_t size = first < 0x80   ? 1
			      : first < 0xc2 ? 0
			      : first < 0xe0 ? 2
			      : first < 0xf0 ? 3
			      : first < 0xf5 ? 4
					     : 0;
		uint32_t c = size > 1 ? first & (0x7fU >> size) : first;

		if (!size || size > length - at)
			return at;
		for (size_t next = 1; next < size; next++) {
			if ((bytes[at + next] & 0xc0) != 0x80)
				return at;
			c = c << 6 | (bytes[at + next] & 0x3f);
		}
		if (c < least[size] || c > 0x10ffff ||
		    (c >= 0xd800 && c <= 0xdfff))
			return at;
		at += size;
	}
	return length;
}

/* ---- days -------------------------------------------------------------- */

/* @return the number that @p count digits make; -1: they are none. */
static int digits(const char *text, size_t count)
{
	int number = 0;

	for (size_t at = 0; at < count; at++) {
		if (text[at] < '0' || text[at] > '9')
			return -1;
		number = number * 10 + (text[at] - '0');
	}
	return number;
}

bool sg_is_day(const char *text)
{
	static const int lengths[] = { 31, 28, 31, 30, 31, 30,
				       31, 31, 30, 31, 30, 31 };
	int year, month, day;
	bool leap;

	if (strlen(text) != 10 || text[4] != '-' || text[7] != '-')
		return false;
	year = digits(text, 4);
	month = digits(text + 5, 2);
	day = digits(text + 8, 2);
	if (year < 1 || month < 1 || month > 12 || day < 1)
		return false;
	leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
	return day <= lengths[month - 1] + (leap && month == 2);
}

/* ---- checking ---------------------------------------------------------- */

static enum sl_code check_text(const char *name, const char *text,
			       struct sl_error *error)
{
	size_t length = text ? strlen(text) : 0;

	if (sg_text_valid(text, length) == length)
		return SL_OK;
	return SL_FAIL(error, SL_EINVAL, "\"%s\" is no UTF-8", name);
}

static bool is_blank(const char *text)
{
	return text[strspn(text, " \t\r\n\v\f")] == '\0';
}

enum sl_code sg_entry_check(const struct sg_suppression *entry,
			    struct sl_error *error)
{
	const struct {
		const char *name, *text;
	} texts[] = {
		{ "path", entry->path },       { "tool", entry->tool },
		{ "rule", entry->rule },       { "function", entry->function },
		{ "message", entry->message }, { "reason", entry->reason },
	};

	if (!entry->reason || is_blank(entry->reason))
		return SL_FAIL(error, SL_EINVAL,
			       "the reason is empty; say why it is kept");
	if (!entry->tool || !*entry->tool)
		return SL_FAIL(error, SL_EINVAL, "\"tool\" is empty");
	if (entry->path && !*entry->path)
		return SL_FAIL(error, SL_EINVAL,
			       "\"path\" is empty; it is null for a finding "
			       "without a place");
	if (entry->line < 0)
		return SL_FAIL(error, SL_EINVAL,
			       "\"line\" is below 1; lines count from 1");
	if (entry->until && !sg_is_day(entry->until))
		return SL_FAIL(error, SL_EINVAL,
			       "\"%.32s\" is no day; days are written as "
			       "2027-03-31",
			       entry->until);
	for (size_t at = 0; at < sizeof(texts) / sizeof(texts[0]); at++) {
		enum sl_code code =
			check_text(texts[at].name, texts[at].text, error);

		if (code != SL_OK)
			return code;
	}
	return SL_OK;
}

/* ---- writing ----------------------------------------------------------- */

static void put_code(yajl_gen gen, const struct sg_suppression *entry)
{
	char line[SG_HASH_TEXT], window[SG_HASH_TEXT];
	char code[16 + 2 * SG_HASH_TEXT];

	sg_hash_format(entry->line_hash, line);
	sg_hash_format(entry->window_hash, window);
	snprintf(code, sizeof(code), "%d:%s:%s", SG_FINGERPRINT_VERSION, line,
		 window);
	sl_json_pair(gen, "code", code);
}

enum sl_code sg_entry_format(const struct sg_suppression *entry,
			     struct sl_buffer *text, struct sl_error *error)
{
	yajl_gen gen = sl_json_begin_line();
	size_t start = text->used;
	enum sl_code code;

	if (!gen)
		return SL_FAIL(error, SL_ENOMEM, "no memory for an entry");
	yajl_gen_map_open(gen);
	sl_json_pair(gen, "path", entry->path);
	if (entry->line)
		sl_json_integer(gen, "line", entry->line);
	sl_json_pair(gen, "tool", entry->tool);
	sl_json_pair(gen, "rule", entry->rule ? entry->rule : "");
	if (entry->function)
		sl_json_pair(gen, "function", entry->function);
	sl_json_pair(gen, "message", entry->message ? entry->message : "");
	if (!sg_hash_is_zero(entry->line_hash))
		put_code(gen, entry);
	sl_json_pair(gen, "reason", entry->reason);
	if (entry->until)
		sl_json_pair(gen, "until", entry->until);
	yajl_gen_map_close(gen);
	code = sl_json_end(gen, text, error);
	if (code == SL_OK && text->used - start > SG_ENTRY_BYTES_MAX + 1) {
		text->used = start;
		return SL_FAIL(error, SL_EINVAL,
			       "an entry of more than %d bytes",
			       SG_ENTRY_BYTES_MAX);
	}
	return code;
}

/* ---- order ------------------------------------------------------------- */

static int order_texts(const char *a, const char *b)
{
	if (!a || !b)
		return (a != NULL) - (b != NULL);
	return strcmp(a, b);
}

int sg_entry_order(const struct sg_suppression *a,
		   const struct sg_suppression *b)
{
	int order = order_texts(a->path, b->path);

	if (!order)
		order = order_texts(a->tool, b->tool);
	if (!order)
		order = order_texts(a->rule, b->rule);
	if (!order)
		order = (a->line > b->line) - (a->line < b->line);
	if (!order)
		order = order_texts(a->function, b->function);
	if (!order)
		order = order_texts(a->message, b->message);
	return order ? order : order_texts(a->reason, b->reason);
}
