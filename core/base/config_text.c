/* SPDX-License-Identifier: MIT */
/* One text from a configuration and all that it includes. */
#include "base/config_scan.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	INCLUDE_DEPTH_MAX = 10, /* as libconfig */
	INCLUDE_FILES_MAX = 1000,
};

/* A growing piece of memory. */
struct bytes {
	char *data; /* owned */
	size_t length, capacity;
};

/* What stays the same while files include one another. */
struct expansion {
	struct sl_config_text *text;
	const char *path;
	const char *folder; /* NULL: nothing can be included */
	struct sl_config_files *files;
	struct sl_error *error;
	bool after_string; /* the last token was a string */
};

static enum sl_code no_memory(struct sl_error *error)
{
	return SL_FAIL(error, SL_ENOMEM, "memory is short");
}

/* Make room for @p more elements. */
static bool reserve(void **array, size_t *capacity, size_t count, size_t more,
		    size_t element)
{
	size_t wanted = *capacity ? *capacity : 64;
	void *grown;

	if (more <= *capacity - count)
		return true;
	while (wanted - count < more)
		wanted *= 2;
	grown = realloc(*array, wanted * element);
	if (!grown)
		return false;
	*array = grown;
	*capacity = wanted;
	return true;
}

static enum sl_code read_all(int fd, struct bytes *bytes,
			     struct sl_error *error)
{
	char reason[128];
	void *data;
	ssize_t got;

	do {
		data = bytes->data;
		if (!reserve(&data, &bytes->capacity, bytes->length, 65536, 1))
			return no_memory(error);
		bytes->data = data;
		got = read(fd, bytes->data + bytes->length,
			   bytes->capacity - bytes->length);
		if (got > 0)
			bytes->length += (size_t)got;
		if (bytes->length > SL_CONFIG_BYTES_MAX)
			return SL_FAIL(error, SL_EINVAL,
				       "a configuration has at most %u MiB",
				       SL_CONFIG_BYTES_MAX >> 20);
	} while (got > 0 || (got < 0 && errno == EINTR));

	if (got < 0) {
		if (strerror_r(errno, reason, sizeof(reason)) != 0)
			reason[0] = '\0';
		return SL_FAIL(error, SL_EIO, "cannot read: %s", reason);
	}
	return SL_OK;
}

/* libconfig would end the text at a NUL. */
static enum sl_code refuse_nul(const char *bytes, size_t length,
			       const char *path, struct sl_error *error)
{
	const char *nul = length > 0 ? memchr(bytes, '\0', length) : NULL;
	enum sl_code code;
	int line = 1;

	if (!nul)
		return SL_OK;
	for (const char *at = bytes; at < nul; at++)
		line += *at == '\n';
	code = SL_FAIL(error, SL_EINVAL,
		       "a NUL byte: this is no configuration");
	sl_error_at(error, path, line);
	return code;
}

/* The place of a failure is @p path; when it does not open, it is the
 * @p parent that names it, if there is one. */
static enum sl_code load(const char *path, const char *parent, int parent_line,
			 struct bytes *bytes, struct sl_error *error)
{
	bool from_stdin = !parent && strcmp(path, "-") == 0;
	int fd = from_stdin ? STDIN_FILENO
			    : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	enum sl_code code;
	char reason[128];

	if (fd < 0) {
		if (strerror_r(errno, reason, sizeof(reason)) != 0)
			reason[0] = '\0';
		code = parent ? SL_FAIL(error, SL_EIO, "cannot open \"%s\": %s",
					path, reason)
			      : SL_FAIL(error, SL_EIO, "cannot open: %s",
					reason);
		sl_error_at(error, parent ? parent : path, parent_line);
		return code;
	}
	code = read_all(fd, bytes, error);
	if (code != SL_OK)
		sl_error_at(error, path, 0);
	else
		code = refuse_nul(bytes->data, bytes->length, path, error);
	if (!from_stdin)
		close(fd);
	return code;
}

