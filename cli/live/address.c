/*
 * address.c - where a live system is, from the text that names it.
 *
 * Source: gRPC Name Resolution, without the resolvers that are no address.
 */
#include "cli/live/live.h"

#include <stdio.h>
#include <string.h>

static bool fault(struct live_error *error, const char *text, const char *what)
{
    (void)snprintf(error->text, sizeof error->text, "'%.300s' %s", text, what);
    return false;
}

static bool is_port(const char *text)
{
    unsigned number = 0;
    size_t n = 0;

    for (; text[n] >= '0' && text[n] <= '9' && n < 6; n++)
        number = number * 10 + (unsigned)(text[n] - '0');
    return n > 0 && text[n] == '\0' && number > 0 && number <= 65535;
}

static bool read_host(const char *text, const char *host, size_t len, const char *port,
                      struct live_address *out, struct live_error *error)
{
    if (len == 0 || len >= sizeof out->host)
        return fault(error, text, "has no host that can be used");
    if (!is_port(port))
        return fault(error, text, "has no port from 1 to 65535");
    memcpy(out->host, host, len);
    /* Zeros in front of a port mean nothing. */
    (void)snprintf(out->port, sizeof out->port, "%.5s", port + strspn(port, "0"));
    return true;
}

static bool read_host_port(const char *text, const char *rest, struct live_address *out,
                           struct live_error *error)
{
    const char *colon = strrchr(rest, ':');

    if (rest[0] == '[') {
        const char *end = strchr(rest, ']');

        if (!end || end[1] != ':')
            return fault(error, text, "is not [IPv6]:PORT");
        return read_host(text, rest + 1, (size_t)(end - rest - 1), end + 2, out, error);
    }
    if (!colon)
        return fault(error, text, "has no port: HOST:PORT");
    if (memchr(rest, ':', (size_t)(colon - rest)))
        return fault(error, text, "has several colons: [IPv6]:PORT");
    if (memchr(rest, '/', (size_t)(colon - rest)))
        return fault(error, text, "is not HOST:PORT");
    return read_host(text, rest, (size_t)(colon - rest), colon + 1, out, error);
}

static bool read_path(const char *text, const char *path, struct live_address *out,
                      struct live_error *error)
{
    const size_t len = strlen(path);

    if (len == 0)
        return fault(error, text, "has no path");
    if (len >= sizeof out->path)
        return fault(error, text, "is longer than a unix socket's path may be");
    memcpy(out->path, path, len);
    return true;
}

bool live_address(const char *text, struct live_address *out, struct live_error *error)
{
    static const struct {
        const char *text;
        bool is_path;
        size_t keep; /* how much of it is part of what follows */
    } schemes[] = {
        {"unix:///", true, 1}, {"unix:", true, 0},  {"dns:///", false, 0},
        {"ipv4:", false, 0},   {"ipv6:", false, 0},
    };

    *out = (struct live_address){.host = ""};
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        const size_t len = strlen(schemes[i].text);
        const char *rest = text + len - schemes[i].keep;

        if (strncmp(text, schemes[i].text, len) != 0)
            continue;
        return schemes[i].is_path ? read_path(text, rest, out, error)
                                  : read_host_port(text, rest, out, error);
    }
    if (strstr(text, "//"))
        return fault(error, text, "is not HOST:PORT, dns:///HOST:PORT or unix:PATH");
    return read_host_port(text, text, out, error);
}
