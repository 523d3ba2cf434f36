/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* inotify */
#include "power/work.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "sluice/tree.h"

enum { NUMBER_LIMIT = 4096, FOLDER_ROOM = 4096 };

/* @return what stands behind @p word; NULL: it does not begin so. */
static const char *behind(const char *text, const char *word)
{
	size_t length = strlen(word);

	return strncmp(text, word, length) == 0 ? text + length : NULL;
}

static bool looks_like_file(const char *text)
{
	return text[0] == '/' || text[0] == '.' || access(text, F_OK) == 0;
}

static enum sl_code take_counter(struct sl_work *work, const char *text,
				 struct sl_error *error)
{
	const char *slash = strchr(text, '/');
	size_t length = slash ? (size_t)(slash - text) : 0;

	work->kind = SL_WORK_COUNTER;
	work->what = slash ? slash + 1 : text;
	if (!*work->what || strlen(work->what) >= SL_COUNTER_NAME ||
	    strchr(work->what, '/') || length >= sizeof(work->program))
		return SL_FAIL(error, SL_EINVAL,
			       "\"%s\" is neither a file nor a counter, which "
			       "is NAME or PROGRAM/NAME",
			       sl_path_tail(text));
	memcpy(work->program, text, length);
	work->program[length] = '\0';
	return SL_OK;
}

enum sl_code sl_work_init(struct sl_work *work, const char *text,
			  struct sl_error *error)
{
	const char *file, *counter;

	*work = (struct sl_work){ .notify = -1 };
	if (!text)
		return SL_OK;
	file = behind(text, "file:");
	counter = behind(text, "counter:");
	if (!file && !counter && looks_like_file(text))
		file = text;
	if (!file)
		return take_counter(work, counter ? counter : text, error);
	if (!*file)
		return SL_FAIL(error, SL_EINVAL, "no file is named");
	work->kind = SL_WORK_FILE;
	work->what = file;
	return SL_OK;
}

static void forget(struct sl_work *work)
{
	if (work->kind == SL_WORK_NONE)
		return;
	sl_counter_reader_close(work->reader);
	work->reader = NULL;
	if (work->notify >= 0)
		close(work->notify);
	work->notify = -1;
	work->begin = 0;
}

void sl_work_finish(struct sl_work *work)
{
	forget(work);
}

/* The writer makes the folder if it is not there; to be told of its files we
 * need it before. Whoever is first, it is the same folder. */
static void watch_folder(struct sl_work *work)
{
	char folder[FOLDER_ROOM];

	if (!sl_counters_folder(folder, sizeof(folder)))
		return;
	mkdir(folder, 0700);
	work->notify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (work->notify >= 0 &&
	    inotify_add_watch(work->notify, folder, IN_CREATE | IN_MOVED_TO) <
		    0) {
		close(work->notify);
		work->notify = -1; /* looking now and then remains */
	}
}

enum sl_code sl_work_arm(struct sl_work *work, struct sl_error *error)
{
	forget(work);
	if (work->kind == SL_WORK_COUNTER)
		watch_folder(work);
	if (work->kind != SL_WORK_FILE)
		return SL_OK;
	work->was_there = stat(work->what, &work->before) == 0;
	if (work->was_there && !S_ISREG(work->before.st_mode))
		return SL_FAIL(error, SL_EINVAL, "%s: not a regular file",
			       sl_path_tail(work->what));
	return SL_OK;
}

/* ---- counters --------------------------------------------------------- */

struct seeking {
	struct sl_work *work;
	const struct sl_app *app;
};

/* @return the counter's number; the count: it has none of that name. */
static size_t find_counter(struct sl_counter_reader *reader, const char *name,
			   struct sl_counter_value *value,
			   struct sl_error *error)
{
	size_t count = sl_counter_reader_program(reader)->count, at = 0;
	struct sl_counter_value *values = calloc(count, sizeof(*values));
	enum sl_counter_state state;

	if (!values || sl_counter_reader_read(reader, values, count, &state,
					      error) != SL_OK) {
		free(values);
		return count;
	}
	while (at < count && strcmp(values[at].name, name) != 0)
		at++;
	if (at < count)
		*value = values[at];
	free(values);
	return at;
}

static bool is_apps(const struct sl_app *app, int64_t process)
{
	if (process == app->pid)
		return true;
	return app->ours && getpgid((pid_t)process) == app->pid;
}

