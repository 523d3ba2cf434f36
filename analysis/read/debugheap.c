/* SPDX-License-Identifier: MIT */
/* What Visual C++'s debug heap writes: corrupted blocks, leaks, failed hooks
 * (the C runtime's debug_heap.cpp, older ones' dbgheap.c). */
#include <string.h>

#include "read/msvc.h"
#include "read/spans.h"

/* What the words in a line are about. Longer ones first. */
static const struct {
	const char *words, *rule;
} complaints[] = {
	{ "HEAP CORRUPTION DETECTED", "heap-corruption" },
	{ "Client hook allocation failure", "client-hook-failure" },
	{ "Client hook re-allocation failure", "client-hook-failure" },
	{ "Client hook free failure", "client-hook-failure" },
	{ "memory allocation: bad memory block type", "bad-block-type" },
	{ "which was allocated by aligned routine", "aligned-block-damage" },
	{ "Bad memory block found at 0x", "bad-block" },
	{ "_heapchk fails with _HEAPBADBEGIN", "heapchk-bad-begin" },
	{ "_heapchk fails with _HEAPBADNODE", "heapchk-bad-node" },
	{ "_heapchk fails with _HEAPBADEND", "heapchk-bad-end" },
	{ "_heapchk fails with _HEAPBADPTR", "heapchk-bad-pointer" },
	{ "_heapchk fails with unknown return value!", "heapchk-unknown" },
	{ "Detected memory leaks!", "memory-leak" },
};

#define COMPLAINTS (sizeof(complaints) / sizeof(complaints[0]))

/* Each complaint begins with one of these and a blank. */
static const char *const first_words[] = {
	"HEAP", "Client", "memory", "which", "Bad", "_heapchk", "Detected",
};

#define FIRST_WORDS (sizeof(first_words) / sizeof(first_words[0]))

/* "Client hook ... failure", as any version words it. */
static bool is_hook_failure(struct sg_span line)
{
	size_t at = sg_span_find(line, 0, "Client hook ");

	return at < line.length &&
	       sg_span_find(line, at, " failure") < line.length;
}

/* "{61} normal block at 0x..., 40 bytes long.", also of a client's object. */
static bool is_leaked_block(struct sg_span text)
{
	return sg_span_starts(text, "{") && sg_span_has(text, "} ") &&
	       sg_span_has(text, " at ") && sg_span_has(text, " bytes long");
}

/* Nearly no line does: one look at the ends of its words tells. */
static bool may_complain(struct sg_span line)
{
	size_t blank = 0;

	while ((blank = sg_span_find(line, blank, " ")) < line.length) {
		struct sg_span before = sg_span_to(line, blank++);

		for (size_t at = 0; at < FIRST_WORDS; at++)
			if (sg_span_ends(before, first_words[at]))
				return true;
	}
	return false;
}

static const char *rule_of(struct sg_span line)
{
	if (!may_complain(line))
		return NULL;
	for (size_t at = 0; at < COMPLAINTS; at++)
		if (sg_span_has(line, complaints[at].words))
			return complaints[at].rule;
	return is_hook_failure(line) ? "client-hook-failure" : NULL;
}

/* A dump line's place, if the program was built to know it. */
static struct sg_span split_dump(struct sg_span line,
				 struct sg_diagnostic *found)
{
	size_t at = sg_span_has(line, "{") ? sg_msvc_place(line, found) : 0;

	return sg_span_trim(sg_span_from(line, at));
}

bool sg_msvc_is_heap_line(struct sg_span line)
{
	struct sg_diagnostic found = { 0 };

	return rule_of(line) || is_leaked_block(split_dump(line, &found));
}

static enum sl_code begin(struct sg_msvc *msvc, const char *rule,
			  struct sg_span message,
			  const struct sg_diagnostic *place,
			  struct sl_error *error)
{
	struct sg_draft *draft = &msvc->log.draft;
	enum sl_code code = sg_draft_begin(draft, "msvc-debug-heap", error);

	if (code != SL_OK)
		return code;
	msvc->heap = true;
	msvc->leaks_said = false;
	draft->finding.severity = SG_ERROR;
	draft->finding.line = place->line;
	sg_draft_set(draft, SG_DRAFT_RULE,
		     (struct sg_span){ rule, strlen(rule) });
	sg_draft_set(draft, SG_DRAFT_MESSAGE, message);
	sg_draft_set(draft, SG_DRAFT_PATH, place->path);
	return SL_OK;
}

/* "Client hook free failure at file main.c line 12." */
static void hook_place(struct sg_span text, struct sg_diagnostic *place)
{
	static const char before[] = " at file ", between[] = " line ";
	size_t at = sg_span_find(text, 0, before), line;

	*place = (struct sg_diagnostic){ 0 };
	if (at == text.length)
		return;
	text = sg_span_from(text, at + strlen(before));
	line = sg_span_find(text, 0, between);
	if (line < text.length &&
	    sg_span_number(text, line + strlen(between), &place->line))
		place->path = sg_span_to(text, line);
}

/* "Memory allocated at main.c(12)." follows a corrupted block. */
static bool allocated_at(struct sg_msvc *msvc, struct sg_span text)
{
	static const char words[] = "Memory allocated at ";
	struct sg_draft *draft = &msvc->log.draft;
	size_t open;

	if (!msvc->heap || !draft->open || !sg_span_starts(text, words))
		return false;
	text = sg_span_from(text, strlen(words));
	open = text.length;
	while (open && text.text[open - 1] != '(')
		open--;
	if (open < 2 || !sg_span_number(text, open, &draft->finding.line))
		return false;
	sg_draft_set(draft, SG_DRAFT_PATH, sg_span_to(text, open - 1));
	return true;
}

/* What else belongs to the block at hand. */
static bool continued(struct sg_msvc *msvc, struct sg_span text)
{
	struct sg_draft *draft = &msvc->log.draft;

	if (!msvc->heap || !draft->open)
		return false;
	if (sg_span_starts(text, "Dumping objects ->") ||
	    sg_span_starts(text, "Object dump complete") ||
	    sg_span_starts(text, "Data: <"))
		return true;
	if (sg_span_starts(text, "CRT detected that ")) {
		sg_draft_add(draft, SG_DRAFT_MESSAGE, text);
		return true;
	}
	return allocated_at(msvc, text);
}

enum sl_code sg_msvc_heap_line(struct sg_msvc *msvc, struct sg_span line,
			       bool *done, struct sl_error *error)
{
	struct sg_diagnostic place = { 0 };
	struct sg_span text = sg_span_trim(line), dump;
	const char *rule;
	enum sl_code code;

	*done = true;
	if (!text.length || continued(msvc, text))
		return SL_OK;
	dump = split_dump(text, &place);
	if (is_leaked_block(dump)) {
		/* the blocks say it better than "Detected memory leaks!" */
		if (msvc->leaks_said)
			sg_draft_drop(&msvc->log.draft);
		return begin(msvc, "memory-leak", dump, &place, error);
	}
	rule = rule_of(text);
	if (!rule) {
		*done = false;
		return SL_OK;
	}
	hook_place(text, &place);
	code = begin(msvc, rule, text, &place, error);
	msvc->leaks_said = strcmp(rule, "memory-leak") == 0;
	return code;
}
