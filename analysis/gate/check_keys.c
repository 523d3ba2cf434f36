/* SPDX-License-Identifier: MIT */
/* Keys of results, and what a unit depends on beyond its tree. */
#include "gate/check_keys.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/clock.h"
#include "gate/key.h"
#include "run/path.h"
#include "run/program.h"
#include "run/unit_flags.h"

enum { PIECE = 1 << 16 };

static enum sl_code no_memory(struct sl_error *error)
{
	return SL_FAIL(error, SL_ENOMEM, "no memory for keys");
}

/* ---- contents outside -------------------------------------------------- */

/* A file whose content was hashed in this check; an open hash table. */
struct hashed {
	const char *path; /* in the check's arena; NULL: free */
	struct sg_hash content;
};

struct sg_outside {
	struct hashed *rows; /* owned */
	size_t count, room; /* a power of two */
};

struct sg_outside *sg_outside_create(void)
{
	struct sg_outside *outside = calloc(1, sizeof(*outside));

	if (!outside)
		return NULL;
	outside->room = 1024;
	outside->rows = calloc(outside->room, sizeof(*outside->rows));
	if (outside->rows)
		return outside;
	free(outside);
	return NULL;
}

void sg_outside_destroy(struct sg_outside *outside)
{
	if (!outside)
		return;
	free(outside->rows);
	free(outside);
}

/* What cannot be read hashes as that. */
static struct sg_hash hash_file(const char *path)
{
	static const struct sg_hash nothing = { 0, 1 };
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char piece[PIECE];
	XXH3_state_t state;
	XXH128_hash_t hash;
	struct stat about;
	ssize_t got = -1;

	if (file < 0)
		return nothing;
	XXH3_128bits_reset(&state);
	if (fstat(file, &about) == 0 && S_ISREG(about.st_mode))
		while ((got = read(file, piece, sizeof(piece))) > 0)
			XXH3_128bits_update(&state, piece, (size_t)got);
	close(file);
	if (got < 0)
		return nothing;
	hash = XXH3_128bits_digest(&state);
	return (struct sg_hash){ hash.high64, hash.low64 };
}

static struct hashed *slot_of(const struct sg_outside *outside,
			      const char *path)
{
	size_t at = (size_t)XXH3_64bits(path, strlen(path));

	for (;; at++) {
		struct hashed *row = &outside->rows[at & (outside->room - 1)];

		if (!row->path || strcmp(row->path, path) == 0)
			return row;
	}
}

static bool grow(struct sg_outside *outside)
{
	struct sg_outside larger = { .room = 2 * outside->room };

	larger.rows = calloc(larger.room, sizeof(*larger.rows));
	if (!larger.rows)
		return false;
	for (size_t at = 0; at < outside->room; at++)
		if (outside->rows[at].path)
			*slot_of(&larger, outside->rows[at].path) =
				outside->rows[at];
	larger.count = outside->count;
	free(outside->rows);
	*outside = larger;
	return true;
}

static enum sl_code content_of(struct sg_check *check, const char *path,
			       struct sg_hash *content, struct sl_error *error)
{
	struct sg_outside *outside = check->outside;
	struct hashed *row = slot_of(outside, path);

	if (!row->path) {
		if (2 * outside->count > outside->room && !grow(outside))
			return no_memory(error);
		row = slot_of(outside, path);
		row->path = sl_arena_printf(&check->arena, "%s", path);
		if (!row->path)
			return no_memory(error);
		row->content = hash_file(path);
		outside->count++;
	}
	*content = row->content;
	return SL_OK;
}

/* A path of the list: absolute, or of a file of the tree that no text names. */
static enum sl_code add_path(struct sg_check *check,
			     const struct sg_gate_tree *tree, const char *path,
			     struct sg_key *key, struct sl_error *error)
{
	const struct sg_snapshot_file *file;
	struct sg_hash content = { 0, 0 };
	enum sl_code code = SL_OK;

	sg_key_text(key, path);
	if (*path == '/') {
		code = content_of(check, path, &content, error);
	} else {
		file = sg_snapshot_find(tree->snapshot, path);
		if (file)
			content = file->content;
	}
	sg_key_hash(key, content);
	return code;
}

