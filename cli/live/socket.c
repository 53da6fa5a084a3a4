/*
 * socket.c - a socket that is connected, and waiting for one.
 *
 * Fails:  with what the last address of a name has said.
 */
#include "cli/live/inner.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

bool live_fault(struct live_error *error, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    return false;
}

int64_t live_now(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- signals ---- */

enum { FAREWELL_SECONDS = 1 };

/* Handlers have no other way to say that they were called. */
static volatile sig_atomic_t stopped;
static struct sigaction old_int, old_term, old_alarm, old_pipe;
static unsigned holders;
static bool is_told; /* the caller knows that it has to stop */

/* A caller that does not wait in time, or is asked twice, ends at once: by the handlers
 * of the program. */
static void end_at_once(int signal_number)
{
    (void)signal_number;
    (void)sigaction(SIGINT, &old_int, NULL);
    (void)sigaction(SIGTERM, &old_term, NULL);
    (void)raise(stopped);
}

static void note_signal(int signal_number)
{
    if (stopped)
        end_at_once(signal_number);
    stopped = signal_number;
    (void)alarm(FAREWELL_SECONDS);
}

/* The two that stop the waiting. */
static sigset_t stopping(void)
{
    sigset_t set;

    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGINT);
    (void)sigaddset(&set, SIGTERM);
    return set;
}

void live_hold_signals(void)
{
    struct sigaction action = {.sa_handler = note_signal, .sa_flags = SA_RESTART};

    if (holders++ > 0)
        return;
    stopped = 0;
    is_told = false;
    action.sa_mask = stopping();
    (void)sigaction(SIGINT, &action, &old_int);
    (void)sigaction(SIGTERM, &action, &old_term);
    /* A parent that ignores one, such as nohup, wants it ignored. */
    if (old_int.sa_handler == SIG_IGN)
        (void)sigaction(SIGINT, &old_int, NULL);
    if (old_term.sa_handler == SIG_IGN)
        (void)sigaction(SIGTERM, &old_term, NULL);
    action.sa_handler = end_at_once;
    (void)sigaction(SIGALRM, &action, &old_alarm);
    action.sa_handler = SIG_IGN;
    (void)sigaction(SIGPIPE, &action, &old_pipe); /* OpenSSL cannot do without */
}

void live_drop_signals(void)
{
    if (--holders > 0)
        return;
    (void)sigaction(SIGPIPE, &old_pipe, NULL);
    (void)sigaction(SIGINT, &old_int, NULL);
    (void)sigaction(SIGTERM, &old_term, NULL);
    (void)alarm(0);
    (void)sigaction(SIGALRM, &old_alarm, NULL);
    if (stopped && !is_told)
        (void)raise(stopped);
}

int live_stopped(void)
{
    is_told = stopped != 0;
    return stopped;
}

/* ---- waiting ---- */

enum live_status socket_wait_any(struct pollfd *polled, size_t n, int64_t deadline)
{
    for (;;) {
        const int64_t left = deadline - live_now();

        /* Blocked but for the time of waiting, so none comes just before it. */
        const sigset_t set = stopping();
        sigset_t before;

        (void)sigprocmask(SIG_BLOCK, &set, &before);
        const int ready =
            stopped ? -1 : socket_poll(polled, n, left > 0 ? left : 0, &before);
        const int why = errno;

        (void)sigprocmask(SIG_SETMASK, &before, NULL);
        if (live_stopped())
            return LIVE_STOPPED;
        if (ready > 0)
            return LIVE_OK;
        if (ready == 0 && live_now() >= deadline)
            return LIVE_TIMED_OUT;
        if (ready < 0 && why != EINTR) {
            for (size_t i = 0; i < n; i++)
                polled[i].revents = POLLIN; /* the next read says what is wrong */
            return LIVE_OK;
        }
    }
}

enum live_status socket_wait(int fd, short events, int64_t deadline)
{
    struct pollfd one = {.fd = fd, .events = events};

    return socket_wait_any(&one, 1, deadline);
}

enum live_status live_sleep(int64_t deadline)
{
    return socket_wait_any(NULL, 0, deadline);
}

/* ---- connecting ---- */

