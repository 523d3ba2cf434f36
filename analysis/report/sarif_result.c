/* SPDX-License-Identifier: MIT */
/* A result. References are to SARIF 2.1.0. */
#include "report/sarif_result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_gen.h>

#include "base/json.h"

/* Of an object being written; `no_memory` is told at its end. */
struct result {
	yajl_gen gen;
	bool no_memory;
};

const char *sg_sarif_level(enum sg_severity severity)
{
	switch (severity) {
	case SG_ERROR:
		return "error";
	case SG_LOW:
	case SG_STYLE:
	case SG_INFO:
		return "note";
	case SG_WARNING:
	case SG_SEVERITY_UNKNOWN:
		break;
	}
	return "warning";
}

/* ---- URIs ------------------------------------------------------------- */

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool has_drive(const char *path)
{
	return is_letter(path[0]) && path[1] == ':' &&
	       (path[2] == '/' || path[2] == '\\');
}

/* RFC 3986's pchar and the slash, without the colon, which would make the
 * beginning of a relative path a scheme. */
static bool is_plain(char c)
{
	return is_letter(c) || (c >= '0' && c <= '9') ||
	       (c && strchr("-._~!$&'()*+,;=@/", c));
}

/* @p uri has room for three times the path. */
static void encode(const char *path, char *uri)
{
	static const char hex[] = "0123456789ABCDEF";

	for (; *path; path++) {
		unsigned char byte = (unsigned char)*path;

		if (is_plain(*path)) {
			*uri++ = *path;
			continue;
		}
		*uri++ = '%';
		*uri++ = hex[byte >> 4];
		*uri++ = hex[byte & 15];
	}
	*uri = '\0';
}

/* A path of Windows gets slashes: a backslash is none in a URI. */
static void encode_drive(const char *path, char *uri)
{
	uri[0] = path[0];
	uri[1] = ':';
	encode(path + 2, uri + 2);
	for (char *at = strstr(uri, "%5C"); at; at = strstr(at, "%5C")) {
		*at = '/';
		memmove(at + 1, at + 3, strlen(at + 3) + 1);
	}
}

static void put_uri(struct result *result, const char *path)
{
	const char *start = has_drive(path)               ? "file:///"
			    : strncmp(path, "//", 2) == 0 ? "file:"
			    : path[0] == '/'              ? "file://"
							  : "";
	size_t start_length = strlen(start);
	char *uri = malloc(start_length + 3 * strlen(path) + 1);

	if (!uri) {
		result->no_memory = true;
		return;
	}
	memcpy(uri, start, start_length);
	if (strstr(path, "://"))
		memcpy(uri, path, strlen(path) + 1);
	else if (has_drive(path))
		encode_drive(path, uri + start_length);
	else
		encode(path, uri + start_length);
	sl_json_pair(result->gen, "uri", uri);
	free(uri);
}

/* ---- members ---------------------------------------------------------- */

static void open_map(yajl_gen gen, const char *key)
{
	sl_json_key(gen, key);
	yajl_gen_map_open(gen);
}

static void open_array(yajl_gen gen, const char *key)
{
	sl_json_key(gen, key);
	yajl_gen_array_open(gen);
}

static void put_positive(yajl_gen gen, const char *key, int64_t number)
{
	if (number > 0)
		sl_json_integer(gen, key, number);
}

static void put_message(yajl_gen gen, const char *text)
{
	open_map(gen, "message");
	sl_json_pair(gen, "text", text);
	yajl_gen_map_close(gen);
}

/* 3.30: a region without a line would be one of bytes. */
static void put_region(yajl_gen gen, int64_t line, int64_t column,
		       int64_t end_line, int64_t end_column)
{
	if (line <= 0)
		return;
	open_map(gen, "region");
	sl_json_integer(gen, "startLine", line);
	put_positive(gen, "startColumn", column);
	put_positive(gen, "endLine", end_line);
	put_positive(gen, "endColumn", end_column);
	yajl_gen_map_close(gen);
}

/* The members of a location (3.28), but for its message. Some reports tell
 * lines of a file that they do not name. */
static void put_place(struct result *result, const char *path,
		      const char *function, const int64_t numbers[4])
{
	bool named = path && *path;
	yajl_gen gen = result->gen;

	if (named || numbers[0] > 0) {
		open_map(gen, "physicalLocation");
		open_map(gen, "artifactLocation");
		if (named)
			put_uri(result, path);
		yajl_gen_map_close(gen);
		put_region(gen, numbers[0], numbers[1], numbers[2], numbers[3]);
		yajl_gen_map_close(gen);
	}
	if (function) {
		open_array(gen, "logicalLocations");
		yajl_gen_map_open(gen);
		sl_json_pair(gen, "fullyQualifiedName", function);
		yajl_gen_map_close(gen);
		yajl_gen_array_close(gen);
	}
}

static void put_location(struct result *result,
			 const struct sg_finding *finding)
{
	const int64_t numbers[4] = { finding->line, finding->column,
				     finding->end_line, finding->end_column };

	if (!finding->path && !finding->function && finding->line <= 0)
		return;
	open_array(result->gen, "locations");
	yajl_gen_map_open(result->gen);
	put_place(result, finding->path, finding->function, numbers);
	yajl_gen_map_close(result->gen);
	yajl_gen_array_close(result->gen);
}

static void put_event(struct result *result, const struct sg_event *event)
{
	const int64_t numbers[4] = { event->line, event->column, 0, 0 };
	yajl_gen gen = result->gen;

	yajl_gen_map_open(gen);
	open_map(gen, "location");
	put_place(result, event->path, event->function, numbers);
	if (event->message)
		put_message(gen, event->message);
	yajl_gen_map_close(gen);
	yajl_gen_map_close(gen);
}

