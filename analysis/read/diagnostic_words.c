/* SPDX-License-Identifier: MIT */
/* Severity words before a message, in gcc's languages. */
#include <string.h>

#include "read/diagnostic.h"
#include "read/spans.h"

/* The words that stand before a message: gcc's, clang's and cppcheck's, and
 * gcc's translations (gcc/po). A longer one comes before its start. */
#define WORD(word, severity, note, fatal) \
	{ \
		word, sizeof(word) - 1, severity, note, fatal \
	}
static const struct {
	const char *word;
	size_t length;
	enum sg_severity severity;
	bool note, fatal;
} words[] = {
	WORD("warning", SG_WARNING, false, false),
	WORD("note", SG_INFO, true, false),
	WORD("error", SG_ERROR, false, false),
	WORD("fatal error", SG_ERROR, false, true),
	WORD("internal compiler error", SG_ERROR, false, true),
	WORD("sorry, unimplemented", SG_ERROR, false, true),
	WORD("confused by earlier errors, bailing out", SG_ERROR, false, true),
	WORD("remark", SG_INFO, false, false),
	WORD("info", SG_INFO, false, false),
	WORD("information", SG_INFO, false, false),
	WORD("style", SG_STYLE, false, false),
	WORD("performance", SG_LOW, false, false),
	WORD("portability", SG_LOW, false, false),
	WORD("debug", SG_INFO, false, false),
	WORD("pedwarn", SG_WARNING, false, false),
	WORD("permerror", SG_ERROR, false, false),
	WORD("anachronism", SG_WARNING, false, false),
	WORD("optimized", SG_INFO, false, false),
	WORD("missed", SG_INFO, false, false),
	WORD("runtime error", SG_ERROR, false, false),
	WORD("Warning", SG_WARNING, false, false),
	WORD("Error", SG_ERROR, false, false),
	WORD("Fatal Error", SG_ERROR, false, true),
	WORD("Internal Error", SG_ERROR, false, true),
	WORD("Note", SG_INFO, true, false),
	WORD("Warnung", SG_WARNING, false, false),
	WORD("Fehler", SG_ERROR, false, false),
	WORD("schwerwiegender Fehler", SG_ERROR, false, true),
	WORD("fataler Fehler", SG_ERROR, false, true),
	WORD("interner Compiler-Fehler", SG_ERROR, false, true),
	WORD("Anmerkung", SG_INFO, true, false),
	WORD("attention", SG_WARNING, false, false),
	WORD("avertissement", SG_WARNING, false, false),
	WORD("erreur", SG_ERROR, false, false),
	WORD("erreur fatale", SG_ERROR, false, true),
	WORD("erreur interne du compilateur", SG_ERROR, false, true),
	WORD("aviso", SG_WARNING, false, false),
	WORD("advertencia", SG_WARNING, false, false),
	WORD("error fatal", SG_ERROR, false, true),
	WORD("error interno del compilador", SG_ERROR, false, true),
	WORD("nota", SG_INFO, true, false),
	WORD("erro", SG_ERROR, false, false),
	WORD("erro fatal", SG_ERROR, false, true),
	WORD("avviso", SG_WARNING, false, false),
	WORD("attenzione", SG_WARNING, false, false),
	WORD("errore", SG_ERROR, false, false),
	WORD("errore fatale", SG_ERROR, false, true),
	WORD("let op", SG_WARNING, false, false),
	WORD("waarschuwing", SG_WARNING, false, false),
	WORD("fout", SG_ERROR, false, false),
	WORD("varning", SG_WARNING, false, false),
	WORD("fel", SG_ERROR, false, false),
	WORD("ödesdigert fel", SG_ERROR, false, true),
	WORD("ostrzeżenie", SG_WARNING, false, false),
	WORD("błąd", SG_ERROR, false, false),
	WORD("uwaga", SG_INFO, true, false),
	WORD("varování", SG_WARNING, false, false),
	WORD("chyba", SG_ERROR, false, false),
	WORD("uyarı", SG_WARNING, false, false),
	WORD("hata", SG_ERROR, false, false),
	WORD("предупреждение", SG_WARNING, false, false),
	WORD("ошибка", SG_ERROR, false, false),
	WORD("фатальная ошибка", SG_ERROR, false, true),
	WORD("замечание", SG_INFO, true, false),
	WORD("попередження", SG_WARNING, false, false),
	WORD("помилка", SG_ERROR, false, false),
	WORD("警告", SG_WARNING, false, false),
	WORD("エラー", SG_ERROR, false, false),
	WORD("致命的エラー", SG_ERROR, false, true),
	WORD("備考", SG_INFO, true, false),
	WORD("错误", SG_ERROR, false, false),
	WORD("致命错误", SG_ERROR, false, true),
	WORD("附注", SG_INFO, true, false),
	WORD("編譯器內部錯誤", SG_ERROR, false, true),
	WORD("錯誤", SG_ERROR, false, false),
	WORD("경고", SG_WARNING, false, false),
	WORD("오류", SG_ERROR, false, false),
};

/* Chinese translations write it. */
#define WIDE_COLON "\xef\xbc\x9a"
/* The longest word above, and a rule in brackets behind it. */
#define WORD_BYTES 192

static size_t blanks(struct sg_span text, size_t at)
{
	size_t from = at;

	while (at < text.length && (text.text[at] == ' '))
		at++;
	return at - from;
}

/* `error[uninitvar]`: the part in brackets. */
static struct sg_span bracketed(struct sg_span *word)
{
	struct sg_span rule = { 0 };
	size_t open = sg_span_find(*word, 0, "[");

	if (open && open < word->length && sg_span_ends(*word, "]")) {
		rule = sg_span_from(*word, open + 1);
		rule.length--;
		word->length = open;
	}
	return rule;
}

static bool known_word(struct sg_span word, struct sg_diagnostic *found)
{
	for (size_t at = 0; at < sizeof(words) / sizeof(words[0]); at++) {
		if (word.length != words[at].length ||
		    memcmp(word.text, words[at].word, word.length) != 0)
			continue;
		found->severity = words[at].severity;
		found->note = words[at].note;
		found->fatal = words[at].fatal;
		return true;
	}
	return false;
}

size_t sg_word_parse(struct sg_span text, struct sg_diagnostic *found)
{
	struct sg_span window = sg_span_to(
		text, text.length < WORD_BYTES ? text.length : WORD_BYTES);
	size_t colon = sg_span_find(window, 0, ":"), behind = 1, at;
	size_t wide = sg_span_find(sg_span_to(window, colon), 0, WIDE_COLON);
	struct sg_span word, rule;

	if (wide < colon) {
		colon = wide;
		behind = strlen(WIDE_COLON);
	}
	if (!colon || colon == window.length)
		return 0;
	word = sg_span_trim(sg_span_to(text, colon));
	if (sg_span_ends(word, "\xc2\xa0")) /* French puts it there */
		word.length -= 2;
	rule = bracketed(&word);
	if (!word.length)
		return 0;
	/* of a word of its own, as pep8's E302[pep8], only the rule is said */
	if (!known_word(word, found) &&
	    !(rule.length && !sg_span_has(word, " ")))
		return 0;
	found->word = word;
	if (rule.length)
		found->rule = rule;
	at = colon + behind;
	return at + blanks(text, at);
}
