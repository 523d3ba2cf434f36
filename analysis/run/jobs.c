/* SPDX-License-Identifier: MIT */
/* The queue, and the one place where everything is waited for: a signalfd that
 * tells of children and of the signals that end it all. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* ppoll() */
#endif
#include "run/jobs.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/cores.h"
#include "run/jobs_child.h"

/* A process that runs. */
struct running {
	pid_t child;
	struct sg_job job;
	int64_t started_ns;
	int64_t deadline_ns; /* INT64_MAX: none */
	bool timed_out; /* it was killed for that */
};

struct sg_jobs {
	struct sg_jobs_settings settings;
	char **environment; /* owned */
	struct sg_job *queue; /* owned; `count` of `capacity` */
	size_t count, capacity;
	size_t next; /* the first that was not started */
	size_t done;
	struct running *running; /* owned; `running_count` of `parallel` */
	size_t running_count;
	sg_job_fn *take; /* while it runs */
	void *context;
};

enum sl_code sg_jobs_create(struct sg_jobs **jobs,
			    const struct sg_jobs_settings *settings,
			    struct sl_error *error)
{
	struct sg_jobs *made = calloc(1, sizeof(*made));

	*jobs = NULL;
	if (!made)
		return SL_FAIL(error, SL_ENOMEM, "no memory for jobs");
	made->settings = *settings;
	if (!made->settings.parallel)
		made->settings.parallel = sl_count_cores();
	made->running = calloc(made->settings.parallel, sizeof(*made->running));
	made->environment = sg_child_environment(settings->temp);
	if (!made->running || !made->environment) {
		sg_jobs_destroy(made);
		return SL_FAIL(error, SL_ENOMEM, "no memory for jobs");
	}
	*jobs = made;
	return SL_OK;
}

/* Nothing runs outside of sg_jobs_run(). */
void sg_jobs_destroy(struct sg_jobs *jobs)
{
	if (!jobs)
		return;
	free(jobs->environment);
	free(jobs->running);
	free(jobs->queue);
	free(jobs);
}

enum sl_code sg_jobs_add(struct sg_jobs *jobs, const struct sg_job *job,
			 struct sl_error *error)
{
	if (jobs->count == jobs->capacity) {
		size_t capacity = jobs->capacity ? 2 * jobs->capacity : 64;
		struct sg_job *grown =
			realloc(jobs->queue, capacity * sizeof(*grown));

		if (!grown)
			return SL_FAIL(error, SL_ENOMEM, "no memory for a job");
		jobs->queue = grown;
		jobs->capacity = capacity;
	}
	jobs->queue[jobs->count++] = *job;
	return SL_OK;
}

/* ---- starting and ending ----------------------------------------------- */

static void show_progress(const struct sg_jobs *jobs, const struct sg_job *job)
{
	if (jobs->settings.progress)
		jobs->settings.progress(jobs->settings.context, jobs->done,
					jobs->count, job);
}

/* The job may be one of the queue, which grows if the caller adds to it. */
static enum sl_code tell(struct sg_jobs *jobs, const struct sg_job *job,
			 const struct sg_job_result *result,
			 struct sl_error *error)
{
	struct sg_job copy = *job;
	enum sl_code code = jobs->take(jobs->context, &copy, result, error);

	jobs->done++;
	show_progress(jobs, &copy);
	return code;
}

static enum sl_code start_next(struct sg_jobs *jobs, struct sl_error *error)
{
	struct running *slot = &jobs->running[jobs->running_count];
	struct sg_job_result result = { .end = SG_JOB_NOT_FOUND };
	enum sl_code code;

	*slot = (struct running){ .job = jobs->queue[jobs->next++],
				  .started_ns = sl_clock_ns(),
				  .deadline_ns = INT64_MAX };
	show_progress(jobs, &slot->job);
	code = sg_child_start(&slot->job, jobs->environment, &slot->child,
			      &result.status, error);
	if (code == SL_END)
		return tell(jobs, &slot->job, &result, error);
	if (code != SL_OK)
		return code;
	if (slot->job.timeout_ns > 0 &&
	    slot->job.timeout_ns < INT64_MAX - slot->started_ns)
		slot->deadline_ns = slot->started_ns + slot->job.timeout_ns;
	jobs->running_count++;
	return SL_OK;
}

