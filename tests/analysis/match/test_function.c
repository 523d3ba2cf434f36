/* SPDX-License-Identifier: MIT */
/* Sources, and the function around one of their lines: the one with "@@" in a
 * comment. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "match/function.h"
#include "sluice/random.h"

struct function_case {
	const char *name; /* expected; NULL: outside of all */
	const char *text;
};

static const struct function_case cases[] = {
	{ "f", "int f(int a)\n{\n\treturn a; /*@@*/\n}\n" },
	{ "f", "static int\nf(int a) { /*@@*/\n}\n" },
	{ "f", "int f(int a) /*@@*/\n{\n}\n" },
	{ NULL, "int f(int a)\n{\n}\nint b; /*@@*/\n" },
	{ NULL, "int a; /*@@*/\nint f(int a)\n{\n}\n" },
	{ "g", "void f(void) { { } }\nvoid g(void) {\nif (1) { } /*@@*/\n}\n" },
	{ "g", "int f(int);\nint g(int) {\n/*@@*/\n}\n" },
	{ NULL, "struct a {\n\tint b; /*@@*/\n};\n" },
	{ NULL, "static const int a[] = {\n\tF(1), /*@@*/\n};\n" },
	{ "f", "int a[] = { 1, 2 };\nint f(void)\n{\n/*@@*/\n}\n" },
	{ "f", "enum e { A, B };\nstruct s *f(struct s *s)\n{\n/*@@*/\n}\n" },
	/* attributes and macros */
	{ "f", "__attribute__((noreturn)) void f(void)\n{\n/*@@*/\n}\n" },
	{ "f", "PRINTF(1, 2) static void f(int a)\n{\n/*@@*/\n}\n" },
	{ "f", "void f(int a) NOTHROW\n{\n/*@@*/\n}\n" },
	{ "f", "void f(int a) LOCKS(a)\n{\n/*@@*/\n}\n" },
	{ "TEST", "TEST(Pool, Grows)\n{\n/*@@*/\n}\n" },
	{ "f", "#define M(x) { x\n#define N \\\n\t}\nint f(void)\n{\n"
	       "/*@@*/\n}\n" },
	/* declarators */
	{ "f", "void (*f(int a, void (*b)(int)))(int)\n{\n/*@@*/\n}\n" },
	{ "f", "int f(a, b)\nint a;\nchar *b;\n{\n/*@@*/\n}\n" },
	{ "g", "int f(void) const noexcept;\nint g(int a)\n{\n/*@@*/\n}\n" },
	/* C++ */
	{ "A::f", "int A::f() const\n{\n/*@@*/\n}\n" },
	{ "A::~A", "A::~A()\n{\n/*@@*/\n}\n" },
	{ "A::A", "A::A(int a) : b(a), c{a}\n{\n/*@@*/\n}\n" },
	{ "A::f", "namespace n {\nclass A : public B<int> {\npublic:\n"
		  "\tint f() {\n/*@@*/\n}\n};\n}\n" },
	{ "g", "class A {\n\tint f() { return 1; }\n};\nint g()\n{\n"
	       "/*@@*/\n}\n" },
	{ "A::f", "template <class T> int A<T>::f(T t)\n{\n/*@@*/\n}\n" },
	{ "A::operator()", "int A::operator()(int a)\n{\n/*@@*/\n}\n" },
	{ "A::operator bool", "A::operator bool() const\n{\n/*@@*/\n}\n" },
	{ "A::operator==", "bool A::operator==(const A &a)\n{\n/*@@*/\n}\n" },
	{ "operator<<", "int operator<<(int a, A b)\n{\n/*@@*/\n}\n" },
	{ "f", "extern \"C\" {\nint f(void)\n{\n/*@@*/\n}\n}\n" },
	{ "f", "auto f(int a) -> int\n{\n\tauto l = [](int b) { return b; };\n"
	       "/*@@*/\n}\n" },
	{ NULL, "auto l = [](int b) {\n\treturn b; /*@@*/\n};\n" },
	/* the preprocessor */
	{ "g", "int f(void)\n{\n#if A\n\tif (a) {\n#else\n\tif (b) {\n#endif\n"
	       "\t}\n}\nint g(void)\n{\n/*@@*/\n}\n" },
	{ "f", "#if A\nint f(int a)\n{\n#else\nint f(long a)\n{\n#endif\n"
	       "/*@@*/\n}\nint b;\n" },
	{ NULL, "#if A\nint f(int a)\n{\n#else\nint f(long a)\n{\n#endif\n"
		"}\nint b; /*@@*/\n" },
	{ "f", "#if A\nint f(int a)\n#else\nint f(long a)\n#endif\n{\n"
	       "/*@@*/\n}\n" },
	/* braces that are none */
	{ "g", "int f(void)\n{\n\tg('{', \"{\"); // {\n}\nint g(int a)\n{\n"
	       "/*@@*/\n}\n" },
	/* broken */
	{ "f", "}}}\nint f(void)\n{\n/*@@*/\n" },
};

static int64_t marked_line(const char *text)
{
	const char *mark = strstr(text, "@@");
	int64_t line = 1;

	assert_non_null(mark);
	for (; text < mark; text++)
		line += *text == '\n';
	return line;
}

static void a_line_belongs_to_the_function_around_it(void **state)
{
	bool good = true;

	(void)state;
	for (size_t at = 0; at < sizeof(cases) / sizeof(cases[0]); at++) {
		const char *text = cases[at].text, *name;
		struct sg_functions functions;
		struct sg_source source;

		assert_int_equal(sg_source_init(&source, text, strlen(text)),
				 SL_OK);
		assert_int_equal(sg_functions_init(&functions, &source), SL_OK);
		name = sg_function_at(&functions, marked_line(text));
		if ((name == NULL) != (cases[at].name == NULL) ||
		    (name && strcmp(name, cases[at].name) != 0)) {
			print_error("%s: %s in:\n%s",
				    cases[at].name ? cases[at].name : "none",
				    name ? name : "none", text);
			good = false;
		}
		sg_functions_finish(&functions);
		sg_source_finish(&source);
	}
	assert_true(good);
}

static void any_source_can_be_scanned(void **state)
{
	static const char *const words[] = {
		"{",          "}",        "(",          ")",        ";",
		"a ",         "operator", "class A ",   "<",        ">",
		"::",         "~",        "=",          ":",        "#if\n",
		"\n",         "*",        "\n#else\n",  "template", "(*",
		"\n#endif\n", "struct ",  "namespace ", "\"C\"",    "extern ",
		"enum ",      ",",        "R\"(",
	};
	char text[256];

	(void)state;
	for (uint64_t round = 0; round < 50000; round++) {
		uint64_t chance = sl_random_at(3, round);
		struct sg_functions functions;
		struct sg_source source;
		size_t length = 0;

		for (size_t at = 0; at < chance % 24; at++) {
			const char *word =
				words[sl_random_at(chance, at) %
				      (sizeof(words) / sizeof(words[0]))];

			memcpy(text + length, word, strlen(word));
			length += strlen(word);
		}
		assert_int_equal(sg_source_init(&source, text, length), SL_OK);
		assert_int_equal(sg_functions_init(&functions, &source), SL_OK);
		for (size_t at = 0; at < functions.count; at++)
			assert_true(functions.rows[at].first_line <=
				    functions.rows[at].last_line);
		sg_functions_finish(&functions);
		sg_source_finish(&source);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_belongs_to_the_function_around_it),
		cmocka_unit_test(any_source_can_be_scanned),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