/* ---- the list ---------------------------------------------------------- */

/* What a compiler is; units have the same one, one after the other. */
static struct sg_hash compiler_of(struct sg_check *check,
				  const struct sg_unit *unit)
{
	const char *name = sg_unit_compiler(unit);

	if (!check->compiler || strcmp(check->compiler, name) != 0) {
		const char *path = sg_program_find(name, &check->arena);

		check->compiler = name;
		check->compiler_hash = sg_check_program_hash(path ? path : "");
	}
	return check->compiler_hash;
}

void sg_check_add_environment(struct sg_key *key)
{
	static const char *const names[] = { "CPATH", "C_INCLUDE_PATH",
					     "CPLUS_INCLUDE_PATH",
					     "GCC_EXEC_PREFIX" };

	for (size_t at = 0; at < sizeof(names) / sizeof(names[0]); at++)
		sg_key_text(key, getenv(names[at]));
}

struct sg_hash sg_check_compile_key(struct sg_check *check,
				    const struct sg_gate_unit *row,
				    const char *kind)
{
	struct sg_key key;

	sg_key_init(&key, kind);
	sg_key_number(&key, SG_CHECK_VERSION);
	sg_key_text(&key, row->unit->source);
	sg_key_hash(&key, row->flags);
	sg_key_hash(&key, row->closure);
	sg_key_hash(&key, compiler_of(check, row->unit));
	sg_check_add_environment(&key);
	return key.hash;
}

enum sl_code sg_check_hash_outside(struct sg_check *check,
				   const struct sg_gate_tree *tree,
				   struct sg_gate_unit *row, const char *list,
				   struct sl_error *error)
{
	struct sg_key key;
	enum sl_code code = SL_OK;
	char *copy = sl_arena_printf(&check->arena, "%s", list), *rest = NULL;

	if (!copy)
		return no_memory(error);
	row->loose = (struct sg_list){ .arena = &check->arena };
	sg_key_init(&key, "outside");
	for (const char *path = strtok_r(copy, "\n", &rest);
	     code == SL_OK && path; path = strtok_r(NULL, "\n", &rest)) {
		const char *below = sg_path_below(check->settings.root, path);

		if (below)
			sg_list_add(&row->loose, below);
		code = add_path(check, tree, path, &key, error);
	}
	if (code == SL_OK && row->loose.failed)
		code = no_memory(error);
	row->outside = key.hash;
	row->knows_outside = code == SL_OK;
	return code;
}

struct sg_hash sg_check_compiled_key(struct sg_check *check,
				     const struct sg_gate_unit *row)
{
	struct sg_key key;

	sg_key_init(&key, "compiled");
	sg_key_hash(&key, sg_check_compile_key(check, row, "compile"));
	sg_key_hash(&key, row->outside);
	return key.hash;
}

struct sg_hash sg_check_key(struct sg_check *check,
			    const struct sg_gate_unit *row, size_t tool)
{
	struct sg_key key;

	sg_key_init(&key, "result");
	sg_key_hash(&key, compiler_of(check, row->unit));
	sg_key_hash(&key, check->tools[tool].hash);
	sg_key_text(&key, row->unit->source);
	sg_key_hash(&key, row->flags);
	sg_key_hash(&key, row->closure);
	sg_key_hash(&key, row->outside);
	return key.hash;
}

struct sg_hash sg_check_once_key(struct sg_check *check,
				 const struct sg_gate_tree *tree, size_t tool)
{
	struct sg_key key;

	sg_key_init(&key, "once");
	sg_key_hash(&key, check->tools[tool].hash);
	for (size_t at = 0; at < tree->count; at++) {
		const struct sg_gate_unit *row = &tree->rows[at];

		if (!sg_check_is_for(&check->tools[tool], row))
			continue;
		sg_key_text(&key, row->unit->source);
		sg_key_hash(&key, row->flags);
		sg_key_hash(&key, row->closure);
		sg_key_hash(&key, compiler_of(check, row->unit));
		/* one that was never compiled may depend on anything, so that
		 * the result is of this moment alone */
		if (row->knows_outside)
			sg_key_hash(&key, row->outside);
		else
			sg_key_number(&key, (uint64_t)sl_clock_ns());
	}
	return key.hash;
}

