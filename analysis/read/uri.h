/* SPDX-License-Identifier: MIT */
/** @file
 * From the URIs of a report to paths (RFC 3986, RFC 8089).
 */
#ifndef SG_READ_URI_H
#define SG_READ_URI_H

#include <stdbool.h>
#include <stddef.h>

/** @return whether it stands alone: has a scheme, a drive, or begins with a
 * slash. */
bool sg_uri_is_absolute(const char *uri);

/** Turn a URI into a path, in place: it never grows. "file:" is dropped, with a
 * host kept as "//host/...", and a drive loses the slash before it; percent
 * codes are decoded unless a NUL or invalid UTF-8 came out. A URI of another
 * scheme, and what is a Windows path in truth, stays as it is. */
void sg_uri_to_path(char *uri);

#endif
