/* SPDX-License-Identifier: MIT */
/* What writers and readers of counter files share: names, and how a process is
 * told from another one that was given the same id later. */
#include "energy/counter_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_word(const char *text, size_t size)
{
	size_t length = strnlen(text, size);

	if (length == size)
		return false;
	for (size_t at = 0; at < length; at++) {
		if (text[at] <= ' ' || text[at] > '~' ||
		    strchr("/\",:", text[at]))
			return false;
	}
	return true;
}

static bool is_letter(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

bool counter_name_ok(const char *text, size_t size)
{
	return is_letter(text[0]) && is_word(text, size);
}

bool counter_unit_ok(const char *text, size_t size)
{
	return is_word(text, size);
}

/* Read the start of a small file as text. @return its length; 0: none. */
static size_t read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	text[0] = '\0';
	if (fd < 0)
		return 0;
	got = read(fd, text, size - 1);
	close(fd);
	if (got < 0)
		return 0;
	text[got] = '\0';
	return (size_t)got;
}

uint64_t counter_process_started(pid_t pid)
{
	char path[64], text[1024];
	const char *at;

	(void)snprintf(path, sizeof(path), "/proc/%ld/stat", (long)pid);
	if (!read_text(path, text, sizeof(text)))
		return 0;
	/* Field 2 is the program's name in parentheses, with anything in it:
	 * field 3 starts behind the last one. */
	at = strrchr(text, ')');
	for (int field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	return at ? strtoull(at + 1, NULL, 10) : 0;
}

static int digit_of(char byte)
{
	if (byte >= '0' && byte <= '9')
		return byte - '0';
	if (byte >= 'a' && byte <= 'f')
		return byte - 'a' + 10;
	return -1;
}

void counter_boot_id(uint8_t boot[16])
{
	char text[64];
	size_t length = read_text("/proc/sys/kernel/random/boot_id", text,
				  sizeof(text));
	size_t digits = 0;

	memset(boot, 0, 16);
	for (size_t at = 0; at < length && digits < 32; at++) {
		int digit = digit_of(text[at]);

		if (digit < 0)
			continue;
		boot[digits / 2] = (uint8_t)(boot[digits / 2] << 4 | digit);
		digits++;
	}
}
