/* SPDX-License-Identifier: MIT */
/* Knowing a sanitizer's runtime by its name: gcc's are libasan.so.8, clang's
 * libclang_rt.asan-x86_64.so. */
#include "pipeline/sanitizer.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static const struct {
	const char *stem, *word;
} runtimes[] = {
	{ "asan", "address" }, { "hwasan", "hwaddress" },
	{ "lsan", "leak" },    { "msan", "memory" },
	{ "tsan", "thread" },  { "ubsan", "undefined" },
};

/** @return what follows @p prefix in @p text; NULL: it does not begin so. */
static const char *after(const char *text, const char *prefix)
{
	size_t length = strlen(prefix);

	return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

static const char *sanitizer_word(const char *library)
{
	const char *stem = after(library, "libclang_rt.");

	if (!stem)
		stem = after(library, "lib");
	for (size_t i = 0; stem && i < sizeof(runtimes) / sizeof(*runtimes);
	     i++) {
		const char *rest = after(stem, runtimes[i].stem);

		if (rest && strchr("._-", *rest))
			return runtimes[i].word;
	}
	return NULL;
}

static bool is_loaded(const char *library)
{
	void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);

	if (handle)
		dlclose(handle);
	return handle != NULL;
}

const char *sl_sanitizer_missing(const char *library)
{
	const char *word = sanitizer_word(library);

	return word && !is_loaded(library) ? word : NULL;
}
