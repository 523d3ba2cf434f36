/* SPDX-License-Identifier: MIT */
/* prioritize: the urgent packets of a chunk first. Each packet gets the index
 * of the first class that fits it as its priority, and the chunk is sorted by
 * it; packets of one class keep their order. */
#include <string.h>

#include "classes.h"
#include "sluice/stage.h"

struct prioritize {
	struct sl_list list; /* the option: lists of words */
	struct classes classes;
};

/* Per worker, so that nothing is allocated per chunk; a worker touches only
 * the start, as far as its chunks are long. */
struct sorter {
	uint8_t class_at[SL_CHUNK_PACKETS_MAX];
	uint16_t sorted[SL_CHUNK_PACKETS_MAX];
};

/* Whether a class before @p class_index has @p match too. */
static bool find_earlier(const struct prioritize *prioritize,
			 size_t class_index, const struct match *match,
			 size_t *earlier)
{
	for (size_t at = 0; at < class_index; at++) {
		const struct sl_list *words = &prioritize->list.values[at].list;

		for (size_t word = 0; word < words->count; word++) {
			struct match other;

			if (match_parse(words->values[word].text, &other) ||
			    !match_equal(match, &other))
				continue;
			*earlier = at;
			return true;
		}
	}
	return false;
}

static uint32_t field_of(enum match_kind kind)
{
	switch (kind) {
	case MATCH_UDP:
	case MATCH_TCP:
		return SL_FIELD_PORTS;
	case MATCH_DSCP:
		return SL_FIELD_DSCP;
	case MATCH_NAME:
		break;
	}
	return SL_FIELD_APPLICATION;
}

static void check_class(const struct prioritize *prioritize, size_t class_index,
			struct sl_host *host)
{
	const struct sl_value *value = &prioritize->list.values[class_index];

	if (value->list.count == 0)
		sl_problem(host, "classes", value,
			   "class %zu has no words, so nothing is in it",
			   class_index);
	for (size_t at = 0; at < value->list.count; at++) {
		const struct sl_value *word = &value->list.values[at];
		struct match match;
		const char *why = match_parse(word->text, &match);
		size_t earlier;

		if (why)
			sl_problem(host, "classes", word, "\"%s\": %s",
				   word->text, why);
		else if (find_earlier(prioritize, class_index, &match,
				      &earlier))
			sl_problem(host, "classes", word,
				   "\"%s\" is in class %zu and again in "
				   "class %zu",
				   word->text, earlier, class_index);
		else
			sl_host_reads(host, field_of(match.kind));
	}
}

static void prioritize_check(void *state, struct sl_host *host)
{
	const struct prioritize *prioritize = state;

	if (prioritize->list.count > CLASSES_MAX) {
		sl_problem(host, "classes", NULL, "%zu classes, at most %d",
			   prioritize->list.count, CLASSES_MAX);
		return;
	}
	for (size_t at = 0; at < prioritize->list.count; at++)
		check_class(prioritize, at, host);
}

static enum sl_code add_word(struct prioritize *prioritize,
			     struct sl_host *host, const char *text,
			     uint8_t class_index, struct sl_error *error)
{
	struct match match;
	const char *why = match_parse(text, &match);
	uint16_t name = SL_NO_NAME;

	if (why)
		return SL_FAIL(error, SL_EINVAL, "\"%s\": %s", text, why);
	if (match.kind == MATCH_NAME) {
		enum sl_code code =
			sl_names_intern(sl_host_applications(host), text,
					strlen(text), &name, error);

		if (code != SL_OK)
			return code;
	}
	return classes_add(&prioritize->classes, &match, name, class_index,
			   error);
}

static enum sl_code prioritize_open(void *state, struct sl_host *host,
				    struct sl_error *error)
{
	struct prioritize *prioritize = state;

	classes_init(&prioritize->classes, (uint8_t)prioritize->list.count);
	for (size_t at = 0; at < prioritize->list.count; at++) {
		const struct sl_list *words = &prioritize->list.values[at].list;

		for (size_t word = 0; word < words->count; word++) {
			enum sl_code code = add_word(prioritize, host,
						     words->values[word].text,
						     (uint8_t)at, error);

			if (code != SL_OK)
				return code;
		}
	}
	return SL_OK;
}

static void prioritize_close(void *state)
{
	struct prioritize *prioritize = state;

	classes_finish(&prioritize->classes);
}

static enum sl_code prioritize_process(void *state, struct sl_chunk *chunk,
				       struct sl_error *error)
{
	const struct prioritize *prioritize = state;
	struct sorter *sorter = chunk->worker;

	(void)error;
	for (uint32_t at = 0; at < chunk->count; at++) {
		struct sl_packet *packet = sl_chunk_packet(chunk, at);

		packet->priority = classes_of(&prioritize->classes, packet);
		sorter->class_at[at] = packet->priority;
	}
	classes_sort(chunk->order, sorter->class_at, chunk->count,
		     prioritize->classes.rest, sorter->sorted);
	return SL_OK;
}

static const struct sl_option prioritize_options[] = {
	{ .name = "classes",
	  .type = SL_LIST,
	  .element = SL_LIST,
	  .inner = SL_STRING,
	  .offset = offsetof(struct prioritize, list),
	  .required = true,
	  .help = "Lists of words, the most urgent first. A word is a "
		  "protocol's "
		  "name, udp/PORT or tcp/PORT (source or destination), or "
		  "dscp/VALUE." },
};

static const struct sl_stage prioritize_stage = {
	.size = sizeof(struct sl_stage),
	.state_size = sizeof(struct prioritize),
	.worker_size = sizeof(struct sorter),
	.writes = SL_FIELD_PRIORITY,
	.flags = SL_WHOLE_CHUNK,
	.check = prioritize_check,
	.open = prioritize_open,
	.close = prioritize_close,
	.process = prioritize_process,
};

const struct sl_plugin sluice_plugin = {
	.size = sizeof(struct sl_plugin),
	.abi = SL_PLUGIN_ABI,
	.kind = SL_STAGE,
	.name = "prioritize",
	.summary = "sort each chunk by class, the most urgent packets first",
	SL_OPTION_TABLE(prioritize_options),
	.stage = &prioritize_stage,
};
