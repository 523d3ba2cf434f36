/* SPDX-License-Identifier: MIT */
/* Units that are looked at for the entries' sake. */
#include <string.h>

#include "gate/check_parts.h"

void sg_check_want_twins(struct sg_check *check)
{
	for (size_t base = 0; base < check->base_count; base++)
		for (size_t at = 0; at < check->bases[base].count; at++) {
			struct sg_gate_unit *row = &check->bases[base].rows[at];

			if (row->twin != SIZE_MAX)
				row->wanted |=
					check->tested.rows[row->twin].wanted;
		}
}

/* The units of the tested tree that may read a file. */
static enum sl_code want_those_of(struct sg_check *check, const char *path,
				  struct sl_error *error)
{
	const struct sg_snapshot_file *file =
		sg_snapshot_find(check->tested.snapshot, path);
	bool widened = false;

	return file ? sg_check_want_readers(check, &check->tested, file,
					    &widened, error)
		    : SL_OK;
}

enum sl_code sg_check_want_unexcused(struct sg_check *check,
				     struct sl_error *error)
{
	size_t count = sg_suppressions_count(check->before);
	enum sl_code code = SL_OK;

	for (size_t at = 0; code == SL_OK && at < count; at++) {
		const struct sg_suppression *entry =
			sg_suppressions_at(check->before, at);

		if (sg_check_has_entry(check->after, entry) || !entry->path)
			continue;
		code = want_those_of(check, entry->path, error);
	}
	sg_check_want_twins(check);
	return code;
}
