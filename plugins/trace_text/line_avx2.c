/* SPDX-License-Identifier: MIT */
/* Many lines of the default order, with AVX2: the only file with its
 * intrinsics, for portable code takes four times as long.
 *
 *     nic dst src dport sport protocol
 *
 * The spaces in a line's first 64 bytes give its columns. Both addresses are
 * converted at once, one in each half of a register: their dots select one of
 * 81 forms, which says of every digit what it counts; so do the lengths of the
 * ports for both of them (Mula's way with IPv4 addresses,
 * http://0x80.pl/notesen/2023-04-09-faster-parse-ipv4.html). All that could be
 * wrong is collected and asked once a line; nothing else branches on the data.
 *
 * The CPU sees only some 250 instructions ahead, less than two lines. So a loop
 * looks for the blanks of the next line, which takes long, while it converts
 * this one. A line with anything unusual is left to line_parse().
 */
#include <string.h>

#include "line.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define AVX2 SL_TARGET("avx2,bmi,bmi2,popcnt")

/* Without collisions among the 81 forms: found by trying. */
static SL_ALWAYS_INLINE uint32_t slot_of_form(uint32_t separators)
{
	return (separators * UINT32_C(0x8d981b)) >> 24;
}

static void add_form(struct line_forms *forms, const unsigned lengths[4])
{
	struct address_form form = { .separators = 0 };
	unsigned at = 0;

	memset(form.digits, 0x80, sizeof(form.digits));
	for (unsigned octet = 0; octet < 4; octet++) {
		for (unsigned digit = 0; digit < lengths[octet]; digit++)
			form.digits[4 * octet + 3 - lengths[octet] + digit] =
				(uint8_t)at++;
		form.separators |= 1u << at++;
	}
	forms->addresses[slot_of_form(form.separators)] = form;
}

/* Without digits it has what stands there instead, which is none. */
static void add_ports(struct line_forms *forms, unsigned dport, unsigned sport)
{
	uint8_t *digits = forms->ports[dport * 8 + sport].digits;

	memset(digits, 0x80, 16);
	for (unsigned at = 0; at < sport + !sport; at++)
		digits[8 - sport - !sport + at] = (uint8_t)(dport + 1 + at);
	for (unsigned at = 0; at < dport + !dport; at++)
		digits[16 - dport - !dport + at] = (uint8_t)at;
}

void line_forms_init(struct line_forms *forms)
{
	memset(forms, 0, sizeof(*forms));
	for (unsigned form = 0; form < PORTS_FORMS; form++)
		add_ports(forms, form / 8, form % 8);
	for (unsigned form = 0; form < 81; form++) {
		const unsigned lengths[4] = { form / 27 + 1, form / 9 % 3 + 1,
					      form / 3 % 3 + 1, form % 3 + 1 };

		add_form(forms, lengths);
	}
}

static SL_ALWAYS_INLINE uint64_t load64(const uint8_t *bytes)
{
	uint64_t word;

	memcpy(&word, bytes, sizeof(word));
	return word;
}

AVX2 static SL_ALWAYS_INLINE __m128i load128(const uint8_t *bytes)
{
	return _mm_loadu_si128((const __m128i *)(const void *)bytes);
}

AVX2 static SL_ALWAYS_INLINE __m256i load_pair(const uint8_t *low,
					       const uint8_t *high)
{
	return _mm256_inserti128_si256(_mm256_castsi128_si256(load128(low)),
				       load128(high), 1);
}

/* A bit a byte of the 64 that is @p wanted. */
AVX2 static SL_ALWAYS_INLINE uint64_t places_of(__m256i low, __m256i high,
						char wanted)
{
	__m256i all = _mm256_set1_epi8(wanted);

	return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, all)) |
	       (uint64_t)(uint32_t)_mm256_movemask_epi8(
		       _mm256_cmpeq_epi8(high, all))
		       << 32;
}

/* Where the blanks of a line are. */
struct blanks {
	uint64_t spaces; /* before the newline, a bit a byte */
	uint64_t end; /* the newline's place; 64: there is none */
};

