/* SPDX-License-Identifier: MIT */
/* Fingerprints with the source, where somebody gives it. Reports go to and fro
 * between a source and its headers, so some are kept, cut into tokens. */
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "store/import.h"

static void close_source(struct sg_import *import, struct sg_open_source *open)
{
	if (open->at_hand) {
		sg_functions_finish(&open->functions);
		sg_source_finish(&open->source);
	}
	import->opened_bytes -= open->length;
	free(open->text);
	free(open->path);
	memset(open, 0, sizeof(*open));
}

void sg_import_close_sources(struct sg_import *import)
{
	for (size_t at = 0; at < SG_OPEN_SOURCES; at++)
		close_source(import, &import->opened[at]);
}

/* A file that is too large to be cut into tokens is as good as none. */
static enum sl_code cut(struct sg_open_source *open)
{
	enum sl_code code =
		sg_source_init(&open->source, open->text, open->length);

	if (code != SL_OK)
		return code == SL_EINVAL ? SL_OK : code;
	code = sg_functions_init(&open->functions, &open->source);
	if (code == SL_OK)
		open->at_hand = true;
	else
		sg_source_finish(&open->source);
	return code;
}

static int64_t lines_of(const char *text, size_t length)
{
	int64_t lines = length && text[length - 1] != '\n';

	for (const char *at = text;
	     (at = memchr(at, '\n', length - (size_t)(at - text))); at++)
		lines++;
	return lines;
}

static enum sl_code add_size(struct sg_store *store,
			     struct sg_open_source *open,
			     struct sl_error *error)
{
	const struct sg_open_result *result = &store->import->result;
	int64_t file;
	enum sl_code code;

	if (!open->text || open->sized == result->id)
		return SL_OK;
	open->sized = result->id;
	sg_digest_number(result->digest, open->lines);
	code = sg_import_file(store, open->path, &file, error);
	if (code == SL_OK)
		code = SG_DO(store, error, SG_SQL_add_size,
			     sg_number(result->id), sg_number(file),
			     sg_number(open->lines));
	return code;
}

/* Into a free place. */
static enum sl_code keep(struct sg_import *import, struct sg_open_source *open,
			 const char *path, const char *text, size_t length)
{
	if (import->opened_bytes + length > SG_OPEN_BYTES)
		sg_import_close_sources(import);
	open->path = strdup(path);
	if (!open->path)
		return SL_ENOMEM;
	if (!text)
		return SL_OK;
	open->text = malloc(length + 1);
	if (!open->text)
		return SL_ENOMEM;
	memcpy(open->text, text, length);
	open->text[length] = '\0';
	open->length = length;
	import->opened_bytes += length;
	open->lines = lines_of(open->text, length);
	return cut(open);
}

/* @return the place that has the path, or one to be used for it. */
static struct sg_open_source *place_of(struct sg_import *import,
				       const char *path)
{
	uint64_t hash = XXH3_64bits(path, strlen(path));
	struct sg_open_source *first =
		&import->opened[hash % (SG_OPEN_SOURCES / SG_OPEN_WAYS) *
				SG_OPEN_WAYS];

	for (size_t at = 0; at < SG_OPEN_WAYS; at++)
		if (first[at].path && strcmp(first[at].path, path) == 0)
			return &first[at];
	for (size_t at = 0; at < SG_OPEN_WAYS; at++)
		if (!first[at].path)
			return &first[at];
	return &first[import->next_victim++ % SG_OPEN_WAYS];
}

static enum sl_code open_source(struct sg_store *store, const char *path,
				struct sg_open_source **opened,
				struct sl_error *error)
{
	struct sg_import *import = store->import;
	const struct sg_run_start *start = &import->start;
	struct sg_open_source *open = place_of(import, path);
	const char *text = NULL;
	size_t length = 0;
	enum sl_code code = SL_OK;

	*opened = open;
	if (!open->path || strcmp(open->path, path) != 0) {
		close_source(import, open);
		code = start->source(start->context, path, &text, &length,
				     error);
		if (code != SL_OK)
			return code;
		if (keep(import, open, path, text, length) != SL_OK)
			return SL_FAIL(error, SL_ENOMEM,
				       "no memory for a source");
	}
	return add_size(store, open, error);
}

enum sl_code sg_import_fingerprint(struct sg_store *store,
				   const struct sg_finding *finding,
				   struct sg_fingerprint *fingerprint,
				   const char **function,
				   struct sl_error *error)
{
	struct sg_import *import = store->import;
	struct sg_open_source *open = NULL;
	struct sg_words words = {
		.tool = finding->tool,
		.rule = finding->rule,
		.function = finding->function,
		.message = finding->message,
	};
	bool at_hand = false;
	enum sl_code code = SL_OK;

	if (import->start.source && finding->path) {
		code = open_source(store, finding->path, &open, error);
		at_hand = open->at_hand;
	}
	if (code != SL_OK)
		return code;
	if (at_hand && !words.function)
		words.function =
			sg_function_at(&open->functions, finding->line);
	*function = words.function;
	if (sg_fingerprint_init(fingerprint, &words,
				at_hand ? &open->source : NULL,
				finding->line) != SL_OK)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a fingerprint");
	return SL_OK;
}
