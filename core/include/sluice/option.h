/* SPDX-License-Identifier: MIT */
/** @file
 * Option tables: what a plugin can be told, said once.
 *
 * One table serves parsing, checking, error messages and documentation. A row
 * names an option and the field of the plugin's state that receives its
 * value; the host fills the fields before it calls check() and open(), from
 * the configuration, from `runpipe --set`, or from the row's default.
 *
 *     struct compute {
 *             int64_t size;
 *     };
 *     static const struct sl_option compute_options[] = {
 *             { .name = "size", .type = SL_INT,
 *               .offset = offsetof(struct compute, size),
 *               .default_text = "8", .min = 1, .max = 16,
 *               .unit = "queens", .help = "Side of the board." },
 *     };
 */
#ifndef SLUICE_OPTION_H
#define SLUICE_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/address.h"
#include "sluice/defs.h"

/** An option's type; behind each, the type of the state's field. */
enum sl_option_type {
	SL_NO_TYPE = 0,
	SL_BOOL, /**< bool */
	SL_INT, /**< int64_t */
	SL_FLOAT, /**< double */
	SL_STRING, /**< const char *; NULL if not given and without default */
	SL_PATH, /**< const char *; relative ones were joined to the
		      configuration's folder; "-" stays */
	SL_ENUM, /**< int: an index into `choices` */
	SL_SIZE, /**< uint64_t bytes; "64 KiB", "1MiB", "2 GB", or a number */
	SL_DURATION, /**< int64_t ns; "5ms", "1.5 s", "10 us", "2 min", "1 h" */
	SL_ADDRESS, /**< struct sl_ip; version 0 if not given */
	SL_PREFIX, /**< struct sl_prefix; version 0 if not given */
	SL_INTERFACE, /**< uint16_t: an id of sluice/name.h; SL_NO_NAME if not
			   given */
	SL_LIST, /**< struct sl_list */
};

struct sl_value;

/** A list's elements; owned by the host, valid until close() has returned. */
struct sl_list {
	size_t count;
	const struct sl_value *values;
};

/** One element of a list; which member holds it, the option's row says. */
struct sl_value {
	union {
		bool boolean;
		int64_t integer; /**< SL_INT, SL_DURATION (ns) */
		double real;
		const char *text; /**< SL_STRING, SL_PATH */
		int choice; /**< SL_ENUM */
		uint64_t size; /**< SL_SIZE, bytes */
		struct sl_ip ip;
		struct sl_prefix prefix;
		uint16_t name; /**< SL_INTERFACE */
		struct sl_list list;
	};
	const char *file; /**< where it was written, for sl_problem() */
	int line; /**< from 1; 0: not in a file */
};

/** A row of a table. Rows may grow at their end in a later minor version of
 * the ABI: struct sl_plugin says how long each row is. */
struct sl_option {
	const char *name; /**< lower case, words joined by '_'; not "plugin"
			       or "name" */
	enum sl_option_type type;
	enum sl_option_type element; /**< SL_LIST: its elements' type */
	enum sl_option_type inner; /**< list of lists: the innermost type */
	bool required; /**< refuse a configuration that leaves it out */
	size_t offset; /**< of the field in the state */
	const char *default_text; /**< as a user would write it in a
				       configuration, strings without their
				       quotes; NULL: zero bytes, and
				       SL_NO_NAME for an interface */
	int64_t min, max; /**< inclusive, for SL_INT, SL_SIZE, SL_DURATION (in
			       bytes, ns), and for elements of a list of
			       those; both 0: unbounded; for one bound
			       alone INT64_MIN or INT64_MAX is the other */
	double float_min, float_max; /**< the same for SL_FLOAT */
	const char *const *choices; /**< SL_ENUM: its words, NULL at the end */
	const char *unit; /**< for the documentation; may be NULL */
	const char *help; /**< one sentence or a few */
};

#endif
