/* SPDX-License-Identifier: MIT */
/** @file
 * What the host does for a plugin: names, problems, files, stopping.
 *
 * A struct sl_host stands for one instance of a plugin in one pipeline. It is
 * handed to check() and open() and stays valid until close() has returned.
 */
#ifndef SLUICE_HOST_H
#define SLUICE_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/defs.h"
#include "sluice/error.h"
#include "sluice/name.h"
#include "sluice/option.h"

struct sl_host;

SL_BEGIN_DECLS

/** The instance's name, e.g. "nat"; borrowed. */
const char *sl_host_instance(const struct sl_host *host);

/** The pipeline's interfaces, and its applications. Borrowed. */
struct sl_names *sl_host_nics(struct sl_host *host);
struct sl_names *sl_host_applications(struct sl_host *host);

/** How many workers the run will have, and how many packets a source puts into
 * a chunk at most. What stages emit can make it SL_CHUNK_PACKETS_MAX. */
unsigned sl_host_workers(const struct sl_host *host);
uint32_t sl_host_chunk_packets(const struct sl_host *host);

/** In check(): the configuration is wrong. May be called many times, so that
 * the user sees all of it at once. @p option is the option's name; @p value
 * the list's element at fault, or NULL for the option as a whole. The message
 * is `fmt` as for SL_FAIL(), e.g. "forward \"udp\": a port is missing". */
void sl_problem(struct sl_host *host, const char *option,
		const struct sl_value *value, const char *fmt, ...)
	SL_PRINTF(4, 5);

/** In check(): a problem in another file, e.g. a table of routes. */
void sl_problem_at(struct sl_host *host, const char *path, int line,
		   const char *fmt, ...) SL_PRINTF(4, 5);

/** In check(): by its options, this instance reads or provides more fields
 * (enum sl_field) than its static declaration says. */
void sl_host_reads(struct sl_host *host, uint32_t fields);
void sl_host_writes(struct sl_host *host, uint32_t fields);

enum sl_file_use { SL_FILE_READ, SL_FILE_WRITE };

/** In open(): say that this instance reads or writes the open file @p fd,
 * known to the user as @p path. Fails with SL_EINVAL if the pipeline would
 * write a regular file that it also reads, or write one twice; so claim a
 * file before you truncate it. */
enum sl_code sl_host_claim(struct sl_host *host, int fd, const char *path,
			   enum sl_file_use use,
			   struct sl_error *error) SL_MUST_CHECK;

/** In cut(): whether the run wants no more input. A source that may work long
 * on one cut asks now and then, and returns SL_ESTOPPED. */
bool sl_host_stopping(const struct sl_host *host);

/** In cut(): sleep until @p fd can be read. Any source that could block must
 * wait here, not in read(): the host ends the wait when the run is told to
 * stop, and does not count it as work.
 * @return SL_OK; SL_ESTOPPED: end the input; SL_EIO. */
enum sl_code sl_host_wait_readable(struct sl_host *host, int fd,
				   struct sl_error *error) SL_MUST_CHECK;

SL_END_DECLS

#endif
