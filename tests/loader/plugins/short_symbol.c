/* SPDX-License-Identifier: MIT */
/* The symbol is there, but too short for the fields that never move. */
#include "sluice/defs.h"

SL_BEGIN_DECLS
extern const long sluice_plugin;
SL_END_DECLS

const long sluice_plugin = 8;
