/* SPDX-License-Identifier: MIT */
/** @file
 * A message without what changes while the defect stays.
 *
 * Two runs say the same of one defect in slightly different words: a size has
 * grown, an address is of another process, a line that is referred to has
 * moved, the tree was checked out elsewhere. The masked message is the same:
 *
 *     #   a number: 12, -1, 3.5e-7, 40u, 0x1f, 1'000, _12; so lines and columns
 *         that a message quotes (file.c:12:7, "line 40") are masked too, and
 *         the numbers of names that compilers make (D.1234, foo.isra.0)
 *     @   an address: 0x and at least 6 digits, or 12 or 16 hexadecimal digits
 *     '   a quotation mark: ` and the typographic ones of UTF-8 locales
 *         nothing: the folder of an absolute path (/tmp/x/pool.c is pool.c)
 *         one space: white space, however much; none at the ends
 *
 * A digit within a name (md5, int32_t, C4996) belongs to it and stays.
 */
#ifndef SG_MATCH_MASK_H
#define SG_MATCH_MASK_H

#include <stddef.h>

/** Mask @p message (@p length bytes, UTF-8, NUL is a byte like others).
 * @p masked has room for @p length bytes: masking never makes longer.
 * Thread-safe.
 * @return the bytes written; no NUL is put behind. */
size_t sg_mask(const char *message, size_t length, char *masked);

#endif
