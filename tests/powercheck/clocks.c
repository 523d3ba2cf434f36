/* SPDX-License-Identifier: MIT */
/* Preloaded into a program: clocks that jump. The file that SLUICE_CLOCKS_FILE
 * names holds two numbers: seconds by which the wall clock is wrong, and
 * seconds that CLOCK_BOOTTIME is ahead, as if the machine had slept. Without
 * the file the clocks are right. */
#define _GNU_SOURCE /* syscall() */
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *now)
{
	const char *path = getenv("SLUICE_CLOCKS_FILE");
	int result = (int)syscall(SYS_clock_gettime, clock, now);
	long wall = 0, ahead = 0;
	FILE *file;

	if (clock != CLOCK_REALTIME && clock != CLOCK_BOOTTIME)
		return result;
	file = path ? fopen(path, "re") : NULL;
	if (!file)
		return result;
	if (fscanf(file, "%ld %ld", &wall, &ahead) == 2)
		now->tv_sec += clock == CLOCK_REALTIME ? wall : ahead;
	fclose(file);
	return result;
}
