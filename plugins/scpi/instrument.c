/* SPDX-License-Identifier: MIT */
#include "instrument.h"

#include <stdio.h>
#include <string.h>

/* Old answers that may lie before the one to *IDN?. */
#define STALE_LINES 64

static const char identify[] = "*IDN?";
static const char ask_figures[] = ":NUM:NORM:VAL?";
static const char ask_state[] = ":INTEG:STAT?";

static size_t figure_count(const struct instrument *instrument)
{
	return 2 * instrument->element_count + 1;
}

/* A failure inside an answer, told with the question. */
static enum sl_code explain(const struct instrument *instrument,
			    const char *question, const struct sl_error *why,
			    struct sl_error *error)
{
	return SL_FAIL(error, SL_EIO, "%s: %s: %s", instrument->link.name,
		       question, why->message);
}

/* The time is that of a round, or while there is no hurry of each answer. */
static void be_patient(struct instrument *instrument)
{
	if (!instrument->is_set_up)
		link_allow(&instrument->link, instrument->timeout_ns);
}

static enum sl_code ask(struct instrument *instrument, const char *question,
			char answer[LINK_LINE_BYTES], struct sl_error *error)
{
	enum sl_code code;

	be_patient(instrument);
	code = link_ask(&instrument->link, question, answer, error);
	/* Once the place is found, nothing older can come than this. */
	if (code == SL_OK && strcmp(answer, instrument->identity) == 0)
		code = SL_FAIL(error, SL_EIO,
			       "%s: %s: an answer to %s came late",
			       instrument->link.name, question, identify);
	return code;
}

static enum sl_code tell(struct instrument *instrument, const char *command,
			 struct sl_error *error)
{
	be_patient(instrument);
	return link_tell(&instrument->link, command, error);
}

/* ---- who is there, and where in its answers we are -------------------- */

static bool is_the_one(const struct instrument *instrument, const char *answer)
{
	if (!instrument->identity[0])
		return answer_is_identity(answer);
	return strcmp(answer, instrument->identity) == 0;
}

/* Answers come in the order of their questions, so what comes before this one
 * is old. */
static enum sl_code find_place(struct instrument *instrument,
			       struct sl_error *error)
{
	char answer[LINK_LINE_BYTES], last[SHOWN_BYTES] = "";
	struct sl_error why = { .code = SL_OK };
	enum sl_code code = tell(instrument, identify, &why);

	for (int at = 0; code == SL_OK && at < STALE_LINES; at++) {
		code = link_listen(&instrument->link, identify, answer, &why);
		if (code != SL_OK)
			break;
		if (is_the_one(instrument, answer)) {
			memcpy(instrument->identity, answer, sizeof(answer));
			(void)link_drain(&instrument->link);
			return SL_OK;
		}
		answer_show(answer, last);
	}
	if (code != SL_OK && !last[0])
		return SL_FAIL(error, SL_EIO, "%s", why.message);
	return SL_FAIL(error, SL_EIO, "%s: %s: it says \"%s\", not what %s",
		       instrument->link.name, identify, last,
		       instrument->identity[0] ? "it did before"
					       : "a Yokogawa WT does");
}

/* ---- settings --------------------------------------------------------- */

static struct setting *find_setting(struct instrument *instrument,
				    const char *command)
{
	for (size_t at = 0; at < instrument->setting_count; at++)
		if (strcmp(instrument->settings[at].command, command) == 0)
			return &instrument->settings[at];
	return NULL;
}

static enum sl_code remember(struct instrument *instrument, const char *command,
			     const char *value, struct sl_error *error)
{
	struct setting *setting;
	char shown[SHOWN_BYTES];

	if (find_setting(instrument, command))
		return SL_OK;
	if (!answer_is_plain(value, SETTING_BYTES) ||
	    instrument->setting_count == SETTINGS_MAX)
		return SL_FAIL(error, SL_EIO,
			       "%s: %s?: \"%s\" could not be put back",
			       instrument->link.name, command,
			       answer_show(value, shown));
	setting = &instrument->settings[instrument->setting_count++];
	snprintf(setting->command, SETTING_BYTES, "%s", command);
	snprintf(setting->value, SETTING_BYTES, "%s", value);
	return SL_OK;
}

