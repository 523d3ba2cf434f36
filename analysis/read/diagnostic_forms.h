/* SPDX-License-Identifier: MIT */
/** @file
 * Lines that a single tool writes in its own way, for read/diagnostic.c.
 */
#ifndef SG_READ_DIAGNOSTIC_FORMS_H
#define SG_READ_DIAGNOSTIC_FORMS_H

#include <stdbool.h>

#include "read/diagnostic.h"

/** smatch's `x.c:107 allocate() warn: text`. @return whether it is one. */
bool sg_form_smatch(struct sg_span line, struct sg_diagnostic *found);

/** gnat's `(style) text`, of a message without a word. */
void sg_form_gnat(struct sg_diagnostic *found);

/** cppcheck's id, which csmock's template puts before the text: `x.c:64: error:
 * uninitvar: text`, `uninitvar(CWE-908): text`. What is behind the message was
 * taken off. */
void sg_form_cppcheck(struct sg_diagnostic *found);

#endif
