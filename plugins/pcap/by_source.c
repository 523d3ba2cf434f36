/* SPDX-License-Identifier: MIT */
/* Prefixes to intervals. Both versions are laid out as 128-bit numbers first;
 * IPv4 keeps the upper 32 of them. */
#include "by_source.h"

#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "sluice/address.h"

struct row {
	uint64_t high, low; /* the first address */
	uint64_t last_high, last_low;
	const struct sl_value *value;
	const char *nic;
	uint16_t id;
	uint8_t version, length;
};

static size_t word_length(const char *text)
{
	return strcspn(text, " \t");
}

static const char *next_word(const char *text)
{
	text += word_length(text);
	return text + strspn(text, " \t");
}

static void fill_row(struct row *row, const struct sl_prefix *prefix)
{
	const uint8_t *bytes = prefix->address.bytes;
	unsigned length = prefix->length;

	row->version = prefix->version;
	row->length = prefix->length;
	if (prefix->version == 4) {
		row->high = (uint64_t)prefix->address.v4 << 32;
		row->low = 0;
	} else {
		row->high = get64(bytes, true);
		row->low = get64(bytes + 8, true);
	}
	row->last_high = row->high | (length < 64 ? UINT64_MAX >> length : 0);
	row->last_low = row->low | (length <= 64   ? UINT64_MAX
				    : length < 128 ? UINT64_MAX >> (length - 64)
						   : 0);
}

/* @return NULL, or what is wrong, which may be @p why (96 bytes or more). */
static const char *parse_row(struct row *row, const char *text, char *why,
			     size_t size)
{
	const char *wrong;
	struct sl_prefix prefix;
	size_t length;

	text += strspn(text, " \t");
	if (!*text)
		return "PREFIX NIC is wanted";
	wrong = sl_prefix_parse(text, word_length(text), &prefix, why, size);
	if (wrong)
		return wrong;
	row->nic = next_word(text);
	length = word_length(row->nic);
	if (!length)
		return "the interface is missing (PREFIX NIC)";
	if (length > SL_NAME_LENGTH)
		return "an interface's name has at most 15 characters";
	if (*next_word(row->nic))
		return "there is more behind the interface (PREFIX NIC)";
	for (size_t at = 0; at < length; at++) {
		if (row->nic[at] <= ' ' || row->nic[at] > '~')
			return "an interface's name is printable ASCII";
	}
	fill_row(row, &prefix);
	return NULL;
}

