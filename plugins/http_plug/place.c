/* SPDX-License-Identifier: MIT */
#include "place.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static void free_text(char **text)
{
	curl_free(*text);
}

static void free_url(CURLU **url)
{
	curl_url_cleanup(*url);
}

static bool has_part(CURLU *url, CURLUPart part)
{
	SL_CLEANUP(free_text) char *text = NULL;

	return curl_url_get(url, part, &text, 0) == CURLUE_OK;
}

/* The text itself may hold a password, so no message shows it. */
static enum sl_code parse_url(CURLU *url, const char *text, const char *option,
			      struct sl_error *error)
{
	CURLUcode wrong = curl_url_set(url, CURLUPART_URL, text, 0);

	if (wrong != CURLUE_OK)
		return SL_FAIL(error, SL_EINVAL, "%s: %s", option,
			       curl_url_strerror(wrong));
	if (has_part(url, CURLUPART_USER) || has_part(url, CURLUPART_PASSWORD))
		return SL_FAIL(error, SL_EINVAL,
			       "%s: no user or password belongs into it: use "
			       "user and password_file",
			       option);
	return SL_OK;
}

static enum sl_code check_scheme(CURLU *url,
				 const struct fetch_settings *settings,
				 struct sl_error *error)
{
	SL_CLEANUP(free_text) char *scheme = NULL;
	bool secure;

	if (curl_url_get(url, CURLUPART_SCHEME, &scheme, 0) != CURLUE_OK)
		return SL_FAIL(error, SL_EINVAL, "url: it has no scheme");
	secure = strcmp(scheme, "https") == 0;
	if (!secure && strcmp(scheme, "http") != 0)
		return SL_FAIL(error, SL_EINVAL,
			       "url: \"%.16s\", http and https are allowed",
			       scheme);
	if (has_part(url, CURLUPART_QUERY) || has_part(url, CURLUPART_FRAGMENT))
		return SL_FAIL(error, SL_EINVAL,
			       "url: it ends before any \"?\" or \"#\"");
	if (settings->password_file && settings->basic && !secure)
		return SL_FAIL(error, SL_EINVAL,
			       "url: the password would cross the network as "
			       "it is: https is wanted");
	return SL_OK;
}

/* Put the path behind the one that the url has; the rest is curl's. */
static enum sl_code join(struct fetch *fetch, CURLU *url, const char *path,
			 struct sl_error *error)
{
	SL_CLEANUP(free_text) char *before = NULL;
	SL_CLEANUP(free_text) char *whole = NULL;
	const char *query = strchr(path, '?');
	int length = query ? (int)(query - path) : (int)strlen(path);
	size_t kept;
	char joined[512];
	CURLUcode wrong;

	wrong = curl_url_get(url, CURLUPART_PATH, &before, 0);
	if (wrong != CURLUE_OK)
		return SL_FAIL(error, SL_EINVAL, "url: %s",
			       curl_url_strerror(wrong));
	kept = strlen(before);
	while (kept && before[kept - 1] == '/')
		kept--;
	if (snprintf(joined, sizeof(joined), "%.*s%.*s", (int)kept, before,
		     length, path) >= (int)sizeof(joined))
		return SL_FAIL(error, SL_EINVAL, "url: it is too long");
	wrong = curl_url_set(url, CURLUPART_PATH, joined, 0);
	if (wrong == CURLUE_OK && query)
		wrong = curl_url_set(url, CURLUPART_QUERY, query + 1, 0);
	if (wrong == CURLUE_OK)
		wrong = curl_url_get(url, CURLUPART_URL, &whole, 0);
	if (wrong != CURLUE_OK)
		return SL_FAIL(error, SL_EINVAL, "url: %s",
			       curl_url_strerror(wrong));
	fetch->url = strdup(whole);
	if (!fetch->url)
		return SL_FAIL(error, SL_ENOMEM, "no memory");
	snprintf(fetch->where, sizeof(fetch->where), "%s",
		 strstr(whole, "://") + 3);
	return SL_OK;
}

enum sl_code place_find(struct fetch *fetch,
			const struct fetch_settings *settings,
			struct sl_error *error)
{
	SL_CLEANUP(free_url) CURLU *url = curl_url();
	SL_CLEANUP(free_url) CURLU *proxy = curl_url();
	enum sl_code code;

	if (!url || !proxy)
		return SL_FAIL(error, SL_ENOMEM, "no memory");
	code = parse_url(url, settings->url, "url", error);
	if (code == SL_OK)
		code = check_scheme(url, settings, error);
	if (code == SL_OK && settings->proxy)
		code = parse_url(proxy, settings->proxy, "proxy", error);
	return code == SL_OK ? join(fetch, url, settings->path, error) : code;
}

static bool same_part(CURLU *a, CURLU *b, CURLUPart part)
{
	SL_CLEANUP(free_text) char *one = NULL;
	SL_CLEANUP(free_text) char *two = NULL;

	return curl_url_get(a, part, &one, CURLU_DEFAULT_PORT) == CURLUE_OK &&
	       curl_url_get(b, part, &two, CURLU_DEFAULT_PORT) == CURLUE_OK &&
	       strcasecmp(one, two) == 0;
}

bool place_is_same(const char *one, const char *two)
{
	SL_CLEANUP(free_url) CURLU *a = curl_url();
	SL_CLEANUP(free_url) CURLU *b = curl_url();

	return a && b && curl_url_set(a, CURLUPART_URL, one, 0) == CURLUE_OK &&
	       curl_url_set(b, CURLUPART_URL, two, 0) == CURLUE_OK &&
	       same_part(a, b, CURLUPART_SCHEME) &&
	       same_part(a, b, CURLUPART_HOST) &&
	       same_part(a, b, CURLUPART_PORT) && !has_part(b, CURLUPART_USER);
}
