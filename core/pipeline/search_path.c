/* SPDX-License-Identifier: MIT */
/* From a plugin's name to its file. */
#define _GNU_SOURCE /* dladdr() */
#include "pipeline/loader.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/problems.h"

static const char suffix[] = ".so";

static enum sl_code add_folder(struct sl_search_path *path, const char *folder,
			       size_t length, struct sl_error *error)
{
	char **folders =
		realloc(path->folders, (path->count + 1) * sizeof(*folders));

	if (!folders)
		return SL_FAIL(error, SL_ENOMEM, "out of memory");
	path->folders = folders;
	while (length > 1 && folder[length - 1] == '/')
		length--;
	folders[path->count] = strndup(folder, length);
	if (!folders[path->count])
		return SL_FAIL(error, SL_ENOMEM, "out of memory");
	path->count++;
	return SL_OK;
}

enum sl_code sl_search_path_add(struct sl_search_path *path,
				const char *folders, struct sl_error *error)
{
	enum sl_code code = SL_OK;

	while (code == SL_OK && *folders) {
		size_t length = strcspn(folders, ":");

		if (length > 0)
			code = add_folder(path, folders, length, error);
		folders += length;
		folders += strspn(folders, ":");
	}
	return code;
}

void sl_search_path_finish(struct sl_search_path *path)
{
	for (size_t i = 0; i < path->count; i++)
		free(path->folders[i]);
	free(path->folders);
	*path = (struct sl_search_path){ 0 };
}

/** @return the file that this code was loaded from, as an absolute path owned
 * by the caller; NULL: see errno. */
static char *own_file(void)
{
	static const char here = 0;
	Dl_info info;
	char *file = NULL;

	if (dladdr(&here, &info) && info.dli_fname)
		file = realpath(info.dli_fname, NULL);
	/* In a program that has the core inside, the name is argv[0]: what its
	 * caller liked to say. */
	return file ? file : realpath("/proc/self/exe", NULL);
}

enum sl_code sl_search_path_add_default(struct sl_search_path *path,
					struct sl_error *error)
{
	static const char below[] = "/sluice";
	char *file = own_file();
	char *folder;
	size_t length;
	enum sl_code code;

	if (!file)
		return SL_FAIL(error, SL_EIO,
			       "cannot tell the plugins' folder: %s",
			       strerror(errno));
	length = (size_t)(strrchr(file, '/') - file);
	folder = realloc(file, length + sizeof(below));
	if (!folder) {
		free(file);
		return SL_FAIL(error, SL_ENOMEM, "out of memory");
	}
	memcpy(folder + length, below, sizeof(below));
	code = add_folder(path, folder, strlen(folder), error);
	free(folder);
	return code;
}

/** @return FOLDER/NAME.so, owned by the caller; NULL: no memory. */
static char *join(const char *folder, const char *name)
{
	size_t size = strlen(folder) + strlen(name) + sizeof("/.so");
	char *path = malloc(size);

	if (path)
		snprintf(path, size, "%s/%s%s", folder, name, suffix);
	return path;
}

/** What is on a search path. */
struct catalogue {
	struct row {
		char *name, *path; /* owned */
		size_t folder; /* its place on the search path */
	} * rows;
	size_t count, capacity;
};

static void catalogue_finish(struct catalogue *catalogue)
{
	for (size_t i = 0; i < catalogue->count; i++) {
		free(catalogue->rows[i].name);
		free(catalogue->rows[i].path);
	}
	free(catalogue->rows);
	*catalogue = (struct catalogue){ 0 };
}

/** @return whether there was memory. */
static bool catalogue_add(struct catalogue *catalogue, const char *folder,
			  size_t at, const char *file)
{
	size_t length = strlen(file), tail = strlen(suffix);
	struct row row = { .folder = at };
	struct stat status;

	if (file[0] == '.' || length <= tail ||
	    strcmp(file + length - tail, suffix) != 0)
		return true;
	if (catalogue->count == catalogue->capacity) {
		size_t wanted = catalogue->capacity * 2 + 16;
		struct row *rows =
			realloc(catalogue->rows, wanted * sizeof(*rows));

		if (!rows)
			return false;
		catalogue->rows = rows;
		catalogue->capacity = wanted;
	}
	row.name = strndup(file, length - tail);
	row.path = row.name ? join(folder, row.name) : NULL;
	if (!row.path || stat(row.path, &status) || !S_ISREG(status.st_mode)) {
		bool enough = row.path != NULL;

		free(row.name);
		free(row.path);
		return enough;
	}
	catalogue->rows[catalogue->count++] = row;
	return true;
}

