/* SPDX-License-Identifier: MIT */
/* A stage that reads every frame again, straight from the RFCs and as slowly as
 * is clear, and fails the packet whose metadata say something else. It shares
 * no code with the sources and stages that it judges.
 *
 * Of a frame that the capture cut short it knows what was captured; where a
 * header says that it is longer than the frame was on the wire, it lies. */
#include <inttypes.h>
#include <string.h>

#include "sluice/stage.h"

/* A byte that was not captured. */
#define MISSING (-1)

struct seen {
	const struct sl_packet_info *info;
	long wire; /* the frame's bytes, before the capture cut it */
	long end; /* of the IP packet, in the frame */
	int version; /* 4, 6; 0: no IP */
	bool lies;
	long l3, l4; /* l4 is 0 where there is none */
	uint8_t src[16], dst[16];
	int transport, dscp, sport, dport;
	bool fragment, later, error;
};

static int byte(const struct seen *seen, long at)
{
	return at < (long)seen->info->captured ? seen->info->frame[at]
					       : MISSING;
}

/* Two bytes, or MISSING. */
static int word(const struct seen *seen, long at)
{
	if (byte(seen, at + 1) == MISSING)
		return MISSING;
	return byte(seen, at) * 256 + byte(seen, at + 1);
}

static bool there(const struct seen *seen, long at, long bytes)
{
	return at + bytes <= (long)seen->info->captured &&
	       at + bytes <= seen->end;
}

/* RFC 9293 and 768: ports come first. RFC 792: 4 is the identifier of echo (8,
 * 0), timestamp (13, 14), information (15, 16) and mask (RFC 950: 17, 18). */
static void see_transport(struct seen *seen, int transport, long at)
{
	const long needed = transport == 6 || transport == 17 ? 4
			    : transport == 1                  ? 8
			    : transport == 58                 ? 4
							      : 1;

	seen->transport = transport;
	if (!there(seen, at, needed) || at > 65535)
		return;
	seen->l4 = at;
	if (transport == 6 || transport == 17) {
		seen->sport = word(seen, at);
		seen->dport = word(seen, at + 2);
	}
	if (transport == 1 && seen->version == 4) {
		switch (byte(seen, at)) {
		case 0:
		case 8:
		case 13:
		case 14:
		case 15:
		case 16:
		case 17:
		case 18:
			seen->sport = seen->dport = word(seen, at + 4);
			break;
		case 3: /* destination unreachable */
		case 4: /* source quench */
		case 5: /* redirect */
		case 11: /* time exceeded */
		case 12: /* parameter problem */
			seen->error = true;
			break;
		default:
			break;
		}
	}
	/* RFC 4443: unreachable, too big, time exceeded, parameter problem */
	if (transport == 58 && seen->version == 6)
		seen->error = byte(seen, at) >= 1 && byte(seen, at) <= 4;
}

/* RFC 791. */
static void see_ipv4(struct seen *seen, long at)
{
	int ihl, total, fragment;

	if (seen->wire - at < 20) {
		seen->lies = true;
		return;
	}
	if (byte(seen, at + 19) == MISSING)
		return;
	ihl = byte(seen, at) % 16 * 4;
	total = word(seen, at + 2);
	if (byte(seen, at) / 16 != 4 || ihl < 20 || total < ihl ||
	    total > seen->wire - at) {
		seen->lies = true;
		return;
	}
	seen->version = 4;
	seen->l3 = at;
	seen->end = at + total;
	seen->dscp = byte(seen, at + 1) / 4;
	for (int octet = 0; octet < 4; octet++) {
		seen->src[octet] = (uint8_t)byte(seen, at + 12 + octet);
		seen->dst[octet] = (uint8_t)byte(seen, at + 16 + octet);
	}
	fragment = word(seen, at + 6);
	seen->later = fragment % 8192 != 0;
	seen->fragment = seen->later || (fragment & 0x2000);
	if (seen->later)
		seen->transport = byte(seen, at + 9);
	else
		see_transport(seen, byte(seen, at + 9), at + ihl);
}

/* RFC 2675: the hop-by-hop option 0xc2 holds a length above 65535. @return it,
 * 0: there is none that is right; MISSING: it may be where nothing was
 * captured. */
