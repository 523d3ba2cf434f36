/* SPDX-License-Identifier: MIT */
/* valgrind --xml=yes: memcheck, helgrind, drd, protocols 4 to 6.
 * Source: valgrind's docs/internals/xml-output-protocol4.txt.
 *
 * The counts of repeats come at the document's end, behind all errors, which
 * wait for them. What was suppressed is counted there too, and is no finding.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/draft.h"
#include "read/formats.h"
#include "read/spans.h"
#include "read/valgrind_held.h"
#include "read/xml.h"

enum { NAME_BYTES = 512, PATH_BYTES = 4096 };

/* Texts of a frame, cut to what a path or a name may be. */
struct frame {
	char object[PATH_BYTES], folder[PATH_BYTES], file[PATH_BYTES];
	char function[NAME_BYTES];
	int64_t line;
};

/* How good a frame is as the error's place. */
enum rank {
	RANK_NONE = 0,
	RANK_FILE, /* a system's or valgrind's source */
	RANK_OBJECT, /* the user's program, built without -g */
	RANK_USERS, /* the user's source */
};

struct valgrind {
	struct sg_xml *xml;
	struct sg_draft draft;
	struct sg_valgrind_held held;
	int64_t count; /* of the pair being read */
	char tool[32], version[32];
	struct frame frame;
	bool in_error;
	bool in_signal; /* in <fatal_signal> */
	unsigned stacks; /* of this error, begun */
	enum rank rank; /* of the frame that is this error's place */
	char aux[NAME_BYTES]; /* <auxwhat>, for the stack that follows */
	bool finished;
	char failure[64];
};

static struct sg_span span(const char *text)
{
	return (struct sg_span){ text, strlen(text) };
}

static enum sg_severity severity_of(struct sg_span kind)
{
	if (sg_span_is(kind, "Leak_StillReachable") ||
	    sg_span_is(kind, "FdNotClosed"))
		return SG_INFO;
	return sg_span_starts(kind, "Leak_") ? SG_WARNING : SG_ERROR;
}

/* What is in a system's library or valgrind's own is not the user's. */
static enum rank rank_of(const struct frame *frame)
{
	static const char *const folders[] = { "/usr/lib/",   "/usr/lib32/",
					       "/usr/lib64/", "/usr/libexec/",
					       "/lib/",       "/lib32/",
					       "/lib64/" };
	bool file = frame->file[0] != '\0';

	for (size_t at = 0; at < sizeof(folders) / sizeof(folders[0]); at++)
		if (!strncmp(frame->object, folders[at], strlen(folders[at])))
			return file ? RANK_FILE : RANK_NONE;
	if (strstr(frame->object, "/vgpreload_") ||
	    !strncmp(frame->folder, "/usr/lib/", 9))
		return file ? RANK_FILE : RANK_NONE;
	if (file)
		return RANK_USERS;
	return frame->object[0] ? RANK_OBJECT : RANK_NONE;
}

static void set_place(struct valgrind *valgrind, const char *path)
{
	struct sg_draft *draft = &valgrind->draft;

	sg_draft_set(draft, SG_DRAFT_PATH, span(path));
	sg_draft_set(draft, SG_DRAFT_FUNCTION, span(valgrind->frame.function));
	draft->finding.line = valgrind->frame.line;
}

static void close_frame(struct valgrind *valgrind)
{
	struct frame *frame = &valgrind->frame;
	struct sg_draft *draft = &valgrind->draft;
	char path[2 * PATH_BYTES] = "";
	enum rank rank = rank_of(frame);

	if (frame->folder[0] && frame->file[0] && frame->file[0] != '/')
		snprintf(path, sizeof(path), "%s/%s", frame->folder,
			 frame->file);
	else
		snprintf(path, sizeof(path), "%s",
			 frame->file[0] ? frame->file : frame->object);
	/* the innermost of the best */
	if (valgrind->stacks == 1 && rank > valgrind->rank) {
		set_place(valgrind, path);
		valgrind->rank = rank;
	}
	sg_draft_event(draft, &(struct sg_draft_event){
				      .path = span(path),
				      .message = span(valgrind->aux),
				      .function = span(frame->function),
				      .line = frame->line,
			      });
	valgrind->aux[0] = '\0';
}

