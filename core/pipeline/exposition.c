/* SPDX-License-Identifier: MIT */
#include "pipeline/exposition.h"

void sl_metric_begin(struct sl_metric *metric)
{
	struct sl_put *put = metric->put;

	if (!metric->begun) {
		sl_put_text(put, "# HELP ");
		sl_put_text(put, metric->name);
		sl_put_text(put, " ");
		sl_put_text(put, metric->help);
		sl_put_text(put, "\n# TYPE ");
		sl_put_text(put, metric->name);
		sl_put_text(put, " ");
		sl_put_text(put, metric->type);
		sl_put_text(put, "\n");
	}
	metric->begun = true;
	metric->labelled = false;
	sl_put_text(put, metric->name);
}

static void escape_label(struct sl_put *put, char byte)
{
	if (byte == '\n')
		sl_put_text(put, "\\n");
	else if (byte == '\\' || byte == '"')
		sl_put_text(put, byte == '"' ? "\\\"" : "\\\\");
	else
		sl_put_bytes(put, &byte, 1);
}

void sl_metric_label(struct sl_metric *metric, const char *label,
		     const char *value)
{
	struct sl_put *put = metric->put;

	sl_put_text(put, metric->labelled ? "," : "{");
	sl_put_text(put, label);
	sl_put_text(put, "=\"");
	sl_put_utf8(put, value, escape_label);
	sl_put_text(put, "\"");
	metric->labelled = true;
}

static void end_labels(struct sl_metric *metric)
{
	sl_put_text(metric->put, metric->labelled ? "} " : " ");
}

void sl_metric_end_count(struct sl_metric *metric, uint64_t count)
{
	end_labels(metric);
	sl_put_count(metric->put, count);
	sl_put_text(metric->put, "\n");
}

void sl_metric_end_double(struct sl_metric *metric, double number)
{
	end_labels(metric);
	sl_put_double(metric->put, number);
	sl_put_text(metric->put, "\n");
}
