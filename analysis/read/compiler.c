/* SPDX-License-Identifier: MIT */
/* A compiler's log, line by line. */
#include "read/compiler.h"

#include <stdio.h>
#include <string.h>

#include "read/spans.h"

/* Words that only build logs and linters have. */
static const char *const familiar[] = {
	" warning generated.",
	" warnings generated.",
	" error generated.",
	" errors generated.",
	" warnings treated as ",
	"Suppressed ",
	"Use -header-filter=",
	" warning and ",
	"gcc ",
	"g++ ",
	"clang ",
	"clang++ ",
	" -c ",
	"Using built-in specs.",
	"COLLECT_GCC",
	"make: ",
	"make[",
	"] Building C",
	"[100%]",
	"Checking ",
	"collect2",
};

static bool has_any(struct sg_span line, const char *const *texts, size_t count)
{
	for (size_t at = 0; at < count; at++)
		if (sg_span_has(line, texts[at]))
			return true;
	return false;
}

/* bugprone-foo: small letters with a dash inside. */
static bool is_tidy(struct sg_span rule)
{
	const char *dash = memchr(rule.text, '-', rule.length);

	return dash && dash != rule.text && rule.text[0] >= 'a' &&
	       rule.text[0] <= 'z';
}

static bool is_word(struct sg_span rule)
{
	for (size_t at = 0; at < rule.length; at++)
		if (!sg_is_letter(rule.text[at]) && rule.text[at] != '_')
			return false;
	return rule.length && rule.text[0] >= 'a';
}

const char *sg_rule_tool(const struct sg_diagnostic *found, const char *other)
{
	struct sg_span rule = found->rule, word = found->word;

	/* cppcheck always says which */
	if (!rule.length && !sg_span_is(word, "runtime error"))
		return other;
	if (sg_span_is(word, "style") || sg_span_is(word, "performance") ||
	    sg_span_is(word, "portability") || sg_span_is(word, "information"))
		return "cppcheck";
	if (sg_span_is(word, "runtime error"))
		return "ubsan";
	if (rule.text[0] == '-')
		return other;
	if (is_tidy(rule))
		return "clang-tidy";
	if (sg_span_starts(rule, "SC") && rule.length == 6 &&
	    sg_is_digit(rule.text[2]))
		return "shellcheck";
	if (is_word(rule))
		return "cppcheck";
	if (memchr(rule.text, '.', rule.length))
		return "clang";
	return other;
}

static void set_rule(struct sg_draft *draft, struct sg_span rule)
{
	static const char as_error[] = "-Werror=";
	char plain[260];
	int length;

	if (sg_span_starts(rule, as_error)) {
		rule = sg_span_from(rule, strlen(as_error));
		length = snprintf(plain, sizeof(plain), "-W%.*s",
				  (int)rule.length, rule.text);
		if (length > 0 && (size_t)length < sizeof(plain))
			rule = (struct sg_span){ plain, (size_t)length };
	}
	sg_draft_set(draft, SG_DRAFT_RULE, rule);
}

enum sl_code sg_compiler_begin(struct sg_compiler *compiler,
			       const struct sg_diagnostic *found,
			       const char *tool, struct sl_error *error)
{
	static const char inconclusive[] = "inconclusive: ";
	struct sg_draft *draft = &compiler->log.draft;
	struct sg_finding *finding = &draft->finding;
	struct sg_span message = found->message;
	enum sl_code code = sg_draft_begin(draft, tool, error);

	if (code != SL_OK)
		return code;
	if (found->tool.length)
		sg_draft_set(draft, SG_DRAFT_TOOL, found->tool);
	set_rule(draft, found->rule);
	sg_draft_set(draft, SG_DRAFT_WORD, found->word);
	finding->inconclusive = sg_span_starts(message, inconclusive);
	if (finding->inconclusive)
		message = sg_span_from(message, strlen(inconclusive));
	sg_draft_set(draft, SG_DRAFT_MESSAGE, message);
	sg_draft_set(draft, SG_DRAFT_PATH,
		     sg_context_path(&compiler->context, found->path));
	finding->severity = found->severity;
	finding->line = found->line;
	finding->column = found->column;
	finding->end_line = found->end_line;
	finding->end_column = found->end_column;
	finding->cwe = found->cwe;
	sg_context_apply(&compiler->context, found->path, draft);
	if (found->function.length)
		sg_draft_set(draft, SG_DRAFT_FUNCTION, found->function);
	if (strcmp(tool, "clang-tidy") == 0)
		compiler->counts.tidy_found = true;
	compiler->wants_note = false;
	compiler->event_line = 0;
	compiler->event_function_length = 0;
	return SL_OK;
}

