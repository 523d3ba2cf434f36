/* SPDX-License-Identifier: MIT */
/** @file
 * The interfaces of a capture that is being written: a number for each pair of
 * a name and a link type, in the order in which they were added.
 *
 * Looking up is lock-free, from any thread. Adding is for one thread at a time:
 * who looks up meanwhile finds what was there, or the new one too.
 */
#ifndef PCAP_SINK_NUMBERS_H
#define PCAP_SINK_NUMBERS_H

#include <stdatomic.h>
#include <stdint.h>

#include "sluice/defs.h"
#include "sluice/error.h"

/** No number. */
#define NUMBER_UNKNOWN UINT32_MAX

struct number_table;

struct numbers {
	_Atomic(struct number_table *) table; /**< owned */
	uint32_t count;
};

/** @p numbers in place, and empty. SL_ENOMEM. */
enum sl_code numbers_init(struct numbers *numbers,
			  struct sl_error *error) SL_MUST_CHECK;

/** Takes one that is zeroed too. */
void numbers_finish(struct numbers *numbers);

/** What stands for a name's id (sluice/name.h) and a link type. */
static inline uint32_t number_key(uint16_t nic, uint16_t link_type)
{
	return (uint32_t)nic << 16 | link_type;
}

/** @return its number, or NUMBER_UNKNOWN. */
uint32_t numbers_find(const struct numbers *numbers, uint32_t key);

/** Give a key that has none the next number: numbers->count before.
 * SL_ENOMEM. */
enum sl_code numbers_add(struct numbers *numbers, uint32_t key,
			 struct sl_error *error) SL_MUST_CHECK;

#endif
