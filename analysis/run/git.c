/* SPDX-License-Identifier: MIT */
/* Starting git, and listening to it. */
#include "run/git.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"

extern char **environ;

/* ---- starting ---------------------------------------------------------- */

struct ends {
	int out[2]; /* pipe: git writes into [1] */
	int in[2]; /* sockets: git reads from [0]; -1: none */
};

static void close_end(int *end)
{
	if (*end >= 0)
		close(*end);
	*end = -1;
}

static bool open_ends(struct ends *ends, bool talks)
{
	*ends = (struct ends){ { -1, -1 }, { -1, -1 } };
	if (pipe(ends->out) == 0 &&
	    (!talks || socketpair(AF_UNIX, SOCK_STREAM, 0, ends->in) == 0)) {
		fcntl(ends->out[0], F_SETFD, FD_CLOEXEC);
		if (talks)
			fcntl(ends->in[1], F_SETFD, FD_CLOEXEC);
		return true;
	}
	close_end(&ends->out[0]);
	close_end(&ends->out[1]);
	return false;
}

static int connect_ends(posix_spawn_file_actions_t *actions,
			const struct ends *ends, bool tells)
{
	int failed = posix_spawn_file_actions_adddup2(actions, ends->out[1],
						      STDOUT_FILENO);

	if (!failed && ends->in[0] >= 0)
		failed = posix_spawn_file_actions_adddup2(actions, ends->in[0],
							  STDIN_FILENO);
	else if (!failed)
		failed = posix_spawn_file_actions_addopen(
			actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (!failed && tells)
		failed = posix_spawn_file_actions_adddup2(actions, ends->out[1],
							  STDERR_FILENO);
	else if (!failed)
		failed = posix_spawn_file_actions_addopen(
			actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	return failed;
}

static bool sets_same(const char *one, const char *other)
{
	size_t length = strcspn(one, "=");

	return strncmp(one, other, length) == 0 && other[length] == '=';
}

/* GIT_DIFF_OPTS overrules the context that a command asks for. */
static bool is_inherited(const char *variable,
			 const struct sg_git_settings *settings)
{
	static const char *const dropped[] = { "GIT_DIFF_OPTS=",
					       "GIT_EXTERNAL_DIFF=", NULL };

	for (const char *const *name = dropped; *name; name++)
		if (sets_same(*name, variable))
			return false;
	for (const char *const *own = settings->environment; own && *own; own++)
		if (sets_same(*own, variable))
			return false;
	return true;
}

/* The child's environment; owned, but not its texts: posix_spawn() wants what
 * it does not change to be changeable, hence the copies of ours. */
static char **make_environment(const struct sg_git_settings *settings,
			       struct sl_arena *own)
{
	size_t count = 0, room = 1;
	char **all;

	for (char **at = environ; at && *at; at++)
		room++;
	for (const char *const *at = settings->environment; at && *at; at++)
		room++;
	all = sl_arena_alloc(own, room * sizeof(*all));
	if (!all)
		return NULL;
	for (const char *const *at = settings->environment; at && *at; at++) {
		all[count] = sl_arena_text(own, *at, strlen(*at));
		if (!all[count++])
			return NULL;
	}
	for (char **at = environ; at && *at; at++)
		if (is_inherited(*at, settings))
			all[count++] = *at;
	return all;
}

/* @return 0, or an error number. */
static int spawn(pid_t *child, char *const *arguments, const struct ends *ends,
		 const struct sg_git_settings *settings)
{
	posix_spawn_file_actions_t actions;
	struct sl_arena own = { NULL };
	char **environment = make_environment(settings, &own);
	int failed =
		environment ? posix_spawn_file_actions_init(&actions) : ENOMEM;

	if (!failed) {
		failed = connect_ends(&actions, ends, settings->tells);
		if (!failed)
			failed = posix_spawnp(child, "git", &actions, NULL,
					      arguments, environment);
		posix_spawn_file_actions_destroy(&actions);
	}
	sl_arena_finish(&own);
	return failed;
}

/* @return "git -C FOLDER ARGUMENT...", as changeable copies for posix_spawn();
 * NULL: no memory. */
static char **make_command(const char *folder, const char *const *arguments,
			   struct sl_arena *own)
{
	/* what stands in for another object is on this machine alone */
	const char *const first[] = { "git", "--no-optional-locks",
				      "--no-replace-objects", "-C", folder };
	enum { FIRST = sizeof(first) / sizeof(first[0]) };
	size_t count = 0;
	char **all;

	while (arguments[count])
		count++;
	all = sl_arena_alloc(own, (FIRST + count + 1) * sizeof(*all));
	for (size_t at = 0; all && at < FIRST + count; at++) {
		const char *word =
			at < FIRST ? first[at] : arguments[at - FIRST];

		all[at] = sl_arena_text(own, word, strlen(word));
		if (!all[at])
			return NULL;
	}
	return all;
}

static int spawn_command(pid_t *child, const char *folder,
			 const char *const *arguments, const struct ends *ends,
			 const struct sg_git_settings *settings)
{
	struct sl_arena own = { NULL };
	char **all = make_command(folder, arguments, &own);
	int failed = all ? spawn(child, all, ends, settings) : ENOMEM;

	sl_arena_finish(&own);
	return failed;
}

enum sl_code sg_git_start_with(struct sg_git *git, const char *folder,
			       const char *const *arguments,
			       const struct sg_git_settings *settings,
			       struct sl_error *error)
{
	struct ends ends;
	int failed;

	*git = (struct sg_git){ .child = -1, .to = -1 };
	if (!open_ends(&ends, settings->talks))
		return SL_FAIL(error, SL_EIO, "cannot run git: %s",
			       strerror(errno));
	failed = spawn_command(&git->child, folder, arguments, &ends, settings);
	close_end(&ends.out[1]);
	close_end(&ends.in[0]);
	git->to = ends.in[1];
	if (failed) {
		git->child = -1;
	} else {
		git->from = fdopen(ends.out[0], "r");
		failed = git->from ? 0 : ENOMEM;
	}
	if (!failed)
		return SL_OK;
	close_end(&ends.out[0]);
	(void)sg_git_stop(git);
	return SL_FAIL(error, failed == ENOMEM ? SL_ENOMEM : SL_EIO,
		       "cannot run git: %s", strerror(failed));
}

enum sl_code sg_git_start(struct sg_git *git, const char *folder,
			  const char *const *arguments, bool talks,
			  struct sl_error *error)
{
	const struct sg_git_settings settings = { .talks = talks };

	return sg_git_start_with(git, folder, arguments, &settings, error);
}

/* ---- while it runs ----------------------------------------------------- */

bool sg_git_ask(struct sg_git *git, const char *text, size_t length)
{
	while (length) {
		ssize_t sent = send(git->to, text, length, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0)
			return false;
		text += sent;
		length -= (size_t)sent;
	}
	return true;
}

void sg_git_hush(struct sg_git *git)
{
	close_end(&git->to);
}

int sg_git_stop(struct sg_git *git)
{
	int status = -1;
	pid_t ended;

	close_end(&git->to);
	if (git->from)
		fclose(git->from);
	git->from = NULL;
	if (git->child < 0)
		return -1;
	do
		ended = waitpid(git->child, &status, 0);
	while (ended < 0 && errno == EINTR);
	git->child = -1;
	return ended >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

enum sl_code sg_git_rest(struct sg_git *git, struct sl_buffer *out,
			 struct sl_error *error)
{
	enum { PIECE = 4096 };
	size_t got;

	do {
		enum sl_code code = sl_buffer_reserve(out, PIECE + 1, error);

		if (code != SL_OK)
			return code;
		got = fread(out->data + out->used, 1, PIECE, git->from);
		out->used += got;
	} while (got);
	out->data[out->used] = '\0';
	return SL_OK;
}

/* ---- whole commands ---------------------------------------------------- */

enum sl_code sg_git_run(const char *folder, const char *const *arguments,
			struct sl_buffer *out, int *status,
			struct sl_error *error)
{
	struct sg_git git;
	enum sl_code code = sg_git_start(&git, folder, arguments, false, error);

	*status = -1;
	if (code != SL_OK)
		return code;
	code = sg_git_rest(&git, out, error);
	*status = sg_git_stop(&git);
	return code;
}

enum sl_code sg_git_line(const char *folder, const char *const *arguments,
			 char **line, struct sl_error *error)
{
	struct sl_buffer out = { .data = NULL };
	int status;
	enum sl_code code = sg_git_run(folder, arguments, &out, &status, error);

	*line = NULL;
	if (code == SL_OK && status == 0 && out.used &&
	    out.data[out.used - 1] == '\n') {
		out.data[out.used - 1] = '\0';
		*line = out.data;
		return SL_OK;
	}
	free(out.data);
	return code;
}