/* A note belongs to the finding before it, unless it has a rule of its own. */
static enum sl_code on_diagnostic(struct sg_compiler *compiler,
				  struct sg_diagnostic *found,
				  struct sl_error *error)
{
	struct sg_draft *draft = &compiler->log.draft;
	enum sl_code code;

	if (found->note && draft->open && !found->rule.length &&
	    (!found->tool.length ||
	     sg_span_is(found->tool, sg_draft_get(draft, SG_DRAFT_TOOL)))) {
		struct sg_draft_event event = {
			.path = sg_context_path(&compiler->context,
						found->path),
			.line = found->line,
			.column = found->column,
			.message = found->message,
		};

		sg_draft_event(draft, &event);
		sg_context_pass(&compiler->context);
		return SL_OK;
	}
	code = sg_compiler_begin(compiler, found,
				 sg_rule_tool(found, compiler->tool), error);
	compiler->continues = !found->rule.length;
	return code;
}

/* A message that was wrapped: its rule stands at the end of the next line. */
static bool continued(struct sg_compiler *compiler, struct sg_span line)
{
	struct sg_diagnostic rest = { .message = line };
	struct sg_draft *draft = &compiler->log.draft;

	if (!compiler->continues || !draft->open || line.text[0] == ' ')
		return false;
	sg_rule_parse(&rest);
	if (!rest.rule.length || rest.rule.text[0] != '-')
		return false;
	sg_draft_add(draft, SG_DRAFT_MESSAGE, rest.message);
	set_rule(draft, rest.rule);
	return true;
}

/* Source lines and carets start with a blank. So may an indented log's
 * findings, whose paths do not look like code. */
static bool is_quoted_source(struct sg_span line,
			     const struct sg_diagnostic *found)
{
	if (line.text[0] != ' ' && line.text[0] != '\t')
		return false;
	if (!found->word.length || !found->line)
		return true;
	for (size_t at = 0; at < found->path.length; at++)
		if (strchr(" \"'()<>{};=|", found->path.text[at]))
			return true;
	return false;
}

/* A line that is neither a finding nor about one. */
static void on_other(struct sg_compiler *compiler, struct sg_span line)
{
	sg_compiler_remark(compiler, line);
	if (continued(compiler, line))
		return;
	compiler->continues = false;
	if (!compiler->log.familiar &&
	    has_any(line, familiar, sizeof(familiar) / sizeof(familiar[0])))
		compiler->log.familiar++;
}

/* A line with a colon, without which there is no finding. */
static enum sl_code on_colon(struct sg_compiler *compiler, struct sg_span line,
			     struct sl_error *error)
{
	struct sg_diagnostic found;
	bool done = false, is_one;
	enum sl_code code;

	is_one = sg_compiler_fortran(compiler, line, &found) ||
		 (sg_diagnostic_parse(line, &found) &&
		  !is_quoted_source(line, &found));
	if (is_one && found.word.length) {
		sg_compiler_judge(compiler, &found, line);
		return on_diagnostic(compiler, &found, error);
	}
	code = sg_compiler_linker(compiler, line, &done, error);
	if (code != SL_OK || done)
		return code;
	if (sg_context_line(&compiler->context, line)) {
		compiler->log.familiar++;
		return SL_OK;
	}
	/* without a word it may have been a template's chain */
	if (is_one)
		return on_diagnostic(compiler, &found, error);
	if (line.text[0] != ' ')
		on_other(compiler, line);
	return SL_OK;
}

static enum sl_code on_line(void *state, struct sg_span line,
			    struct sl_error *error)
{
	struct sg_compiler *compiler = state;

