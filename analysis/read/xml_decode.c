/* SPDX-License-Identifier: MIT */
/* Encodings and illegal characters, before the parser sees them. */
#include "read/xml_decode.h"

#include <errno.h>
#include <iconv.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

enum { BLOCK_BYTES = 4096 };

static const char replacement[] = "\xEF\xBF\xBD"; /* U+FFFD */

/* @return the length of the character there; 0: none is; -1: it is cut. */
static int character_length(const unsigned char *at, size_t length)
{
	uint32_t code;
	int bytes;

	if (at[0] < 0x80)
		return at[0] >= 0x20 || at[0] == '\n' || at[0] == '\r' ||
		       at[0] == '\t';
	if (at[0] < 0xC2 || at[0] > 0xF4)
		return 0;
	bytes = at[0] < 0xE0 ? 2 : at[0] < 0xF0 ? 3 : 4;
	code = at[0] & (0x7Fu >> bytes);
	for (int byte = 1; byte < bytes; byte++) {
		if ((size_t)byte == length)
			return -1;
		if ((at[byte] & 0xC0) != 0x80)
			return 0;
		code = code << 6 | (at[byte] & 0x3Fu);
		/* overlong, surrogate, beyond Unicode: the second byte tells */
		if (byte == 1 &&
		    ((bytes == 3 && code < 0x20) ||
		     (bytes == 3 && code >= 0x360 && code < 0x380) ||
		     (bytes == 4 && (code < 0x10 || code > 0x10F))))
			return 0;
	}
	return code == 0xFFFE || code == 0xFFFF ? 0 : bytes;
}

/* @return how many bytes from here on are printable ASCII; may stop early. */
static size_t plain_length(const char *text, size_t length)
{
	const uint64_t ones = UINT64_C(0x0101010101010101), high = ones << 7;
	size_t at = 0;

	for (uint64_t word; at + sizeof(word) <= length; at += sizeof(word)) {
		memcpy(&word, text + at, sizeof(word));
		/* a byte below 0x20 borrows, one from 0x80 on has the bit */
		if ((word | (word - 0x20 * ones)) & high)
			break;
	}
	return at;
}

/* A character that was cut is completed a byte at a time. */
static enum sl_code clean_partial(struct sg_xml_decoder *decoder,
				  const char **text, size_t *length,
				  struct sl_error *error)
{
	enum sl_code code = SL_OK;

	while (code == SL_OK && decoder->partial_length && *length) {
		char *partial = decoder->partial;
		int found;

		partial[decoder->partial_length++] = *(*text)++;
		--*length;
		found = character_length((unsigned char *)partial,
					 decoder->partial_length);
		while (found == 0 && decoder->partial_length > 1) {
			/* its first byte is no character: look at the others */
			code = decoder->take(decoder->context, replacement, 3,
					     error);
			if (code != SL_OK)
				return code;
			memmove(partial, partial + 1,
				--decoder->partial_length);
			found = character_length((unsigned char *)partial,
						 decoder->partial_length);
		}
		if (found < 0)
			continue;
		if (found == 0)
			code = decoder->take(decoder->context, replacement, 3,
					     error);
		else
			code = decoder->take(decoder->context, partial,
					     decoder->partial_length, error);
		decoder->partial_length = 0;
	}
	return code;
}

static enum sl_code clean(struct sg_xml_decoder *decoder, const char *text,
			  size_t length, struct sl_error *error)
{
	enum sl_code code = clean_partial(decoder, &text, &length, error);
	size_t start = 0, at = 0;

	while (code == SL_OK && at < length) {
		int found;

		at += plain_length(text + at, length - at);
		if (at == length)
			break;
		found = character_length((const unsigned char *)text + at,
					 length - at);
		if (found > 0) {
			at += (size_t)found;
			continue;
		}
		if (at > start)
			code = decoder->take(decoder->context, text + start,
					     at - start, error);
		if (found < 0) {
			decoder->partial_length = length - at;
			memcpy(decoder->partial, text + at, length - at);
			return code;
		}
		if (code == SL_OK)
			code = decoder->take(decoder->context, replacement, 3,
					     error);
		start = ++at;
	}
	if (code == SL_OK && at > start)
		code = decoder->take(decoder->context, text + start, at - start,
				     error);
	return code;
}

/* Convert a block; what is cut at its end is kept for the next. */
static enum sl_code convert_block(struct sg_xml_decoder *decoder, char *in,
				  size_t length, struct sl_error *error)
{
	while (length) {
		char text[BLOCK_BYTES], *out = text;
		size_t room = sizeof(text), skip;
		size_t result =
			iconv(decoder->iconv, &in, &length, &out, &room);
		int why = result == (size_t)-1 ? errno : 0;
		enum sl_code code =
			clean(decoder, text, (size_t)(out - text), error);

		if (code != SL_OK)
			return code;
		if (why == EINVAL && length < sizeof(decoder->rest)) {
			memcpy(decoder->rest, in, length);
			decoder->rest_length = length;
			return SL_OK;
		}
		if (why != EILSEQ && why != EINVAL)
			continue;
		code = clean(decoder, replacement, 3, error);
		if (code != SL_OK)
			return code;
		skip = length < decoder->unit ? length : decoder->unit;
		in += skip;
		length -= skip;
	}
	return SL_OK;
}

