/* SPDX-License-Identifier: MIT */
/* Real processes: shells that do what analyzers do, and worse. What is waited
 * for is waited for in the kernel; the long sleeps are never slept to an end.
 */
#include "run/jobs.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cmocka.h>
#include <unistd.h>

#include "base/clock.h"

static char folder[64];
static char out_path[96];

static int make_folder(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/sg_jobs.XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(out_path, sizeof(out_path), "%s/out", folder);
	return 0;
}

static int remove_folder(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command);
}

/* ---- what happened ----------------------------------------------------- */

enum { TOLD_MAX = 16 };

struct told {
	struct sg_jobs *jobs;
	size_t count;
	char *names[TOLD_MAX]; /* the jobs' contexts */
	struct sg_job_result results[TOLD_MAX];
	enum sl_code answer; /* to the first */
	const struct sg_job *more; /* to be added at the first; NULL: none */
};

static enum sl_code take(void *context, const struct sg_job *job,
			 const struct sg_job_result *result,
			 struct sl_error *error)
{
	struct told *told = context;
	enum sl_code answer = told->count ? SL_OK : told->answer;

	assert_true(told->count < TOLD_MAX);
	told->names[told->count] = job->context;
	told->results[told->count++] = *result;
	if (told->more) {
		const struct sg_job *more = told->more;

		told->more = NULL;
		assert_int_equal(sg_jobs_add(told->jobs, more, error), SL_OK);
	}
	return answer == SL_OK ? SL_OK : SL_FAIL(error, answer, "told so");
}

/* ---- running ----------------------------------------------------------- */

#define SHELL(script) \
	(const char *const[]) \
	{ \
		"sh", "-c", script, NULL \
	}

/* Run jobs, in the folder unless they say another. */
static enum sl_code run_with(const struct sg_jobs_settings *settings,
			     const struct sg_job *jobs, size_t count,
			     struct told *told, int *stop,
			     struct sl_error *error)
{
	enum sl_code code;

	assert_int_equal(sg_jobs_create(&told->jobs, settings, error), SL_OK);
	for (size_t at = 0; at < count; at++) {
		struct sg_job job = jobs[at];

		if (!job.directory)
			job.directory = folder;
		assert_int_equal(sg_jobs_add(told->jobs, &job, error), SL_OK);
	}
	code = sg_jobs_run(told->jobs, take, told, stop, error);
	sg_jobs_destroy(told->jobs);
	return code;
}

static struct sg_job_result run_one(const struct sg_job *job)
{
	const struct sg_jobs_settings settings = { .parallel = 2 };
	struct told told = { .count = 0 };
	struct sl_error error;

	if (run_with(&settings, job, 1, &told, NULL, &error) != SL_OK)
		fail_msg("%s", error.message);
	assert_int_equal(told.count, 1);
	return told.results[0];
}

static struct sg_job_result run_script(const char *script)
{
	const char *const words[] = { "sh", "-c", script, NULL };

	return run_one(&(struct sg_job){ .words = words, .out = out_path });
}

static void expect_result(struct sg_job_result result, enum sg_job_end end,
			  int status)
{
	assert_int_equal(result.end, end);
	assert_int_equal(result.status, status);
}

static void expect_file(const char *path, const char *expected)
{
	char text[4096];
	FILE *file = fopen(path, "r");
	size_t length;

	assert_non_null(file);
	length = fread(text, 1, sizeof(text) - 1, file);
	text[length] = '\0';
	fclose(file);
	assert_string_equal(text, expected);
}

/* The process whose number is in the file of that name. */
static void expect_gone(const char *name)
{
	char path[96];
	int number = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "r");
	assert_non_null(file);
	assert_int_equal(fscanf(file, "%d", &number), 1);
	fclose(file);
	assert_int_equal(kill(number, 0), -1);
	assert_int_equal(errno, ESRCH);
}

/* ---- ends -------------------------------------------------------------- */

static void an_exit_status_is_told(void **state)
{
	(void)state;
	expect_result(run_script("exit 0"), SG_JOB_EXITED, 0);
	expect_result(run_script("exit 3"), SG_JOB_EXITED, 3);
	expect_result(run_script("exit 255"), SG_JOB_EXITED, 255);
}

