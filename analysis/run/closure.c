/* SPDX-License-Identifier: MIT */
/* A graph from files to names to files, of which each part is made when it is
 * first reached; then a closure is a walk that stamps what it has seen. */
#include "run/closure.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "run/names.h"

/* What is known of a file. */
struct node {
	bool scanned, has_macro;
	uint32_t stamp; /* of the closure that it was last seen in */
	const uint32_t *names; /* numbers of what it includes */
	size_t name_count;
};

struct sg_closures {
	struct sg_snapshot *snapshot; /* borrowed */
	const struct sg_snapshot_file *files; /* its */
	size_t count;
	sg_scan_fn *scan;
	void *context;
	struct sl_arena arena;
	struct sg_names names;
	struct node *nodes; /* owned; of each file */
	struct sg_hash *hashes; /* owned; of each file: path, mode, content */
	size_t *links; /* owned; those that are in every closure */
	size_t link_count;
	uint32_t stamp;
	uint32_t *name_stamps; /* owned; of each name */
	size_t name_room;
	uint32_t *queue; /* owned; files to look at */
	uint64_t *seen; /* owned; a bit a file */
	size_t *found; /* owned; the closure */
	struct sg_hash *pieces; /* owned; hashes of what is in it */
	struct sg_hash whole; /* of all files */
};

static enum sl_code no_memory(struct sl_error *error)
{
	return SL_FAIL(error, SL_ENOMEM, "no memory for closures");
}

/* ---- hashes ------------------------------------------------------------ */

static struct sg_hash to_hash(XXH128_hash_t hash)
{
	return (struct sg_hash){ hash.high64, hash.low64 };
}

static struct sg_hash hash_file(const struct sg_snapshot_file *file)
{
	const uint64_t rest[] = { SL_LITTLE_64((uint64_t)file->mode),
				  SL_LITTLE_64(file->content.high),
				  SL_LITTLE_64(file->content.low) };
	XXH3_state_t state;

	XXH3_128bits_reset(&state);
	XXH3_128bits_update(&state, rest, sizeof(rest));
	XXH3_128bits_update(&state, file->path, strlen(file->path));
	return to_hash(XXH3_128bits_digest(&state));
}

static struct sg_hash hash_all(const struct sg_hash *hashes, size_t count)
{
	return to_hash(XXH3_128bits(hashes, count * sizeof(*hashes)));
}

/* ---- symlinks ---------------------------------------------------------- */

/* Where a symlink leads to by its text alone. Owned; NULL: no memory. */
static char *resolve(const char *link, const char *target)
{
	const char *slash = strrchr(link, '/');
	size_t used = slash ? (size_t)(slash - link) : 0;
	char *path = malloc(used + strlen(target) + 2);

	if (!path)
		return NULL;
	memcpy(path, link, used);
	while (*target) {
		size_t part = strcspn(target, "/");

		if (part == 2 && strncmp(target, "..", 2) == 0) {
			while (used && path[--used] != '/')
				;
		} else if (part && !(part == 1 && *target == '.')) {
			if (used)
				path[used++] = '/';
			memcpy(path + used, target, part);
			used += part;
		}
		target += part;
		target += *target == '/';
	}
	path[used] = '\0';
	return path;
}

static enum sl_code look_at_link(struct sg_closures *closures, size_t file,
				 struct sl_error *error)
{
	const char *link = closures->files[file].path, *target;
	char *path;
	enum sl_code code =
		sg_snapshot_target(closures->snapshot, link, &target, error);

	if (code != SL_OK)
		return code;
	path = resolve(link, target ? target : "");
	if (!path)
		return no_memory(error);
	if (!target || *target == '/' ||
	    !sg_snapshot_find(closures->snapshot, path))
		closures->links[closures->link_count++] = file;
	free(path);
	return SL_OK;
}

/* ---- life -------------------------------------------------------------- */

static enum sl_code prepare(struct sg_closures *closures,
			    struct sl_error *error)
{
	size_t count = closures->count;
	enum sl_code code = SL_OK;

