/*
 * address.c - turn envoy.config.core.v3.Address into a socket address.
 *
 * Source: gRFC A27, spec cluster 0.5.
 */
#include "rules/inner.h"

#include "base/ascii.h"
#include "base/digits.h"

#include <arpa/inet.h>

#define PORT(arm) ENVOY__CONFIG__CORE__V3__SOCKET_ADDRESS__PORT_SPECIFIER_##arm
#define ADDRESS_CASE(arm) ENVOY__CONFIG__CORE__V3__ADDRESS__ADDRESS_##arm

/* Four decimal numbers up to 255 without leading zeros, as inet_pton wants them. */
static bool parse_ipv4(struct xds_slice host, unsigned char ip[4])
{
    size_t i = 0;

    for (unsigned part = 0; part < 4; part++) {
        const size_t start = i;
        unsigned value = 0;

        if (part > 0 && (i == host.len || host.data[i++] != '.'))
            return false;
        const size_t first = part > 0 ? start + 1 : start;
        while (i < host.len && i - first < 3 && (unsigned)(host.data[i] - '0') <= 9)
            value = value * 10 + (unsigned)(host.data[i++] - '0');
        if (i == first || value > 255 || (i - first > 1 && host.data[first] == '0'))
            return false;
        ip[part] = (unsigned char)value;
    }
    return i == host.len;
}

/* "[x]" without its brackets, which only an IPv6 literal can have. */
static bool strip_brackets(struct xds_slice *host)
{
    if (host->len == 0 || host->data[0] != '[')
        return true;
    if (host->len < 2 || host->data[host->len - 1] != ']')
        return false;
    *host = xds_slice_make(host->data + 1, host->len - 2);
    return true;
}

/* A zone is taken as a number only: names of interfaces depend on the machine. */
static bool parse_zone(struct xds_slice *host, uint32_t *scope)
{
    struct xds_slice literal;
    const struct xds_slice zone = xds_slice_cut(*host, '%', &literal);
    uint64_t number;

    if (!zone.data)
        return true;
    if (!xds_slice_to_u64(zone, &number) || number > UINT32_MAX)
        return false;
    *host = literal;
    *scope = (uint32_t)number;
    return true;
}

static bool parse_ipv6(struct xds_slice host, struct xds_sockaddr *out)
{
    char text[INET6_ADDRSTRLEN];

    if (!strip_brackets(&host) || !parse_zone(&host, &out->scope) ||
        host.len >= sizeof text)
        return false;
    if (host.len > 0)
        memcpy(text, host.data, host.len);
    text[host.len] = '\0';
    return inet_pton(AF_INET6, text, out->ip) == 1;
}

bool xds_sockaddr_parse(struct xds_slice host, uint32_t port, struct xds_sockaddr *out)
{
    *out = (struct xds_sockaddr){.family = 4, .port = port};
    if (parse_ipv4(host, out->ip))
        return true;
    *out = (struct xds_sockaddr){.family = 6, .port = port};
    if (parse_ipv6(host, out))
        return true;
    *out = (struct xds_sockaddr){0};
    return false;
}

/* The digits 0 of the scripts that have them, but for ASCII, as Java 17 knows them. */
static const uint16_t zeros[] = {
    0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6,
    0x0c66, 0x0ce6, 0x0d66, 0x0de6, 0x0e50, 0x0ed0, 0x0f20, 0x1040, 0x1090,
    0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40,
    0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10};

/* As an ASCII one, or '\0'. */
static char hex_digit(uint32_t rune)
{
    const uint32_t letter = rune >= 0xff21 && rune <= 0xff26   ? rune - 0xff21
                            : rune >= 0xff41 && rune <= 0xff46 ? rune - 0xff41
                                                               : 6;

    if (rune < 0x80)
        return xds_ascii_hex((char)rune) >= 0 ? (char)rune : '\0';
    if (letter < 6)
        return (char)('a' + letter);
    for (size_t i = 0; i < XDS_ARRAY_LEN(zeros); i++)
        if (rune >= zeros[i] && rune - zeros[i] < 10)
            return (char)('0' + (rune - zeros[i]));
    return '\0';
}

