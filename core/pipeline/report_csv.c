/* SPDX-License-Identifier: MIT */
/* A run's figures as a row of a table (RFC 4180). Which columns there are, and
 * in which order, depends on the configuration alone. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "pipeline/report_put.h"

/* The header and the rows are the same walk, so that they cannot differ. */
struct row {
	struct sl_put put;
	bool header, begun;
};

static void escape_quote(struct sl_put *put, char byte)
{
	sl_put_bytes(put, &byte, 1);
	if (byte == '"')
		sl_put_bytes(put, &byte, 1);
}

static void begin_field(struct row *row)
{
	if (row->begun)
		sl_put_text(&row->put, ",");
	row->begun = true;
}

/* A column of @p owner, if it has one: "nat.busy_s". @return whether its value
 * is wanted, and not its name. */
static bool field(struct row *row, const char *owner, const char *name)
{
	bool quoted = (owner && strpbrk(owner, ",\"\r\n")) ||
		      strpbrk(name, ",\"\r\n");

	begin_field(row);
	if (!row->header)
		return true;
	if (quoted)
		sl_put_text(&row->put, "\"");
	if (owner) {
		sl_put_utf8(&row->put, owner, escape_quote);
		sl_put_text(&row->put, ".");
	}
	sl_put_utf8(&row->put, name, escape_quote);
	if (quoted)
		sl_put_text(&row->put, "\"");
	return false;
}

static void count_field(struct row *row, const char *owner, const char *name,
			uint64_t count)
{
	if (field(row, owner, name))
		sl_put_count(&row->put, count);
}

/* What has no figure is an empty field. */
static void number_field(struct row *row, const char *owner, const char *name,
			 bool valid, double number)
{
	if (field(row, owner, name) && valid && isfinite(number))
		sl_put_double(&row->put, number);
}

static void word_field(struct row *row, const char *name, const char *word)
{
	if (field(row, NULL, name))
		sl_put_text(&row->put, word);
}

/* A source and a sink of one plugin have one name. */
static void put_instance(struct row *row, const struct sl_stats *stats,
			 size_t at)
{
	const struct sl_instance_stats *instance = sl_stats_instance(stats, at);
	const char *role = sl_stats_role(stats, at);
	const char *owner = strcmp(role, "stage") == 0 ? instance->name : role;

	count_field(row, owner, "packets_in", instance->packets_in);
	count_field(row, owner, "packets_out", instance->packets_out);
	for (size_t drop = 0; drop < instance->drop_count; drop++) {
		char name[128];

		(void)snprintf(name, sizeof(name), "%s.%s",
			       at ? "dropped" : "skipped",
			       instance->drop_names[drop]);
		count_field(row, owner, name, instance->drops[drop]);
	}
	count_field(row, owner, "held", instance->held);
	count_field(row, owner, "emitted", instance->emitted);
	number_field(row, owner, "busy_s", true, sl_seconds(instance->busy_ns));
	if (!stats->energy)
		return;
	number_field(row, owner, "cpu_s", instance->cpu_samples > 0,
		     sl_seconds(instance->cpu_ns));
	number_field(row, owner, "energy_j", instance->energy_j.valid,
		     instance->energy_j.value);
}

static void put_energy(struct row *row, const struct sl_energy_stats *energy)
{
	const struct sl_energy_span *sum = &energy->sum;

	number_field(row, NULL, "energy_j", sum->valid, sum->energy_j);
	number_field(row, NULL, "energy_half_j", sum->valid, sum->half_j);
	number_field(row, NULL, "power_w", sum->valid, sum->watts);
	word_field(row, "estimate", sum->estimate ? "1" : "0");
	number_field(row, NULL, "packets_per_j", energy->packets_per_j.valid,
		     energy->packets_per_j.value);
	number_field(row, NULL, "idle_w", energy->idle != SL_IDLE_UNKNOWN,
		     energy->idle_w);
	for (size_t at = 0; at < energy->domain_count; at++) {
		const struct sl_domain_stats *domain = &energy->domains[at];
		char name[256];

		(void)snprintf(name, sizeof(name), "%s.energy_j",
			       domain->domain->id);
		number_field(row, domain->instance, name, domain->span.valid,
			     domain->span.energy_j);
	}
}

static void put_row(struct row *row, const struct sl_stats *stats)
{
	word_field(row, "outcome", sl_stats_outcome(stats->outcome));
	number_field(row, NULL, "elapsed_s", true,
		     sl_seconds(stats->elapsed_ns));
	number_field(row, NULL, "total_s", stats->total_ns > 0,
		     sl_seconds(stats->total_ns));
	number_field(row, NULL, "cpu_s", true, sl_seconds(stats->cpu_ns));
	count_field(row, NULL, "packets_in", stats->packets_in);
	count_field(row, NULL, "packets_out", stats->packets_out);
	count_field(row, NULL, "packets_dropped", stats->packets_dropped);
	count_field(row, NULL, "chunks", stats->chunks);
	count_field(row, NULL, "workers", stats->workers);
	number_field(row, NULL, "mean_busy_workers", true,
		     stats->mean_busy_workers);
	number_field(row, NULL, "latency_p50_s", stats->chunks > 0,
		     sl_seconds(stats->latency_p50_ns));
	number_field(row, NULL, "latency_p99_s", stats->chunks > 0,
		     sl_seconds(stats->latency_p99_ns));
	number_field(row, NULL, "latency_max_s", stats->chunks > 0,
		     sl_seconds(stats->latency_max_ns));
	if (stats->energy)
		put_energy(row, stats->energy);
	for (size_t at = 0; sl_stats_instance(stats, at); at++)
		put_instance(row, stats, at);
	sl_put_text(&row->put, "\r\n");
}

enum sl_code sl_stats_csv_header(const struct sl_stats *stats,
				 struct sl_buffer *text, struct sl_error *error)
{
	struct row row = { .put = { text, SL_OK, error }, .header = true };

	put_row(&row, stats);
	return row.put.code;
}

enum sl_code sl_stats_csv(const struct sl_stats *stats, struct sl_buffer *text,
			  struct sl_error *error)
{
	struct row row = { .put = { text, SL_OK, error } };

	put_row(&row, stats);
	return row.put.code;
}
