/* SPDX-License-Identifier: MIT */
/* Schemas: made, recognised, migrated with a copy beside. */
#include "store/migrate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <unistd.h>

#include "support.h"

static const struct sg_migration steps[] = {
	{ "ALTER TABLE runs ADD COLUMN host TEXT" },
	{ "ALTER TABLE runs ADD COLUMN user TEXT" },
};
static const struct sg_schema third = {
	.text = "CREATE TABLE runs (id, host, user)",
	.current = 3,
	.migrations = steps,
};
static const struct sg_migration broken_steps[] = {
	{ "ALTER TABLE runs ADD COLUMN host TEXT" },
	{ "ALTER TABLE absent ADD COLUMN user TEXT" },
};
static const struct sg_schema broken = {
	.text = "",
	.current = 3,
	.migrations = broken_steps,
};

static void make_store(const char *path)
{
	struct sg_store *store;

	assert_int_equal(sg_store_open(path, &store, NULL), SL_OK);
	import(store, NULL, SG_RUN_COMPLETE, NULL, 0);
	sg_store_close(store);
}

static enum sl_code ensure(char *path, const struct sg_schema *schema,
			   struct sl_error *error)
{
	struct sg_store store = { .path = path };
	enum sl_code code;

	assert_int_equal(sqlite3_open(path, &store.db), SQLITE_OK);
	code = sg_store_ensure(&store, schema, error);
	for (size_t at = 0; at < SG_SQL_COUNT; at++)
		sqlite3_finalize(store.statements[at]);
	assert_int_equal(sqlite3_close(store.db), SQLITE_OK);
	return code;
}

static void an_older_store_is_migrated_and_a_copy_kept(void **state)
{
	struct folder *folder = *state;
	char copy[128];

	make_store(folder->db);
	assert_int_equal(ensure(folder->db, &third, NULL), SL_OK);
	assert_int_equal(number_in(folder->db, "PRAGMA user_version"), 3);
	assert_int_equal(number_in(folder->db, "SELECT count(*) FROM runs "
					       "WHERE host IS NULL AND user IS "
					       "NULL"),
			 1);
	snprintf(copy, sizeof(copy), "%s.schema-1", folder->db);
	assert_int_equal(number_in(copy, "PRAGMA user_version"), 1);
	assert_int_equal(number_in(copy, "PRAGMA application_id"),
			 SG_STORE_APPLICATION);
	assert_int_equal(number_in(copy, "SELECT count(*) FROM runs"), 1);
	assert_int_equal(number_in(copy, "SELECT count(*) FROM "
					 "pragma_table_info('runs') WHERE name "
					 "= 'host'"),
			 0);
}

static void a_migration_that_fails_leaves_the_store_as_it_was(void **state)
{
	struct folder *folder = *state;
	struct sl_error error;

	make_store(folder->db);
	assert_int_equal(ensure(folder->db, &broken, &error), SL_EIO);
	if (!strstr(error.message, "no such table: absent"))
		fail_msg("%s", error.message);
	assert_int_equal(number_in(folder->db, "PRAGMA user_version"), 1);
	assert_int_equal(number_in(folder->db,
				   "SELECT count(*) FROM "
				   "pragma_table_info('runs') WHERE name = "
				   "'host'"),
			 0);
}

static void a_second_try_replaces_the_copy(void **state)
{
	struct folder *folder = *state;
	char copy[128];

	make_store(folder->db);
	assert_int_equal(ensure(folder->db, &broken, NULL), SL_EIO);
	change(folder->db, "DELETE FROM runs");
	assert_int_equal(ensure(folder->db, &third, NULL), SL_OK);
	snprintf(copy, sizeof(copy), "%s.schema-1", folder->db);
	assert_int_equal(number_in(copy, "SELECT count(*) FROM runs"), 0);
}

static void a_migrated_store_is_too_new_for_this_program(void **state)
{
	struct folder *folder = *state;
	struct sg_store *store;
	struct sl_error error;

	make_store(folder->db);
	assert_int_equal(ensure(folder->db, &third, NULL), SL_OK);
	assert_int_equal(sg_store_open(folder->db, &store, &error), SL_EINVAL);
	assert_null(store);
	assert_non_null(strstr(error.message,
			       "has schema 3, of a newer scgate; this one "
			       "knows 1"));
}

static void a_database_with_our_mark_but_no_schema_is_refused(void **state)
{
	struct folder *folder = *state;
	struct sg_store *store;

	change(folder->db, "PRAGMA application_id = 1396130132");
	assert_int_equal(sg_store_open(folder->db, &store, NULL), SL_EINVAL);
}

static void all_statements_compile(void **state)
{
	struct folder *folder = *state;
	struct sg_store *store;
	struct sl_error error;

	assert_int_equal(sg_store_open(folder->db, &store, NULL), SL_OK);
	for (int at = 0; at < SG_SQL_COUNT; at++)
		if (!sg_sql_start(store, (enum sg_statement)at, NULL, 0,
				  &error))
			fail_msg("%d: %s", at, error.message);
	sg_store_close(store);
}

static void a_hash_is_stored_with_its_highest_byte_first(void **state)
{
	const struct sg_hash hash = { 0xfedcba9876543210, 0x0123456789abcdef };
	const struct sg_value value = sg_hash_value(hash);

	(void)state;
	assert_int_equal(value.kind, SG_VALUE_HASH);
	assert_memory_equal(value.hash,
			    "\xfe\xdc\xba\x98\x76\x54\x32\x10"
			    "\x01\x23\x45\x67\x89\xab\xcd\xef",
			    16);
}

#define TEST(name) \
	cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_older_store_is_migrated_and_a_copy_kept),
		TEST(a_migration_that_fails_leaves_the_store_as_it_was),
		TEST(a_second_try_replaces_the_copy),
		TEST(a_migrated_store_is_too_new_for_this_program),
		TEST(a_database_with_our_mark_but_no_schema_is_refused),
		TEST(all_statements_compile),
		cmocka_unit_test(a_hash_is_stored_with_its_highest_byte_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
