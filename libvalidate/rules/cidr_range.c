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

/* Of a masked range: when its prefix is shorter, the mark of IPv4 is no longer whole. */
static void unmap(struct xds_cidr *cidr)
{
    static const unsigned char mark[MAPPED_BITS / 8] = {[10] = 0xff, [11] = 0xff};
    struct xds_cidr v4 = {.family = 4};

    if (cidr->family != 6 || memcmp(cidr->ip, mark, sizeof mark) != 0)
        return;
    v4.prefix_len = cidr->prefix_len - MAPPED_BITS;
    memcpy(v4.ip, cidr->ip + sizeof mark, 4);
    *cidr = v4;
}

bool xds_cidr_range_read(struct xds_ctx *ctx, const struct xds_path *at,
                         const pb_cidr_range *pb, struct xds_cidr out[XDS_CIDR_FORMS])
{
    const struct xds_slice text = xds_slice_of(pb->address_prefix);
    const uint32_t len = pb->prefix_len ? pb->prefix_len->value : 0;
    struct xds_sockaddr address;
    const bool parsed = xds_sockaddr_parse(text, 0, &address);
    xds_readers refused_by = 0;

    if (!parsed)
        refused_by = XDS_EVERYONE;
    else if (xds_slice_starts(text, XDS_S("[")))
        refused_by = xds_who(ctx, XDS_DIFF_CIDR_BRACKETS);
    if (xds_address_resolves(text) || xds_slice_is(text, "localhost"))
        refused_by &= ~xds_who(ctx, XDS_DIFF_CIDR_RESOLVED);
    if (refused_by)
        xds_fire_for(ctx, at, refused_by, XDS_R_CIDR_ADDRESS,
                     XDS_WITH(text, xds_address_fault(ctx->arena, text, 0)));
    if (!parsed)
        return false;
    if (len > bits_of(address.family))
        xds_fire_with(
            ctx, at, XDS_R_CIDR_PREFIX_LEN,
            XDS_WITH(xds_number(ctx, len), xds_number(ctx, bits_of(address.family))));

    struct xds_cidr cidr = {.family = address.family, .prefix_len = len};

    memcpy(cidr.ip, address.ip, sizeof cidr.ip);
    out[XDS_CIDR_AS_WRITTEN] = cidr;
    mask(&cidr);
    out[XDS_CIDR_MASKED] = cidr;
    unmap(&cidr);
    out[XDS_CIDR_UNMAPPED] = cidr;
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
