/* SPDX-License-Identifier: MIT */
/** @file
 * A check that is under way: the inside of check.h.
 *
 * It goes check_trees (which trees), check_rules (by which rules), check_units
 * (units, closures, keys), check_affected (which of them matter), check_analyse
 * (results from the store, or made now), check_judge (findings of both sides,
 * matched), gate/policy (the verdict).
 */
#ifndef SG_GATE_CHECK_PARTS_H
#define SG_GATE_CHECK_PARTS_H

#include "base/arena.h"
#include "gate/check.h"
#include "gate/suppressions.h"
#include "run/closure.h"
#include "run/list.h"
#include "run/snapshot.h"
#include "store/kept.h"

/** Goes up when results that were kept would no longer be made so. */
#define SG_CHECK_VERSION 1

enum { SG_BASES_MAX = 16 /**< parents of a merge, and older trees */ };

/** What one analyzer says of one unit. */
struct sg_gate_result {
	int64_t id; /**< of the result; 0: it is not there */
	enum sg_run_state state;
	bool failed; /**< there will be none; a trouble says why */
};

/** A unit of a tree. */
struct sg_gate_unit {
	const struct sg_unit *unit; /**< borrowed from the tree's */
	struct sg_hash flags; /**< of how it is compiled */
	struct sg_hash closure; /**< of what it may depend on */
	const char *filtered; /**< a file of these that a program alters when
				   git checks it out; NULL: none */
	struct sg_hash outside; /**< of what it depends on beyond the tree */
	bool knows_outside;
	struct sg_list loose; /**< of these, what is in the work tree but not
				   tracked; below the root */
	bool compiled; /**< it is known to compile */
	bool failed; /**< it does not; a trouble says so */
	bool affected; /**< no equal one is in the other tree */
	size_t twin; /**< of a base: the equal one of the tested tree */
	bool is_guess; /**< of a base: how it was compiled is only guessed */
	bool has_history; /**< of a base that does not tell of it: an older
			       tree does */
	bool wanted; /**< its findings are asked for */
	struct sg_gate_job *jobs; /**< what runs for it, in the arena */
	size_t pending; /**< how many of these have not ended */
	struct sg_gate_result *results; /**< by analyzer */
};

/** What git does to a file when it checks it out. */
struct sg_gate_filter {
	struct sg_hash hash; /**< of the attributes that say it */
	bool is_any; /**< there are some */
	bool is_program; /**< a filter that is set up here */
};

struct sg_gate_tree {
	struct sg_snapshot *snapshot; /**< owned */
	const char *name; /**< "HEAD 1a2b3c4d" */
	bool is_base;
	bool is_history; /**< no parent, but an older tree that tells more */
	struct sg_units own_units; /**< where the tree has a database */
	const struct sg_units *units; /**< that, or the check's */
	struct sg_closures *closures; /**< owned */
	struct sg_gate_unit *rows; /**< owned; units that are analysed */
	size_t count;
	struct sg_gate_filter *filters; /**< by file; NULL: nothing is done to
					     any */
	bool *read; /**< by file, whether a unit may include it; NULL: nobody
			 asked */
	struct sg_gate_result *once; /**< by analyzer, of those that run once
					  for all */
	char *folder; /**< where it was exported to; NULL: not yet */
	const char *database; /**< folder of its compile_commands.json; NULL: no
				   analyzer wants one */
	bool failed; /**< something of it could not be analysed */
};

/** An analyzer, as this machine has it. */
struct sg_gate_tool {
	const struct sg_analyzer *analyzer;
	const char *name; /**< of its program, as people call it */
	const char *program; /**< path; NULL: there is none */
	const char *version; /**< first line of what it says */
	struct sg_hash hash; /**< of the definition, and of these */
};

/** A growing list of pointers or of rows, in the check's arena or owned. */
struct sg_gate_texts {
	const char **rows; /**< owned; NULL at the end */
	size_t count, room;
};

