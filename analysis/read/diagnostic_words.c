/* SPDX-License-Identifier: MIT */
/* Severity words before a message, in gcc's languages. */
#include <string.h>

#include "read/diagnostic.h"
#include "read/spans.h"

/* The words that stand before a message: gcc's, clang's and cppcheck's, and
 * gcc's translations (gcc/po). A longer one comes before its start. */
static const struct {
	const char *word;
	enum sg_severity severity;
	bool note, fatal;
} words[] = {
	{ "warning", SG_WARNING, false, false },
	{ "note", SG_INFO, true, false },
	{ "error", SG_ERROR, false, false },
	{ "fatal error", SG_ERROR, false, true },
	{ "internal compiler error", SG_ERROR, false, true },
	{ "sorry, unimplemented", SG_ERROR, false, true },
	{ "confused by earlier errors, bailing out", SG_ERROR, false, true },
	{ "remark", SG_INFO, false, false },
	{ "info", SG_INFO, false, false },
	{ "information", SG_INFO, false, false },
	{ "style", SG_STYLE, false, false },
	{ "performance", SG_LOW, false, false },
	{ "portability", SG_LOW, false, false },
	{ "debug", SG_INFO, false, false },
	{ "pedwarn", SG_WARNING, false, false },
	{ "permerror", SG_ERROR, false, false },
	{ "anachronism", SG_WARNING, false, false },
	{ "optimized", SG_INFO, false, false },
	{ "missed", SG_INFO, false, false },
	{ "runtime error", SG_ERROR, false, false },
	{ "Warning", SG_WARNING, false, false },
	{ "Error", SG_ERROR, false, false },
	{ "Fatal Error", SG_ERROR, false, true },
	{ "Internal Error", SG_ERROR, false, true },
	{ "Note", SG_INFO, true, false },
	{ "Warnung", SG_WARNING, false, false },
	{ "Fehler", SG_ERROR, false, false },
	{ "schwerwiegender Fehler", SG_ERROR, false, true },
	{ "fataler Fehler", SG_ERROR, false, true },
	{ "interner Compiler-Fehler", SG_ERROR, false, true },
	{ "Anmerkung", SG_INFO, true, false },
	{ "attention", SG_WARNING, false, false },
	{ "avertissement", SG_WARNING, false, false },
	{ "erreur", SG_ERROR, false, false },
	{ "erreur fatale", SG_ERROR, false, true },
	{ "erreur interne du compilateur", SG_ERROR, false, true },
	{ "aviso", SG_WARNING, false, false },
	{ "advertencia", SG_WARNING, false, false },
	{ "error fatal", SG_ERROR, false, true },
	{ "error interno del compilador", SG_ERROR, false, true },
	{ "nota", SG_INFO, true, false },
	{ "erro", SG_ERROR, false, false },
	{ "erro fatal", SG_ERROR, false, true },
	{ "avviso", SG_WARNING, false, false },
	{ "attenzione", SG_WARNING, false, false },
	{ "errore", SG_ERROR, false, false },
	{ "errore fatale", SG_ERROR, false, true },
	{ "let op", SG_WARNING, false, false },
	{ "waarschuwing", SG_WARNING, false, false },
	{ "fout", SG_ERROR, false, false },
	{ "varning", SG_WARNING, false, false },
	{ "fel", SG_ERROR, false, false },
	{ "ödesdigert fel", SG_ERROR, false, true },
	{ "ostrzeżenie", SG_WARNING, false, false },
	{ "błąd", SG_ERROR, false, false },
	{ "uwaga", SG_INFO, true, false },
	{ "varování", SG_WARNING, false, false },
	{ "chyba", SG_ERROR, false, false },
	{ "uyarı", SG_WARNING, false, false },
	{ "hata", SG_ERROR, false, false },
	{ "предупреждение", SG_WARNING, false, false },
	{ "ошибка", SG_ERROR, false, false },
	{ "фатальная ошибка", SG_ERROR, false, true },
	{ "замечание", SG_INFO, true, false },
	{ "попередження", SG_WARNING, false, false },
	{ "помилка", SG_ERROR, false, false },
	{ "警告", SG_WARNING, false, false },
	{ "エラー", SG_ERROR, false, false },
	{ "致命的エラー", SG_ERROR, false, true },
	{ "備考", SG_INFO, true, false },
	{ "错误", SG_ERROR, false, false },
	{ "致命错误", SG_ERROR, false, true },
	{ "附注", SG_INFO, true, false },
	{ "編譯器內部錯誤", SG_ERROR, false, true },
	{ "錯誤", SG_ERROR, false, false },
	{ "경고", SG_WARNING, false, false },
	{ "오류", SG_ERROR, false, false },
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
		if (word.text[0] != words[at].word[0] ||
		    !sg_span_is(word, words[at].word))
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
