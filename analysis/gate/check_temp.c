/* SPDX-License-Identifier: MIT */
/* The folder of a check in $TMPDIR, and the trees that are exported to it. */
#define _XOPEN_SOURCE 700 /* nftw(), realpath() */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gate/check_law.h"
#include "gate/check_parts.h"

#define PREFIX "scgate-"
#define LOCK "lock"
enum { DESCRIPTORS = 16, SUFFIX = 6, TRIES = 4 };

/* ---- what killed checks left ------------------------------------------- */

static int remove_one(const char *path, const struct stat *about, int kind,
		      struct FTW *where)
{
	(void)about;
	if (where->level == 1 && strcmp(path + where->base, LOCK) == 0)
		return 0;
	if (kind == FTW_DNR || kind == FTW_DP || kind == FTW_D)
		(void)rmdir(path);
	else
		(void)unlink(path);
	return 0;
}

static bool has_only_lock(const char *path)
{
	DIR *entries = opendir(path);
	const struct dirent *entry;
	bool only = entries != NULL;

	while (only && (entry = readdir(entries)))
		only = strcmp(entry->d_name, ".") == 0 ||
		       strcmp(entry->d_name, "..") == 0 ||
		       strcmp(entry->d_name, LOCK) == 0;
	if (entries)
		closedir(entries);
	return only;
}

/* The lock goes last: without it nobody takes away what is left if this is
 * killed, or if the git of a check that was killed still writes there. */
static void remove_folder(const char *path)
{
	char last[4096];
	int length = snprintf(last, sizeof(last), "%s/" LOCK, path);

	(void)nftw(path, remove_one, DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
	if (!has_only_lock(path))
		return;
	if (length > 0 && (size_t)length < sizeof(last))
		(void)unlink(last);
	(void)rmdir(path);
}

static const char *temp_folder(void)
{
	const char *folder = getenv("TMPDIR");

	return folder && *folder == '/' ? folder : "/tmp";
}

/* A check holds a lock as long as it lives. That of a folder that is being
 * removed is none. */
static int lock(const char *folder, int flags)
{
	char path[4096];
	struct stat about;
	int file;

	if ((size_t)snprintf(path, sizeof(path), "%s/" LOCK, folder) >=
	    sizeof(path))
		return -1;
	file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0600);
	if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0 &&
	    fstat(file, &about) == 0 && about.st_nlink > 0)
		return file;
	if (file >= 0)
		close(file);
	return -1;
}

static void remove_left(const char *folder, const char *name)
{
	char path[4096];
	struct stat about;
	int file;

	if (strncmp(name, PREFIX, sizeof(PREFIX) - 1) != 0 ||
	    strlen(name) != sizeof(PREFIX) - 1 + SUFFIX ||
	    (size_t)snprintf(path, sizeof(path), "%s/%s", folder, name) >=
		    sizeof(path))
		return;
	if (lstat(path, &about) || !S_ISDIR(about.st_mode) ||
	    about.st_uid != geteuid())
		return;
	(void)rmdir(path); /* killed before it had a lock */
	file = lock(path, 0);
	if (file < 0)
		return;
	remove_folder(path);
	close(file);
}

static void remove_all_left(const char *folder)
{
	DIR *entries = opendir(folder);
	const struct dirent *entry;

	while (entries && (entry = readdir(entries)))
		remove_left(folder, entry->d_name);
	if (entries)
		closedir(entries);
}

/* ---- our own ----------------------------------------------------------- */

/* Make a folder and lock it. Another check may take it for one that was left
 * before the lock is there, and remove it: then the next one is ours. Where
 * files cannot be locked nobody removes what others made. */
static bool make_locked(char *template, size_t size, const char *folder,
			int *file)
{
	*file = -1;
	for (int at = 0; at < TRIES && *file < 0; at++) {
		int length =
			snprintf(template, size, "%s/" PREFIX "XXXXXX", folder);

		if (length < 0 || (size_t)length >= size || !mkdtemp(template))
			return false;
		*file = lock(template, O_CREAT);
		if (*file < 0 && at + 1 < TRIES)
			remove_folder(template);
	}
	return true;
}

