/* SPDX-License-Identifier: MIT */
/* Applications and their transports (IANA's service names). */
#include "words.h"

#include <string.h>

#include "sluice/packet.h"

static const struct {
	const char *word;
	uint8_t transport;
} known[] = {
	{ "udp", SL_TRANSPORT_UDP },  { "sip", SL_TRANSPORT_UDP },
	{ "rtp", SL_TRANSPORT_UDP },  { "rtcp", SL_TRANSPORT_UDP },
	{ "dns", SL_TRANSPORT_UDP },  { "dhcp", SL_TRANSPORT_UDP },
	{ "ntp", SL_TRANSPORT_UDP },  { "snmp", SL_TRANSPORT_UDP },
	{ "tftp", SL_TRANSPORT_UDP }, { "syslog", SL_TRANSPORT_UDP },
	{ "quic", SL_TRANSPORT_UDP }, { "tcp", SL_TRANSPORT_TCP },
	{ "http", SL_TRANSPORT_TCP }, { "https", SL_TRANSPORT_TCP },
	{ "ftp", SL_TRANSPORT_TCP },  { "ssh", SL_TRANSPORT_TCP },
	{ "smtp", SL_TRANSPORT_TCP }, { "telnet", SL_TRANSPORT_TCP },
	{ "imap", SL_TRANSPORT_TCP }, { "pop3", SL_TRANSPORT_TCP },
	{ "rtsp", SL_TRANSPORT_TCP }, { "icmp", SL_TRANSPORT_ICMP },
};

uint8_t words_transport(const char *word, size_t length)
{
	for (size_t at = 0; at < sizeof(known) / sizeof(known[0]); at++) {
		if (strlen(known[at].word) == length &&
		    memcmp(known[at].word, word, length) == 0)
			return known[at].transport;
	}
	return SL_TRANSPORT_NONE;
}

enum sl_code words_intern(struct sl_names *applications, struct sl_error *error)
{
	for (size_t at = 0; at < sizeof(known) / sizeof(known[0]); at++) {
		uint16_t id;
		enum sl_code code =
			sl_names_intern(applications, known[at].word,
					strlen(known[at].word), &id, error);

		if (code != SL_OK)
			return code;
	}
	return SL_OK;
}
