/* SPDX-License-Identifier: MIT */
/* SARIF 2.1.0's property names. What is most frequent stands first: the search
 * is linear. */
#include "read/sarif_paths.h"

#define RUN "runs[]"
#define RESULT RUN ".results[]"
#define OURS ".properties.scgate"
#define REGION ".physicalLocation.region"
#define FILE_AT ".physicalLocation.artifactLocation"
#define FLOW RESULT ".codeFlows[].threadFlows[].locations[].location"

#define LOCATION(at, group) \
	{ at, group | PLACE_ITSELF }, \
		{ at FILE_AT ".uri", group | PLACE_URI }, \
		{ at FILE_AT ".uriBaseId", group | PLACE_BASE }, \
		{ at FILE_AT ".index", group | PLACE_INDEX }, \
		{ at REGION ".startLine", group | PLACE_LINE }, \
		{ at REGION ".startColumn", group | PLACE_COLUMN }, \
		{ at REGION ".endLine", group | PLACE_END_LINE }, \
		{ at REGION ".endColumn", group | PLACE_END_COLUMN }, \
		{ at ".message.text", group | PLACE_TEXT }, \
		{ at ".logicalLocations[]", group | PLACE_LOGICAL }, \
		{ at ".logicalLocations[].name", group | PLACE_LOGICAL_NAME }, \
		{ at ".logicalLocations[].fullyQualifiedName", \
		  group | PLACE_LOGICAL_FULL_NAME }, \
	{ \
		at ".logicalLocations[].index", group | PLACE_LOGICAL_INDEX \
	}

#define RULE(at, group) \
	{ at ".id", group | RULE_ID }, \
		{ at ".defaultConfiguration.level", group | RULE_LEVEL }, \
		{ at ".properties.tags[]", group | RULE_TAG }, \
		{ at ".properties.cwe", group | RULE_TAG }, \
		{ at ".properties.cwe[]", group | RULE_TAG }, \
		{ at ".relationships[]", group | RULE_RELATION }, \
		{ at ".relationships[].target.id", group | RULE_RELATION_ID }, \
		{ at ".relationships[].target.toolComponent.name", \
		  group | RULE_RELATION_COMPONENT }, \
	{ \
		at ".messageStrings.*.text", group | RULE_STRING \
	}

