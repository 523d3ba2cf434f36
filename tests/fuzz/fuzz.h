/* SPDX-License-Identifier: MIT */
/** @file
 * The one function of a fuzz target.
 */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/** Try @p data; a finding is a crash, an abort or a sanitizer's report. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
