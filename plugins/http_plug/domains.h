/* SPDX-License-Identifier: MIT */
/** @file
 * What a device measures: the domains that its answer makes, and their figures
 * in the answers that follow.
 */
#ifndef PLUGINS_HTTP_PLUG_DOMAINS_H
#define PLUGINS_HTTP_PLUG_DOMAINS_H

#include "http_plug.h"
#include "sluice/meter.h"

/** Add the domains of the first answer, plug->status, to @p host; one that the
 * answer has no figure of is unusable. SL_EIO: there is nothing in it. */
enum sl_code domains_add(struct http_plug *plug, struct sl_meter_host *host,
			 struct sl_error *error) SL_MUST_CHECK;

/** The figure of @p domain in this round's answer; struct sl_meter's read, its
 * @p state a struct http_plug. SL_EIO: the answer has none that can be. */
enum sl_code domains_read(void *state, uint32_t domain,
			  struct sl_sample *sample, struct sl_error *error);

#endif
