/* SPDX-License-Identifier: MIT */
/** @file
 * USDT probes: the start and end of the measured region, for perf, bpftrace
 * and GDB. They cost a nop; without <sys/sdt.h> they are not there.
 */
#ifndef SL_PIPELINE_PROBES_H
#define SL_PIPELINE_PROBES_H

#if defined(__clang__)
/* The macros of <sys/sdt.h> are not as pedantic as we are. */
#pragma clang system_header
#endif

#if defined(__has_include)
#if __has_include(<sys/sdt.h>)
#include <sys/sdt.h>
#endif
#endif
#ifndef DTRACE_PROBE
#define DTRACE_PROBE(provider, name) ((void)0)
#endif

static inline void sl_probe_run_start(void)
{
	DTRACE_PROBE(sluice, run_start);
}

static inline void sl_probe_run_end(void)
{
	DTRACE_PROBE(sluice, run_end);
}

#endif
