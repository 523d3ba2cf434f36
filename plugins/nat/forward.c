/* SPDX-License-Identifier: MIT */
/* Parsers of nat's own little notations; everything else the host parses. */
#include "forward.h"

#include <stdbool.h>
#include <string.h>

#include "sluice/address.h"
#include "sluice/packet.h"

/* A piece of text between blanks. */
struct word {
	const char *text;
	size_t length;
};

static struct word next_word(const char **rest)
{
	struct word word = { .text = *rest + strspn(*rest, " \t") };

	word.length = strcspn(word.text, " \t");
	*rest = word.text + word.length;
	return word;
}

static bool word_is(struct word word, const char *text)
{
	return word.length == strlen(text) &&
	       memcmp(word.text, text, word.length) == 0;
}

/* A port: 1 to 5 digits, 1 ... 65535. */
static bool port_parse(struct word word, uint16_t *port)
{
	uint32_t value = 0;

	if (word.length < 1 || word.length > 5)
		return false;
	for (size_t at = 0; at < word.length; at++) {
		if (word.text[at] < '0' || word.text[at] > '9')
			return false;
		value = value * 10 + (uint32_t)(word.text[at] - '0');
	}
	if (value < 1 || value > 65535)
		return false;
	*port = (uint16_t)value;
	return true;
}

/* ADDRESS:PORT. */
static bool endpoint_parse(struct word word, uint32_t *address, uint16_t *port,
			   bool *bad_address)
{
	const char *colon = memchr(word.text, ':', word.length);
	struct word port_word;
	struct sl_ip ip;

	*bad_address =
		!colon ||
		!sl_ip_parse(word.text, (size_t)(colon - word.text), &ip) ||
		ip.version != 4;
	if (*bad_address)
		return false;
	*address = ip.address.v4;
	port_word.text = colon + 1;
	port_word.length = word.length - (size_t)(port_word.text - word.text);
	return port_parse(port_word, port);
}

static const char *external_parse(struct word word, struct forward *forward)
{
	bool bad_address = false;

	forward->external = 0;
	if (memchr(word.text, ':', word.length)
		    ? endpoint_parse(word, &forward->external, &forward->port,
				     &bad_address)
		    : port_parse(word, &forward->port))
		return NULL;
	return bad_address ? "the external address must be an IPv4 address"
			   : "the external port must be 1 to 65535";
}

static const char *inside_parse(struct word word, struct forward *forward)
{
	bool bad_address;

	if (!memchr(word.text, ':', word.length))
		return "an inside ADDRESS:PORT must come last";
	if (endpoint_parse(word, &forward->address, &forward->inside_port,
			   &bad_address))
		return NULL;
	return bad_address ? "the inside address must be an IPv4 address"
			   : "the inside port must be 1 to 65535";
}

const char *forward_parse(const char *text, struct forward *forward)
{
	struct word transport = next_word(&text);
	struct word external = next_word(&text);
	struct word inside = next_word(&text);
	const char *why;

	if (next_word(&text).length > 0 || inside.length == 0)
		return "it must read \"TRANSPORT PORT ADDRESS:PORT\", like "
		       "\"udp 2004 10.230.30.3:5003\"";
	if (word_is(transport, "udp"))
		forward->transport = SL_TRANSPORT_UDP;
	else if (word_is(transport, "tcp"))
		forward->transport = SL_TRANSPORT_TCP;
	else
		return "the transport must be udp or tcp";
	why = external_parse(external, forward);
	return why ? why : inside_parse(inside, forward);
}

const char *port_range_parse(const char *text, uint16_t *first, uint16_t *last)
{
	struct word low = { text, strcspn(text, "-") };
	struct word high = low;

	if (text[low.length] == '-') {
		high.text = text + low.length + 1;
		high.length = strlen(high.text);
	}
	if (!port_parse(low, first) || !port_parse(high, last))
		return "it must read \"FIRST-LAST\", ports from 1 to 65535";
	if (*first > *last)
		return "the first port is above the last";
	return NULL;
}

const char *forward_transport_text(const struct forward *forward)
{
	return forward->transport == SL_TRANSPORT_TCP ? "tcp" : "udp";
}
