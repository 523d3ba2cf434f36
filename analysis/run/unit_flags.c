/* SPDX-License-Identifier: MIT */
/* Which option is which. Of several rows that fit, the longest holds. */
#include "run/unit_flags.h"

#include <string.h>

enum form {
	ALONE, /* exactly so */
	JOINED, /* the value, if any, stands behind it */
	SEPARATE, /* the value is the next word */
	EITHER, /* joined or, if nothing is behind it, the next word */
};

struct row {
	const char *name;
	enum form form;
	enum sg_flag_kind kind;
	bool path;
};

#define OUTPUT(name, form) \
	{ \
		name, form, SG_FLAG_OUTPUT, false \
	}
#define MEANING(name, form) \
	{ \
		name, form, SG_FLAG_MEANING, false \
	}
#define MEANING_PATH(name, form) \
	{ \
		name, form, SG_FLAG_MEANING, true \
	}
#define OWN(name, form) \
	{ \
		name, form, SG_FLAG_OWN, false \
	}
#define OWN_PATH(name, form) \
	{ \
		name, form, SG_FLAG_OWN, true \
	}

/* Most words of most commands; no other row begins with their letters. */
static const struct row common[] = {
	MEANING("-D", EITHER),
	MEANING("-U", EITHER),
	MEANING_PATH("-I", EITHER),
};