static void a_killing_signal_is_told(void **state)
{
	(void)state;
	expect_result(run_script("kill -9 $$"), SG_JOB_KILLED, SIGKILL);
	expect_result(run_script("kill -SEGV $$"), SG_JOB_KILLED, SIGSEGV);
}

static void what_runs_too_long_is_killed(void **state)
{
	const struct sg_job job = { .words = SHELL("exec sleep 1000"),
				    .timeout_ns = 20000000 };
	struct sg_job_result result = run_one(&job);

	(void)state;
	assert_int_equal(result.end, SG_JOB_TIMED_OUT);
	assert_true(result.elapsed_ns >= 20000000);
}

static void a_limit_that_is_not_reached_does_nothing(void **state)
{
	const struct sg_job job = { .words = SHELL("exit 1"),
				    .timeout_ns = INT64_MAX };

	(void)state;
	expect_result(run_one(&job), SG_JOB_EXITED, 1);
}

static void a_program_that_is_not_there_is_told(void **state)
{
	static const char *const names[] = { "no-such-analyzer",
					     "/no/such/analyzer", "./none",
					     "" };

	(void)state;
	for (size_t at = 0; at < 4; at++) {
		const char *const words[] = { names[at], NULL };

		expect_result(run_one(&(struct sg_job){ .words = words }),
			      SG_JOB_NOT_FOUND, ENOENT);
	}
}

static void a_program_that_must_not_be_run_is_told(void **state)
{
	const char *const words[] = { out_path, NULL };
	FILE *file = fopen(out_path, "w");

	(void)state;
	assert_non_null(file);
	fclose(file);
	expect_result(run_one(&(struct sg_job){ .words = words }),
		      SG_JOB_NOT_FOUND, EACCES);
}

/* ---- what a process sees ----------------------------------------------- */

static void output_and_errors_have_files_of_their_own(void **state)
{
	char err_path[96];
	struct sg_job job = { .words = SHELL("echo one; echo two >&2"),
			      .out = out_path,
			      .err = err_path };

	(void)state;
	snprintf(err_path, sizeof(err_path), "%s/err", folder);
	expect_result(run_one(&job), SG_JOB_EXITED, 0);
	expect_file(out_path, "one\n");
	expect_file(err_path, "two\n");
	job.words = SHELL("echo x; echo y >&2");
	job.err = out_path;
	expect_result(run_one(&job), SG_JOB_EXITED, 0);
	expect_file(out_path, "x\ny\n");
}

static void standard_input_is_empty(void **state)
{
	(void)state;
	expect_result(run_script("cat; read line"), SG_JOB_EXITED, 1);
	expect_file(out_path, "");
}

static void the_environment_is_clean(void **state)
{
	(void)state;
	setenv("GIT_DIR", "/x", 1);
	setenv("GIT_INDEX_FILE", "x", 1);
	setenv("DEPENDENCIES_OUTPUT", "/tmp/x", 1);
	setenv("LC_ALL", "de_DE", 1);
	setenv("SG_JOBS_OTHER", "kept", 1);
	expect_result(run_script("env | grep -E '^(GIT_|DEPEND|LC_ALL|SG_)' | "
				 "sort"),
		      SG_JOB_EXITED, 0);
	unsetenv("GIT_DIR");
	unsetenv("GIT_INDEX_FILE");
	unsetenv("DEPENDENCIES_OUTPUT");
	unsetenv("LC_ALL");
	expect_file(out_path, "LC_ALL=C\nSG_JOBS_OTHER=kept\n");
}

static void its_folder_is_made(void **state)
{
	char below[128];
	struct sg_job job = { .words = SHELL("pwd"), .out = out_path };
	char expected[160];

	(void)state;
	snprintf(below, sizeof(below), "%s/a/b/c", folder);
	snprintf(expected, sizeof(expected), "%s\n", below);
	job.directory = below;
	expect_result(run_one(&job), SG_JOB_EXITED, 0);
	expect_file(out_path, expected);
}

