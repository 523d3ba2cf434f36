/* SPDX-License-Identifier: MIT */
/** @file
 * What commands say on standard error.
 */
#ifndef SCGATE_TALK_H
#define SCGATE_TALK_H

#include <stddef.h>

#include "read/document.h"

/** @return the length of a character that steers a terminal, or turns the
 * direction of what is behind it; 0: it is none. A newline and a tab are not.
 */
size_t scgate_steers(const char *at, size_t left);

/** Print a text that others wrote: it can neither break the line nor steer the
 * terminal. */
void scgate_print(const char *text);

/** The message of an error that nobody wants to hear of: that whoever read our
 * output has seen enough. */
#define SCGATE_SILENCE ""

/** "scgate COMMAND: message", a line; "PATH:LINE: message" if the error has a
 * place in an input. */
void scgate_complain(const char *command, const struct sl_error *error);

/** "PATH:LINE:COLUMN: complete, 3 findings (FORMAT): why", a line. */
void scgate_say_ending(const char *path, const struct sg_document *document);

#endif
