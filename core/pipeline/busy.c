/* SPDX-License-Identifier: MIT */
#include "pipeline/busy.h"

#include <math.h>

static void sample(struct sl_busy *busy, double wall, double cpu)
{
	/* The two clock readings of the thread are no work of the step. */
	cpu = fmin(cpu, wall);
	SL_BUSY_ADD(busy->samples, 1);
	SL_BUSY_ADD(busy->wall, wall);
	SL_BUSY_ADD(busy->cpu, cpu);
	SL_BUSY_ADD(busy->wall2, wall * wall);
	SL_BUSY_ADD(busy->cpu2, cpu * cpu);
	SL_BUSY_ADD(busy->both, wall * cpu);
}

int64_t sl_stopwatch_stop(const struct sl_stopwatch *watch, int64_t waited_ns,
			  struct sl_busy *busy)
{
	int64_t wall_ns = sl_clock_ns() - watch->wall_ns - waited_ns;

	SL_BUSY_ADD(busy->busy_ns, wall_ns);
	if (watch->sampled) {
		int64_t cpu_ns = sl_clock_read_ns(CLOCK_THREAD_CPUTIME_ID) -
				 watch->cpu_ns;

		sample(busy, (double)wall_ns * 1e-9, (double)cpu_ns * 1e-9);
	}
	return wall_ns;
}

#define READ(field) atomic_load_explicit(&(field), memory_order_relaxed)

void sl_busy_sum_add(struct sl_busy_sum *sum, const struct sl_busy *busy)
{
	sum->busy_ns += READ(busy->busy_ns);
	sum->samples += READ(busy->samples);
	sum->wall += READ(busy->wall);
	sum->cpu += READ(busy->cpu);
	sum->wall2 += READ(busy->wall2);
	sum->cpu2 += READ(busy->cpu2);
	sum->both += READ(busy->both);
}

double sl_busy_sum_cpu(const struct sl_busy_sum *sum, double *u_s)
{
	double n = (double)sum->samples, busy_s = (double)sum->busy_ns * 1e-9;
	double ratio, residuals;

	*u_s = 0;
	if (sum->busy_ns <= 0)
		return 0;
	*u_s = INFINITY;
	if (sum->samples < 2 || sum->wall <= 0)
		return sum->wall > 0 ? busy_s * sum->cpu / sum->wall : 0;
	ratio = sum->cpu / sum->wall;
	residuals =
		sum->cpu2 - 2 * ratio * sum->both + ratio * ratio * sum->wall2;
	*u_s = busy_s / sum->wall * sqrt(fmax(residuals, 0) * n / (n - 1));
	return busy_s * ratio;
}