	closures->nodes = calloc(count + 1, sizeof(*closures->nodes));
	closures->hashes = calloc(count + 1, sizeof(*closures->hashes));
	closures->links = calloc(count + 1, sizeof(*closures->links));
	closures->queue = calloc(count + 1, sizeof(*closures->queue));
	closures->seen = calloc(count / 64 + 1, sizeof(*closures->seen));
	closures->found = calloc(count + 1, sizeof(*closures->found));
	closures->pieces = calloc(count + 1, sizeof(*closures->pieces));
	if (!closures->nodes || !closures->hashes || !closures->links ||
	    !closures->queue || !closures->seen || !closures->found ||
	    !closures->pieces)
		return no_memory(error);
	for (size_t at = 0; at < count && code == SL_OK; at++) {
		closures->hashes[at] = hash_file(&closures->files[at]);
		if (closures->files[at].mode == 0120000)
			code = look_at_link(closures, at, error);
	}
	closures->whole = hash_all(closures->hashes, count);
	return code;
}

enum sl_code sg_closures_create(struct sg_closures **closures,
				struct sg_snapshot *snapshot, sg_scan_fn *scan,
				void *context, struct sl_error *error)
{
	struct sg_closures *made = calloc(1, sizeof(*made));
	enum sl_code code;

	*closures = NULL;
	if (!made)
		return no_memory(error);
	made->snapshot = snapshot;
	made->files = sg_snapshot_files(snapshot, &made->count);
	made->scan = scan;
	made->context = context;
	code = sg_names_init(&made->names, made->files, made->count, error);
	if (code != SL_OK) {
		free(made);
		return code;
	}
	code = prepare(made, error);
	if (code == SL_OK)
		*closures = made;
	else
		sg_closures_destroy(made);
	return code;
}

void sg_closures_destroy(struct sg_closures *closures)
{
	if (!closures)
		return;
	sg_names_finish(&closures->names);
	sl_arena_finish(&closures->arena);
	free(closures->nodes);
	free(closures->hashes);
	free(closures->links);
	free(closures->name_stamps);
	free(closures->queue);
	free(closures->seen);
	free(closures->found);
	free(closures->pieces);
	free(closures);
}

/* ---- the graph --------------------------------------------------------- */

static size_t count_lines(const char *text)
{
	size_t count = 0;

	while ((text = strchr(text, '\n'))) {
		count++;
		text++;
	}
	return count;
}

/* A line each; what a source silences has no part in this. */
static enum sl_code read_scan(struct sg_closures *closures, struct node *node,
			      const char *scan, struct sl_error *error)
{
	uint32_t *names = sl_arena_alloc(
		&closures->arena, (count_lines(scan) + 1) * sizeof(*names));
	enum sl_code code = SL_OK;

	if (!names)
		return no_memory(error);
	node->names = names;
	node->name_count = 0;
	for (const char *end; code == SL_OK && (end = strchr(scan, '\n'));
	     scan = end + 1) {
		if (*scan == '*')
			node->has_macro = true;
		if (*scan != '"')
			continue;
		code = sg_names_find(&closures->names, scan + 1,
				     (size_t)(end - scan) - 1,
				     &names[node->name_count], error);
		node->name_count += code == SL_OK;
	}
	return code;
}

static enum sl_code read_link(struct sg_closures *closures, size_t file,
			      struct node *node, struct sl_error *error)
{
	uint32_t *name = sl_arena_alloc(&closures->arena, sizeof(*name));
	const char *target;
	enum sl_code code;

	if (!name)
		return no_memory(error);
	code = sg_snapshot_target(closures->snapshot,
				  closures->files[file].path, &target, error);
	if (code == SL_OK && target) {
		code = sg_names_find(&closures->names, target, strlen(target),
				     name, error);
		node->names = name;
		node->name_count = code == SL_OK;
	}
	return code;
}

static enum sl_code scan_file(struct sg_closures *closures, size_t file,
			      struct sl_error *error)
{
	struct node *node = &closures->nodes[file];
	const char *scan = NULL;
	enum sl_code code = SL_OK;

	if (closures->files[file].mode == 0120000)
		code = read_link(closures, file, node, error);
	else if (closures->files[file].mode != 0160000)
		code = closures->scan(closures->context, &closures->files[file],
				      &scan, error);
	if (code == SL_OK && scan)
		code = read_scan(closures, node, scan, error);
	node->scanned = code == SL_OK;
	return code;
}

/* ---- the walk ---------------------------------------------------------- */

struct walk {
	struct sg_closures *closures;
	size_t queued;
	bool whole;
	struct sl_error *error;
};

static void reach(struct walk *walk, size_t file)
{
	struct sg_closures *closures = walk->closures;

	if (closures->nodes[file].stamp == closures->stamp)
		return;
	closures->nodes[file].stamp = closures->stamp;
	closures->seen[file / 64] |= UINT64_C(1) << file % 64;
	closures->queue[walk->queued++] = (uint32_t)file;
}