static int compare_rows(const void *a, const void *b)
{
	const struct row *left = a, *right = b;
	int order = strcmp(left->name, right->name);

	if (order != 0)
		return order;
	return (left->folder > right->folder) - (left->folder < right->folder);
}

/* Of rows with one name, which stand together, the first is what find() would
 * find. */
static void keep_first_of_each_name(struct catalogue *catalogue)
{
	size_t kept = 0;

	for (size_t i = 0; i < catalogue->count; i++) {
		struct row *row = &catalogue->rows[i];

		if (kept > 0 &&
		    strcmp(row->name, catalogue->rows[kept - 1].name) == 0) {
			free(row->name);
			free(row->path);
		} else {
			catalogue->rows[kept++] = *row;
		}
	}
	catalogue->count = kept;
}

static bool catalogue_init(struct catalogue *catalogue,
			   const struct sl_search_path *path)
{
	bool enough = true;

	*catalogue = (struct catalogue){ 0 };
	for (size_t i = 0; enough && i < path->count; i++) {
		DIR *folder = opendir(path->folders[i]);
		struct dirent *file;

		while (enough && folder && (file = readdir(folder)))
			enough = catalogue_add(catalogue, path->folders[i], i,
					       file->d_name);
		if (folder)
			closedir(folder);
	}
	if (!enough) {
		catalogue_finish(catalogue);
		return false;
	}
	if (catalogue->count > 0)
		qsort(catalogue->rows, catalogue->count,
		      sizeof(*catalogue->rows), compare_rows);
	keep_first_of_each_name(catalogue);
	return true;
}

size_t sl_search_path_list(const struct sl_search_path *path, char ***paths)
{
	struct catalogue catalogue;
	size_t count = 0;

	*paths = NULL;
	if (!catalogue_init(&catalogue, path))
		return 0;
	if (catalogue.count > 0)
		*paths = calloc(catalogue.count, sizeof(**paths));
	if (*paths) {
		for (; count < catalogue.count; count++) {
			(*paths)[count] = catalogue.rows[count].path;
			catalogue.rows[count].path = NULL;
		}
	}
	catalogue_finish(&catalogue);
	return count;
}

void sl_search_path_list_free(char **paths, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(paths[i]);
	free(paths);
}

/** @return the name of a plugin that is there and much like @p name, owned by
 * the caller; NULL: there is none. */
static char *name_nearby(const struct sl_search_path *path, const char *name)
{
	struct catalogue catalogue;
	const char **names = NULL;
	char *nearby = NULL;

	if (!catalogue_init(&catalogue, path))
		return NULL;
	if (catalogue.count > 0)
		names = calloc(catalogue.count, sizeof(*names));
	if (names) {
		const char *meant;

		for (size_t i = 0; i < catalogue.count; i++)
			names[i] = catalogue.rows[i].name;
		meant = sl_did_you_mean(name, names, catalogue.count);
		nearby = meant ? strdup(meant) : NULL;
	}
	free(names);
	catalogue_finish(&catalogue);
	return nearby;
}

/* Folders that do not fit are cut off, as everything in a message is. */
static void list_folders(const struct sl_search_path *path, char *text,
			 size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < path->count && used < size; i++) {
		int got = snprintf(text + used, size - used, "%s%s",
				   i > 0 ? ", " : "", path->folders[i]);

		used += got > 0 ? (size_t)got : 0;
	}
}

static void not_found(const struct sl_search_path *path, const char *name,
		      struct sl_error *error)
{
	char folders[sizeof(error->message)];
	char *nearby = name_nearby(path, name);

	list_folders(path, folders, sizeof(folders));
	(void)SL_FAIL(error, SL_EPLUGIN, "no plugin \"%s\"%s%s%s; searched %s",
		      name, nearby ? " (did you mean \"" : "",
		      nearby ? nearby : "", nearby ? "\"?)" : "",
		      path->count > 0 ? folders : "no folder");
	free(nearby);
}

char *sl_search_path_find(const struct sl_search_path *path, const char *name,
			  struct sl_error *error)
{
	if (name[0] == '\0' || name[0] == '.' || strchr(name, '/')) {
		(void)SL_FAIL(error, SL_EINVAL,
			      "\"%s\" is no plugin's name: it may not be "
			      "empty, hold '/' or start with '.'",
			      name);
		return NULL;
	}
	for (size_t i = 0; i < path->count; i++) {
		char *file = join(path->folders[i], name);
		struct stat status;

		if (!file) {
			(void)SL_FAIL(error, SL_ENOMEM, "out of memory");
			return NULL;
		}
		if (stat(file, &status) == 0)
			return file;
		free(file);
	}
	not_found(path, name, error);
	return NULL;
}
