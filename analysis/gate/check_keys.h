/* SPDX-License-Identifier: MIT */
/** @file
 * Keys of results and notes of a check, and what is found by them.
 *
 * What a unit depends on beyond the closure is known once its compiler has
 * listed it: a note by the *compile key*, a path a line, absolute or (of files
 * that a macro includes) relative to the tree. The contents of these files give
 * the unit's `outside`, which is part of all other keys. That the unit compiles
 * is another note.
 */
#ifndef SG_GATE_CHECK_KEYS_H
#define SG_GATE_CHECK_KEYS_H

#include "gate/check_parts.h"
#include "gate/key.h"
#include "gate/pattern.h"

/** Contents of files outside of trees, each hashed once a check. */
struct sg_outside *sg_outside_create(void);
void sg_outside_destroy(struct sg_outside *outside);

/** Add what of the environment says where compilers find headers. */
void sg_check_add_environment(struct sg_key *key);

/** @return the key of the list. */
struct sg_hash sg_check_compile_key(struct sg_check *check,
				    const struct sg_gate_unit *row,
				    const char *kind);
/** @return the key of that it compiles; its outside is known. */
struct sg_hash sg_check_compiled_key(struct sg_check *check,
				     const struct sg_gate_unit *row);
/** @return the key of a result; the unit's outside is known. */
struct sg_hash sg_check_key(struct sg_check *check,
			    const struct sg_gate_unit *row, size_t tool);
/** Find what is kept of the outside of all units that a tool is for. */
enum sl_code sg_check_know_outside(struct sg_check *check,
				   const struct sg_gate_tree *tree, size_t tool,
				   struct sl_error *error) SL_MUST_CHECK;
/** @return the key of the result of an analyzer that runs once for all: of this
 * moment alone while the outside of a unit is not known. */
struct sg_hash sg_check_once_key(struct sg_check *check,
				 const struct sg_gate_tree *tree, size_t tool);

/** Set the unit's outside from the list. */
enum sl_code sg_check_hash_outside(struct sg_check *check,
				   const struct sg_gate_tree *tree,
				   struct sg_gate_unit *row, const char *list,
				   struct sl_error *error) SL_MUST_CHECK;

/** Find what is kept of a unit. */
enum sl_code sg_check_look_up(struct sg_check *check,
			      const struct sg_gate_tree *tree,
			      struct sg_gate_unit *row,
			      struct sl_error *error) SL_MUST_CHECK;
enum sl_code sg_check_look_up_once(struct sg_check *check,
				   const struct sg_gate_tree *tree, size_t tool,
				   struct sl_error *error) SL_MUST_CHECK;

/** @return whether the analyzer is for the unit. */
bool sg_check_is_for(const struct sg_gate_tool *tool,
		     const struct sg_gate_unit *row);
/** @return whether something of the unit must be analysed. */
bool sg_check_lacks(const struct sg_check *check,
		    const struct sg_gate_unit *row);

#endif
