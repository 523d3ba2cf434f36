/* SPDX-License-Identifier: MIT */
#include "address.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

/* Cut "HOST:PORT" in two; an IPv6 address stands in brackets. */
static bool cut_address(char *address, char **host, char **port)
{
	char *colon = strrchr(address, ':');
	size_t length;

	if (!colon || colon == address || !colon[1])
		return false;
	*colon = '\0';
	*host = address;
	*port = colon + 1;
	length = strlen(address);
	if (address[0] == '[' && address[length - 1] == ']') {
		address[length - 1] = '\0';
		*host = address + 1;
		return length > 2;
	}
	return !strchr(address, ':');
}

enum sl_code address_find(const char *address, struct addrinfo **found,
			  struct sl_error *error)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	char copy[ADDRESS_BYTES], *host, *port;
	int failed;

	if (snprintf(copy, sizeof(copy), "%s", address) >= (int)sizeof(copy) ||
	    !cut_address(copy, &host, &port))
		return SL_FAIL(
			error, SL_EINVAL,
			"address \"%.64s\": HOST:PORT is wanted, an IPv6 "
			"address in brackets",
			address);
	failed = getaddrinfo(host, port, &hints, found);
	if (!failed)
		return SL_OK;
	*found = NULL;
	return SL_FAIL(error, SL_EIO, "%s: %s", address, gai_strerror(failed));
}
