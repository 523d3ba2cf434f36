/* SPDX-License-Identifier: MIT */
/* Equal keys are brought together by sorting, and counted off. */
#include "gate/identity.h"

#include <stdlib.h>

struct sg_hash sg_identity_key(const struct sg_fingerprint *fingerprint,
			       const char *path)
{
	return sg_hash_join(sg_hash_is_zero(fingerprint->line)
				    ? fingerprint->function
				    : fingerprint->line,
			    sg_hash_path(path ? path : ""));
}

/* By key, what is open first, and then as they stand. */
static int compare(const void *a, const void *b)
{
	const struct sg_judged *one = *(struct sg_judged *const *)a;
	const struct sg_judged *two = *(struct sg_judged *const *)b;
	int order = sg_hash_order(one->identity, two->identity);
	bool is_fixed = one->verdict == SG_FIXED;

	if (order)
		return order;
	if (is_fixed != (two->verdict == SG_FIXED))
		return is_fixed ? 1 : -1;
	return one < two ? -1 : one > two;
}

enum sl_code sg_identities_part(struct sg_judged *judged, size_t count)
{
	struct sg_judged **sorted = calloc(count + 1, sizeof(*sorted));
	struct sg_hash key = { 0, 0 };
	uint64_t number = 0;

	if (!sorted)
		return SL_ENOMEM;
	for (size_t at = 0; at < count; at++)
		sorted[at] = &judged[at];
	qsort(sorted, count, sizeof(*sorted), compare);
	for (size_t at = 0; at < count; at++) {
		const struct sg_hash own = sorted[at]->identity;

		number = at && sg_hash_equal(own, key) ? number + 1 : 0;
		key = own;
		if (number)
			sorted[at]->identity = sg_hash_join(
				own, (struct sg_hash){ 0, number });
	}
	free(sorted);
	return SL_OK;
}