/* What is not here is of its family alone, without a value. */
static const struct row rows[] = {
	/* The kind of output, and its files. */
	OUTPUT("-o", EITHER),
	OUTPUT("-c", ALONE),
	OUTPUT("-S", ALONE),
	OUTPUT("-E", ALONE),
	OUTPUT("-fsyntax-only", ALONE),
	OUTPUT("-emit-llvm", ALONE),
	OUTPUT("-pipe", ALONE),
	OUTPUT("--", ALONE),
	OUTPUT("-g", JOINED),
	OUTPUT("-save-temps", JOINED),
	OUTPUT("--save-temps", JOINED),
	OUTPUT("-aux-info", SEPARATE),
	OUTPUT("-d", JOINED), /* dumps of all kinds */
	OUTPUT("-dumpbase", SEPARATE),
	OUTPUT("-dumpbase-ext", SEPARATE),
	OUTPUT("-dumpdir", SEPARATE),
	OUTPUT("-fdump-", JOINED),
	OUTPUT("-fstack-usage", ALONE),
	OUTPUT("-fcallgraph-info", JOINED),
	OUTPUT("-fopt-info", JOINED),
	OUTPUT("-fembed-bitcode", JOINED),
	OUTPUT("-wrapper", SEPARATE),
	/* Counters, which would be written beside the object. */
	OUTPUT("--coverage", ALONE),
	OUTPUT("-coverage", ALONE),
	OUTPUT("-ftest-coverage", ALONE),
	OUTPUT("-fprofile-arcs", ALONE),
	OUTPUT("-fprofile-generate", JOINED),
	/* Dependencies. */
	OUTPUT("-M", ALONE),
	OUTPUT("-MM", ALONE),
	OUTPUT("-MD", ALONE),
	OUTPUT("-MMD", ALONE),
	OUTPUT("-MP", ALONE),
	OUTPUT("-MG", ALONE),
	OUTPUT("-MV", ALONE),
	OUTPUT("-MF", EITHER),
	OUTPUT("-MT", EITHER),
	OUTPUT("-MQ", EITHER),
	OUTPUT("-MJ", EITHER),
	OUTPUT("-Wp,-M", JOINED),
	/* How it speaks. */
	OUTPUT("-w", ALONE),
	OUTPUT("-Werror", ALONE),
	OUTPUT("-Werror=", JOINED),
	OUTPUT("-fdiagnostics-", JOINED),
	OUTPUT("-fno-diagnostics-", JOINED),
	OUTPUT("-fcolor-diagnostics", ALONE),
	OUTPUT("-fno-color-diagnostics", ALONE),
	OUTPUT("-fansi-escape-codes", ALONE),
	OUTPUT("-fmessage-length=", JOINED),
	OUTPUT("-serialize-diagnostics", SEPARATE),
	OUTPUT("--serialize-diagnostics", SEPARATE),
	OUTPUT("-v", ALONE),
	OUTPUT("--verbose", ALONE),
	OUTPUT("-###", ALONE),
	OUTPUT("-H", ALONE),
	OUTPUT("-Q", ALONE),
	OUTPUT("-time", JOINED),
	OUTPUT("-ftime-report", JOINED),
	OUTPUT("-ftime-trace", JOINED),
	OUTPUT("-fmem-report", JOINED),
	/* Linking. */
	OUTPUT("-L", EITHER),
	OUTPUT("-l", EITHER),
	OUTPUT("-T", EITHER),
	OUTPUT("-u", EITHER),
	OUTPUT("-z", EITHER),
	OUTPUT("-s", ALONE),
	OUTPUT("-r", ALONE),
	OUTPUT("-pie", ALONE),
	OUTPUT("-no-pie", ALONE),
	OUTPUT("-static", JOINED),
	OUTPUT("-shared", JOINED),
	OUTPUT("-rdynamic", ALONE),
	OUTPUT("-nostdlib", ALONE),
	OUTPUT("-nodefaultlibs", ALONE),
	OUTPUT("-nostartfiles", ALONE),
	OUTPUT("-framework", SEPARATE),
	OUTPUT("-Wl,", JOINED),
	OUTPUT("-Wa,", JOINED),
	OUTPUT("-Xlinker", SEPARATE),
	OUTPUT("-Xassembler", SEPARATE),
	OUTPUT("-fuse-ld=", JOINED),
	OUTPUT("-flto", JOINED),
	OUTPUT("-fno-lto", ALONE),
	OUTPUT("-ffat-lto-objects", ALONE),
	OUTPUT("-fno-fat-lto-objects", ALONE),
	OUTPUT("-fwhole-program", ALONE),
	/* A precompiled header is not in the exported tree; its text is
	 * included beside it. */
	OUTPUT("-include-pch", SEPARATE),
	OUTPUT("-Winvalid-pch", ALONE),

	/* What the text means. */
	{ "-x", EITHER, SG_FLAG_LANGUAGE, false },
	MEANING_PATH("-isystem", EITHER),
	MEANING_PATH("-iquote", EITHER),
	MEANING_PATH("-idirafter", EITHER),
	MEANING_PATH("-include", EITHER),
	MEANING_PATH("-imacros", EITHER),
	MEANING_PATH("--include", SEPARATE),
	MEANING_PATH("--include=", JOINED),
	MEANING_PATH("--imacros", SEPARATE),
	MEANING_PATH("--imacros=", JOINED),
	MEANING_PATH("-isysroot", EITHER),
	MEANING_PATH("-iprefix", EITHER),
	MEANING("-iwithprefix", EITHER),
	MEANING("-iwithprefixbefore", EITHER),
	MEANING_PATH("--sysroot", SEPARATE),
	MEANING_PATH("--sysroot=", JOINED),
	MEANING_PATH("@", JOINED),
	MEANING("-std=", JOINED),
	MEANING("--std=", JOINED),
	MEANING("-ansi", ALONE),
	MEANING("-undef", ALONE),
	MEANING("-trigraphs", ALONE),
	MEANING("-O", JOINED),
	MEANING("-m", JOINED),
	MEANING("-pthread", ALONE),
	MEANING("-nostdinc", ALONE),
	MEANING("-nostdinc++", ALONE),
	MEANING("-fopenmp", ALONE),
	MEANING("-ffreestanding", ALONE),
	MEANING("-fhosted", ALONE),
	MEANING("-fbuiltin", ALONE),
	MEANING("-fno-builtin", ALONE),
	MEANING("-fsigned-char", ALONE),
	MEANING("-fno-signed-char", ALONE),
	MEANING("-funsigned-char", ALONE),
	MEANING("-fno-unsigned-char", ALONE),
	MEANING("-fshort-enums", ALONE),
	MEANING("-fshort-wchar", ALONE),
	MEANING("-fms-extensions", ALONE),
	MEANING("-fgnu89-inline", ALONE),
	MEANING("-fwrapv", ALONE),
	MEANING("-fexceptions", ALONE),
	MEANING("-fno-exceptions", ALONE),
	MEANING("-frtti", ALONE),
	MEANING("-fno-rtti", ALONE),
	MEANING("-fpic", ALONE),
	MEANING("-fPIC", ALONE),
	MEANING("-fpie", ALONE),
	MEANING("-fPIE", ALONE),
	MEANING("-fno-strict-aliasing", ALONE),
	MEANING("-fdollars-in-identifiers", ALONE),

	/* gcc's alone, though they begin as others' do. */
	OWN("-maccumulate-outgoing-args", ALONE),
	OWN("-mno-accumulate-outgoing-args", ALONE),
	OWN("-mfunction-return=", JOINED),
	OWN("-mindirect-branch", JOINED),
	OWN("-mno-fp-ret-in-387", ALONE),
	OWN("-mpreferred-stack-boundary=", JOINED),
	OWN("-mrecord-mcount", ALONE),
	OWN("-mskip-rax-setup", ALONE),
	/* The family's, with a value. */
	OWN("-A", EITHER),
	OWN_PATH("-B", EITHER),
	OWN_PATH("-F", EITHER),
	OWN("-Xpreprocessor", SEPARATE),
	OWN("-Xclang", SEPARATE),
	OWN("-Xanalyzer", SEPARATE),
	OWN("-mllvm", SEPARATE),
	OWN("-target", SEPARATE),
	OWN("-arch", SEPARATE),
	OWN("--param", SEPARATE),
	OWN("--param=", JOINED),
	OWN_PATH("-resource-dir", SEPARATE),
	OWN_PATH("-gcc-toolchain", SEPARATE),
	OWN_PATH("--gcc-toolchain=", JOINED),
	OWN_PATH("-cxx-isystem", EITHER),
	OWN_PATH("-ivfsoverlay", SEPARATE),
	OWN_PATH("-fplugin=", JOINED),
	OWN_PATH("-specs=", JOINED),
	OWN_PATH("-fprofile-use=", JOINED),
	OWN_PATH("-fprofile-instr-use=", JOINED),
	OWN_PATH("-fsanitize-blacklist=", JOINED),
	OWN_PATH("-fsanitize-ignorelist=", JOINED),
};

