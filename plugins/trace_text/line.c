/* SPDX-License-Identifier: MIT */
/* One line to one packet, the quick way.
 *
 * The first 64 bytes are classified at once: masks of the blanks, the dots and
 * the bytes that are no digits, a bit a byte. From there on nothing branches on
 * the data: the blanks' places give the columns, the dots' places the octets,
 * numbers are converted from their last byte backwards, all digits at a time,
 * and all that could be wrong is collected and asked once. What is not as
 * expected, to the byte, goes the slow way, which knows why.
 */
#include "line.h"

#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "words.h"

enum { LINE_QUICK = 64 };

struct marks {
	uint64_t blanks; /* spaces and control characters, what ends a name */
	uint64_t spaces; /* of these, the only ones between columns */
	uint64_t dots;
	uint64_t others; /* all that are no digits */
};

#if defined(__SSE2__)

static SL_ALWAYS_INLINE uint64_t mask_of(const __m128i matches[4])
{
	return (uint64_t)(uint32_t)_mm_movemask_epi8(matches[0]) |
	       (uint64_t)(uint32_t)_mm_movemask_epi8(matches[1]) << 16 |
	       (uint64_t)(uint32_t)_mm_movemask_epi8(matches[2]) << 32 |
	       (uint64_t)(uint32_t)_mm_movemask_epi8(matches[3]) << 48;
}

static SL_ALWAYS_INLINE struct marks classify(const uint8_t *text)
{
	const __m128i space = _mm_set1_epi8(' ');
	const __m128i dot = _mm_set1_epi8('.');
	const __m128i zero = _mm_set1_epi8('0');
	const __m128i ten = _mm_set1_epi8(10);
	__m128i blanks[4], spaces[4], dots[4], others[4];
	struct marks marks;

	for (unsigned at = 0; at < 4; at++) {
		__m128i bytes = _mm_loadu_si128(
			(const __m128i *)(const void *)(text + 16 * at));
		__m128i values = _mm_sub_epi8(bytes, zero);

		spaces[at] = _mm_cmpeq_epi8(bytes, space);
		blanks[at] = _mm_cmpeq_epi8(_mm_min_epu8(bytes, space), bytes);
		dots[at] = _mm_cmpeq_epi8(bytes, dot);
		others[at] = _mm_cmpeq_epi8(_mm_max_epu8(values, ten), values);
	}
	marks.blanks = mask_of(blanks);
	marks.spaces = mask_of(spaces);
	marks.dots = mask_of(dots);
	marks.others = mask_of(others);
	return marks;
}

#else

static inline struct marks classify(const uint8_t *text)
{
	struct marks marks = { 0, 0, 0, 0 };

	for (unsigned at = 0; at < LINE_QUICK; at++) {
		uint8_t byte = text[at];

		marks.blanks |= (uint64_t)(byte <= ' ') << at;
		marks.spaces |= (uint64_t)(byte == ' ') << at;
		marks.dots |= (uint64_t)(byte == '.') << at;
		marks.others |= (uint64_t)((uint8_t)(byte - '0') > 9) << at;
	}
	return marks;
}

#endif

static inline uint64_t load64(const uint8_t *bytes)
{
	uint64_t word;

	memcpy(&word, bytes, sizeof(word));
	return SL_LITTLE_64(word);
}

static inline uint32_t load32(const uint8_t *bytes)
{
	uint32_t word;

	memcpy(&word, bytes, sizeof(word));
	return SL_LITTLE_32(word);
}

/* A walk along a line, column by column. */
struct walk {
	const uint8_t *text;
	struct marks marks;
	uint64_t blanks, dots; /* those not passed yet */
	uint64_t stray; /* bytes that are not what they should be */
	int64_t negative; /* below 0: something is too short, too long, or
			     out of order */
	int at; /* where the next column starts */
};

static SL_ALWAYS_INLINE struct walk walk_line(const uint8_t *text)
{
	struct walk walk = { .text = text, .marks = classify(text) };

	walk.blanks = walk.marks.blanks;
	walk.dots = walk.marks.dots;
	return walk;
}

/* @return the place of the lowest bit, which is taken out; 63 if none is. */
static SL_ALWAYS_INLINE int take_place(uint64_t *bits)
{
	int place = (int)SL_LOWEST_BIT(*bits | (uint64_t)1 << 63);

	*bits &= *bits - 1;
	return place;
}

