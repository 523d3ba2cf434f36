/* SPDX-License-Identifier: MIT */
/** @file
 * Processes run side by side, each with a limit of time, all gone at the end.
 *
 *     sg_jobs_create(&jobs, &settings, error);
 *     sg_jobs_add(jobs, &job, error);          (any number)
 *     sg_jobs_run(jobs, done, context, &signal_number, error); (here they run)
 *     sg_jobs_destroy(jobs);
 *
 * Each is a process group of its own, with /dev/null as standard input,
 * LC_ALL=C and no GIT_* in its environment, its standard output and error in
 * files of its own, and is killed when scgate dies (PR_SET_PDEATHSIG). Nothing
 * polls: it waits for children and signals in the kernel.
 */
#ifndef SG_RUN_JOBS_H
#define SG_RUN_JOBS_H

#include <stdbool.h>
#include <stdint.h>

#include "sluice/defs.h"
#include "sluice/error.h"

/** How a process ended. */
enum sg_job_end {
	SG_JOB_EXITED, /**< by itself; `status` is its exit status */
	SG_JOB_KILLED, /**< by a signal; `status` is its number */
	SG_JOB_TIMED_OUT, /**< after its own limit */
	SG_JOB_NOT_FOUND, /**< there is no such program; `status` is errno */
	SG_JOB_LEFT, /**< not run, or not to its end: the deadline of all, or
			  a signal, came before */
};

struct sg_job {
	const char *const *words; /**< borrowed until it ran; NULL at the end */
	const char *directory; /**< borrowed; made with its parents if it is not
				    there */
	const char *out, *err; /**< borrowed; files that are made anew; NULL:
				    /dev/null */
	int64_t timeout_ns; /**< 0: none */
	void *context; /**< of the caller's */
};

struct sg_job_result {
	enum sg_job_end end;
	int status;
	int64_t elapsed_ns;
};

/** Takes a process's end, in the order in which they end, in the thread of
 * sg_jobs_run(). It may add jobs. What it returns other than SL_OK kills the
 * rest and is returned. */
typedef enum sl_code sg_job_fn(void *context, const struct sg_job *job,
			       const struct sg_job_result *result,
			       struct sl_error *error);

struct sg_jobs_settings {
	unsigned parallel; /**< at most so many at once; 0: a core each */
	int64_t deadline_ns; /**< of CLOCK_MONOTONIC; 0: none */
	const char *temp; /**< their TMPDIR, where what they leave when they are
			       killed does not stay; borrowed by
			       sg_jobs_create() alone; NULL: as it is */
	/** Is told before each process begins and ends how many are done, for a
	 * progress line; may be NULL. */
	void (*progress)(void *context, size_t done, size_t all,
			 const struct sg_job *job);
	void *context;
};

struct sg_jobs;

enum sl_code sg_jobs_create(struct sg_jobs **jobs,
			    const struct sg_jobs_settings *settings,
			    struct sl_error *error) SL_MUST_CHECK;
/** Kills what runs, and waits for it. Takes NULL. */
void sg_jobs_destroy(struct sg_jobs *jobs);

/** Add a job; copied, but not what it points to. */
enum sl_code sg_jobs_add(struct sg_jobs *jobs, const struct sg_job *job,
			 struct sl_error *error) SL_MUST_CHECK;

/** Run all, until none is left. SIGINT, SIGTERM and SIGHUP kill all process
 * groups, wait for them, and give SL_ESTOPPED, *signal_number (may be NULL) the
 * signal: every job was told as SG_JOB_LEFT before. Reaching the deadline is no
 * failure: what is left is SG_JOB_LEFT. SL_EIO: the system refused to start
 * processes; SL_ENOMEM. */
enum sl_code sg_jobs_run(struct sg_jobs *jobs, sg_job_fn *done, void *context,
			 int *signal_number,
			 struct sl_error *error) SL_MUST_CHECK;

#endif
