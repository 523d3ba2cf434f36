/* SPDX-License-Identifier: MIT */
/* What it takes to hand a cache line from one CPU to another: two threads, each
 * on a CPU of its own, return a ball to each other. Prints ns one way, the
 * least of several tries: 25 to 50 where both have a cache in common, 150 and
 * more where they have none. A virtual machine's host may change that at any
 * time.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#define RETURNS 4000
#define TRIES 5

static _Alignas(128) atomic_uint ball;

static cpu_set_t all; /* CPUs that this process may use */

/* To the CPU of this number among them. */
static int pin(int number)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (CPU_ISSET(cpu, &all) && number-- == 0)
			CPU_SET(cpu, &one);
	}
	return pthread_setaffinity_np(pthread_self(), sizeof(one), &one);
}

/* Wait for the ball with this number, and return it. Who waits long has a
 * partner that is not on its CPU, and lets others have this one. */
static void hit(unsigned number)
{
	unsigned looks = 0;

	while (atomic_load_explicit(&ball, memory_order_acquire) != number) {
		if (++looks % 4096 == 0)
			sched_yield();
	}
	atomic_store_explicit(&ball, number + 1, memory_order_release);
}

static void *partner(void *failed)
{
	*(int *)failed = pin(1);
	for (unsigned at = 0; at < TRIES * RETURNS; at++)
		hit(2 * at + 1);
	return NULL;
}

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

int main(void)
{
	pthread_t thread;
	double least = 0;
	int failed = 0;

	if (sched_getaffinity(0, sizeof(all), &all) || pin(0) ||
	    pthread_create(&thread, NULL, partner, &failed))
		return 1;
	for (unsigned at = 0; at < TRIES; at++) {
		double start = now_ns(), each;

		for (unsigned turn = 0; turn < RETURNS; turn++)
			hit(2 * (at * RETURNS + turn));
		each = (now_ns() - start) / (2.0 * RETURNS);
		if (at == 0 || each < least)
			least = each;
	}
	pthread_join(thread, NULL);
	if (failed)
		return 1;
	printf("%.0f\n", least);
	return 0;
}
