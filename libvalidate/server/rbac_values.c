/*
 * rbac_values.c - headers and addresses as the rules of an RBAC filter see them.
 *
 * A request has headers as the application of the peer set them: those whose name ends in
 * -bin in the clear, not as base64. Source: gRFC A41, spec listener 8.3, RB16 to RB18,
 * RB22.
 */
#include "server/rbac.h"

#include "base/ascii.h"
#include "base/base64.h"

/* ---- headers ---- */

static struct xds_slice in_base64(const struct xds_rpc *rpc, struct xds_slice bytes)
{
    const size_t size = xds_base64_encode(bytes, NULL, 0);
    char *text = xds_arena_alloc(rpc->arena, size + 1);
    size_t len = xds_base64_encode(bytes, text, size);

    if (XDS_DIFFERS(rpc, XDS_DIFF_RBAC_BINARY_UNPADDED))
        while (len > 0 && text[len - 1] == '=')
            len--;
    return xds_slice_make(text, len);
}

/* All values of a name in lower case, with a comma between them. */
static bool joined(const struct xds_rpc *rpc, struct xds_slice name,
                   struct xds_slice *value)
{
    const bool encode = xds_slice_ends(name, XDS_S("-bin")) &&
                        XDS_DIFFERS(rpc, XDS_DIFF_RBAC_BINARY_ENCODED);
    struct xds_text all = {.arena = rpc->arena};
    struct xds_slice one;
    size_t n = 0;

    for (; xds_metadata_nth(rpc, name, n, &one); n++) {
        if (encode)
            one = in_base64(rpc, one);
        if (n == 0) {
            *value = one;
            continue;
        }
        if (n == 1)
            xds_text_add(&all, *value);
        xds_text_add(&all, XDS_S(","));
        xds_text_add(&all, one);
    }
    if (n > 1)
        *value = xds_slice_make(all.data, all.len);
    return n > 0;
}

static bool has_capital(struct xds_slice name)
{
    for (size_t i = 0; i < name.len; i++)
        if (name.data[i] != xds_ascii_lower(name.data[i]))
            return true;
    return false;
}

static struct xds_slice lower(const struct xds_rpc *rpc, struct xds_slice name)
{
    char *text = xds_arena_alloc(rpc->arena, name.len);

    for (size_t i = 0; i < name.len; i++)
        text[i] = xds_ascii_lower(name.data[i]);
    return xds_slice_make(text, name.len);
}

static bool absent(const char **because, const char *why)
{
    *because = why;
    return false;
}

static bool give(struct xds_slice *value, struct xds_slice what)
{
    *value = what;
    return true;
}

static bool get_pseudo(const struct xds_rpc *rpc, struct xds_slice name,
                       struct xds_slice *value, const char **because)
{
    if (xds_slice_is(name, ":path"))
        return XDS_DIFFERS(rpc, XDS_DIFF_RBAC_PATH_HIDDEN)
                   ? absent(because, "this release does not see the path as a header")
                   : give(value, rpc->request->path);
    if (xds_slice_is(name, ":method"))
        return give(value, XDS_S("POST"));
    if (xds_slice_is(name, ":authority"))
        return give(value, rpc->request->authority);
    return absent(because, "no rule sees this pseudo header");
}

static bool get_content_type(const struct xds_rpc *rpc, struct xds_slice *value,
                             const char **because)
{
    if (XDS_DIFFERS(rpc, XDS_DIFF_RBAC_CONTENT_TYPE_HIDDEN))
        return absent(because, "the server takes content-type off before its filters");
    if (!XDS_DIFFERS(rpc, XDS_DIFF_RBAC_CONTENT_TYPE_CONSTANT) &&
        joined(rpc, XDS_S("content-type"), value))
        return true;
    return give(value, XDS_S("application/grpc"));
}

/* What HTTP/2 does not allow, and what servers take off. */
static bool is_taken_off(struct xds_slice name)
{
    static const char *const names[] = {
        "connection", "keep-alive",        "proxy-connection",
        "te",         "transfer-encoding", "upgrade",
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(names); i++)
        if (xds_slice_is(name, names[i]))
            return true;
    return false;
}

