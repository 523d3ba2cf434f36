/* SPDX-License-Identifier: MIT */
/* Any bytes are a .scgate.conf or have problems, and one that is good has all
 * that a check goes by. */
#include <stdlib.h>
#include <string.h>

#include "gate/config.h"
#include "tests/fuzz/fuzz.h"

static void look_at(const struct sg_config *config)
{
	fuzz_require(!config->build != !config->sources);
	fuzz_require(config->analyzers[0] != NULL);
	fuzz_require(config->compiler[0] && config->suppressions[0]);
	for (size_t at = 0; config->analyzers[at]; at++) {
		const struct sg_analyzer *one = config->analyzers[at];

		fuzz_require(one->name[0] && one->command[0] && one->format);
		fuzz_require(one->languages && one->timeout_ns >= 0);
	}
	fuzz_require(sg_config_policy(config, NULL) == config->policy);
	for (size_t at = 0; at < config->path_count; at++)
		fuzz_require(config->paths[at].has_policy ||
			     config->paths[at].has_lowest);
	(void)sg_config_lowest(config, "src/a.c");
	(void)sg_config_excludes(config, "src/a.c");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = fuzz_copy(data, size);
	struct sl_problems problems = { .count = 0 };
	struct sl_error error = { .code = SL_OK };
	struct sg_config config;
	enum sl_code code;

	code = sg_config_parse(&config, copy, size, SG_CONFIG_NAME, &problems,
			       &error);
	free(copy); /* what is kept is a copy */
	fuzz_require((code == SL_OK) == (problems.count == 0));
	if (code == SL_OK) {
		look_at(&config);
		sg_config_finish(&config);
	} else {
		fuzz_require(code == SL_EINVAL && error.message[0]);
	}
	sl_problems_finish(&problems);
	return 0;
}
