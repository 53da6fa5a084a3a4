/*
 * san.c - subject alternative names beside the matchers of a TLS context.
 *
 * Source: gRFC A29, A101, spec cluster 1.17.
 */
#include "security/security.h"

#include "base/ascii.h"

#include <arpa/inet.h>
#include <stdio.h>

static bool same(struct xds_slice a, struct xds_slice b, bool fold)
{
    return fold ? xds_slice_eq_fold(a, b) : xds_slice_eq(a, b);
}

static struct xds_slice without_dot(struct xds_slice name)
{
    if (name.len > 0 && name.data[name.len - 1] == '.')
        name.len--;
    return name;
}

/* A * is the whole first label of the name in a certificate, and stands for one label. */
static bool dns_matches(struct xds_slice pattern, struct xds_slice san)
{
    pattern = without_dot(pattern);
    san = without_dot(san);
    if (xds_slice_find(san, '*') == san.len)
        return xds_slice_eq_fold(pattern, san);
    if (!xds_slice_starts(san, XDS_S("*.")))
        return false;
    const struct xds_slice rest = xds_slice_from(san, 1);

    if (xds_slice_find(rest, '*') < rest.len || pattern.len <= rest.len)
        return false;
    const size_t label = pattern.len - rest.len;

    return xds_slice_eq_fold(xds_slice_from(pattern, label), rest) &&
           xds_slice_find(pattern, '.') >= label;
}

/* What core takes for a DNS name. */
static bool is_name(struct xds_slice text)
{
    return text.len > 0 && text.data[0] != '.';
}

/* node: the text after the first dot is compared. */
static bool after_star_matches(const struct xds_string_matcher *m, struct xds_slice san)
{
    const struct xds_slice rest =
        m->text.len > 0 ? xds_slice_from(m->text, 1) : xds_slice_make(NULL, 0);

    if (!xds_slice_starts(san, XDS_S("*.")) || xds_slice_find(rest, '.') == rest.len)
        return same(san, m->text, m->fold_case);
    return same(xds_slice_from(san, 2),
                xds_slice_from(m->text, xds_slice_find(m->text, '.') + 1), m->fold_case);
}

/* java: a * in the first label of the matcher stands for any text. */
static bool star_matches(const struct xds_string_matcher *m, struct xds_slice san)
{
    struct xds_slice first, label, head;
    const struct xds_slice after = xds_slice_cut(m->text, '.', &first);
    const struct xds_slice rest = xds_slice_cut(san, '.', &label);
    const struct xds_slice tail = xds_slice_cut(first, '*', &head);

    if (!after.data || !rest.data || !tail.data ||
        xds_slice_find(after, '*') < after.len || xds_slice_find(tail, '*') < tail.len ||
        !same(after, rest, m->fold_case))
        return false;
    return label.len >= head.len + (tail.len > 0 ? tail.len : 1 - (head.len > 0)) &&
           same(xds_slice_make(label.data, head.len), head, m->fold_case) &&
           same(xds_slice_from(label, label.len - tail.len), tail, m->fold_case);
}

static bool exact_matches(const struct xds_rpc *rpc, const struct xds_string_matcher *m,
                          enum xds_san_kind kind, struct xds_slice san)
{
    const bool is_dns = kind == XDS_SAN_DNS;

    if (XDS_DIFFERS(rpc, XDS_DIFF_SAN_EXACT_IS_DNS))
        return is_name(m->text) && is_name(san) && dns_matches(m->text, san);
    if (xds_slice_find(m->text, '*') < m->text.len &&
        XDS_DIFFERS(rpc, XDS_DIFF_SAN_STAR_IN_MATCHER))
        return star_matches(m, san);
    if (is_dns && XDS_DIFFERS(rpc, XDS_DIFF_SAN_STAR_FIRST_LABEL))
        return after_star_matches(m, san);
    if (is_dns && m->text.len > 0 && !XDS_DIFFERS(rpc, XDS_DIFF_SAN_EXACT_AS_TEXT))
        return dns_matches(m->text, san);
    return same(san, m->text, m->fold_case);
}

