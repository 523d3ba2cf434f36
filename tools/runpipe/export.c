/* SPDX-License-Identifier: MIT */
#include "export.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "write_all.h"

#define MS INT64_C(1000000)
#define LEAST_NS (100 * MS)
#define MOST_NS (INT64_C(86400) * 1000 * MS)

bool export_interval(const char *text, int64_t *ns)
{
	static const struct {
		const char *word;
		double ns;
	} units[] = { { "", 1e9 },
		      { "ms", 1e6 },
		      { "s", 1e9 },
		      { "min", 60e9 },
		      { "h", 3600e9 } };
	char *end;
	double number;

	errno = 0;
	number = strtod(text, &end);
	if (errno || end == text || !(number > 0 && number < 1e9))
		return false;
	end += strspn(end, " ");
	for (size_t at = 0; at < sizeof(units) / sizeof(units[0]); at++) {
		if (strcmp(end, units[at].word) == 0) {
			*ns = (int64_t)(number * units[at].ns);
			return *ns >= LEAST_NS && *ns <= MOST_NS;
		}
	}
	return false;
}

static enum sl_code cannot_write(const char *path, struct sl_error *error)
{
	return SL_FAIL(error, SL_EIO, "cannot write %s: %s", path,
		       strerror(errno));
}

/* ---- the file for Prometheus ---- */

/* A file beside @p path that has another ending, so that no collector takes it
 * for one of its own. *name is owned. @return its descriptor, or -1. */
static int open_beside(const char *path, char **name)
{
	size_t size = strlen(path) + sizeof(".XXXXXX");
	int fd = -1;

	*name = malloc(size);
	if (*name) {
		(void)snprintf(*name, size, "%s.XXXXXX", path);
		fd = mkstemp(*name);
	}
	return fd;
}

static enum sl_code replace_metrics(const char *path,
				    const struct sl_buffer *text,
				    struct sl_error *error)
{
	enum sl_code code = SL_OK;
	char *name;
	int fd = open_beside(path, &name);

	/* Collectors run as somebody else. */
	if (fd < 0 || fchmod(fd, 0644) ||
	    write_all(fd, text->data, text->used) != SL_OK)
		code = cannot_write(path, error);
	if (fd >= 0 && close(fd) && code == SL_OK)
		code = cannot_write(path, error);
	if (code == SL_OK && rename(name, path))
		code = cannot_write(path, error);
	if (fd >= 0 && code != SL_OK)
		unlink(name);
	free(name);
	return code;
}

/* It is made if it is not there, so that no stage can make it its own. */
static enum sl_code claim_metrics(struct exports *exports,
				  struct sl_pipeline *pipeline,
				  struct sl_error *error)
{
	const char *path = exports->metrics;
	enum sl_code code = SL_OK;
	struct stat file;
	char *name;
	int beside,
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);

	exports->metrics_created = fd >= 0;
	if (fd < 0 && errno == EEXIST)
		fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &file))
		code = cannot_write(path, error);
	else if (!S_ISREG(file.st_mode))
		code = SL_FAIL(error, SL_EIO,
			       "cannot replace %s: it is no regular file",
			       path);
	if (code == SL_OK)
		code = sl_pipeline_claim_output(pipeline, fd, path, error);
	if (fd >= 0)
		close(fd);
	if (code != SL_OK)
		return code;
	beside = open_beside(path, &name);
	if (beside < 0) {
		code = cannot_write(path, error);
	} else {
		close(beside);
		unlink(name);
	}
	free(name);
	return code;
}

static enum sl_code write_metrics(const struct exports *exports,
				  const struct sl_stats *stats,
				  struct sl_error *error)
{
	struct sl_buffer text = { NULL, 0, 0 };
	enum sl_code code = sl_stats_prometheus(stats, &text, error);

	if (code == SL_OK)
		code = replace_metrics(exports->metrics, &text, error);
	free(text.data);
	return code;
}

/* ---- the table ---- */

static enum sl_code claim_series(struct exports *exports,
				 struct sl_pipeline *pipeline,
				 struct sl_error *error)
{
	const char *path = exports->series;

	if (strcmp(path, "-") == 0) {
		exports->series_fd = STDOUT_FILENO;
		return sl_pipeline_claim_output(pipeline, STDOUT_FILENO, path,
						error);
	}
	exports->series_fd = open(
		path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
	exports->series_created = exports->series_fd >= 0;
	if (exports->series_fd < 0 && errno == EEXIST)
		exports->series_fd =
			open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (exports->series_fd < 0)
		return cannot_write(path, error);
	exports->series_opened = true;
	return sl_pipeline_claim_output(pipeline, exports->series_fd, path,
					error);
}

/* A row that was not written whole is taken back where that can be done. */
static enum sl_code append_series(const struct exports *exports,
				  const struct sl_buffer *text,
				  struct sl_error *error)
{
	struct stat file;
	bool is_file = fstat(exports->series_fd, &file) == 0 &&
		       S_ISREG(file.st_mode) && exports->series_opened;
	enum sl_code code;

