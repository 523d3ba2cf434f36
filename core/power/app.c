/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* pipe2(), syscall() */
#include "power/app.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "power/processes.h"

enum { ROUNDS_MAX = 50, ROUND_MS = 20 };

enum sl_code sl_app_adopt_orphans(struct sl_error *error)
{
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0)
		return SL_FAIL(error, SL_EIO, "prctl: %s", strerror(errno));
	return SL_OK;
}

static int open_pidfd(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

/* A child that cannot become the command: nothing of its copy of us may run. */
static void give_up(void)
{
	for (;;)
		kill(getpid(), SIGKILL);
}

/* In the child: never returns. What goes wrong is told through @p report. */
static void become(char *const *command, pid_t parent, int report, int out)
{
	sigset_t none;
	int reason, null;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != parent)
		give_up(); /* it died before */
	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	null = open("/dev/null", O_RDONLY);
	if (null >= 0)
		dup2(null, STDIN_FILENO);
	if (null > STDERR_FILENO)
		close(null);
	if (dup2(out, STDOUT_FILENO) >= 0)
		execvp(command[0], command);
	reason = errno;
	(void)!write(report, &reason, sizeof(reason));
	give_up();
}

static void close_pair(int pair[2])
{
	for (int at = 0; at < 2; at++)
		if (pair[at] >= 0)
			close(pair[at]);
}

/* @return errno of the child's exec; 0: it is running. */
static int hear(int report)
{
	int reason = 0;
	ssize_t got;

	do
		got = read(report, &reason, sizeof(reason));
	while (got < 0 && errno == EINTR);
	return got == (ssize_t)sizeof(reason) ? reason : 0;
}

static enum sl_code fail(const char *what, int reason, struct sl_error *error)
{
	return SL_FAIL(error, SL_EIO, "%s: %s", sl_path_tail(what),
		       strerror(reason));
}

enum sl_code sl_app_check(const char *command, struct sl_error *error)
{
	const char *path = getenv("PATH");
	char tried[4096];

	if (strchr(command, '/')) {
		if (access(command, X_OK) == 0)
			return SL_OK;
		return fail(command, errno, error);
	}
	for (path = path ? path : "/bin:/usr/bin"; path;) {
		const char *end = strchr(path, ':');
		int length = (int)(end ? end - path : (long)strlen(path));

		if (snprintf(tried, sizeof(tried), "%.*s%s%s", length, path,
			     length ? "/" : "", command) < (int)sizeof(tried) &&
		    access(tried, X_OK) == 0)
			return SL_OK;
		path = end ? end + 1 : NULL;
	}
	return SL_FAIL(error, SL_EIO, "%s: command not found",
		       sl_path_tail(command));
}

enum sl_code sl_app_start(struct sl_app *app, char *const *command, bool output,
			  struct sl_error *error)
{
	int report[2] = { -1, -1 }, out[2] = { -1, -1 };
	pid_t parent = getpid();
	int reason = 0;

	*app = (struct sl_app){ .pidfd = -1, .out = -1, .ours = true };
	if (pipe2(report, O_CLOEXEC) < 0 ||
	    (output && pipe2(out, O_CLOEXEC) < 0)) {
		reason = errno;
		close_pair(report);
		return fail("pipe", reason, error);
	}
	app->pid = fork();
	if (app->pid == 0)
		become(command, parent, report[1],
		       output ? out[1] : STDERR_FILENO);
	if (app->pid < 0)
		reason = errno;
	close(report[1]);
	report[1] = -1;
	if (!reason) {
		setpgid(app->pid, app->pid); /* whoever of the two is first */
		reason = hear(report[0]);
	}
	if (!reason) {
		app->pidfd = open_pidfd(app->pid);
		reason = app->pidfd < 0 ? errno : 0;
	}
	if (output && !reason) {
		app->out = out[0];
		out[0] = -1;
		fcntl(app->out, F_SETFL, O_NONBLOCK);
	}
	close_pair(report);
	close_pair(out);
	if (!reason)
		return SL_OK;
	if (app->pid > 0)
		sl_app_stop(app, 0);
	*app = (struct sl_app){ .pidfd = -1, .out = -1 };
	return fail(command[0], reason, error);
}

enum sl_code sl_app_watch(struct sl_app *app, pid_t pid, struct sl_error *error)
{
	char name[32];

	*app = (struct sl_app){ .pid = pid, .out = -1 };
	app->pidfd = open_pidfd(pid);
	if (app->pidfd >= 0)
		return SL_OK;
	snprintf(name, sizeof(name), "process %ld", (long)pid);
	app->pid = 0;
	return fail(name, errno, error);
}

void sl_app_reap(struct sl_app *app)
{
	if (app->ended || !app->pid)
		return;
	if (app->ours && waitpid(app->pid, &app->status, WNOHANG) != app->pid)
		return;
	app->ended = true;
}

static bool wait_end(struct sl_app *app, int ms)
{
	int64_t until_ns = sl_clock_ns() + (int64_t)ms * 1000000;

	while (!app->ended) {
		struct pollfd wait = { .fd = app->pidfd, .events = POLLIN };
		int64_t left_ms = (until_ns - sl_clock_ns()) / 1000000;

		if (left_ms < 0)
			return false;
		if (poll(&wait, 1, (int)left_ms) > 0)
			sl_app_reap(app);
		else if (left_ms == 0)
			return false;
	}
	return true;
}

/* Kill every child that we have, once. @return how many there were. */
static unsigned kill_children(void)
{
	struct sl_processes all = { 0 };
	pid_t self = getpid();
	unsigned killed = 0;

	if (sl_processes_read("/", &all, NULL) != SL_OK)
		return 0;
	for (size_t at = 0; at < all.count; at++)
		if (all.list[at].parent == self) {
			kill(all.list[at].pid, SIGKILL);
			killed++;
		}
	sl_processes_finish(&all);
	return killed;
}

/* A child's children come to us only when it is gone: so round by round. */
void sl_app_remove_orphans(void)
{
	for (int round = 0; round < ROUNDS_MAX; round++) {
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		if (!kill_children())
			return;
		poll(NULL, 0, round ? ROUND_MS : 1);
	}
}

void sl_app_stop(struct sl_app *app, int grace_ms)
{
	if (app->pid > 0 && app->ours) {
		if (!app->ended) {
			kill(-app->pid, SIGTERM);
			if (app->pidfd < 0 || !wait_end(app, grace_ms))
				kill(-app->pid, SIGKILL);
			if (!app->ended)
				waitpid(app->pid, &app->status, 0);
		}
		kill(-app->pid, SIGKILL); /* the rest of its group */
	}
	if (app->pid > 0 && app->pidfd >= 0)
		close(app->pidfd);
	if (app->pid > 0 && app->out >= 0)
		close(app->out);
	*app = (struct sl_app){ .pidfd = -1, .out = -1 };
}

void sl_app_describe(int status, char *text, size_t size)
{
	if (WIFEXITED(status))
		snprintf(text, size, "exit code %d", WEXITSTATUS(status));
	else if (WIFSIGNALED(status))
		snprintf(text, size, "signal %d", WTERMSIG(status));
	else
		snprintf(text, size, "status %d", status);
}