/* IPv6 with all its numbers. */
static struct xds_slice write_long(struct xds_arena *arena, const unsigned char *ip,
                                   bool capital)
{
    struct xds_text text = {.arena = arena};

    for (size_t i = 0; i < 16; i += 2) {
        char number[6];
        const unsigned value = (unsigned)ip[i] << 8 | ip[i + 1];
        const int len = snprintf(number, sizeof number, capital ? "%X" : "%x", value);

        if (i > 0)
            xds_text_add(&text, XDS_S(":"));
        xds_text_add(&text, xds_slice_make(number, (size_t)len));
    }
    return xds_slice_make(text.data, text.len);
}

/* An IP address as the client writes it before it compares it. */
static struct xds_slice text_of(const struct xds_rpc *rpc, const struct xds_san *san,
                                bool exact)
{
    char text[INET6_ADDRSTRLEN];
    unsigned char ip[16];
    const bool capital = exact && XDS_DIFFERS(rpc, XDS_DIFF_SAN_IP_CAPITAL);

    if (san->kind != XDS_SAN_IP || san->value.len >= sizeof text)
        return san->value;
    memcpy(text, san->value.data, san->value.len);
    text[san->value.len] = '\0';
    if (inet_pton(AF_INET6, text, ip) != 1)
        return san->value;
    if (capital || XDS_DIFFERS(rpc, XDS_DIFF_SAN_IP_LONG))
        return write_long(rpc->arena, ip, capital);
    return inet_ntop(AF_INET6, ip, text, sizeof text)
               ? xds_arena_dup(rpc->arena, xds_slice_of(text))
               : san->value;
}

bool xds_san_matches(const struct xds_rpc *rpc, const struct xds_san_matcher *matcher,
                     const struct xds_san *san)
{
    const struct xds_string_matcher *m = &matcher->string;
    const bool exact = m->kind == XDS_MATCH_EXACT;

    if (!matcher->has_pattern ||
        (san->kind == XDS_SAN_EMAIL && XDS_DIFFERS(rpc, XDS_DIFF_SAN_EMAIL_UNSEEN)))
        return false;
    if (m->text.len == 0 && m->kind != XDS_MATCH_REGEX &&
        XDS_DIFFERS(rpc, XDS_DIFF_SAN_EMPTY_NEVER))
        return false;
    const struct xds_slice text = text_of(rpc, san, exact);

    return exact ? exact_matches(rpc, m, san->kind, text)
                 : xds_string_matches(rpc, m, text);
}

const char *xds_san_matcher_field(const struct xds_san_matcher *matcher)
{
    static const char *const fields[] = {
        [XDS_MATCH_EXACT] = "exact",      [XDS_MATCH_PREFIX] = "prefix",
        [XDS_MATCH_SUFFIX] = "suffix",    [XDS_MATCH_CONTAINS] = "contains",
        [XDS_MATCH_REGEX] = "safe_regex",
    };
    return matcher->has_pattern ? fields[matcher->string.kind] : NULL;
}

/* ---- names as texts ---- */

static const char *const san_names[] = {[XDS_SAN_URI] = "uri",
                                        [XDS_SAN_DNS] = "dns",
                                        [XDS_SAN_EMAIL] = "email",
                                        [XDS_SAN_IP] = "ip"};

const char *xds_san_kind_name(enum xds_san_kind kind)
{
    return san_names[kind];
}

bool xds_san_read(struct xds_slice text, struct xds_san *out)
{
    const size_t colon = xds_slice_find(text, ':');
    const struct xds_slice kind = xds_slice_make(text.data, colon);

    for (size_t i = 0; colon < text.len && i < XDS_ARRAY_LEN(san_names); i++)
        if (xds_slice_eq_fold(kind, xds_slice_of(san_names[i]))) {
            *out =
                (struct xds_san){(enum xds_san_kind)i, xds_slice_from(text, colon + 1)};
            return out->value.len > 0;
        }
    return false;
}
