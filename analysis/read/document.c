/* SPDX-License-Identifier: MIT */
/* A document: opened, its format found out, fed to a reader. */
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
	bool ended;
};

static enum sl_code read_piece(struct feeding *feeding)
{
	ssize_t got;

	do
		got = read(feeding->fd, feeding->bytes + feeding->used,
			   PIECE - feeding->used);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return SL_FAIL(feeding->error, SL_EIO, "cannot read %s: %s",
			       sl_path_tail(feeding->path), strerror(errno));
	feeding->used += (size_t)got;
	feeding->ended = !got;
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
			       : "it is empty");
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

/* The name of the folder's reports: its own, with .pdr. */
static void report_name(const char *folder, char *name, size_t size)
{
	size_t length = strlen(folder);
	const char *slash;

	while (length > 1 && folder[length - 1] == '/')
		length--;
	slash = memchr(folder, '/', length);
	for (const char *next = slash; next;) {
		slash = next;
		next = memchr(slash + 1, '/',
			      length - (size_t)(slash + 1 - folder));
	}
	if (slash) {
		length -= (size_t)(slash + 1 - folder);
		folder = slash + 1;
	}
	snprintf(name, size, "%.*s.pdr", (int)length, folder);
}

/* The worse of two endings stays; findings add up. */
static void unite(struct sg_ending *all, const struct sg_ending *one)
{
	uint64_t findings = all->findings + one->findings;

	if (one->kind > all->kind)
		*all = *one;
	all->findings = findings;
}

/* @return the highest N of data.N/, -1 if there is none. */
static long last_run(const char *folder)
{
	DIR *entries = opendir(folder);
	struct dirent *entry;
	long last = -1;

	while (entries && (entry = readdir(entries))) {
		char *end;
		long number;

		if (strncmp(entry->d_name, "data.", 5) != 0)
			continue;
		number = strtol(entry->d_name + 5, &end, 10);
		if (end != entry->d_name + 5 && !*end && number > last)
			last = number;
	}
	if (entries)
		closedir(entries);
	return last;
}

static enum sl_code read_folder(const char *path, sg_finding_fn *take,
				void *context, struct sg_document *document,
				struct sl_error *error)
{
	long last = last_run(path);
	char name[256], report[4096];
	enum sl_code code = SL_OK;
	bool any = false;

	report_name(path, name, sizeof(name));
	for (long run = 0; code == SL_OK && run <= last; run++) {
		struct sg_document one = { .format = sg_format_named("pdr") };
		int fd;

		snprintf(report, sizeof(report), "%s/data.%ld/%s", path, run,
			 name);
		fd = open(report, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			continue;
		code = read_fd(report, fd, take, context, &one, error);
		close(fd);
		document->format = one.format;
		unite(&document->ending, &one.ending);
		any = true;
	}
	if (code == SL_OK && !any)
		return SL_FAIL(error, SL_EIO,
			       "%s is a folder without data.N/%s",
			       sl_path_tail(path), name);
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
	code = S_ISDIR(file.st_mode)
		       ? read_folder(path, take, context, document, error)
		       : read_fd(path, fd, take, context, document, error);
	if (!is_stdin)
		close(fd);
	return code;
}
