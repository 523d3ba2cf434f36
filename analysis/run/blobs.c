/* SPDX-License-Identifier: MIT */
/* git cat-file --batch: a name, a line about the object, the object. */
#include "run/blobs.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD_MAX = 256 };

void sg_blobs_init(struct sg_blobs *blobs)
{
	*blobs = (struct sg_blobs){ .git = { .child = -1, .to = -1 } };
}

void sg_blobs_finish(struct sg_blobs *blobs)
{
	if (blobs->git.child >= 0)
		(void)sg_git_stop(&blobs->git);
}

/* The answer's head, "ID blob SIZE" or "... missing". */
static bool read_head(struct sg_blobs *blobs, size_t *size, bool *is_blob)
{
	char head[HEAD_MAX], *blank;
	unsigned long long bytes;

	*is_blob = false;
	*size = 0;
	if (!fgets(head, sizeof(head), blobs->git.from))
		return false;
	/* a missing object's name may be longer than the room for it */
	if (!strchr(head, '\n')) {
		for (int byte; (byte = fgetc(blobs->git.from)) != '\n';)
			if (byte == EOF)
				return false;
		return true;
	}
	blank = strrchr(head, ' ');
	if (!blank)
		return true;
	/* "ID submodule\n", and whatever newer ones say, is no text */
	if (!isdigit((unsigned char)blank[1]))
		return true;
	bytes = strtoull(blank + 1, NULL, 10);
	*blank = '\0';
	blank = strrchr(head, ' ');
	*is_blob = blank && strcmp(blank, " blob") == 0;
	*size = (size_t)bytes + 1; /* and a newline */
	return true;
}

static bool skip(FILE *from, size_t bytes)
{
	while (bytes--)
		if (fgetc(from) == EOF)
			return false;
	return true;
}

/* @return false: git does not answer any more. */
static bool read_blob(struct sg_blobs *blobs, struct sl_buffer *text,
		      bool *there, enum sl_code *code, struct sl_error *error)
{
	size_t size;
	bool is_blob;

	if (!read_head(blobs, &size, &is_blob))
		return false;
	if (!size)
		return true;
	if (!is_blob || size > SG_TEXT_MAX)
		return skip(blobs->git.from, size);
	*code = sl_buffer_reserve(text, size, error);
	if (*code != SL_OK)
		return false;
	if (fread(text->data, 1, size, blobs->git.from) != size)
		return false;
	text->used = size - 1;
	*there = true;
	return true;
}

/* The question in one piece: each one wakes git. */
static enum sl_code put_question(const char *const *name,
				 struct sl_buffer *text, struct sl_error *error)
{
	enum sl_code code = SL_OK;

	for (; *name && code == SL_OK; name++) {
		size_t length = strlen(*name);

		code = sl_buffer_reserve(text, length + 1, error);
		if (code != SL_OK)
			break;
		memcpy(text->data + text->used, *name, length);
		text->used += length;
	}
	if (code == SL_OK && text->used)
		text->data[text->used++] = '\n';
	return code;
}

static bool ask(struct sg_blobs *blobs, struct sl_buffer *text)
{
	bool heard = sg_git_ask(&blobs->git, text->data, text->used);

	text->used = 0;
	return heard;
}

enum sl_code sg_blobs_read(struct sg_blobs *blobs, const char *folder,
			   const char *const *name, struct sl_buffer *text,
			   bool *there, struct sl_error *error)
{
	static const char *const command[] = { "cat-file", "--batch", NULL };
	enum sl_code code = SL_OK;

	*there = false;
	text->used = 0;
	for (const char *const *part = name; *part; part++)
		if (strchr(*part, '\n'))
			return SL_OK;
	if (blobs->is_mute)
		return SL_OK;
	if (blobs->git.child < 0)
		code = sg_git_start(&blobs->git, folder, command, true, error);
	if (code == SL_OK)
		code = put_question(name, text, error);
	if (code != SL_OK)
		return code;
	if (!ask(blobs, text) || !read_blob(blobs, text, there, &code, error)) {
		(void)sg_git_stop(&blobs->git);
		blobs->is_mute = true;
		if (code == SL_OK)
			code = SL_FAIL(error, SL_EIO,
				       "git cat-file ended in the middle");
	}
	return code;
}