/* Java's "０１" is 1: of leading zeros it sees only the ASCII one. */
bool xds_sockaddr_parse_digits(struct xds_slice host, uint32_t port,
                               struct xds_sockaddr *out)
{
    char text[INET6_ADDRSTRLEN];
    size_t n = 0, digits = 0;
    bool foreign = false, zero = false;
    uint32_t rune;

    *out = (struct xds_sockaddr){0};
    while (host.len > 0) {
        if (n >= sizeof text || !xds_utf8_next(&host, &rune))
            return false;
        const bool ends = rune == '.' || rune == ':';
        const char digit = ends ? (char)rune : hex_digit(rune);

        if (digit == '\0' || (!ends && digits == 4))
            return false;
        n -= zero && !ends;
        zero = digit == '0' && (zero || (rune >= 0x80 && digits == 0));
        digits = ends ? 0 : digits + 1;
        foreign |= rune >= 0x80;
        text[n++] = digit;
    }
    return foreign && xds_sockaddr_parse(xds_slice_make(text, n), port, out);
}

/* Which interfaces there are depends on the machine; all of Linux have this one, and
 * first. */
#define LOOPBACK "lo"

bool xds_sockaddr_parse_zone(struct xds_slice host, uint32_t port,
                             struct xds_sockaddr *out, struct xds_slice *zone)
{
    struct xds_slice literal;

    *out = (struct xds_sockaddr){0};
    if (!strip_brackets(&host))
        return false;
    *zone = xds_slice_cut(host, '%', &literal);
    if (!zone->data || !xds_sockaddr_parse(literal, port, out) || out->family != 6) {
        *out = (struct xds_sockaddr){0};
        return false;
    }
    if (xds_slice_is(*zone, LOOPBACK))
        out->scope = 1;
    return true;
}

xds_readers xds_zone_known_to(const struct xds_ctx *ctx,
                              const struct xds_sockaddr *address, struct xds_slice host,
                              struct xds_slice zone)
{
    const bool bare = !xds_slice_starts(host, XDS_S("["));
    const bool link_local = address->ip[0] == 0xfe && (address->ip[1] & 0xc0) == 0x80;

    if (zone.len == 0)
        return bare ? xds_who(ctx, XDS_DIFF_ZONE_EMPTY) : 0;
    if (xds_slice_is(zone, LOOPBACK))
        return xds_who(ctx, XDS_DIFF_ZONE_LOOPBACK) &
               ~(link_local ? xds_who(ctx, XDS_DIFF_ZONE_LOOPBACK_NOT_LOCAL) : 0);
    return 0;
}

/* Of an address that no client reads as it is: who reads it with its zone. */
static xds_readers zone_readers(const struct xds_ctx *ctx, struct xds_slice host,
                                uint32_t port, struct xds_sockaddr *out)
{
    struct xds_slice zone;

    if (!xds_sockaddr_parse_zone(host, port, out, &zone))
        return 0;
    xds_readers readers = xds_zone_known_to(ctx, out, host, zone);
    bool is_word = zone.len > 0 && !xds_slice_starts(host, XDS_S("["));

    for (size_t i = 0; i < zone.len; i++)
        is_word &= xds_ascii_alpha(zone.data[i]) || xds_ascii_digit(zone.data[i]) ||
                   (zone.data[i] != '\0' && strchr("-.:", zone.data[i]));
    return readers | (is_word ? xds_who(ctx, XDS_DIFF_ZONE_ANY) : 0);
}

/* Digits with which a text begins; false where there are none, or 65536 and more. */
static bool leading_port(struct xds_slice text, uint32_t *port)
{
    size_t n = 0;

    for (*port = 0;
         n < text.len && xds_ascii_digit(text.data[n]) && *port <= XDS_MAX_PORT; n++)
        *port = *port * 10 + (uint32_t)(text.data[n] - '0');
    return n > 0 && *port <= XDS_MAX_PORT;
}

