/* SPDX-License-Identifier: MIT */
/* meter: the joules of a command, or of one second, by a meter of one's choice.
 *
 *     meter METER [COMMAND ARGUMENT...]
 *     meter rapl make
 *     meter "cpu_model:idle=3.0,busy=20.0"
 */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sluice/energy.h"

extern char **environ;

static void print_domains(const struct sl_energy *energy)
{
	for (size_t at = 0; at < sl_energy_domain_count(energy); at++) {
		const struct sl_energy_domain *domain =
			sl_energy_domain(energy, at);

		fprintf(stderr, "%s: %s: %s%s\n", domain->meter, domain->label,
			domain->in_sum ? "counted" : "not counted: ",
			domain->in_sum   ? ""
			: domain->usable ? domain->aside
					 : domain->unusable);
	}
}

/* @return the command's exit code, or that of a second that passed. */
static int wait_for(char **command)
{
	const struct timespec second = { .tv_sec = 1 };
	int status = 0, reason;
	pid_t child;

	if (!command[0])
		return nanosleep(&second, NULL);
	reason = posix_spawnp(&child, command[0], NULL, NULL, command, environ);
	if (reason) {
		fprintf(stderr, "meter: %s: %s\n", command[0],
			strerror(reason));
		return 127;
	}
	if (waitpid(child, &status, 0) < 0)
		return 127;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static void print_span(const struct sl_energy_span *span)
{
	if (!span->valid) {
		fprintf(stderr, "no figure: %s\n", span->reason);
		return;
	}
	fprintf(stdout, "%.3f s, %.3f J +- %.3f J, %.3f W%s\n", span->seconds,
		span->energy_j, span->half_j, span->watts,
		span->estimate ? " (estimate)" : "");
	if (span->reason[0])
		fprintf(stderr, "note: %s\n", span->reason);
}

static enum sl_code measure(struct sl_energy *energy, char **command,
			    int *result, struct sl_error *error)
{
	struct sl_energy_mark before = { 0 }, after = { 0 };
	struct sl_energy_span span;
	enum sl_code code = sl_energy_start(energy, 0, error);

	if (code == SL_OK)
		code = sl_energy_mark(energy, &before, error);
	if (code == SL_OK) {
		*result = wait_for(command);
		code = sl_energy_mark(energy, &after, error);
	}
	sl_energy_stop(energy);
	if (code == SL_OK)
		code = sl_energy_sum(energy, &before, &after, &span, error);
	if (code == SL_OK)
		print_span(&span);
	sl_energy_mark_finish(&before);
	sl_energy_mark_finish(&after);
	return code;
}

int main(int argc, char **argv)
{
	struct sl_energy *energy = NULL;
	struct sl_error error;
	enum sl_code code;
	int result = EXIT_FAILURE;

	if (argc < 2) {
		fputs("usage: meter METER [COMMAND ARGUMENT...]\n", stderr);
		return 2;
	}
	code = sl_energy_create(&energy, NULL, &error);
	if (code == SL_OK)
		code = sl_energy_open(energy, argv[1], &error);
	if (code == SL_OK) {
		print_domains(energy);
		code = measure(energy, argv + 2, &result, &error);
	}
	sl_energy_destroy(energy);
	if (code != SL_OK)
		fprintf(stderr, "meter: %s\n", error.message);
	return code == SL_OK ? result : EXIT_FAILURE;
}
