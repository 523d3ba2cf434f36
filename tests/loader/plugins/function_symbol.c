/* SPDX-License-Identifier: MIT */
/* The symbol is there, but it is code. */
#include "sluice/defs.h"

SL_BEGIN_DECLS
void sluice_plugin(void);
SL_END_DECLS

void sluice_plugin(void)
{
}