static enum sl_code reach_name(struct walk *walk, uint32_t number)
{
	struct sg_closures *closures = walk->closures;
	const struct sg_name *name = &closures->names.names[number];

	if (number >= closures->name_room) {
		size_t room = closures->names.names_room;
		uint32_t *grown =
			realloc(closures->name_stamps, room * sizeof(*grown));

		if (!grown)
			return no_memory(walk->error);
		memset(grown + closures->name_room, 0,
		       (room - closures->name_room) * sizeof(*grown));
		closures->name_stamps = grown;
		closures->name_room = room;
	}
	if (closures->name_stamps[number] == closures->stamp)
		return SL_OK;
	closures->name_stamps[number] = closures->stamp;
	for (size_t at = 0; at < name->count; at++)
		reach(walk, name->files[at]);
	return SL_OK;
}

static enum sl_code follow(struct walk *walk)
{
	struct sg_closures *closures = walk->closures;
	enum sl_code code = SL_OK;

	for (size_t at = 0; at < walk->queued && code == SL_OK; at++) {
		size_t file = closures->queue[at];
		const struct node *node = &closures->nodes[file];

		if (!node->scanned)
			code = scan_file(closures, file, walk->error);
		walk->whole |= node->has_macro;
		for (size_t name = 0; code == SL_OK && name < node->name_count;
		     name++)
			code = reach_name(walk, node->names[name]);
	}
	return code;
}

static void collect(struct sg_closures *closures, bool whole,
		    struct sg_closure *closure)
{
	size_t count = 0;

	for (size_t word = 0; word <= closures->count / 64; word++) {
		uint64_t bits = closures->seen[word];

		closures->seen[word] = 0;
		for (; bits && !whole; bits &= bits - 1) {
			size_t file = word * 64 + SL_LOWEST_BIT(bits);

			closures->pieces[count] = closures->hashes[file];
			closures->found[count++] = file;
		}
	}
	for (; whole && count < closures->count; count++)
		closures->found[count] = count;
	*closure = (struct sg_closure){
		.hash = whole ? closures->whole
			      : hash_all(closures->pieces, count),
		.files = closures->found,
		.count = count,
		.whole = whole,
	};
}

static enum sl_code reach_first(struct walk *walk, size_t source,
				const char *const *forced, size_t count)
{
	struct sg_closures *closures = walk->closures;
	enum sl_code code = SL_OK;

	reach(walk, source);
	for (size_t at = 0; at < closures->link_count; at++)
		reach(walk, closures->links[at]);
	for (size_t at = 0; at < count && code == SL_OK; at++) {
		uint32_t number;

		if (strcmp(forced[at], SG_ANY_FILE) == 0) {
			walk->whole = true;
			continue;
		}
		code = sg_names_find(&closures->names, forced[at],
				     strlen(forced[at]), &number, walk->error);
		if (code == SL_OK)
			code = reach_name(walk, number);
	}
	return code;
}

enum sl_code sg_closures_of(struct sg_closures *closures, const char *source,
			    const char *const *forced, size_t forced_count,
			    struct sg_closure *closure, struct sl_error *error)
{
	const struct sg_snapshot_file *file =
		sg_snapshot_find(closures->snapshot, source);
	struct walk walk = { .closures = closures, .error = error };
	enum sl_code code;

	*closure = (struct sg_closure){ .count = 0 };
	if (!file)
		return SL_FAIL(error, SL_END, "the tree has no file %s",
			       sl_path_tail(source));
	closures->stamp++;
	code = reach_first(&walk, (size_t)(file - closures->files), forced,
			   forced_count);
	if (code == SL_OK)
		code = follow(&walk);
	collect(closures, walk.whole, closure);
	if (code != SL_OK)
		*closure = (struct sg_closure){ .count = 0 };
	return code;
}

/* ---- what is wanted beyond the tree ------------------------------------ */

bool sg_closures_want(const void *of, const char *name)
{
	static const char *const extensions[] = {
		"h",   "hh",  "hpp", "hxx", "h++", "inc",
		"inl", "ipp", "tcc", "tpp", "def", NULL,
	};
	const struct sg_closures *closures = of;
	const char *point = strrchr(name, '.');

	for (const char *const *at = extensions; point && *at; at++)
		if (strcmp(point + 1, *at) == 0)
			return true;
	return sg_names_asked(&closures->names, name);
}
