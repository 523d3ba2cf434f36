/* SPDX-License-Identifier: MIT */
/** @file
 * Policies: from what became of findings to a verdict.
 *
 *     zero         none that counts may be there, new or not
 *     no-raise     the count may rise neither in all nor of a (tool, rule)
 *     no-new       no identity may be new
 *     must-reduce  as no-raise; and a change of code must lower the count while
 *                  it is above zero
 *
 * Unknown findings count before and after. Accepted ones do not count. A merge
 * is judged `no-new` where it would be judged no-raise or must-reduce. Where
 * paths have policies of their own, each policy looks at its own findings;
 * total and rules are counted among those of one policy. A finding that was
 * accepted before and is not any longer counts as added, under no-new too; the
 * other way round as fixed. Where the judgement knows only affected units, the
 * count of must-reduce is theirs.
 *
 * Objected to is, under zero, what is open; under no-new what is added; and
 * under the others what is added of the rules whose count rose.
 */
#ifndef SG_GATE_POLICY_H
#define SG_GATE_POLICY_H

#include "base/arena.h"
#include "gate/judgement.h"

/** Fill in the fields of @p judgement that policies fill in, and take back what
 * new entries accept where @p config does not let them count; its outcome
 * becomes SG_REJECTED if a policy objects and it is not SG_INCOMPLETE.
 * @p forced: NULL, or the policy that holds everywhere (`--policy`). Lists are
 * in @p arena. @return SL_OK; SL_ENOMEM. */
enum sl_code sg_policy_apply(struct sg_judgement *judgement,
			     const struct sg_config *config,
			     const enum sg_policy *forced,
			     struct sl_arena *arena) SL_MUST_CHECK;

#endif
