/* SPDX-License-Identifier: MIT */
/* Paths written "a.b[].*" become a tree of nodes. */
#include "read/json_paths.h"

#include <string.h>

/* @return the node in *place, made if there is none. */
static struct sg_json_node *node_at(struct sl_arena *arena,
				    struct sg_json_node **place)
{
	if (!*place)
		*place = sl_arena_alloc(arena, sizeof(**place));
	return *place;
}

static struct sg_json_node *member_at(struct sl_arena *arena,
				      struct sg_json_node *node,
				      const char *name, size_t length)
{
	struct sg_json_node **place = &node->members;
	struct sg_json_node *member;

	if (length == 1 && *name == '*')
		return node_at(arena, &node->any);
	while (*place && ((*place)->length != length ||
			  memcmp((*place)->name, name, length) != 0))
		place = &(*place)->next;
	member = node_at(arena, place);
	if (member) {
		member->name = name;
		member->length = length;
	}
	return member;
}

/* Walk along one path. @return its node; NULL: no memory. */
static struct sg_json_node *node_of(struct sl_arena *arena,
				    struct sg_json_node *node, const char *path)
{
	while (node && *path) {
		size_t length = strcspn(path, ".[");

		if (*path == '[') {
			node = node_at(arena, &node->element);
			path += 2;
		} else {
			node = member_at(arena, node, path, length);
			path += length;
		}
		if (*path == '.')
			path++;
	}
	return node;
}

struct sg_json_node *sg_json_paths_build(struct sl_arena *arena,
					 const struct sg_json_path *paths,
					 size_t count)
{
	struct sg_json_node *root = sl_arena_alloc(arena, sizeof(*root));

	for (size_t at = 0; root && at < count; at++) {
		struct sg_json_node *node =
			node_of(arena, root, paths[at].path);

		if (!node)
			return NULL;
		node->id = paths[at].id;
	}
	return root;
}

struct sg_json_node *sg_json_member(const struct sg_json_node *node,
				    const char *key, size_t length)
{
	struct sg_json_node *member = node->members;

	while (member &&
	       (member->length != length || !sg_json_is_name(member, key)))
		member = member->next;
	return member ? member : node->any;
}
