/* SPDX-License-Identifier: MIT */
/** @file
 * Runtimes of sanitizers, which must be there when a process starts: loaded
 * late, with a plugin, they do not fail but end the host.
 */
#ifndef SL_PIPELINE_SANITIZER_H
#define SL_PIPELINE_SANITIZER_H

/** @return if @p library ("libasan.so.8") is a sanitizer's runtime that this
 * process has not loaded, what -fsanitize= calls the sanitizer ("address");
 * else NULL. */
const char *sl_sanitizer_missing(const char *library);

#endif
