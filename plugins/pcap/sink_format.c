/* SPDX-License-Identifier: MIT */
/* What stands in a capture but packets. */
#include "sink_format.h"

#include "sluice/name.h"

SL_STATIC_ASSERT(16 + 4 + SL_NAME_LENGTH + 1 + 8 + 4 + 4 <=
			 FORMAT_INTERFACE_MAX,
		 "a description has room");

static char *put16(char *to, unsigned number)
{
	*to++ = (char)(number & 255);
	*to++ = (char)(number >> 8);
	return to;
}

static size_t section_header(char *to)
{
	char *at = put32(to, 0x0a0d0d0a);

	at = put32(at, 28);
	at = put32(at, 0x1a2b3c4d); /* says the order of bytes */
	at = put16(put16(at, 1), 0); /* version 1.0 */
	at = put32(put32(at, UINT32_MAX), UINT32_MAX); /* length: not said */
	at = put32(at, 28);
	return (size_t)(at - to);
}

static size_t file_header(char *to, uint16_t link_type)
{
	char *at = put32(to, 0xa1b23c4d); /* times with nanoseconds */

	at = put16(put16(at, 2), 4); /* version 2.4 */
	at = put32(put32(at, 0), 0); /* time zone, accuracy: always 0 */
	at = put32(at, 262144); /* the longest packet, as tcpdump has it */
	at = put32(at, link_type);
	return (size_t)(at - to);
}

size_t format_header(enum format format, char *to, uint16_t link_type)
{
	return format == FORMAT_PCAP ? file_header(to, link_type)
				     : section_header(to);
}

static char *put_option(char *to, unsigned code, const void *value,
			size_t length)
{
	to = put16(put16(to, code), (unsigned)length);
	memcpy(to, value, length);
	memset(to + length, 0, format_padding((uint32_t)length));
	return to + length + format_padding((uint32_t)length);
}

size_t format_interface(char *to, uint16_t link_type, const char *name,
			size_t name_length)
{
	const uint8_t nanoseconds = 9; /* 10^-9 s */
	char *at = to + 8;

	at = put16(put16(at, link_type), 0);
	at = put32(at, 0); /* packets of any length */
	if (name_length)
		at = put_option(at, 2, name, name_length);
	at = put_option(at, 9, &nanoseconds, 1);
	at = put_option(at, 0, "", 0);
	at = put32(at, (uint32_t)(at + 4 - to));
	put32(put32(to, 1), (uint32_t)(at - to));
	return (size_t)(at - to);
}