static enum sl_code set(struct instrument *instrument, const char *command,
			const char *value, struct sl_error *error)
{
	char line[2 * SETTING_BYTES];

	snprintf(line, sizeof(line), "%s %s", command, value);
	return tell(instrument, line, error);
}

/* Set what is not so already, and see that it took. */
static enum sl_code change(struct instrument *instrument, const char *command,
			   const char *wanted, struct sl_error *error)
{
	char question[SETTING_BYTES + 2], answer[LINK_LINE_BYTES];
	char shown[SHOWN_BYTES];
	enum sl_code code;

	snprintf(question, sizeof(question), "%s?", command);
	code = ask(instrument, question, answer, error);
	if (code != SL_OK || answer_is(answer_value(answer), wanted))
		return code;
	code = remember(instrument, command, answer_value(answer), error);
	if (code == SL_OK)
		code = set(instrument, command, wanted, error);
	if (code == SL_OK)
		code = ask(instrument, question, answer, error);
	if (code == SL_OK && !answer_is(answer_value(answer), wanted))
		code = SL_FAIL(error, SL_EIO, "%s: %s %s: it stays at \"%s\"",
			       instrument->link.name, command, wanted,
			       answer_show(answer_value(answer), shown));
	return code;
}

static enum sl_code choose_item(struct instrument *instrument, size_t number,
				const char *function, unsigned element,
				struct sl_error *error)
{
	char command[SETTING_BYTES], wanted[SETTING_BYTES];

	snprintf(command, sizeof(command), ":NUM:NORM:ITEM%zu", number);
	snprintf(wanted, sizeof(wanted), "%s,%u", function, element);
	return change(instrument, command, wanted, error);
}

static enum sl_code choose_items(struct instrument *instrument,
				 struct sl_error *error)
{
	size_t count = figure_count(instrument);
	char number[SETTING_BYTES];
	enum sl_code code = change(instrument, ":COMM:HEAD", "0", error);

	if (code == SL_OK)
		code = change(instrument, ":NUM:FORM", "ASCII", error);
	snprintf(number, sizeof(number), "%zu", count);
	if (code == SL_OK)
		code = change(instrument, ":NUM:NORM:NUM", number, error);
	for (size_t at = 0; code == SL_OK && at < count - 1; at++)
		code = choose_item(instrument, at + 1, at % 2 ? "P" : "WH",
				   instrument->elements[at / 2], error);
	if (code == SL_OK)
		code = choose_item(instrument, count, "TIME",
				   instrument->elements[0], error);
	return code;
}

static enum sl_code ask_update(struct instrument *instrument,
			       struct sl_error *error)
{
	char answer[LINK_LINE_BYTES];
	struct sl_decimal rate;
	enum sl_code code = ask(instrument, ":RATE?", answer, error);
	const char *value = answer_value(answer);

	if (code != SL_OK)
		return code;
	instrument->update_s = 0;
	/* "AUTO", too, is an answer. */
	if (sl_decimal_parse(value, strlen(value), &rate) &&
	    sl_decimal_value(&rate) > 0 && sl_decimal_value(&rate) <= 3600)
		instrument->update_s = sl_decimal_value(&rate);
	return SL_OK;
}

/* ---- the integration -------------------------------------------------- */

static enum sl_code see_state(struct instrument *instrument,
			      struct sl_error *error)
{
	char answer[LINK_LINE_BYTES];
	struct sl_error why = { .code = SL_OK };
	enum sl_code code = ask(instrument, ask_state, answer, error);

	if (code != SL_OK)
		return code;
	if (answer_integration(answer, &instrument->state, &why) != SL_OK)
		return explain(instrument, ask_state, &why, error);
	return SL_OK;
}

static enum sl_code start(struct instrument *instrument, struct sl_error *error)
{
	enum sl_code code = SL_OK;

	if (instrument->state == INTEGRATION_START)
		code = tell(instrument, ":INTEG:STOP", error);
	if (code == SL_OK && instrument->state != INTEGRATION_RESET)
		code = tell(instrument, ":INTEG:RES", error);
	instrument->started = true;
	if (code == SL_OK)
		code = tell(instrument, ":INTEG:START", error);
	if (code == SL_OK)
		code = see_state(instrument, error);
	if (code == SL_OK && instrument->state != INTEGRATION_START)
		code = SL_FAIL(error, SL_EIO,
			       "%s: :INTEG:START: the integration does not "
			       "start (%s)",
			       instrument->link.name,
			       integration_word(instrument->state));
	return code;
}

