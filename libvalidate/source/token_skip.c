/*
 * token_skip.c - over a value that was read before.
 *
 * Fails:  only where the text of JSON ends too early or its brackets do not match.
 */
#include "source/json/scan.h"
#include "source/token.h"

static bool skip_json(struct xds_tokens *tokens, size_t begin)
{
    const struct xds_slice rest =
        xds_slice_make(tokens->text + begin, tokens->len - begin);
    struct xds_scan scan;
    size_t used;

    xds_scan_init(&scan);
    if (xds_scan_step(&scan, rest, true, &used) != XDS_SCAN_DONE)
        return false;
    tokens->pos = begin + used;
    tokens->depth--;
    tokens->due = (enum xds_token_due)tokens->behind[tokens->depth];
    return true;
}

bool xds_tokens_skip_valid(struct xds_tokens *tokens, const struct xds_token *first)
{
    struct xds_token ignored;

    if (first->kind != XDS_TOKEN_OBJECT && first->kind != XDS_TOKEN_ARRAY)
        return true;
    if (tokens->format == XDS_FORMAT_JSON)
        return skip_json(tokens, first->begin);
    return xds_tokens_skip(tokens, first, &ignored);
}