static void no_descriptor_leaks_into_it(void **state)
{
	int fd = fcntl(STDERR_FILENO, F_DUPFD, 50); /* not close-on-exec */

	(void)state;
	assert_true(fd >= 50);
	/* 3 is what the shell reads the folder by */
	expect_result(run_script("for f in /proc/$$/fd/*; do "
				 "echo ${f##*/}; done"),
		      SG_JOB_EXITED, 0);
	close(fd);
	expect_file(out_path, "0\n1\n2\n3\n");
}

static void signals_have_their_defaults_in_it(void **state)
{
	sigset_t pipe_set, before;
	struct sg_job_result result;

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&pipe_set);
	sigaddset(&pipe_set, SIGPIPE);
	sigprocmask(SIG_BLOCK, &pipe_set, &before);
	result = run_script("kill -PIPE $$; exit 0");
	sigprocmask(SIG_SETMASK, &before, NULL);
	signal(SIGPIPE, SIG_DFL);
	expect_result(result, SG_JOB_KILLED, SIGPIPE);
}

static void an_ignored_sigchld_takes_no_status_away(void **state)
{
	struct sigaction action;

	(void)state;
	signal(SIGCHLD, SIG_IGN);
	expect_result(run_script("exit 7"), SG_JOB_EXITED, 7);
	sigaction(SIGCHLD, NULL, &action);
	signal(SIGCHLD, SIG_DFL);
	assert_true(action.sa_handler == SIG_IGN);
}

static void free_standard_descriptors_are_no_trap(void **state)
{
	int saved = dup(STDIN_FILENO);
	struct sg_job_result result;

	(void)state;
	close(STDIN_FILENO);
	result = run_script("cat; echo done");
	dup2(saved, STDIN_FILENO);
	close(saved);
	expect_result(result, SG_JOB_EXITED, 0);
	expect_file(out_path, "done\n");
}

/* ---- many -------------------------------------------------------------- */

static void two_run_side_by_side(void **state)
{
	const struct sg_jobs_settings settings = { .parallel = 2 };
	const struct sg_job jobs[] = {
		{ .words = SHELL("read line <fifo && test $line = x") },
		{ .words = SHELL("echo x >fifo") },
	};
	struct told told = { .count = 0 };
	char path[96];

	(void)state;
	snprintf(path, sizeof(path), "%s/fifo", folder);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(run_with(&settings, jobs, 2, &told, NULL, NULL),
			 SL_OK);
	assert_int_equal(told.count, 2);
	expect_result(told.results[0], SG_JOB_EXITED, 0);
	expect_result(told.results[1], SG_JOB_EXITED, 0);
}

static void no_more_run_than_are_allowed(void **state)
{
	const struct sg_jobs_settings settings = { .parallel = 1 };
	/* fails if another is at it */
	const struct sg_job job = {
		.words = SHELL("mkdir lock && ls >/dev/null && rmdir lock"),
	};
	const struct sg_job jobs[] = { job, job, job, job, job };
	struct told told = { .count = 0 };

	(void)state;
	assert_int_equal(run_with(&settings, jobs, 5, &told, NULL, NULL),
			 SL_OK);
	assert_int_equal(told.count, 5);
	for (size_t at = 0; at < 5; at++)
		expect_result(told.results[at], SG_JOB_EXITED, 0);
}

static void a_job_may_lead_to_more(void **state)
{
	static char name[] = "more";
	const struct sg_jobs_settings settings = { .parallel = 1 };
	const struct sg_job first = { .words = SHELL("exit 1") };
	const struct sg_job more = { .words = SHELL("exit 2"),
				     .directory = folder,
				     .context = name };
	struct told told = { .more = &more };

	(void)state;
	assert_int_equal(run_with(&settings, &first, 1, &told, NULL, NULL),
			 SL_OK);
	assert_int_equal(told.count, 2);
	expect_result(told.results[1], SG_JOB_EXITED, 2);
	assert_ptr_equal(told.names[1], name);
}

