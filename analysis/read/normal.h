/* SPDX-License-Identifier: MIT */
/** @file
 * Findings made comparable, between a reader and whoever takes them: paths,
 * units and events relative to the root of a tree (read/root.h), repeats of a
 * checker at run time folded (read/fold.h).
 *
 *     sg_normal_create(&normal, &settings, take, context, error);
 *     sg_document_read(path, format, sg_normal_take, normal, ...);
 *     sg_normal_flush(normal, error);
 *
 * Findings of compilers and analyzers pass at once, in their order. Those of
 * checkers at run time come at the latest with the flush, which belongs after
 * each document: what two program runs say is not one.
 */
#ifndef SG_READ_NORMAL_H
#define SG_READ_NORMAL_H

#include <stddef.h>

#include "read/reader.h"

struct sg_normal;

struct sg_normal_settings {
	const char *root; /**< borrowed for the call; NULL: paths stay */
	const char *const *bases; /**< borrowed for the call: folders that
				       relative paths may start at */
	size_t base_count;
};

/** @p context is borrowed, and passed to @p take. What sg_root_create() says of
 * the root holds here. @return SL_OK and an owned *normal; SL_EIO, SL_EINVAL,
 * SL_ENOMEM. */
enum sl_code sg_normal_create(struct sg_normal **normal,
			      const struct sg_normal_settings *settings,
			      sg_finding_fn *take, void *context,
			      struct sl_error *error) SL_MUST_CHECK;
void sg_normal_destroy(struct sg_normal *normal); /**< takes NULL, hands on
						       nothing */

/** An sg_finding_fn whose context is a struct sg_normal. */
enum sl_code sg_normal_take(void *normal, const struct sg_finding *finding,
			    struct sl_error *error);

/** Hand on what is held. @return SL_OK or what the callback returned. */
enum sl_code sg_normal_flush(struct sg_normal *normal,
			     struct sl_error *error) SL_MUST_CHECK;

#endif
