/* SPDX-License-Identifier: MIT */
/* Paths: resolved where they exist, collapsed where they do not. */
#define _XOPEN_SOURCE 700 /* realpath() */
#include "read/root.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	ANSWERS = 16384, /* a power of two */
	ANSWER_MAX = 512 /* bytes of a path whose answer is kept */
};

/* Two paths of the same slot drive each other out. */
struct answer {
	char *path, *relative; /* owned; NULL: free */
};

struct sg_root {
	/* Owned, without a slash at the end: "/" is "". */
	char *given; /* absolute, as text */
	char *real; /* resolved; NULL: it is not of this machine */
	char **bases; /* owned; the last one is the root */
	size_t base_count;
	char *last; /* owned: an answer that is not kept */
	struct answer answers[ANSWERS];
};

static bool has_drive(const char *path)
{
	char letter = (char)(path[0] | 0x20);

	return letter >= 'a' && letter <= 'z' && path[1] == ':' &&
	       (path[2] == '/' || path[2] == '\\');
}

static bool has_host(const char *path)
{
	return strncmp(path, "\\\\", 2) == 0;
}

/* A name with backslashes and no slash is taken for one of Windows. */
static bool is_windows(const char *path)
{
	return has_drive(path) || has_host(path) ||
	       (strchr(path, '\\') && !strchr(path, '/'));
}

static bool is_absolute(const char *path)
{
	return path[0] == '/' || has_drive(path) || has_host(path);
}

static bool is_no_path(const char *path)
{
	return !*path || *path == '<' || strstr(path, "://");
}

static void make_slashes(char *path)
{
	for (char *at = path; *at; at++)
		if (*at == '\\')
			*at = '/';
	if (has_drive(path) && path[0] >= 'a')
		path[0] = (char)(path[0] - 'a' + 'A');
}

/* The part that ".." cannot take away: "/", "C:/", "//" of a host. */
static size_t head_length(const char *path, bool has_a_host)
{
	if (has_drive(path))
		return 3;
	return has_a_host ? 2 : 1;
}

/* In place, of an absolute path; no slash is left at its end. */
static void collapse(char *path, bool has_a_host)
{
	size_t head = head_length(path, has_a_host);
	char *to = path + head;

	for (const char *from = path + head; *from;) {
		size_t length = strcspn(from, "/");

		if (length == 2 && from[0] == '.' && from[1] == '.') {
			if (to > path + head)
				to--; /* the slash */
			while (to > path + head && to[-1] != '/')
				to--;
		} else if (length && !(length == 1 && *from == '.')) {
			memmove(to, from, length);
			to += length;
			if (from[length])
				*to++ = '/';
		}
		from += length + (from[length] == '/');
	}
	while (to > path && to[-1] == '/')
		to--;
	*to = '\0';
}

static bool begins_with_host(const char *base, const char *path)
{
	return is_absolute(path) ? has_host(path) : strncmp(base, "//", 2) == 0;
}

/* @return an owned absolute path with all its dots; NULL: no memory. */
static char *concatenate(const char *base, const char *path)
{
	bool alone = is_absolute(path);
	size_t start = alone ? 0 : strlen(base) + 1;
	size_t length = strlen(path);
	char *joined = malloc(start + length + 1);

	if (!joined)
		return NULL;
	if (!alone) {
		memcpy(joined, base, start - 1);
		joined[start - 1] = '/';
	}
	memcpy(joined + start, path, length + 1);
	if (is_windows(path))
		make_slashes(joined + start);
	return joined;
}

/* @return an owned absolute path, collapsed; NULL: no memory. */
static char *join(const char *base, const char *path)
{
	char *joined = concatenate(base, path);

	if (joined)
		collapse(joined, begins_with_host(base, path));
	return joined;
}

/* @return what is behind the folder, "." for the folder itself; NULL: the path
 * lies elsewhere. */
static const char *behind(const char *folder, const char *path)
{
	size_t length = folder ? strlen(folder) : 0;

	if (!folder || strncmp(path, folder, length) != 0)
		return NULL;
	if (path[length] == '/')
		return path[length + 1] ? path + length + 1 : ".";
	return path[length] ? NULL : ".";
}

static const char *inside(const struct sg_root *root, const char *path)
{
	const char *relative = behind(root->given, path);

	return relative ? relative : behind(root->real, path);
}

/* ---- one path --------------------------------------------------------- */

/* @return an owned answer if the path names a file from this base. *failed: no
 * memory. */
static char *try_base(const struct sg_root *root, const char *base,
		      const char *path, bool *failed)
{
	char *text = concatenate(base, path);
	bool ours = text && !has_drive(text);
	const char *relative;
	char *real, *answer = NULL;

	errno = 0;
	/* what ".." behind a symlink means, the system knows best */
	real = ours ? realpath(text, NULL) : NULL;
	if (text)
		collapse(text, begins_with_host(base, path));
	if (ours && !real)
		real = realpath(*text ? text : "/", NULL);
	if (real) {
		relative = behind(root->real, real);
		if (!relative)
			relative = inside(root, text);
		answer = strdup(relative ? relative : *text ? text : "/");
	}
	*failed = !text || (real && !answer) || (!real && errno == ENOMEM);
	free(real);
	free(text);
	return answer;
}

