/*
 * address.c - where a live system is, from the text that names it.
 *
 * Source: gRPC Name Resolution, without the resolvers that are no address.
 */
#include "cli/live/live.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define DEFAULT_PORT "443"

static bool fault(struct live_error *error, const char *text, const char *what)
{
    (void)snprintf(error->text, sizeof error->text, "'%.300s' %s", text, what);
    return false;
}

static bool is_ip(int family, const char *text)
{
    unsigned char address[16];

    return inet_pton(family, text, address) == 1;
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
    if (port && !is_port(port))
        return fault(error, text, "has no port from 1 to 65535");
    memcpy(out->host, host, len);
    out->host[len] = '\0';
    out->has_port = port != NULL;
    /* Zeros in front of a port mean nothing. */
    (void)snprintf(out->port, sizeof out->port, "%.5s",
                   port ? port + strspn(port, "0") : DEFAULT_PORT);
    return true;
}

static bool read_host_port(const char *text, const char *rest, struct live_address *out,
                           struct live_error *error)
{
    const char *colon = strrchr(rest, ':');

    if (rest[0] == '[') {
        const char *end = strchr(rest, ']');

        if (!end || (end[1] != ':' && end[1] != '\0'))
            return fault(error, text, "is not [IPv6]:PORT");
        return read_host(text, rest + 1, (size_t)(end - rest - 1),
                         end[1] == ':' ? end + 2 : NULL, out, error);
    }
    if (strchr(rest, '/'))
        return fault(error, text, "is not HOST:PORT");
    if (!colon)
        return read_host(text, rest, strlen(rest), NULL, out, error);
    /* As all clients read it: a bare IPv6 address has no port. */
    if (memchr(rest, ':', (size_t)(colon - rest)))
        return is_ip(AF_INET6, rest)
                   ? read_host(text, rest, strlen(rest), NULL, out, error)
                   : fault(error, text, "has several colons: [IPv6]:PORT");
    return read_host(text, rest, (size_t)(colon - rest), colon + 1, out, error);
}

static bool is_loopback(const char *host)
{
    return strcmp(host, "localhost") == 0 || strcmp(host, "::1") == 0 ||
           (strncmp(host, "127.", 4) == 0 && is_ip(AF_INET, host));
}

bool live_is_local(const struct live_address *address)
{
    const char *rest = address->others;
    struct live_address more;
    bool local = address->path[0] != '\0' || is_loopback(address->host);

    while (live_next_address(&rest, &more))
        local &= is_loopback(more.host);
    return local;
}

/* ---- ipv4: and ipv6: ---- */

bool live_next_address(const char **rest, struct live_address *out)
{
    char one[sizeof out->host];
    struct live_error error;
    const size_t len = *rest ? strcspn(*rest + 1, ",") : 0;

    if (!*rest || **rest == '\0' || len >= sizeof one)
        return false;
    memcpy(one, *rest + 1, len);
    one[len] = '\0';
    *rest += len + 1;
    return len == 0 ? live_next_address(rest, out)
                    : read_host_port(one, one, out, &error);
}

static bool read_one_ip(const char *text, int family, const char *item, size_t len,
                        struct live_address *out, struct live_error *error)
{
    char one[sizeof out->host];

    if (len >= sizeof one)
        return fault(error, text, "has an address that is too long");
    memcpy(one, item, len);
    one[len] = '\0';
    if (!read_host_port(text, one, out, error))
        return false;
    if (!out->has_port)
        return fault(error, text, "needs a port for each address");
    return is_ip(family, out->host) ||
           fault(error, text,
                 family == AF_INET ? "is not ipv4:IP:PORT,..."
                                   : "is not ipv6:[IP]:PORT,...");
}

/* A list; empty items of it are left out, as clients do. */
static bool read_ips(const char *text, const char *rest, int family,
                     struct live_address *out, struct live_error *error)
{
    struct live_address first = {.host = ""};
    size_t n = 0;

    for (const char *item = rest; *item != '\0';) {
        const size_t len = strcspn(item, ",");

        if (len > 0 && !read_one_ip(text, family, item, len, out, error))
            return false;
        if (len > 0 && n++ == 0) {
            first = *out;
            first.others = item + len;
        }
        item += len + (item[len] == ',');
    }
    *out = first;
    if (n > LIVE_MOST_ADDRESSES)
        return fault(error, text, "has too many addresses");
    return n > 0 || fault(error, text, "has no address");
}

/* ---- unix: ---- */

static bool read_path(const char *text, const char *path, bool is_abstract,
                      struct live_address *out, struct live_error *error)
{
    const size_t len = strlen(path);

    if (len == 0)
        return fault(error, text, is_abstract ? "has no name" : "has no path");
    /* The name of an abstract one has a NUL in front. */
    if (len + is_abstract >= sizeof out->path)
        return fault(error, text, "is longer than a unix socket's path may be");
    memcpy(out->path, path, len);
    out->is_abstract = is_abstract;
    return true;
}

/* ---- dns: ---- */

static bool read_dns(const char *text, const char *rest, struct live_address *out,
                     struct live_error *error)
{
    if (rest[0] != '/')
        return read_host_port(text, rest, out, error);
    if (rest[1] != '/')
        return read_host_port(text, rest + 1, out, error);
    const size_t len = strcspn(rest + 2, "/");

    if (rest[2 + len] != '/')
        return fault(error, text, "is not dns://SERVER/HOST:PORT");
    if (len >= sizeof out->dns)
        return fault(error, text, "has a DNS server that cannot be one");
    if (!read_host_port(text, rest + 2 + len + 1, out, error))
        return false;
    memcpy(out->dns, rest + 2, len);
    out->dns[len] = '\0';
    return true;
}

/* ---- all of it ---- */

static const char *after(const char *text, const char *scheme)
{
    const size_t len = strlen(scheme);

    return strncasecmp(text, scheme, len) == 0 ? text + len : NULL;
}

/* The slashes of SCHEME:///. */
static const char *bare(const char *rest)
{
    return strncmp(rest, "///", 3) == 0 ? rest + 3 : rest;
}

bool live_address(const char *text, struct live_address *out, struct live_error *error)
{
    const char *rest;

    *out = (struct live_address){.host = ""};
    if ((rest = after(text, "unix-abstract:")))
        return read_path(text, rest[0] == '/' ? bare(rest) - (bare(rest) != rest) : rest,
                         true, out, error);
    if ((rest = after(text, "unix:")))
        return strncmp(rest, "//", 2) == 0 && rest[2] != '/'
                   ? fault(error, text, "has a host before its path: unix:///PATH")
                   : read_path(text, bare(rest) - (bare(rest) != rest), false, out,
                               error);
    if ((rest = after(text, "ipv4:")))
        return read_ips(text, bare(rest), AF_INET, out, error);
    if ((rest = after(text, "ipv6:")))
        return read_ips(text, bare(rest), AF_INET6, out, error);
    if ((rest = after(text, "dns:")))
        return read_dns(text, rest, out, error);
    if (strstr(text, "//"))
        return fault(error, text, "is not HOST:PORT, dns:///HOST:PORT or unix:PATH");
    return read_host_port(text, text, out, error);
}
