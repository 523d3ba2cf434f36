/* SPDX-License-Identifier: MIT */
/* What a plug or a Redfish service answers. The first byte says which of the
 * two is asked. Whatever the text, a figure that is there was read within it,
 * members have names of their own, and a failure says where. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/http_plug/status.h"
#include "tests/fuzz/fuzz.h"

static void check_field(const struct plug_field *field, size_t length)
{
	uint64_t count;
	double value;

	if (!field->there)
		return;
	fuzz_require(field->byte > 0 && field->byte <= length);
	if (field->is_null)
		return;
	value = sl_decimal_value(&field->value);
	fuzz_require(!isnan(value));
	if (sl_decimal_count(&field->value, -6, &count))
		fuzz_require(fabs((double)count * 1e-6 - value) <=
			     1e-6 + value * 1e-12);
}

static void check(const struct plug_status *status, size_t length)
{
	check_field(&status->id, length);
	check_field(&status->apower, length);
	check_field(&status->total_wh, length);
	fuzz_require(status->member_count <= MEMBERS_MAX);
	for (size_t at = 0; at < status->member_count; at++) {
		const struct plug_member *member = &status->members[at];

		check_field(&member->watts, length);
		fuzz_require(strlen(member->id) > 0 &&
			     strlen(member->id) < NAME_BYTES);
		fuzz_require(strlen(member->name) < NAME_BYTES);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct plug_status status;
	struct sl_error error = { .message = "" };
	enum plug_kind kind;
	char *text;

	if (size == 0)
		return 0;
	kind = data[0] & 1 ? PLUG_REDFISH : PLUG_SHELLY;
	text = fuzz_copy(data + 1, size - 1);
	if (plug_status_parse(&status, kind, text, size - 1, &error) == SL_OK)
		check(&status, size - 1);
	else
		fuzz_require(error.message[0] != '\0');
	free(text);
	return 0;
}
