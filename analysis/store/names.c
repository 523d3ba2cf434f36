/* SPDX-License-Identifier: MIT */
/* Ids of tools, rules and files. Few names make most of a report, so those met
 * lately are remembered: a slot holds the last name that fell into it. */
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "store/import.h"

enum kind { KIND_TOOL = 1, KIND_RULE, KIND_FILE, KIND_VERSION, KIND_UNIT };

static struct sg_hash key_of(enum kind kind, int64_t owner, const char *name)
{
	uint64_t seed = (uint64_t)owner << 3 | kind;
	XXH128_hash_t hash = XXH3_128bits_withSeed(name, strlen(name), seed);

	return (struct sg_hash){ hash.high64, hash.low64 };
}

static struct sg_known_id *slot_of(struct sg_import *import, struct sg_hash key)
{
	return &import->known[key.low & (SG_KNOWN_IDS - 1)];
}

/* What names an id, and where it is. */
struct name {
	struct sg_hash key;
	enum sg_statement find, add;
	struct sg_value values[3]; /* for both; a search ignores the last */
	size_t count; /* of those for the search */
	size_t add_count;
};

static enum sl_code id_of(struct sg_store *store, const struct name *name,
			  int64_t *id, struct sl_error *error)
{
	struct sg_known_id *known = slot_of(store->import, name->key);
	enum sl_code code;

	if (sg_hash_equal(known->key, name->key)) {
		*id = known->id;
		return SL_OK;
	}
	code = sg_sql_ask(store, name->find, name->values, name->count, id,
			  error);
	if (code == SL_OK && !*id) {
		code = sg_sql_do(store, name->add, name->values,
				 name->add_count, error);
		*id = sqlite3_last_insert_rowid(store->db);
	}
	if (code == SL_OK)
		*known = (struct sg_known_id){ name->key, *id };
	return code;
}

enum sl_code sg_import_tool(struct sg_store *store, const char *name,
			    int64_t *id, struct sl_error *error)
{
	const struct name tool = {
		.key = key_of(KIND_TOOL, 0, name),
		.find = SG_SQL_find_tool,
		.add = SG_SQL_add_tool,
		.values = { sg_text(name) },
		.count = 1,
		.add_count = 1,
	};

	return id_of(store, &tool, id, error);
}

enum sl_code sg_import_rule(struct sg_store *store, int64_t tool,
			    const char *name, int64_t *id,
			    struct sl_error *error)
{
	const struct name rule = {
		.key = key_of(KIND_RULE, tool, name ? name : ""),
		.find = SG_SQL_find_rule,
		.add = SG_SQL_add_rule,
		.values = { sg_number(tool), sg_text(name ? name : ""),
			    sg_number(sg_rule_gives_up(name)) },
		.count = 2,
		.add_count = 3,
	};

	return id_of(store, &rule, id, error);
}

enum sl_code sg_import_file(struct sg_store *store, const char *path,
			    int64_t *id, struct sl_error *error)
{
	struct name file = {
		.find = SG_SQL_find_file,
		.add = SG_SQL_add_file,
		.count = 1,
		.add_count = 1,
	};

	*id = 0;
	if (!path)
		return SL_OK;
	file.key = key_of(KIND_FILE, 0, path);
	file.values[0] = sg_text(path);
	return id_of(store, &file, id, error);
}

static bool has_noted(struct sg_import *import, struct sg_hash key)
{
	struct sg_known_id *known = slot_of(import, key);
	bool noted = sg_hash_equal(known->key, key) &&
		     known->id == import->result.id;

	*known = (struct sg_known_id){ key, import->result.id };
	return noted;
}

bool sg_import_has_noted(struct sg_import *import, int64_t tool,
			 const char *version)
{
	return has_noted(import, key_of(KIND_VERSION, tool, version));
}

bool sg_import_has_noted_unit(struct sg_import *import, int64_t file)
{
	return has_noted(import, key_of(KIND_UNIT, file, ""));
}

void sg_import_forget_names(struct sg_import *import)
{
	memset(import->known, 0, sizeof(import->known));
}
