/* SPDX-License-Identifier: MIT */
/* powercheck meters: which meters this machine has, how good they are, and why
 * others cannot be used. And how all commands open meters. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "powercheck.h"

static const char help[] =
	"usage: powercheck meters [--root DIR] [--meter METER]...\n"
	"\n"
	"List the meters of this machine and their domains: quality, update "
	"period,\naccuracy, whether a domain is added to the sum; and why "
	"others cannot be used.\n"
	"\n"
	"  --meter METER  one as powercheck takes it, NAME:OPTION=VALUE,...\n"
	"  --root DIR     look for /sys and /proc there\n"
	"\n"
	"exit: 0 something can be measured, 1 nothing, 2 usage\n";

enum { TEXT_ROOM = 2 * 4096 };

/* Those that find out by themselves what there is. The model needs to be told,
 * and stands aside where something measures. */
static const char *const own[] = { "rapl", "hwmon", "battery" };
static const char model[] = "cpu_model";

enum { OWN = sizeof(own) / sizeof(own[0]) };

static bool has_option(const char *text, const char *option)
{
	const char *options = strchr(text, ':');
	const char *found = options ? strstr(options, option) : NULL;

	return found && (found[-1] == ':' || found[-1] == ',');
}

static bool is_named(const char *text, const char *name)
{
	size_t length = strlen(name);

	return strncmp(text, name, length) == 0 &&
	       (text[length] == ':' || !text[length]);
}

static bool takes_root(const char *text)
{
	for (size_t at = 0; at < OWN; at++)
		if (is_named(text, own[at]))
			return true;
	return is_named(text, model);
}

static void add_option(char text[TEXT_ROOM], const char *option,
		       const char *value)
{
	size_t used = strlen(text);

	snprintf(text + used, TEXT_ROOM - used, "%s%s\"%s\"",
		 strchr(text, ':') ? "," : ":", option, value);
}

/* What `powercheck calibrate` writes. */
static bool find_calibration(char *path, size_t size)
{
	const char *config = getenv("XDG_CONFIG_HOME");
	const char *home = getenv("HOME");

	if (config && *config)
		snprintf(path, size, "%s/sluice/cpu_model.conf", config);
	else
		snprintf(path, size, "%s/.config/sluice/cpu_model.conf",
			 home ? home : "");
	return access(path, R_OK) == 0;
}

static enum sl_code open_one(struct sl_energy *energy, const char *wanted,
			     const char *root, struct sl_error *error)
{
	char text[TEXT_ROOM], path[4096];

	if (snprintf(text, sizeof(text), "%s", wanted) >= 4096)
		return SL_FAIL(error, SL_EINVAL, "a meter's text is too long");
	if (is_named(wanted, model) && !has_option(wanted, "busy=") &&
	    !has_option(wanted, "calibration=") &&
	    find_calibration(path, sizeof(path)))
		add_option(text, "calibration=", path);
	if (strcmp(root, "/") != 0 && takes_root(wanted) &&
	    !has_option(wanted, "root=")) {
		if (strlen(root) >= TEXT_ROOM - 4096 - sizeof(",root=\"\""))
			return SL_FAIL(error, SL_EINVAL,
				       "the path of --root is too long");
		add_option(text, "root=", root);
	}
	return sl_energy_open(energy, text, error);
}

static bool is_any_added(const struct sl_energy *energy)
{
	for (size_t at = 0; at < sl_energy_domain_count(energy); at++)
		if (sl_energy_domain(energy, at)->in_sum)
			return true;
	return false;
}

/* Remember why this one cannot be used, too. */
static void note(char *why, size_t size, const struct sl_error *error)
{
	size_t used = strlen(why);

	snprintf(why + used, size - used, "%s%.200s", used ? "; " : "",
		 error->message);
}

static enum sl_code open_found(struct sl_energy *energy, const char *root,
			       char *why, size_t size)
{
	struct sl_error error;

	for (size_t at = 0; at < OWN; at++)
		if (open_one(energy, own[at], root, &error) != SL_OK)
			note(why, size, &error);
	if (!is_any_added(energy) &&
	    open_one(energy, model, root, &error) != SL_OK)
		note(why, size, &error);
	return is_any_added(energy) ? SL_OK : SL_EIO;
}

