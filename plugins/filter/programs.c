/* SPDX-License-Identifier: MIT */
/* Programs in a list that only grows, at its head: a reader walks what it finds
 * there. */
#include "programs.h"

#include <pcap/pcap.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* A packet is at most so long, for expressions that look at lengths. */
#define SNAPLEN 262144

struct program {
	struct program *next; /* owned */
	struct bpf_program code;
	uint16_t link_type;
	char why[PROGRAM_WHY]; /* "": it can be used */
};

struct programs {
	const char *expression;
	_Atomic(struct program *) first; /* owned */
	pthread_mutex_t lock; /* held by who compiles */
};

/* libpcap's own number of a link type that a file has: they differ for raw IP,
 * of which some systems have their own. */
static int dlt_of(uint16_t link_type)
{
	enum { LINKTYPE_RAW = 101, OPENBSD_RAW = 14 };

	return link_type == LINKTYPE_RAW || link_type == OPENBSD_RAW
		       ? DLT_RAW
		       : link_type;
}

/* Compile into *program, with what is wrong in its `why`. */
static void compile(const char *expression, uint16_t link_type,
		    struct program *program)
{
	pcap_t *pcap = pcap_open_dead(dlt_of(link_type), SNAPLEN);
	const char *why = "no memory";
	size_t length;

	program->link_type = link_type;
	if (pcap && pcap_compile(pcap, &program->code, expression, 1,
				 PCAP_NETMASK_UNKNOWN) == 0)
		why = "";
	else if (pcap)
		why = pcap_geterr(pcap);
	length = strlen(why);
	if (length >= sizeof(program->why))
		length = sizeof(program->why) - 1;
	memcpy(program->why, why, length);
	program->why[length] = '\0';
	if (pcap)
		pcap_close(pcap);
}

bool programs_try(const char *expression, char *why)
{
	/* Ethernet, raw IP, Linux cooked, BSD loopback. */
	static const uint16_t link_types[] = { 1, 101, 113, 276, 0 };

	for (size_t at = 0; at < sizeof(link_types) / sizeof(link_types[0]);
	     at++) {
		struct program program = { .code = { 0 } };

		compile(expression, link_types[at], &program);
		pcap_freecode(&program.code);
		if (!program.why[0])
			return true;
		if (at == 0)
			memcpy(why, program.why, sizeof(program.why));
	}
	return false;
}

enum sl_code programs_create(struct programs **programs, const char *expression,
			     struct sl_error *error)
{
	struct programs *made = calloc(1, sizeof(*made));

	if (!made || pthread_mutex_init(&made->lock, NULL) != 0) {
		free(made);
		return SL_FAIL(error, SL_ENOMEM, "no memory for a filter");
	}
	made->expression = expression;
	*programs = made;
	return SL_OK;
}

void programs_destroy(struct programs *programs)
{
	struct program *program;

	if (!programs)
		return;
	program = atomic_load_explicit(&programs->first, memory_order_relaxed);
	while (program) {
		struct program *next = program->next;

		pcap_freecode(&program->code);
		free(program);
		program = next;
	}
	pthread_mutex_destroy(&programs->lock);
	free(programs);
}

static const struct program *find(const struct programs *programs,
				  uint16_t link_type)
{
	const struct program *program =
		atomic_load_explicit(&programs->first, memory_order_acquire);

	while (program && program->link_type != link_type)
		program = program->next;
	return program;
}

const struct program *programs_find(struct programs *programs,
				    uint16_t link_type)
{
	const struct program *found = find(programs, link_type);
	struct program *made;

	if (SL_LIKELY(found != NULL))
		return found;
	pthread_mutex_lock(&programs->lock);
	found = find(programs, link_type); /* somebody was faster */
	made = found ? NULL : calloc(1, sizeof(*made));
	if (made) {
		compile(programs->expression, link_type, made);
		made->next = atomic_load_explicit(&programs->first,
						  memory_order_relaxed);
		atomic_store_explicit(&programs->first, made,
				      memory_order_release);
		found = made;
	}
	pthread_mutex_unlock(&programs->lock);
	return found;
}

const char *program_why(const struct program *program)
{
	return program->why[0] ? program->why : NULL;
}

bool program_matches(const struct program *program, const uint8_t *frame,
		     uint32_t captured, uint32_t original)
{
	return bpf_filter(program->code.bf_insns, frame, original, captured) !=
	       0;
}
