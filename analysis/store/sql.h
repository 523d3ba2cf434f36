/* SPDX-License-Identifier: MIT */
/** @file
 * Between the store and SQLite: statements by name, values to bind, errors.
 *
 * A statement of statements.sql is compiled when it is first wanted, and kept
 * until the store is closed. Values are bound, never put into text.
 */
#ifndef SG_STORE_SQL_H
#define SG_STORE_SQL_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "match/fingerprint.h"
#include "sluice/defs.h"
#include "sluice/error.h"

/** The statements by name: X(add_file) is SG_SQL_add_file. */
#define SG_STATEMENTS(X) \
	X(begin) \
	X(commit) \
	X(rollback) \
	X(save) \
	X(release) \
	X(rewind) \
	X(find_tool) \
	X(add_tool) \
	X(find_rule) \
	X(add_rule) \
	X(find_file) \
	X(add_file) \
	X(add_run) \
	X(end_run) \
	X(add_result) \
	X(find_result) \
	X(end_result) \
	X(add_run_result) \
	X(add_result_tool) \
	X(add_unit) \
	X(add_size) \
	X(last_occurrence) \
	X(add_occurrences) \
	X(repeat_occurrence) \
	X(add_fingerprints) \
	X(add_events) \
	X(add_occurrence_units) \
	X(find_base) \
	X(set_base) \
	X(list_changed_tools) \
	X(list_absent_tools) \
	X(list_lost_tools) \
	X(list_limits) \
	X(list_units) \
	X(tool_of_rule) \
	X(count_news) \
	X(count_olds) \
	X(last_file) \
	X(list_files) \
	X(list_news) \
	X(list_olds) \
	X(list_seen) \
	X(count_results) \
	X(last_finding) \
	X(add_findings) \
	X(add_links) \
	X(speaks) \
	X(add_suppression) \
	X(add_count) \
	X(count_accepted) \
	X(list_runs) \
	X(choose_pruned) \
	X(choose_one) \
	X(clear_pruned) \
	X(delete_links) \
	X(delete_runs) \
	X(void_results) \
	X(delete_occurrences) \
	X(delete_results) \
	X(count_pruned) \
	X(delete_findings) \
	X(last_run) \
	X(run_with_id) \
	X(run_of_name) \
	X(run_of_commit) \
	X(base_of) \
	X(commit_of) \
	X(verdict_of) \
	X(is_ancestor) \
	X(set_pair) \
	X(forget_compared) \
	X(compare_as_linked) \
	X(compare_as_matched) \
	X(clear_matched) \
	X(add_matched) \
	X(tells_fixed) \
	X(find_kept) \
	X(keep_result) \
	X(use_kept) \
	X(find_note) \
	X(keep_note) \
	X(list_kept) \
	X(list_kept_at) \
	X(list_events) \
	X(forget_kept) \
	X(forget_notes)

#define SG_STATEMENT_NAME(name) SG_SQL_##name,
enum sg_statement { SG_STATEMENTS(SG_STATEMENT_NAME) SG_SQL_COUNT };

struct sg_bulk;
struct sg_import;

struct sg_store {
	sqlite3 *db; /**< owned */
	char *path; /**< owned; as its user wrote it */
	bool reads_only;
	sqlite3_stmt *statements[SG_SQL_COUNT]; /**< owned; NULL: not yet */
	const char *began; /**< function that began the open transaction, to
			      tell who forgot to end it; NULL: none is open */
	const struct sg_bulk *given; /**< borrowed; whose rows a statement is to
					insert; NULL: none */
	struct sg_import *import; /**< owned; NULL: none */
	sqlite3_stmt *shown; /**< borrowed; whose row the last sg_run points
				into; NULL: none */
};

/** A value to bind. Borrowed for the call. */
struct sg_value {
	enum {
		SG_VALUE_NULL,
		SG_VALUE_NUMBER,
		SG_VALUE_TEXT,
		SG_VALUE_BYTES,
		SG_VALUE_HASH
	} kind;
	int64_t number; /**< of bytes: how many */
	const char *text; /**< or bytes */
	unsigned char hash[16]; /**< highest byte first */
};

struct sg_value sg_number(int64_t number);
/** 0 is bound as NULL: not given. */
struct sg_value sg_number_given(int64_t number);
/** NULL is bound as NULL. */
struct sg_value sg_text(const char *text);
struct sg_value sg_bytes(const void *bytes, size_t count);
/** A zero hash is bound as NULL. */
struct sg_value sg_hash_value(struct sg_hash hash);

/** Run a statement that gives no rows, with the values of ?1, ?2, ... */
#define SG_DO(store, error, which, ...) \
	sg_sql_do((store), (which), (const struct sg_value[]){ __VA_ARGS__ }, \
		  sizeof((const struct sg_value[]){ __VA_ARGS__ }) / \
			  sizeof(struct sg_value), \
		  (error))
enum sl_code sg_sql_do(struct sg_store *store, enum sg_statement which,
		       const struct sg_value *values, size_t count,
		       struct sl_error *error) SL_MUST_CHECK;

/** The first number of the first row; 0 if there is no row. */
#define SG_ASK(store, error, number, which, ...) \
	sg_sql_ask((store), (which), (const struct sg_value[]){ __VA_ARGS__ }, \
		   sizeof((const struct sg_value[]){ __VA_ARGS__ }) / \
			   sizeof(struct sg_value), \
		   (number), (error))
enum sl_code sg_sql_ask(struct sg_store *store, enum sg_statement which,
			const struct sg_value *values, size_t count,
			int64_t *number, struct sl_error *error) SL_MUST_CHECK;

/** A statement with rows, before its first. @return it, borrowed, for
 * sg_sql_next() and sg_sql_stop(); NULL: *error says why. */
sqlite3_stmt *sg_sql_start(struct sg_store *store, enum sg_statement which,
			   const struct sg_value *values, size_t count,
			   struct sl_error *error) SL_MUST_CHECK;

/** The next row. @return SL_OK; SL_END: there is none; or a failure. */
enum sl_code sg_sql_next(struct sg_store *store, sqlite3_stmt *statement,
			 struct sl_error *error) SL_MUST_CHECK;
void sg_sql_stop(sqlite3_stmt *statement);

/** @return a column's text, borrowed until the next row; NULL if it is NULL. */
const char *sg_sql_text(sqlite3_stmt *statement, int column);
/** @return a column's hash; zero if it is NULL. */
struct sg_hash sg_sql_hash(sqlite3_stmt *statement, int column);

/** Run text of our own, without values: pragmas, the schema. */
enum sl_code sg_sql_exec(struct sg_store *store, const char *text,
			 struct sl_error *error) SL_MUST_CHECK;

/** Begin to write. @p who: __func__. */
enum sl_code sg_sql_begin(struct sg_store *store, const char *who,
			  struct sl_error *error) SL_MUST_CHECK;
enum sl_code sg_sql_commit(struct sg_store *store,
			   struct sl_error *error) SL_MUST_CHECK;
void sg_sql_rollback(struct sg_store *store);

/** Record what SQLite says about @p store's last call. @return its code. */
enum sl_code sg_sql_fail(struct sg_store *store, struct sl_error *error);

#endif
