/* SPDX-License-Identifier: MIT */
/** @file
 * References in XML: which of them a parser without entities takes.
 */
#ifndef SG_READ_XML_REFERENCES_H
#define SG_READ_XML_REFERENCES_H

/** @return the first & from @p at on that begins none of XML's five entities
 * and no number of a legal character; NULL: there is none. */
const char *sg_xml_bad_reference(const char *at, const char *end);

#endif
