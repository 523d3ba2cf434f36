/* SPDX-License-Identifier: MIT */
#include "fetch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "place.h"

enum { REDIRECTIONS_MAX = 3, PASSWORD_BYTES = 256 };

/* ---- the password ----------------------------------------------------- */

/* Not optimised away, as a memset() before the end would be. */
static void wipe(char *bytes, size_t size)
{
	volatile char *at = bytes;

	while (size--)
		*at++ = '\0';
}

static enum sl_code read_secret(int fd, const char *name,
				char password[PASSWORD_BYTES],
				struct sl_error *error)
{
	struct stat status;
	ssize_t size;

	if (fstat(fd, &status) != 0)
		return SL_FAIL(error, SL_EIO, "password_file: %s: %s", name,
			       strerror(errno));
	if (!S_ISREG(status.st_mode))
		return SL_FAIL(error, SL_EINVAL,
			       "password_file: %s: no regular file", name);
	if (status.st_mode & 077)
		return SL_FAIL(error, SL_EINVAL,
			       "password_file: %s: others may read or write "
			       "it: chmod 600",
			       name);
	size = read(fd, password, PASSWORD_BYTES - 1);
	if (size < 0)
		return SL_FAIL(error, SL_EIO, "password_file: %s: %s", name,
			       strerror(errno));
	password[size] = '\0';
	password[strcspn(password, "\r\n")] = '\0';
	if (!password[0] || strlen(password) == PASSWORD_BYTES - 1)
		return SL_FAIL(error, SL_EINVAL,
			       "password_file: %s: a first line of 1 to %d "
			       "bytes is wanted",
			       name, PASSWORD_BYTES - 2);
	return SL_OK;
}

/* libcurl keeps a copy of its own. */
static enum sl_code take_password(struct fetch *fetch,
				  const struct fetch_settings *settings,
				  struct sl_error *error)
{
	char password[PASSWORD_BYTES];
	const char *name;
	enum sl_code code;
	int fd;

	if (!settings->password_file)
		return SL_OK;
	name = sl_path_tail(settings->password_file);
	fd = open(settings->password_file,
		  O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return SL_FAIL(error, SL_EIO, "password_file: %s: %s", name,
			       strerror(errno));
	code = read_secret(fd, name, password, error);
	close(fd);
	if (code == SL_OK && curl_easy_setopt(fetch->easy, CURLOPT_PASSWORD,
					      password) != CURLE_OK)
		code = SL_FAIL(error, SL_ENOMEM, "no memory");
	wipe(password, sizeof(password));
	return code;
}

/* ---- setting up ------------------------------------------------------- */

static size_t on_body(char *bytes, size_t one, size_t size, void *context)
{
	struct fetch *fetch = context;

	(void)one; /* always 1 */
	if (size > ANSWER_BYTES_MAX - fetch->used)
		return 0;
	memcpy(fetch->text + fetch->used, bytes, size);
	fetch->used += size;
	return size;
}

static size_t on_header(char *bytes, size_t one, size_t size, void *context)
{
	struct fetch *fetch = context;

	(void)bytes;
	(void)one;
	if (size > HEADER_BYTES_MAX - fetch->header_bytes)
		return 0;
	fetch->header_bytes += size;
	return size;
}

/* @return false: libcurl lacks memory, or what it was built without. */
static bool set_options(struct fetch *fetch,
			const struct fetch_settings *settings)
{
	CURL *easy = fetch->easy;
	bool fine = true;

#define SET(option, value) \
	(fine = fine && curl_easy_setopt(easy, option, value) == CURLE_OK)
	SET(CURLOPT_PROTOCOLS_STR, "http,https");
	SET(CURLOPT_FOLLOWLOCATION, 0L);
	SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	SET(CURLOPT_HTTPHEADER, fetch->headers);
	SET(CURLOPT_USERAGENT, "sluice");
	/* "" and not NULL, which would ask the environment. */
	SET(CURLOPT_PROXY, settings->proxy ? settings->proxy : "");
	SET(CURLOPT_NOPROXY, "");
	SET(CURLOPT_NOSIGNAL, 1L);
	/* A name server that is silent must not hold us beyond the time. */
	SET(CURLOPT_QUICK_EXIT, 1L);
	SET(CURLOPT_ERRORBUFFER, fetch->why);
	SET(CURLOPT_WRITEFUNCTION, on_body);
	SET(CURLOPT_WRITEDATA, fetch);
	SET(CURLOPT_HEADERFUNCTION, on_header);
	SET(CURLOPT_HEADERDATA, fetch);
	SET(CURLOPT_SSL_VERIFYPEER, 1L);
	SET(CURLOPT_SSL_VERIFYHOST, 2L);
	if (settings->ca_file) {
		SET(CURLOPT_CAINFO, settings->ca_file);
		SET(CURLOPT_CAPATH, NULL);
	}
	if (settings->password_file) {
		SET(CURLOPT_HTTPAUTH,
		    (long)(settings->basic ? CURLAUTH_BASIC : CURLAUTH_DIGEST));
		SET(CURLOPT_USERNAME, settings->user);
	}
#undef SET
	return fine;
}

/* libcurl's state is the process's, and the host may use libcurl, too: it is
 * set up for every instance, which libcurl counts, and never taken down, since
 * whoever uses it without having counted would lose it. */
static enum sl_code init_library(struct sl_error *error)
{
	const curl_version_info_data *version =
		curl_version_info(CURLVERSION_NOW);

