/* SPDX-License-Identifier: MIT */
/* Logs of AddressSanitizer, LeakSanitizer, MemorySanitizer, ThreadSanitizer and
 * UndefinedBehaviorSanitizer, of gcc and clang, between whatever else the
 * program wrote. A report's stacks are its events; its place is the first frame
 * in a file of the user's. */
#include "read/textlog.h"

#include <string.h>

#include "read/diagnostic.h"
#include "read/formats.h"
#include "read/spans.h"
#include "read/stack.h"

struct sanitizer {
	struct sg_textlog log; /* first */
	bool placed; /* the open report has its place */
};

static const struct {
	const char *name, *tool;
} sanitizers[] = {
	{ "HWAddressSanitizer", "hwasan" },
	{ "AddressSanitizer", "asan" },
	{ "LeakSanitizer", "lsan" },
	{ "MemorySanitizer", "msan" },
	{ "ThreadSanitizer", "tsan" },
	{ "UndefinedBehaviorSanitizer", "ubsan" },
	{ "libFuzzer", "libfuzzer" },
};

/* Titles that are sentences, and their kinds as the SUMMARY line has them. */
static const struct {
	const char *title, *kind;
} sentences[] = {
	{ "attempting double-free", "double-free" },
	{ "attempting free on address which was not", "bad-free" },
	{ "attempting to call malloc_usable_size", "bad-malloc_usable_size" },
	{ "requested allocation size", "allocation-size-too-big" },
	{ "invalid allocation alignment", "invalid-allocation-alignment" },
	{ "specified RSS limit exceeded", "rss-limit-exceeded" },
	{ "out-of-memory", "out-of-memory" },
	{ "deadly signal", "deadly-signal" },
};

/* What UBSan says, and the -fsanitize= check that says it. */
static const struct {
	const char *words, *check;
} checks[] = {
	{ "unsigned integer overflow", "unsigned-integer-overflow" },
	{ "signed integer overflow", "signed-integer-overflow" },
	{ "negation of ", "signed-integer-overflow" },
	{ "division of ", "signed-integer-overflow" },
	{ "division by zero", "integer-divide-by-zero" },
	{ "shift exponent", "shift-exponent" },
	{ "left shift of ", "shift-base" },
	{ "misaligned address", "alignment" },
	{ "misaligned pointer", "alignment" },
	{ "assumption of ", "alignment" },
	{ "passed as argument ", "nonnull-attribute" },
	{ "returned from function declared to never", "returns-nonnull" },
	{ "pointer index expression", "pointer-overflow" },
	{ "applying ", "pointer-overflow" },
	{ "pointer expression with base", "pointer-overflow" },
	{ "addition of unsigned offset", "pointer-overflow" },
	{ "subtraction of unsigned offset", "pointer-overflow" },
	{ "null pointer", "null" },
	{ "out of bounds", "bounds" },
	{ "for type 'bool'", "bool" },
	{ "for type 'enum", "enum" },
	{ "not a valid value for type", "enum" },
	{ "unreachable program point", "unreachable" },
	{ "without returning a value", "return" },
	{ "outside the range of representable values", "float-cast-overflow" },
	{ "does not point to an object of type", "vptr" },
	{ "variable length array bound", "vla-bound" },
	{ "insufficient space", "object-size" },
	{ "implicit conversion", "implicit-conversion" },
	{ "incorrect function type", "function" },
	{ "passing zero to ", "builtin" },
	{ "control flow integrity", "cfi" },
};

static const char *const failures[] = {
	"CHECK failed: ",
	"has encountered a fatal error",
	"Shadow memory range interleaves",
	"ASan runtime does not come first",
	"incompatible ASan runtimes",
	"AddressSanitizer failed to ",
	"FATAL: ThreadSanitizer",
	"FATAL: MemorySanitizer",
	"internal allocator is out of memory",
	"nested bug in the same thread",
};

/* The text behind "ERROR: AddressSanitizer: "; *tool: whose it is. */
static bool find_title(struct sg_span line, struct sg_span *title,
		       const char **tool)
{
	static const char *const grades[] = { "ERROR: ", "WARNING: " };

	for (size_t grade = 0; grade < 2; grade++) {
		size_t at = sg_span_find(line, 0, grades[grade]);
		struct sg_span rest;

		if (at == line.length)
			continue;
		rest = sg_span_from(line, at + strlen(grades[grade]));
		for (size_t which = 0;
		     which < sizeof(sanitizers) / sizeof(sanitizers[0]);
		     which++) {
			size_t name = strlen(sanitizers[which].name);

			if (!sg_span_starts(rest, sanitizers[which].name) ||
			    !sg_span_starts(sg_span_from(rest, name), ": "))
				continue;
			*title = sg_span_from(rest, name + 2);
			*tool = sanitizers[which].tool;
			return true;
		}
	}
	return false;
}

