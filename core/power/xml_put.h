/* SPDX-License-Identifier: MIT */
/** @file
 * Writing XML: elements, attributes, escapes. What no document may hold becomes
 * '?'. Failures are remembered and told at the end.
 */
#ifndef SL_POWER_XML_PUT_H
#define SL_POWER_XML_PUT_H

#include <stdbool.h>
#include <stdint.h>

#include "sluice/buffer.h"
#include "sluice/defs.h"

/** Writes behind what is in the buffer. */
struct sl_xml {
	struct sl_buffer *text; /**< borrowed */
	unsigned depth;
	bool open; /**< in a start tag */
	bool failed; /**< no memory */
};

void sl_xml_begin(struct sl_xml *xml, const char *element);
void sl_xml_end(struct sl_xml *xml, const char *element);
/** Of the element that was begun last. */
void sl_xml_text(struct sl_xml *xml, const char *name, const char *value);
/** What is no number is left out. */
void sl_xml_number(struct sl_xml *xml, const char *name, double value);
void sl_xml_integer(struct sl_xml *xml, const char *name, int64_t value);
void sl_xml_bool(struct sl_xml *xml, const char *name, bool value);
/** <element>content</element> */
void sl_xml_element(struct sl_xml *xml, const char *element,
		    const char *content);

#endif
