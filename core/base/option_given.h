/* SPDX-License-Identifier: MIT */
/** @file
 * What was written for an option, on its way to a struct sl_value: the inside
 * of base/option_value.h, shared by the functions that read one type each.
 */
#ifndef SL_BASE_OPTION_GIVEN_H
#define SL_BASE_OPTION_GIVEN_H

#include "base/option_value.h"

/** What a complaint shows is cut to this many bytes. */
enum { SL_GIVEN_SHOWN = 256 };

enum sl_given_kind {
	SL_GIVEN_BOOL,
	SL_GIVEN_INT,
	SL_GIVEN_FLOAT,
	SL_GIVEN_STRING,
	SL_GIVEN_TEXT, /**< a scalar whose type nobody has decided yet */
	SL_GIVEN_LIST,
	SL_GIVEN_GROUP,
};

struct sl_given {
	const struct sl_value_context *context;
	const char *file;
	int line;
	bool in_file; /**< its elements know their own places */
	unsigned depth; /**< 0: the option; 1: a list's element; 2: of those */
	enum sl_given_kind kind;
	union {
		bool boolean;
		int64_t integer;
		double real;
		const char *text; /**< SL_GIVEN_STRING, SL_GIVEN_TEXT */
		const config_setting_t *list;
	};
};

/** Report a problem; an expression that is false, for `return`. */
#define SL_COMPLAIN(given, ...) \
	(sl_value_problem((given)->context, (given)->file, (given)->line, \
			  __VA_ARGS__), \
	 false)

/** @return the given value as its author wrote it, or nearly. */
const char *sl_given_show(const struct sl_given *given,
			  char text[SL_GIVEN_SHOWN]);

/** Complain that "an integer given, @p wanted wanted". @return false. */
bool sl_given_wrong_type(const struct sl_given *given, const char *wanted);

/** Note that a value was lost. @return false. */
bool sl_given_no_memory(const struct sl_given *given);

/* Each sets its member of @p value, or complains and returns false. */
bool sl_read_bool(const struct sl_given *given, struct sl_value *value);
bool sl_read_int(const struct sl_given *given, struct sl_value *value);
bool sl_read_float(const struct sl_given *given, struct sl_value *value);
bool sl_read_size(const struct sl_given *given, struct sl_value *value);
bool sl_read_duration(const struct sl_given *given, struct sl_value *value);
bool sl_read_string(const struct sl_given *given, struct sl_value *value);
bool sl_read_path(const struct sl_given *given, struct sl_value *value);
bool sl_read_enum(const struct sl_given *given, struct sl_value *value);
bool sl_read_address(const struct sl_given *given, struct sl_value *value);
bool sl_read_prefix(const struct sl_given *given, struct sl_value *value);
bool sl_read_interface(const struct sl_given *given, struct sl_value *value);

#endif
