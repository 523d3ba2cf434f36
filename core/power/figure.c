/* SPDX-License-Identifier: MIT */
#include "power/figure.h"

#include <math.h>

#include "base/expanded.h"

struct sl_figure sl_figure_of(const struct sl_repeat *repeats, size_t count)
{
	double n = (double)count, squares = 0, variance = 0, u_mean, half;
	struct sl_figure figure = { .valid = count > 0 };

	if (!count)
		return figure;
	for (size_t at = 0; at < count; at++) {
		figure.value += repeats[at].value / n;
		figure.systematic += repeats[at].systematic / n;
		variance += repeats[at].u * repeats[at].u;
	}
	for (size_t at = 0; at < count; at++)
		squares += pow(repeats[at].value - figure.value, 2);
	u_mean = sqrt(variance) / n;
	figure.random = 2 * u_mean;
	if (count > 1)
		figure.random =
			fmax(u_mean, sl_student_t95(count - 1) *
					     sqrt(squares / (n - 1) / n));
	half = sl_expanded(figure.random, figure.systematic, count - 1);
	figure.low = figure.value - half;
	figure.high = figure.value + half;
	return figure;
}

static double squared(double x)
{
	return x * x;
}

/* Relative parts add in squares, to first order (JCGM 100:2008, 5.1.6). */
struct sl_figure sl_figure_ratio(const struct sl_figure *a,
				 const struct sl_figure *b, bool together)
{
	struct sl_figure ratio = { 0 };
	double random, systematic = 0, half;

	if (!a->valid || !b->valid || b->low <= 0 || a->value <= 0)
		return ratio;
	ratio.valid = true;
	ratio.value = a->value / b->value;
	random = sqrt(squared(a->random / a->value) +
		      squared(b->random / b->value));
	if (!together)
		systematic = sqrt(squared(a->systematic / a->value) +
				  squared(b->systematic / b->value));
	ratio.random = ratio.value * random;
	ratio.systematic = ratio.value * systematic;
	half = hypot(ratio.random, ratio.systematic);
	ratio.low = ratio.value - half;
	ratio.high = ratio.value + half;
	return ratio;
}
