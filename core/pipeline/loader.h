/* SPDX-License-Identifier: MIT */
/** @file
 * The loader: from a plugin's name to its struct sl_plugin.
 *
 * A file is checked before it is loaded, because `dlopen` kills the process
 * on a half-copied one (SIGBUS) and runs code of the others.
 */
#ifndef SL_PIPELINE_LOADER_H
#define SL_PIPELINE_LOADER_H

#include <stddef.h>
#include <stdint.h>

#include "sluice/defs.h"
#include "sluice/error.h"
#include "sluice/meter.h"
#include "sluice/plugin.h"
#include "sluice/sink.h"
#include "sluice/source.h"
#include "sluice/stage.h"

/** A loaded plugin. A zeroed struct is none. It may be moved. */
struct sl_module {
	void *handle; /**< dlopen's */
	char *path; /**< owned */
	/** A copy, as long as ours: what an older plugin does not have is
	 * zero. Its `source`, `stage`, `sink` and `meter` are NULL: what they
	 * point to may be shorter than ours, so it is copied to the fields
	 * below. Its options are the plugin's own: read them with
	 * sl_option_row(). */
	struct sl_plugin plugin;
	/** The one that plugin.kind says, as long as ours, what an older
	 * plugin does not have is zero; the others are all zero. */
	struct sl_source source;
	struct sl_stage stage;
	struct sl_sink sink;
	struct sl_meter meter;
};

/** Open a plugin's file to look into it: a regular file, not writable by
 * others, nor its folder (unless sticky), which is both the folder that @p path
 * names and the one of the file that a link leads to. Never waits for a FIFO,
 * never opens a device. SL_EPLUGIN or SL_EIO, the path first in the message.
 * On success the caller owns *fd; *size is the file's, in bytes. */
enum sl_code sl_plugin_open(const char *path, int *fd, uint64_t *size,
			    struct sl_error *error) SL_MUST_CHECK;

/** Check a plugin's file without loading it: sl_plugin_open()'s rules; an ELF
 * shared object of this class, byte order and machine; every segment and
 * section, the tables of both, inside the file; a dynamic section where the
 * dynamic segment is; `sluice_plugin` a defined data object inside a PT_LOAD,
 * of a fitting ABI and a size that holds the frozen fields and is held by the
 * symbol; no DT_NEEDED sanitizer runtime (libasan, libtsan, libubsan, liblsan,
 * libmsan, libhwasan, and clang's) that this process has not loaded.
 * Fails with SL_EPLUGIN (or SL_EIO), the message naming the path first (its
 * tail, if it is longer than 256 bytes):
 *     "plugins/nat.so: not an ELF file"
 *     "plugins/nat.so: cut off: a segment ends at byte 16384, the file at
 *      4096"                                              [one line]
 * It does not defend against a file made to deceive, which could as well do
 * its harm once loaded, nor against one exchanged before dlopen() gets it. */
enum sl_code sl_plugin_check(const char *path,
			     struct sl_error *error) SL_MUST_CHECK;

/** Check @p path, load it (RTLD_NOW | RTLD_LOCAL), and check what it says of
 * itself:
 * - a kind that this host can use, and a name of letters, digits, '_', '-'
 *   (the file's name may be another);
 * - the structure that the kind needs, of a size that reaches at least to
 *   `finish` (a stage), `parse` (a source), `write` (a sink) or `read` (a
 *   meter): later fields are zero where an older plugin does not have them;
 * - not `process` and one of the three steps at once; a source's cut and parse;
 *   a meter's open and read;
 * - a step at least; a summary;
 * - options whose rows reach at least to `offset`, with a name in lower case
 * that no other has, nor every group ("plugin", "name"), a minimum not above
 * the maximum, not both required and with a default, a known type (of elements,
 * too), a field inside state_size and aligned, choices for an enum. Defaults
 * that fit their type are the author's matter. Of a plugin with several roles
 * (`also`) the one of kind @p kind is taken; if it has none such, or @p kind is
 * 0, the first. A failed dlopen gives dlerror's text. SL_EPLUGIN, SL_EIO or
 * SL_ENOMEM, the path first in the message. On success the caller owns *module,
 * on failure *module is zeroed. */
enum sl_code sl_module_load(struct sl_module *module, const char *path,
			    uint32_t kind,
			    struct sl_error *error) SL_MUST_CHECK;

/** The part of that which judges the options, whose fields lie in a state of
 * @p state_size bytes. */
enum sl_code sl_module_check_options(const struct sl_module *module,
				     size_t state_size,
				     struct sl_error *error) SL_MUST_CHECK;

/** Unload, if it is loaded; no callback of the plugin may run, now or later,
 * and nothing of its memory be read: options and names of drops are gone. */
void sl_module_unload(struct sl_module *module);

/** Where plugins are looked for: folders in order, owned. A zeroed struct is
 * an empty path. */
struct sl_search_path {
	char **folders;
	size_t count;
};

/** Append a folder, or a ':'-separated list of folders (empty ones skipped).
 * They need not exist. When memory is short some may have been appended. */
enum sl_code sl_search_path_add(struct sl_search_path *path,
				const char *folders,
				struct sl_error *error) SL_MUST_CHECK;
void sl_search_path_finish(struct sl_search_path *path);

/** Append the folder where this installation or build keeps its plugins,
 * derived from where libsluice itself was loaded from (dladdr): its folder
 * + "/sluice", so that both may be moved. */
enum sl_code sl_search_path_add_default(struct sl_search_path *path,
					struct sl_error *error) SL_MUST_CHECK;

/** Find NAME.so. @return its path, owned by the caller; NULL with an error
 * that lists the folders searched and, if a name nearby is there, asks "did
 * you mean": `no plugin "natt" (did you mean "nat"?); searched /a, /b`
 * (SL_EPLUGIN). A name that is empty, holds '/' or starts with '.' is refused
 * (SL_EINVAL). */
char *sl_search_path_find(const struct sl_search_path *path, const char *name,
			  struct sl_error *error) SL_MUST_CHECK;

/** Every plugin's file on the path, sorted by name, the first of a name wins.
 * Folders that cannot be read count as empty. @return how many; *paths is
 * owned, each and the array; 0 and NULL if there are none or memory is
 * short. */
size_t sl_search_path_list(const struct sl_search_path *path, char ***paths);

/** Free what sl_search_path_list() returned. */
void sl_search_path_list_free(char **paths, size_t count);

#endif