	if (!(version->features & CURL_VERSION_THREADSAFE))
		return SL_FAIL(error, SL_EPLUGIN,
			       "libcurl %s cannot be set up while other "
			       "threads run",
			       version->version);
	if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
		return SL_FAIL(error, SL_EPLUGIN, "libcurl does not start");
	return SL_OK;
}

enum sl_code fetch_init(struct fetch *fetch,
			const struct fetch_settings *settings,
			struct sl_error *error)
{
	enum sl_code code = init_library(error);

	*fetch = (struct fetch){
		.timeout_ns = settings->timeout_ns,
	};
	if (code != SL_OK)
		return code;
	code = place_find(fetch, settings, error);
	if (code != SL_OK)
		return code;
	fetch->text = malloc(ANSWER_BYTES_MAX);
	fetch->easy = curl_easy_init();
	fetch->headers = curl_slist_append(NULL, "Accept: application/json");
	if (!fetch->text || !fetch->easy || !fetch->headers)
		return SL_FAIL(error, SL_ENOMEM, "no memory");
	if (!set_options(fetch, settings))
		return SL_FAIL(error, SL_EPLUGIN,
			       "libcurl refuses one of its options");
	return take_password(fetch, settings, error);
}

void fetch_finish(struct fetch *fetch)
{
	curl_easy_cleanup(fetch->easy);
	curl_slist_free_all(fetch->headers);
	free(fetch->url);
	free(fetch->text);
	*fetch = (struct fetch){ 0 };
}

/* ---- asking ----------------------------------------------------------- */

/* A TLS connection that the other side has left raises SIGPIPE when written
 * to, and what that does is the host's affair. */
static CURLcode perform_quietly(struct fetch *fetch)
{
	const struct timespec at_once = { 0, 0 };
	sigset_t pipe, before, pending;
	bool was_pending;
	CURLcode result;

	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	sigpending(&pending);
	was_pending = sigismember(&pending, SIGPIPE) == 1;
	pthread_sigmask(SIG_BLOCK, &pipe, &before);
	result = curl_easy_perform(fetch->easy);
	if (!was_pending)
		while (sigtimedwait(&pipe, NULL, &at_once) < 0 &&
		       errno == EINTR)
			;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return result;
}

static enum sl_code fail(const struct fetch *fetch, CURLcode result,
			 struct sl_error *error)
{
	if (result == CURLE_OPERATION_TIMEDOUT)
		return SL_FAIL(error, SL_EIO, "%s: no answer within %g s",
			       fetch->where, (double)fetch->timeout_ns * 1e-9);
	if (result == CURLE_WRITE_ERROR)
		return SL_FAIL(
			error, SL_EIO, "%s: an answer of more than %d bytes",
			fetch->where,
			fetch->used ? ANSWER_BYTES_MAX : HEADER_BYTES_MAX);
	/* libcurl's word for a header line beyond its limit, 100 KiB. */
	if (result == CURLE_OUT_OF_MEMORY)
		return SL_FAIL(error, SL_EIO,
			       "%s: a header of more than %d bytes, or no "
			       "memory",
			       fetch->where, HEADER_BYTES_MAX);
	return SL_FAIL(error, SL_EIO, "%s: %s", fetch->where,
		       fetch->why[0] ? fetch->why : curl_easy_strerror(result));
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* What is left of the time, at least a millisecond: 0 would be no bound. */
static bool allow(struct fetch *fetch, int64_t deadline_ns)
{
	int64_t left_ms = (deadline_ns - now_ns()) / 1000000;
	long timeout_ms = left_ms > 1 ? (long)left_ms : 1;

	return curl_easy_setopt(fetch->easy, CURLOPT_TIMEOUT_MS, timeout_ms) ==
		       CURLE_OK &&
	       curl_easy_setopt(fetch->easy, CURLOPT_CONNECTTIMEOUT_MS,
				timeout_ms) == CURLE_OK;
}

/* One request. *next: where it sends us, borrowed from the handle; NULL: the
 * answer is there. */
static enum sl_code request(struct fetch *fetch, long *status,
			    const char **next, struct sl_error *error)
{
	char *elsewhere = NULL;
	CURLcode result;

	fetch->used = 0;
	fetch->header_bytes = 0;
	fetch->why[0] = '\0';
	*next = NULL;
	result = perform_quietly(fetch);
	if (result != CURLE_OK)
		return fail(fetch, result, error);
	curl_easy_getinfo(fetch->easy, CURLINFO_RESPONSE_CODE, status);
	curl_easy_getinfo(fetch->easy, CURLINFO_REDIRECT_URL, &elsewhere);
	if (elsewhere && !place_is_same(fetch->url, elsewhere))
		return SL_FAIL(error, SL_EIO,
			       "%s: HTTP status %ld: it sends us elsewhere, "
			       "which is not followed",
			       fetch->where, *status);
	*next = elsewhere;
	return SL_OK;
}

static enum sl_code judge(const struct fetch *fetch, long status,
			  struct sl_error *error)
{
	static const char json[] = "application/json";
	const size_t length = sizeof(json) - 1;
	const char *type = NULL;