/* Step over the column that starts at walk->at. It is not empty, which also
 * finds that there were no more of them: two end at 63 then. @return where it
 * ends. */
static SL_ALWAYS_INLINE int take_column(struct walk *walk)
{
	int start = walk->at;
	int end = take_place(&walk->blanks);

	walk->negative |= end - start - 1;
	walk->at = end + 1;
	return end;
}

/* The bits of the bytes from @p start on, before @p end. */
static SL_ALWAYS_INLINE uint64_t range(int start, int end)
{
	return ((uint64_t)1 << end) - ((uint64_t)1 << (start & 63));
}

/* An octet of one to three digits: the four bytes before its end, the last
 * digit in the highest. */
static SL_ALWAYS_INLINE uint32_t octet(const uint8_t *text, int start, int end)
{
	static const uint32_t digits_of[4] = { 0, 0x0f000000, 0x0f0f0000,
					       0x0f0f0f00 };
	uint32_t word = load32(text + end - 4) & digits_of[(end - start) & 3];

	return (word >> 8 & 0xff) * 100 + (word >> 16 & 0xff) * 10 +
	       (word >> 24);
}

static SL_ALWAYS_INLINE uint32_t next_address(struct walk *walk)
{
	int start = walk->at;
	int end = take_column(walk);
	uint64_t bytes = range(start, end);
	uint64_t dots = walk->marks.dots & bytes;
	uint64_t digits = ~walk->marks.others & bytes;
	int a = take_place(&dots);
	int b = take_place(&dots);
	int c = take_place(&dots);
	uint32_t w = octet(walk->text, start, a);
	uint32_t x = octet(walk->text, a + 1, b);
	uint32_t y = octet(walk->text, b + 1, c);
	uint32_t z = octet(walk->text, c + 1, end);

	/* There are three dots and no more, with something before, between and
	 * behind them; all else is digits, no four of them in a row, and no
	 * octet is above 255. */
	walk->negative |= (a - start - 1) | (b - a - 2) | (c - b - 2) |
			  (end - c - 2) | (255 - (int)(w | x | y | z));
	walk->stray |= dots | ((walk->marks.others ^ walk->marks.dots) & bytes);
	digits &= digits >> 1;
	walk->stray |= digits & digits >> 2;
	return w << 24 | x << 16 | y << 8 | z;
}

