/* SPDX-License-Identifier: MIT */
/** @file
 * Repeats of what a checker at run time reports, folded with a count.
 *
 * Valgrind and the sanitizers report a defect each time that the program meets
 * it. Two findings are one if tool, rule, place, function and all events'
 * places are equal and so are the messages, but for numbers and addresses
 * where there is a place to tell them apart. The first one's words stay, the
 * counts add up.
 *
 * Memory is bounded: at most SG_FOLD_FINDINGS different ones, of SG_FOLD_BYTES
 * together (or a single larger one), are held. For one more the oldest is
 * handed on; if it comes back, it is another finding with a count of its own.
 * So counts may be split, and never lose one.
 */
#ifndef SG_READ_FOLD_H
#define SG_READ_FOLD_H

#include "read/reader.h"

enum { SG_FOLD_FINDINGS = 1024, SG_FOLD_BYTES = 16 << 20 };

struct sg_fold;

/** @return an empty one, owned by the caller; NULL: no memory. @p context is
 * borrowed. */
struct sg_fold *sg_fold_create(sg_finding_fn *take, void *context);
void sg_fold_destroy(struct sg_fold *fold); /**< takes NULL, hands on nothing */

/** @return whether the finding's tool watches a program that runs. */
bool sg_fold_is_dynamic(const struct sg_finding *finding);

/** Hold a copy of the finding, or count it. @return SL_OK, SL_ENOMEM, or what
 * the callback returned for the one that had to leave. */
enum sl_code sg_fold_add(struct sg_fold *fold, const struct sg_finding *finding,
			 struct sl_error *error) SL_MUST_CHECK;

/** Hand on all, in the order in which they came first. */
enum sl_code sg_fold_flush(struct sg_fold *fold,
			   struct sl_error *error) SL_MUST_CHECK;

#endif
