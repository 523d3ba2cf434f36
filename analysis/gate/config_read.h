/* SPDX-License-Identifier: MIT */
/** @file
 * What the readers of .scgate.conf's parts share. The inside of gate/config.h.
 */
#ifndef SG_GATE_CONFIG_READ_H
#define SG_GATE_CONFIG_READ_H

#include <libconfig.h>

#include "base/config.h"
#include "base/options.h"
#include "gate/config.h"

/** A file that is being read. All borrowed. */
struct sg_config_reading {
	const struct sl_config *file;
	struct sl_arena *arena; /**< of the result */
	struct sl_problems *problems;
	enum sg_inline inline_rule; /**< known when analyzers are read */
	int64_t timeout_ns; /**< the file's */
};

/** Add a problem at @p setting's place; @p who stands before it as in
 * base/options.h, "" for nobody. */
void sg_config_complain(const struct sg_config_reading *reading,
			const config_setting_t *setting, const char *who,
			const char *fmt, ...) SL_PRINTF(4, 5);

/** Read the options of @p group, which messages call @p who. */
void sg_config_options_read(const struct sg_config_reading *reading,
			    const struct sl_option_table *table,
			    const config_setting_t *group, const char *who,
			    const char *const *reserved, void *given);

/** @return @p list of texts with NULL at its end, in the arena; NULL: no memory
 * (the problems know). */
const char *const *sg_config_texts(const struct sg_config_reading *reading,
				   const struct sl_list *list);

/** Complain of those of @p list, the value of @p option, that are no patterns.
 */
void sg_config_check_patterns(const struct sg_config_reading *reading,
			      const char *who, const char *option,
			      const struct sl_list *list);

/** @return the setting of the file itself that is called @p key, or NULL. */
const config_setting_t *
sg_config_member(const struct sg_config_reading *reading, const char *key);

/** Complain of those of @p list, the value of @p option, that cannot be words
 * of a command. @p once: it runs once for all. */
void sg_config_check_words(const struct sg_config_reading *reading,
			   const char *who, const char *option,
			   const struct sl_list *list, bool once);

/** Read "analyzers" and "paths" into @p config. */
void sg_config_read_analyzers(const struct sg_config_reading *reading,
			      struct sg_config *config);
void sg_config_read_paths(const struct sg_config_reading *reading,
			  struct sg_config *config);

/** Read one of "analyzers". @return it, in the arena; NULL: there are problems.
 */
const struct sg_analyzer *
sg_config_analyzer(const struct sg_config_reading *reading,
		   const config_setting_t *group, const char *who);

#endif