const struct sg_json_path sarif_paths[] = {
	{ RESULT, SARIF_RESULT | RESULT_ITSELF },
	{ RESULT ".ruleId", SARIF_RESULT | RESULT_RULE_ID },
	{ RESULT ".ruleIndex", SARIF_RESULT | RESULT_RULE_INDEX },
	{ RESULT ".level", SARIF_RESULT | RESULT_LEVEL },
	{ RESULT ".message.text", SARIF_RESULT | RESULT_TEXT },
	LOCATION(RESULT ".locations[]", SARIF_PLACE),
	LOCATION(FLOW, SARIF_FLOW),
	LOCATION(RESULT ".relatedLocations[]", SARIF_RELATED),
	{ RESULT ".kind", SARIF_RESULT | RESULT_KIND },
	{ RESULT ".rule.id", SARIF_RESULT | RESULT_RULE_ID },
	{ RESULT ".rule.index", SARIF_RESULT | RESULT_RULE_INDEX },
	{ RESULT ".rule.toolComponent.index", SARIF_RESULT | RESULT_COMPONENT },
	{ RESULT ".message.markdown", SARIF_RESULT | RESULT_MARKDOWN },
	{ RESULT ".message.id", SARIF_RESULT | RESULT_MESSAGE_ID },
	{ RESULT ".message.arguments[]", SARIF_RESULT | RESULT_ARGUMENT },
	{ RESULT ".baselineState", SARIF_RESULT | RESULT_BASELINE },
	{ RESULT ".occurrenceCount", SARIF_RESULT | RESULT_OCCURRENCES },
	{ RESULT ".suppressions[]", SARIF_RESULT | RESULT_SUPPRESSION },
	{ RESULT ".suppressions[].status",
	  SARIF_RESULT | RESULT_SUPPRESSION_STATUS },
	{ RESULT ".properties.tags[]", SARIF_RESULT | RESULT_TAG },
	{ RESULT ".properties.cwe", SARIF_RESULT | RESULT_TAG },
	{ RESULT ".properties.cwe[]", SARIF_RESULT | RESULT_TAG },
	{ RESULT OURS ".severity", SARIF_RESULT | RESULT_OUR_SEVERITY },
	{ RESULT OURS ".severityWord", SARIF_RESULT | RESULT_OUR_WORD },
	{ RESULT OURS ".verbose", SARIF_RESULT | RESULT_OUR_VERBOSE },
	{ RESULT OURS ".inconclusive", SARIF_RESULT | RESULT_OUR_DOUBT },
	{ RESULT OURS ".units[]", SARIF_RESULT | RESULT_OUR_UNIT },
	{ RESULT ".taxa[]", SARIF_RESULT | RESULT_TAXON },
	{ RESULT ".taxa[].id", SARIF_RESULT | RESULT_TAXON_ID },
	{ RESULT ".taxa[].toolComponent.name",
	  SARIF_RESULT | RESULT_TAXON_COMPONENT },
	{ RESULT ".analysisTarget.uri", SARIF_RESULT | RESULT_TARGET_URI },
	{ RESULT ".analysisTarget.uriBaseId",
	  SARIF_RESULT | RESULT_TARGET_BASE },
	{ RESULT ".analysisTarget.index", SARIF_RESULT | RESULT_TARGET_INDEX },

	{ "$schema", SARIF_LOG | LOG_SCHEMA },
	{ "version", SARIF_LOG | LOG_VERSION },
	{ "runs", SARIF_LOG | LOG_RUNS },

	{ RUN, SARIF_RUN | RUN_ITSELF },
	{ RUN ".results", SARIF_RUN | RUN_RESULTS },
	{ RUN ".tool", SARIF_RUN | RUN_TOOL },
	{ RUN ".tool.driver.name", SARIF_RUN | RUN_TOOL_NAME },
	{ RUN ".tool.driver.version", SARIF_RUN | RUN_TOOL_VERSION },
	{ RUN ".tool.driver.semanticVersion",
	  SARIF_RUN | RUN_TOOL_SEMANTIC_VERSION },
	{ RUN ".tool.driver.globalMessageStrings.*.text",
	  SARIF_RUN | RUN_DRIVER_STRING },
	{ RUN ".tool.extensions[].globalMessageStrings.*.text",
	  SARIF_RUN | RUN_EXTENSION_STRING },
	RULE(RUN ".tool.driver.rules[]", SARIF_DRIVER_RULE),
	RULE(RUN ".tool.extensions[].rules[]", SARIF_EXTENSION_RULE),
	{ RUN ".artifacts", SARIF_RUN | RUN_ARTIFACTS },
	{ RUN ".artifacts[].location.uri", SARIF_RUN | RUN_ARTIFACT_URI },
	{ RUN ".artifacts[].location.uriBaseId",
	  SARIF_RUN | RUN_ARTIFACT_BASE },
	{ RUN ".logicalLocations", SARIF_RUN | RUN_LOGICAL_LOCATIONS },
	{ RUN ".logicalLocations[].name", SARIF_RUN | RUN_LOGICAL_NAME },
	{ RUN ".logicalLocations[].fullyQualifiedName",
	  SARIF_RUN | RUN_LOGICAL_FULL_NAME },
	{ RUN ".originalUriBaseIds", SARIF_RUN | RUN_BASES },
	{ RUN ".originalUriBaseIds.*.uri", SARIF_RUN | RUN_BASE_URI },
	{ RUN ".originalUriBaseIds.*.uriBaseId", SARIF_RUN | RUN_BASE_BASE },
	{ RUN ".externalPropertyFileReferences.results",
	  SARIF_RUN | RUN_EXTERNAL_RESULTS },
	{ RUN ".invocations[].executionSuccessful",
	  SARIF_RUN | RUN_SUCCESSFUL },
	{ RUN ".invocations[].toolExecutionNotifications[]",
	  SARIF_RUN | RUN_NOTIFICATION },
	{ RUN ".invocations[].toolExecutionNotifications[].level",
	  SARIF_RUN | RUN_NOTIFICATION_LEVEL },
	{ RUN ".invocations[].toolExecutionNotifications[].message.text",
	  SARIF_RUN | RUN_NOTIFICATION_TEXT },
};

const size_t sarif_path_count = sizeof(sarif_paths) / sizeof(sarif_paths[0]);