static long see_jumbo(const struct seen *seen, long at)
{
	long end, option;

	if (byte(seen, at + 7) == MISSING)
		return MISSING;
	end = at + 8 + 8 * (long)byte(seen, at + 1);
	if (byte(seen, end - 1) == MISSING)
		return MISSING;
	for (option = at + 2; option < end - 1;) {
		int kind = byte(seen, option);
		int length = byte(seen, option + 1);

		if (kind == 0xc2 && length == 4 && option + 6 <= end) {
			long value = (long)word(seen, option + 2) * 65536 +
				     word(seen, option + 4);

			return value >= 65536 ? value : 0;
		}
		option += kind == 0 ? 1 : 2 + length;
	}
	return 0;
}

/* The chain of extension headers: RFC 8200, 4.1 to 4.6. */
static void see_chain(struct seen *seen, int next, long at)
{
	while (next == 0 || next == 43 || next == 44 || next == 60) {
		int kind = next;
		long length = 8;

		if (at + 8 > seen->end) {
			seen->lies = true;
			return;
		}
		if (byte(seen, at + 7) == MISSING)
			return;
		if (kind != 44)
			length += 8 * (long)byte(seen, at + 1);
		if (at + length > seen->end) {
			seen->lies = true;
			return;
		}
		next = byte(seen, at);
		if (kind == 44) {
			int offset = word(seen, at + 2) / 8;
			bool more = byte(seen, at + 3) % 2;

			/* A frame may have several: what one says stays. */
			if (offset || more)
				seen->fragment = true;
			if (offset) {
				seen->later = true;
				seen->transport = next;
				return;
			}
		}
		at += length;
	}
	see_transport(seen, next, at);
}

static void see_ipv6(struct seen *seen, long at)
{
	long payload;

	if (seen->wire - at < 40) {
		seen->lies = true;
		return;
	}
	if (byte(seen, at + 39) == MISSING)
		return;
	payload = word(seen, at + 4);
	if (payload == 0 && byte(seen, at + 6) == 0) {
		payload = see_jumbo(seen, at + 40);
		if (payload == MISSING)
			payload = seen->wire - at - 40;
		else if (payload == 0)
			seen->lies = true;
	}
	if (byte(seen, at) / 16 != 6 || payload > seen->wire - at - 40)
		seen->lies = true;
	if (seen->lies)
		return;
	seen->version = 6;
	seen->l3 = at;
	seen->end = at + 40 + payload;
	seen->dscp = word(seen, at) / 64 % 64;
	for (int octet = 0; octet < 16; octet++) {
		seen->src[octet] = (uint8_t)byte(seen, at + 8 + octet);
		seen->dst[octet] = (uint8_t)byte(seen, at + 24 + octet);
	}
	see_chain(seen, byte(seen, at + 6), at + 40);
}

/* IEEE 802.1Q: a tag is its type and two bytes, then comes a type again. */
static void see_type(struct seen *seen, int type, long at)
{
	int tags = 0;

	while ((type == 0x8100 || type == 0x88a8 || type == 0x9100) &&
	       tags < 4) {
		type = word(seen, at + 2);
		at += 4;
		tags++;
	}
	if (type == 0x0800)
		see_ipv4(seen, at);
	else if (type == 0x86dd)
		see_ipv6(seen, at);
}

/* BSD's families of protocols, in the order of whoever captured. */
static void see_family(struct seen *seen)
{
	int first = word(seen, 0), second = word(seen, 2), family;

	if (first == MISSING || second == MISSING)
		return;
	if (first == 0)
		family = second;
	else if (second == 0)
		family = first % 256 * 256 + first / 256;
	else
		return;
	if (family == 2)
		see_ipv4(seen, 4);
	else if (family == 10 || family == 24 || family == 28 || family == 30)
		see_ipv6(seen, 4);
}