	if (!line.length) {
		compiler->continues = false;
		return SL_OK;
	}
	if (sg_compiler_path(compiler, line))
		return SL_OK;
	if (compiler->wants_words) {
		/* "Internal Error at (1):" and the words behind it */
		compiler->wants_words = false;
		sg_draft_set(&compiler->log.draft, SG_DRAFT_MESSAGE, line);
		return SL_OK;
	}
	if (memchr(line.text, ':', line.length))
		return on_colon(compiler, line, error);
	if (compiler->place_age)
		compiler->place_age++;
	if (sg_span_ends(line, ",") &&
	    sg_context_line(&compiler->context, line))
		compiler->log.familiar++;
	else if (line.text[0] != ' ')
		on_other(compiler, line);
	return SL_OK;
}

void *sg_compiler_create(const char *tool, sg_finding_fn *take, void *context)
{
	struct sg_compiler *compiler = sg_textlog_create(
		sizeof(struct sg_compiler), on_line, take, context);

	if (compiler)
		compiler->tool = tool;
	return compiler;
}

/* "Error: RESOURCE_LEAK (CWE-772): [#def1]", the first line of a csdiff's
 * block. */
static bool is_csdiff_class(struct sg_span line)
{
	size_t from = strlen("Error: "), at = from;
	int64_t cwe, number;

	if (!sg_span_starts(line, "Error: "))
		return false;
	while (at < line.length &&
	       ((line.text[at] >= 'A' && line.text[at] <= 'Z') ||
		line.text[at] == '_' || sg_is_digit(line.text[at])))
		at++;
	if (at == from)
		return false;
	if (sg_span_starts(sg_span_from(line, at), " (CWE-")) {
		at += strlen(" (CWE-");
		at += sg_span_number(line, at, &cwe);
		if (!sg_span_starts(sg_span_from(line, at), ")"))
			return false;
		at++;
	}
	if (!sg_span_starts(sg_span_from(line, at), ":"))
		return false;
	line = sg_span_trim(sg_span_from(line, at + 1));
	if (!line.length)
		return true;
	at = strlen("[#def");
	return sg_span_starts(line, "[#def") &&
	       at + sg_span_number(line, at, &number) + 1 == line.length;
}

/* "x.c:12:3: event: text", "x.c: scope_hint: text", "<unknown>: error: text".
 */
static bool is_csdiff_event(struct sg_span line)
{
	size_t first = sg_span_find(line, 0, ": ");
	size_t second;

	if (first == line.length)
		return false;
	second = sg_span_find(line, first + 2, ": ");
	return second < line.length &&
	       !memchr(line.text + first + 2, ' ', second - first - 2);
}

static enum sl_code on_sign(void *context, struct sg_span line,
			    struct sl_error *error)
{
	struct sg_compiler_signs *signs = context;
	struct sg_diagnostic found;

	(void)error;
	if (!line.length)
		return SL_OK;
	if (signs->csdiff_class && is_csdiff_event(line))
		signs->csdiff++;
	signs->csdiff_class = is_csdiff_class(line);
	if (sg_span_has(line, ": In function ") ||
	    sg_span_has(line, ": In member function ") ||
	    sg_span_starts(line, "cc1") || sg_span_has(line, "collect2: ") ||
	    sg_span_has(line, "[-Werror=") || sg_span_has(line, "‘") ||
	    sg_span_has(line, "undefined reference to") ||
	    (sg_span_starts(line, "  ") && sg_span_has(line, " | ")))
		signs->gcc++;
	if (sg_span_has(line, " generated.") || sg_span_has(line, "[-Werror,"))
		signs->clang++;
	if (!sg_diagnostic_parse(line, &found) ||
	    is_quoted_source(line, &found))
		return SL_OK;
	if (!found.word.length)
		signs->places++;
	else if (found.line)
		signs->diagnostics++;
	if (found.rule.length && is_tidy(found.rule))
		signs->tidy++;
	return SL_OK;
}

struct sg_compiler_signs sg_compiler_signs(const char *start, size_t length)
{
	struct sg_compiler_signs signs = { 0 };

	sg_textlog_sniff(start, length, on_sign, &signs);
	/* a format of its own, whose events look like findings */
	if (signs.csdiff)
		memset(&signs, 0, sizeof(signs));
	return signs;
}
