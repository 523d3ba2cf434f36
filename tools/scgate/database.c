/* SPDX-License-Identifier: MIT */
/* Where the findings of a repository are kept. */
#include "database.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Start git with its output in a pipe. @return its process, or -1. */
static pid_t start_git(char *const *arguments, int pipe_ends[2])
{
	posix_spawn_file_actions_t actions;
	pid_t child;
	int failed;

	if (posix_spawn_file_actions_init(&actions))
		return -1;
	failed =
		posix_spawn_file_actions_adddup2(&actions, pipe_ends[1],
						 STDOUT_FILENO) ||
		posix_spawn_file_actions_addclose(&actions, pipe_ends[0]) ||
		posix_spawn_file_actions_addopen(&actions, STDERR_FILENO,
						 "/dev/null", O_WRONLY, 0) ||
		posix_spawnp(&child, "git", &actions, NULL, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	return failed ? -1 : child;
}

static size_t read_all(int fd, char *text, size_t size)
{
	size_t used = 0;
	ssize_t got;

	do {
		got = read(fd, text + used, size - used);
		if (got > 0)
			used += (size_t)got;
	} while ((got > 0 && used < size) || (got < 0 && errno == EINTR));
	return used;
}

static bool ended_well(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* @return whether there is a repository here. */
static bool find_common_folder(char *folder, size_t size)
{
	static char git[] = "git", command[] = "rev-parse",
		    option[] = "--git-common-dir";
	char *arguments[] = { git, command, option, NULL };
	int pipe_ends[2];
	size_t used = 0;
	pid_t child;
	bool well;

	if (pipe(pipe_ends))
		return false;
	child = start_git(arguments, pipe_ends);
	close(pipe_ends[1]);
	if (child >= 0)
		used = read_all(pipe_ends[0], folder, size);
	close(pipe_ends[0]);
	well = child >= 0 && ended_well(child);
	if (!well || used < 2 || folder[used - 1] != '\n')
		return false;
	folder[used - 1] = '\0';
	return true;
}

static enum sl_code default_path(char *path, size_t size,
				 struct sl_error *error)
{
	char folder[PATH_MAX];
	int length;

	if (!find_common_folder(folder, sizeof(folder)))
		return SL_FAIL(error, SL_EINVAL,
			       "this is no git repository, so name a database "
			       "with --db");
	length = snprintf(path, size, "%s/scgate", folder);
	if (length < 0 || (size_t)length >= size)
		return SL_FAIL(error, SL_EIO, "cannot open %s: %s",
			       sl_path_tail(folder), strerror(ENAMETOOLONG));
	if (mkdir(path, 0777) && errno != EEXIST)
		return SL_FAIL(error, SL_EIO, "cannot make %s: %s",
			       sl_path_tail(path), strerror(errno));
	snprintf(path + length, size - (size_t)length, "/findings.db");
	return SL_OK;
}

enum sl_code scgate_open(const char *path, struct sg_store **store,
			 struct sl_error *error)
{
	char own[PATH_MAX + 32];

	if (!path) {
		enum sl_code code = default_path(own, sizeof(own), error);

		if (code != SL_OK)
			return code;
		path = own;
	}
	return sg_store_open(path, store, error);
}
