/* SPDX-License-Identifier: MIT */
/** @file
 * A plugin: one shared object that exports one data symbol.
 *
 *     const struct sl_plugin sluice_plugin = {
 *             .size = sizeof(struct sl_plugin), .abi = SL_PLUGIN_ABI,
 *             .kind = SL_STAGE, .name = "null",
 *             .summary = "pass every packet on",
 *             .stage = &null_stage,
 *     };
 *
 * Compile with -fvisibility=hidden and -fPIC, link with -shared against
 * libsluice. Have no constructors: they would run whenever the plugin is
 * loaded, by --check and --list too. The host reads `size` and `abi` from the
 * file before it loads it, so a wrong file costs an error message, not a crash.
 */
#ifndef SLUICE_PLUGIN_H
#define SLUICE_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#include "sluice/defs.h"
#include "sluice/option.h"

/** Version of what these headers say: (major << 16) | minor. A host loads
 * plugins of its own major and of a minor not newer than its own. Minors add
 * fields at the end of structures, nothing else:
 * - struct sl_plugin, sl_source, sl_stage, sl_sink, sl_meter, sl_domain and
 *   sl_sample begin with their size, and struct sl_plugin says that of a row of
 *   options. A host reads only what is there; the rest is zero.
 * - struct sl_chunk may grow, for the host alone makes one.
 * What stands inside other structures or in arrays is frozen within a major:
 * struct sl_packet, sl_packet_info, sl_address, sl_ip, sl_prefix, sl_value,
 * sl_list, sl_buffer, sl_input, sl_output, sl_error. */
#define SL_PLUGIN_ABI_MAJOR 1
#define SL_PLUGIN_ABI_MINOR 0
#define SL_PLUGIN_ABI \
	((uint32_t)SL_PLUGIN_ABI_MAJOR << 16 | SL_PLUGIN_ABI_MINOR)

enum sl_plugin_kind {
	SL_SOURCE = 1, /**< sluice/source.h */
	SL_STAGE, /**< sluice/stage.h */
	SL_SINK, /**< sluice/sink.h */
	SL_METER, /**< sluice/meter.h */
};

struct sl_source;
struct sl_stage;
struct sl_sink;
struct sl_meter;

struct sl_plugin {
	size_t size; /**< sizeof(struct sl_plugin); frozen for ever */
	uint32_t abi; /**< SL_PLUGIN_ABI; frozen for ever */
	uint32_t kind; /**< enum sl_plugin_kind */
	const char *name; /**< as in the configuration; the file is NAME.so */
	const char *summary; /**< a line without a full stop; not NULL */
	const struct sl_option *options; /**< may be NULL */
	size_t option_count;
	size_t option_size; /**< sizeof(struct sl_option) */
	const struct sl_source *source; /**< of the four, the one that `kind`
					     says */
	const struct sl_stage *stage;
	const struct sl_sink *sink;
	const struct sl_plugin *also; /**< the same name in another role: a
					   format that is a source and a sink;
					   NULL: none */
	const struct sl_meter *meter;
};

/** The three fields for an array of options. */
#define SL_OPTION_TABLE(table) \
	.options = (table), \
	.option_count = sizeof(table) / sizeof((table)[0]), \
	.option_size = sizeof((table)[0])

SL_BEGIN_DECLS
extern const struct sl_plugin sluice_plugin;
SL_END_DECLS

#endif
