/* SPDX-License-Identifier: MIT */
/* A walk through the work tree: headers that a build made, and the like. */
#define _XOPEN_SOURCE 700 /* realpath() */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/revision.h"
#include "run/snapshot_files.h"

struct walk {
	const char *root;
	const char *folder;
	char *real_root; /* owned; without symlinks */
	sg_wants_fn *wants;
	const void *context;
	const struct sg_snapshot *index; /* borrowed */
	struct sg_snapshot *own_index; /* owned; NULL: it is the caller's */
	struct sg_snapshot *head; /* owned; NULL: there is none yet */
	struct stat target; /* of the folder, which may be below the root */
	struct sl_buffer path; /* of where it is; with a NUL behind */
};

/* ---- links ------------------------------------------------------------- */

static bool is_tracked(const struct walk *walk, const char *path)
{
	return sg_snapshot_held(walk->index, path) ||
	       (walk->head && sg_snapshot_held(walk->head, path));
}

/* What a symlink leads to, in the folder if that is in the work tree; a file
 * leads to itself. Owned; NULL: nowhere. */
static char *find_target(const struct walk *walk, const char *whole,
			 bool is_link)
{
	size_t length = strlen(walk->real_root);
	char *real, *moved;

	if (!is_link)
		return strdup(whole);
	real = realpath(whole, NULL);
	if (!real || strncmp(real, walk->real_root, length) != 0 ||
	    real[length] != '/')
		return real;
	moved = sg_snapshot_path(walk->folder, real + length + 1);
	free(real);
	return moved;
}

static enum sl_code link_to(const struct walk *walk, const char *target,
			    struct sl_error *error)
{
	enum sl_code code =
		sg_make_parents(walk->folder, walk->path.data, error);
	char *path;

	if (code != SL_OK)
		return code == SL_END ? SL_OK : code;
	path = sg_snapshot_path(walk->folder, walk->path.data);
	if (!path)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a path");
	if (symlink(target, path) && errno != EEXIST)
		code = SL_FAIL(error, SL_EIO, "cannot link %s: %s",
			       sl_path_tail(path), strerror(errno));
	free(path);
	return code;
}

static enum sl_code link_one(const struct walk *walk, bool is_link,
			     struct sl_error *error)
{
	char *whole, *target;
	enum sl_code code = SL_OK;

	if (is_tracked(walk, walk->path.data))
		return SL_OK;
	whole = sg_snapshot_path(walk->root, walk->path.data);
	if (!whole)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a path");
	target = find_target(walk, whole, is_link);
	if (target)
		code = link_to(walk, target, error);
	free(target);
	free(whole);
	return code;
}

/* ---- the walk ---------------------------------------------------------- */

static enum sl_code walk_folder(struct walk *walk, DIR *folder,
				struct sl_error *error);

static bool is_target(const struct walk *walk, int fd)
{
	struct stat about;

	return fstat(fd, &about) == 0 && about.st_dev == walk->target.st_dev &&
	       about.st_ino == walk->target.st_ino;
}

/* A folder that cannot be read has nothing that a compiler could. A submodule
 * is linked as a whole. */
static enum sl_code enter(struct walk *walk, DIR *from, const char *name,
			  struct sl_error *error)
{
	const struct sg_held *held =
		sg_snapshot_held(walk->index, walk->path.data);
	enum sl_code code = SL_OK;
	DIR *folder = NULL;
	int fd;

	if (held && held->file.mode == SG_MODE_SUBMODULE)
		return SL_OK;
	fd = openat(dirfd(from), name,
		    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return SL_OK;
	if (!is_target(walk, fd))
		folder = fdopendir(fd);
	if (!folder) {
		close(fd);
		return SL_OK;
	}
	code = walk_folder(walk, folder, error);
	closedir(folder);
	return code;
}

static mode_t kind_of(DIR *folder, const char *name, int flags)
{
	struct stat about;

	return fstatat(dirfd(folder), name, &about, flags) ? 0 : about.st_mode;
}

/* The name is the last part of the path. */
static enum sl_code visit(struct walk *walk, DIR *folder, const char *name,
			  struct sl_error *error)
{
	bool wanted = walk->wants(walk->context, name);
	mode_t mode = kind_of(folder, name, AT_SYMLINK_NOFOLLOW);

	if (S_ISDIR(mode))
		return enter(walk, folder, name, error);
	if (S_ISREG(mode) && wanted)
		return link_one(walk, false, error);
	if (S_ISLNK(mode) && (wanted || S_ISDIR(kind_of(folder, name, 0))))
		return link_one(walk, true, error);
	return SL_OK;
}

static enum sl_code walk_folder(struct walk *walk, DIR *folder,
				struct sl_error *error)
{
	size_t length = walk->path.used;
	enum sl_code code = SL_OK;
	struct dirent *entry;

	while (code == SL_OK && (entry = readdir(folder))) {
		const char *name = entry->d_name;
		size_t more = strlen(name);

		if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
		    strcmp(name, ".git") == 0)
			continue;
		code = sl_buffer_reserve(&walk->path, more + 2, error);
		if (code != SL_OK)
			break;
		if (length)
			walk->path.data[walk->path.used++] = '/';
		memcpy(walk->path.data + walk->path.used, name, more + 1);
		walk->path.used += more;
		code = visit(walk, folder, name, error);
		walk->path.used = length;
	}
	return code;
}

static enum sl_code walk_root(struct walk *walk, struct sl_error *error)
{
	DIR *folder;
	enum sl_code code;

	walk->real_root = realpath(walk->root, NULL);
	folder = walk->real_root ? opendir(walk->root) : NULL;
	if (!folder || stat(walk->folder, &walk->target)) {
		code = SL_FAIL(error, SL_EIO, "cannot read the folder %s: %s",
			       sl_path_tail(walk->root), strerror(errno));
		if (folder)
			closedir(folder);
		return code;
	}
	code = walk_folder(walk, folder, error);
	closedir(folder);
	return code;
}

/* ---- what is tracked --------------------------------------------------- */

static enum sl_code open_tracked(struct walk *walk,
				 const struct sg_snapshot *snapshot,
				 struct sl_error *error)
{
	char *head = NULL;
	enum sl_code code = SL_OK;

	if (snapshot->kind != SG_SNAPSHOT_INDEX)
		code = sg_snapshot_open(walk->root, SG_SNAPSHOT_INDEX, NULL,
					&walk->own_index, error);
	walk->index = walk->own_index ? walk->own_index : snapshot;
	if (code == SL_OK)
		code = sg_revision_find(walk->root, "HEAD", &head, error);
	if (code == SL_OK && head)
		code = sg_snapshot_open(walk->root, SG_SNAPSHOT_COMMIT, head,
					&walk->head, error);
	free(head);
	return code;
}

enum sl_code sg_snapshot_link_untracked(const struct sg_snapshot *snapshot,
					const char *folder, sg_wants_fn *wants,
					const void *context,
					struct sl_error *error)
{
	struct walk walk = { .root = snapshot->root,
			     .folder = folder,
			     .wants = wants,
			     .context = context };
	enum sl_code code = open_tracked(&walk, snapshot, error);

	if (code == SL_OK)
		code = walk_root(&walk, error);
	sg_snapshot_close(walk.own_index);
	sg_snapshot_close(walk.head);
	free(walk.path.data);
	free(walk.real_root);
	return code;
}