struct sg_check {
	struct sg_check_settings settings;
	struct sg_store *store; /**< borrowed */
	struct sl_arena arena;
	struct sg_gate_tree tested;
	struct sg_gate_tree bases[SG_BASES_MAX];
	size_t base_count;
	/* ---- rules ---- */
	struct sg_gate_tree *lawgiver; /**< whose configuration holds */
	struct sg_config config;
	bool has_config;
	bool breaks_config; /**< that of the tested tree is broken */
	struct sg_suppressions *before, *after; /**< owned; entries that hold
						     in the base, and now */
	const bool *entry_is_new; /**< of `after` */
	struct sg_gate_tool *tools; /**< owned; by analyzer */
	size_t tool_count;
	bool has_tools; /**< they were looked for */
	struct sg_hash law; /**< of files that steer analyzers */
	const char *git_settings; /**< "\nNAME VALUE..." that alter files when
				       they are checked out; NULL: not read */
	const char *git_attributes; /**< this clone's own file of them */
	/* ---- units ---- */
	struct sg_units units; /**< of a database outside of the trees */
	const char *compiler; /**< the last one that was looked for */
	struct sg_hash compiler_hash;
	/* ---- analysis ---- */
	struct sg_outside *outside; /**< owned */
	char *temp; /**< folder of this check; NULL: not made yet */
	int temp_lock; /**< -1: none */
	struct sg_gate_job *once_ended; /**< runs for all that ended, and are
					     not settled */
	size_t next_file; /**< to number outputs */
	int64_t deadline_ns; /**< 0: none */
	bool ran_out; /**< of time */
	/* ---- judgement ---- */
	struct sg_gate_texts notes, steps;
	struct sg_trouble *troubles; /**< owned */
	size_t trouble_count, trouble_room;
	struct sg_judged *judged; /**< owned */
	struct sg_judgement judgement;
};

/* Each of these is a step of sg_check_run(), and says itself in *error. */
enum sl_code sg_check_open_trees(struct sg_check *check,
				 struct sl_error *error) SL_MUST_CHECK;
enum sl_code sg_check_read_rules(struct sg_check *check,
				 struct sl_error *error) SL_MUST_CHECK;
/** Read the entries of the file @p name of @p tree; one that is not there, or a
 * NULL tree, has none. @p list: owned by the caller. */
enum sl_code sg_check_read_entries(struct sg_check *check,
				   struct sg_gate_tree *tree, const char *name,
				   struct sg_suppressions **list,
				   struct sl_error *error) SL_MUST_CHECK;
enum sl_code sg_check_list_units(struct sg_check *check,
				 struct sl_error *error) SL_MUST_CHECK;
/** @return whether @p list has an entry with the same words. */
bool sg_check_has_entry(const struct sg_suppressions *list,
			const struct sg_suppression *entry);
/** Want units that entries are about which the change takes out or alters: what
 * they excused counts again. */
enum sl_code sg_check_want_unexcused(struct sg_check *check,
				     struct sl_error *error) SL_MUST_CHECK;
/** Want the same units of bases as of the tested tree. */
void sg_check_want_twins(struct sg_check *check);
/** What sg_includes_scan() says of a file, in the arena. */
enum sl_code sg_check_scan(struct sg_check *check, struct sg_gate_tree *tree,
			   const struct sg_snapshot_file *file,
			   const char **scan,
			   struct sl_error *error) SL_MUST_CHECK;
/** Set the units of a tree. */
enum sl_code sg_check_find_units(struct sg_check *check,
				 struct sg_gate_tree *tree,
				 struct sl_error *error) SL_MUST_CHECK;
/** The same of one tree: its units, closures and keys. */
enum sl_code sg_check_list_tree(struct sg_check *check,
				struct sg_gate_tree *tree,
				struct sl_error *error) SL_MUST_CHECK;
/** Add older trees as bases where the parent does not tell all of a unit. */
enum sl_code sg_check_look_back(struct sg_check *check,
				struct sl_error *error) SL_MUST_CHECK;
/** The file that a path leads to through symlinks of the tree; *file is NULL if
 * it is not there, or leads out of the tree. */
enum sl_code sg_check_follow(struct sg_check *check,
			     const struct sg_gate_tree *tree, const char *path,
			     const struct sg_snapshot_file **file,
			     struct sl_error *error) SL_MUST_CHECK;
/** @return whether the name is one of a source or a header. */
bool sg_check_is_code(const char *path);
/** The closure of a unit: see sg_closures_of(), which it is borrowed as. */
enum sl_code sg_check_closure(struct sg_check *check,
			      const struct sg_gate_tree *tree,
			      const struct sg_unit *unit,
			      struct sg_closure *closure,
			      struct sl_error *error) SL_MUST_CHECK;
/** Note where a change takes flags away that say what is looked for. */
enum sl_code sg_check_note_flags(struct sg_check *check,
				 struct sl_error *error) SL_MUST_CHECK;
/** @return whether a tool looks at a unit, @p then and @p now, for the same:
 * language and flags let it find what is called @p rule (NULL: anything). */
