/* SPDX-License-Identifier: MIT */
/* One line to one packet, byte by byte: any blanks, any order of columns, IPv4
 * and IPv6, and a message for every way to be wrong. */
#include <stdio.h>
#include <string.h>

#include "line.h"
#include "words.h"

struct column {
	const uint8_t *text;
	size_t length;
};

/* A blank is a space or a tab, and the CR of a CRLF. */
static bool is_blank(const uint8_t *at, const uint8_t *end)
{
	return *at == ' ' || *at == '\t' || (*at == '\r' && at + 1 == end);
}

/* @return how many columns there are, also beyond @p max. */
static size_t split(const uint8_t *text, const uint8_t *end,
		    struct column *columns, size_t max)
{
	size_t count = 0;

	for (;;) {
		const uint8_t *start;

		while (text < end && is_blank(text, end))
			text++;
		if (text == end)
			return count;
		start = text;
		while (text < end && !is_blank(text, end))
			text++;
		if (count < max) {
			columns[count].text = start;
			columns[count].length = (size_t)(text - start);
		}
		count++;
	}
}

/* Input in a message: printable, and not too much of it. */
static const char *quoted(const struct column *column, char text[48])
{
	size_t length = column->length;

	if (length > 40)
		length = 40;
	for (size_t at = 0; at < length; at++) {
		uint8_t byte = column->text[at];

		text[at] = (char)(byte < 0x20 || byte > 0x7e ? '?' : byte);
	}
	snprintf(text + length, 8, "%s", column->length > 40 ? "..." : "");
	return text;
}

static bool bad(struct sl_error *error, enum field field,
		const struct column *column, const char *what)
{
	char text[48];

	(void)SL_FAIL(error, SL_EINVAL, "%s \"%s\" %s", field_title(field),
		      quoted(column, text), what);
	return false;
}

static bool read_port(const struct column *column, enum field field,
		      uint16_t *port, struct sl_error *error)
{
	uint32_t value = 0;

	for (size_t at = 0; at < column->length; at++) {
		uint8_t digit = (uint8_t)(column->text[at] - '0');

		if (digit > 9)
			return bad(error, field, column, "is no number");
		value = value * 10 + digit;
		if (value > 65535)
			return bad(error, field, column,
				   "is out of range 0 to 65535");
	}
	*port = (uint16_t)value;
	return true;
}

static bool read_address(const struct column *column, enum field field,
			 struct sl_ip *ip, struct sl_error *error)
{
	return sl_ip_parse((const char *)column->text, column->length, ip) ||
	       bad(error, field, column, "is no IP address");
}

static bool read_name(const struct column *column, enum field field,
		      const struct sl_names *names, uint16_t *id,
		      struct sl_error *error)
{
	if (column->length > SL_NAME_LENGTH)
		return bad(error, field, column, "is longer than 15 bytes");
	*id = sl_names_find(names, (const char *)column->text, column->length);
	return true;
}

static bool read_column(const struct line_reader *reader, enum field field,
			const struct column *column, struct sl_packet *packet,
			struct sl_ip *src, struct sl_ip *dst,
			struct sl_error *error)
{
	switch (field) {
	case FIELD_NIC:
		return read_name(column, field, reader->nics, &packet->nic_in,
				 error);
	case FIELD_DST:
		return read_address(column, field, dst, error);
	case FIELD_SRC:
		return read_address(column, field, src, error);
	case FIELD_DPORT:
		return read_port(column, field, &packet->dport, error);
	case FIELD_SPORT:
		return read_port(column, field, &packet->sport, error);
	case FIELD_PROTOCOL:
		packet->transport = words_transport((const char *)column->text,
						    column->length);
		return read_name(column, field, reader->applications,
				 &packet->application, error);
	case FIELD_NONE:
	case FIELD_COUNT:
		break;
	}
	return true;
}

static bool bad_count(struct sl_error *error, size_t count, size_t wanted)
{
	(void)SL_FAIL(error, SL_EINVAL, "too %s fields: %zu, %zu wanted",
		      count < wanted ? "few" : "many", count, wanted);
	return false;
}

static bool read_line(const struct line_reader *reader,
		      const struct column *columns, size_t count,
		      struct sl_packet *packet, struct sl_error *error)
{
	const struct fields *fields = reader->fields;
	struct sl_ip src = { .version = 0 }, dst = { .version = 0 };

	if (count != fields->count)
		return bad_count(error, count, fields->count);
	for (size_t at = 0; at < count; at++)
		if (!read_column(reader, fields->of[at], &columns[at], packet,
				 &src, &dst, error))
			return false;
	if (src.version != dst.version) {
		(void)SL_FAIL(error, SL_EINVAL,
			      "an IPv%u source and an IPv%u destination",
			      (unsigned)src.version, (unsigned)dst.version);
		return false;
	}
	packet->src = src.address;
	packet->dst = dst.address;
	packet->ip_version = src.version;
	return true;
}

enum line_result line_parse_slowly(const struct line_reader *reader,
				   const uint8_t *text, const uint8_t *end,
				   struct sl_packet *packet,
				   struct sl_error *error)
{
	const uint8_t *nul = memchr(text, '\0', (size_t)(end - text));
	struct column columns[FIELDS_MAX];
	size_t count;

	if (nul) {
		(void)SL_FAIL(error, SL_EINVAL, "a NUL byte in column %td",
			      nul - text + 1);
		return LINE_BAD;
	}
	count = split(text, end, columns, FIELDS_MAX);
	if (!count)
		return LINE_BLANK;
	if (!read_line(reader, columns, count, packet, error))
		return LINE_BAD;
	return packet->nic_in && packet->application ? LINE_GOOD
						     : LINE_NEW_NAME;
}

void line_names(const struct fields *fields, const uint8_t *text,
		const uint8_t *end, struct line_name *nic,
		struct line_name *protocol)
{
	struct column columns[FIELDS_MAX];

	split(text, end, columns, FIELDS_MAX);
	for (size_t at = 0; at < fields->count; at++) {
		struct line_name name = { (const char *)columns[at].text,
					  columns[at].length };

		if (fields->of[at] == FIELD_NIC)
			*nic = name;
		else if (fields->of[at] == FIELD_PROTOCOL)
			*protocol = name;
	}
}
