/* SPDX-License-Identifier: MIT */
/* The symbol is there, but it has no bytes in the file. */
#include "sluice/defs.h"

SL_BEGIN_DECLS
extern char sluice_plugin[256];
SL_END_DECLS

char sluice_plugin[256];
