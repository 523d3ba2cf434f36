/* SPDX-License-Identifier: MIT */
/** @file
 * trace_text in its other role: the sink, which writes a trace.
 */
#ifndef TRACE_TEXT_SINK_H
#define TRACE_TEXT_SINK_H

#include "sluice/plugin.h"

extern const struct sl_plugin trace_text_sink;

#endif
