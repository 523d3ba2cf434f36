/* SPDX-License-Identifier: MIT */
/** @file
 * Where a request goes: the configured url, judged and joined with what is
 * asked for, and whether a redirection stays there.
 */
#ifndef PLUGINS_HTTP_PLUG_PLACE_H
#define PLUGINS_HTTP_PLUG_PLACE_H

#include "fetch.h"

/** Set fetch->url and fetch->where by @p settings. No message shows the url
 * before it is known to hold no password. SL_EINVAL, SL_ENOMEM. */
enum sl_code place_find(struct fetch *fetch,
			const struct fetch_settings *settings,
			struct sl_error *error) SL_MUST_CHECK;

/** @return whether @p two has the scheme, host and port of @p one, and no
 * user. */
bool place_is_same(const char *one, const char *two);

#endif
