/* SPDX-License-Identifier: MIT */
/** @file
 * What a meter plugin is: it says which *domains* (places where energy flows)
 * a machine lets one measure, and reads one raw sample of each when asked.
 *
 * A meter knows its files and their units, nothing else. It never unwraps a
 * counter, never polls and never integrates: the core does (sluice/energy.h),
 * and it takes the two clock readings that bracket each sample.
 *
 *     open -> (begin -> read, read, ...) ... -> close
 *
 * All calls of one instance come from one thread at a time, though not always
 * the same one. A meter takes an option `root`, default "/", wherever it reads
 * /sys or /proc, so that a recorded tree can stand in for them.
 *
 * What cannot be read is an error with its reason, never 0.
 */
#ifndef SLUICE_METER_H
#define SLUICE_METER_H

#include <stddef.h>
#include <stdint.h>

#include "sluice/defs.h"
#include "sluice/error.h"
#include "sluice/plugin.h"

/** The state of a meter that is being opened or read; see below. */
struct sl_meter_host;

/** How a figure comes to be; the first is the best. */
enum sl_quality {
	SL_QUALITY_MEASURED = 1, /**< an instrument counts energy */
	SL_QUALITY_ON_DIE, /**< the chip counts its own */
	SL_QUALITY_INTEGRATED, /**< power, sampled and integrated by the core */
	SL_QUALITY_MODEL, /**< no probe at all: "estimate" wherever it stands */
};

/** What the raw figure of a domain is. */
enum sl_form {
	SL_FORM_COUNTER = 1, /**< counts that rise by unit_j joules each and
				  wrap at `modulus` */
	SL_FORM_STORE, /**< counts that fall as energy is used: a battery */
	SL_FORM_WATTS, /**< power at this moment; integrated by trapezoids */
	SL_FORM_MEAN_WATTS, /**< mean power since the domain's last reading;
				 the first one says nothing */
};

/** What a domain covers. */
enum sl_scope {
	SL_SCOPE_PART = 1, /**< a part of the machine */
	SL_SCOPE_PLATFORM, /**< all of it: overlaps every other domain and is
				shown beside them, never added to them */
};

/** A domain as the plugin describes it. The host copies everything. */
struct sl_domain {
	size_t size; /**< sizeof(struct sl_domain) */
	const char *id; /**< unique in this meter, stable between runs:
			     "intel-rapl:0:1" */
	const char *label; /**< for people: "package-0 core"; NULL: the id */
	const char *parent; /**< the id of the domain of this meter that
				 contains it, added before it; NULL */
	const char *overlap; /**< a group: domains that carry the same word, in
				  whatever meter, measure the same joules in
				  part or whole. "package-0" is a processor's
				  socket 0; NULL: none */
	uint32_t quality; /**< enum sl_quality */
	uint32_t form; /**< enum sl_form */
	uint32_t scope; /**< enum sl_scope */
	double unit_j; /**< joules a count; for watts unused */
	uint64_t modulus; /**< in counts: what follows modulus - 1 is 0; 0: the
			       counter never wraps */
	double resolution_j; /**< smallest step of the energy; 0: unit_j */
	double resolution_w; /**< of a power; 0: unknown */
	double update_s; /**< how often the source renews its figure, or the
			      core should ask for a power; 0: unknown */
	double relative; /**< calibration: half of the 95 % interval, as a part
			      of the figure: 0.3 is "+-30 %" */
	double noise_j; /**< a counter that falls by this much at most has only
			     trembled: five standard deviations of the
			     difference of two readings; 0: there is no noise,
			     and two resolutions may be missing */
	double power_max_w; /**< more than this cannot flow; tells a wrap from a
				 reset. 0: unknown: every fall is a reset */
};

/** One raw sample. */
struct sl_sample {
	size_t size; /**< sizeof(struct sl_sample), set by the host */
	int64_t now_ns; /**< CLOCK_MONOTONIC before the reading, set by the
			     host */
	uint64_t count; /**< SL_FORM_COUNTER, SL_FORM_STORE */
	double unit_j; /**< of this sample's counts, where it varies (charge x
			    voltage); the host sets the domain's */
	double watts; /**< the other two forms */
};

struct sl_meter {
	size_t size; /**< sizeof(struct sl_meter) */
	size_t state_size; /**< bytes, zeroed, options filled in before open */

	/** Find the domains and tell the host of each by sl_meter_add(). Fails
	 * if nothing can be measured at all, with the reason. */
	enum sl_code (*open)(void *state, struct sl_meter_host *host,
			     struct sl_error *error);
	/** Also after a failed open. May be NULL. */
	void (*close)(void *state);
	/** One round of reading begins: a meter that gets all its domains by
	 * one request makes it here. The clock readings then bracket this call,
	 * not read(). May be NULL. */
	enum sl_code (*begin)(void *state, struct sl_error *error);
	/** Read domain @p domain, a number of sl_meter_add(). SL_END: there is
	 * nothing new yet, the last reading stands with its time; one that
	 * stands for ten updates, 2 s at least, is a failure. On
	 * failure the message says why; SL_EIO for what may work the next time.
	 * A store or a power has then a gap, a counter only if it may have
	 * wrapped. */
	enum sl_code (*read)(void *state, uint32_t domain,
			     struct sl_sample *sample, struct sl_error *error);
};

SL_BEGIN_DECLS

/** In open(): there is this domain. @return its number, from 0, counting
 * unusable ones too; what is wrong with it, or memory that is short, fails the
 * opening afterwards. */
uint32_t sl_meter_add(struct sl_meter_host *host,
		      const struct sl_domain *domain);

/** In open(): domain @p domain is there and cannot be used: "energy_uj:
 * Permission denied". It is listed with this reason, and never read. */
void sl_meter_unusable(struct sl_meter_host *host, uint32_t domain,
		       const char *fmt, ...) SL_PRINTF(3, 4);

SL_END_DECLS

#endif
