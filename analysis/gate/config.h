/* SPDX-License-Identifier: MIT */
/** @file
 * .scgate.conf: what a repository asks of its gate. libconfig;
 * docs/scgate-check.md shows one, and `scgate init` writes one.
 */
#ifndef SG_GATE_CONFIG_H
#define SG_GATE_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/problems.h"
#include "read/finding.h"
#include "run/analyzer.h"

/** The file's name, in the root of the tree. */
#define SG_CONFIG_NAME ".scgate.conf"

enum sg_policy {
	SG_POLICY_ZERO, /**< no finding may be there */
	SG_POLICY_NO_RAISE, /**< no count may rise, in all and by rule */
	SG_POLICY_NO_NEW, /**< no finding may be new */
	SG_POLICY_MUST_REDUCE, /**< a change of code must lower the count */
};

/** "zero", "no-raise", "no-new", "must-reduce"; NULL at the end; by the values
 * of enum sg_policy. */
extern const char *const sg_policy_names[];

/** What holds below some paths. */
struct sg_path_rule {
	const char *pattern; /**< gate/pattern.h */
	bool has_policy;
	enum sg_policy policy;
	bool has_lowest;
	enum sg_severity lowest;
};

struct sg_config {
	struct sl_arena arena; /**< owns all below */
	enum sg_policy policy;
	enum sg_severity lowest; /**< less severe findings do not count; those
				      of unknown severity do */
	const char *build; /**< folder of compile_commands.json, relative to the
				root, or absolute; NULL: none is used */
	/* Without a database: */
	const char *const
		*sources; /**< patterns; NULL at the end; NULL: none */
	const char *compiler; /**< "cc" */
	const char *const *flags; /**< NULL at the end */
	const char *const *exclude; /**< patterns of what is neither analysed
				       nor judged; NULL at the end */
	const struct sg_analyzer *const *analyzers; /**< NULL at the end */
	const struct sg_path_rule *paths; /**< the last that fits holds */
	size_t path_count;
	const char *suppressions; /**< relative to the root */
	bool variants; /**< a source that is compiled in several ways is
			    analysed in each */
	bool new_suppressions; /**< entries that a change brings count */
	enum sg_inline inline_suppressions;
	const char *baseline; /**< relative to the root; NULL: none */
	int64_t hook_budget_ns; /**< of a check of staged content; 0: none */
	unsigned jobs; /**< at most so many at once; 0: a core each */
};

/** Read @p text (of @p length bytes) as the configuration @p name (for
 * messages). All that is wrong goes to @p problems, as "NAME:LINE: ...", with
 * "did you mean". SL_EINVAL: there are problems; SL_ENOMEM. After a failure
 * there is nothing to finish. */
enum sl_code sg_config_parse(struct sg_config *config, const char *text,
			     size_t length, const char *name,
			     struct sl_problems *problems,
			     struct sl_error *error) SL_MUST_CHECK;
void sg_config_finish(struct sg_config *config);

/** @return the policy and the lowest severity that hold at @p path (NULL: of a
 * finding without a place). */
enum sg_policy sg_config_policy(const struct sg_config *config,
				const char *path);
enum sg_severity sg_config_lowest(const struct sg_config *config,
				  const char *path);

/** @return whether @p path is excluded. */
bool sg_config_excludes(const struct sg_config *config, const char *path);

#endif
