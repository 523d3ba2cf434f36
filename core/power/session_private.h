/* SPDX-License-Identifier: MIT */
/** @file
 * A session from inside: what waits, what measures, what leads through the
 * protocol.
 */
#ifndef SL_POWER_SESSION_PRIVATE_H
#define SL_POWER_SESSION_PRIVATE_H

#include <regex.h>

#include "power/app.h"
#include "power/session.h"
#include "power/work.h"

enum { SL_LINE_ROOM = 4096 };

struct sl_session {
	const struct sl_session_settings *settings;
	struct sl_energy *energy;
	const struct sl_session_hooks *hooks;
	struct sl_report *report;
	int cancel_fd;
	double sample_s;
	struct sl_app app;
	struct sl_work work, start; /**< what is counted; what tells the start
				     */
	regex_t line; /**< of SL_TRIGGER_LINE */
	bool has_line, awaits_line, line_came;
	char part[SL_LINE_ROOM]; /**< of a line that is not whole yet */
	size_t part_used;
	const char *what; /**< for the hooks */
	unsigned repeat;
	int64_t part_ends_ns; /**< 0: with the command */
	int64_t told_ns; /**< when the hooks heard of it last */
};

/** What ended a wait. */
enum sl_wake {
	SL_WAKE_TIME,
	SL_WAKE_APP, /**< the application has ended */
	SL_WAKE_LINE, /**< its line came */
};

/** Sleep until @p until_ns, the application's end or its line, taking its
 * output meanwhile. @p mind_app: its end ends the sleep. SL_ESTOPPED. */
enum sl_code sl_session_wait(struct sl_session *session, int64_t until_ns,
			     bool mind_app, enum sl_wake *wake,
			     struct sl_error *error) SL_MUST_CHECK;

/** A part of the protocol begins that lasts @p seconds; negative: until the
 * command ends. */
void sl_session_part(struct sl_session *session, const char *what,
		     double seconds);

/** Sleep so long and tell so. */
enum sl_code sl_session_settle(struct sl_session *session, const char *what,
			       double seconds, bool mind_app,
			       struct sl_error *error) SL_MUST_CHECK;

/** Start the application that the settings name. */
enum sl_code sl_session_start(struct sl_session *session,
			      struct sl_error *error) SL_MUST_CHECK;
/** End it, if it is ours. */
void sl_session_stop(struct sl_session *session);

/** Measure one phase and append it to the report. An active phase without a
 * trigger starts the application itself. When it fails or is cancelled, it
 * leaves nothing. */
enum sl_code sl_session_measure(struct sl_session *session,
				enum sl_phase_kind kind,
				struct sl_error *error) SL_MUST_CHECK;

/** The command ended; @p when: "before it was active". @return SL_EIO. */
enum sl_code sl_session_ended(const struct sl_session *session,
			      const char *when,
			      struct sl_error *error) SL_MUST_CHECK;

#endif
