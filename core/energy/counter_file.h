/* SPDX-License-Identifier: MIT */
/** @file
 * The layout of a counter file, for those that write and read it. What each
 * field means stands in sluice/counter.h.
 */
#ifndef SL_ENERGY_COUNTER_FILE_H
#define SL_ENERGY_COUNTER_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "sluice/counter.h"

#define COUNTER_MAGIC "SLCOUNT1"
#define COUNTER_ORDER UINT32_C(0x01020304)
#define COUNTER_SUFFIX ".counters"

enum { COUNTER_FILE_LIVE = 1, COUNTER_FILE_ENDED = 2 };
enum { COUNTER_IS_DOUBLE = 1 };

struct counter_head {
	char magic[8];
	uint32_t order;
	uint32_t count;
	uint32_t process;
	uint32_t state;
	uint64_t started; /**< field 22 of /proc/PID/stat */
	int64_t created_ns;
	uint8_t boot[16];
	uint8_t reserved[8];
	char program[SL_COUNTER_PROGRAM];
};

struct counter_record {
	uint64_t value;
	uint8_t reserved[56];
	uint32_t flags;
	uint32_t reserved_too;
	double scale;
	char unit[SL_COUNTER_UNIT];
	char name[SL_COUNTER_NAME];
};

struct counter_file {
	struct counter_head head;
	struct counter_record records[];
};

SL_STATIC_ASSERT(sizeof(struct counter_head) == 128, "as documented");
SL_STATIC_ASSERT(sizeof(struct counter_record) == 128, "as documented");

static inline size_t counter_file_size(size_t count)
{
	return sizeof(struct counter_head) +
	       count * sizeof(struct counter_record);
}

/** sl_counters_create(), but those that are @p unknown begin as gauges of NaN:
 * nobody ever reads a 0 of them. */
enum sl_code counters_create_unknown(struct sl_counters **counters,
				     const char *program,
				     const struct sl_counter_def *defs,
				     const bool *unknown, size_t count,
				     struct sl_error *error) SL_MUST_CHECK;

/** Whether @p text, of at most @p size bytes with its NUL, is a name: see
 * struct sl_counter_def. */
bool counter_name_ok(const char *text, size_t size);
/** The same for a unit, which may be empty and may start with anything. */
bool counter_unit_ok(const char *text, size_t size);

/** When process @p pid started, in ticks since the boot; 0: there is none. */
uint64_t counter_process_started(pid_t pid);

/** The id of this boot; all zero where the system has none. */
void counter_boot_id(uint8_t boot[16]);

#endif
