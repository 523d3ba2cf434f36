/* SPDX-License-Identifier: MIT */
/** @file
 * What a source text includes, and what it silences, as far as its text tells.
 *
 * Comments, strings (raw ones too), line continuations, digraphs and trigraph
 * %: and ??= are minded; conditions are not: an #include behind `#if 0` counts.
 * Other languages and binary files have no includes. A scan's outcome is a
 * small text, so that it can be kept by the content's hash (store/kept.h).
 */
#ifndef SG_RUN_INCLUDES_H
#define SG_RUN_INCLUDES_H

#include <stdbool.h>
#include <stddef.h>

#include "sluice/buffer.h"
#include "sluice/defs.h"
#include "sluice/error.h"

/** Goes up when the scan's outcome changes for any text. */
#define SG_INCLUDES_VERSION 3

/** Append to @p out what @p text includes and silences, a line each:
 *
 *     "NAME          an #include, #include_next, #import, #embed or
 *                    __has_include of "NAME", or <NAME>; once a name
 *     *              an #include or the like of something else: a macro
 *     !LINE:COLUMN WHAT
 *                    an inline suppression; WHAT is "NOLINT",
 *                    "cppcheck-suppress", "pragma diagnostic", "pragma
 *                    system_header", with what follows it on the line (at
 *                    most 100 bytes): NOLINT, NOLINTNEXTLINE, NOLINTBEGIN,
 *                    anywhere, as clang-tidy does not ask for a comment;
 *                    cppcheck-suppress and its -begin, -file, -macro forms in
 *                    comments; `#pragma GCC|clang diagnostic ignored` and
 *                    `system_header`, _Pragma of the same, and these words
 *                    where a macro may make a pragma of them; "computed"
 *                    _Pragma, of what is no string; "line marker" of a
 *                    system header (`# 1 "a.h" 3`); "#line" (`#line 1
 *                    "FILE"`; WHAT follows as `"FILE"`), which is one only if
 *                    nobody judges FILE; names that only analyzers define
 *
 * Suppressions come last, by place; the columns are bytes from 1.
 *
 * SL_ENOMEM. Thread-safe. */
enum sl_code sg_includes_scan(const char *text, size_t length,
			      struct sl_buffer *out,
			      struct sl_error *error) SL_MUST_CHECK;

#endif
