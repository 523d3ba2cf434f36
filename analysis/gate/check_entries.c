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
	struct sg_gate_tree *tree = &check->tested;
	size_t count;
	const struct sg_snapshot_file *files =
		sg_snapshot_files(tree->snapshot, &count);
	const struct sg_snapshot_file *file =
		sg_snapshot_find(tree->snapshot, path);
	size_t number = file ? (size_t)(file - files) : SIZE_MAX;
	enum sl_code code = SL_OK;

	for (size_t at = 0; code == SL_OK && file && at < tree->count; at++) {
		struct sg_closure closure;

		code = sg_closures_of(tree->closures,
				      tree->rows[at].unit->source, NULL, 0,
				      &closure, error);
		for (size_t in = 0; code == SL_OK && in < closure.count; in++)
			tree->rows[at].wanted |= closure.files[in] == number;
	}
	return code;
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
