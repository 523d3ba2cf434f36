/* SPDX-License-Identifier: MIT */
/** @file
 * Files that steer analyzers: .clang-tidy, and what commands of the
 * configuration name (a list of suppressions, a rules file).
 *
 * They are part of the configuration, so all trees of a check are analysed with
 * those of the tree whose configuration holds; else a change could silence what
 * it brings.
 */
#ifndef SG_GATE_CHECK_LAW_H
#define SG_GATE_CHECK_LAW_H

#include "gate/check_parts.h"

/** Hash them into check->law, and note those that the change edits. */
enum sl_code sg_law_read(struct sg_check *check,
			 struct sl_error *error) SL_MUST_CHECK;

/** Put them into an exported tree in the place of its own. */
enum sl_code sg_law_lay(struct sg_check *check, const struct sg_gate_tree *tree,
			struct sl_error *error) SL_MUST_CHECK;

#endif
