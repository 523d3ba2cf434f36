/* SPDX-License-Identifier: MIT */
/** @file
 * Configuration files: libconfig, with the file and line of everything.
 *
 * libconfig 1.5 wraps integers beyond 32 bits that lack their `L`; the text is
 * scanned first, included files too, and such integers are refused, as are
 * those with an `L` beyond 64 bits, and hexadecimal ones alike.
 */
#ifndef SL_BASE_CONFIG_H
#define SL_BASE_CONFIG_H

#include <libconfig.h>

#include "base/arena.h"
#include "sluice/defs.h"
#include "sluice/error.h"

/** The files that a configuration includes, the last one first. */
struct sl_config_include {
	const char *path;
	const struct sl_config_include *next;
};

struct sl_config_files {
	struct sl_arena arena; /**< owns the list */
	const struct sl_config_include *last; /**< NULL: none */
};

struct sl_config {
	config_t tree;
	struct sl_config_files files;
	char *path; /**< owned; as the user wrote it; "-" is stdin */
	char *folder; /**< owned; "" for the working directory, else it ends
			   in '/' : what relative paths start at */
};

/** Read @p path ("-": stdin) in place. On failure nothing needs
 * sl_config_finish(); a syntax error or a wide integer is SL_EINVAL, with its
 * place in the error ("input", "input_line"), as is a text without settings,
 * with NUL bytes, or of more than 16 MiB; an unreadable file is SL_EIO. An
 * `@include` is taken from the configuration's folder, whatever file it stands
 * in. The line of each setting is that of its own file, and that of a list's
 * element is where the element starts. */
enum sl_code sl_config_init(struct sl_config *config, const char *path,
			    struct sl_error *error) SL_MUST_CHECK;

/** Read @p length bytes of @p text (never NULL; no NUL need be behind them)
 * in place, as sl_config_init() reads a file; @p path is its name in messages,
 * and nothing is opened. An `@include` in it is SL_EINVAL: a text that comes
 * from elsewhere has no files beside it. */
enum sl_code sl_config_init_text(struct sl_config *config, const char *path,
				 const char *text, size_t length,
				 struct sl_error *error) SL_MUST_CHECK;
void sl_config_finish(struct sl_config *config);

/** Scan @p text (@p length bytes) for integers that libconfig would wrap.
 * @return the line of the first, from 1, with the integer copied to
 * @p number (64 bytes, cut if longer); 0: there is none. Comments (#, //,
 * and block) and strings are skipped. */
int sl_config_scan_integers(const char *text, size_t length, char number[64]);

/** @return the path of the file that @p setting was read from: the included
 * file's, or config->path. Borrowed from @p config. */
const char *sl_config_file(const struct sl_config *config,
			   const config_setting_t *setting);

#endif