static void a_failure_of_the_listener_kills_the_rest(void **state)
{
	const struct sg_jobs_settings settings = { .parallel = 2 };
	const struct sg_job jobs[] = {
		{ .words = SHELL("echo $$ >one; echo x >fifo; "
				 "exec sleep 1000") },
		{ .words = SHELL("read line <fifo") },
		{ .words = SHELL("echo ran >out") },
	};
	struct told told = { .answer = SL_ENOSPC };
	struct sl_error error;
	char path[96];

	(void)state;
	snprintf(path, sizeof(path), "%s/fifo", folder);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(run_with(&settings, jobs, 3, &told, NULL, &error),
			 SL_ENOSPC);
	assert_string_equal(error.message, "told so");
	assert_int_equal(told.count, 1);
	expect_gone("one");
	assert_int_equal(access(out_path, F_OK), -1);
}

static void a_folder_that_cannot_be_made_is_an_error(void **state)
{
	const struct sg_jobs_settings settings = { .parallel = 1 };
	const struct sg_job job = { .words = SHELL("exit 0"),
				    .directory = "/dev/null/x" };
	struct told told = { .count = 0 };
	struct sl_error error;

	(void)state;
	assert_int_equal(run_with(&settings, &job, 1, &told, NULL, &error),
			 SL_EIO);
	assert_string_equal(error.message,
			    "cannot make the folder /dev/null/x: "
			    "Not a directory");
}

struct progress {
	size_t calls, last_done, last_all;
};

static void count_progress(void *context, size_t done, size_t all,
			   const struct sg_job *job)
{
	struct progress *progress = context;

	assert_non_null(job->words);
	assert_true(done >= progress->last_done && done <= all);
	progress->calls++;
	progress->last_done = done;
	progress->last_all = all;
}

static void progress_is_told_at_starts_and_ends(void **state)
{
	struct progress progress = { 0, 0, 0 };
	const struct sg_jobs_settings settings = { .parallel = 2,
						   .progress = count_progress,
						   .context = &progress };
	const struct sg_job job = { .words = SHELL("exit 0") };
	const struct sg_job jobs[] = { job, job, job };
	struct told told = { .count = 0 };

	(void)state;
	assert_int_equal(run_with(&settings, jobs, 3, &told, NULL, NULL),
			 SL_OK);
	assert_int_equal(progress.calls, 6);
	assert_int_equal(progress.last_done, 3);
	assert_int_equal(progress.last_all, 3);
}

/* ---- no survivors ------------------------------------------------------ */

static void what_a_process_leaves_behind_is_killed(void **state)
{
	(void)state;
	expect_result(run_script("sleep 1000 & echo $! >one; exit 4"),
		      SG_JOB_EXITED, 4);
	expect_gone("one");
}

static void the_deadline_of_all_leaves_the_rest(void **state)
{
	const struct sg_jobs_settings settings = {
		.parallel = 1,
		.deadline_ns = sl_clock_ns() + 30000000,
	};
	const struct sg_job jobs[] = {
		{ .words = SHELL("exec sleep 1000") },
		{ .words = SHELL("exit 0") },
	};
	struct told told = { .count = 0 };
	int stop = -1;

	(void)state;
	assert_int_equal(run_with(&settings, jobs, 2, &told, &stop, NULL),
			 SL_OK);
	assert_int_equal(stop, 0);
	assert_int_equal(told.count, 2);
	assert_int_equal(told.results[0].end, SG_JOB_LEFT);
	assert_int_equal(told.results[1].end, SG_JOB_LEFT);
	assert_int_equal(told.results[1].elapsed_ns, 0);
}

static void a_deadline_that_is_over_starts_nothing(void **state)
{
	const struct sg_jobs_settings settings = { .parallel = 1,
						   .deadline_ns = 1 };
	const struct sg_job job = { .words = SHELL("echo ran"),
				    .out = out_path };
	struct told told = { .count = 0 };

	(void)state;
	assert_int_equal(run_with(&settings, &job, 1, &told, NULL, NULL),
			 SL_OK);
	assert_int_equal(told.results[0].end, SG_JOB_LEFT);
	assert_int_equal(access(out_path, F_OK), -1);
}

