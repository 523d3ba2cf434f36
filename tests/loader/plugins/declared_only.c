/* SPDX-License-Identifier: MIT */
/* It uses the symbol that it should define. */
#include "sluice/plugin.h"

SL_BEGIN_DECLS
extern const struct sl_plugin *const elsewhere;
SL_END_DECLS

const struct sl_plugin *const elsewhere = &sluice_plugin;
