/* SPDX-License-Identifier: MIT */
/** @file
 * Lines to packets: many at once on a CPU that can, one quickly if it looks as
 * most do, slowly and with a message otherwise.
 */
#ifndef TRACE_TEXT_LINE_H
#define TRACE_TEXT_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fields.h"
#include "sluice/defs.h"
#include "sluice/name.h"
#include "sluice/packet.h"

/** Names met lately, one cache a worker. A name's key is its bytes and that of
 * what ends it, a space or a newline, with zeros behind; so a key says its own
 * length. Names of more than WORD_MAX bytes have none. */
enum { WORD_CACHE = 64, WORD_MAX = 7 };
struct word {
	uint64_t key; /**< 0: empty */
	uint16_t id;
	uint8_t transport; /**< of an application */
};
struct word_cache {
	struct word words[WORD_CACHE];
};

/** @return the slot of a name, whose key need not match. */
static SL_ALWAYS_INLINE unsigned word_slot(uint64_t key)
{
	return (unsigned)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 58);
}

struct line_reader {
	const struct fields *fields;
	const struct sl_names *nics, *applications;
	struct word_cache *nic_cache, *application_cache;
	const struct line_forms *forms; /**< of use to a line_batch */
	bool default_order; /**< of the fields */
};

/** Names may be new: then their ids are SL_NO_NAME and LINE_NEW_NAME says that
 * line_names() must be called in commit. */
enum line_result { LINE_GOOD, LINE_NEW_NAME, LINE_BLANK, LINE_BAD };

/** Parse the line at @p text into @p packet, which is all zero. Its newline is
 * before @p limit; *end receives its place. SL_CHUNK_SLACK bytes before the
 * line and behind the limit can be read. If it is LINE_BAD, @p error says
 * why. */
enum line_result line_parse(const struct line_reader *reader,
			    const uint8_t *text, const uint8_t *limit,
			    const uint8_t **end, struct sl_packet *packet,
			    struct sl_error *error);

/** As line_parse() without the quick way; the newline is at @p end. */
enum line_result line_parse_slowly(const struct line_reader *reader,
				   const uint8_t *text, const uint8_t *end,
				   struct sl_packet *packet,
				   struct sl_error *error);

/** Parse lines as line_parse() would, one after the other into @p packets, as
 * long as they are good and of the most common form, and there is @p room.
 * *text is then the first line that is not parsed yet. What is in the packets
 * before does not matter; the first that was not filled may have changed.
 * @return how many were parsed. */
typedef uint32_t line_batch(const struct line_reader *reader,
			    const uint8_t **text, const uint8_t *limit,
			    struct sl_packet *packets, uint32_t room);

/** @return the way to read many lines of the default order on this CPU; NULL
 * if there is none but line_parse(). */
line_batch *line_batch_choose(void);

/** What the dots of an IPv4 address say: where its digits are. */
struct address_form {
	uint8_t digits[16]; /**< for pshufb: an octet's hundreds, tens, ones,
			       and a byte of nothing; four times */
	uint32_t separators; /**< a bit a byte: the dots, and what ends it */
	uint8_t padding[12];
};
/** What the lengths of both ports say, from the first one's start on: eight
 * digits of the second, then eight of the first. */
struct ports_form {
	uint8_t digits[16];
};
enum { ADDRESS_FORMS = 256, PORTS_FORMS = 64 };
struct line_forms {
	struct address_form addresses[ADDRESS_FORMS]; /**< by a hash */
	struct ports_form ports[PORTS_FORMS]; /**< by the lengths */
};

void line_forms_init(struct line_forms *forms);

/** Find the names of a good line: its interface and its protocol, borrowed
 * from it. */
struct line_name {
	const char *text;
	size_t length;
};
void line_names(const struct fields *fields, const uint8_t *text,
		const uint8_t *end, struct line_name *nic,
		struct line_name *protocol);

#endif
