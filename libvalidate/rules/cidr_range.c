/*
 * cidr_range.c - turn envoy.config.core.v3.CidrRange into what clients compare.
 *
 * Source: gRFC A36, spec G56 to G60.
 */
#include "rules/cidr_range.h"

#include "rules/address.h"

#define MAPPED_BITS 96 /* ::ffff:0:0/96 holds the IPv4 addresses */

static uint32_t bits_of(uint32_t family)
{
    return family == 4 ? 32 : 128;
}

static void mask(struct xds_cidr *cidr)
{
    if (cidr->prefix_len > bits_of(cidr->family))
        cidr->prefix_len = bits_of(cidr->family);
    for (uint32_t i = 0; i < sizeof cidr->ip; i++) {
        const uint32_t left = cidr->prefix_len > 8 * i ? cidr->prefix_len - 8 * i : 0;

        cidr->ip[i] &= (unsigned char)(0xff00U >> (left < 8 ? left : 8));
    }
}

/* IPv4 inside IPv6 as IPv4. The length is then one of IPv4; those that take one of IPv6
 * leave out what the address is inside of. */
static struct xds_cidr unmapped(struct xds_cidr cidr)
{
    static const unsigned char mark[MAPPED_BITS / 8] = {[10] = 0xff, [11] = 0xff};
    struct xds_cidr v4 = {.family = 4,
                          .prefix_len = cidr.prefix_len < MAPPED_BITS
                                            ? cidr.prefix_len
                                            : cidr.prefix_len - MAPPED_BITS};

    if (cidr.family != 6 || memcmp(cidr.ip, mark, sizeof mark) != 0)
        return cidr;
    memcpy(v4.ip, cidr.ip + sizeof mark, 4);
    return v4;
}

/* Without an IPv4 address or a zone at its end. */
static bool is_plain_hex(struct xds_slice text)
{
    return xds_slice_find(text, '.') == text.len && xds_slice_find(text, '%') == text.len;
}

bool xds_cidr_range_read(struct xds_ctx *ctx, const struct xds_path *at,
                         const pb_cidr_range *pb, struct xds_cidr out[XDS_CIDR_FORMS])
{
    const struct xds_slice text = xds_slice_of(pb->address_prefix);
    const uint32_t len = pb->prefix_len ? pb->prefix_len->value : 0;
    struct xds_sockaddr address;
    const bool bare = !xds_slice_starts(text, XDS_S("["));
    struct xds_slice zone;
    bool parsed = xds_sockaddr_parse(text, 0, &address);
    xds_readers refused_by = bare ? 0 : xds_who(ctx, XDS_DIFF_CIDR_BRACKETS);

    if (!parsed) {
        refused_by = XDS_EVERYONE;
        parsed = xds_sockaddr_parse_zone(text, 0, &address, &zone);
        if (parsed)
            refused_by =
                ~(xds_zone_known_to(ctx, &address, text, zone) |
                  (bare && zone.len > 0 ? xds_who(ctx, XDS_DIFF_CIDR_ZONE_ANY) : 0));
    }
    if (parsed && address.family == 6 && !is_plain_hex(text))
        refused_by |= xds_who(ctx, XDS_DIFF_CIDR_HEX_ONLY);
    if (xds_address_resolves(text) || xds_slice_is(text, "localhost"))
        refused_by &= ~xds_who(ctx, XDS_DIFF_CIDR_RESOLVED);
    if ((text.len == 0 || xds_slice_is(text, "localhost")) && refused_by != XDS_EVERYONE)
        parsed = xds_sockaddr_parse(XDS_S("127.0.0.1"), 0, &address);
    if (xds_slice_find(text, '%') < text.len)
        refused_by |= xds_who(ctx, XDS_DIFF_CIDR_ZONE_NONE);
    if (refused_by)
        xds_fire_for(ctx, at, refused_by, XDS_R_CIDR_ADDRESS,
                     XDS_WITH(text, xds_address_fault(ctx->arena, text, 0)));
    if (!parsed)
        return false;
    struct xds_cidr cidr = {.family = address.family, .prefix_len = len};

    memcpy(cidr.ip, address.ip, sizeof cidr.ip);
    out[XDS_CIDR_UNMAPPED] = unmapped(cidr);
    out[XDS_CIDR_AS_WRITTEN] = out[XDS_CIDR_UNMAPPED];
    out[XDS_CIDR_AS_WRITTEN].prefix_len = len;
    if (len > bits_of(out[XDS_CIDR_UNMAPPED].family))
        xds_fire_for(ctx, at,
                     len > bits_of(cidr.family)
                         ? XDS_EVERYONE
                         : xds_who(ctx, XDS_DIFF_CIDR_LENGTH_UNMAPPED),
                     XDS_R_CIDR_PREFIX_LEN,
                     XDS_WITH(xds_number(ctx, len),
                              xds_number(ctx, bits_of(out[XDS_CIDR_UNMAPPED].family))));
    mask(&cidr);
    out[XDS_CIDR_MASKED] = cidr;
    mask(&out[XDS_CIDR_UNMAPPED]);
    return true;
}

struct xds_slice xds_cidr_text(struct xds_arena *arena, const struct xds_cidr *cidr)
{
    struct xds_sockaddr address = {.family = cidr->family};
    char text[XDS_SOCKADDR_TEXT];

    memcpy(address.ip, cidr->ip, sizeof address.ip);

    const size_t len = xds_sockaddr_format(&address, text);

    return xds_arena_printf(arena, "{address_prefix=%.*s, prefix_len=%u}", (int)len, text,
                            cidr->prefix_len);
}
