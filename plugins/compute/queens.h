/* SPDX-License-Identifier: MIT */
/** @file
 * The N-Queens problem: work whose amount and result are known beforehand.
 */
#ifndef COMPUTE_QUEENS_H
#define COMPUTE_QUEENS_H

#include "sluice/defs.h"

/** Boards have 1 ... QUEENS_MAX rows. */
#define QUEENS_MAX 16

/** Ways to put @p size queens on a board of that side so that none attacks
 * another, counted by visiting every one of them. */
unsigned queens_count(unsigned size);

/** The same number from a table (OEIS A000170). */
unsigned queens_known(unsigned size);

#endif