/* What <auxwhat> says stands alone if no stack follows. */
static void close_aux(struct valgrind *valgrind)
{
	if (valgrind->aux[0])
		sg_draft_event(&valgrind->draft,
			       &(struct sg_draft_event){
				       .message = span(valgrind->aux),
			       });
	valgrind->aux[0] = '\0';
}

static enum sl_code open_error(struct valgrind *valgrind,
			       struct sl_error *error)
{
	enum sl_code code = sg_draft_begin(
		&valgrind->draft,
		valgrind->tool[0] ? valgrind->tool : "valgrind", error);

	valgrind->in_error = code == SL_OK;
	valgrind->held.unique = 0;
	valgrind->stacks = 0;
	valgrind->rank = RANK_NONE;
	valgrind->aux[0] = '\0';
	valgrind->draft.finding.severity = SG_ERROR;
	if (valgrind->version[0])
		valgrind->draft.finding.tool_version = valgrind->version;
	return code;
}

static enum sl_code on_open(void *context, const struct sg_xml_element *element,
			    struct sl_error *error)
{
	struct valgrind *valgrind = context;

	if (sg_xml_is(element, "error") && element->depth == 2)
		return open_error(valgrind, error);
	if (sg_xml_is(element, "fatal_signal"))
		valgrind->in_signal = true;
	if (sg_xml_is(element, "pair"))
		valgrind->count = 0;
	if (sg_xml_is(element, "stack"))
		valgrind->stacks++;
	if (sg_xml_is(element, "frame"))
		memset(&valgrind->frame, 0, sizeof(valgrind->frame));
	return SL_OK;
}

static void in_frame(struct frame *frame, const struct sg_xml_element *element)
{
	if (sg_xml_is(element, "obj"))
		sg_xml_keep(frame->object, sizeof(frame->object),
			    element->text);
	else if (sg_xml_is(element, "dir"))
		sg_xml_keep(frame->folder, sizeof(frame->folder),
			    element->text);
	else if (sg_xml_is(element, "file"))
		sg_xml_keep(frame->file, sizeof(frame->file), element->text);
	else if (sg_xml_is(element, "fn"))
		sg_xml_keep(frame->function, sizeof(frame->function),
			    element->text);
	else if (sg_xml_is(element, "line"))
		frame->line = sg_xml_number(element->text);
}

static enum sl_code in_error(struct valgrind *valgrind,
			     const struct sg_xml_element *element,
			     struct sl_error *error)
{
	struct sg_draft *draft = &valgrind->draft;
	bool what = sg_xml_is(element, "what") || sg_xml_is(element, "text");
	bool aux = sg_xml_is(element, "auxwhat") ||
		   (sg_xml_is(element, "text") && valgrind->stacks) ||
		   (sg_xml_is(element, "what") && valgrind->stacks);

	if (sg_xml_is(element, "error") && element->depth == 2) {
		close_aux(valgrind);
		valgrind->in_error = false;
		return sg_draft_end(draft, error);
	}
	if (sg_xml_is(element, "frame")) {
		close_frame(valgrind);
	} else if (sg_xml_is(element, "unique")) {
		valgrind->held.unique = sg_valgrind_unique(element->text);
	} else if (sg_xml_is(element, "kind")) {
		sg_draft_set(draft, SG_DRAFT_RULE, element->text);
		draft->finding.severity = severity_of(element->text);
	} else if (aux) {
		close_aux(valgrind);
		sg_xml_keep(valgrind->aux, sizeof(valgrind->aux),
			    element->text);
	} else if (what && !sg_draft_get(draft, SG_DRAFT_MESSAGE)[0]) {
		sg_draft_set(draft, SG_DRAFT_MESSAGE, element->text);
	} else {
		in_frame(&valgrind->frame, element);
	}
	return SL_OK;
}

static void in_preamble(struct valgrind *valgrind, struct sg_span line)
{
	size_t at = sg_span_find(line, 0, "Valgrind-");
	struct sg_span version;

	if (at == line.length)
		return;
	version = sg_span_from(line, at + strlen("Valgrind-"));
	version.length = strcspn(version.text, " ;");
	sg_xml_keep(valgrind->version, sizeof(valgrind->version), version);
}