bool xds_sockaddr_parse_joined(struct xds_slice host, uint32_t port,
                               struct xds_sockaddr *out)
{
    const bool opens = xds_slice_starts(host, XDS_S("["));
    const bool in_brackets = opens || xds_slice_find(host, ':') < host.len;

    if (in_brackets) {
        const struct xds_slice rest = opens ? xds_slice_from(host, 1) : host;
        const size_t end = xds_slice_find(rest, ']');

        if (end < rest.len) { /* the port comes after the first "]:" */
            const struct xds_slice after = xds_slice_from(rest, end + 1);

            if (after.len == 0 ? !opens
                               : !xds_slice_starts(after, XDS_S(":")) ||
                                     !leading_port(xds_slice_from(after, 1), &port))
                return false;
            host = xds_slice_make(rest.data, end);
        } else if (opens) {
            return false;
        }
        if (xds_slice_find(host, ':') == host.len)
            return false;
    }
    const size_t end = xds_slice_search(host, XDS_NUL);

    return xds_sockaddr_parse(end < host.len ? xds_slice_make(host.data, end) : host,
                              port, out);
}

/* java's literals: one to four decimal numbers, the last one fills the address up. */
static bool is_short_ipv4(struct xds_slice text)
{
    struct xds_slice part;
    uint64_t number;

    for (unsigned parts = 1; parts <= 4; parts++) {
        text = xds_slice_cut(text, '.', &part);
        if (!xds_slice_to_u64(part, &number))
            return false;
        if (!text.data)
            return number >> (8 * (5 - parts)) == 0;
        if (number > 255)
            return false;
    }
    return false;
}

bool xds_address_resolves(struct xds_slice text)
{
    struct xds_sockaddr ignored;

    return text.len == 0 || is_short_ipv4(text) || xds_sockaddr_parse(text, 0, &ignored);
}

static char *put_ipv4(char *to, const unsigned char ip[4])
{
    for (unsigned i = 0; i < 4; i++) {
        if (i > 0)
            *to++ = '.';
        to = xds_put_digits(to, ip[i]);
    }
    return to;
}

/* Without brackets. */
static char *put_ipv6(char *to, const struct xds_sockaddr *address)
{
    char text[INET6_ADDRSTRLEN];

    if (!inet_ntop(AF_INET6, address->ip, text, sizeof text))
        return to; /* cannot be: the buffer fits all of them */

    const size_t len = strlen(text);

    memcpy(to, text, len);
    to += len;
    if (address->scope > 0) {
        *to++ = '%';
        to = xds_put_digits(to, address->scope);
    }
    return to;
}

size_t xds_sockaddr_format(const struct xds_sockaddr *address, char *buffer)
{
    char *to = buffer;

    if (address->family == 4) {
        to = put_ipv4(to, address->ip);
    } else {
        *to++ = '[';
        to = put_ipv6(to, address);
        *to++ = ']';
    }
    *to++ = ':';
    return (size_t)(xds_put_digits(to, address->port) - buffer);
}

struct xds_slice xds_sockaddr_text(struct xds_arena *arena,
                                   const struct xds_sockaddr *address,
                                   struct xds_slice host)
{
    const bool v4 = address->family == 4;
    char *text = xds_arena_alloc(arena, v4 ? host.len + 12 : XDS_SOCKADDR_TEXT + 1);
    char *to = text;

    if (v4 && xds_ascii_digit(host.data[0])) { /* such a literal has one spelling */
        memcpy(to, host.data, host.len);
        to += host.len;
        *to++ = ':';
        to = xds_put_digits(to, address->port);
    } else {
        to += xds_sockaddr_format(address, to);
    }
    *to = '\0';
    return xds_slice_make(text, (size_t)(to - text));
}

