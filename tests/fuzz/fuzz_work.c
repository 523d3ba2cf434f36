/* SPDX-License-Identifier: MIT */
/* The work that powercheck counts: what --work may say, a file with a number,
 * and the counter file of another program. Whatever they hold, the work done is
 * a number of 0 or more, or there is none. */
#define _GNU_SOURCE /* setenv() */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "power/work.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/tree.h"

static const char *const paths[] = {
	"words", /* a: of --work */
	"work", /* b: a number */
	"sluice/x.counters", /* c */
};

/* What is done between the tree as it was and as it is. */
static void try_work(const char *text, const struct sl_app *app,
		     const struct fuzz_tree *tree)
{
	struct sl_work work;
	double done = -1;

	fuzz_require(sl_work_init(&work, text, NULL) == SL_OK);
	/* of a counter it would watch a folder, and the kernel takes its time
	 * to forget that */
	if (work.kind == SL_WORK_FILE)
		fuzz_require(sl_work_arm(&work, NULL) == SL_OK);
	sl_work_seek(&work, app);
	if (sl_work_begin(&work, NULL) == SL_OK) {
		fuzz_tree_go_on(tree);
		sl_work_seek(&work, app);
		if (sl_work_end(&work, &done, NULL) == SL_OK)
			fuzz_require(done >= 0 && isfinite(done));
	}
	sl_work_finish(&work);
}

static void try_words(const char *root)
{
	struct sl_error error = { .code = SL_OK };
	struct sl_work work;
	char path[96], words[256];
	FILE *file;
	size_t got;

	snprintf(path, sizeof(path), "%s/words", root);
	file = fopen(path, "re");
	if (!file)
		return;
	got = fread(words, 1, sizeof(words) - 1, file);
	fclose(file);
	words[got] = '\0';
	if (sl_work_init(&work, words, &error) == SL_OK)
		fuzz_require(work.what >= words && work.what < words + got);
	sl_work_finish(&work);
}

/** What a file of counters says of itself. */
struct seen {
	pid_t process;
	char name[SL_COUNTER_NAME];
};

static bool see(void *context, const char *path,
		struct sl_counter_reader *reader, const struct sl_error *error)
{
	struct seen *seen = context;
	struct sl_counter_value first;
	enum sl_counter_state state;

	(void)path;
	if (error ||
	    sl_counter_reader_read(reader, &first, 1, &state, NULL) != SL_OK)
		return true;
	seen->process = (pid_t)sl_counter_reader_program(reader)->process;
	memcpy(seen->name, first.name, sizeof(seen->name));
	fuzz_require_flat(first.name);
	fuzz_require_flat(first.unit);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sl_app app = { .pidfd = -1, .out = -1 };
	struct seen seen = { 0, "" };
	struct fuzz_tree tree;
	char text[96];

	fuzz_tree_make(&tree, paths, sizeof(paths) / sizeof(paths[0]), data,
		       size);
	setenv("XDG_RUNTIME_DIR", tree.root, 1);
	try_words(tree.root);
	snprintf(text, sizeof(text), "file:%s/work", tree.root);
	try_work(text, &app, &tree);
	if (sl_counters_walk(NULL, see, &seen, NULL) == SL_OK && seen.process) {
		app.pid = seen.process;
		snprintf(text, sizeof(text), "counter:%s", seen.name);
		try_work(text, &app, &tree);
	}
	fuzz_tree_finish(&tree);
	return 0;
}
