/* SPDX-License-Identifier: MIT */
/* powercheck calibrate: teach the meter cpu_model by another meter. */
#include "power/calibrate.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "powercheck.h"

static const char help[] =
	"usage: powercheck calibrate --meter METER [OPTION]... [FILE]\n"
	"\n"
	"Keep more and more CPUs busy, read METER, and write the calibration "
	"of "
	"the meter\ncpu_model to FILE; without one to "
	"~/.config/sluice/cpu_model.conf, where\npowercheck finds it.\n"
	"\n"
	"  --meter METER  NAME:OPTION=VALUE,...; may be repeated; no model\n"
	"  --settle 5     seconds before each load is measured\n"
	"  --window 15    seconds of each load\n"
	"  --root DIR     look for /sys and /proc there\n"
	"\n"
	"exit: 0 written, 1 failed, 2 usage, 129/130/143 by signal\n";

/** What was asked for. */
struct wish {
	struct meter_choice meters;
	double settle_s, window_s;
	const char *file; /* NULL: the user's own */
};

static void show(void *context, unsigned threads,
		 const struct sl_load_point *point)
{
	(void)context;
	printf("%u busy threads: CPUs %.1f %% busy, %.4g W\n", threads,
	       100 * point->busy, point->watts);
	fflush(stdout);
}

/* Make the folders of @p path, which is changed and restored. */
static void make_folders(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0777); /* if it cannot be, opening will say so */
		*slash = '/';
	}
}

static bool write_file(const char *path, const struct sl_buffer *text)
{
	FILE *file = fopen(path, "we");
	bool written;

	if (!file)
		return false;
	written = fwrite(text->data, 1, text->used, file) == text->used;
	return fclose(file) == 0 && written;
}

static int save(const struct wish *wish, const struct sl_buffer *text)
{
	char own[4096];
	const char *path = wish->file;
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (!path) {
		snprintf(own, sizeof(own), "%s%s/sluice/cpu_model.conf",
			 config && *config ? config : (home ? home : ""),
			 config && *config ? "" : "/.config");
		make_folders(own);
		path = own;
	}
	if (!write_file(path, text)) {
		powercheck_say("cannot write %s: %s", path, strerror(errno));
		return EXIT_NONE;
	}
	printf("written: %s\n", path);
	return EXIT_FIGURE;
}

static int calibrate(const struct wish *wish, int cancel_fd)
{
	struct sl_load_point points[SL_LOADS_MAX];
	struct sl_buffer text = { NULL, 0, 0 };
	struct sl_error error = { .code = SL_OK };
	struct sl_energy *energy = NULL;
	struct sl_curve curve;
	double relative = 0;
	size_t count = 0;
	int result = EXIT_NONE;
	enum sl_code code = powercheck_open(&wish->meters, &energy, &error);

	if (code == SL_OK)
		code = sl_energy_start(energy, 0, &error);
	if (code == SL_OK)
		code = sl_loads_measure(energy, wish->meters.root,
					wish->settle_s, wish->window_s,
					cancel_fd, show, NULL, points, &count,
					&relative, &error);
	if (code == SL_OK)
		code = sl_curve_fit(points, count, relative, &curve, &error);
	if (code == SL_OK)
		code = sl_curve_text(&curve, points, count, &text, &error);
	if (code == SL_OK)
		result = save(wish, &text);
	else
		powercheck_say("%s", error.message);
	if (code == SL_ESTOPPED)
		result = powercheck_caught(cancel_fd);
	sl_energy_destroy(energy);
	free(text.data);
	return powercheck_end(result);
}

/* @return -1: go on. */
static int take(struct wish *wish, int chosen)
{
	switch (chosen) {
	case 'm':
		if (wish->meters.count == METERS_MAX)
			return powercheck_misused("too many meters");
		wish->meters.texts[wish->meters.count++] = optarg;
		return -1;
	case 'r':
		wish->meters.root = optarg;
		return -1;
	case 's':
	case 'w':
		if (powercheck_number(optarg, 0, 3600,
				      chosen == 's' ? &wish->settle_s
						    : &wish->window_s))
			return -1;
		return powercheck_misused("a number from 0 to 3600, not \"%s\"",
					  optarg);
	case 'h':
		fputs(help, stdout);
		return powercheck_end(EXIT_FIGURE);
	default:
		return powercheck_misused("calibrate: see its --help");
	}
}

int powercheck_calibrate(int argc, char **argv)
{
	static const struct option table[] = {
		{ "meter", required_argument, NULL, 'm' },
		{ "root", required_argument, NULL, 'r' },
		{ "settle", required_argument, NULL, 's' },
		{ "window", required_argument, NULL, 'w' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	struct wish wish = { .meters = { .root = "/" },
			     .settle_s = 5,
			     .window_s = 15 };
	int chosen, code = -1, cancel_fd;

	while (code < 0 &&
	       (chosen = getopt_long(argc, argv, "h", table, NULL)) != -1)
		code = take(&wish, chosen);
	if (code >= 0)
		return code;
	if (argc - optind > 1 || !wish.meters.count)
		return powercheck_misused("calibrate takes --meter and one "
					  "file");
	wish.file = argv[optind];
	cancel_fd = powercheck_catch();
	if (cancel_fd < 0) {
		powercheck_say("cannot wait for signals: %s", strerror(errno));
		return EXIT_NONE;
	}
	code = calibrate(&wish, cancel_fd);
	close(cancel_fd);
	return code;
}