/* "heap-use-after-free on address", "data race (pid=3)": the words before. */
static struct sg_span kind_of(struct sg_span title)
{
	static const char *const ends[] = { " (", " on ", ": ", " in thread" };
	size_t end = title.length;

	for (size_t at = 0; at < sizeof(sentences) / sizeof(sentences[0]); at++)
		if (sg_span_starts(title, sentences[at].title))
			return (struct sg_span){ sentences[at].kind,
						 strlen(sentences[at].kind) };
	for (size_t at = 0; at < sizeof(ends) / sizeof(ends[0]); at++) {
		size_t here = sg_span_find(title, 0, ends[at]);

		if (here < end)
			end = here;
	}
	return sg_span_to(title, end);
}

/* The title without registers, which differ from run to run. */
static struct sg_span message_of(struct sg_span title)
{
	static const char *const ends[] = { " at pc 0x", " (pc 0x", " (pid=" };

	for (size_t at = 0; at < sizeof(ends) / sizeof(ends[0]); at++)
		title.length = sg_span_find(title, 0, ends[at]);
	return title;
}

static enum sl_code begin(struct sanitizer *state, const char *tool,
			  struct sg_span rule, struct sg_span message,
			  struct sl_error *error)
{
	struct sg_draft *draft = &state->log.draft;
	enum sl_code code = sg_draft_begin(draft, tool, error);

	if (code != SL_OK)
		return code;
	state->placed = false;
	draft->finding.severity = SG_ERROR;
	sg_draft_set(draft, SG_DRAFT_RULE, rule);
	sg_draft_set(draft, SG_DRAFT_MESSAGE, message);
	return SL_OK;
}

static struct sg_span check_of(struct sg_span message)
{
	for (size_t at = 0; at < sizeof(checks) / sizeof(checks[0]); at++)
		if (sg_span_has(message, checks[at].words))
			return (struct sg_span){ checks[at].check,
						 strlen(checks[at].check) };
	return SG_SPAN("undefined-behavior");
}

/* "x.c:3:5: runtime error: ..." */
static bool is_runtime_error(struct sg_span line, struct sg_diagnostic *found)
{
	return sg_span_has(line, ": runtime error: ") &&
	       sg_diagnostic_parse(line, found) &&
	       sg_span_is(found->word, "runtime error");
}

static enum sl_code on_runtime_error(struct sanitizer *state,
				     const struct sg_diagnostic *found,
				     struct sl_error *error)
{
	struct sg_draft *draft = &state->log.draft;
	enum sl_code code = begin(state, "ubsan", check_of(found->message),
				  found->message, error);

	if (code != SL_OK)
		return code;
	sg_draft_set(draft, SG_DRAFT_WORD, found->word);
	sg_draft_set(draft, SG_DRAFT_PATH, found->path);
	draft->finding.line = found->line;
	draft->finding.column = found->column;
	state->placed = true;
	return SL_OK;
}

static void on_frame(struct sanitizer *state, const struct sg_frame *frame)
{
	struct sg_draft *draft = &state->log.draft;
	struct sg_draft_event event = {
		.path = frame->path,
		.function = frame->function,
		.line = frame->line,
		.column = frame->column,
	};

	sg_draft_event(draft, &event);
	if (state->placed || !frame->users)
		return;
	sg_draft_set(draft, SG_DRAFT_PATH, frame->path);
	sg_draft_set(draft, SG_DRAFT_FUNCTION, frame->function);
	draft->finding.line = frame->line;
	draft->finding.column = frame->column;
	state->placed = true;
}

/* What stands over a stack: "freed by thread T0 here:". */
static bool is_heading(struct sg_span text)
{
	static const char *const starts[] = {
		"READ of size",    "WRITE of size",   "freed by ",
		"previously ",     "allocated by ",   "Previous ",
		"Write of size",   "Read of size",    "Location is ",
		"Thread T",        "Mutex M",         "Atomic ",
		"Uninitialized ",  "As if ",          "Cycle in lock",
		"Memory was mark", "  Member fields", "Address 0x",
		"The signal is",   "Hint: ",          "Mutex acquired",
		"Hint: use",
	};

	for (size_t at = 0; at < sizeof(starts) / sizeof(starts[0]); at++)
		if (sg_span_starts(text, starts[at]))
			return true;
	return sg_span_starts(text, "0x") &&
	       (sg_span_has(text, " is located ") ||
		sg_span_has(text, ": note: "));
}

