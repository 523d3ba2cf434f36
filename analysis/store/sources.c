/* SPDX-License-Identifier: MIT */
/* Fingerprints with the source, where somebody gives it. A report mostly goes
 * through a file before it goes on to the next, so one is kept open. */
#include <stdlib.h>
#include <string.h>

#include "store/import.h"

void sg_import_close_source(struct sg_import *import)
{
	struct sg_open_source *open = &import->open;

	if (open->at_hand) {
		sg_functions_finish(&open->functions);
		sg_source_finish(&open->source);
	}
	free(open->path);
	memset(open, 0, sizeof(*open));
}

/* A file that is too large to be cut into tokens is as good as none. */
static enum sl_code cut(struct sg_open_source *open, const char *text,
			size_t length)
{
	enum sl_code code = sg_source_init(&open->source, text, length);

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

static enum sl_code add_size(struct sg_store *store, const char *path,
			     const char *text, size_t length,
			     struct sl_error *error)
{
	int64_t lines = lines_of(text, length), file;
	enum sl_code code = sg_import_file(store, path, &file, error);

	sg_digest_number(store->import->result.digest, lines);
	if (code == SL_OK)
		code = SG_DO(store, error, SG_SQL_add_size,
			     sg_number(store->import->result.id),
			     sg_number(file), sg_number(lines));
	return code;
}

static enum sl_code open_source(struct sg_store *store, const char *path,
				struct sl_error *error)
{
	struct sg_import *import = store->import;
	const struct sg_run_start *start = &import->start;
	const char *text = NULL;
	size_t length = 0;
	enum sl_code code;

	if (import->open.path && strcmp(import->open.path, path) == 0)
		return SL_OK;
	sg_import_close_source(import);
	code = start->source(start->context, path, &text, &length, error);
	if (code != SL_OK)
		return code;
	import->open.path = strdup(path);
	if (!import->open.path ||
	    (text && cut(&import->open, text, length) != SL_OK))
		return SL_FAIL(error, SL_ENOMEM, "no memory for a source");
	return text ? add_size(store, path, text, length, error) : SL_OK;
}

enum sl_code sg_import_fingerprint(struct sg_store *store,
				   const struct sg_finding *finding,
				   struct sg_fingerprint *fingerprint,
				   const char **function,
				   struct sl_error *error)
{
	struct sg_import *import = store->import;
	struct sg_open_source *open = &import->open;
	struct sg_words words = {
		.tool = finding->tool,
		.rule = finding->rule,
		.function = finding->function,
		.message = finding->message,
	};
	bool at_hand = false;
	enum sl_code code = SL_OK;

	if (import->start.source && finding->path) {
		code = open_source(store, finding->path, error);
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
