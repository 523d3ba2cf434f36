/* SPDX-License-Identifier: MIT */
/* SARIF: both sides, and the troubles. That such logs are valid is shown in
 * tests/scgate/test_export.py. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "verdict_made.h"

static void each_result_has_its_state_against_the_base(void **state)
{
	struct sg_judgement judgement = *made_rejected();

	(void)state;
	judgement.judged_count = 5;
	judgement.count_count = 0;
	assert_verdict(
		&sg_verdict_writer_sarif, &judgement,
		"{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0."
		"json\",\"version\":\"2.1.0\",\"runs\":[\n"
		"{\"tool\":{\"driver\":{\"name\":\"gcc\",\"rules\":[]}}\n"
		",\"invocations\":[{\"executionSuccessful\":true\n"
		",\"toolExecutionNotifications\":[\n"
		"{\"level\":\"warning\",\"message\":{\"text\":\"src/c.c: "
		"gcc: gave up on a function: -Wanalyzer-too-complex\"},"
		"\"locations\":[{\"physicalLocation\":"
		"{\"artifactLocation\":{\"uri\":\"src/c.c\"}}}]}\n"
		"]}]\n"
		",\"taxonomies\":[{\"name\":\"CWE\"}]\n"
		",\"results\":[\n"
		"{\"level\":\"warning\",\"message\":{\"text\":\"no place "
		"and no rule\"},\"partialFingerprints\":"
		"{\"scgate/v1\":\"00000000000000010000000000000001\"},"
		"\"baselineState\":\"unchanged\",\"properties\":"
		"{\"scgate\":{\"severity\":\"unknown\","
		"\"verdict\":\"same\"}}}\n"
		"]}\n"
		",{\"tool\":{\"driver\":{\"name\":\"cppcheck\","
		"\"version\":\"2.10\",\"rules\":[{\"id\":\"memleak\","
		"\"defaultConfiguration\":{\"level\":\"error\"}},"
		"{\"id\":\"unreadVariable\",\"defaultConfiguration\":"
		"{\"level\":\"note\"}}]}}\n"
		",\"taxonomies\":[{\"name\":\"CWE\"}]\n"
		",\"results\":[\n"
		"{\"ruleId\":\"memleak\",\"level\":\"error\","
		"\"message\":{\"text\":\"Memory leak: p\"},"
		"\"locations\":[{\"physicalLocation\":"
		"{\"artifactLocation\":{\"uri\":\"src/a.c\"},\"region\":"
		"{\"startLine\":12,\"startColumn\":1}},"
		"\"logicalLocations\":[{\"fullyQualifiedName\":\"f\"}]}],"
		"\"partialFingerprints\":"
		"{\"scgate/v1\":\"00000000000000010000000000000002\"},"
		"\"baselineState\":\"new\",\"taxa\":[{\"id\":\"401\","
		"\"toolComponent\":{\"name\":\"CWE\"}}],\"properties\":"
		"{\"scgate\":{\"severity\":\"error\","
		"\"severityWord\":\"error\",\"verdict\":\"new\"}}}\n"
		",{\"ruleId\":\"memleak\",\"level\":\"error\","
		"\"message\":{\"text\":\"Memory leak: q\"},"
		"\"locations\":[{\"physicalLocation\":"
		"{\"artifactLocation\":{\"uri\":\"src/b.c\"},\"region\":"
		"{\"startLine\":40}}}],\"partialFingerprints\":"
		"{\"scgate/v1\":\"00000000000000010000000000000003\"},"
		"\"baselineState\":\"absent\",\"properties\":"
		"{\"scgate\":{\"severity\":\"error\","
		"\"verdict\":\"fixed\"}}}\n"
		",{\"ruleId\":\"unreadVariable\",\"level\":\"note\","
		"\"message\":{\"text\":\"x is never read\"},"
		"\"locations\":[{\"physicalLocation\":"
		"{\"artifactLocation\":{\"uri\":\"src/c.c\"},\"region\":"
		"{\"startLine\":3}}}],\"partialFingerprints\":"
		"{\"scgate/v1\":\"00000000000000010000000000000004\"},"
		"\"baselineState\":\"unchanged\",\"properties\":"
		"{\"scgate\":{\"severity\":\"style\","
		"\"verdict\":\"unknown\"}}}\n"
		"]}\n"
		",{\"tool\":{\"driver\":{\"name\":\"clang-tidy\","
		"\"rules\":[{\"id\":\"bugprone-x\","
		"\"defaultConfiguration\":{\"level\":\"warning\"}}]}}\n"
		",\"taxonomies\":[{\"name\":\"CWE\"}]\n"
		",\"results\":[\n"
		"{\"ruleId\":\"bugprone-x\",\"level\":\"warning\","
		"\"message\":{\"text\":\"moved\"},"
		"\"locations\":[{\"physicalLocation\":"
		"{\"artifactLocation\":{\"uri\":\"src/d.c\"},\"region\":"
		"{\"startLine\":9,\"endLine\":11}}}],"
		"\"partialFingerprints\":"
		"{\"scgate/v1\":\"00000000000000010000000000000005\"},"
		"\"baselineState\":\"updated\",\"properties\":"
		"{\"scgate\":{\"severity\":\"warning\","
		"\"verdict\":\"same\"}}}\n"
		"]}\n"
		"]}\n");
}

static void
a_result_tells_why_it_is_accepted_and_what_is_objected_to(void **state)
{
	struct sg_judgement judgement = *made_rejected();

	(void)state;
	judgement.judged += 5;
	judgement.judged_count = 4;
	judgement.count_count = 0;
	assert_verdict(
		&sg_verdict_writer_sarif, &judgement,
		"{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0."
		"json\",\"version\":\"2.1.0\",\"runs\":[\n"
		"{\"tool\":{\"driver\":{\"name\":\"gcc\","
		"\"version\":\"12.2.0\","
		"\"rules\":[{\"id\":\"-Wanalyzer-malloc-leak\","
		"\"defaultConfiguration\":{\"level\":\"warning\"}},"
		"{\"id\":\"-Wanalyzer-null-dereference\","
		"\"defaultConfiguration\":{\"level\":\"warning\"}},"
		"{\"id\":\"-Wunused\",\"defaultConfiguration\":"
		"{\"level\":\"note\"}}]}}\n"
		",\"invocations\":[{\"executionSuccessful\":true\n"
		",\"toolExecutionNotifications\":[\n"
		"{\"level\":\"warning\",\"message\":{\"text\":\"src/c.c: "
		"gcc: gave up on a function: -Wanalyzer-too-complex\"},"
		"\"locations\":[{\"physicalLocation\":"
		"{\"artifactLocation\":{\"uri\":\"src/c.c\"}}}]}\n"
		"]}]\n"
		",\"taxonomies\":[{\"name\":\"CWE\"}]\n"
		",\"results\":[\n"
		"{\"ruleId\":\"-Wanalyzer-malloc-leak\","
		"\"level\":\"warning\",\"message\":{\"text\":\"leak of "
		"'all'\"},\"locations\":[{\"physicalLocation\":"
		"{\"artifactLocation\":{\"uri\":\"src/main.c\"},"
		"\"region\":{\"startLine\":88,\"startColumn\":2}}}],"
		"\"partialFingerprints\":"
		"{\"scgate/v1\":\"00000000000000010000000000000006\"},"
		"\"baselineState\":\"new\","
		"\"suppressions\":[{\"kind\":\"external\","
		"\"justification\":\"freed when the process ends\"}],"
		"\"properties\":{\"scgate\":{\"severity\":\"warning\","
		"\"verdict\":\"new\"}}}\n"
		",{\"ruleId\":\"-Wanalyzer-null-dereference\","
		"\"level\":\"warning\",\"message\":"
		"{\"text\":\"dereference of NULL 'p'\"},"
		"\"locations\":[{\"physicalLocation\":"
		"{\"artifactLocation\":{\"uri\":\"src/pool.c\"},"
		"\"region\":{\"startLine\":2,\"startColumn\":22}},"
		"\"logicalLocations\":[{\"fullyQualifiedName\":\"pool_don"
		"e\"}]}],\"codeFlows\":[{\"threadFlows\":[{\"locations"
		"\":[{\"location\":{\"physicalLocation\":"
		"{\"artifactLocation\":{\"uri\":\"src/pool.c\"},"
		"\"region\":{\"startLine\":150,\"startColumn\":12}},"
		"\"message\":{\"text\":\"'p' is NULL\"}}},{\"location\":"
		"{\"physicalLocation\":{\"artifactLocation\":"
		"{\"uri\":\"src/pool.c\"},\"region\":{\"startLine\":157,"
		"\"startColumn\":22}},"
		"\"logicalLocations\":[{\"fullyQualifiedName\":\"pool_don"
		"e\"}],\"message\":{\"text\":\"dereference of NULL "
		"'p'\"}}}]}]}],\"partialFingerprints\":"
		"{\"scgate/v1\":\"00000000000000010000000000000008\"},"
		"\"baselineState\":\"new\",\"taxa\":[{\"id\":\"476\","
		"\"toolComponent\":{\"name\":\"CWE\"}}],\"properties\":"
		"{\"scgate\":{\"severity\":\"warning\","
		"\"severityWord\":\"warning\",\"verdict\":\"new\","
		"\"objected\":true}}}\n"
		",{\"ruleId\":\"-Wunused\",\"level\":\"note\","
		"\"message\":{\"text\":\"too light\"},"
		"\"locations\":[{\"physicalLocation\":"
		"{\"artifactLocation\":{\"uri\":\"src/pool.c\"},"
		"\"region\":{\"startLine\":3}}}],"
		"\"partialFingerprints\":"
		"{\"scgate/v1\":\"00000000000000010000000000000009\"},"
		"\"baselineState\":\"new\",\"properties\":{\"scgate\":"
		"{\"severity\":\"info\",\"verdict\":\"new\"}}}\n"
		"]}\n"
		",{\"tool\":{\"driver\":{\"name\":\"odd\","
		"\"rules\":[{\"id\":\"r,1:%\",\"defaultConfiguration\":"
		"{\"level\":\"note\"}}]}}\n"
		",\"taxonomies\":[{\"name\":\"CWE\"}]\n"
		",\"results\":[\n"
		"{\"ruleId\":\"r,1:%\",\"level\":\"note\",\"message\":"
		"{\"text\":\"50% of\\r\\n::error::\\u001B[31mred\"},"
		"\"locations\":[{\"physicalLocation\":"
		"{\"artifactLocation\":{\"uri\":\"src/odd,"
		"name%3A1%25.c\"},\"region\":{\"startLine\":1}}}],"
		"\"partialFingerprints\":"
		"{\"scgate/v1\":\"00000000000000010000000000000007\"},"
		"\"baselineState\":\"new\",\"properties\":{\"scgate\":"
		"{\"severity\":\"low\",\"verdict\":\"new\"}}}\n"
		"]}\n"
		"]}\n");
}

static void what_cannot_be_told_did_not_succeed(void **state)
{
	(void)state;
	assert_verdict(
		&sg_verdict_writer_sarif, made_incomplete(),
		"{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0."
		"json\",\"version\":\"2.1.0\",\"runs\":[\n"
		"{\"tool\":{\"driver\":{\"name\":\"scgate\","
		"\"rules\":[]}}\n"
		",\"invocations\":[{\"executionSuccessful\":false\n"
		",\"toolExecutionNotifications\":[\n"
		"{\"level\":\"error\",\"message\":{\"text\":\"src/a.c: "
		"compile: exited with 1\\nsrc/a.c:3:1: error: expected "
		"';'\\n\\u001B[31mred\\n\"},"
		"\"locations\":[{\"physicalLocation\":"
		"{\"artifactLocation\":{\"uri\":\"src/a.c\"}}}]}\n"
		"]}]\n"
		",\"taxonomies\":[{\"name\":\"CWE\"}]\n"
		",\"results\":[\n"
		"]}\n"
		",{\"tool\":{\"driver\":{\"name\":\"cppcheck\","
		"\"rules\":[]}}\n"
		",\"invocations\":[{\"executionSuccessful\":false\n"
		",\"toolExecutionNotifications\":[\n"
		"{\"level\":\"error\",\"message\":{\"text\":\"src/b.c: "
		"cppcheck: timed out after 5 min (in the base)\"},"
		"\"locations\":[{\"physicalLocation\":"
		"{\"artifactLocation\":{\"uri\":\"src/b.c\"}}}]}\n"
		"]}]\n"
		",\"taxonomies\":[{\"name\":\"CWE\"}]\n"
		",\"results\":[\n"
		"]}\n"
		",{\"tool\":{\"driver\":{\"name\":\"clang-tidy\","
		"\"rules\":[]}}\n"
		",\"invocations\":[{\"executionSuccessful\":false\n"
		",\"toolExecutionNotifications\":[\n"
		"{\"level\":\"error\",\"message\":"
		"{\"text\":\"clang-tidy: is not on PATH\"}}\n"
		"]}]\n"
		",\"taxonomies\":[{\"name\":\"CWE\"}]\n"
		",\"results\":[\n"
		"]}\n"
		"]}\n");
}

static void nothing_is_a_run_too(void **state)
{
	(void)state;
	assert_verdict(
		&sg_verdict_writer_sarif, made_passed(),
		"{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0."
		"json\",\"version\":\"2.1.0\",\"runs\":[\n"
		"{\"tool\":{\"driver\":{\"name\":\"scgate\","
		"\"rules\":[]}}\n"
		",\"taxonomies\":[{\"name\":\"CWE\"}]\n"
		",\"results\":[\n"
		"]}\n"
		"]}\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_result_has_its_state_against_the_base),
		cmocka_unit_test(
			a_result_tells_why_it_is_accepted_and_what_is_objected_to),
		cmocka_unit_test(what_cannot_be_told_did_not_succeed),
		cmocka_unit_test(nothing_is_a_run_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