static enum sl_code append(struct expansion *to, const char *bytes,
			   size_t length)
{
	struct sl_config_text *text = to->text;
	void *data = text->bytes;

	if (length > SL_CONFIG_BYTES_MAX - text->length)
		return SL_FAIL(to->error, SL_EINVAL,
			       "with what it includes, a configuration has at "
			       "most %u MiB",
			       SL_CONFIG_BYTES_MAX >> 20);
	if (!reserve(&data, &text->capacity, text->length, length + 1, 1))
		return no_memory(to->error);
	text->bytes = data;
	memcpy(text->bytes + text->length, bytes, length);
	text->length += length;
	text->bytes[text->length] = '\0';
	for (size_t at = 0; at < length; at++)
		text->lines += bytes[at] == '\n';
	return SL_OK;
}

static enum sl_code mark(struct expansion *to, int flat, const char *file,
			 int line)
{
	struct sl_config_text *text = to->text;
	void *marks = text->marks;

	if (!reserve(&marks, &text->mark_capacity, text->mark_count, 1,
		     sizeof(*text->marks)))
		return no_memory(to->error);
	text->marks = marks;
	text->marks[text->mark_count++] =
		(struct sl_config_mark){ flat, line, file };
	return SL_OK;
}

/* The flat line of line @p line of the file that is being copied. */
static int flat_line(const struct sl_config_text *text, int line)
{
	const struct sl_config_mark *last = &text->marks[text->mark_count - 1];

	return last->flat + line - last->line;
}

static enum sl_code note_string(struct expansion *to, int line)
{
	struct sl_config_text *text = to->text;
	void *lines = text->string_lines;

	if (!reserve(&lines, &text->string_capacity, text->string_count, 1,
		     sizeof(*text->string_lines)))
		return no_memory(to->error);
	text->string_lines = lines;
	text->string_lines[text->string_count++] = flat_line(text, line);
	return SL_OK;
}

/* The path of an @include token, joined to the folder. */
static const char *included_path(struct expansion *to,
				 const struct sl_config_lexer *lexer)
{
	const char *from = memchr(lexer->token, '"', lexer->token_length);
	const char *end = lexer->token + lexer->token_length - 1;
	size_t folder_length = from[1] == '/' ? 0 : strlen(to->folder);
	char *path = sl_arena_alloc(&to->files->arena,
				    folder_length + 1 + (size_t)(end - from));
	char *at = path;

	if (!path)
		return NULL;
	memcpy(at, to->folder, folder_length);
	at += folder_length;
	for (from++; from < end; from++) {
		if (*from == '\\' && (from[1] == '\\' || from[1] == '"'))
			from++;
		*at++ = *from;
	}
	return path;
}

static enum sl_code remember(struct expansion *to, const char *path)
{
	struct sl_config_include *include =
		sl_arena_alloc(&to->files->arena, sizeof(*include));

	if (!include)
		return no_memory(to->error);
	include->path = path;
	include->next = to->files->last;
	to->files->last = include;
	return SL_OK;
}

static enum sl_code expand(struct expansion *to, const char *file,
			   const char *bytes, size_t length, unsigned depth);

static enum sl_code include(struct expansion *to, const char *file,
			    const struct sl_config_lexer *lexer, unsigned depth)
{
	struct bytes bytes = { 0 };
	const char *path = included_path(to, lexer);
	const char *parent = file ? file : to->path;
	enum sl_code code;

	if (!path)
		return no_memory(to->error);
	if (depth == INCLUDE_DEPTH_MAX ||
	    ++to->text->files > INCLUDE_FILES_MAX) {
		code = SL_FAIL(to->error, SL_EINVAL,
			       "@include \"%s\": at most %d files deep, and %d "
			       "in all",
			       path, INCLUDE_DEPTH_MAX, INCLUDE_FILES_MAX);
		sl_error_at(to->error, parent, lexer->token_line);
		return code;
	}
	code = load(path, parent, lexer->token_line, &bytes, to->error);
	if (code == SL_OK)
		code = remember(to, path);
	if (code == SL_OK)
		code = expand(to, path, bytes.data, bytes.length, depth + 1);
	free(bytes.data);
	return code;
}

/* A failure at the lexer's last token. */
static enum sl_code refuse(struct expansion *to, const char *file,
			   const struct sl_config_lexer *lexer,
			   const char *message)
{
	enum sl_code code = SL_FAIL(to->error, SL_EINVAL, "%s", message);

	sl_error_at(to->error, file ? file : to->path, lexer->token_line);
	return code;
}

/* Copy up to an @include, copy what it includes, and go on behind it, on a
 * line of its own. @p copied is where copying stopped last. */