static char *find_file(const struct sg_root *root, const char *path,
		       bool *failed)
{
	size_t count = is_absolute(path) ? 1 : root->base_count;
	char *answer = NULL;

	*failed = false;
	for (size_t at = 0; at < count && !answer && !*failed; at++)
		answer = try_base(root, root->bases[at], path, failed);
	return answer;
}

/* The path names no file here. */
static char *collapsed(const struct sg_root *root, const char *path)
{
	char *first = join(root->given, path);
	const char *relative = first ? inside(root, first) : NULL;
	char *answer;

	for (size_t at = 0; first && !relative && at < root->base_count; at++) {
		char *text = join(root->bases[at], path);

		if (!text) {
			free(first);
			return NULL;
		}
		relative = inside(root, text);
		if (!relative) {
			free(text);
			continue;
		}
		free(first);
		first = text;
	}
	if (!relative)
		return first;
	answer = strdup(relative);
	free(first);
	return answer;
}

static char *resolve(const struct sg_root *root, const char *path)
{
	bool failed;
	char *answer = find_file(root, path, &failed);

	if (!answer && !failed)
		answer = collapsed(root, path);
	return answer;
}

static size_t slot_of(const char *path)
{
	uint64_t hash = 14695981039346656037U; /* FNV-1a */

	for (; *path; path++)
		hash = (hash ^ (unsigned char)*path) * 1099511628211U;
	return (size_t)((hash ^ (hash >> 32)) & (ANSWERS - 1));
}

const char *sg_root_relative(struct sg_root *root, const char *path)
{
	struct answer *answer = &root->answers[slot_of(path)];
	char *relative, *copy;

	if (is_no_path(path))
		return path;
	if (answer->path && strcmp(answer->path, path) == 0)
		return answer->relative;
	relative = resolve(root, path);
	if (!relative)
		return NULL;
	copy = strlen(path) <= ANSWER_MAX ? strdup(path) : NULL;
	if (!copy) {
		free(root->last);
		root->last = relative;
		return relative;
	}
	free(answer->path);
	free(answer->relative);
	*answer = (struct answer){ copy, relative };
	return relative;
}

/* ---- the root --------------------------------------------------------- */

/* @return an owned absolute path, as text; NULL: no memory, or the current
 * folder is gone. */
static char *absolute(const char *path)
{
	char *folder, *joined;

	if (is_absolute(path))
		return join("", path);
	folder = realpath(".", NULL);
	joined = folder ? join(folder, path) : NULL;
	free(folder);
	return joined;
}

static enum sl_code set_root(struct sg_root *root, const char *path,
			     struct sl_error *error)
{
	struct stat folder;

	root->real = realpath(path, NULL);
	if (!root->real && (errno != ENOENT || !is_absolute(path)))
		return SL_FAIL(error, errno == ENOMEM ? SL_ENOMEM : SL_EIO,
			       "cannot use %s as the root: %s",
			       sl_path_tail(path), strerror(errno));
	if (root->real &&
	    (stat(root->real, &folder) || !S_ISDIR(folder.st_mode)))
		return SL_FAIL(error, SL_EINVAL, "the root %s is not a folder",
			       sl_path_tail(path));
	if (root->real && strcmp(root->real, "/") == 0)
		*root->real = '\0';
	root->given = absolute(path);
	return root->given ? SL_OK
			   : SL_FAIL(error, SL_ENOMEM, "no memory for a root");
}

static enum sl_code set_bases(struct sg_root *root, const char *const *bases,
			      size_t count, struct sl_error *error)
{
	root->bases = calloc(count + 1, sizeof(*root->bases));
	if (!root->bases)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a root");
	for (; root->base_count < count; root->base_count++) {
		char *base = absolute(bases[root->base_count]);

		if (!base)
			return SL_FAIL(error, SL_ENOMEM,
				       "no memory for a base folder");
		root->bases[root->base_count] = base;
	}
	root->bases[count] = strdup(root->given);
	if (!root->bases[count])
		return SL_FAIL(error, SL_ENOMEM, "no memory for a root");
	root->base_count++;
	return SL_OK;
}

enum sl_code sg_root_create(struct sg_root **root, const char *path,
			    const char *const *bases, size_t base_count,
			    struct sl_error *error)
{
	enum sl_code code;

	*root = calloc(1, sizeof(**root));
	if (!*root)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a root");
	code = set_root(*root, path, error);
	if (code == SL_OK)
		code = set_bases(*root, bases, base_count, error);
	if (code != SL_OK) {
		sg_root_destroy(*root);
		*root = NULL;
	}
	return code;
}

void sg_root_destroy(struct sg_root *root)
{
	if (!root)
		return;
	for (size_t at = 0; at < ANSWERS; at++) {
		free(root->answers[at].path);
		free(root->answers[at].relative);
	}
	for (size_t at = 0; at < root->base_count; at++)
		free(root->bases[at]);
	free(root->bases);
	free(root->given);
	free(root->real);
	free(root->last);
	free(root);
}