/* ---- looking up -------------------------------------------------------- */

static enum sl_code look_up_outside(struct sg_check *check,
				    const struct sg_gate_tree *tree,
				    struct sg_gate_unit *row,
				    struct sl_error *error)
{
	const char *list = NULL;
	enum sl_code code = SL_OK;

	if (!row->knows_outside)
		code = sg_kept_note(check->store,
				    sg_check_compile_key(check, row, "compile"),
				    &check->arena, &list, error);
	return code == SL_OK && list
		       ? sg_check_hash_outside(check, tree, row, list, error)
		       : code;
}

static enum sl_code look_up_compile(struct sg_check *check,
				    const struct sg_gate_tree *tree,
				    struct sg_gate_unit *row,
				    struct sl_error *error)
{
	const char *compiled = NULL;
	enum sl_code code = look_up_outside(check, tree, row, error);

	if (code == SL_OK && row->knows_outside)
		code = sg_kept_note(check->store,
				    sg_check_compiled_key(check, row),
				    &check->arena, &compiled, error);
	row->compiled = compiled != NULL;
	return code;
}

static enum sl_code find(struct sg_check *check, struct sg_hash key,
			 struct sg_gate_result *result, struct sl_error *error)
{
	struct sg_kept_result kept;
	enum sl_code code = sg_kept_find(check->store, key, &kept, error);

	result->id = kept.id;
	result->state = kept.state;
	check->judgement.cached += kept.id != 0;
	if (code == SL_OK && kept.id && kept.is_old)
		code = sg_kept_use(check->store, key, error);
	return code;
}

enum sl_code sg_check_look_up(struct sg_check *check,
			      const struct sg_gate_tree *tree,
			      struct sg_gate_unit *row, struct sl_error *error)
{
	enum sl_code code = SL_OK;

	if (row->compiled || row->failed)
		return SL_OK;
	code = look_up_compile(check, tree, row, error);
	for (size_t at = 0;
	     code == SL_OK && row->compiled && at < check->tool_count; at++)
		if (sg_check_is_for(&check->tools[at], row) &&
		    !check->tools[at].analyzer->once)
			code = find(check, sg_check_key(check, row, at),
				    &row->results[at], error);
	return code;
}

enum sl_code sg_check_know_outside(struct sg_check *check,
				   const struct sg_gate_tree *tree, size_t tool,
				   struct sl_error *error)
{
	enum sl_code code = SL_OK;

	for (size_t at = 0; code == SL_OK && at < tree->count; at++)
		if (sg_check_is_for(&check->tools[tool], &tree->rows[at]))
			code = look_up_outside(check, tree, &tree->rows[at],
					       error);
	return code;
}

enum sl_code sg_check_look_up_once(struct sg_check *check,
				   const struct sg_gate_tree *tree, size_t tool,
				   struct sl_error *error)
{
	enum sl_code code = sg_check_know_outside(check, tree, tool, error);

	return code == SL_OK ? find(check, sg_check_once_key(check, tree, tool),
				    &tree->once[tool], error)
			     : code;
}

bool sg_check_is_for(const struct sg_gate_tool *tool,
		     const struct sg_gate_unit *row)
{
	const struct sg_analyzer *analyzer = tool->analyzer;

	if (!(analyzer->languages & 1u << row->unit->language))
		return false;
	for (const char *const *at = analyzer->files; at && *at; at++)
		if (sg_pattern_fits(*at, row->unit->source))
			return true;
	return !analyzer->files;
}

bool sg_check_lacks(const struct sg_check *check,
		    const struct sg_gate_unit *row)
{
	if (row->failed)
		return false;
	if (!row->compiled)
		return true;
	for (size_t at = 0; at < check->tool_count; at++)
		if (sg_check_is_for(&check->tools[at], row) &&
		    !check->tools[at].analyzer->once &&
		    check->tools[at].program && !row->results[at].id &&
		    !row->results[at].failed)
			return true;
	return false;
}
