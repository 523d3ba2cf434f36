/* SPDX-License-Identifier: MIT */
/** @file
 * What of a JSON text needs no parser is gone through here: structure, keys,
 * all that no path of the reader's leads to, and values that stand there as
 * they are meant: strings of ASCII without escapes, numbers of some digits. All
 * others that are wanted go to YAJL, one by one. Only json.c uses it.
 *
 * Nothing is judged here. At a token that is not as it should be, or that a
 * piece's end cuts, the skimmer stops, and YAJL is brought to where it would
 * stand (sg_json_skim_lead) to read on: so it alone says what is wrong, where,
 * and in what words.
 */
#ifndef SG_READ_JSON_SKIM_H
#define SG_READ_JSON_SKIM_H

#include <stdbool.h>
#include <stdint.h>

#include <yajl/yajl_parse.h>

#include "read/json_filter.h"
#include "read/json_walk.h"

/** What comes next. */
enum sg_json_expected {
	SG_JSON_A_DOCUMENT,
	SG_JSON_FIRST_ELEMENT, /**< or the array's end */
	SG_JSON_ELEMENT,
	SG_JSON_MEMBER, /**< its value */
	SG_JSON_FIRST_KEY, /**< or the object's end */
	SG_JSON_KEY,
	SG_JSON_COLON,
	SG_JSON_AFTER_ELEMENT, /**< a comma, or the array's end */
	SG_JSON_AFTER_MEMBER,
	SG_JSON_NOTHING, /**< the document is over */
};

/** Before a text: zeroed, but for `walk`, which is borrowed. */
struct sg_json_skim {
	struct sg_json_walk *walk;
	enum sg_json_expected expected;
	bool in_array; /**< rather than in an object; false: in neither */
	unsigned depth;
	uint64_t arrays[SG_JSON_DEPTH_MAX / 64 + 1]; /**< a bit a level */
	yajl_handle values; /**< reads single values; owned */
	bool is_key; /**< the one at hand is a key */
	struct sg_json_filter mender;
};

enum sg_json_stop {
	SG_JSON_AT_END, /**< of the piece, and between two tokens */
	SG_JSON_CUT, /**< the piece ends in the token that begins there */
	SG_JSON_WRONG, /**< so is the token there: YAJL will say why */
	SG_JSON_REFUSED, /**< the walk wanted no more, at this very byte */
};

/** Go on from @p *at up to @p end, and set @p *at to where it stopped.
 * SG_JSON_REFUSED: the walk has `too_deep` or `code` set. */
enum sg_json_stop sg_json_skim(struct sg_json_skim *skim, const char **at,
			       const char *end);

/** @return false: no memory. */
bool sg_json_skim_init(struct sg_json_skim *skim, struct sg_json_walk *walk);
void sg_json_skim_finish(struct sg_json_skim *skim);

/** @return a text behind which YAJL expects what the skimmer does. */
const char *sg_json_skim_lead(const struct sg_json_skim *skim);

/** The key or value that stopped it, no bracket, was read by somebody else, and
 * with it @p next, if that is a comma or a closing bracket. */
void sg_json_skim_past(struct sg_json_skim *skim, char next);

#endif