	if (status == 401)
		return SL_FAIL(error, SL_EIO,
			       "%s: HTTP status 401: it wants another user or "
			       "password",
			       fetch->where);
	if (status != 200)
		return SL_FAIL(error, SL_EIO, "%s: HTTP status %ld",
			       fetch->where, status);
	curl_easy_getinfo(fetch->easy, CURLINFO_CONTENT_TYPE, &type);
	if (!type || strncasecmp(type, json, length) != 0 ||
	    !strchr("; \t", type[length]))
		return SL_FAIL(error, SL_EIO,
			       "%s: the answer is \"%.40s\", %s is wanted",
			       fetch->where, type ? type : "", json);
	return SL_OK;
}

enum sl_code fetch_get(struct fetch *fetch, struct sl_error *error)
{
	const int64_t deadline_ns = now_ns() + fetch->timeout_ns;
	const char *next = fetch->url;
	long status = 0;

	for (int at = 0; next && at <= REDIRECTIONS_MAX; at++) {
		enum sl_code code;

		if (curl_easy_setopt(fetch->easy, CURLOPT_URL, next) !=
			    CURLE_OK ||
		    !allow(fetch, deadline_ns))
			return SL_FAIL(error, SL_ENOMEM, "no memory");
		code = request(fetch, &status, &next, error);
		if (code != SL_OK)
			return code;
	}
	return judge(fetch, status, error);
}