/* A sum that somebody may want is reset only if we were told to, and then
 * once. */
static enum sl_code prepare_integration(struct instrument *instrument,
					struct sl_error *error)
{
	enum sl_code code = see_state(instrument, error);
	bool may_reset = instrument->reset && !instrument->is_set_up;

	if (code != SL_OK || instrument->integrate != INTEGRATE_START)
		return code;
	if (instrument->state == INTEGRATION_RESET || may_reset)
		return start(instrument, error);
	return SL_OK;
}

static enum sl_code set_up(struct instrument *instrument,
			   struct sl_error *error)
{
	enum sl_code code;

	be_patient(instrument);
	code = link_open(&instrument->link, error);
	if (code == SL_OK)
		code = find_place(instrument, error);
	if (code == SL_OK)
		code = choose_items(instrument, error);
	if (code == SL_OK && !instrument->is_set_up)
		code = ask_update(instrument, error);
	if (code == SL_OK)
		code = prepare_integration(instrument, error);
	if (code != SL_OK)
		link_close(&instrument->link);
	return code;
}

enum sl_code instrument_enter(struct instrument *instrument,
			      struct sl_error *error)
{
	enum sl_code code;

	instrument->elapsed_s = -1;
	code = set_up(instrument, error);
	instrument->is_set_up = code == SL_OK;
	return code;
}

/* ---- a round ---------------------------------------------------------- */

/* An integration whose time went back was begun anew, even if its sum has
 * already passed the old one. */
static void notice_restart(struct instrument *instrument)
{
	const struct figure *time =
		&instrument->figures[figure_count(instrument) - 1];
	double elapsed_s;

	instrument->restarted = false;
	if (time->kind != FIGURE_NUMBER)
		return;
	elapsed_s = sl_decimal_value(&time->value);
	instrument->restarted = elapsed_s < instrument->elapsed_s;
	instrument->elapsed_s = elapsed_s;
}

static enum sl_code take_figures(struct instrument *instrument,
				 struct sl_error *error)
{
	char answer[LINK_LINE_BYTES];
	struct sl_error why = { .code = SL_OK };
	enum sl_code code = ask(instrument, ask_figures, answer, error);

	if (code != SL_OK)
		return code;
	if (answer_figures(answer, instrument->figures,
			   figure_count(instrument), &why) != SL_OK)
		return explain(instrument, ask_figures, &why, error);
	return SL_OK;
}

enum sl_code instrument_round(struct instrument *instrument,
			      struct sl_error *error)
{
	struct link *link = &instrument->link;
	enum sl_code code = SL_OK;

	link_allow(link, instrument->timeout_ns);
	/* Something unasked, or the end of the connection: begin again. */
	if (link_is_open(link) && link_drain(link))
		link_close(link);
	if (!link_is_open(link))
		code = set_up(instrument, error);
	if (code == SL_OK)
		code = take_figures(instrument, error);
	if (code == SL_OK)
		code = see_state(instrument, error);
	if (code == SL_OK)
		notice_restart(instrument);
	else
		link_close(link);
	return code;
}

/* ---- leaving ---------------------------------------------------------- */

/* What cannot be put back any more stays; there is nobody to tell. */
static void put_back(struct instrument *instrument)
{
	if (instrument->started) {
		(void)tell(instrument, ":INTEG:STOP", NULL);
		(void)tell(instrument, ":INTEG:RES", NULL);
	}
	for (size_t at = instrument->setting_count; at-- > 0;)
		(void)set(instrument, instrument->settings[at].command,
			  instrument->settings[at].value, NULL);
	/* Its answer says that it has done all that. */
	(void)find_place(instrument, NULL);
}

void instrument_leave(struct instrument *instrument)
{
	struct link *link = &instrument->link;
	bool changed = instrument->started || instrument->setting_count;

	link_allow(link, instrument->timeout_ns);
	if (changed && link_is_open(link) && link_drain(link))
		link_close(link);
	if (changed && !link_is_open(link) &&
	    (link_open(link, NULL) != SL_OK ||
	     find_place(instrument, NULL) != SL_OK))
		changed = false;
	if (changed)
		put_back(instrument);
	link_finish(link);
}