static struct sg_job_result result_of(const struct running *slot,
				      const siginfo_t *about)
{
	struct sg_job_result result = {
		.end = SG_JOB_KILLED,
		.status = about->si_status,
		.elapsed_ns = sl_clock_ns() - slot->started_ns,
	};

	if (about->si_code == CLD_EXITED)
		result.end = SG_JOB_EXITED;
	else if (slot->timed_out)
		result.end = SG_JOB_TIMED_OUT;
	return result;
}

static void forget(struct sg_jobs *jobs, size_t at)
{
	jobs->running_count--;
	memmove(jobs->running + at, jobs->running + at + 1,
		(jobs->running_count - at) * sizeof(*jobs->running));
}

static enum sl_code bury_the_dead(struct sg_jobs *jobs, struct sl_error *error)
{
	enum sl_code code = SL_OK;

	for (size_t at = 0; at < jobs->running_count && code == SL_OK;) {
		struct running slot = jobs->running[at];
		struct sg_job_result result;
		siginfo_t about;

		if (!sg_child_reap(slot.child, false, &about)) {
			at++;
			continue;
		}
		result = result_of(&slot, &about);
		forget(jobs, at);
		code = tell(jobs, &slot.job, &result, error);
	}
	return code;
}

/* All at once, then one after the other. */
static void kill_all(struct sg_jobs *jobs)
{
	siginfo_t about;

	for (size_t at = 0; at < jobs->running_count; at++)
		sg_child_kill(jobs->running[at].child);
	for (size_t at = 0; at < jobs->running_count; at++)
		(void)sg_child_reap(jobs->running[at].child, true, &about);
	jobs->running_count = 0;
}

/* Kill what runs, and tell of it and of what was not started. */
static enum sl_code leave_all(struct sg_jobs *jobs, struct sl_error *error)
{
	int64_t now = sl_clock_ns();
	size_t count = jobs->running_count;
	enum sl_code code = SL_OK;

	kill_all(jobs);
	for (size_t at = 0; at < count && code == SL_OK; at++) {
		struct running *slot = &jobs->running[at];
		struct sg_job_result result = {
			.end = SG_JOB_LEFT,
			.elapsed_ns = now - slot->started_ns,
		};

		code = tell(jobs, &slot->job, &result, error);
	}
	while (jobs->next < jobs->count && code == SL_OK) {
		struct sg_job job = jobs->queue[jobs->next++];
		struct sg_job_result result = { .end = SG_JOB_LEFT };

		code = tell(jobs, &job, &result, error);
	}
	return code;
}

/* ---- waiting ----------------------------------------------------------- */

/* What is changed for the time of a run. */
struct watch {
	int fd; /* a signalfd */
	sigset_t mask; /* as it was */
	struct sigaction child; /* as it was */
	int subreaper; /* as it was */
};