static int compare64(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* By version and start, the longer one last. */
static int compare_rows(const void *left, const void *right)
{
	const struct row *a = left, *b = right;
	int order = compare64(a->version, b->version);

	if (!order)
		order = compare64(a->high, b->high);
	if (!order)
		order = compare64(a->low, b->low);
	if (!order)
		order = compare64(a->length, b->length);
	if (!order) /* as they stand in the list */
		order = a->value < b->value ? -1 : a->value > b->value;
	return order;
}

static bool same_prefix(const struct row *a, const struct row *b)
{
	return a->version == b->version && a->length == b->length &&
	       a->high == b->high && a->low == b->low;
}

void by_source_check(const struct sl_list *list, struct sl_host *host)
{
	struct row *rows = calloc(list->count + 1, sizeof(*rows));
	size_t count = 0;
	char why[128];

	for (size_t at = 0; rows && at < list->count; at++) {
		const struct sl_value *value = &list->values[at];
		const char *wrong =
			parse_row(&rows[count], value->text, why, sizeof(why));

		rows[count].value = value;
		if (wrong)
			sl_problem(host, "nic_by_source", value, "\"%s\": %s",
				   value->text, wrong);
		else
			count++;
	}
	if (count)
		qsort(rows, count, sizeof(*rows), compare_rows);
	for (size_t at = 1; at < count; at++) {
		if (same_prefix(&rows[at - 1], &rows[at]))
			sl_problem(host, "nic_by_source", rows[at].value,
				   "\"%s\": the prefix is there twice",
				   rows[at].value->text);
	}
	if (!rows)
		sl_problem(host, "nic_by_source", NULL, "out of memory");
	free(rows);
}

static void put(struct by_source *by_source, unsigned version, uint64_t high,
		uint64_t low, uint16_t nic)
{
	if (version == 4) {
		struct interval4 *to = by_source->v4 + by_source->count4;

		if (by_source->count4 && to[-1].start == high >> 32)
			to--, by_source->count4--;
		to->start = (uint32_t)(high >> 32);
		to->nic = nic;
		by_source->count4++;
	} else {
		struct interval6 *to = by_source->v6 + by_source->count6;

		if (by_source->count6 && to[-1].high == high &&
		    to[-1].low == low)
			to--, by_source->count6--;
		to->high = high;
		to->low = low;
		to->nic = nic;
		by_source->count6++;
	}
}

/* The interval behind a prefix belongs to the one around it. The last address
 * of all has none. */
static void put_end(struct by_source *by_source, const struct row *row,
		    uint16_t nic)
{
	if (row->last_low != UINT64_MAX)
		put(by_source, row->version, row->last_high, row->last_low + 1,
		    nic);
	else if (row->last_high != UINT64_MAX)
		put(by_source, row->version, row->last_high + 1, 0, nic);
}

static bool holds(const struct row *outer, const struct row *inner)
{
	return outer->last_high > inner->high ||
	       (outer->last_high == inner->high &&
		outer->last_low >= inner->low);
}

/* @p rows are sorted and of one version; @p open has room for their depth. */
static void lay_out(struct by_source *by_source, const struct row *rows,
		    size_t count, unsigned version)
{
	const struct row *open[130];
	size_t depth = 0;

	put(by_source, version, 0, 0, SL_NO_NAME);
	for (size_t at = 0; at < count; at++) {
		while (depth && !holds(open[depth - 1], &rows[at])) {
			depth--;
			put_end(by_source, open[depth],
				depth ? open[depth - 1]->id : SL_NO_NAME);
		}
		put(by_source, version, rows[at].high, rows[at].low,
		    rows[at].id);
		open[depth++] = &rows[at];
	}
	while (depth--)
		put_end(by_source, open[depth],
			depth ? open[depth - 1]->id : SL_NO_NAME);
}

static enum sl_code read_rows(struct row *rows, const struct sl_list *list,
			      struct sl_names *nics, struct sl_error *error)
{
	enum sl_code code = SL_OK;
	char why[128];

	for (size_t at = 0; at < list->count && code == SL_OK; at++) {
		const char *text = list->values[at].text;
		const char *wrong =
			parse_row(&rows[at], text, why, sizeof(why));

		if (wrong)
			return SL_FAIL(error, SL_EINVAL, "\"%s\": %s", text,
				       wrong);
		code = sl_names_intern(nics, rows[at].nic,
				       word_length(rows[at].nic), &rows[at].id,
				       error);
	}
	return code;
}

enum sl_code by_source_init(struct by_source *by_source,
			    const struct sl_list *list, struct sl_names *nics,
			    struct sl_error *error)
{
	size_t room = 2 * list->count + 2, count4 = 0;
	struct row *rows = calloc(list->count + 1, sizeof(*rows));
	enum sl_code code;

	by_source->v4 = calloc(room, sizeof(*by_source->v4));
	by_source->v6 = calloc(room, sizeof(*by_source->v6));
	if (!rows || !by_source->v4 || !by_source->v6) {
		free(rows);
		return SL_FAIL(error, SL_ENOMEM, "no memory for %zu prefixes",
			       list->count);
	}
	code = read_rows(rows, list, nics, error);
	if (code == SL_OK) {
		if (list->count)
			qsort(rows, list->count, sizeof(*rows), compare_rows);
		while (count4 < list->count && rows[count4].version == 4)
			count4++;
		lay_out(by_source, rows, count4, 4);
		lay_out(by_source, rows + count4, list->count - count4, 6);
	}
	free(rows);
	return code;
}

void by_source_finish(struct by_source *by_source)
{
	free(by_source->v4);
	free(by_source->v6);
	memset(by_source, 0, sizeof(*by_source));
}

static uint16_t find4(const struct by_source *by_source, uint32_t address)
{
	const struct interval4 *from = by_source->v4;
	size_t left = by_source->count4;

	while (left > 1) {
		size_t half = left / 2;

		from = from[half].start <= address ? from + half : from;
		left -= half;
	}
	return from->nic;
}

static uint16_t find6(const struct by_source *by_source, const uint8_t *bytes)
{
	uint64_t high = get64(bytes, true), low = get64(bytes + 8, true);
	const struct interval6 *from = by_source->v6;
	size_t left = by_source->count6;

	while (left > 1) {
		size_t half = left / 2;
		const struct interval6 *middle = from + half;

		if (middle->high < high ||
		    (middle->high == high && middle->low <= low))
			from = middle;
		left -= half;
	}
	return from->nic;
}

uint16_t by_source_find(const struct by_source *by_source,
			const struct sl_packet *packet)
{
	if (packet->ip_version == 4)
		return find4(by_source, packet->src.v4);
	if (packet->ip_version == 6)
		return find6(by_source, packet->src.bytes);
	return SL_NO_NAME;
}
