/* SPDX-License-Identifier: MIT */
/** @file
 * What a parser without entities does not take in texts, values and references.
 */
#ifndef SG_READ_XML_REFERENCES_H
#define SG_READ_XML_REFERENCES_H

/** @return the first & from @p at on that begins none of XML's five entities
 * and no number of a legal character; NULL: there is none. */
const char *sg_xml_bad_reference(const char *at, const char *end);

/** @return the first > from @p at on that ends ]]>, which no text may have;
 * NULL: there is none. */
const char *sg_xml_bad_mark(const char *at, const char *end);

#endif
