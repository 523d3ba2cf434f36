/* SPDX-License-Identifier: MIT */
/** @file
 * One line to one packet: quickly if it looks as most do, slowly and with a
 * message otherwise.
 */
#ifndef TRACE_TEXT_LINE_H
#define TRACE_TEXT_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fields.h"
#include "sluice/name.h"
#include "sluice/packet.h"

/** Names met lately, by their first eight bytes; one a worker. */
enum { WORD_CACHE = 64 };
struct word {
	uint64_t key; /**< the name's bytes, zeros behind; 0: empty */
	uint16_t id;
	uint8_t transport; /**< of an application */
};
struct word_cache {
	struct word words[WORD_CACHE];
};

struct line_reader {
	const struct fields *fields;
	const struct sl_names *nics, *applications;
	struct word_cache *nic_cache, *application_cache;
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
