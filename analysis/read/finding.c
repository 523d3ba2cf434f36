/* SPDX-License-Identifier: MIT */
/* The words of findings: severities of all tools, and how documents end. */
#include "read/finding.h"

#include <ctype.h>
#include <string.h>

const char *sg_ending_text(enum sg_ending_kind kind)
{
	static const char *const texts[] = {
		[SG_COMPLETE] = "complete",
		[SG_UNVERIFIED] = "unverified",
		[SG_TOOL_FAILED] = "the tool failed",
		[SG_BROKEN_OFF] = "broken off",
		[SG_MALFORMED] = "malformed",
		[SG_NO_REPORT] = "no report",
	};

	return texts[kind];
}

const char *sg_severity_text(enum sg_severity severity)
{
	static const char *const texts[] = {
		[SG_SEVERITY_UNKNOWN] = "unknown",
		[SG_INFO] = "info",
		[SG_STYLE] = "style",
		[SG_LOW] = "low",
		[SG_WARNING] = "warning",
		[SG_ERROR] = "error",
	};

	return texts[severity];
}

/* In lower case, as far as ASCII goes; gcc's are its translations' words. */
static const struct {
	const char *word;
	enum sg_severity severity;
} known[] = {
	{ "info", SG_INFO },
	{ "information", SG_INFO },
	{ "informational", SG_INFO },
	{ "note", SG_INFO },
	{ "none", SG_INFO },
	{ "ignore", SG_INFO },
	{ "remark", SG_INFO },
	{ "debug", SG_INFO },
	{ "style", SG_STYLE },
	{ "refactor", SG_STYLE },
	{ "convention", SG_STYLE },
	{ "recommendation", SG_STYLE },
	{ "low", SG_LOW },
	{ "minor", SG_LOW },
	{ "performance", SG_LOW },
	{ "portability", SG_LOW },
	{ "warning", SG_WARNING },
	{ "medium", SG_WARNING },
	{ "moderate", SG_WARNING },
	{ "major", SG_WARNING },
	{ "error", SG_ERROR },
	{ "fatal error", SG_ERROR },
	{ "fatal", SG_ERROR },
	{ "sorry", SG_ERROR },
	{ "high", SG_ERROR },
	{ "critical", SG_ERROR },
	{ "blocker", SG_ERROR },
	{ "internal compiler error", SG_ERROR },
	{ "warnung", SG_WARNING },
	{ "fehler", SG_ERROR },
	{ "schwerwiegender fehler", SG_ERROR },
	{ "anmerkung", SG_INFO },
	{ "avertissement", SG_WARNING },
	{ "attention", SG_WARNING },
	{ "erreur", SG_ERROR },
	{ "erreur fatale", SG_ERROR },
	{ "aviso", SG_WARNING },
	{ "advertencia", SG_WARNING },
	{ "nota", SG_INFO },
	{ "error fatal", SG_ERROR },
	{ "erro", SG_ERROR },
	{ "avviso", SG_WARNING },
	{ "attenzione", SG_WARNING },
	{ "errore", SG_ERROR },
	{ "errore fatale", SG_ERROR },
	{ "waarschuwing", SG_WARNING },
	{ "fout", SG_ERROR },
	{ "varning", SG_WARNING },
	{ "fel", SG_ERROR },
	{ "ostrzeżenie", SG_WARNING },
	{ "błąd", SG_ERROR },
	{ "uyarı", SG_WARNING },
	{ "hata", SG_ERROR },
	{ "предупреждение", SG_WARNING },
	{ "ошибка", SG_ERROR },
	{ "замечание", SG_INFO },
	{ "警告", SG_WARNING },
	{ "エラー", SG_ERROR },
	{ "错误", SG_ERROR },
	{ "致命错误", SG_ERROR },
	{ "附注", SG_INFO },
};

static int equal(const char *word, size_t length, const char *lower)
{
	if (strlen(lower) != length)
		return 0;
	for (size_t at = 0; at < length; at++)
		if (tolower((unsigned char)word[at]) !=
		    (int)(unsigned char)lower[at])
			return 0;
	return 1;
}

enum sg_severity sg_severity_of(const char *word, size_t length)
{
	for (size_t at = 0; at < sizeof(known) / sizeof(known[0]); at++)
		if (equal(word, length, known[at].word))
			return known[at].severity;
	return SG_SEVERITY_UNKNOWN;
}

static void note(char *to, size_t size, const char *text)
{
	size_t length = text ? strlen(text) : 0;

	if (length < size)
		memcpy(to, text ? text : "", length + 1);
	else
		to[0] = '\0';
}

void sg_ending_name_tool(struct sg_ending *ending, const char *tool,
			 const char *version)
{
	note(ending->tool, sizeof(ending->tool), tool);
	note(ending->tool_version, sizeof(ending->tool_version), version);
}
