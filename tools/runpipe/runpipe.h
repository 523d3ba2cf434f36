/* SPDX-License-Identifier: MIT */
/** @file
 * The commands of runpipe besides running a pipeline. Each takes its own words,
 * its name the first, and returns the exit code.
 */
#ifndef RUNPIPE_H
#define RUNPIPE_H

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_SIGNAL = 128 };

/** Print @p text, a help or a version. @return the exit code. */
int say(const char *text);

/** runpipe counters: what programs have published by sluice/counter.h. */
int show_counters(int argc, char **argv);

/** runpipe top: a running pipeline, live in a terminal. */
int show_top(int argc, char **argv);

#endif
