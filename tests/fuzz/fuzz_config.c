/* SPDX-License-Identifier: MIT */
/* Any bytes are a configuration or an error with a place; no integer in one
 * was wrapped. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/config.h"
#include "tests/fuzz/fuzz.h"

static void write_file(const char *path, const uint8_t *data, size_t size)
{
	FILE *file = fopen(path, "wb");

	if (!file || fwrite(data, 1, size, file) != size || fclose(file))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char path[] = "/tmp/sluice-fuzz-XXXXXX";
	static int made;
	struct sl_config config;
	struct sl_error error = { .code = SL_OK };
	enum sl_code code;

	if (!made) {
		made = 1;
		close(mkstemp(path));
	}
	write_file(path, data, size);
	code = sl_config_init(&config, path, &error);
	if (code == SL_OK)
		sl_config_finish(&config);
	else if (!error.message[0] || !error.input[0])
		abort();
	unlink(path);
	return 0;
}
