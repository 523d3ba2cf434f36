/* SPDX-License-Identifier: MIT */
/** @file
 * The formats by name; each is defined in the file of that name.
 */
#ifndef SG_READ_FORMATS_H
#define SG_READ_FORMATS_H

#include "read/reader.h"

extern const struct sg_format sg_format_checkstyle;
extern const struct sg_format sg_format_clang;
extern const struct sg_format sg_format_clang_tidy;
extern const struct sg_format sg_format_cppcheck_xml;
extern const struct sg_format sg_format_flawfinder;
extern const struct sg_format sg_format_flawfinder_csv;
extern const struct sg_format sg_format_gcc;
extern const struct sg_format sg_format_gcc_json;
extern const struct sg_format sg_format_msvc;
extern const struct sg_format sg_format_pdr;
extern const struct sg_format sg_format_plist;
extern const struct sg_format sg_format_sanitizer;
extern const struct sg_format sg_format_sarif;
extern const struct sg_format sg_format_valgrind_xml;

#endif
