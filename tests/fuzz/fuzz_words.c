/* SPDX-License-Identifier: MIT */
/* The small languages of options: addresses, prefixes, durations, sizes,
 * forwards, routes, matches. What is written back from a parsed address must
 * be read as the same. */
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "base/units.h"
#include "plugins/nat/forward.h"
#include "plugins/prioritize/classes.h"
#include "plugins/route/route_text.h"
#include "tests/fuzz/fuzz.h"

static void try_address(const char *text, size_t length)
{
	struct sl_ip ip, again;
	char back[SL_ADDRESS_TEXT];
	size_t written;

	if (!sl_ip_parse(text, length, &ip))
		return;
	written = sl_address_format(&ip.address, ip.version, back);
	if (!sl_ip_parse(back, written, &again) ||
	    again.version != ip.version ||
	    !sl_address_equal(&again.address, &ip.address))
		abort();
}

static void try_prefix(const char *text, size_t length)
{
	struct sl_prefix prefix;
	char why[128], back[SL_ADDRESS_TEXT];

	if (sl_prefix_parse(text, length, &prefix, why, sizeof(why)))
		return;
	if (!sl_prefix_contains(&prefix, &prefix.address, prefix.version) ||
	    sl_prefix_format(&prefix, back) >= sizeof(back))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct forward forward;
	struct route_text route;
	struct match match;
	char why[ROUTE_WHY];
	uint16_t first, last;
	uint64_t bytes;
	int64_t ns;

	try_address(text, size);
	try_prefix(text, size);
	if (!forward_parse(text, &forward) && !forward_transport_text(&forward))
		abort();
	if (!port_range_parse(text, &first, &last) && first > last)
		abort();
	if (!route_text_parse(text, size, &route, why) &&
	    (!route.nic_length ||
	     route.prefix.length > (route.prefix.version == 4 ? 32 : 128)))
		abort();
	if (!match_parse(text, &match) && match.kind > MATCH_DSCP)
		abort();
	if (sl_duration_parse(text, &ns) && ns < 0)
		abort();
	if (sl_size_parse(text, &bytes) && !strpbrk(text, "0123456789"))
		abort();
	free(text);
	return 0;
}
