/* SPDX-License-Identifier: MIT */
/* Addresses and prefixes: text to bits and back. */
#include "sluice/address.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

/* inet_pton refuses leading zeros, and inet_aton reads them as octal. */
static bool parse_v4(const char *text, size_t length, uint32_t *v4)
{
	size_t at = 0;

	*v4 = 0;
	for (int octet = 0; octet < 4; octet++) {
		unsigned value = 0, digits = 0;

		if (octet > 0 && (at == length || text[at++] != '.'))
			return false;
		for (; at < length && text[at] >= '0' && text[at] <= '9';
		     at++) {
			value = value * 10 + (unsigned)(text[at] - '0');
			if (++digits > 3)
				return false;
		}
		if (digits == 0 || value > 255)
			return false;
		*v4 = *v4 << 8 | value;
	}
	return at == length;
}

static bool parse_v6(const char *text, size_t length, uint8_t bytes[16])
{
	char copy[INET6_ADDRSTRLEN];

	if (length >= sizeof(copy) || memchr(text, '\0', length))
		return false;
	memcpy(copy, text, length);
	copy[length] = '\0';
	return inet_pton(AF_INET6, copy, bytes) == 1;
}

bool sl_ip_parse(const char *text, size_t length, struct sl_ip *ip)
{
	struct sl_ip parsed = { .version = 4 };

	if (!parse_v4(text, length, &parsed.address.v4)) {
		memset(&parsed, 0, sizeof(parsed));
		parsed.version = 6;
		if (!parse_v6(text, length, parsed.address.bytes))
			return false;
	}
	*ip = parsed;
	return true;
}

static unsigned bits_of(unsigned version)
{
	return version == 4 ? 32 : 128;
}

/* Zero what lies behind the first @p length bits. */
static void clear_host_bits(struct sl_address *address, unsigned version,
			    unsigned length)
{
	if (version == 4) {
		address->v4 &= length ? UINT32_MAX << (32 - length) : 0;
		return;
	}
	if (length >= 128)
		return;
	address->bytes[length / 8] &= (uint8_t)(0xff00u >> length % 8);
	for (unsigned at = length / 8 + 1; at < 16; at++)
		address->bytes[at] = 0;
}

/* @return -1: not 1 to 3 digits. */
static int parse_length(const char *text, size_t length)
{
	int value = 0;

	if (length < 1 || length > 3)
		return -1;
	for (size_t at = 0; at < length; at++) {
		if (text[at] < '0' || text[at] > '9')
			return -1;
		value = value * 10 + (text[at] - '0');
	}
	return value;
}

const char *sl_prefix_parse(const char *text, size_t length,
			    struct sl_prefix *prefix, char *why,
			    size_t why_size)
{
	const char *slash = memchr(text, '/', length);
	size_t address_length = slash ? (size_t)(slash - text) : length;
	struct sl_prefix parsed = { 0 };
	struct sl_ip ip;
	int bits;

	if (!sl_ip_parse(text, address_length, &ip))
		return slash ? "no IP address stands before the '/'"
			     : "no IP address or prefix";
	bits = (int)bits_of(ip.version);
	if (slash)
		bits = parse_length(slash + 1, length - address_length - 1);
	if (bits < 0 || (unsigned)bits > bits_of(ip.version)) {
		snprintf(why, why_size, "the length is not 0 to %u",
			 bits_of(ip.version));
		return why;
	}

	parsed.address = ip.address;
	parsed.version = ip.version;
	parsed.length = (uint8_t)bits;
	clear_host_bits(&parsed.address, parsed.version, parsed.length);
	if (!sl_address_equal(&parsed.address, &ip.address)) {
		char right[SL_ADDRESS_TEXT];

		sl_prefix_format(&parsed, right);
		snprintf(why, why_size, "host bits are set (%s?)", right);
		return why;
	}
	*prefix = parsed;
	return NULL;
}

static char *put_decimal(char *to, unsigned value)
{
	if (value >= 100)
		*to++ = (char)('0' + value / 100);
	if (value >= 10)
		*to++ = (char)('0' + value / 10 % 10);
	*to++ = (char)('0' + value % 10);
	return to;
}

static char *put_v4(char *to, uint32_t v4)
{
	for (int shift = 24; shift >= 0; shift -= 8) {
		to = put_decimal(to, v4 >> shift & 0xff);
		if (shift > 0)
			*to++ = '.';
	}
	return to;
}

static char *put_hex(char *to, unsigned word)
{
	int shift = 12;

	while (shift > 0 && word >> shift == 0)
		shift -= 4;
	for (; shift >= 0; shift -= 4)
		*to++ = "0123456789abcdef"[word >> shift & 0xf];
	return to;
}

/* The longest run of two or more zero words, the first of equals. RFC 5952,
 * 4.2. @return its length; 0: none. */
static unsigned longest_zeros(const unsigned words[8], unsigned *start)
{
	unsigned best = 1;

	for (unsigned at = 0; at < 8; at++) {
		unsigned end = at;

		while (end < 8 && words[end] == 0)
			end++;
		if (end - at > best) {
			best = end - at;
			*start = at;
		}
		if (end > at)
			at = end - 1;
	}
	return best > 1 ? best : 0;
}

static char *put_v6(char *to, const uint8_t bytes[16])
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	unsigned words[8], start = 8, zeros;

	/* RFC 5952, 5: dotted where a well-known prefix says IPv4 */
	if (memcmp(bytes, mapped, sizeof(mapped)) == 0) {
		memcpy(to, "::ffff:", 7);
		return put_v4(to + 7, (uint32_t)bytes[12] << 24 |
					      (uint32_t)bytes[13] << 16 |
					      (uint32_t)bytes[14] << 8 |
					      bytes[15]);
	}
	for (unsigned at = 0; at < 8; at++)
		words[at] = (unsigned)bytes[2 * at] << 8 | bytes[2 * at + 1];
	zeros = longest_zeros(words, &start);
	for (unsigned at = 0; at < 8; at++) {
		if (zeros && at == start) {
			*to++ = ':';
			*to++ = ':';
			at += zeros - 1;
			continue;
		}
		if (at > 0 && !(zeros && at == start + zeros))
			*to++ = ':';
		to = put_hex(to, words[at]);
	}
	return to;
}

size_t sl_address_format(const struct sl_address *address, unsigned version,
			 char *text)
{
	char *end = text;

	if (version == 4)
		end = put_v4(text, address->v4);
	else if (version == 6)
		end = put_v6(text, address->bytes);
	else
		*end++ = '-';
	*end = '\0';
	return (size_t)(end - text);
}

size_t sl_prefix_format(const struct sl_prefix *prefix, char *text)
{
	char *end = text +
		    sl_address_format(&prefix->address, prefix->version, text);

	*end++ = '/';
	end = put_decimal(end, prefix->length);
	*end = '\0';
	return (size_t)(end - text);
}

bool sl_prefix_contains(const struct sl_prefix *prefix,
			const struct sl_address *address, unsigned version)
{
	struct sl_address network = *address;

	if (version != prefix->version)
		return false;
	clear_host_bits(&network, version, prefix->length);
	return sl_address_equal(&network, &prefix->address);
}