enum sl_code sg_check_make_temp(struct sg_check *check, struct sl_error *error)
{
	char template[4096], whole[4096];
	const char *folder = temp_folder();

	if (check->temp)
		return SL_OK;
	remove_all_left(folder);
	if (!make_locked(template, sizeof(template), folder, &check->temp_lock))
		return SL_FAIL(error, SL_EIO, "cannot make a folder in %s: %s",
			       sl_path_tail(folder), strerror(errno));
	/* analyzers name files by their real paths */
	check->temp =
		sl_arena_printf(&check->arena, "%s",
				realpath(template, whole) ? whole : template);
	if (!check->temp)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a check");
	return SL_OK;
}

void sg_check_remove_temp(struct sg_check *check)
{
	if (!check->temp)
		return;
	remove_folder(check->temp);
	if (check->temp_lock >= 0)
		close(check->temp_lock);
	check->temp = NULL;
}

const char *sg_check_new_file(struct sg_check *check, const char *suffix)
{
	return sl_arena_printf(&check->arena, "%s/%zu.%s", check->temp,
			       check->next_file++, suffix);
}

/* The folders above a path; those that are there stay. */
static bool make_folders(const char *path)
{
	char *copy = strdup(path);

	if (!copy)
		return false;
	for (char *at = copy + 1; (at = strchr(at, '/')); at++) {
		*at = '\0';
		(void)mkdir(copy, 0700);
		*at = '/';
	}
	free(copy);
	return true;
}

enum sl_code sg_check_write(const char *path, const char *bytes, size_t length,
			    struct sl_error *error)
{
	FILE *file = make_folders(path) ? fopen(path, "we") : NULL;
	bool is_written = file && fwrite(bytes, 1, length, file) == length;

	if (file && fclose(file))
		is_written = false;
	return is_written ? SL_OK
			  : SL_FAIL(error, SL_EIO, "cannot write %s: %s",
				    sl_path_tail(path), strerror(errno));
}

/* ---- exporting --------------------------------------------------------- */

static bool is_wanted(const struct sg_check *check)
{
	for (size_t at = 0; at < check->tool_count; at++)
		for (const char *const *word =
			     check->tools[at].analyzer->command;
		     *word; word++)
			if (strstr(*word, "{build}"))
				return true;
	return false;
}

/* A compile_commands.json of the exported tree, beside it. */
static enum sl_code write_database(struct sg_check *check,
				   struct sg_gate_tree *tree,
				   struct sl_error *error)
{
	const struct sg_exported exported = { .root = check->settings.root,
					      .folder = tree->folder };
	const struct sg_unit **units = sl_arena_alloc(
		&check->arena, (tree->count + 1) * sizeof(*units));
	const char *path;
	struct sl_buffer text = { .data = NULL };
	enum sl_code code;

	tree->database =
		sl_arena_printf(&check->arena, "%s.build", tree->folder);
	path = sl_arena_printf(&check->arena, "%s.build/compile_commands.json",
			       tree->folder);
	if (!units || !tree->database || !path)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a check");
	for (size_t at = 0; at < tree->count; at++)
		units[at] = tree->rows[at].unit;
	code = sg_exported_database(units, tree->count, &exported, &text,
				    error);
	if (code == SL_OK)
		code = sg_check_write(path, text.data, text.used, error);
	free(text.data);
	return code;
}

enum sl_code sg_check_export(struct sg_check *check, struct sg_gate_tree *tree,
			     struct sl_error *error)
{
	enum sl_code code = sg_check_make_temp(check, error);

	if (code != SL_OK || tree->folder)
		return code;
	tree->folder = sl_arena_printf(&check->arena, "%s/%s%zu", check->temp,
				       tree->is_base ? "base" : "tree",
				       check->next_file++);
	if (!tree->folder)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a check");
	code = sg_snapshot_export(tree->snapshot, tree->folder, error);
	if (code == SL_OK)
		code = sg_law_lay(check, tree, error);
	if (code == SL_OK)
		code = sg_snapshot_link_untracked(tree->snapshot, tree->folder,
						  sg_closures_want,
						  tree->closures, error);
	if (code == SL_OK && is_wanted(check))
		code = write_database(check, tree, error);
	return code;
}
