/* SPDX-License-Identifier: MIT */
#include "report_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "write_all.h"

enum sl_code report_open(struct report_file *report, struct sl_error *error)
{
	if (!report->path)
		return SL_OK;
	if (strcmp(report->path, "-") == 0) {
		report->fd = STDOUT_FILENO;
		return SL_OK;
	}
	report->fd = open(report->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
			  0666);
	report->created = report->fd >= 0;
	if (report->fd < 0 && errno == EEXIST)
		report->fd = open(report->path, O_WRONLY | O_CLOEXEC);
	if (report->fd < 0)
		return SL_FAIL(error, SL_EIO, "cannot write %s: %s",
			       report->path, strerror(errno));
	return SL_OK;
}

void report_withdraw(const struct report_file *report)
{
	if (report->created)
		unlink(report->path);
}

static bool is_file(int fd)
{
	struct stat file;

	return fstat(fd, &file) == 0 && S_ISREG(file.st_mode);
}

enum sl_code report_write(const struct report_file *report,
			  const struct sl_stats *stats, struct sl_error *error)
{
	struct sl_buffer json = { NULL, 0, 0 };
	bool whole = report->fd != STDOUT_FILENO && is_file(report->fd);
	enum sl_code code;
	int reason;

	code = sl_stats_json(stats, &json, error);
	if (code == SL_OK && whole && ftruncate(report->fd, 0))
		code = SL_EIO;
	if (code == SL_OK)
		code = write_all(report->fd, json.data, json.used);
	reason = errno;
	if (code == SL_EIO) {
		/* Half a report is worse than none. */
		if (whole && ftruncate(report->fd, 0))
			reason = errno;
		code = SL_FAIL(error, SL_EIO, "cannot write %s: %s",
			       report->path, strerror(reason));
	}
	if (code == SL_OK && report->fd != STDOUT_FILENO && close(report->fd))
		code = SL_FAIL(error, SL_EIO, "cannot write %s: %s",
			       report->path, strerror(errno));
	free(json.data);
	return code;
}
