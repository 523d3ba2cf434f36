/* SPDX-License-Identifier: MIT */
/** @file
 * A pcap-filter(7) expression, compiled by libpcap for each link type that
 * occurs.
 *
 * programs_find() is for any thread at any time. It takes a lock when it meets
 * a link type for the first time, and never again.
 */
#ifndef FILTER_PROGRAMS_H
#define FILTER_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/defs.h"
#include "sluice/error.h"

/** Room for what libpcap says is wrong. */
#define PROGRAM_WHY 256

/** The expression for one link type. */
struct program;

struct programs;

/** @return whether the expression fits one link type at least; if not, @p why
 * (PROGRAM_WHY bytes) is what libpcap says of Ethernet, or of no memory. */
bool programs_try(const char *expression, char *why) SL_MUST_CHECK;

/** @p expression is borrowed. SL_ENOMEM. */
enum sl_code programs_create(struct programs **programs, const char *expression,
			     struct sl_error *error) SL_MUST_CHECK;
void programs_destroy(struct programs *programs);

/** @return the program, borrowed; NULL: no memory. */
const struct program *programs_find(struct programs *programs,
				    uint16_t link_type) SL_MUST_CHECK;

/** @return NULL, or why the expression cannot be used for the link type. */
const char *program_why(const struct program *program);

/** Whether a frame matches; @p program has no program_why(). What it asks for
 * beyond the captured bytes makes it false. */
bool program_matches(const struct program *program, const uint8_t *frame,
		     uint32_t captured, uint32_t original);

#endif
