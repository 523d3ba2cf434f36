/* SPDX-License-Identifier: MIT */
/** @file
 * What a Yokogawa WT answers: figures, the state of its integration, settings.
 * Pure functions on one line of text.
 *
 * What the instrument cannot tell is NAN (its display shows "------"), what is
 * over a range INF; SCPI itself writes 9.91E37 and 9.9E37. None of these is a
 * number, and none is 0.
 */
#ifndef PLUGINS_SCPI_ANSWER_H
#define PLUGINS_SCPI_ANSWER_H

#include <stdbool.h>
#include <stddef.h>

#include "sluice/decimal.h"
#include "sluice/defs.h"
#include "sluice/error.h"

enum figure_kind { FIGURE_NUMBER, FIGURE_NONE, FIGURE_OVER };

struct figure {
	enum figure_kind kind;
	struct sl_decimal value; /**< of a number */
};

/** States of the integration; what it says to `:INTEG:STAT?`. */
enum integration {
	INTEGRATION_RESET, /**< stands at 0 */
	INTEGRATION_READY, /**< waits for the time it is to start at */
	INTEGRATION_START, /**< runs */
	INTEGRATION_STOP, /**< was stopped, and holds its sums */
	INTEGRATION_ERROR, /**< ended by an overflow or a loss of power */
	INTEGRATION_TIMEUP, /**< ended by its timer */
};

/** What of an answer is shown in a message, and whatever byte is in it. */
enum { SHOWN_BYTES = 48 };

/** Exactly @p count figures, commas between them. */
enum sl_code answer_figures(const char *answer, struct figure *figures,
			    size_t count, struct sl_error *error) SL_MUST_CHECK;

enum sl_code answer_integration(const char *answer, enum integration *state,
				struct sl_error *error) SL_MUST_CHECK;
/** @return "TIMEUP". */
const char *integration_word(enum integration state);

/** The value of a setting, whether the answer has a header (":COMMUNICATE:
 * HEADER 1") or not. @return within @p answer. */
const char *answer_value(const char *answer);

/** @return whether @p value says what @p wanted does: words may be cut as SCPI
 * cuts them ("ASC" is ASCII), and letters may be small. */
bool answer_is(const char *value, const char *wanted);

/** @return whether @p value can be sent back to the instrument as it is: short,
 * printable, one unit of a command. */
bool answer_is_plain(const char *value, size_t size);

/** "YOKOGAWA,WT310,C2QA12345E,F1.01": four fields, of this maker. */
bool answer_is_identity(const char *answer);

/** An answer for a message: printable, and cut. */
const char *answer_show(const char *answer, char text[SHOWN_BYTES]);

#endif
