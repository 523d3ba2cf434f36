/* SPDX-License-Identifier: MIT */
/** @file
 * pcap in its other role: the sink, which writes a capture.
 */
#ifndef PCAP_SINK_H
#define PCAP_SINK_H

#include "sluice/plugin.h"

extern const struct sl_plugin pcap_sink;

#endif
