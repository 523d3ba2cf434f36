/* SPDX-License-Identifier: MIT */
/* Bounds are tightened, a column at a time, until the line fits. */
#include "report/rows_fit.h"

enum { EVEN_MAX = 20 };

/* What is granted at most, or at least. */
struct bounds {
	size_t title, text; /* at most */
	size_t last; /* at least, to the last column */
	size_t gap;
	bool cuts_even;
};

static size_t smaller(size_t one, size_t other)
{
	return one < other ? one : other;
}

static size_t larger(size_t one, size_t other)
{
	return one > other ? one : other;
}

static bool is_cut(const struct sg_fit *column, const struct bounds *bounds)
{
	bool is_even = column->is_even && column->content <= EVEN_MAX &&
		       (column->is_dated || !bounds->cuts_even);

	return !column->is_number && !is_even;
}

static size_t width_of(const struct sg_fit *column, bool is_last,
		       const struct bounds *bounds)
{
	size_t content = column->content;

	if (is_cut(column, bounds))
		content = smaller(content, larger(bounds->text,
						  is_last ? bounds->last : 0));
	return larger(content, smaller(column->title, bounds->title));
}

/* Set all widths. @return what the line takes. */
static size_t set(struct sg_fit *columns, size_t count,
		  const struct bounds *bounds)
{
	size_t sum = (count - 1) * bounds->gap;

	for (size_t at = 0; at < count; at++) {
		columns[at].width =
			width_of(&columns[at], at + 1 == count, bounds);
		sum += columns[at].width;
	}
	return sum;
}

/* Lower *bound to @p least, or until the line fits. @return what it takes. */
static size_t lower(struct sg_fit *columns, size_t count, size_t width,
		    struct bounds *bounds, size_t *bound, size_t least)
{
	size_t sum = set(columns, count, bounds);

	while (sum > width && *bound > least) {
		--*bound;
		sum = set(columns, count, bounds);
	}
	return sum;
}

/* What is left over when all texts are cut to the same width; names get what
 * texts do not need. */
static void spend(struct sg_fit *columns, size_t count, size_t left)
{
	for (size_t at = 0; at < count && left; at++) {
		bool is_short = columns[at].width < columns[at].content;

		columns[at].width += is_short;
		left -= is_short;
	}
	for (size_t at = 0; at < count && left; at++) {
		size_t wanted = larger(columns[at].title, columns[at].width);
		size_t more = smaller(left, wanted - columns[at].width);

		columns[at].width += more;
		left -= more;
	}
}

size_t sg_fit_columns(struct sg_fit *columns, size_t count, size_t width)
{
	enum { TITLE = 4, TEXT = 8, LEAST = 3 };
	struct bounds bounds = {
		.title = width, .text = width, .last = width / 3, .gap = 2
	};
	size_t sum =
		lower(columns, count, width, &bounds, &bounds.title, TITLE);

	if (sum > width)
		sum = lower(columns, count, width, &bounds, &bounds.text, TEXT);
	if (sum > width) {
		bounds.gap = 1;
		bounds.text = width;
		sum = lower(columns, count, width, &bounds, &bounds.text, TEXT);
	}
	if (sum > width) {
		bounds.cuts_even = true;
		bounds.title = LEAST;
		sum = lower(columns, count, width, &bounds, &bounds.text,
			    LEAST);
	}
	if (sum > width)
		sum = lower(columns, count, width, &bounds, &bounds.last,
			    LEAST);
	if (sum < width)
		spend(columns, count, width - sum);
	return bounds.gap;
}
