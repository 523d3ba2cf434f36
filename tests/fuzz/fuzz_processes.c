/* SPDX-License-Identifier: MIT */
/* The processes of a tree. Whatever the files, processes stand in the order of
 * their ids, names cannot steer a terminal, and activities are sorted. */
#include <math.h>

#include "power/processes.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/tree.h"

static const char *const paths[] = {
	"proc/5/stat", /* a */
	"proc/5/status", /* b */
	"proc/5/task/5/status", /* c */
	"proc/5/task/6/status", /* d */
	"proc/6/stat", /* e */
	"proc/6/status", /* f */
	"proc/7/stat", /* g */
	"proc/7/status", /* h */
	"proc/77777777777777777777777/stat", /* i: no process has that id */
	"proc/8x/stat", /* j: nor this */
};

enum { ROOM = 3 };

static void check_all(const struct sl_processes *all)
{
	for (size_t at = 0; at < all->count; at++) {
		const struct sl_process *one = &all->list[at];

		fuzz_require(one->pid >= 5 && one->pid <= 7);
		fuzz_require(at == 0 || one->pid > all->list[at - 1].pid);
		fuzz_require(sl_processes_find(all, one->pid) == one);
		fuzz_require_flat(one->name);
		fuzz_require(one->has_wakeups || !one->wakeups);
	}
}

static void check_activities(const struct sl_processes *from,
			     const struct sl_processes *to,
			     enum sl_activity_order order)
{
	struct sl_activity active[ROOM];
	size_t count = sl_processes_active(from, to, order, 6, active, ROOM);

	fuzz_require(count <= ROOM);
	for (size_t at = 0; at < count; at++) {
		double shown = order == SL_BY_CPU ? active[at].cpu
						  : active[at].wakeups_s;

		fuzz_require(active[at].pid != 6 && shown > 0);
		fuzz_require(at == 0 || order != SL_BY_CPU ||
			     active[at - 1].cpu >= shown);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sl_processes from = { 0 }, to = { 0 };
	struct fuzz_tree tree;
	double wakeups_s;

	fuzz_tree_make(&tree, paths, sizeof(paths) / sizeof(paths[0]), data,
		       size);
	if (sl_processes_read(tree.root, &from, NULL) == SL_OK) {
		fuzz_tree_go_on(&tree);
		fuzz_require(sl_processes_read(tree.root, &to, NULL) == SL_OK);
		to.at_ns = from.at_ns + INT64_C(1000000000);
		check_all(&from);
		check_all(&to);
		check_activities(&from, &to, SL_BY_CPU);
		check_activities(&from, &to, SL_BY_WAKEUPS);
		wakeups_s = sl_processes_wakeups(&from, &to, 5, false);
		fuzz_require(isnan(wakeups_s) || wakeups_s >= 0);
	}
	sl_processes_finish(&from);
	sl_processes_finish(&to);
	fuzz_tree_finish(&tree);
	return 0;
}
