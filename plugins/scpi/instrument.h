/* SPDX-License-Identifier: MIT */
/** @file
 * A Yokogawa WT: found, set up, asked once a round, and left as it was.
 *
 * A round asks for the figures (`:NUM:NORM:VAL?`) and then whether the
 * integration runs (`:INTEG:STAT?`). The two answers cannot be mistaken for
 * each other, and after whatever went wrong the link is opened again and the
 * place found by the answer to `*IDN?`, which is known: so an answer that comes
 * late, twice or unasked is never taken for another one. An error is possible,
 * a wrong figure is not.
 *
 * What was changed is remembered and put back by instrument_leave(): the items
 * of the numeric output, and the integration if it was started here.
 */
#ifndef PLUGINS_SCPI_INSTRUMENT_H
#define PLUGINS_SCPI_INSTRUMENT_H

#include "answer.h"
#include "link.h"

enum {
	ELEMENTS_MAX = 7,
	/** WH and P of each element, and the integration's time. */
	FIGURES_MAX = 2 * ELEMENTS_MAX + 1,
	SETTINGS_MAX = FIGURES_MAX + 3,
	SETTING_BYTES = 40,
};

/** What to do about the integration; the order is that of the option. */
enum integrate {
	INTEGRATE_START, /**< use one that runs, start one that stands at 0 */
	INTEGRATE_KEEP, /**< use one that runs, never start or stop one */
	INTEGRATE_NONE, /**< no energies, only powers */
};

/** A setting as it was found. */
struct setting {
	char command[SETTING_BYTES];
	char value[SETTING_BYTES];
};

struct instrument {
	/* Told by the caller. */
	struct link link;
	unsigned elements[ELEMENTS_MAX];
	size_t element_count;
	enum integrate integrate;
	bool reset; /**< an integration that runs or holds a sum may be reset */
	int64_t timeout_ns;

	/* Found out. */
	char identity[LINK_LINE_BYTES]; /**< "" before the first time */
	double update_s; /**< 0: it does not say */
	struct setting settings[SETTINGS_MAX];
	size_t setting_count;
	bool is_set_up; /**< the first time is over */
	bool started; /**< we did, so we stop it */
	enum integration state;

	/* Of the last round. */
	struct figure figures[FIGURES_MAX];
	bool restarted; /**< the integration began anew since the one before */
	double elapsed_s; /**< of the integration; negative: unknown */
};

/** Open, find and set up the instrument. Each answer may take the timeout. */
enum sl_code instrument_enter(struct instrument *instrument,
			      struct sl_error *error) SL_MUST_CHECK;

/** Ask for the figures; within the timeout in all, opening a link that was lost
 * included. SL_EIO: there are none this time. */
enum sl_code instrument_round(struct instrument *instrument,
			      struct sl_error *error) SL_MUST_CHECK;

/** Put back what was changed, if the instrument still answers, and close. */
void instrument_leave(struct instrument *instrument);

/** The figures of the element at index @p at in the list of elements. */
static inline const struct figure *
instrument_energy(const struct instrument *instrument, size_t at)
{
	return &instrument->figures[2 * at];
}
static inline const struct figure *
instrument_power(const struct instrument *instrument, size_t at)
{
	return &instrument->figures[2 * at + 1];
}

#endif
