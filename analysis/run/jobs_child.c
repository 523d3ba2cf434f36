/* SPDX-License-Identifier: MIT */
/* Between fork() and exec() only what is async-signal-safe may be called, so
 * files are opened and programs found before. close_range() is Linux's. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "run/jobs_child.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "run/program.h"

extern char **environ;

/* ---- the environment --------------------------------------------------- */

static bool starts(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* The last two name files that gcc writes lists of headers to. */
static bool is_unwanted(const char *variable, const char *temp)
{
	return (temp && starts(variable, "TMPDIR=")) ||
	       starts(variable, "GIT_") || starts(variable, "LC_ALL=") ||
	       starts(variable, "DEPENDENCIES_OUTPUT=") ||
	       starts(variable, "SUNPRO_DEPENDENCIES=");
}

char **sg_child_environment(const char *temp)
{
	static char locale[] = "LC_ALL=C";
	static const char name[] = "TMPDIR=";
	size_t count = 0, used = 0, length = temp ? strlen(temp) : 0;
	char **copy, *text;

	while (environ && environ[count])
		count++;
	count += 3; /* ours, and the NULL */
	copy = calloc(1, count * sizeof(*copy) + sizeof(name) + length);
	if (!copy)
		return NULL;
	for (size_t at = 0; at < count - 3; at++)
		if (!is_unwanted(environ[at], temp))
			copy[used++] = environ[at];
	copy[used++] = locale;
	if (temp) {
		text = (char *)(copy + count);
		memcpy(text, name, sizeof(name) - 1);
		memcpy(text + sizeof(name) - 1, temp, length);
		copy[used] = text;
	}
	return copy;
}

/* ---- before the fork --------------------------------------------------- */

/* The standard descriptors' numbers may be free if scgate was started so: what
 * is opened there would be in the child's way. */
static int raised(int fd)
{
	int high;

	if (fd < 0 || fd > STDERR_FILENO)
		return fd;
	high = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	close(fd);
	return high;
}

static int open_new(const char *path)
{
	int flags = path ? O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
			 : O_WRONLY | O_CLOEXEC;

	return raised(open(path ? path : "/dev/null", flags, 0600));
}

struct streams {
	int in, out, err; /* -1: not open */
	int report[2]; /* through which a child tells why it could not exec */
};

static void close_streams(struct streams *streams)
{
	int *const all[] = { &streams->in, &streams->out, &streams->err,
			     &streams->report[0], &streams->report[1] };

	for (size_t at = 0; at < sizeof(all) / sizeof(all[0]); at++) {
		if (*all[at] >= 0)
			close(*all[at]);
		*all[at] = -1;
	}
}

static enum sl_code open_streams(struct streams *streams,
				 const struct sg_job *job,
				 struct sl_error *error)
{
	const char *failed = NULL;

	*streams = (struct streams){ -1, -1, -1, { -1, -1 } };
	streams->in = raised(open("/dev/null", O_RDONLY | O_CLOEXEC));
	if (streams->in < 0)
		failed = "/dev/null";
	if (!failed && (streams->out = open_new(job->out)) < 0)
		failed = job->out ? job->out : "/dev/null";
	if (!failed && job->out && job->err && !strcmp(job->out, job->err))
		streams->err = fcntl(streams->out, F_DUPFD_CLOEXEC, 3);
	else if (!failed)
		streams->err = open_new(job->err);
	if (!failed && streams->err < 0)
		failed = job->err ? job->err : "/dev/null";
	if (failed)
		return SL_FAIL(error, SL_EIO, "cannot open %s: %s",
			       sl_path_tail(failed), strerror(errno));
	if (pipe2(streams->report, O_CLOEXEC) == 0) {
		streams->report[0] = raised(streams->report[0]);
		streams->report[1] = raised(streams->report[1]);
	}
	if (streams->report[0] < 0 || streams->report[1] < 0)
		return SL_FAIL(error, SL_EIO, "cannot make a pipe: %s",
			       strerror(errno));
	return SL_OK;
}

/* With its parents. @return 0 or errno. */
static int make_folder(const char *path, struct sl_arena *arena)
{
	struct stat about;
	char *copy;

	if (stat(path, &about) == 0)
		return S_ISDIR(about.st_mode) ? 0 : ENOTDIR;
	copy = sl_arena_text(arena, path, strlen(path));
	if (!copy)
		return ENOMEM;
	for (char *at = copy + 1; *copy; at++) {
		char saved = *at;

		if (saved != '/' && saved)
			continue;
		*at = '\0';
		if (mkdir(copy, 0777) != 0 && errno != EEXIST)
			return errno;
		if (!saved)
			break;
		*at = saved;
	}
	return stat(path, &about) != 0  ? errno
	       : S_ISDIR(about.st_mode) ? 0
					: ENOTDIR;
}

/* ---- the child --------------------------------------------------------- */

struct birth {
	const char *program, *directory;
	char *const *words;
	char *const *environment;
	struct streams streams;
	pid_t parent;
};

/* What a child says before it dies. */
struct complaint {
	int reason; /* errno */
	bool of_folder; /* it could not go there */
};

/* As no exit handler and no buffer of the parent's may act. */
static _Noreturn void vanish(void)
{
	for (;;)
		kill(getpid(), SIGKILL);
}

static _Noreturn void complain(const struct birth *birth, bool of_folder)
{
	struct complaint complaint;
	ssize_t done;

	memset(&complaint, 0, sizeof(complaint));
	complaint.reason = errno;
	complaint.of_folder = of_folder;
	do
		done = write(birth->streams.report[1], &complaint,
			     sizeof(complaint));
	while (done < 0 && errno == EINTR);
	vanish();
}

/* scgate ignores SIGPIPE and SIGXFSZ, and blocks others: analyzers must not. */
static void reset_signals(void)
{
	sigset_t none;

	for (int number = 1; number < NSIG; number++)
		if (number != SIGKILL && number != SIGSTOP)
			signal(number, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void be_child(const struct birth *birth)
{
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != birth->parent) /* it died before that */
		vanish();
	reset_signals();
	if (birth->directory && chdir(birth->directory) != 0)
		complain(birth, true);
	if (dup2(birth->streams.in, STDIN_FILENO) < 0 ||
	    dup2(birth->streams.out, STDOUT_FILENO) < 0 ||
	    dup2(birth->streams.err, STDERR_FILENO) < 0)
		complain(birth, false);
	/* Also those that scgate was born with; an old kernel cannot. */
	close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
	execve(birth->program, birth->words, birth->environment);
	complain(birth, false);
}

/* ---- the parent -------------------------------------------------------- */

/* Wait for the exec. @return whether the child got there. */
static bool listen_to(const struct streams *streams,
		      struct complaint *complaint)
{
	ssize_t got;

	do
		got = read(streams->report[0], complaint, sizeof(*complaint));
	while (got < 0 && errno == EINTR);
	return got != (ssize_t)sizeof(*complaint);
}

static enum sl_code give_birth(struct birth *birth, pid_t *child, int *reason,
			       struct sl_error *error)
{
	struct complaint complaint;
	siginfo_t about;

	birth->parent = getpid();
	*child = fork();
	if (*child < 0)
		return SL_FAIL(error, SL_EIO, "cannot start a process: %s%s",
			       strerror(errno),
			       errno == EAGAIN ? " (see ulimit -u)" : "");
	if (*child == 0)
		be_child(birth);
	close(birth->streams.report[1]);
	birth->streams.report[1] = -1;
	if (listen_to(&birth->streams, &complaint))
		return SL_OK;
	(void)sg_child_reap(*child, true, &about);
	*child = -1;
	*reason = complaint.reason;
	if (complaint.of_folder)
		return SL_FAIL(error, SL_EIO, "cannot enter %s: %s",
			       sl_path_tail(birth->directory),
			       strerror(complaint.reason));
	return SL_END;
}

static enum sl_code start(const struct sg_job *job, struct birth *birth,
			  struct sl_arena *arena, pid_t *child, int *reason,
			  struct sl_error *error)
{
	int failed;
	enum sl_code code;

	if (job->directory &&
	    (failed = make_folder(job->directory, arena)) != 0)
		return SL_FAIL(error, SL_EIO, "cannot make the folder %s: %s",
			       sl_path_tail(job->directory), strerror(failed));
	/* One with a '/' may start at the folder: exec will tell. */
	*reason = 0;
	birth->program = job->words[0];
	if (!strchr(job->words[0], '/'))
		*reason = sg_program_search(job->words[0], arena,
					    &birth->program);
	if (*reason == ENOMEM)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a process");
	if (*reason)
		return SL_END;
	code = open_streams(&birth->streams, job, error);
	if (code == SL_OK)
		code = give_birth(birth, child, reason, error);
	close_streams(&birth->streams);
	return code;
}

enum sl_code sg_child_start(const struct sg_job *job, char *const *environment,
			    pid_t *child, int *reason, struct sl_error *error)
{
	struct sl_arena arena = { NULL };
	struct birth birth = { .directory = job->directory,
			       .environment = environment };
	enum sl_code code;

	*child = -1;
	/* exec() does not change them, though its type says it could. */
	memcpy(&birth.words, &job->words, sizeof(birth.words));
	code = start(job, &birth, &arena, child, reason, error);
	sl_arena_finish(&arena);
	return code;
}

void sg_child_kill(pid_t child)
{
	kill(-child, SIGKILL);
}

bool sg_child_reap(pid_t child, bool wait, siginfo_t *about)
{
	int failed;

	/* Left as a zombie at first, so that its group's number is no other's
	 * when what is left of it is killed. */
	do {
		memset(about, 0, sizeof(*about));
		failed = waitid(P_PID, (id_t)child, about,
				WEXITED | WNOWAIT | (wait ? 0 : WNOHANG));
	} while (failed && errno == EINTR);
	if (!failed && !about->si_pid)
		return false;
	sg_child_kill(child);
	waitpid(child, NULL, 0);
	/* Orphans come to us while we are their subreaper. */
	while (waitpid(-child, NULL, 0) > 0 || errno == EINTR)
		;
	return true;
}