static bool consider(void *context, const char *path,
		     struct sl_counter_reader *reader,
		     const struct sl_error *error)
{
	const struct seeking *seeking = context;
	struct sl_work *work = seeking->work;
	const struct sl_counter_program *program;
	struct sl_counter_value value = { .count = 0 };

	if (error)
		return true;
	program = sl_counter_reader_program(reader);
	if ((work->program[0] &&
	     strcmp(work->program, program->program) != 0) ||
	    !is_apps(seeking->app, program->process) ||
	    find_counter(reader, work->what, &value, NULL) >= program->count)
		return true;
	if (sl_counter_reader_open(&work->reader, path, NULL) != SL_OK) {
		work->reader = NULL;
		return true;
	}
	memcpy(work->unit, value.unit, sizeof(work->unit));
	return false;
}

static void drain(int notify)
{
	char events[4096];

	while (notify >= 0 && read(notify, events, sizeof(events)) > 0)
		;
}

bool sl_work_seek(struct sl_work *work, const struct sl_app *app)
{
	struct seeking seeking = { work, app };

	if (work->kind != SL_WORK_COUNTER || work->reader)
		return true;
	drain(work->notify);
	if (sl_counters_walk(NULL, consider, &seeking, NULL) != SL_OK)
		return false;
	return work->reader;
}

/* ---- values ----------------------------------------------------------- */

static bool is_written(const struct sl_work *work, const struct stat *now)
{
	const struct stat *before = &work->before;

	return !work->was_there || now->st_ino != before->st_ino ||
	       now->st_size != before->st_size ||
	       now->st_mtim.tv_sec != before->st_mtim.tv_sec ||
	       now->st_mtim.tv_nsec != before->st_mtim.tv_nsec;
}

/* The first word of the file, which must be a number. */
static enum sl_code file_value(const struct sl_work *work, double *value,
			       struct sl_error *error)
{
	bool absolute = work->what[0] == '/';
	struct sl_buffer text = { NULL, 0, 0 };
	struct stat now;
	enum sl_code code;
	char *end;

	if (stat(work->what, &now) != 0 || !is_written(work, &now))
		return SL_FAIL(error, SL_END,
			       "%s: the application did not write it",
			       sl_path_tail(work->what));
	code = sl_tree_load(absolute ? "/" : ".", work->what + absolute,
			    NUMBER_LIMIT, &text, error);
	if (code == SL_OK) {
		*value = strtod(text.data, &end);
		if (end == text.data || (*end && !strchr(" \t\r\n", *end)) ||
		    !isfinite(*value) || *value < 0)
			code = SL_FAIL(
				error, SL_EINVAL,
				"%s: \"%.32s\" is no number of 0 or more",
				sl_path_tail(work->what), text.data);
	}
	free(text.data);
	return code;
}

static enum sl_code counter_value(struct sl_work *work, double *value,
				  struct sl_error *error)
{
	struct sl_counter_value got;
	struct sl_error why = { .code = SL_OK };

	if (!work->reader)
		return SL_FAIL(error, SL_END,
			       "the application published no counter %s",
			       work->what);
	if (find_counter(work->reader, work->what, &got, &why) >=
	    sl_counter_reader_program(work->reader)->count)
		return SL_FAIL(error, SL_EIO, "counter %s: %s", work->what,
			       why.message);
	*value = got.number;
	return SL_OK;
}

enum sl_code sl_work_value(struct sl_work *work, double *value,
			   struct sl_error *error)
{
	*value = 0;
	switch (work->kind) {
	case SL_WORK_FILE:
		return file_value(work, value, error);
	case SL_WORK_COUNTER:
		return counter_value(work, value, error);
	case SL_WORK_NONE:
		break;
	}
	return SL_FAIL(error, SL_END, "no work is counted");
}

enum sl_code sl_work_begin(struct sl_work *work, struct sl_error *error)
{
	enum sl_code code = sl_work_value(work, &work->begin, error);

	if (code != SL_END)
		return code;
	work->begin = 0;
	return SL_OK;
}

enum sl_code sl_work_end(struct sl_work *work, double *done,
			 struct sl_error *error)
{
	double value;
	enum sl_code code = sl_work_value(work, &value, error);

	if (code != SL_OK)
		return code == SL_END ? SL_EIO : code;
	*done = value - work->begin;
	if (*done < 0 || !isfinite(*done))
		return SL_FAIL(error, SL_EINVAL, "the work fell from %g to %g",
			       work->begin, value);
	return SL_OK;
}
