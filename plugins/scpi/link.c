/* SPDX-License-Identifier: MIT */
#include "link.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/usb/tmc.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "address.h"

#define NS_A_SECOND INT64_C(1000000000)
#define NS_A_MS INT64_C(1000000)
/* The USBTMC driver refuses less. */
#define USBTMC_LEAST_MS 100

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * NS_A_SECOND + now.tv_nsec;
}

void link_allow(struct link *link, int64_t timeout_ns)
{
	link->allowed_ns = timeout_ns;
	link->deadline_ns = now_ns() + timeout_ns;
}

/* Rounded up, so that a wait is never cut short; 0: it is over. */
static int left_ms(const struct link *link)
{
	int64_t left = link->deadline_ns - now_ns();

	return left <= 0 ? 0 : (int)((left + NS_A_MS - 1) / NS_A_MS);
}

static enum sl_code fail_errno(const struct link *link, const char *what,
			       struct sl_error *error)
{
	return SL_FAIL(error, SL_EIO, "%s: %s: %s", link->name, what,
		       strerror(errno));
}

static enum sl_code fail_late(const struct link *link, const char *what,
			      struct sl_error *error)
{
	return SL_FAIL(error, SL_EIO, "%s: %s: no answer within %g s",
		       link->name, what, (double)link->allowed_ns * 1e-9);
}

/* Until the descriptor is ready for @p events, or the deadline. */
static enum sl_code await(const struct link *link, short events,
			  const char *what, struct sl_error *error)
{
	struct pollfd ready = { .fd = link->fd, .events = events };

	for (;;) {
		int left = left_ms(link);
		int count = poll(&ready, 1, left);

		if (count > 0)
			return SL_OK;
		if (count < 0 && errno != EINTR)
			return fail_errno(link, what, error);
		if (count == 0 && left == 0)
			return fail_late(link, what, error);
	}
}

/* ---- opening ---------------------------------------------------------- */

enum sl_code link_init(struct link *link, const char *address,
		       const char *device, struct sl_error *error)
{
	*link = (struct link){ .fd = -1, .device = device };
	snprintf(link->name, sizeof(link->name), "%.*s", LINK_NAME_BYTES - 1,
		 device ? sl_path_tail(device) : address);
	return device ? SL_OK : address_find(address, &link->addresses, error);
}

void link_finish(struct link *link)
{
	link_close(link);
	if (link->addresses)
		freeaddrinfo(link->addresses);
	link->addresses = NULL;
}

/* To one of the host's addresses. */
static enum sl_code connect_to(struct link *link, const struct addrinfo *to,
			       struct sl_error *error)
{
	const int flags = SOCK_NONBLOCK | SOCK_CLOEXEC, yes = 1;
	int failure = 0;
	socklen_t length = sizeof(failure);

	link->fd =
		socket(to->ai_family, to->ai_socktype | flags, to->ai_protocol);
	if (link->fd < 0)
		return fail_errno(link, "socket", error);
	(void)setsockopt(link->fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
	if (connect(link->fd, to->ai_addr, to->ai_addrlen) == 0)
		return SL_OK;
	if (errno != EINPROGRESS)
		return fail_errno(link, "connect", error);
	if (await(link, POLLOUT, "connect", error) != SL_OK)
		return SL_EIO;
	if (getsockopt(link->fd, SOL_SOCKET, SO_ERROR, &failure, &length) != 0)
		return fail_errno(link, "connect", error);
	if (failure == 0)
		return SL_OK;
	errno = failure;
	return fail_errno(link, "connect", error);
}

static enum sl_code open_tcp(struct link *link, struct sl_error *error)
{
	enum sl_code code = SL_EIO;

	link->kind = LINK_TCP;
	for (const struct addrinfo *to = link->addresses; to;
	     to = to->ai_next) {
		code = connect_to(link, to, error);
		if (code == SL_OK)
			break;
		link_close(link);
	}
	return code;
}

/* Bytes as they come: no echo, no signals, no line ends translated. The speed
 * stays as it was set. */
static enum sl_code set_raw(struct link *link, struct sl_error *error)
{
	struct termios raw;

	if (tcgetattr(link->fd, &link->before) != 0)
		return fail_errno(link, "terminal", error);
	raw = link->before;
	raw.c_iflag &= ~(tcflag_t)(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR |
				   IGNCR | ICRNL);
	raw.c_oflag &= ~(tcflag_t)OPOST;
	raw.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
	raw.c_cflag |= CREAD | CLOCAL;
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	if (tcsetattr(link->fd, TCSANOW, &raw) != 0)
		return fail_errno(link, "terminal", error);
	link->kind = LINK_TERMINAL;
	tcflush(link->fd, TCIFLUSH);
	return SL_OK;
}

static enum sl_code open_device(struct link *link, struct sl_error *error)
{
	struct stat status;

	link->kind = LINK_TCP; /* nothing to restore yet */
	link->fd =
		open(link->device, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (link->fd < 0)
		return SL_FAIL(error, SL_EIO, "%s: %s", link->name,
			       strerror(errno));
	if (fstat(link->fd, &status) != 0 || !S_ISCHR(status.st_mode))
		return SL_FAIL(error, SL_EINVAL, "%s: no character device",
			       link->name);
	if (isatty(link->fd))
		return set_raw(link, error);
	if (ioctl(link->fd, USBTMC_IOCTL_CLEAR) == 0) {
		link->kind = LINK_USBTMC;
		return SL_OK;
	}
	return SL_FAIL(error, SL_EINVAL,
		       "%s: neither a terminal nor an instrument of the USBTMC "
		       "driver",
		       link->name);
}

enum sl_code link_open(struct link *link, struct sl_error *error)
{
	enum sl_code code;