AVX2 static SL_ALWAYS_INLINE struct blanks find_blanks(const uint8_t *text)
{
	const void *bytes = text;
	__m256i low = _mm256_loadu_si256((const __m256i *)bytes);
	__m256i high = _mm256_loadu_si256((const __m256i *)bytes + 1);
	struct blanks blanks;

	blanks.end = _tzcnt_u64(places_of(low, high, '\n'));
	blanks.spaces =
		_bzhi_u64(places_of(low, high, ' '), (unsigned)blanks.end);
	return blanks;
}

/* The columns of a line, by the place behind each. */
struct columns {
	uint64_t nic, dst, src, dport, sport, end;
};

/* The place of the lowest bit, which is taken out; 64 if there is none. */
AVX2 static SL_ALWAYS_INLINE uint64_t take_place(uint64_t *bits)
{
	uint64_t place = _tzcnt_u64(*bits);

	*bits = _blsr_u64(*bits);
	return place;
}

AVX2 static SL_ALWAYS_INLINE struct columns columns_of(struct blanks blanks,
						       uint64_t *bad)
{
	struct columns columns = { .end = blanks.end };

	columns.nic = take_place(&blanks.spaces);
	columns.dst = take_place(&blanks.spaces);
	columns.src = take_place(&blanks.spaces);
	columns.dport = take_place(&blanks.spaces);
	*bad = !blanks.spaces;
	columns.sport = take_place(&blanks.spaces);
	*bad |= blanks.spaces;
	return columns;
}

/* The form of an address of @p length bytes, of which @p dots are dots. */
AVX2 static SL_ALWAYS_INLINE const struct address_form *
form_of(const struct line_forms *forms, uint64_t dots, uint64_t length,
	uint64_t *wrong)
{
	uint64_t separators = _bzhi_u64(dots, (unsigned)length) |
			      UINT64_C(1) << (length & 63);
	const struct address_form *form =
		&forms->addresses[slot_of_form((uint32_t)separators)];

	*wrong |= separators ^ form->separators;
	return form;
}

/* Both addresses, as they stand in a packet: src in the lower half, dst in the
 * upper. @return not zero if a digit is none or an octet is above 255. */
AVX2 static SL_ALWAYS_INLINE __m256i read_addresses(
	const struct line_forms *forms, const uint8_t *text,
	const struct columns *columns, uint64_t *bad, struct sl_packet *packet)
{
	const __m256i weights = _mm256_set1_epi32(0x00010a64); /* 100 10 1 */
	const __m256i lowest_first = _mm256_setr_epi8(
		12, 8, 4, 0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 12,
		8, 4, 0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
	__m256i bytes =
		load_pair(text + columns->dst + 1, text + columns->nic + 1);
	uint64_t dots = (uint32_t)_mm256_movemask_epi8(
		_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('.')));
	const struct address_form *src =
		form_of(forms, dots, columns->src - columns->dst - 1, bad);
	const struct address_form *dst = form_of(
		forms, dots >> 16, columns->dst - columns->nic - 1, bad);
	__m256i digits = _mm256_shuffle_epi8(
		_mm256_sub_epi8(bytes, _mm256_set1_epi8('0')),
		load_pair(src->digits, dst->digits));
	__m256i octets = _mm256_madd_epi16(
		_mm256_maddubs_epi16(digits, weights), _mm256_set1_epi16(1));

	_mm256_storeu_si256((__m256i *)(void *)&packet->src,
			    _mm256_shuffle_epi8(octets, lowest_first));
	return _mm256_or_si256(_mm256_subs_epu8(digits, _mm256_set1_epi8(9)),
			       _mm256_srli_epi32(octets, 8));
}

/* Both ports, the source's in the lower 16 bits. @return not zero if a digit is
 * none or a port is above 65535. */