bool xds_rbac_header(const struct xds_server_rpc *server_rpc, struct xds_slice name,
                     unsigned depth, struct xds_slice *value, const char **because)
{
    const struct xds_rpc *rpc = &server_rpc->rpc;

    *because = NULL;
    if (has_capital(name)) {
        const struct xds_slice folded = lower(rpc, name);
        /* core compares these two without regard to case. */
        const bool is_host =
            xds_slice_is(folded, "host") || xds_slice_is(folded, ":authority");

        if (XDS_DIFFERS(rpc, XDS_DIFF_RBAC_NAME_AS_WRITTEN) &&
            !(is_host && XDS_DIFFERS(rpc, XDS_DIFF_RBAC_HOST_FOLDED)))
            return absent(because, "names of headers arrive in lower case, and this "
                                   "release compares them as written");
        name = folded;
    }
    if (xds_slice_is(name, "host") && !XDS_DIFFERS(rpc, XDS_DIFF_RBAC_HOST_PLAIN)) {
        if (depth > 0 && XDS_DIFFERS(rpc, XDS_DIFF_RBAC_HEADER_TOPMOST))
            return absent(because, "this release takes host for :authority only in a "
                                   "rule that is in no other");
        name = XDS_S(":authority");
    }
    if (name.len == 0)
        return false;
    if (name.data[0] == ':')
        return get_pseudo(rpc, name, value, because);
    if (is_taken_off(name))
        return absent(because, "no rule sees a header of the connection");
    if (xds_slice_ends(name, XDS_S("-bin")) &&
        XDS_DIFFERS(rpc, XDS_DIFF_RBAC_BINARY_HIDDEN))
        return absent(because, "no rule sees a header whose name ends in -bin");
    if (xds_slice_is(name, "content-type"))
        return get_content_type(rpc, value, because);
    return joined(rpc, name, value);
}

/* ---- addresses ---- */

static const unsigned char mapped_prefix[12] = {[10] = 0xff, [11] = 0xff};

/* IPv4 inside IPv6 as IPv4. */
static struct xds_ip unmap(const struct xds_ip *ip)
{
    struct xds_ip out = {.family = 4};

    if (ip->family != 6 || memcmp(ip->bytes, mapped_prefix, sizeof mapped_prefix) != 0)
        return *ip;
    memcpy(out.bytes, ip->bytes + sizeof mapped_prefix, 4);
    return out;
}

/* java's literals: one to four decimal numbers, the last one fills the address up; and
 * what its resolver knows without asking. */
static bool resolve(struct xds_slice text, struct xds_ip *out)
{
    struct xds_slice part;
    unsigned parts = 0;
    uint64_t number = 0;

    *out = (struct xds_ip){.family = 4};
    if (text.len == 0 || xds_slice_eq_fold(text, XDS_S("localhost"))) {
        out->bytes[0] = 127;
        out->bytes[3] = 1;
        return true;
    }
    for (;; parts++) {
        text = xds_slice_cut(text, '.', &part);
        if (parts == 4 || !xds_slice_to_u64(part, &number))
            return false;
        if (!text.data)
            break;
        if (number > 255)
            return false;
        out->bytes[parts] = (unsigned char)number;
    }
    for (unsigned i = 4; i-- > parts; number >>= 8)
        out->bytes[i] = (unsigned char)number;
    return number == 0;
}

static bool bit(const struct xds_ip *ip, unsigned i)
{
    return (ip->bytes[i / 8] >> (7 - i % 8) & 1) != 0;
}

static bool same_prefix(const struct xds_ip *a, const struct xds_ip *b, unsigned bits)
{
    const unsigned whole = bits / 8;

    return memcmp(a->bytes, b->bytes, whole) == 0 &&
           (bits % 8 == 0 || (a->bytes[whole] ^ b->bytes[whole]) >> (8 - bits % 8) == 0);
}

/* Is a bit set after the prefix? */
static bool has_rest(const struct xds_ip *ip, unsigned from, unsigned bits)
{
    for (unsigned i = from; i < bits; i++)
        if (bit(ip, i))
            return true;
    return false;
}

bool xds_rbac_in_range(const struct xds_rpc *rpc, const struct xds_ip_range *range,
                       const struct xds_ip *ip)
{
    const struct xds_ip address =
        XDS_DIFFERS(rpc, XDS_DIFF_RBAC_IP_MAPPED_KEPT) ? *ip : unmap(ip);
    struct xds_ip prefix = range->ip;

    if (XDS_DIFFERS(rpc, XDS_DIFF_RBAC_ADDRESS_RESOLVED)) {
        if (!range->ip.family && !resolve(range->text, &prefix))
            return false;
        prefix = unmap(&prefix);
    } else if (!range->is_plain) {
        return false;
    }
    if (prefix.family == 0 || prefix.family != address.family)
        return false;

    const unsigned bits = prefix.family == 4 ? 32 : 128;
    unsigned len = range->prefix_len < bits ? range->prefix_len : bits;

    if (len == 0 && XDS_DIFFERS(rpc, XDS_DIFF_RBAC_IP_FIRST_BIT))
        len = 1;
    if (range->prefix_len > bits && XDS_DIFFERS(rpc, XDS_DIFF_RBAC_IP_LONG_IS_NONE))
        len = 0;
    if (XDS_DIFFERS(rpc, XDS_DIFF_RBAC_IP_NOT_MASKED) && has_rest(&prefix, len, bits))
        return false;
    return same_prefix(&prefix, &address, len);
}