static enum sl_code start_watch(struct watch *watch, struct sl_error *error)
{
	static const int stops[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action;
	sigset_t wanted;

	sigemptyset(&wanted);
	sigaddset(&wanted, SIGCHLD);
	/* What is ignored (nohup, a shell's background) stays ignored. */
	for (size_t at = 0; at < sizeof(stops) / sizeof(stops[0]); at++)
		if (sigaction(stops[at], NULL, &action) == 0 &&
		    action.sa_handler != SIG_IGN)
			sigaddset(&wanted, stops[at]);
	watch->fd = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
	if (watch->fd < 0)
		return SL_FAIL(error, SL_EIO, "cannot wait for signals: %s",
			       strerror(errno));
	/* An ignored SIGCHLD would take the children's ends with it. */
	memset(&action, 0, sizeof(action));
	action.sa_handler = SIG_DFL;
	sigaction(SIGCHLD, &action, &watch->child);
	pthread_sigmask(SIG_BLOCK, &wanted, &watch->mask);
	/* What analyzers leave behind becomes ours, to be waited for. */
	watch->subreaper = 0;
	prctl(PR_GET_CHILD_SUBREAPER, &watch->subreaper);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	return SL_OK;
}

/* @return the first signal that ends it all; 0: none came. */
static int read_signals(const struct watch *watch)
{
	struct signalfd_siginfo about;
	int stop = 0;

	while (read(watch->fd, &about, sizeof(about)) == sizeof(about))
		if (about.ssi_signo != SIGCHLD && !stop)
			stop = (int)about.ssi_signo;
	return stop;
}

/* A second Ctrl-C that came meanwhile is dropped with the first. */
static void end_watch(struct watch *watch, bool stopped)
{
	if (stopped)
		(void)read_signals(watch);
	close(watch->fd);
	prctl(PR_SET_CHILD_SUBREAPER, watch->subreaper);
	sigaction(SIGCHLD, &watch->child, NULL);
	pthread_sigmask(SIG_SETMASK, &watch->mask, NULL);
}

/* Kill what ran too long. @return when to look again; INT64_MAX: never. */
static int64_t watch_the_clock(struct sg_jobs *jobs, int64_t now)
{
	int64_t next = jobs->settings.deadline_ns ? jobs->settings.deadline_ns
						  : INT64_MAX;

	for (size_t at = 0; at < jobs->running_count; at++) {
		struct running *slot = &jobs->running[at];

		if (slot->timed_out)
			continue;
		if (slot->deadline_ns <= now) {
			slot->timed_out = true;
			sg_child_kill(slot->child);
		} else if (slot->deadline_ns < next) {
			next = slot->deadline_ns;
		}
	}
	return next;
}

static enum sl_code wait_until(const struct watch *watch, int64_t now,
			       int64_t until, struct sl_error *error)
{
	enum { SECOND_NS = 1000000000 };
	struct pollfd events = { .fd = watch->fd, .events = POLLIN };
	int64_t left = until > now ? until - now : 0;
	struct timespec time = { .tv_sec = (time_t)(left / SECOND_NS),
				 .tv_nsec = (long)(left % SECOND_NS) };

	if (ppoll(&events, 1, until == INT64_MAX ? NULL : &time, NULL) < 0 &&
	    errno != EINTR)
		return SL_FAIL(error, SL_EIO, "cannot wait for processes: %s",
			       strerror(errno));
	return SL_OK;
}

static bool is_over(const struct sg_jobs *jobs, int64_t now)
{
	return jobs->settings.deadline_ns && now >= jobs->settings.deadline_ns;
}

static enum sl_code run_all(struct sg_jobs *jobs, const struct watch *watch,
			    int *signal_number, struct sl_error *error)
{
	enum sl_code code = SL_OK;

	while (code == SL_OK) {
		int64_t now = sl_clock_ns();

		*signal_number = read_signals(watch);
		if (*signal_number || is_over(jobs, now))
			return leave_all(jobs, error);
		code = bury_the_dead(jobs, error);
		if (code != SL_OK)
			break;
		if (jobs->next < jobs->count &&
		    jobs->running_count < jobs->settings.parallel) {
			code = start_next(jobs, error);
			continue;
		}
		if (!jobs->running_count)
			break;
		code = wait_until(watch, now, watch_the_clock(jobs, now),
				  error);
	}
	return code;
}

enum sl_code sg_jobs_run(struct sg_jobs *jobs, sg_job_fn *done, void *context,
			 int *signal_number, struct sl_error *error)
{
	struct watch watch;
	int number = 0;
	enum sl_code code = start_watch(&watch, error);

	if (signal_number)
		*signal_number = 0;
	if (code != SL_OK)
		return code;
	jobs->take = done;
	jobs->context = context;
	code = run_all(jobs, &watch, &number, error);
	kill_all(jobs);
	jobs->count = jobs->next = jobs->done = 0;
	end_watch(&watch, number != 0);
	if (signal_number)
		*signal_number = number;
	if (number)
		return SL_FAIL(error, SL_ESTOPPED, "stopped by signal %d",
			       number);
	return code;
}