static void put_flow(struct result *result, const struct sg_finding *finding)
{
	yajl_gen gen = result->gen;

	if (!finding->event_count)
		return;
	open_array(gen, "codeFlows");
	yajl_gen_map_open(gen);
	open_array(gen, "threadFlows");
	yajl_gen_map_open(gen);
	open_array(gen, "locations");
	for (size_t at = 0; at < finding->event_count; at++)
		put_event(result, &finding->events[at]);
	yajl_gen_array_close(gen);
	yajl_gen_map_close(gen);
	yajl_gen_array_close(gen);
	yajl_gen_map_close(gen);
	yajl_gen_array_close(gen);
}

static void put_weakness(yajl_gen gen, int64_t cwe)
{
	char id[24];

	if (cwe <= 0)
		return;
	snprintf(id, sizeof(id), "%lld", (long long)cwe);
	open_array(gen, "taxa");
	yajl_gen_map_open(gen);
	sl_json_pair(gen, "id", id);
	open_map(gen, "toolComponent");
	sl_json_pair(gen, "name", "CWE");
	yajl_gen_map_close(gen);
	yajl_gen_map_close(gen);
	yajl_gen_array_close(gen);
}

/* 3.35; that it was accepted may be all that is known. */
static void put_suppression(yajl_gen gen, const char *justification)
{
	open_array(gen, "suppressions");
	yajl_gen_map_open(gen);
	sl_json_pair(gen, "kind", "external");
	if (justification)
		sl_json_pair(gen, "justification", justification);
	yajl_gen_map_close(gen);
	yajl_gen_array_close(gen);
}

/* A bag of our own in the property bag (3.8): other tools write a "severity"
 * too, and mean something else. */
static void put_properties(yajl_gen gen, const struct sg_finding *finding,
			   const struct sg_sarif_more *more)
{
	open_map(gen, "properties");
	open_map(gen, "scgate");
	sl_json_pair(gen, "severity", sg_severity_text(finding->severity));
	if (finding->severity_word)
		sl_json_pair(gen, "severityWord", finding->severity_word);
	if (finding->verbose)
		sl_json_pair(gen, "verbose", finding->verbose);
	if (finding->inconclusive) {
		sl_json_key(gen, "inconclusive");
		yajl_gen_bool(gen, true);
	}
	if (finding->unit_count) {
		open_array(gen, "units");
		for (size_t at = 0; at < finding->unit_count; at++)
			sl_json_text(gen, finding->units[at]);
		yajl_gen_array_close(gen);
	}
	if (more->verdict)
		sl_json_pair(gen, "verdict", more->verdict);
	if (more->is_objected) {
		sl_json_key(gen, "objected");
		yajl_gen_bool(gen, true);
	}
	yajl_gen_map_close(gen);
	yajl_gen_map_close(gen);
}

/* 3.27.17: the name of a fingerprint has its version. */
static void put_fingerprint(yajl_gen gen, const char *fingerprint)
{
	open_map(gen, "partialFingerprints");
	sl_json_pair(gen, "scgate/v1", fingerprint);
	yajl_gen_map_close(gen);
}

static enum sl_code finish(struct result *result, struct sl_buffer *text,
			   struct sl_error *error)
{
	enum sl_code code = sl_json_end(result->gen, text, error);

	if (code == SL_OK && result->no_memory)
		code = SL_FAIL(error, SL_ENOMEM, "no memory for a finding");
	return code;
}

enum sl_code sg_sarif_result(const struct sg_finding *finding,
			     const struct sg_sarif_more *more,
			     struct sl_buffer *text, struct sl_error *error)
{
	static const struct sg_sarif_more nothing = { .verdict = NULL };
	struct result result = { .gen = sl_json_begin_line() };

	if (!result.gen)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a finding");
	more = more ? more : &nothing;
	yajl_gen_map_open(result.gen);
	if (finding->rule && *finding->rule)
		sl_json_pair(result.gen, "ruleId", finding->rule);
	sl_json_pair(result.gen, "level", sg_sarif_level(finding->severity));
	put_message(result.gen, finding->message);
	put_location(&result, finding);
	put_flow(&result, finding);
	if (finding->repeats > 1)
		sl_json_integer(result.gen, "occurrenceCount",
				finding->repeats);
	if (more->fingerprint)
		put_fingerprint(result.gen, more->fingerprint);
	if (more->baseline_state)
		sl_json_pair(result.gen, "baselineState", more->baseline_state);
	put_weakness(result.gen, finding->cwe);
	if (finding->suppressed)
		put_suppression(result.gen, more->justification);
	put_properties(result.gen, finding, more);
	yajl_gen_map_close(result.gen);
	return finish(&result, text, error);
}

enum sl_code sg_sarif_notification(const char *level, const char *message,
				   const char *path, struct sl_buffer *text,
				   struct sl_error *error)
{
	static const int64_t numbers[4] = { 0, 0, 0, 0 };
	struct result result = { .gen = sl_json_begin_line() };

	if (!result.gen)
		return SL_FAIL(error, SL_ENOMEM, "no memory for a finding");
	yajl_gen_map_open(result.gen);
	sl_json_pair(result.gen, "level", level);
	put_message(result.gen, message);
	if (path) {
		open_array(result.gen, "locations");
		yajl_gen_map_open(result.gen);
		put_place(&result, path, NULL, numbers);
		yajl_gen_map_close(result.gen);
		yajl_gen_array_close(result.gen);
	}
	yajl_gen_map_close(result.gen);
	return finish(&result, text, error);
}