static bool fits(const struct row *row, size_t length, const char *word)
{
	if (strncmp(word, row->name, length) != 0)
		return false;
	return row->form == JOINED || row->form == EITHER || !word[length];
}

static const struct row *find_row(const char *word)
{
	const struct row *longest = NULL;
	size_t best = 0;

	for (size_t at = 0; at < sizeof(common) / sizeof(common[0]); at++)
		if (word[0] == '-' && word[1] == common[at].name[1])
			return &common[at];
	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++) {
		const char *name = rows[at].name;
		size_t length;

		/* most are told apart by their second letter */
		if (name[0] != word[0] || (name[1] && name[1] != word[1]))
			continue;
		length = strlen(name);
		if (length > best && fits(&rows[at], length, word)) {
			longest = &rows[at];
			best = length;
		}
	}
	return longest;
}

/* @return whether the words are -Xclang NAME -Xclang VALUE. */
static bool is_pair(const char *const *words, const char *name)
{
	return strcmp(words[0], "-Xclang") == 0 && words[1] &&
	       strcmp(words[1], name) == 0 && words[2] &&
	       strcmp(words[2], "-Xclang") == 0 && words[3];
}

static bool take_pair(const char *const **words, struct sg_flag *flag)
{
	static const char *const names[] = { "-include", "-include-pch" };

	for (size_t at = 0; at < 2; at++) {
		if (!is_pair(*words, names[at]))
			continue;
		*flag = (struct sg_flag){
			.kind = at ? SG_FLAG_OUTPUT : SG_FLAG_MEANING,
			.name = names[at],
			.value = (*words)[3],
			.word = names[at],
			.separate = true,
			.path = true,
		};
		*words += 4;
		return true;
	}
	return false;
}

void sg_flag_next(const char *const **words, struct sg_flag *flag)
{
	const char *word = **words;
	const struct row *row;

	if (take_pair(words, flag))
		return;
	(*words)++;
	*flag = (struct sg_flag){ .name = word, .word = word };
	row = find_row(word);
	if (!row && (word[0] != '-' || !word[1])) {
		flag->name = "";
		flag->value = word;
		flag->path = true;
		return;
	}
	flag->kind = row ? row->kind : SG_FLAG_OWN;
	if (!row)
		return;
	flag->name = row->name;
	flag->path = row->path;
	word += strlen(row->name);
	if (row->form == JOINED || (row->form == EITHER && *word)) {
		flag->value = word;
	} else if (row->form != ALONE && **words) {
		flag->value = *(*words)++;
		flag->separate = true;
	}
}
