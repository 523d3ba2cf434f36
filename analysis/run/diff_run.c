/* SPDX-License-Identifier: MIT */
/* The diff commands, with all that a configuration could change spelled out. */
#include <string.h>

#include "run/diff.h"
#include "run/git.h"

/* All are text (-a): attributes that call sources binary would hide how their
 * lines moved. */
static const char *const options[] = {
	"-r",
	"-p",
	"-U0",
	"-M",
	"-l1000",
	"-a",
	"--no-color",
	"--no-ext-diff",
	"--no-textconv",
	"--src-prefix=a/",
	"--dst-prefix=b/",
	"--relative",
	"--diff-algorithm=myers",
	"--indent-heuristic",
	"--inter-hunk-context=0",
	"--ignore-submodules=all",
	"-O/dev/null",
};

enum { OPTIONS = sizeof(options) / sizeof(options[0]), TREES_MAX = 4 };

enum sl_code sg_diff_run(struct sg_diff *diff, const char *folder,
			 const char *command, const char *const *trees,
			 bool *known, struct sl_error *error)
{
	const char *words[OPTIONS + TREES_MAX + 5] = {
		"-c",    "core.quotePath=false", "-c", "core.fsmonitor=false",
		command,
	};
	size_t count = 5;
	struct sg_git git;
	enum sl_code code;

	*known = false;
	*diff = (struct sg_diff){ .map = { NULL, 0 } };
	for (size_t at = 0; at < OPTIONS; at++)
		words[count++] = options[at];
	for (size_t at = 0; at < TREES_MAX && trees[at]; at++)
		words[count++] = trees[at];
	words[count] = NULL;
	code = sg_git_start(&git, folder, words, false, error);
	if (code != SL_OK)
		return code;
	code = sg_diff_read(diff, git.from, error);
	*known = sg_git_stop(&git) == 0 && code == SL_OK;
	if (code == SL_OK && !*known)
		sg_diff_finish(diff);
	return code;
}