AVX2 static SL_ALWAYS_INLINE __m128i read_ports(const struct line_forms *forms,
						const uint8_t *text,
						const struct columns *columns,
						uint32_t *ports)
{
	uint64_t form = (columns->dport - columns->src - 1) * 8 +
			(columns->sport - columns->dport - 1);
	__m128i bytes = load128(text + columns->src + 1);
	__m128i digits = _mm_shuffle_epi8(
		_mm_sub_epi8(bytes, _mm_set1_epi8('0')),
		load128(forms->ports[form % PORTS_FORMS].digits));
	__m128i pairs =
		_mm_maddubs_epi16(digits, _mm_set1_epi16(0x010a)); /* 10 1 */
	__m128i fours =
		_mm_madd_epi16(pairs, _mm_set1_epi32(0x00010064)); /* 100 1 */
	__m128i numbers =
		_mm_madd_epi16(_mm_packus_epi32(fours, fours),
			       _mm_set1_epi32(0x00012710)); /* 10000 1 */

	*ports =
		(uint32_t)_mm_cvtsi128_si32(_mm_packus_epi32(numbers, numbers));
	return _mm_or_si128(_mm_subs_epu8(digits, _mm_set1_epi8(9)),
			    _mm_srli_epi32(numbers, 16));
}

/* A name and the byte behind it. */
AVX2 static SL_ALWAYS_INLINE const struct word *
find_word(const struct word_cache *cache, const uint8_t *text, uint64_t length,
	  uint64_t *bad)
{
	uint64_t key = _bzhi_u64(load64(text), (unsigned)(8 * length + 8));
	const struct word *word = &cache->words[word_slot(key)];

	*bad |= word->key ^ key;
	return word;
}

/* @return whether the line is as expected; else *packet is of no use. */
AVX2 static SL_ALWAYS_INLINE bool read_line(const struct line_reader *reader,
					    const uint8_t *text,
					    struct blanks blanks,
					    struct sl_packet *packet)
{
	uint64_t bad;
	const struct columns found = columns_of(blanks, &bad);
	const struct columns *columns = &found;
	uint64_t last = columns->end - columns->sport - 1;
	const struct word *nic =
		find_word(reader->nic_cache, text, columns->nic, &bad);
	const struct word *application =
		find_word(reader->application_cache, text + columns->sport + 1,
			  last, &bad);
	uint32_t ports;
	__m256i wrong =
		read_addresses(reader->forms, text, columns, &bad, packet);

	wrong = _mm256_or_si256(
		wrong, _mm256_zextsi128_si256(read_ports(reader->forms, text,
							 columns, &ports)));
	/* None of these is longer than WORD_MAX. */
	bad |= (columns->nic | last | (columns->dport - columns->src - 1) |
		(columns->sport - columns->dport - 1)) &
	       ~(uint64_t)WORD_MAX;
	_mm256_storeu_si256((__m256i *)(void *)&packet->sport,
			    _mm256_setzero_si256());
	packet->sport = (uint16_t)ports;
	packet->dport = (uint16_t)(ports >> 16);
	packet->nic_in = nic->id;
	packet->application = application->id;
	packet->transport = application->transport;
	packet->ip_version = 4;
	return !bad & (_mm256_testz_si256(wrong, wrong) != 0);
}

AVX2 static uint32_t read_lines(const struct line_reader *reader,
				const uint8_t **text, const uint8_t *limit,
				struct sl_packet *packets, uint32_t room)
{
	const uint8_t *at = *text;
	struct sl_packet *packet = packets;
	const struct sl_packet *full = packets + room;
	struct blanks blanks = find_blanks(at);

	while (at < limit && packet < full) {
		const uint8_t *next = at + blanks.end + 1;
		struct blanks ahead = find_blanks(next);

		if (SL_UNLIKELY(!read_line(reader, at, blanks, packet)))
			break;
		at = next;
		blanks = ahead;
		packet++;
	}
	*text = at;
	return (uint32_t)(packet - packets);
}

line_batch *line_batch_choose(void)
{
	return __builtin_cpu_supports("avx2") &&
			       __builtin_cpu_supports("bmi") &&
			       __builtin_cpu_supports("bmi2") &&
			       __builtin_cpu_supports("popcnt")
		       ? read_lines
		       : NULL;
}

#else

void line_forms_init(struct line_forms *forms)
{
	memset(forms, 0, sizeof(*forms));
}

line_batch *line_batch_choose(void)
{
	return NULL;
}

#endif
