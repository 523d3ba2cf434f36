/* SPDX-License-Identifier: MIT */
/** @file
 * References in XML, resolved before the parser sees them.
 *
 * libxml2 reads a value at once where it stands, unless there is a reference in
 * it: then it copies it character by character, in thrice the time. So it gets
 * none. A reference becomes its character; one that the parser must not see at
 * that place becomes SG_XML_ESCAPE and a letter, and so does what would not be
 * well-formed: an & that begins no reference, the > of ]]>. What was parsed is
 * put back by sg_xml_unescape().
 *
 * References are XML's five and numbers of legal characters: there are no
 * other entities (XML 1.0, sections 2.2, 4.1 and 4.6).
 */
#ifndef SG_READ_XML_REFERENCES_H
#define SG_READ_XML_REFERENCES_H

#include <stdbool.h>
#include <stddef.h>

/** DEL: legal in XML, and rare. Itself it is escaped, too. */
#define SG_XML_ESCAPE '\x7f'

/** @return whether sg_xml_escape() would change the text. */
bool sg_xml_is_unfit(const char *text, size_t length);

/** Write @p text to @p to, which has room for twice as many bytes.
 * @return how many were written. Time is linear. */
size_t sg_xml_escape(const char *text, size_t length, char *to);

/** Put back what was escaped; @p to has room for @p length bytes, and may be
 * @p text. @return how many were written. */
size_t sg_xml_unescape(const char *text, size_t length, char *to);

#endif
