/* SPDX-License-Identifier: MIT */
/* The cases themselves. The verdicts are what a person would say. */
#include "analysis/match/edits.h"

#define POOL "== pool.c\n"
#define LEAK "leak: Memory leak: p"

const struct edit edits[] = {
	{
		.name = "lines are inserted above",
		.before =
			POOL "int f(int *p)\n"
			     "{\n"
			     "	return *p; //! same nullPtr: p is null\n"
			     "}\n",
		.after = POOL "#include <stdio.h>\n"
			      "\n"
			      "int f(int *p)\n"
			      "{\n"
			      "	return *p; //! same 1 nullPtr: p is null\n"
			      "}\n",
		.why = "the diff says where the line is now",
	},
	{
		.name = "the line is indented anew",
		.before =
			POOL "int f(int *p)\n"
			     "{\n"
			     "	return *p; //! same nullPtr: p is null\n"
			     "}\n",
		.after = POOL
		"int f(int *p)\n"
		"{\n"
		"	if (p)\n"
		"		return *p; //! same 3 nullPtr: p is null\n"
		"}\n",
		.why = "white space is no token",
	},
	{
		.name = "a comment is added to the line",
		.before =
			POOL "int f(int *p)\n"
			     "{\n"
			     "	return *p; //! same nullPtr: p is null\n"
			     "}\n",
		.after = POOL "int f(int *p)\n"
			      "{\n"
			      "	return /* why? */ *p; // so //! same 3 "
			      "nullPtr: p is null\n"
			      "}\n",
		.why = "comments are no tokens",
	},
	{
		.name = "the file is renamed",
		.before = "== old.c\n"
			  "int f(int *p)\n"
			  "{\n"
			  "	return *p; //! same nullPtr: p is null\n"
			  "}\n",
		.after = "== new.c\n"
			 "\n"
			 "int f(int *p)\n"
			 "{\n"
			 "	return *p; //! same 1 nullPtr: p is null\n"
			 "}\n",
		.renamed = "old.c>new.c",
		.why = "git tells of the rename, and paths are mapped first",
	},
	{
		.name = "the file is renamed, and git does not see it",
		.before = "== old.c\n"
			  "int f(int *p)\n"
			  "{\n"
			  "	return *p; //! same nullPtr: p is null\n"
			  "}\n",
		.after = "== new.c\n"
			 "int f(int *p)\n"
			 "{\n"
			 "	return *p; //! same 5 nullPtr: p is null\n"
			 "}\n",
		.why = "the same line of the same function, elsewhere",
	},
	{
		.name = "numbers in the message change",
		.before = POOL "char b[40];\n"
			       "void f(void)\n"
			       "{\n"
			       "	b[64] = 0; //! same bounds: index 64 "
			       "of 40, see line 1\n"
			       "}\n",
		.after = POOL "/* more */\n"
			      "char b[48];\n"
			      "void f(void)\n"
			      "{\n"
			      "	b[64] = 0; //! same 1 bounds: index 64 of 48, "
			      "see line 2\n"
			      "}\n",
		.why = "numbers in messages are masked",
	},
	{
		.name = "the code of the line changes",
		.before =
			POOL "int f(int *p)\n"
			     "{\n"
			     "	return *p; //! same nullPtr: p is null\n"
			     "}\n",
		.after = POOL "int f(int *p)\n"
			      "{\n"
			      "	return *p + 1; //! same 4 nullPtr: p is null\n"
			      "}\n",
		.why = "the same words in the same function",
	},
	{
		.name = "the function is renamed",
		.before =
			POOL "int f(int *p)\n"
			     "{\n"
			     "	return *p; //! same nullPtr: p is null\n"
			     "}\n",
		.after = POOL "int first(int *p)\n"
			      "{\n"
			      "	return *p; //! same 2 nullPtr: p is null\n"
			      "}\n",
		.why = "the same words at the same line",
	},
	{
		.name = "the tool words its message anew",
		.before =
			POOL "int f(int *p)\n"
			     "{\n"
			     "	return *p; //! same nullPtr: p is null\n"
			     "}\n",
		.after = POOL "int f(int *p)\n"
			      "{\n"
			      "	return *p; //! same 6 nullPtr: null pointer "
			      "'p'\n"
			      "}\n",
		.why = "the rule and the lines around are the same, once each",
	},
	{
		.name = "an equal line is added",
		.before = POOL "void f(char *p)\n"
			       "{\n"
			       "	p = get(); //! same " LEAK "\n"
			       "	use(p);\n"
			       "	p = get(); //! same " LEAK "\n"
			       "}\n",
		.after = POOL "void f(char *p)\n"
			      "{\n"
			      "	p = get(); //! same 1 " LEAK "\n"
			      "	use(p);\n"
			      "	p = get(); //! same 1 " LEAK "\n"
			      "	use(p, 2);\n"
			      "	p = get(); //! new " LEAK "\n"
			      "}\n",
		.why = "one to one: a third equal one is new",
	},
	{
		.name = "of two equal lines one is removed",
		.before = POOL "void f(char *p)\n"
			       "{\n"
			       "	p = get(); //! fixed " LEAK "\n"
			       "	use(p);\n"
			       "	check(p);\n"
			       "	p = get(); //! same " LEAK "\n"
			       "}\n",
		.after = POOL "void f(char *p)\n"
			      "{\n"
			      "	check(p);\n"
			      "	p = get(); //! same 1 " LEAK "\n"
			      "}\n",
		.why = "the one that the diff left alone stays",
	},
	{
		.name = "two equal findings on one line, one more comes",
		.before =
			POOL "void f(void)\n"
			     "{\n"
			     "	g(a, b); //! same uninit: not set //! same "
			     "uninit: not set\n"
			     "}\n",
		.after = POOL "void f(void)\n"
			      "{\n"
			      "	g(a, b); //! same 1 uninit: not set //! same 1 "
			      "uninit: not set //! new uninit: not set\n"
			      "}\n",
		.why = "findings are counted, not looked up in a set",
	},
	{
		.name = "the function moves within the file",
		.before =
			POOL "int f(int *p)\n"
			     "{\n"
			     "	return *p; //! same nullPtr: p is null\n"
			     "}\n"
			     "int g(int a)\n"
			     "{\n"
			     "	int b = a;\n"
			     "	a += b;\n"
			     "	return a + b;\n"
			     "}\n",
		.after = POOL "int g(int a)\n"
			      "{\n"
			      "	int b = a;\n"
			      "	a += b;\n"
			      "	return a + b;\n"
			      "}\n"
			      "int f(int *p)\n"
			      "{\n"
			      "	return *p; //! same 3 nullPtr: p is null\n"
			      "}\n",
		.why = "the same line of the same function, elsewhere",
	},
	{
		.name = "the function moves to another file",
		.before =
			POOL "int f(int *p)\n"
			     "{\n"
			     "	return *p; //! same nullPtr: p is null\n"
			     "}\n"
			     "int g;\n"
			     "== list.c\n"
			     "int h;\n",
		.after = POOL "int g;\n"
			      "== list.c\n"
			      "int h;\n"
			      "int f(int *p)\n"
			      "{\n"
			      "	return *p; //! same 5 nullPtr: p is null\n"
			      "}\n",
		.why = "the same line of the same function, elsewhere",
	},
	{
		.name = "the function is split, its line stays",
		.before =
			POOL "int f(int *p)\n"
			     "{\n"
			     "	int a = 1;\n"
			     "	return *p + a; //! same nullPtr: p is null\n"
			     "}\n",
		.after = POOL "int f(int *p)\n"
			      "{\n"
			      "	int a = 1;\n"
			      "	return rest(p, a);\n"
			      "}\n"
			      "int rest(int *p, int a)\n"
			      "{\n"
			      "	return *p + a; //! same 2 nullPtr: p is null\n"
			      "}\n",
		.why = "the same words at the same line",
	},
	{
		.name = "the function is split, its line is rewritten",
		.before =
			POOL "int f(int *p)\n"
			     "{\n"
			     "	int a = 1;\n"
			     "	return *p + a; //! fixed nullPtr: p is null\n"
			     "}\n",
		.after = POOL "int value(int *q)\n"
			      "{\n"
			      "	return *q; //! new nullPtr: q is null\n"
			      "}\n"
			      "int f(int *p)\n"
			      "{\n"
			      "	int a = 1;\n"
			      "	return value(p) + a;\n"
			      "}\n",
		.why = "nothing says that it is the same: it is new",
	},
	{
		.name = "the finding is deleted with its line",
		.before = POOL "int f(int *p)\n"
			       "{\n"
			       "	*p = 1; //! fixed nullPtr: p is null\n"
			       "	return 0;\n"
			       "}\n",
		.after = POOL "int f(int *p)\n"
			      "{\n"
			      "	return 0;\n"
			      "}\n",
		.why = "it is gone, and all was analysed",
	},
	{
		.name = "the finding vanishes from a run that is not healthy",
		.before =
			POOL "int f(int *p)\n"
			     "{\n"
			     "	*p = 1; //! unknown nullPtr: p is null\n"
			     "	return 0;\n"
			     "}\n",
		.after = POOL "int f(int *p)\n"
			      "{\n"
			      "	*p = 1;\n"
			      "	return 0;\n"
			      "}\n",
		.unhealthy = true,
		.why = "who has not looked has not fixed",
	},
	{
		.name = "the file is deleted",
		.before =
			POOL "int f(int *p)\n"
			     "{\n"
			     "	return *p; //! fixed nullPtr: p is null\n"
			     "}\n"
			     "== list.c\n"
			     "int h;\n",
		.after = "== list.c\n"
			 "int h;\n",
		.why = "it is gone, and all was analysed",
	},
	{
		.name = "one is fixed, another of the same rule comes beside "
			"it",
		.before = POOL "int f(int *p, int *q)\n"
			       "{\n"
			       "	*p = 1; //! fixed nullPtr: p is null\n"
			       "	return 0;\n"
			       "}\n",
		.after = POOL "int f(int *p, int *q)\n"
			      "{\n"
			      "	*q = 1; //! new nullPtr: q is null\n"
			      "	return 0;\n"
			      "}\n",
		.why = "a fix does not hide a regression: the words differ",
	},
	{
		.name = "the same, and the tool says the same of both",
		.before =
			POOL "int f(int *p, int *q)\n"
			     "{\n"
			     "	*p = 1; //! same nullPtr: null pointer\n"
			     "	return 0;\n"
			     "}\n",
		.after = POOL "int f(int *p, int *q)\n"
			      "{\n"
			      "	*q = 1; //! same 4 nullPtr: null pointer\n"
			      "	return 0;\n"
			      "}\n",
		.why = "a changed line looks the same (seen above): the price",
	},
	{
		.name = "one is fixed, an equal one comes in another function",
		.before =
			POOL "int f(int *p)\n"
			     "{\n"
			     "	return *p; //! fixed nullPtr: p is null\n"
			     "}\n"
			     "int g(int *p)\n"
			     "{\n"
			     "	return 0;\n"
			     "}\n",
		.after = POOL "int f(int *p)\n"
			      "{\n"
			      "	return 0;\n"
			      "}\n"
			      "int g(int *p)\n"
			      "{\n"
			      "	return -*p; //! new nullPtr: p is null\n"
			      "}\n",
		.why = "the functions differ, and no line is the same",
	},
	{
		.name = "the whole file is formatted anew",
		.before =
			POOL "int f(int *p)\n"
			     "{\n"
			     "	*p = 1; //! same nullPtr: p is null\n"
			     "	g(p , 2); //! same args: wrong argument\n"
			     "	g(p , 2); //! same args: wrong argument\n"
			     "}\n",
		.after = POOL "int f(int *p) {\n"
			      "  *p=1; //! same 3 nullPtr: p is null\n"
			      "  g(p, 2); //! same 3 args: wrong argument\n"
			      "  g(p, 2); //! same 3 args: wrong argument\n"
			      " }\n",
		.why = "tokens are the same, in the same order",
	},
	{
		.name = "the whole file is written anew",
		.before =
			POOL "int f(int *p)\n"
			     "{\n"
			     "	return *p; //! same nullPtr: p is null\n"
			     "}\n"
			     "int g(int *p)\n"
			     "{\n"
			     "	return p[1]; //! fixed nullPtr: p is null\n"
			     "}\n",
		.after = POOL "static int twice(int a) { return 2 * a; }\n"
			      "int f(int * p) {\n"
			      "  int a = *p; //! same 4 nullPtr: p is null\n"
			      "  return twice(a); }\n"
			      "int h(int * q) {\n"
			      "  return *q; } //! new nullPtr: q is null\n",
		.why = "only what is said of the same function stays",
	},
	{
		.name = "no source of either revision is at hand",
		.before =
			POOL "int f(int *p)\n"
			     "{\n"
			     "	return *p; //! same nullPtr: p is null\n"
			     "	return *q; //! fixed nullPtr: q is null\n"
			     "}\n",
		.after = POOL "int f(int *p)\n"
			      "{\n"
			      "	return 1 + *p; //! same 4 nullPtr: p is null\n"
			      "	return *r; //! new nullPtr: r is null\n"
			      "}\n",
		.bare_before = true,
		.bare_after = true,
		.why = "rule, path and words are all that is known",
	},
	{
		.name = "the source of one revision only is at hand",
		.before = POOL "int *p;\n"
			       "int a = *p; //! unknown nullPtr: p is null\n"
			       "int b = *q; //! fixed nullPtr: q is null\n",
		.after = POOL "int *p;\n"
			      "int a = *p; //! new nullPtr: p is null\n",
		.bare_before = true,
		.why = "bare ones match only bare ones; nothing says \"fixed\"",
	},
};

const size_t edit_count = sizeof(edits) / sizeof(edits[0]);
