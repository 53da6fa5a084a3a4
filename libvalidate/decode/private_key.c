/*
 * private_key.c - private keys that are in a resource.
 *
 * Source: RFC 7468 (PEM), RFC 4648 (base64).
 */
#include "decode/decode.h"

/* PEM and base64 of PEM: how it begins, and what may follow in a private key. */
static const struct form {
    const char *begin;
    size_t rare; /* its character that is rarest in other text */
    const char *kinds[5];
} forms[] = {
    {"-----BEGIN ",
     sizeof "-----BE" - 1,
     {"PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY"}},
    {"LS0tLS1CRUdJTi",
     sizeof "LS0tLS1CRUd" - 1,
     {"BQUklWQVRF", "BSU0EgUFJJ", "BFQyBQUklW", "BFTkNSWVBU"}},
};

static bool begins_key(struct xds_slice text, const struct form *form)
{
    const struct xds_slice begin = xds_slice_of(form->begin);

    if (!xds_slice_starts(text, begin))
        return false;
    for (const char *const *kind = form->kinds; *kind; kind++)
        if (xds_slice_starts(xds_slice_from(text, begin.len), xds_slice_of(*kind)))
            return true;
    return false;
}

/* Where a key of this form begins, or text.len. */
static size_t find_form(struct xds_slice text, const struct form *form)
{
    const char rare = form->begin[form->rare];

    for (size_t at = form->rare; at < text.len; at++) {
        at += xds_slice_find(xds_slice_from(text, at), rare);
        if (begins_key(xds_slice_from(text, at - form->rare), form))
            return at - form->rare;
    }
    return text.len;
}

static size_t find_key(struct xds_slice text)
{
    const size_t pem = find_form(text, &forms[0]), base64 = find_form(text, &forms[1]);

    return pem < base64 ? pem : base64;
}

/* False when there is none. */
static bool find_in_bytes(const struct xds_resource *in, struct xds_place *at)
{
    const size_t begin = find_key(in->bytes);

    if (begin >= in->bytes.len)
        return false;
    *at = in->format == XDS_FORMAT_BINARY ? in->at : xds_place_in(in, begin, begin + 1);
    return true;
}

static bool find_in_tokens(const struct xds_resource *in, struct xds_place *at)
{
    const struct xds_token *token = in->tokens;

    for (; token->kind != XDS_TOKEN_END && token->kind != XDS_TOKEN_ERROR; token++) {
        if (token->kind != XDS_TOKEN_STRING || find_key(token->text) >= token->text.len)
            continue;
        *at = (struct xds_place){in->at.file, token->line, token->column, token->end_line,
                                 token->end_column};
        return true;
    }
    return false;
}

static bool find(const struct xds_resource *in, struct xds_place *at)
{
    switch (in->format) {
    case XDS_FORMAT_JSON:
    case XDS_FORMAT_BINARY:
        return find_in_bytes(in, at);
    case XDS_FORMAT_YAML:
    case XDS_FORMAT_TEXT_PROTO:
        return find_in_tokens(in, at);
    }
    return false;
}

void xds_check_private_key(const struct xds_resource *in, uint32_t resource,
                           struct xds_report *report)
{
    struct xds_place at;

    if (find(in, &at))
        (void)xds_report_at(
            report, xds_rule_row(XDS_R_DEC_PRIVATE_KEY), resource, at,
            "input contains a private key: anyone who can read this file, a dump or a "
            "log of it has the key; name a certificate provider instead");
}
