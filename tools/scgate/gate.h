/* SPDX-License-Identifier: MIT */
/** @file
 * A check as commands run one: where, with which store, and what is said
 * meanwhile.
 */
#ifndef SCGATE_GATE_H
#define SCGATE_GATE_H

#include <stdbool.h>

#include "gate/check.h"

/** How a check is asked for on the command line. */
struct scgate_gate {
	const char *command; /**< "check" */
	const char *db; /**< NULL: the repository's */
	bool no_cache; /**< work on a database that is thrown away */
	struct sg_check_settings settings; /**< without root and problems */
};

/** Run it in the repository that the command was given in. @p root: of its work
 * tree, for free(), after the check was destroyed. @p check: owned by the
 * caller; NULL after a failure.
 * @return -1: there is a judgement; else the exit code, and all is said. */
int scgate_gate_run(const struct scgate_gate *gate, char **root,
		    struct sg_check **check);

#endif
