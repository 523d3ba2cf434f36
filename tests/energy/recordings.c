/* SPDX-License-Identifier: MIT */
#include "energy/recordings.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "energy/files.h"
#include "energy/near.h"

const char *recording(const char *path)
{
	const char *corpus = getenv("SLUICE_CORPUS");

	if (!corpus || !*corpus) {
		print_message("SLUICE_CORPUS is not set\n");
		skip();
	}
	return path_of(corpus, path);
}

/* ---- powertop's ------------------------------------------------------- */

static void decode(const char *text, char *out, size_t size)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";
	uint32_t bits = 0;
	unsigned held = 0;
	size_t used = 0;

	for (; *text && *text != '='; text++) {
		const char *digit = strchr(digits, *text);

		if (!digit || used + 1 >= size)
			break;
		bits = bits << 6 | (uint32_t)(digit - digits);
		held += 6;
		if (held >= 8) {
			held -= 8;
			out[used++] = (char)(bits >> held & 0xff);
		}
	}
	out[used] = '\0';
}

struct player play(const char *path)
{
	struct player player = { .file = fopen(path, "r") };

	assert_non_null(player.file);
	return player;
}

/* The next reading. @return whether there is one. */
static bool next_reading(struct player *player, char path[1024],
			 char content[2048])
{
	while (fgets(player->line, sizeof(player->line), player->file)) {
		char text[2048] = "";
		char kind;

		if (sscanf(player->line, "%c %1023s %2047s", &kind, path,
			   text) < 2 ||
		    kind != 'R')
			continue;
		decode(text, content, 2048);
		return true;
	}
	return false;
}

bool play_until(struct player *player, const char *root, const char *name,
		int reads)
{
	char path[1024], content[2048];

	while (next_reading(player, path, content)) {
		put(root, path + 1, content);
		if (strlen(path) >= strlen(name) &&
		    strcmp(path + strlen(path) - strlen(name), name) == 0 &&
		    --reads == 0)
			return true;
	}
	return false;
}

void play_all(const char *root, const char *path)
{
	struct player player = play(recording(path));

	play_until(&player, root, "never", 1);
	fclose(player.file);
}

void play_turn(const char *root, const char *path, int turn)
{
	struct player player = play(recording(path));
	char last[1024] = "", now[1024], content[2048];
	int times = 0;

	while (next_reading(&player, now, content)) {
		times = strcmp(now, last) == 0 ? times + 1 : 1;
		if (times <= turn)
			put(root, now + 1, content);
		memcpy(last, now, sizeof(last));
	}
	fclose(player.file);
}

/* ---- prometheus' ------------------------------------------------------ */

/* @return what stands behind @p word; NULL: the line does not begin so. */
static char *behind(char *line, const char *word)
{
	size_t length = strlen(word);

	line[strcspn(line, "\n")] = '\0';
	return strncmp(line, word, length) == 0 ? line + length : NULL;
}

/* A file without a newline at its end has "EOF" there. */
static void copy_lines(FILE *archive, long lines, const char *root,
		       const char *path)
{
	static char line[1 << 16], text[1 << 18];
	size_t used = 0;

	while (lines-- > 0 && fgets(line, sizeof(line), archive)) {
		size_t length = strlen(line);

		if (lines == 0 && length >= 4 &&
		    strcmp(line + length - 4, "EOF\n") == 0)
			length -= 4;
		assert_true(used + length < sizeof(text));
		memcpy(text + used, line, length);
		used += length;
	}
	if (path)
		put_bytes(root, path, text, used);
}

void unpack(const char *root, const char *path, const char *what)
{
	static const char top[] = "fixtures/";
	FILE *archive = fopen(recording(path), "r");
	char line[4096], name[4096];
	const char *wanted = NULL;

	assert_non_null(archive);
	while (fgets(line, sizeof(line), archive)) {
		const char *text = behind(line, "Path: ");

		if (text) {
			snprintf(name, sizeof(name), "%s", text);
			wanted = name + strlen(top);
			if (strncmp(name, top, strlen(top)) != 0 ||
			    strncmp(wanted, what, strlen(what)) != 0)
				wanted = NULL;
		} else if ((text = behind(line, "Lines: "))) {
			copy_lines(archive, strtol(text, NULL, 10), root,
				   wanted);
		} else if ((text = behind(line, "SymlinkTo: ")) && wanted) {
			put_link(root, wanted, text);
		}
	}
	fclose(archive);
}
