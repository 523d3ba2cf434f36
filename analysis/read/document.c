/* SPDX-License-Identifier: MIT */
/* A document: opened, its format found out, fed to a reader. */
#define _XOPEN_SOURCE 700 /* realpath() */

#include "read/document.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 65536 };

/* One document on its way through a reader. */
struct feeding {
	const char *path;
	int fd;
	sg_finding_fn *take;
	void *context;
	struct sg_document *document;
	struct sl_error *error;
	void *reader; /* owned; NULL before the format is known */
	char bytes[PIECE];
	size_t used;
	bool begun; /* some of it was read */
	bool ended;
	int fault; /* the errno that kept the rest from being read; 0: none */
};

static enum sl_code read_piece(struct feeding *feeding)
{
	ssize_t got;

	do
		got = read(feeding->fd, feeding->bytes + feeding->used,
			   PIECE - feeding->used);
	while (got < 0 && errno == EINTR);
	if (got < 0 && !feeding->begun)
		return SL_FAIL(feeding->error, SL_EIO, "cannot read %s: %s",
			       sl_path_tail(feeding->path), strerror(errno));
	if (got < 0)
		feeding->fault = errno;
	else
		feeding->used += (size_t)got;
	feeding->begun |= got > 0;
	feeding->ended = got <= 0;
	return SL_OK;
}

/* What the sniffers look at, though a pipe gives it in crumbs. */
static enum sl_code read_start(struct feeding *feeding)
{
	enum sl_code code = SL_OK;

	while (code == SL_OK && !feeding->ended &&
	       feeding->used < SG_SNIFF_BYTES)
		code = read_piece(feeding);
	return code;
}

static enum sl_code begin(struct feeding *feeding)
{
	struct sg_document *document = feeding->document;

	if (!document->format)
		document->format =
			sg_format_sniffed(feeding->bytes, feeding->used);
	if (!document->format)
		return SL_OK;
	feeding->reader =
		document->format->create(feeding->take, feeding->context);
	if (!feeding->reader)
		return SL_FAIL(feeding->error, SL_ENOMEM,
			       "no memory for a reader");
	return SL_OK;
}

static enum sl_code feed_all(struct feeding *feeding)
{
	const struct sg_format *format = feeding->document->format;
	enum sl_code code = SL_OK;

	while (code == SL_OK && feeding->used) {
		code = format->feed(feeding->reader, feeding->bytes,
				    feeding->used, feeding->error);
		feeding->used = 0;
		if (code == SL_OK && !feeding->ended)
			code = read_piece(feeding);
	}
	if (code == SL_OK)
		code = format->finish(feeding->reader,
				      &feeding->document->ending,
				      feeding->error);
	return code;
}

static void say_unknown(struct feeding *feeding)
{
	struct sg_ending *ending = &feeding->document->ending;

	ending->kind = SG_NO_REPORT;
	snprintf(ending->message, sizeof(ending->message), "%s",
		 feeding->used ? "in none of the formats known here"
			       : "it is empty; if the tool had nothing to "
				 "say, name its --format");
}

/* What came before the fault was handed on. */
static void say_fault(struct feeding *feeding)
{
	struct sg_ending *ending = &feeding->document->ending;

	if (ending->kind >= SG_MALFORMED)
		return;
	ending->kind = SG_BROKEN_OFF;
	snprintf(ending->message, sizeof(ending->message),
		 "cannot read the rest: %s", strerror(feeding->fault));
}

static enum sl_code feed(struct feeding *feeding)
{
	enum sl_code code = read_start(feeding);

	if (code == SL_OK)
		code = begin(feeding);
	if (code == SL_OK && feeding->reader)
		code = feed_all(feeding);
	else if (code == SL_OK)
		say_unknown(feeding);
	if (code == SL_OK && feeding->fault)
		say_fault(feeding);
	if (feeding->reader)
		feeding->document->format->destroy(feeding->reader);
	return code;
}

static enum sl_code read_fd(const char *path, int fd, sg_finding_fn *take,
			    void *context, struct sg_document *document,
			    struct sl_error *error)
{
	struct feeding *feeding = calloc(1, sizeof(*feeding));
	enum sl_code code;

	if (!feeding)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a document");
	feeding->path = path;
	feeding->fd = fd;
	feeding->take = take;
	feeding->context = context;
	feeding->document = document;
	feeding->error = error;
	code = feed(feeding);
	free(feeding);
	return code;
}

/* ---- a folder --------------------------------------------------------- */

/* A folder rNsc/ being read. */
struct folder {
	const char *path;
	int fd;
	char name[256]; /* of its reports */
	long *runs; /* the N of data.N/; owned */
	size_t count, space;
};

/* The name of the folder's reports: its own, with .pdr. */
static void report_name(struct folder *folder)
{
	const char *path = folder->path;
	size_t end = strlen(path), start;
	char *real = NULL;

	while (end > 1 && path[end - 1] == '/')
		end--;
	/* "." is a name for it, but not its own */
	if (path[end - 1] == '.' || path[end - 1] == '/')
		real = realpath(path, NULL);
	if (real) {
		path = real;
		end = strlen(real);
	}
	for (start = end; start && path[start - 1] != '/';)
		start--;
	snprintf(folder->name, sizeof(folder->name), "%.*s.pdr",
		 (int)(end - start), path + start);
	free(real);
}

