/* SPDX-License-Identifier: MIT */
/** @file
 * Recordings of machines that other projects made, from the corpus of the
 * tests. They are looked for in $SLUICE_CORPUS; without it the test that asks
 * for one is skipped.
 */
#ifndef TESTS_ENERGY_RECORDINGS_H
#define TESTS_ENERGY_RECORDINGS_H

#include <stdbool.h>
#include <stdio.h>

/** @return its path; borrowed as path_of()'s. */
const char *recording(const char *path);

/** A recording of powertop's that is played, line by line: "R PATH BASE64",
 * "N PATH", ... */
struct player {
	FILE *file;
	char line[4096];
};

struct player play(const char *path);

/** Do to the tree what the recording says, up to and with the @p reads-th
 * reading of a file whose path ends in @p name. @return whether it came. */
bool play_until(struct player *player, const char *root, const char *name,
		int reads);
void play_all(const char *root, const char *path);
/** Of several readings of a file that follow each other take the @p turn-th,
 * from 1. */
void play_turn(const char *root, const char *path, int turn);

/** Make the files and links of a text archive of prometheus/procfs ("Path:",
 * "Lines:") whose names begin with "fixtures/" and @p what, in the tree, where
 * they begin with @p what. */
void unpack(const char *root, const char *path, const char *what);

#endif