static enum sl_code on_leak(struct sanitizer *state, struct sg_span text,
			    struct sl_error *error)
{
	bool direct = sg_span_starts(text, "Direct ");

	text.length = sg_span_find(text, 0, " allocated from:");
	return begin(state, "lsan",
		     direct ? SG_SPAN("direct-leak") : SG_SPAN("indirect-leak"),
		     text, error);
}

/* A title without "detected memory leaks", which only announces leaks. */
static enum sl_code on_title(struct sanitizer *state, struct sg_span title,
			     const char *tool, struct sl_error *error)
{
	enum sl_code code;

	state->log.familiar++;
	if (sg_span_starts(title, "detected memory leaks"))
		return sg_draft_end(&state->log.draft, error);
	code = begin(state, tool, kind_of(title), message_of(title), error);
	if (code == SL_OK)
		sg_draft_set(&state->log.draft, SG_DRAFT_VERBOSE, title);
	return code;
}

static void look_for_failure(struct sanitizer *state, struct sg_span line)
{
	for (size_t at = 0; at < sizeof(failures) / sizeof(failures[0]); at++)
		if (sg_span_has(line, failures[at]))
			sg_textlog_failed(&state->log, sg_span_trim(line));
	if (sg_span_ends(line, "==ABORTING"))
		state->log.remark = "the checker ended the program: what it "
				    "did not run is unknown";
}

/* Without "==123==", which stands before some lines of a report. */
static struct sg_span without_pid(struct sg_span line)
{
	size_t end;

	if (!sg_span_starts(line, "=="))
		return line;
	end = sg_span_find(line, 2, "==");
	return end < line.length ? sg_span_from(line, end + 2) : line;
}

static enum sl_code on_line(void *context, struct sg_span line,
			    struct sl_error *error)
{
	struct sanitizer *state = context;
	struct sg_draft *draft = &state->log.draft;
	struct sg_span text = sg_span_trim(without_pid(sg_span_trim(line)));
	struct sg_diagnostic found;
	struct sg_frame frame;
	const char *tool;

	if (!text.length)
		return SL_OK;
	if (find_title(line, &text, &tool)) {
		look_for_failure(state, line);
		return on_title(state, text, tool, error);
	}
	if (sg_span_starts(text, "Direct leak of ") ||
	    sg_span_starts(text, "Indirect leak of "))
		return on_leak(state, text, error);
	if (is_runtime_error(line, &found))
		return on_runtime_error(state, &found, error);
	look_for_failure(state, line);
	if (sg_span_starts(text, "SUMMARY: ")) {
		state->log.familiar++;
		return sg_draft_end(draft, error);
	}
	if (!draft->open)
		return SL_OK;
	if (sg_frame_parse(text, &frame)) {
		on_frame(state, &frame);
	} else if (is_heading(text)) {
		struct sg_draft_event event = { .message = text };

		sg_draft_event(draft, &event);
	}
	return SL_OK;
}

static enum sl_code on_sign(void *context, struct sg_span line,
			    struct sl_error *error)
{
	int *sure = context;
	struct sg_diagnostic found;
	struct sg_span title;
	const char *tool;

	(void)error;
	if (find_title(line, &title, &tool))
		*sure = 95;
	else if (*sure < 90 && is_runtime_error(line, &found))
		*sure = 90;
	return SL_OK;
}

static int sniff(const char *start, size_t length)
{
	int sure = 0;

	sg_textlog_sniff(start, length, on_sign, &sure);
	return sure;
}

static void *create(sg_finding_fn *take, void *context)
{
	return sg_textlog_create(sizeof(struct sanitizer), on_line, take,
				 context);
}

const struct sg_format sg_format_sanitizer = {
	.name = "sanitizer",
	.summary = "logs of address, leak, memory, thread and undefined "
		   "behaviour sanitizers",
	.sniff = sniff,
	.create = create,
	.feed = sg_textlog_feed,
	.finish = sg_textlog_finish,
	.destroy = sg_textlog_destroy,
};
