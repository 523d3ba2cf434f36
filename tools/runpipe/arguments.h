/* SPDX-License-Identifier: MIT */
/** @file
 * What the user wants of runpipe, by its arguments.
 */
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include <stdbool.h>

#include "export.h"
#include "sluice/pipeline.h"

/** Texts are borrowed from the arguments. */
struct arguments {
	struct sl_pipeline_settings settings;
	const char **overrides; /**< owned */
	const char *stats; /**< NULL: none */
	struct exports exports;
	bool check, quiet, list;
	enum sl_list_format format;
	const char *plugin;
};

/** Take the arguments into @p arguments, whose defaults are set; what is wrong
 * is said. @return an exit code, or -1: go on. */
int arguments_parse(struct arguments *arguments, int argc, char **argv);

#endif