/* The job sends the signal itself, so that it runs when it comes. */
static void a_signal_ends_all(void **state)
{
	static const struct {
		int number;
		const char *script;
	} rows[] = {
		{ SIGINT, "sleep 1000 & echo $! >one; echo $$ >two; "
			  "kill -INT $PPID; wait" },
		{ SIGTERM, "sleep 1000 & echo $! >one; echo $$ >two; "
			   "kill -TERM $PPID; wait" },
		{ SIGHUP, "sleep 1000 & echo $! >one; echo $$ >two; "
			  "kill -HUP $PPID; wait" },
	};

	(void)state;
	for (size_t at = 0; at < 3; at++) {
		const struct sg_jobs_settings settings = { .parallel = 1 };
		const struct sg_job jobs[] = {
			{ .words = SHELL(rows[at].script) },
			{ .words = SHELL("echo ran >out") },
		};
		struct told told = { .count = 0 };
		int stop = 0;

		assert_int_equal(
			run_with(&settings, jobs, 2, &told, &stop, NULL),
			SL_ESTOPPED);
		assert_int_equal(stop, rows[at].number);
		assert_int_equal(told.count, 2);
		assert_int_equal(told.results[0].end, SG_JOB_LEFT);
		assert_int_equal(told.results[1].end, SG_JOB_LEFT);
		expect_gone("one");
		expect_gone("two");
		assert_int_equal(access(out_path, F_OK), -1);
	}
}

/* The job holds the fifo open: its end is that of the process. */
static void it_dies_with_the_one_that_started_it(void **state)
{
	const struct sg_jobs_settings settings = { .parallel = 1 };
	const struct sg_job job = {
		.words = SHELL(
			"exec >fifo; kill -KILL $PPID; exec sleep 1000")
	};
	struct told told = { .count = 0 };
	char path[96], byte;
	pid_t child;
	int fd, status;

	(void)state;
	snprintf(path, sizeof(path), "%s/fifo", folder);
	assert_int_equal(mkfifo(path, 0600), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		(void)run_with(&settings, &job, 1, &told, NULL, NULL);
		_exit(1);
	}
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(read(fd, &byte, 1), 0);
	close(fd);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
}

static void an_ignored_signal_stays_ignored(void **state)
{
	struct sigaction action;

	(void)state;
	signal(SIGHUP, SIG_IGN);
	expect_result(run_script("kill -HUP $PPID; exit 5"), SG_JOB_EXITED, 5);
	sigaction(SIGHUP, NULL, &action);
	signal(SIGHUP, SIG_DFL);
	assert_true(action.sa_handler == SIG_IGN);
}

static void the_mask_is_as_it_was(void **state)
{
	sigset_t before, after;

	(void)state;
	sigprocmask(SIG_SETMASK, NULL, &before);
	expect_result(run_script("exit 0"), SG_JOB_EXITED, 0);
	sigprocmask(SIG_SETMASK, NULL, &after);
	for (int number = 1; number < 32; number++)
		assert_int_equal(sigismember(&before, number),
				 sigismember(&after, number));
}

#define TEST(name) \
	cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_exit_status_is_told),
		TEST(a_killing_signal_is_told),
		TEST(what_runs_too_long_is_killed),
		TEST(a_limit_that_is_not_reached_does_nothing),
		TEST(a_program_that_is_not_there_is_told),
		TEST(a_program_that_must_not_be_run_is_told),
		TEST(output_and_errors_have_files_of_their_own),
		TEST(standard_input_is_empty),
		TEST(the_environment_is_clean),
		TEST(its_folder_is_made),
		TEST(no_descriptor_leaks_into_it),
		TEST(signals_have_their_defaults_in_it),
		TEST(an_ignored_sigchld_takes_no_status_away),
		TEST(free_standard_descriptors_are_no_trap),
		TEST(two_run_side_by_side),
		TEST(no_more_run_than_are_allowed),
		TEST(a_job_may_lead_to_more),
		TEST(a_failure_of_the_listener_kills_the_rest),
		TEST(a_folder_that_cannot_be_made_is_an_error),
		TEST(progress_is_told_at_starts_and_ends),
		TEST(what_a_process_leaves_behind_is_killed),
		TEST(the_deadline_of_all_leaves_the_rest),
		TEST(a_deadline_that_is_over_starts_nothing),
		TEST(a_signal_ends_all),
		TEST(it_dies_with_the_one_that_started_it),
		TEST(an_ignored_signal_stays_ignored),
		TEST(the_mask_is_as_it_was),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