static enum sl_code decode(struct sg_xml_decoder *decoder, const char *bytes,
			   size_t length, struct sl_error *error)
{
	if (!decoder->iconv)
		return clean(decoder, bytes, length, error);
	while (length) {
		char block[BLOCK_BYTES];
		size_t kept = decoder->rest_length;
		size_t more = length < sizeof(block) - kept
				      ? length
				      : sizeof(block) - kept;
		enum sl_code code;

		memcpy(block, decoder->rest, kept);
		memcpy(block + kept, bytes, more);
		decoder->rest_length = 0;
		code = convert_block(decoder, block, kept + more, error);
		if (code != SL_OK)
			return code;
		bytes += more;
		length -= more;
	}
	return SL_OK;
}

/* An encoding that iconv does not know is read as UTF-8. */
static void open_iconv(struct sg_xml_decoder *decoder, const char *name,
		       size_t unit)
{
	iconv_t opened = iconv_open("UTF-8", name);

	if (opened == (iconv_t)-1)
		return;
	decoder->iconv = opened;
	decoder->unit = unit;
}

static void declared_encoding(struct sg_xml_decoder *decoder)
{
	char *at = strstr(decoder->head, "<?xml"), *end, name[40];
	size_t length;

	end = at ? strstr(at, "?>") : NULL;
	at = end ? strstr(at, "encoding") : NULL;
	if (!at || at > end)
		return;
	at += strcspn(at, "\"'?");
	if (at >= end)
		return;
	at++;
	length = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			    "abcdefghijklmnopqrstuvwxyz0123456789-_.:");
	if (!length || length >= sizeof(name))
		return;
	memcpy(name, at, length);
	name[length] = '\0';
	/* a declaration that is read byte by byte is in no wide encoding,
	 * whatever it says: the file was converted after it was written */
	if (!strncasecmp(name, "UTF", 3) || !strncasecmp(name, "UCS", 3) ||
	    !strncasecmp(name, "ISO-10646", 9) || !strcasecmp(name, "ASCII") ||
	    !strcasecmp(name, "US-ASCII"))
		return;
	open_iconv(decoder, name, 1);
}

/* @return the length of the byte order mark. */
static size_t find_encoding(struct sg_xml_decoder *decoder)
{
	static const struct {
		const char *bytes;
		size_t length, mark;
		const char *encoding;
		size_t unit;
	} starts[] = {
		{ "\xEF\xBB\xBF", 3, 3, NULL, 1 },
		{ "\xFF\xFE\0\0", 4, 4, "UTF-32LE", 4 },
		{ "\0\0\xFE\xFF", 4, 4, "UTF-32BE", 4 },
		{ "\xFF\xFE", 2, 2, "UTF-16LE", 2 },
		{ "\xFE\xFF", 2, 2, "UTF-16BE", 2 },
		{ "<\0\0\0", 4, 0, "UTF-32LE", 4 },
		{ "\0\0\0<", 4, 0, "UTF-32BE", 4 },
		{ "<\0", 2, 0, "UTF-16LE", 2 },
		{ "\0<", 2, 0, "UTF-16BE", 2 },
	};

	for (size_t at = 0; at < sizeof(starts) / sizeof(starts[0]); at++) {
		if (decoder->head_length < starts[at].length ||
		    memcmp(decoder->head, starts[at].bytes,
			   starts[at].length) != 0)
			continue;
		if (starts[at].encoding)
			open_iconv(decoder, starts[at].encoding,
				   starts[at].unit);
		return starts[at].mark;
	}
	decoder->head[decoder->head_length] = '\0';
	declared_encoding(decoder);
	return 0;
}

static enum sl_code start(struct sg_xml_decoder *decoder,
			  struct sl_error *error)
{
	size_t mark = find_encoding(decoder);

	decoder->started = true;
	return decode(decoder, decoder->head + mark,
		      decoder->head_length - mark, error);
}

void sg_xml_decoder_init(struct sg_xml_decoder *decoder, sg_xml_text_fn *take,
			 void *context)
{
	memset(decoder, 0, sizeof(*decoder));
	decoder->take = take;
	decoder->context = context;
}

enum sl_code sg_xml_decoder_feed(struct sg_xml_decoder *decoder,
				 const char *bytes, size_t length,
				 struct sl_error *error)
{
	while (!decoder->started && length) {
		char byte = *bytes++;

		length--;
		decoder->head[decoder->head_length++] = byte;
		/* the declaration ends with the first of these */
		if (byte == '>' ||
		    decoder->head_length + 1 == sizeof(decoder->head)) {
			enum sl_code code = start(decoder, error);

			if (code != SL_OK)
				return code;
		}
	}
	return length ? decode(decoder, bytes, length, error) : SL_OK;
}

enum sl_code sg_xml_decoder_end(struct sg_xml_decoder *decoder,
				struct sl_error *error)
{
	return decoder->started ? SL_OK : start(decoder, error);
}

void sg_xml_decoder_finish(struct sg_xml_decoder *decoder)
{
	if (decoder->iconv)
		iconv_close(decoder->iconv);
	decoder->iconv = NULL;
}
