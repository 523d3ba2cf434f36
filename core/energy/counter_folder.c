/* SPDX-License-Identifier: MIT */
/* The folder of a user's counter files, and a walk over them. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "energy/counter_file.h"

bool sl_counters_folder(char *folder, size_t size)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");
	int length = runtime && runtime[0] == '/'
			     ? snprintf(folder, size, "%s/sluice", runtime)
			     : snprintf(folder, size, "/tmp/sluice-%lu",
					(unsigned long)getuid());

	return length > 0 && (size_t)length < size;
}

static int is_counter_file(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);
	size_t suffix = strlen(COUNTER_SUFFIX);

	return entry->d_name[0] != '.' && length > suffix &&
	       strcmp(entry->d_name + length - suffix, COUNTER_SUFFIX) == 0;
}

static enum sl_code visit_file(const char *path, sl_counter_visit *visit,
			       void *context, bool *more,
			       struct sl_error *error)
{
	struct sl_counter_reader *reader;
	struct sl_error why = { 0 };
	enum sl_code code = sl_counter_reader_open(&reader, path, &why);

	if (code == SL_ENOMEM) {
		if (error)
			*error = why;
		return code;
	}
	*more = visit(context, path, reader, code == SL_OK ? NULL : &why);
	sl_counter_reader_close(reader);
	return SL_OK;
}

enum sl_code sl_counters_walk(const char *folder, sl_counter_visit *visit,
			      void *context, struct sl_error *error)
{
	char own[4096], path[4096 + 256 + 2];
	struct dirent **names;
	enum sl_code code = SL_OK;
	bool more = true;
	int count;

	if (!folder) {
		if (!sl_counters_folder(own, sizeof(own)))
			return SL_FAIL(error, SL_EIO,
				       "XDG_RUNTIME_DIR is too long");
		folder = own;
	}
	if (strlen(folder) >= sizeof(own))
		return SL_FAIL(error, SL_EIO, "the folder's path is too long");
	count = scandir(folder, &names, is_counter_file, alphasort);
	if (count < 0) {
		if (errno == ENOENT)
			return SL_OK;
		return SL_FAIL(error, errno == ENOMEM ? SL_ENOMEM : SL_EIO,
			       "cannot read %s: %s", sl_path_tail(folder),
			       strerror(errno));
	}
	for (int at = 0; at < count; at++) {
		if (more && code == SL_OK) {
			(void)snprintf(path, sizeof(path), "%s/%s", folder,
				       names[at]->d_name);
			code = visit_file(path, visit, context, &more, error);
		}
		free(names[at]);
	}
	free(names);
	return code;
}
