/* SPDX-License-Identifier: MIT */
/* shout: work counters from Objective-C. Copies a text in capitals, and counts
 * its lines and bytes while it does.
 *
 *     ./shout < text
 *
 * The header is C's; a class around it gives names and exceptions. Only the
 * language's own runtime is needed, no framework.
 *
 * Build (gobjc in Debian):
 *     gcc -std=gnu17 -fobjc-exceptions -o shout shout.m \
 *         $(pkg-config --cflags --libs sluice) -lobjc
 */
#include <ctype.h>
#include <objc/objc.h>
#include <objc/runtime.h>
#include <stdio.h>
#include <stdlib.h>

#include "sluice/counter.h"

/* What every class here can do. */
__attribute__((objc_root_class))
@interface Root {
	Class isa;
}
+ (id)alloc;
- (void)free;
@end

@implementation Root
+ (id)alloc
{
	return class_createInstance(self, 0);
}
- (void)free
{
	object_dispose(self);
}
@end

/* What libsluice says is wrong; thrown. */
@interface SluiceError : Root {
@public
	struct sl_error error;
}
- (const char *)message;
@end

@implementation SluiceError
- (const char *)message
{
	return error.message;
}
@end

/* Counters of this program, from any thread. */
@interface Counters : Root {
	struct sl_counters *counters;
}
- (id)initForProgram:(const char *)program
	 definitions:(const struct sl_counter_def *)definitions
	       count:(size_t)count;
- (void)add:(uint64_t)amount to:(size_t)index;
- (void)set:(size_t)index toDouble:(double)value;
@end

@implementation Counters
- (id)initForProgram:(const char *)program
	 definitions:(const struct sl_counter_def *)definitions
	       count:(size_t)count
{
	SluiceError *failure = [SluiceError alloc];

	if (sl_counters_create(&counters, program, definitions, count,
			       &failure->error) != SL_OK) {
		[self free];
		@throw failure;
	}
	[failure free];
	return self;
}
- (void)add:(uint64_t)amount to:(size_t)index
{
	sl_counter_add(counters, index, amount);
}
- (void)set:(size_t)index toDouble:(double)value
{
	sl_counter_set_double(counters, index, value);
}
- (void)free
{
	sl_counters_destroy(counters);
	[super free];
}
@end

enum { LINES, BYTES, MEAN_LINE, COUNTERS };

static const struct sl_counter_def definitions[COUNTERS] = {
	[LINES] = { .name = "lines", .unit = "line" },
	[BYTES] = { .name = "bytes", .unit = "B" },
	[MEAN_LINE] = { .name = "mean_line", .unit = "B" },
};

static void shout(Counters *counters)
{
	uint64_t lines = 0, bytes = 0;
	size_t room = 0;
	char *line = NULL;
	ssize_t length;

	while ((length = getline(&line, &room, stdin)) > 0) {
		lines += 1;
		bytes += (uint64_t)length;
		[counters add:1 to:LINES];
		[counters add:(uint64_t)length to:BYTES];
		[counters set:MEAN_LINE
		     toDouble:(double)bytes / (double)lines];
		for (ssize_t at = 0; at < length; at++)
			line[at] = (char)toupper((unsigned char)line[at]);
		fwrite(line, 1, (size_t)length, stdout);
		fflush(stdout);
	}
	free(line);
}

int main(void)
{
	@try {
		Counters *counters =
			[[Counters alloc] initForProgram:"shout"
					     definitions:definitions
						   count:COUNTERS];
		shout(counters);
		[counters free];
	} @catch (SluiceError *failure) {
		fprintf(stderr, "shout: %s\n", [failure message]);
		[failure free];
		return EXIT_FAILURE;
	}
	return EXIT_SUCCESS;
}
