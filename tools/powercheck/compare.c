/* SPDX-License-Identifier: MIT */
/* powercheck compare: two reports against each other. */
#include "power/compare.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "powercheck.h"

static const char help[] =
	"usage: powercheck compare [--anyway] A.xml B.xml\n"
	"\n"
	"Say how much faster B is than A, at how much of the power, with how "
	"much of the\nenergy, each with its 95 % interval and whether it can "
	"be told from 1.\n"
	"\n"
	"  --anyway  though they were measured under different conditions, or "
	"otherwise: window,\n            settle, repeats, meter and its "
	"options, "
	"unit of work\n"
	"\n"
	"exit: 0 compared, 1 refused or not readable, 2 usage\n";

static bool read_report(struct sl_summary *summary, const char *path)
{
	struct sl_error error = { .code = SL_OK };

	if (sl_summary_read(summary, path, &error) != SL_OK) {
		if (error.input[0])
			powercheck_say("%s:%ld: %s", error.input,
				       (long)error.input_line, error.message);
		else
			powercheck_say("%s", error.message);
		return false;
	}
	if (!summary->runs) {
		powercheck_say("%s has no figures: %s%s%s", path,
			       summary->outcome, summary->reason[0] ? ": " : "",
			       summary->reason);
		return false;
	}
	return true;
}

static void print_ratio(const char *label, const struct sl_figure *ratio,
			bool estimate)
{
	if (!ratio->valid) {
		printf("%-18s no figure in one of the two\n", label);
		return;
	}
	printf("%-18s %.4g, 95 %%: %.4g to %.4g, %s%s\n", label, ratio->value,
	       ratio->low, ratio->high,
	       sl_distinguishable(ratio) ? "distinguishable"
					 : "not distinguishable from 1",
	       estimate ? " (estimate)" : "");
}

static void print_words(const struct sl_comparison *found)
{
	if (!found->speedup.valid || !found->power.valid ||
	    !found->energy.valid)
		return;
	printf("B is %.2fx as fast as A, at %.2fx the power: %.2f of the "
	       "energy%s\n",
	       found->speedup.value, found->power.value, found->energy.value,
	       found->estimate ? " (estimate)" : "");
}

static void print_times(const struct sl_comparison *found)
{
	print_ratio("speed, B by A", &found->speedup, false);
	print_ratio("energy, B by A", &found->energy, found->estimate);
	print_ratio("net energy", &found->net_energy, found->estimate);
}

static int compare(const char *const *paths, bool anyway)
{
	struct sl_summary a, b;
	struct sl_comparison found;

	if (!read_report(&a, paths[0]) || !read_report(&b, paths[1]))
		return EXIT_NONE;
	sl_compare(&a, &b, &found);
	if (found.differ[0]) {
		powercheck_say("the conditions or settings differ%s: %s",
			       anyway ? ""
				      : " (--anyway compares all the same)",
			       found.differ);
		if (!anyway)
			return EXIT_NONE;
	}
	print_words(&found);
	if (!a.whole || !b.whole)
		puts("windows, not whole runs: times and energies are not "
		     "compared");
	else
		print_times(&found);
	print_ratio("power, B by A", &found.power, found.estimate);
	print_ratio("net power", &found.net_power, found.estimate);
	if (a.work_per_j.valid || b.work_per_j.valid)
		print_ratio("efficiency", &found.work_per_j, found.estimate);
	return found.power.valid ? EXIT_FIGURE : EXIT_NONE;
}

int powercheck_compare(int argc, char **argv)
{
	static const struct option table[] = {
		{ "anyway", no_argument, NULL, 'a' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	bool anyway = false;
	int chosen;

	while ((chosen = getopt_long(argc, argv, "h", table, NULL)) != -1) {
		if (chosen == 'h') {
			fputs(help, stdout);
			return powercheck_end(EXIT_FIGURE);
		}
		if (chosen != 'a')
			return powercheck_misused("compare: see its --help");
		anyway = true;
	}
	if (argc - optind != 2)
		return powercheck_misused("compare takes two reports");
	const char *paths[] = { argv[optind], argv[optind + 1] };

	return powercheck_end(compare(paths, anyway));
}
