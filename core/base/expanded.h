/* SPDX-License-Identifier: MIT */
/** @file
 * Half of an interval that has a random and a systematic part.
 */
#ifndef SL_BASE_EXPANDED_H
#define SL_BASE_EXPANDED_H

#include <math.h>
#include <stddef.h>

#include "sluice/assess.h"

/** 97.5 % quantile of the normal distribution. */
#define SL_Z95 1.959963984540054

/** With so many degrees of freedom Student's t is normal. */
#define SL_DEGREES_MAX 1e9

/** Half of the 95 % interval by both parts, of which @p random is half of one
 * by Student's t of @p degrees, 0: of a single run. Of a few repeats the
 * scatter itself is known badly, of the calibration it is not: Welch and
 * Satterthwaite's degrees of freedom (JCGM 100:2008, G.4.1). */
static inline double sl_expanded(double random, double systematic,
				 size_t degrees)
{
	double random_u, u, effective;

	if (!degrees || random <= 0)
		return hypot(random, systematic);
	random_u = random / sl_student_t95(degrees);
	u = hypot(random_u, systematic / SL_Z95);
	effective = (double)degrees * pow(u / random_u, 4);
	return u * sl_student_t95((size_t)fmin(effective, SL_DEGREES_MAX));
}

#endif
