/* SPDX-License-Identifier: MIT */
/** @file
 * What the results of a SARIF run refer to: rules, artifacts, base folders.
 *
 * Bounded: what goes beyond SARIF_RUN_BYTES_MAX is not kept, and references to
 * it stay unresolved. Invariant: a zeroed struct is a run of which nothing is
 * known. All texts are borrowed until the run is finished.
 */
#ifndef SG_READ_SARIF_RUN_H
#define SG_READ_SARIF_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum {
	SARIF_RUN_BYTES_MAX = 32 << 20,
	SARIF_RULE_BUCKETS = 4096 /**< a power of two */
};

/** A message string, by its id. */
struct sarif_string {
	const char *id, *text;
	struct sarif_string *next;
};

struct sarif_rule {
	const char *id; /**< NULL: not yet, or none */
	const char *level; /**< its default; NULL: none */
	int64_t cwe;
	struct sarif_string *strings;
	struct sarif_rule *next; /**< in its bucket */
};

/** The driver, or an extension of it. */
struct sarif_component {
	struct sarif_rule **rules; /**< NULLs among them */
	size_t count, space;
	struct sarif_string *strings;
};

/** A file; or a logical location, whose name stands in `uri`. */
struct sarif_artifact {
	const char *uri, *base;
};

struct sarif_artifacts {
	struct sarif_artifact *items;
	size_t count, space;
};

/** An entry of originalUriBaseIds. */
struct sarif_base {
	const char *id, *uri, *base;
	struct sarif_base *next;
};

struct sarif_run {
	struct sl_arena arena;
	size_t bytes;
	const char *tool, *version, *semantic_version;
	struct sarif_component *components; /**< the driver is the first */
	size_t component_count, component_space;
	struct sarif_artifacts artifacts, logical_locations;
	struct sarif_base *bases;
	struct sarif_rule *buckets[SARIF_RULE_BUCKETS]; /**< rules by id */
	/* what is known in full */
	bool tool_closed, artifacts_closed, logical_closed, bases_closed;
};

void sarif_run_finish(struct sarif_run *run); /**< it is zeroed again */

/** @return a copy; NULL: no room or no memory. */
const char *sarif_run_text(struct sarif_run *run, const char *text,
			   size_t length);

/** The following four make what there is not yet, and return NULL for want of
 * room or memory. What they return is borrowed until the next call. */
struct sarif_component *sarif_run_component(struct sarif_run *run,
					    size_t index);
struct sarif_rule *sarif_run_rule(struct sarif_run *run, size_t component,
				  size_t index);
struct sarif_artifact *sarif_run_artifact(struct sarif_run *run,
					  struct sarif_artifacts *artifacts,
					  size_t index);
struct sarif_base *sarif_run_base(struct sarif_run *run, const char *id,
				  size_t length);

/** Give a rule its id, by which it can then be found. */
void sarif_run_name_rule(struct sarif_run *run, struct sarif_rule *rule,
			 const char *id, size_t length);

void sarif_run_string(struct sarif_run *run, struct sarif_string **strings,
		      const char *id, size_t id_length, const char *text,
		      size_t length);

/** @return the rule there, or NULL. */
const struct sarif_rule *sarif_rule_at(const struct sarif_run *run,
				       size_t component, size_t index);

/** @return the rule of that id, or of the longest part before a slash that is
 * one: "CA1000/1" is a kind of "CA1000" (SARIF 2.1.0, 3.27.5). NULL: none. */
const struct sarif_rule *sarif_rule_named(const struct sarif_run *run,
					  const char *id);

/** @return the text of that id; NULL: none. */
const char *sarif_string_named(const struct sarif_string *strings,
			       const char *id);

/** @return the base folder of that id; NULL: none. */
const struct sarif_base *sarif_base_named(const struct sarif_run *run,
					  const char *id);

/** @return the number of the weakness that a tag or taxon names, as in
 * "external/cwe/cwe-476" or "CWE-476: text"; 0: none. */
int64_t sarif_cwe(const char *text, size_t length);

#endif