/* 0, or an errno; ETIMEDOUT also when the deadline has come. */
static int finish(int fd, int64_t deadline, enum live_status *status)
{
    int error = 0;
    socklen_t size = sizeof error;

    *status = socket_wait(fd, POLLOUT, deadline);
    if (*status != LIVE_OK)
        return ETIMEDOUT;
    return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

/* -1: errno says why not. */
static int open_socket(int family)
{
    const int fd = socket(family, SOCK_STREAM, 0);

    if (fd >= 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 &&
        fcntl(fd, F_SETFL, O_NONBLOCK) == 0)
        return fd;
    const int why = errno;

    if (fd >= 0)
        (void)close(fd);
    errno = why;
    return -1;
}

/* -1: errno and *status say why not. */
static int connect_one(int family, const struct sockaddr *address, socklen_t size,
                       int64_t deadline, enum live_status *status)
{
    const int on = 1, fd = open_socket(family);
    int error = 0;

    *status = LIVE_FAILED;
    if (fd < 0)
        return -1;
    if (family != AF_UNIX)
        (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (connect(fd, address, size) != 0) {
        error = errno;
        if (error == EINPROGRESS)
            error = finish(fd, deadline, status);
    }
    if (error == 0) {
        *status = LIVE_OK;
        return fd;
    }
    if (*status == LIVE_OK)
        *status = LIVE_FAILED;
    (void)close(fd);
    errno = error;
    return -1;
}

/* The name of an abstract one is as long as it is. */
static int connect_path(const struct live_address *to, int64_t deadline,
                        enum live_status *status, struct live_error *error)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const size_t len = strlen(to->path);

    memcpy(address.sun_path + to->is_abstract, to->path, len);
    const socklen_t size =
        to->is_abstract ? (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + len)
                        : (socklen_t)sizeof address;
    const int fd =
        connect_one(AF_UNIX, (const struct sockaddr *)&address, size, deadline, status);

    if (fd < 0)
        (void)live_fault(error, "%s", strerror(errno));
    return fd;
}

/* Every address has its share of the time that is left. */
static int connect_any(const struct addrinfo *all, int64_t deadline,
                       enum live_status *status, struct live_error *error)
{
    int n = 0, fd = -1, last = ECONNREFUSED;

    for (const struct addrinfo *a = all; a; a = a->ai_next)
        n++;
    for (const struct addrinfo *a = all; a && fd < 0; a = a->ai_next) {
        const int64_t now = live_now();

        fd = connect_one(a->ai_family, a->ai_addr, a->ai_addrlen,
                         now + (deadline - now) / n--, status);
        last = errno;
        if (*status == LIVE_STOPPED)
            break;
    }
    if (fd < 0)
        (void)live_fault(error, "%s", strerror(last));
    return fd;
}

bool socket_resolve(const struct live_address *address, struct addrinfo **all,
                    enum live_status *status, struct live_error *error)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};

    *all = NULL;
    if (address->path[0] != '\0' || address->others)
        return true;

    const int code = getaddrinfo(address->host, address->port, &hints, all);

    *status = code == EAI_MEMORY ? LIVE_NO_MEMORY : LIVE_FAILED;
    if (code == EAI_NONAME)
        (void)live_fault(error, "no such host");
    else if (code == EAI_SYSTEM)
        (void)live_fault(error, "%s", strerror(errno));
    else if (code != 0)
        (void)live_fault(error, "%s", gai_strerror(code));
    return code == 0;
}

/* IP addresses: none of them is looked up. */
static int connect_list(const struct live_address *address, int64_t deadline,
                        enum live_status *status, struct live_error *error)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM,
                                   .ai_flags = AI_NUMERICHOST};
    const char *rest = address->others;
    struct live_address one = *address;
    struct addrinfo *all;
    int n = 1, fd = -1;

    for (struct live_address more; live_next_address(&rest, &more);)
        n++;
    rest = address->others;
    do {
        const int64_t now = live_now();

        *status = LIVE_FAILED;
        if (getaddrinfo(one.host, one.port, &hints, &all) != 0) {
            (void)live_fault(error, "no such host");
            continue;
        }
        fd = connect_any(all, now + (deadline - now) / n, status, error);
        freeaddrinfo(all);
    } while (--n > 0 && fd < 0 && *status != LIVE_STOPPED &&
             live_next_address(&rest, &one));
    return fd;
}

int socket_connect(const struct live_address *address, const struct addrinfo *all,
                   int64_t deadline, enum live_status *status, struct live_error *error)
{
    if (address->others)
        return connect_list(address, deadline, status, error);
    if (!all)
        return connect_path(address, deadline, status, error);
    const int fd = connect_any(all, deadline, status, error);
    const struct live_error plain = *error;

    if (fd < 0 && !address->has_port)
        (void)live_fault(error, "%.400s (port %s, as the address has none)", plain.text,
                         address->port);
    return fd;
}