static enum sl_code take_include(struct expansion *to, const char *file,
				 const struct sl_config_lexer *lexer,
				 const char **copied, unsigned depth)
{
	enum sl_code code =
		append(to, *copied, (size_t)(lexer->token - *copied));

	if (code == SL_OK)
		code = include(to, file, lexer, depth);
	if (code == SL_OK)
		code = append(to, "\n", 1);
	if (code != SL_OK)
		return code;
	*copied = lexer->at;
	return mark(to, to->text->lines + 1, file, lexer->line);
}

/* Append @p file's @p bytes (NULL: the configuration's own). */
static enum sl_code expand(struct expansion *to, const char *file,
			   const char *bytes, size_t length, unsigned depth)
{
	struct sl_config_lexer lexer;
	const char *copied = bytes;
	enum sl_config_token token;
	enum sl_code code = mark(to, to->text->lines + 1, file, 1);
	char why[128];

	sl_config_lexer_init(&lexer, bytes, length);
	while (code == SL_OK &&
	       (token = sl_config_lex(&lexer)) != SL_CONFIG_END) {
		if (token == SL_CONFIG_OPEN_STRING)
			return refuse(to, file, &lexer,
				      "this string does not end");
		if (token == SL_CONFIG_OPEN_COMMENT)
			return refuse(to, file, &lexer,
				      "this comment does not end");
		if (token == SL_CONFIG_INTEGER &&
		    sl_config_integer_fault(lexer.token, lexer.token_length,
					    why))
			return refuse(to, file, &lexer, why);
		if (token == SL_CONFIG_INCLUDE && !to->folder)
			return refuse(to, file, &lexer,
				      "this configuration cannot include "
				      "another file");
		if (token == SL_CONFIG_INCLUDE) {
			code = take_include(to, file, &lexer, &copied, depth);
			continue;
		}
		if (token == SL_CONFIG_STRING && !to->after_string)
			code = note_string(to, lexer.token_line);
		to->after_string = token == SL_CONFIG_STRING;
	}
	if (code != SL_OK)
		return code;
	/* libconfig knows no comment at the very end without its newline */
	code = append(to, copied, (size_t)(lexer.end - copied));
	return code == SL_OK ? append(to, "\n", 1) : code;
}

static enum sl_code settle(enum sl_code code, struct sl_config_text *text,
			   const char *path, struct sl_error *error)
{
	if (code == SL_OK)
		return SL_OK;
	if (error && !error->input[0])
		sl_error_at(error, path, 0);
	sl_config_text_finish(text);
	return code;
}

enum sl_code sl_config_text_init(struct sl_config_text *text, const char *path,
				 const char *folder,
				 struct sl_config_files *files,
				 struct sl_error *error)
{
	struct expansion to = { text, path, folder, files, error, false };
	struct bytes bytes = { 0 };
	enum sl_code code;

	*text = (struct sl_config_text){ 0 };
	code = load(path, NULL, 0, &bytes, error);
	if (code == SL_OK)
		code = expand(&to, NULL, bytes.data, bytes.length, 0);
	free(bytes.data);
	return settle(code, text, path, error);
}

enum sl_code sl_config_text_take(struct sl_config_text *text, const char *path,
				 const char *bytes, size_t length,
				 struct sl_error *error)
{
	struct expansion to = { text, path, NULL, NULL, error, false };
	enum sl_code code = SL_OK;

	*text = (struct sl_config_text){ 0 };
	if (length > SL_CONFIG_BYTES_MAX)
		code = SL_FAIL(error, SL_EINVAL,
			       "a configuration has at most %u MiB",
			       SL_CONFIG_BYTES_MAX >> 20);
	if (code == SL_OK)
		code = refuse_nul(bytes, length, path, error);
	if (code == SL_OK)
		code = expand(&to, NULL, bytes, length, 0);
	return settle(code, text, path, error);
}

void sl_config_text_finish(struct sl_config_text *text)
{
	free(text->bytes);
	free(text->marks);
	free(text->string_lines);
	*text = (struct sl_config_text){ 0 };
}

struct sl_config_mark sl_config_text_place(const struct sl_config_text *text,
					   int flat)
{
	size_t low = 0, high = text->mark_count;
	struct sl_config_mark place;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (text->marks[middle].flat <= flat)
			low = middle;
		else
			high = middle;
	}
	place = text->marks[low];
	place.line += flat - place.flat;
	return place;
}