struct xds_slice xds_sockaddr_uri(struct xds_arena *arena,
                                  const struct xds_sockaddr *address)
{
    char host[XDS_SOCKADDR_TEXT];

    if (address->family == 4) {
        const size_t len = xds_sockaddr_format(address, host);

        return xds_arena_printf(arena, "ipv4:%.*s", (int)len, host);
    }

    struct xds_sockaddr literal = *address;

    literal.scope = 0;
    const size_t len = (size_t)(put_ipv6(host, &literal) - host);
    const struct xds_slice zone = address->scope > 0
                                      ? xds_arena_printf(arena, "%%25%u", address->scope)
                                      : XDS_S("");

    return xds_arena_printf(arena, "ipv6:%%5B%.*s%.*s%%5D:%u", (int)len, host,
                            XDS_FMT(zone), address->port);
}

const pb_socket_address *xds_socket_address(const pb_address *pb)
{
    return pb && pb->address_case == ADDRESS_CASE(SOCKET_ADDRESS) ? pb->socket_address
                                                                  : NULL;
}

uint32_t xds_port_value(const pb_socket_address *pb)
{
    return pb->port_specifier_case == PORT(PORT_VALUE) ? pb->port_value : 0;
}

struct xds_slice xds_address_fault(struct xds_arena *arena, struct xds_slice host,
                                   uint32_t port)
{
    const bool bare_v6 =
        !xds_slice_starts(host, XDS_S("[")) && xds_slice_find(host, ':') < host.len;

    return xds_arena_printf(arena,
                            bare_v6 ? "Failed to parse address:[%.*s]:%u"
                                    : "Failed to parse address:%.*s:%u",
                            XDS_FMT(host), port);
}

static bool read_socket_address(struct xds_ctx *ctx, const struct xds_path *at,
                                const pb_socket_address *pb, struct xds_sockaddr *out)
{
    const struct xds_slice host = xds_slice_of(pb->address);
    const uint32_t port = xds_port_value(pb);
    const bool fits = port <= XDS_MAX_PORT;
    const bool parsed = xds_sockaddr_parse(host, port, out);
    xds_readers readers = parsed ? 0 : zone_readers(ctx, host, port, out);

    if (!parsed && !readers && xds_sockaddr_parse_digits(host, port, out))
        readers = xds_who(ctx, XDS_DIFF_ADDRESS_ANY_DIGITS);
    if (!parsed && !readers && xds_sockaddr_parse_joined(host, port, out))
        readers = xds_who(ctx, XDS_DIFF_ADDRESS_JOINED);
    const xds_readers done =
        parsed ? 0 : xds_who(ctx, XDS_DIFF_ADDRESS_BEFORE_PORT) & ~readers;

    if (!fits)
        xds_fire_for(ctx, at, ~done, XDS_R_ADDRESS_PORT, XDS_WITH(xds_number(ctx, port)));
    if (!parsed) {
        xds_fire_for(
            ctx, at,
            (fits ? XDS_EVERYONE : done | xds_who(ctx, XDS_DIFF_ADDRESS_AFTER_BAD_PORT)) &
                ~readers,
            XDS_R_ADDRESS_NOT_IP,
            XDS_WITH(host, xds_address_fault(ctx->arena, host, port)));
        if (!readers || !fits)
            *out = (struct xds_sockaddr){0};
        return readers && fits;
    }
    if (*pb->address == '[')
        xds_fire_with(ctx, at, XDS_R_ADDRESS_BRACKETS, XDS_WITH(host));
    if (!fits)
        *out = (struct xds_sockaddr){0};
    return fits;
}

bool xds_address_read(struct xds_ctx *ctx, const struct xds_path *at,
                      const pb_address *pb, struct xds_sockaddr *out)
{
    const pb_socket_address *socket = xds_socket_address(pb);
    const struct xds_path *field = XDS_AT(at, "socket_address");

    *out = (struct xds_sockaddr){0};
    return socket ? read_socket_address(ctx, field, socket, out)
                  : xds_fire_for(ctx, pb ? field : at,
                                 pb ? ~xds_who(ctx, XDS_DIFF_ADDRESS_OTHER_EMPTY)
                                    : XDS_EVERYONE,
                                 XDS_R_ADDRESS_ABSENT, NULL);
}