/* One to five digits: eight bytes, pairs of digits summed up three times. */
static SL_ALWAYS_INLINE uint16_t next_port(struct walk *walk)
{
	int start = walk->at;
	int end = take_column(walk);
	uint64_t word = load64(walk->text + end - 8);

	word &= UINT64_C(0x0f0f0f0f0f0f0f0f)
		<< ((64 - 8 * ((end - start) & 7)) & 63);
	word = (word * 10 + (word >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
	word = (word * 100 + (word >> 16)) & UINT64_C(0x0000ffff0000ffff);
	word = (uint32_t)(word * 10000 + (word >> 32));
	walk->negative |= (5 - (end - start)) | (65535 - (int64_t)word);
	walk->stray |= walk->marks.others & range(start, end);
	return (uint16_t)word;
}

/* @return the key of a name of one to seven bytes. */
static SL_ALWAYS_INLINE uint64_t next_name(struct walk *walk)
{
	int start = walk->at;
	int end = take_column(walk);

	walk->negative |= WORD_MAX - (end - start);
	return load64(walk->text + start) &
	       UINT64_MAX >> (56 - 8 * ((end - start) & 7));
}

/* Put a name that was found the slow way where it is found next time. One with
 * control characters could be taken for another: a CR belongs to a name or to
 * the line's end, as the next byte says. */
static void remember(struct word_cache *cache, const struct sl_names *names,
		     uint16_t id, uint8_t transport, uint8_t terminator)
{
	uint8_t bytes[8] = { 0 };
	size_t length;
	struct word word = { .id = id, .transport = transport };
	const char *name = sl_names_text(names, id, &length);

	if (length > WORD_MAX)
		return;
	memcpy(bytes, name, length);
	for (size_t at = 0; at < length; at++)
		if (bytes[at] <= ' ')
			return;
	bytes[length] = terminator;
	word.key = load64(bytes);
	cache->words[word_slot(word.key)] = word;
}

static void remember_names(const struct line_reader *reader,
			   const struct sl_packet *packet)
{
	const struct fields *fields = reader->fields;
	enum field last = fields->of[fields->count - 1];

	remember(reader->nic_cache, reader->nics, packet->nic_in, 0,
		 last == FIELD_NIC ? '\n' : ' ');
	remember(reader->application_cache, reader->applications,
		 packet->application, packet->transport,
		 last == FIELD_PROTOCOL ? '\n' : ' ');
}

/* The names of a line, as far as the caches may know them. */
struct names_met {
	uint64_t nic, application; /* keys */
};

static SL_ALWAYS_INLINE void take_field(struct walk *walk, enum field field,
					struct names_met *met,
					struct sl_packet *packet)
{
	switch (field) {
	case FIELD_NIC:
		met->nic = next_name(walk);
		break;
	case FIELD_DST:
		packet->dst.v4 = next_address(walk);
		break;
	case FIELD_SRC:
		packet->src.v4 = next_address(walk);
		break;
	case FIELD_DPORT:
		packet->dport = next_port(walk);
		break;
	case FIELD_SPORT:
		packet->sport = next_port(walk);
		break;
	case FIELD_PROTOCOL:
		met->application = next_name(walk);
		break;
	case FIELD_NONE:
	case FIELD_COUNT:
		take_column(walk);
		break;
	}
}

/* Settle the names, and ask whether anything was wrong. @return where the line
 * ends, NULL if it was not as expected: then *packet is of no use. */
static SL_ALWAYS_INLINE const uint8_t *
finish_line(const struct line_reader *reader, const struct walk *walk,
	    const struct names_met *met, struct sl_packet *packet)
{
	const struct word *nic = &reader->nic_cache->words[word_slot(met->nic)];
	const struct word *application =
		&reader->application_cache->words[word_slot(met->application)];
	int last = walk->at - 1;
	const uint8_t *end = walk->text + last;
	uint64_t blanks =
		(walk->marks.blanks ^ walk->marks.spaces) & range(0, last);

	packet->ip_version = 4;
	packet->nic_in = nic->id;
	packet->application = application->id;
	packet->transport = application->transport;
	if (SL_UNLIKELY((walk->negative < 0) | ((walk->stray | blanks) != 0) |
			(*end != '\n') | (nic->key != met->nic) |
			(application->key != met->application)))
		return NULL;
	return end;
}

/* The default order is written out, so that everything stays in registers. */
static inline const uint8_t *parse_default(const struct line_reader *reader,
					   const uint8_t *text,
					   struct sl_packet *packet)
{
	struct walk walk = walk_line(text);
	struct names_met met = { 0 };

	take_field(&walk, FIELD_NIC, &met, packet);
	take_field(&walk, FIELD_DST, &met, packet);
	take_field(&walk, FIELD_SRC, &met, packet);
	take_field(&walk, FIELD_DPORT, &met, packet);
	take_field(&walk, FIELD_SPORT, &met, packet);
	take_field(&walk, FIELD_PROTOCOL, &met, packet);
	return finish_line(reader, &walk, &met, packet);
}

static const uint8_t *parse_any_order(const struct line_reader *reader,
				      const uint8_t *text,
				      struct sl_packet *packet)
{
	const struct fields *fields = reader->fields;
	struct walk walk = walk_line(text);
	struct names_met met = { 0 };

	for (size_t at = 0; at < fields->count; at++)
		take_field(&walk, fields->of[at], &met, packet);
	return finish_line(reader, &walk, &met, packet);
}

enum line_result line_parse(const struct line_reader *reader,
			    const uint8_t *text, const uint8_t *limit,
			    const uint8_t **end, struct sl_packet *packet,
			    struct sl_error *error)
{
	enum line_result result;

	if (SL_LIKELY(reader->default_order))
		*end = parse_default(reader, text, packet);
	else
		*end = parse_any_order(reader, text, packet);
	if (SL_LIKELY(*end && *end < limit))
		return LINE_GOOD;

	memset(packet, 0, sizeof(*packet));
	*end = memchr(text, '\n', (size_t)(limit - text));
	result = line_parse_slowly(reader, text, *end, packet, error);
	if (result == LINE_GOOD)
		remember_names(reader, packet);
	return result;
}
