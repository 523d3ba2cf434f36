/* SPDX-License-Identifier: MIT */
/* Any bytes are a .scgate.conf or have problems, and one that is good has all
 * that a check goes by. */
#include <stdlib.h>
#include <string.h>

#include "gate/config.h"
#include "tests/fuzz/fuzz.h"

static void require(int condition)
{
	if (!condition)
		abort();
}

static void look_at(const struct sg_config *config)
{
	require(!config->build != !config->sources);
	require(config->analyzers[0] != NULL);
	require(config->compiler[0] && config->suppressions[0]);
	for (size_t at = 0; config->analyzers[at]; at++) {
		const struct sg_analyzer *one = config->analyzers[at];

		require(one->name[0] && one->command[0] && one->format);
		require(one->languages && one->timeout_ns >= 0);
	}
	require(sg_config_policy(config, NULL) == config->policy);
	for (size_t at = 0; at < config->path_count; at++)
		require(config->paths[at].has_policy ||
			config->paths[at].has_lowest);
	(void)sg_config_lowest(config, "src/a.c");
	(void)sg_config_excludes(config, "src/a.c");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* a copy of the very size, so that reading beyond it is seen */
	char *copy = malloc(size ? size : 1);
	struct sl_problems problems = { .count = 0 };
	struct sl_error error = { .code = SL_OK };
	struct sg_config config;
	enum sl_code code;

	require(copy != NULL);
	if (size)
		memcpy(copy, data, size);
	code = sg_config_parse(&config, copy, size, SG_CONFIG_NAME, &problems,
			       &error);
	free(copy); /* what is kept is a copy */
	require((code == SL_OK) == (problems.count == 0));
	if (code == SL_OK) {
		look_at(&config);
		sg_config_finish(&config);
	} else {
		require(code == SL_EINVAL && error.message[0]);
	}
	sl_problems_finish(&problems);
	return 0;
}
