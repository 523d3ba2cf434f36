/* SPDX-License-Identifier: MIT */
/** @file
 * A link to an instrument: commands go out, lines come in, and nobody waits
 * beyond a deadline. Over TCP, over a terminal (a serial port, a pty), or over
 * the kernel's USBTMC driver.
 *
 *     link_init -> (link_allow -> link_open -> link_ask, link_tell, ...
 *                  -> link_close) ... -> link_finish
 *
 * A link that failed is to be closed: what the instrument still says belongs to
 * an old question. After opening it again the same may hold where a terminal
 * or a terminal server stands between, so the caller must find its place by
 * an answer that cannot be mistaken.
 *
 * Messages begin with the link's name and the question: "10.0.0.7:5025:
 * :NUM:NORM:VAL?: no answer within 1 s". Nothing raises SIGPIPE.
 */
#ifndef PLUGINS_SCPI_LINK_H
#define PLUGINS_SCPI_LINK_H

#include <netdb.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <termios.h>

#include "address.h"
#include "sluice/defs.h"
#include "sluice/error.h"

enum {
	/** The longest line that is an answer, with its NUL. */
	LINK_LINE_BYTES = 1024,
	LINK_NAME_BYTES = ADDRESS_BYTES,
};

enum link_kind { LINK_TCP, LINK_TERMINAL, LINK_USBTMC };

struct link {
	char name[LINK_NAME_BYTES]; /**< the address or device, for messages */
	const char *device; /**< borrowed; NULL: TCP */
	struct addrinfo *addresses; /**< owned; of TCP, found once */
	int fd; /**< -1: closed */
	enum link_kind kind;
	struct termios before; /**< how the terminal was found */
	int64_t allowed_ns, deadline_ns; /**< CLOCK_MONOTONIC */
	char bytes[LINK_LINE_BYTES]; /**< came in, not yet taken */
	size_t used;
};

/** Give one of @p address ("HOST:PORT", "[IPv6]:PORT") and @p device, the
 * other is NULL. A name is looked up here and not again: that may take as long
 * as the resolver takes. */
enum sl_code link_init(struct link *link, const char *address,
		       const char *device,
		       struct sl_error *error) SL_MUST_CHECK;
void link_finish(struct link *link);

/** From now on all calls together may take @p timeout_ns. */
void link_allow(struct link *link, int64_t timeout_ns);

enum sl_code link_open(struct link *link, struct sl_error *error) SL_MUST_CHECK;
/** Also if it is closed. A terminal gets its settings back. */
void link_close(struct link *link);

static inline bool link_is_open(const struct link *link)
{
	return link->fd >= 0;
}

/** Send a command that has no answer. */
enum sl_code link_tell(struct link *link, const char *command,
		       struct sl_error *error) SL_MUST_CHECK;
/** Send a question and take the next line. */
enum sl_code link_ask(struct link *link, const char *question,
		      char answer[LINK_LINE_BYTES],
		      struct sl_error *error) SL_MUST_CHECK;
/** Take the next line, without the blanks and line ends around it; @p question
 * is for messages. */
enum sl_code link_listen(struct link *link, const char *question,
			 char answer[LINK_LINE_BYTES],
			 struct sl_error *error) SL_MUST_CHECK;

/** Throw away what came in without being asked for. @return whether there was
 * something, or the connection ended. Over USBTMC nothing comes unasked. */
bool link_drain(struct link *link);

#endif