enum sl_code powercheck_open(const struct meter_choice *choice,
			     struct sl_energy **energy, struct sl_error *error)
{
	char why[480] = "";
	enum sl_code code = sl_energy_create(energy, NULL, error);

	for (size_t at = 0; code == SL_OK && at < choice->count; at++)
		code = open_one(*energy, choice->texts[at], choice->root,
				error);
	if (code == SL_OK && !choice->count &&
	    open_found(*energy, choice->root, why, sizeof(why)) != SL_OK)
		code = SL_FAIL(error, SL_EIO,
			       "no meter can be used (an estimate can be had "
			       "by --meter cpu_model:idle=W,busy=W): %s",
			       why);
	if (code != SL_OK) {
		sl_energy_destroy(*energy);
		*energy = NULL;
	}
	return code;
}

/* ---- the list --------------------------------------------------------- */

static void print_domain(const struct sl_energy_domain *domain)
{
	printf("%-10s %-20.20s %-24.24s %-10s ", domain->meter, domain->id,
	       domain->label, sl_quality_word(domain->quality));
	if (domain->update_s > 0)
		printf("%8.3g ", domain->update_s);
	else
		printf("%8s ", "-");
	if (domain->relative > 0)
		printf("%6.3g%% ", 100 * domain->relative);
	else
		printf("%7s ", "-");
	if (domain->in_sum)
		puts("counted");
	else if (domain->usable)
		printf("aside: %s\n", domain->aside ? domain->aside : "");
	else
		printf("unusable: %s\n", domain->unusable);
}

static void print_all(const struct sl_energy *energy)
{
	if (sl_energy_domain_count(energy))
		printf("%-10s %-20s %-24s %-10s %8s %7s %s\n", "meter",
		       "domain", "label", "quality", "update s", "+-", "use");
	for (size_t at = 0; at < sl_energy_domain_count(energy); at++)
		print_domain(sl_energy_domain(energy, at));
}

static int list(const struct meter_choice *choice)
{
	static const char *const others[] = { "rapl", "hwmon", "battery",
					      "cpu_model" };
	struct sl_energy *energy;
	struct sl_error error = { .code = SL_OK };
	enum { OTHERS = sizeof(others) / sizeof(others[0]) };
	size_t count = choice->count ? choice->count : OTHERS;
	const char *const *texts = choice->count ? choice->texts : others;
	char why[METERS_MAX][sizeof(error.message)] = { "" };
	bool any;

	if (sl_energy_create(&energy, NULL, &error) != SL_OK) {
		powercheck_say("%s", error.message);
		return EXIT_NONE;
	}
	for (size_t at = 0; at < count; at++)
		if (open_one(energy, texts[at], choice->root, &error) != SL_OK)
			memcpy(why[at], error.message, sizeof(why[at]));
	print_all(energy);
	for (size_t at = 0; at < count; at++)
		if (why[at][0])
			printf("unusable: %s\n", why[at]);
	if (!choice->count)
		puts("replay, and others that must be told where: by --meter "
		     "NAME:OPTION=VALUE");
	any = is_any_added(energy);
	sl_energy_destroy(energy);
	return any ? EXIT_FIGURE : EXIT_NONE;
}

int powercheck_meters(int argc, char **argv)
{
	static const struct option table[] = {
		{ "root", required_argument, NULL, 'r' },
		{ "meter", required_argument, NULL, 'm' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	struct meter_choice choice = { .root = "/" };
	int chosen;

	while ((chosen = getopt_long(argc, argv, "h", table, NULL)) != -1) {
		if (chosen == 'h') {
			fputs(help, stdout);
			return powercheck_end(EXIT_FIGURE);
		}
		if (chosen == 'r')
			choice.root = optarg;
		else if (chosen == 'm' && choice.count < METERS_MAX)
			choice.texts[choice.count++] = optarg;
		else
			return powercheck_misused("meters: see its --help");
	}
	if (optind < argc)
		return powercheck_misused("meters takes no \"%s\"",
					  argv[optind]);
	return powercheck_end(list(&choice));
}