static enum sl_code on_close(void *context,
			     const struct sg_xml_element *element,
			     struct sl_error *error)
{
	struct valgrind *valgrind = context;

	if (valgrind->in_error)
		return in_error(valgrind, element, error);
	if (sg_xml_is(element, "tool") || sg_xml_is(element, "protocoltool"))
		sg_xml_keep(valgrind->tool, sizeof(valgrind->tool),
			    element->text);
	else if (sg_xml_is(element, "line") && element->depth == 3)
		in_preamble(valgrind, element->text);
	else if (sg_xml_is(element, "count"))
		valgrind->count = sg_xml_number(element->text);
	else if (sg_xml_is(element, "unique"))
		sg_valgrind_held_count(&valgrind->held,
				       sg_valgrind_unique(element->text),
				       valgrind->count);
	else if (sg_xml_is(element, "state"))
		valgrind->finished = sg_span_is(element->text, "FINISHED");
	else if (sg_xml_is(element, "signame") && valgrind->in_signal)
		snprintf(valgrind->failure, sizeof(valgrind->failure),
			 "the program was killed by %.32s", element->text.text);
	else if (sg_xml_is(element, "fatal_signal"))
		valgrind->in_signal = false;
	return SL_OK;
}

static const struct sg_xml_handler handler = {
	.root = "valgrindoutput",
	.open = on_open,
	.close = on_close,
};

static void destroy(void *state)
{
	struct valgrind *valgrind = state;

	if (!valgrind)
		return;
	sg_xml_destroy(valgrind->xml);
	sg_draft_release(&valgrind->draft);
	sg_valgrind_held_release(&valgrind->held);
	free(valgrind);
}

static void *create(sg_finding_fn *take, void *context)
{
	struct valgrind *valgrind = calloc(1, sizeof(*valgrind));

	if (!valgrind)
		return NULL;
	valgrind->held.take = take;
	valgrind->held.context = context;
	valgrind->xml = sg_xml_create(&handler, valgrind);
	if (!valgrind->xml ||
	    sg_draft_init(&valgrind->draft, sg_valgrind_held_add,
			  &valgrind->held, NULL) != SL_OK) {
		destroy(valgrind);
		return NULL;
	}
	return valgrind;
}

static enum sl_code feed(void *state, const char *bytes, size_t length,
			 struct sl_error *error)
{
	struct valgrind *valgrind = state;

	return sg_xml_feed(valgrind->xml, bytes, length, error);
}

static enum sl_code finish(void *state, struct sg_ending *ending,
			   struct sl_error *error)
{
	struct valgrind *valgrind = state;
	struct sg_draft *draft = &valgrind->draft;
	enum sl_code code = sg_xml_finish(valgrind->xml, ending, error);

	/* of an error that broke off its place is the least to be of use */
	if (draft->open && valgrind->rank != RANK_USERS)
		draft->open = false;
	if (code == SL_OK)
		code = sg_draft_end(draft, error);
	if (code == SL_OK)
		code = sg_valgrind_held_flush(&valgrind->held, error);
	if (code != SL_OK)
		return code;
	ending->findings = draft->findings;
	if (ending->kind != SG_COMPLETE)
		return SL_OK;
	if (!valgrind->finished) {
		ending->kind = SG_BROKEN_OFF;
		snprintf(ending->message, sizeof(ending->message),
			 "the program did not run to its end: no status "
			 "FINISHED");
	} else if (valgrind->failure[0]) {
		ending->kind = SG_TOOL_FAILED;
		snprintf(ending->message, sizeof(ending->message), "%s",
			 valgrind->failure);
	}
	return SL_OK;
}

static int sniff(const char *start, size_t length)
{
	return sg_xml_sniff(start, length, "valgrindoutput", NULL) ? 100 : 0;
}

const struct sg_format sg_format_valgrind_xml = {
	.name = "valgrind-xml",
	.summary = "valgrind --xml=yes: memcheck, helgrind, drd",
	.sniff = sniff,
	.create = create,
	.feed = feed,
	.finish = finish,
	.destroy = destroy,
};
