/* SPDX-License-Identifier: MIT */
/* A shared object that is no plugin. */
#include "sluice/defs.h"

SL_BEGIN_DECLS
int some_function(void);
SL_END_DECLS

int some_function(void)
{
	return 1;
}
