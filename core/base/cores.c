/* SPDX-License-Identifier: MIT */
/* How many cores there are to use. The mask is a GNU extension. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "base/cores.h"

#include <sched.h>
#include <unistd.h>

unsigned sl_count_cores(void)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	cpu_set_t allowed;

	/* Fails where the machine has more CPUs than a cpu_set_t. */
	if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0)
		cores = CPU_COUNT(&allowed);
	return cores > 0 ? (unsigned)cores : 1;
}
