/* SPDX-License-Identifier: MIT */
/** @file
 * Where an instrument listens: "HOST:PORT", "[IPv6]:PORT".
 */
#ifndef PLUGINS_SCPI_ADDRESS_H
#define PLUGINS_SCPI_ADDRESS_H

#include <netdb.h>

#include "sluice/defs.h"
#include "sluice/error.h"

/** The longest address, with its NUL. */
enum { ADDRESS_BYTES = 128 };

/** Look up @p address; it may take as long as the resolver takes. On success
 * the caller owns *found: freeaddrinfo() it; else it is NULL or as it was.
 * SL_EINVAL: it is no address; SL_EIO: it is not found. */
enum sl_code address_find(const char *address, struct addrinfo **found,
			  struct sl_error *error) SL_MUST_CHECK;

#endif