static void see_frame(struct seen *seen)
{
	switch (seen->info->link_type) {
	case 0:
	case 108:
		see_family(seen);
		break;
	case 1:
		see_type(seen, word(seen, 12), 14);
		break;
	case 101:
		if (byte(seen, 0) == MISSING && seen->wire)
			break;
		if (byte(seen, 0) / 16 == 4)
			see_ipv4(seen, 0);
		else if (byte(seen, 0) / 16 == 6)
			see_ipv6(seen, 0);
		else
			seen->lies = true;
		break;
	case 113:
		see_type(seen, word(seen, 14), 16);
		break;
	case 228:
		see_ipv4(seen, 0);
		break;
	case 229:
		see_ipv6(seen, 0);
		break;
	case 276: /* its type comes first */
		if (byte(seen, 19) != MISSING)
			see_type(seen, word(seen, 0), 20);
		break;
	default:
		break;
	}
}

/* What a packet that lies is: nothing. */
static void forget(struct seen *seen)
{
	const struct sl_packet_info *info = seen->info;

	memset(seen, 0, sizeof(*seen));
	seen->info = info;
	seen->lies = true;
}

static bool same_address(const struct sl_address *address,
			 const uint8_t bytes[16], int version)
{
	struct sl_address wanted;

	memset(&wanted, 0, sizeof(wanted));
	if (version == 4)
		wanted.v4 = (uint32_t)bytes[0] << 24 |
			    (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
			    bytes[3];
	else
		memcpy(wanted.bytes, bytes, 16);
	return sl_address_equal(&wanted, address);
}

/* @return what is not as it should be, and how it should be; NULL: all is. */
static const char *compare(const struct seen *seen,
			   const struct sl_packet *packet, long *is,
			   long *should_be)
{
	const struct {
		const char *what;
		long is, should_be;
	} rows[] = {
		{ "ip_version", packet->ip_version, seen->version },
		{ "malformed", !!(packet->flags & SL_PACKET_MALFORMED),
		  seen->lies },
		{ "fragment", !!(packet->flags & SL_PACKET_FRAGMENT),
		  seen->fragment },
		{ "later fragment",
		  !!(packet->flags & SL_PACKET_LATER_FRAGMENT), seen->later },
		{ "icmp error", !!(packet->flags & SL_PACKET_ICMP_ERROR),
		  seen->error },
		{ "transport", packet->transport, seen->transport },
		{ "dscp", packet->dscp, seen->dscp },
		{ "l3", seen->version ? seen->info->l3 : 0, seen->l3 },
		{ "l4", seen->info->l4, seen->l4 },
		{ "sport", packet->sport, seen->sport },
		{ "dport", packet->dport, seen->dport },
		{ "src", !same_address(&packet->src, seen->src, seen->version),
		  0 },
		{ "dst", !same_address(&packet->dst, seen->dst, seen->version),
		  0 },
	};

	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++) {
		if (rows[at].is == rows[at].should_be)
			continue;
		*is = rows[at].is;
		*should_be = rows[at].should_be;
		return rows[at].what;
	}
	return NULL;
}

static enum sl_code walk_process(void *state, struct sl_chunk *chunk,
				 struct sl_error *error)
{
	(void)state;
	(void)error;
	for (uint32_t at = 0; at < chunk->count; at++) {
		const struct sl_packet_info *info = sl_chunk_info(chunk, at);
		struct seen seen;
		const char *wrong;
		long is, should_be;

		if (!info->frame)
			continue;
		memset(&seen, 0, sizeof(seen));
		seen.info = info;
		seen.wire = info->original > info->captured ? info->original
							    : info->captured;
		seen.end = seen.wire;
		see_frame(&seen);
		if (seen.lies)
			forget(&seen);
		wrong = compare(&seen, sl_chunk_packet(chunk, at), &is,
				&should_be);
		if (wrong)
			SL_FAIL_PACKET(chunk, at,
				       "%s is %ld, and in the frame %ld", wrong,
				       is, should_be);
	}
	return SL_OK;
}

static const struct sl_stage walk_stage = {
	.size = sizeof(struct sl_stage),
	.reads = SL_FIELD_ADDRESSES | SL_FIELD_PORTS | SL_FIELD_DSCP |
		 SL_FIELD_FRAME,
	.process = walk_process,
};

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_STAGE,
	.name = "walk",
	.summary = "a test",
	.stage = &walk_stage,
};
