/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* mkdtemp() */
#include "loader/files.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int make_folder(void **state)
{
	char name[] = "/tmp/sluice-loader-XXXXXX";

	if (!mkdtemp(name))
		return -1;
	*state = strdup(name);
	return *state ? 0 : -1;
}

int remove_folder(void **state)
{
	DIR *folder = opendir(*state);
	struct dirent *file;

	while (folder && (file = readdir(folder))) {
		const char *path = path_in(*state, file->d_name);

		if (strcmp(file->d_name, ".") == 0 ||
		    strcmp(file->d_name, "..") == 0)
			continue;
		if (remove(path) != 0)
			return -1;
	}
	if (folder)
		closedir(folder);
	if (rmdir(*state) != 0)
		return -1;
	free(*state);
	return 0;
}

const char *path_in(const char *folder, const char *name)
{
	static char paths[20][4096];
	static size_t next;
	char *path = paths[next++ % 20];
	int length = snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);

	assert_true(length > 0 && (size_t)length < sizeof(paths[0]));
	return path;
}

const char *test_plugin(const char *name)
{
	char file[256];
	int length = snprintf(file, sizeof(file), "%s.so", name);

	assert_true(length > 0 && (size_t)length < sizeof(file));
	return path_in(SL_TEST_PLUGIN_DIR, file);
}

struct bytes read_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	struct stat status;
	struct bytes bytes;

	assert_non_null(file);
	assert_int_equal(fstat(fileno(file), &status), 0);
	bytes.size = (size_t)status.st_size;
	bytes.data = malloc(bytes.size);
	assert_non_null(bytes.data);
	assert_int_equal(fread(bytes.data, 1, bytes.size, file), bytes.size);
	fclose(file);
	return bytes;
}

const char *write_file(const char *folder, const char *name, const void *data,
		       size_t size)
{
	const char *path = path_in(folder, name);
	FILE *file = fopen(path, "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(path, 0644), 0);
	return path;
}

static void assert_message(const struct sl_error *error, const char *path,
			   const char *fmt, va_list args) SL_PRINTF(3, 0);

static void assert_message(const struct sl_error *error, const char *path,
			   const char *fmt, va_list args)
{
	char message[sizeof(error->message)];
	int length = snprintf(message, sizeof(message), "%s: ", path);

	assert_true(length > 0 && (size_t)length < sizeof(message));
	vsnprintf(message + length, sizeof(message) - (size_t)length, fmt,
		  args);
	assert_string_equal(error->message, message);
}

void assert_error(const struct sl_error *error, const char *path,
		  enum sl_code code, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	assert_message(error, path, fmt, args);
	va_end(args);
	assert_int_equal(error->code, code);
}

void assert_refused(const char *path, enum sl_code code, const char *fmt, ...)
{
	struct sl_error error = { 0 };
	va_list args;

	assert_int_equal(sl_plugin_check(path, &error), code);
	va_start(args, fmt);
	assert_message(&error, path, fmt, args);
	va_end(args);
}
