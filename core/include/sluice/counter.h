/* SPDX-License-Identifier: MIT */
/** @file
 * Work counters: a program tells what it has done, others read it while it
 * runs. What powercheck divides by the energy.
 *
 *     static const struct sl_counter_def defs[] = {
 *             { .name = "frames", .unit = "frame", .scale = 1 },
 *             { .name = "bytes", .unit = "B", .scale = 1 },
 *     };
 *     struct sl_counters *counters;
 *
 *     if (sl_counters_create(&counters, "encoder", defs, 2, &error) != SL_OK)
 *             ...
 *     sl_counter_add(counters, 0, 1);         // from any thread
 *     sl_counters_destroy(counters);
 *
 * The counters lie in a file of mode 0600 that is mapped into the program,
 * `NAME.PID.N.counters` in the user's folder (sl_counters_folder()). It appears
 * under that name when it is whole, and goes when the program destroys it. One
 * that died leaves it behind; readers see that it is dead.
 *
 * A program that must not fail for want of counters may go on with NULL: every
 * function here takes it and does nothing.
 *
 * **The file**, numbers in the order of the machine's bytes, is a head of 128
 * bytes and then 128 bytes a counter:
 *
 *     0    8  "SLCOUNT1"              0    8  value, or double if bit 0 below
 *     8    4  0x01020304              64   4  flags: bit 0 a double
 *     12   4  number of counters      68   4  0
 *     16   4  process                 72   8  scale, a double
 *     20   4  1 live, 2 ended         80  16  unit, NUL at its end
 *     24   8  when the process        96  32  name, NUL at its end
 *             started, in ticks
 *     32   8  when the file was made, ns since 1970
 *     40  16  the boot's id
 *     64  64  program, NUL at its end
 *
 * A value has a cache line of its own, so that counters do not slow each other.
 */
#ifndef SLUICE_COUNTER_H
#define SLUICE_COUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/defs.h"
#include "sluice/error.h"

#define SL_COUNTERS_MAX 1024
#define SL_COUNTER_NAME 32 /**< bytes, with the NUL */
#define SL_COUNTER_UNIT 16
#define SL_COUNTER_PROGRAM 64

/** What a counter is. Names and units are printable ASCII without blanks,
 * '/', '"', ',' and ':'; a name starts with a letter. Frozen layout. */
struct sl_counter_def {
	const char *name; /**< "packets_out"; each once */
	const char *unit; /**< "packet", "B"; "" where there is none */
	double scale; /**< a count is so many units; 0 stands for 1 */
};

struct sl_counters;

SL_BEGIN_DECLS

/** Publish counters, all of them 0. Names are copied.
 * @return SL_OK; SL_EINVAL: a name, unit or number that cannot be; SL_EIO: the
 * folder or file cannot be made, or the folder is not the user's alone;
 * SL_ENOMEM. *counters is NULL then. */
enum sl_code sl_counters_create(struct sl_counters **counters,
				const char *program,
				const struct sl_counter_def *defs, size_t count,
				struct sl_error *error) SL_MUST_CHECK;

/** Mark the file ended and remove it. The values are gone for readers that do
 * not hold it open. A forked child's copy only lets go of it. */
void sl_counters_destroy(struct sl_counters *counters);

/** The file's path, borrowed; NULL for NULL. */
const char *sl_counters_path(const struct sl_counters *counters);

/** Add to a counter, set it, read it: thread-safe, lock-free, no system call.
 * An @p index that is out of range is ignored. Values wrap at 2^64. */
void sl_counter_add(struct sl_counters *counters, size_t index,
		    uint64_t amount);
void sl_counter_set(struct sl_counters *counters, size_t index, uint64_t value);
uint64_t sl_counter_get(const struct sl_counters *counters, size_t index);

/** The counter's word in the file, for a loop that cannot afford the call:
 * __atomic_fetch_add(word, 1, __ATOMIC_RELAXED). NULL: none such. */
uint64_t *sl_counter_word(struct sl_counters *counters, size_t index);

/** Let a counter be a gauge whose value is a double: watts, a ratio. */
void sl_counter_set_double(struct sl_counters *counters, size_t index,
			   double value);

/* ---- reading ---- */

/** Another program's counters. Whatever is in the file, reading it is safe: it
 * is copied, never mapped, and every number and text is checked. */
struct sl_counter_reader;

enum sl_counter_state {
	SL_COUNTERS_LIVE, /**< the program runs */
	SL_COUNTERS_ENDED, /**< it has ended its counters */
	SL_COUNTERS_DEAD, /**< it died: the values are its last */
};

/** A counter as it was read. Frozen layout. */
struct sl_counter_value {
	char name[SL_COUNTER_NAME];
	char unit[SL_COUNTER_UNIT];
	double scale;
	bool is_double; /**< a gauge: `number` */
	uint64_t count;
	double number; /**< in units: count * scale, or the gauge's value */
};

/** Who publishes a file's counters. Frozen layout. */
struct sl_counter_program {
	char program[SL_COUNTER_PROGRAM];
	int64_t process; /**< its id */
	int64_t created_ns; /**< since 1970 */
	size_t count; /**< of its counters */
};

/** Open a counter file. SL_EIO: it cannot be read; SL_EINVAL: no counter file,
 * with the byte at which it is wrong; SL_ENOMEM. It must be a regular file of
 * this user or of root. */
enum sl_code sl_counter_reader_open(struct sl_counter_reader **reader,
				    const char *path,
				    struct sl_error *error) SL_MUST_CHECK;
void sl_counter_reader_close(struct sl_counter_reader *reader);

/** Borrowed. */
const struct sl_counter_program *
sl_counter_reader_program(const struct sl_counter_reader *reader);

/** Read all values as they are now. Each one is whole; those of several
 * counters need not be of one moment. SL_EINVAL: the file has changed into one
 * that cannot be, SL_EIO. */
enum sl_code sl_counter_reader_read(struct sl_counter_reader *reader,
				    struct sl_counter_value *values,
				    size_t count, enum sl_counter_state *state,
				    struct sl_error *error) SL_MUST_CHECK;

/** Where this user's counter files are: $XDG_RUNTIME_DIR/sluice, or without
 * that /tmp/sluice-UID. The text is written to @p folder.
 * @return false: it does not fit into @p size bytes. */
bool sl_counters_folder(char *folder, size_t size) SL_MUST_CHECK;

/** Hears of one file; false ends the walk. @p error is NULL, or says why it is
 * not to be used. */
typedef bool sl_counter_visit(void *context, const char *path,
			      struct sl_counter_reader *reader,
			      const struct sl_error *error);

/** Visit every counter file in the folder (NULL: the user's), sorted by name.
 * The reader is closed when the visit returns. A folder that is not there has
 * no files. SL_EIO, SL_ENOMEM. */
enum sl_code sl_counters_walk(const char *folder, sl_counter_visit *visit,
			      void *context,
			      struct sl_error *error) SL_MUST_CHECK;

SL_END_DECLS

#endif