/* @return the N of "data.N"; -1: it is no such name. */
static long run_of(const char *name)
{
	const char *digits = name + strlen("data.");
	size_t length;

	if (strncmp(name, "data.", strlen("data.")) != 0)
		return -1;
	length = strspn(digits, "0123456789");
	/* what is printed again must be the same name */
	if (!length || length > 9 || digits[length] ||
	    (*digits == '0' && length > 1))
		return -1;
	return strtol(digits, NULL, 10);
}

static int compare_runs(const void *one, const void *other)
{
	long first = *(const long *)one, second = *(const long *)other;

	return (first > second) - (first < second);
}

static enum sl_code add_run(struct folder *folder, long run,
			    struct sl_error *error)
{
	size_t space = folder->space ? 2 * folder->space : 16;
	long *runs = folder->runs;

	if (folder->count == folder->space) {
		runs = realloc(runs, space * sizeof(*runs));
		if (!runs)
			return SL_FAIL(error, SL_ENOMEM,
				       "no memory for a folder");
		folder->runs = runs;
		folder->space = space;
	}
	runs[folder->count++] = run;
	return SL_OK;
}

static enum sl_code list_runs(struct folder *folder, struct sl_error *error)
{
	int fd = openat(folder->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *entries = fd < 0 ? NULL : fdopendir(fd);
	enum sl_code code = SL_OK;
	struct dirent *entry;

	if (!entries) {
		code = SL_FAIL(error, SL_EIO, "cannot read %s: %s",
			       sl_path_tail(folder->path), strerror(errno));
		if (fd >= 0)
			close(fd);
		return code;
	}
	while (code == SL_OK && (entry = readdir(entries))) {
		long run = run_of(entry->d_name);

		if (run >= 0)
			code = add_run(folder, run, error);
	}
	closedir(entries);
	if (folder->count)
		qsort(folder->runs, folder->count, sizeof(*folder->runs),
		      compare_runs);
	return code;
}

/* The worse of two endings stays, and says of which run it is; findings add up.
 */
static void unite(struct sg_ending *all, const struct sg_ending *one, long run)
{
	uint64_t findings = all->findings + one->findings;

	if (one->kind > all->kind) {
		*all = *one;
		snprintf(all->message, sizeof(all->message), "data.%ld: %.230s",
			 run, one->message);
	}
	all->findings = findings;
}

/* Read one report. *any becomes true if it is there. */
static enum sl_code read_run(const struct folder *folder, long run,
			     sg_finding_fn *take, void *context,
			     struct sg_document *document, bool *any,
			     struct sl_error *error)
{
	struct sg_document one = { .format = sg_format_named("pdr") };
	char name[300], path[4096];
	enum sl_code code;
	int fd;

	snprintf(name, sizeof(name), "data.%ld/%s", run, folder->name);
	snprintf(path, sizeof(path), "%s/%s", folder->path, name);
	fd = openat(folder->fd, name, O_RDONLY | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return SL_OK;
	if (fd < 0)
		return SL_FAIL(error, SL_EIO, "cannot open %s: %s",
			       sl_path_tail(path), strerror(errno));
	code = read_fd(path, fd, take, context, &one, error);
	close(fd);
	document->format = one.format;
	unite(&document->ending, &one.ending, run);
	*any = true;
	return code;
}

static enum sl_code read_folder(const char *path, int fd, sg_finding_fn *take,
				void *context, struct sg_document *document,
				struct sl_error *error)
{
	struct folder folder = { .path = path, .fd = fd };
	enum sl_code code = list_runs(&folder, error);
	bool any = false;

	report_name(&folder);
	for (size_t at = 0; code == SL_OK && at < folder.count; at++)
		code = read_run(&folder, folder.runs[at], take, context,
				document, &any, error);
	free(folder.runs);
	if (code == SL_OK && !any)
		return SL_FAIL(error, SL_EIO,
			       "%s is a folder without data.N/%s",
			       sl_path_tail(path), folder.name);
	return code;
}

enum sl_code sg_document_read(const char *path, const struct sg_format *format,
			      sg_finding_fn *take, void *context,
			      struct sg_document *document,
			      struct sl_error *error)
{
	bool is_stdin = strcmp(path, "-") == 0;
	struct stat file;
	enum sl_code code;
	int fd;

	memset(document, 0, sizeof(*document));
	document->format = format;
	fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &file)) {
		code = SL_FAIL(error, SL_EIO, "cannot open %s: %s",
			       sl_path_tail(path), strerror(errno));
		if (fd >= 0 && !is_stdin)
			close(fd);
		return code;
	}
	/* a folder on stdin has no name of its own: read() refuses it */
	code = S_ISDIR(file.st_mode) && !is_stdin
		       ? read_folder(path, fd, take, context, document, error)
		       : read_fd(path, fd, take, context, document, error);
	if (!is_stdin)
		close(fd);
	return code;
}
