/* SPDX-License-Identifier: MIT */
/** @file
 * The protocol column: an application's name, which tells the transport.
 */
#ifndef TRACE_TEXT_WORDS_H
#define TRACE_TEXT_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "sluice/name.h"

/** @return the transport (enum sl_transport) of an application; that of a word
 * not known is SL_TRANSPORT_NONE. */
uint8_t words_transport(const char *word, size_t length);

/** Intern the words known, so that they are found while parsing. */
enum sl_code words_intern(struct sl_names *applications,
			  struct sl_error *error) SL_MUST_CHECK;

#endif
