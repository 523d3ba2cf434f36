/* SPDX-License-Identifier: MIT */
/** @file
 * The commands of powercheck, and what they share. Each command takes its own
 * words, its name the first, and returns the exit code. Standard output is for
 * people to read, or the file that was asked for; standard error is talk.
 */
#ifndef POWERCHECK_H
#define POWERCHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "power/report.h"
#include "power/session.h"
#include "sluice/energy.h"
#include "sluice/error.h"

enum {
	EXIT_FIGURE = 0,
	EXIT_NONE = 1, /**< failed, or refused to give a figure */
	EXIT_USAGE = 2,
	EXIT_SIGNAL = 128,
};

typedef int powercheck_command(int argc, char **argv);

powercheck_command powercheck_check, powercheck_meters, powercheck_processes,
	powercheck_compare, powercheck_sweep, powercheck_calibrate;

/* ---- talk ---- */

/** "powercheck: message", a line; what is in it cannot steer a terminal. */
void powercheck_say(const char *fmt, ...) SL_PRINTF(1, 2);
/** The same, and where help is. @return EXIT_USAGE. */
int powercheck_misused(const char *fmt, ...) SL_PRINTF(1, 2);
/** Flush standard output. @return @p code, or EXIT_NONE if that failed. */
int powercheck_end(int code);

/** Parse a number of @p min to @p max, all of @p text. */
bool powercheck_number(const char *text, double min, double max,
		       double *number);

/* ---- signals ---- */

/** Let SIGINT, SIGTERM and SIGHUP be read from a descriptor. @return it; -1. */
int powercheck_catch(void);
/** @return the exit code of the signal that came: 128 + its number. */
int powercheck_caught(int cancel_fd);

/* ---- meters ---- */

enum { METERS_MAX = 16 };

/** Which meters the user wants; none: whatever the machine has. */
struct meter_choice {
	const char *texts[METERS_MAX]; /**< borrowed */
	size_t count;
	const char *root;
};

/** Open them, or those that there are. Fails when nothing can be measured, and
 * says why each cannot. */
enum sl_code powercheck_open(const struct meter_choice *choice,
			     struct sl_energy **energy,
			     struct sl_error *error) SL_MUST_CHECK;

/* ---- a check ---- */

/** What the command line says. */
struct check_options {
	struct sl_session_settings settings;
	struct meter_choice meters;
	const char *xml, *json; /**< files; NULL; "-" */
	FILE *text; /**< for people: stdout, or stderr where a report goes to
			 stdout */
	bool anyway;
	char **command; /**< NULL: none was given */
	const char *threads; /**< of sweep */
};

/** Parse the options of check and sweep. @return -1: go on; else the exit code,
 * and all is said. */
int powercheck_parse(const char *help, bool is_sweep, int argc, char **argv,
		     struct check_options *options);

/** Assess a command once, and write what files were asked for. @p report is
 * filled in as far as it came, and the caller's to finish. */
int powercheck_assess(const struct check_options *options, int cancel_fd,
		      struct sl_report *report);

/* ---- reports ---- */

typedef enum sl_code powercheck_writer(const struct sl_report *report,
				       struct sl_buffer *text,
				       struct sl_error *error);

/** Write to a file, "-" being standard output; a regular file has all of the
 * report or what it had before. @return whether it could be written, or @p path
 * is NULL; else why not is said. */
bool powercheck_write(const struct sl_report *report, const char *path,
		      powercheck_writer *write);
/** Whether that can work, before minutes are spent: SL_EIO. */
enum sl_code powercheck_can_write(const char *path,
				  struct sl_error *error) SL_MUST_CHECK;

/* ---- text for people ---- */

void powercheck_print_conditions(FILE *out, const struct sl_report *report,
				 const struct sl_session_settings *settings);
void powercheck_print_quiet(FILE *out, const struct sl_quiet *quiet);
void powercheck_print_phase(FILE *out, const struct sl_report *report,
			    const struct sl_phase *phase);
void powercheck_print_result(FILE *out, const struct sl_report *report);
/** "1.23 J, 95 %: 1.20 to 1.26 (estimate)". */
void powercheck_print_figure(FILE *out, const char *label, const char *unit,
			     const struct sl_figure *figure, bool estimate);

#endif
