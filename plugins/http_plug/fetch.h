/* SPDX-License-Identifier: MIT */
/** @file
 * One address that is asked again and again over HTTP, and answers with JSON.
 *
 * Nothing of the environment plays a part: no proxy, no .netrc. Only http and
 * https; a redirection is followed on the same host, port and scheme alone.
 * The answer's size and the time are bounded, certificates are checked. A
 * password is read from a file that nobody else can read, goes over the wire as
 * a digest or within TLS, and into no message.
 *
 * Messages begin with what was asked for: "10.0.0.7/rpc/Switch.GetStatus?id=0:
 * HTTP status 500".
 */
#ifndef PLUGINS_HTTP_PLUG_FETCH_H
#define PLUGINS_HTTP_PLUG_FETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <curl/curl.h>

#include "sluice/defs.h"
#include "sluice/error.h"

enum {
	ANSWER_BYTES_MAX = 256 << 10,
	HEADER_BYTES_MAX = 64 << 10,
	WHERE_BYTES = 200,
};

/** All borrowed. */
struct fetch_settings {
	const char *url; /**< as configured: scheme, host, perhaps a path */
	const char *path; /**< behind it: "/rpc/Switch.GetStatus?id=0" */
	const char *user, *password_file; /**< NULL: none */
	const char *ca_file; /**< NULL: the system's */
	const char *proxy; /**< NULL: none */
	int64_t timeout_ns;
	bool basic; /**< the password goes as it is, so https must be; false: as
			 a digest */
};

struct fetch {
	CURL *easy; /**< owned, as the next three pointers */
	char *url;
	char where[WHERE_BYTES]; /**< without scheme, for messages */
	int64_t timeout_ns;
	struct curl_slist *headers;
	char why[CURL_ERROR_SIZE];
	char *text; /**< the answer; ANSWER_BYTES_MAX bytes */
	size_t used, header_bytes;
};

/** Asks nothing yet. Settings are copied. SL_EINVAL, SL_EIO, SL_ENOMEM. */
enum sl_code fetch_init(struct fetch *fetch,
			const struct fetch_settings *settings,
			struct sl_error *error) SL_MUST_CHECK;
/** Also after a failed init, and of a zeroed struct. */
void fetch_finish(struct fetch *fetch);

/** Ask. The answer is fetch->text, fetch->used bytes, until the next time.
 * SL_EIO. */
enum sl_code fetch_get(struct fetch *fetch,
		       struct sl_error *error) SL_MUST_CHECK;

#endif