	link->used = 0;
	code = link->device ? open_device(link, error) : open_tcp(link, error);
	if (code != SL_OK)
		link_close(link);
	return code;
}

void link_close(struct link *link)
{
	if (link->fd < 0)
		return;
	if (link->kind == LINK_TERMINAL)
		(void)tcsetattr(link->fd, TCSANOW, &link->before);
	close(link->fd);
	link->fd = -1;
	link->used = 0;
}

/* ---- talking ---------------------------------------------------------- */

static ssize_t put_some(const struct link *link, const char *bytes, size_t size)
{
	if (link->kind == LINK_TCP)
		return send(link->fd, bytes, size, MSG_NOSIGNAL);
	return write(link->fd, bytes, size);
}

enum sl_code link_tell(struct link *link, const char *command,
		       struct sl_error *error)
{
	char line[LINK_LINE_BYTES];
	int size = snprintf(line, sizeof(line), "%s\n", command);
	size_t sent = 0;

	while (sent < (size_t)size) {
		ssize_t count =
			put_some(link, line + sent, (size_t)size - sent);

		if (count > 0) {
			sent += (size_t)count;
			continue;
		}
		if (errno == EINTR)
			continue;
		if (errno != EAGAIN)
			return fail_errno(link, command, error);
		if (await(link, POLLOUT, command, error) != SL_OK)
			return SL_EIO;
	}
	return SL_OK;
}

/* The driver waits itself, as long as it was told. */
static void allow_usbtmc(const struct link *link)
{
#ifdef USBTMC_IOCTL_SET_TIMEOUT
	int left = left_ms(link);
	unsigned timeout =
		left > USBTMC_LEAST_MS ? (unsigned)left : USBTMC_LEAST_MS;

	(void)ioctl(link->fd, USBTMC_IOCTL_SET_TIMEOUT, &timeout);
#else
	(void)link;
#endif
}

/* USBTMC marks the end of an answer itself, the newline may be missing. */
static void end_message(struct link *link, bool ended)
{
	if (link->kind == LINK_USBTMC && ended &&
	    link->bytes[link->used - 1] != '\n')
		link->bytes[link->used++] = '\n';
}

/* Some bytes more, at least one. */
static enum sl_code get_some(struct link *link, const char *question,
			     struct sl_error *error)
{
	size_t room = sizeof(link->bytes) - link->used;

	if (room == 0)
		return SL_FAIL(error, SL_EIO,
			       "%s: %s: more than %zu bytes without an end of "
			       "line",
			       link->name, question, sizeof(link->bytes));
	for (;;) {
		ssize_t count;

		if (link->kind == LINK_USBTMC)
			allow_usbtmc(link);
		else if (await(link, POLLIN, question, error) != SL_OK)
			return SL_EIO;
		count = read(link->fd, link->bytes + link->used, room);
		if (count > 0) {
			link->used += (size_t)count;
			end_message(link, (size_t)count < room);
			return SL_OK;
		}
		if (count == 0)
			return SL_FAIL(error, SL_EIO,
				       "%s: %s: the connection was closed",
				       link->name, question);
		if (errno == ETIMEDOUT)
			return fail_late(link, question, error);
		if (errno != EINTR && errno != EAGAIN)
			return fail_errno(link, question, error);
		if (left_ms(link) == 0)
			return fail_late(link, question, error);
	}
}

static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

/* Without the blanks at both ends; a NUL must not hide what follows it. */
static void copy_trimmed(const char *text, size_t size,
			 char answer[LINK_LINE_BYTES])
{
	while (size && is_blank(text[size - 1]))
		size--;
	for (; size && is_blank(*text); text++)
		size--;
	for (size_t at = 0; at < size; at++)
		answer[at] = text[at] ? text[at] : '?';
	answer[size] = '\0';
}

enum sl_code link_listen(struct link *link, const char *question,
			 char answer[LINK_LINE_BYTES], struct sl_error *error)
{
	char *end;

	answer[0] = '\0';
	while (!(end = memchr(link->bytes, '\n', link->used))) {
		enum sl_code code = get_some(link, question, error);

		if (code != SL_OK)
			return code;
	}
	copy_trimmed(link->bytes, (size_t)(end - link->bytes), answer);
	link->used -= (size_t)(end + 1 - link->bytes);
	memmove(link->bytes, end + 1, link->used);
	return SL_OK;
}

enum sl_code link_ask(struct link *link, const char *question,
		      char answer[LINK_LINE_BYTES], struct sl_error *error)
{
	enum sl_code code = link_tell(link, question, error);

	return code == SL_OK ? link_listen(link, question, answer, error)
			     : code;
}

bool link_drain(struct link *link)
{
	const short news = POLLIN | POLLHUP | POLLERR;
	bool any = link->used > 0;
	struct pollfd ready = { .fd = link->fd, .events = POLLIN };

	link->used = 0;
	/* A flood must not keep us: what follows it will not be understood. */
	for (int at = 0; at < 64 && link->kind != LINK_USBTMC; at++) {
		if (poll(&ready, 1, 0) <= 0 || !(ready.revents & news))
			break;
		any = true;
		if (read(link->fd, link->bytes, sizeof(link->bytes)) <= 0)
			break;
	}
	return any;
}