	if (write_all(exports->series_fd, text->data, text->used) == SL_OK)
		return SL_OK;
	code = cannot_write(exports->series, error);
	if (is_file && ftruncate(exports->series_fd, file.st_size))
		return code; /* and half a row stays */
	return code;
}

static enum sl_code write_row(const struct exports *exports,
			      const struct sl_stats *stats,
			      struct sl_error *error)
{
	struct sl_buffer text = { NULL, 0, 0 };
	enum sl_code code = sl_stats_csv(stats, &text, error);

	if (code == SL_OK)
		code = append_series(exports, &text, error);
	free(text.data);
	return code;
}

static enum sl_code write_header(const struct exports *exports,
				 const struct sl_stats *stats,
				 struct sl_error *error)
{
	struct sl_buffer text = { NULL, 0, 0 };
	enum sl_code code = SL_OK;
	struct stat file;

	if (exports->series_opened && fstat(exports->series_fd, &file) == 0 &&
	    S_ISREG(file.st_mode) && ftruncate(exports->series_fd, 0))
		code = cannot_write(exports->series, error);
	if (code == SL_OK)
		code = sl_stats_csv_header(stats, &text, error);
	if (code == SL_OK)
		code = append_series(exports, &text, error);
	free(text.data);
	return code;
}

/* ---- both ---- */

enum sl_code export_open(struct exports *exports, struct sl_pipeline *pipeline,
			 struct sl_error *error)
{
	enum sl_code code = SL_OK;

	if (exports->metrics)
		code = claim_metrics(exports, pipeline, error);
	if (code == SL_OK && exports->series)
		code = claim_series(exports, pipeline, error);
	return code;
}

void export_withdraw(struct exports *exports)
{
	if (exports->metrics_created)
		unlink(exports->metrics);
	if (exports->series_created)
		unlink(exports->series);
	if (exports->series_opened)
		close(exports->series_fd);
}

static bool is_wanted(const struct exports *exports)
{
	return exports->metrics || exports->series;
}

/* A full disk may have room again, so it goes on trying. */
static void renew_metrics(struct exports *exports, const struct sl_stats *stats,
			  export_complain *complain)
{
	struct sl_error error = { .code = SL_OK };

	if (!exports->metrics || write_metrics(exports, stats, &error) == SL_OK)
		return;
	if (!exports->metrics_failed)
		complain(&error);
	exports->metrics_failed = true;
}

/* A table with a gap is none, so it does not. */
static void extend_series(struct exports *exports, const struct sl_stats *stats,
			  enum sl_code (*write)(const struct exports *exports,
						const struct sl_stats *stats,
						struct sl_error *error),
			  export_complain *complain)
{
	struct sl_error error = { .code = SL_OK };

	if (!exports->series || exports->series_failed ||
	    write(exports, stats, &error) == SL_OK)
		return;
	complain(&error);
	exports->series_failed = true;
}

void export_begin(struct exports *exports, struct sl_pipeline *pipeline,
		  export_complain *complain)
{
	const struct sl_stats *stats;

	exports->next_ns = sl_clock_ns() + exports->interval_ns;
	if (!is_wanted(exports))
		return;
	stats = sl_pipeline_stats(pipeline);
	renew_metrics(exports, stats, complain);
	extend_series(exports, stats, write_header, complain);
}

int export_timeout_ms(const struct exports *exports)
{
	int64_t left_ns = exports->next_ns - sl_clock_ns();

	if (!is_wanted(exports))
		return -1;
	return left_ns > 0 ? (int)((left_ns + MS - 1) / MS) : 0;
}

void export_when_due(struct exports *exports, struct sl_pipeline *pipeline,
		     export_complain *complain)
{
	int64_t late_ns = sl_clock_ns() - exports->next_ns;
	const struct sl_stats *stats;

	if (!is_wanted(exports) || late_ns < 0)
		return;
	exports->next_ns +=
		(1 + late_ns / exports->interval_ns) * exports->interval_ns;
	stats = sl_pipeline_stats(pipeline);
	renew_metrics(exports, stats, complain);
	extend_series(exports, stats, write_row, complain);
}

bool export_end(struct exports *exports, const struct sl_stats *stats,
		export_complain *complain)
{
	struct sl_error error = { .code = SL_OK };

	renew_metrics(exports, stats, complain);
	extend_series(exports, stats, write_row, complain);
	if (exports->series_opened && close(exports->series_fd) &&
	    !exports->series_failed) {
		(void)cannot_write(exports->series, &error);
		complain(&error);
		exports->series_failed = true;
	}
	return !exports->metrics_failed && !exports->series_failed;
}