bool sg_check_looks_as_before(struct sg_check *check,
			      const struct sg_gate_unit *then,
			      const struct sg_gate_unit *now, size_t tool,
			      const char *rule);
/** Find which files units of a tree may include, once. */
enum sl_code sg_check_find_read(struct sg_check *check,
				struct sg_gate_tree *tree,
				struct sl_error *error) SL_MUST_CHECK;
/** Want the units that may read @p wanted, a file of the tree; NULL: one that
 * is none, which can be any. *widened becomes true if there are more now. */
enum sl_code sg_check_want_readers(struct sg_check *check,
				   struct sg_gate_tree *tree,
				   const struct sg_snapshot_file *wanted,
				   bool *widened,
				   struct sl_error *error) SL_MUST_CHECK;
/** Note what was changed, or is compiled, and not judged. */
enum sl_code sg_check_note_unread(struct sg_check *check,
				  struct sl_error *error) SL_MUST_CHECK;
/** Find files that a commit lacks: units compile here alone. */
enum sl_code sg_check_find_forgotten(struct sg_check *check,
				     struct sl_error *error) SL_MUST_CHECK;
/** Find what git does to the files of a tree. */
enum sl_code sg_check_find_filters(struct sg_check *check,
				   struct sg_gate_tree *tree,
				   struct sl_error *error) SL_MUST_CHECK;
/** Add it to the hash of a closure, where it does something. */
void sg_check_add_filters(const struct sg_check *check,
			  const struct sg_gate_tree *tree,
			  const struct sg_closure *closure,
			  struct sg_hash *hash);
/** @return a file of a closure that a program alters when it is checked out;
 * NULL: there is none. */
const char *sg_check_filtered(const struct sg_gate_tree *tree,
			      const struct sg_closure *closure);
/** Mark units as affected. */
enum sl_code sg_check_compare(struct sg_check *check,
			      struct sl_error *error) SL_MUST_CHECK;
/** Get the results of all wanted units, and of what runs once for all. What
 * cannot be had becomes a trouble. */
enum sl_code sg_check_analyse(struct sg_check *check,
			      struct sl_error *error) SL_MUST_CHECK;
/** Look up the results of all units that have them. @return in *whole whether
 * none lacks. */
enum sl_code sg_check_look_up_all(struct sg_check *check, bool *whole,
				  struct sl_error *error) SL_MUST_CHECK;
enum sl_code sg_check_judge(struct sg_check *check,
			    struct sl_error *error) SL_MUST_CHECK;

/** Find the programs and versions of all analyzers, once. */
enum sl_code sg_check_find_tools(struct sg_check *check,
				 struct sl_error *error) SL_MUST_CHECK;

/** Write the bytes to a new file @p path; folders above it are made. */
enum sl_code sg_check_write(const char *path, const char *bytes, size_t length,
			    struct sl_error *error) SL_MUST_CHECK;

/** @return a hash of what a program's file is, as long as nobody writes to it.
 */
struct sg_hash sg_check_program_hash(const char *path);

/** Make the check's folder, once. */
enum sl_code sg_check_make_temp(struct sg_check *check,
				struct sl_error *error) SL_MUST_CHECK;
void sg_check_remove_temp(struct sg_check *check);
/** @return a new path in it, in the arena; NULL: no memory. */
const char *sg_check_new_file(struct sg_check *check, const char *suffix);

/** Export a tree, once, with untracked headers. */
enum sl_code sg_check_export(struct sg_check *check, struct sg_gate_tree *tree,
			     struct sl_error *error) SL_MUST_CHECK;

/** Append to the judgement; @p text in printf's manner. */
enum sl_code sg_check_note(struct sg_check *check, struct sl_error *error,
			   const char *fmt, ...) SL_PRINTF(3, 4) SL_MUST_CHECK;
enum sl_code sg_check_step(struct sg_check *check, struct sl_error *error,
			   const char *fmt, ...) SL_PRINTF(3, 4) SL_MUST_CHECK;
/** Add a trouble; its texts are borrowed until the check's end. A NULL `why` is
 * SL_ENOMEM. */
enum sl_code sg_check_trouble(struct sg_check *check,
			      const struct sg_trouble *trouble,
			      struct sl_error *error) SL_MUST_CHECK;

/** @return SL_ESTOPPED if one of the signals that are held back came. */
enum sl_code sg_check_stopped(struct sg_check *check,
			      struct sl_error *error) SL_MUST_CHECK;

#endif
