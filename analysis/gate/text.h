/* SPDX-License-Identifier: MIT */
/** @file
 * Texts that are put together.
 */
#ifndef SG_GATE_TEXT_H
#define SG_GATE_TEXT_H

#include <stddef.h>

#include "sluice/buffer.h"
#include "sluice/defs.h"
#include "sluice/error.h"

/** Append @p length bytes. */
enum sl_code sg_text_put(struct sl_buffer *text, const char *bytes,
			 size_t length, struct sl_error *error) SL_MUST_CHECK;
/** Append all of @p words. */
enum sl_code sg_text_say(struct sl_buffer *text, const char *words,
			 struct sl_error *error) SL_MUST_CHECK;

#endif
