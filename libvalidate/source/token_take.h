/*
 * token_take.h - what nearly all JSON text consists of, read without making tokens of it.
 *
 * Each function takes just what it is named for, and true says that the tokens are
 * after it. Whatever else comes next, and were it only a fault, is left to
 * xds_tokens_next(): false says that nothing has changed. Inline, for the builder.
 */
#ifndef XDS_SOURCE_TOKEN_TAKE_H
#define XDS_SOURCE_TOKEN_TAKE_H

#include "base/ascii.h"
#include "source/plain_text.h"
#include "source/token.h"

static inline bool xds_tokens_is_at(const struct xds_tokens *t, size_t pos, char c)
{
    return pos < t->len && t->text[pos] == c;
}

/* The first byte from pos on that is no white space, or the end. */
static inline size_t xds_tokens_skip_blank(const struct xds_tokens *t, size_t pos)
{
    return pos < t->len && xds_is_blank(t->text[pos])
               ? xds_blanks_end(t->text, pos + 1, t->len)
               : pos;
}

/* ---- levels ---- */

/* An object or list begins: depth must be less than XDS_MAX_NESTING. */
static inline void xds_tokens_open(struct xds_tokens *t, bool object)
{
    t->depth++;
    t->behind[t->depth] = object ? XDS_DUE_MORE_MEMBERS : XDS_DUE_MORE_ITEMS;
    t->due = object ? XDS_DUE_FIRST_MEMBER : XDS_DUE_FIRST_ITEM;
}

/* A value is complete. */
static inline void xds_tokens_value_done(struct xds_tokens *t, size_t end)
{
    t->pos = end;
    t->due = (enum xds_token_due)t->behind[t->depth];
}

/* Where a value is due: an opening bracket. */
static inline bool xds_tokens_take_bracket(struct xds_tokens *t, char bracket)
{
    const size_t pos = xds_tokens_skip_blank(t, t->pos);

    if (t->due != XDS_DUE_VALUE || !xds_tokens_is_at(t, pos, bracket) ||
        t->depth >= XDS_MAX_NESTING)
        return false;
    xds_tokens_open(t, bracket == '{');
    t->pos = pos + 1;
    return true;
}

static inline bool xds_tokens_take_object(struct xds_tokens *t)
{
    return xds_tokens_take_bracket(t, '{');
}

static inline bool xds_tokens_take_list(struct xds_tokens *t)
{
    return xds_tokens_take_bracket(t, '[');
}

/* Within an object: its closing brace. */
static inline bool xds_tokens_take_end(struct xds_tokens *t)
{
    const size_t pos = xds_tokens_skip_blank(t, t->pos);

    if ((t->due != XDS_DUE_MORE_MEMBERS && t->due != XDS_DUE_FIRST_MEMBER) ||
        !xds_tokens_is_at(t, pos, '}'))
        return false;
    t->depth--;
    xds_tokens_value_done(t, pos + 1);
    return true;
}

/* Within a list: the comma before its next item, if it needs one, and no more. */
static inline bool xds_tokens_take_item(struct xds_tokens *t)
{
    size_t pos = xds_tokens_skip_blank(t, t->pos);

    if (t->due == XDS_DUE_MORE_ITEMS && xds_tokens_is_at(t, pos, ','))
        pos = xds_tokens_skip_blank(t, pos + 1);
    else if (t->due != XDS_DUE_FIRST_ITEM)
        return false;
    if (xds_tokens_is_at(t, pos, ']'))
        return false;
    t->due = XDS_DUE_VALUE;
    t->pos = pos;
    return true;
}

/* The same of tokens that were recorded. */
bool xds_tokens_take_recorded_key(struct xds_tokens *tokens, struct xds_slice quoted);

/* Where the next key of an object begins, if one may follow, or else the end. */
static inline size_t xds_tokens_key_begin(const struct xds_tokens *t)
{
    const size_t pos = xds_tokens_skip_blank(t, t->pos);

    if (t->due == XDS_DUE_MORE_MEMBERS && xds_tokens_is_at(t, pos, ','))
        return xds_tokens_skip_blank(t, pos + 1);
    return t->due == XDS_DUE_FIRST_MEMBER ? pos : t->len;
}

/* Within an object: a key in its quotes, spelled just so, and the colon after it; then
 * it need not be read to be known. quoted is followed by bytes up to a multiple of 16. */
static inline bool xds_tokens_take_key(struct xds_tokens *t, struct xds_slice quoted)
{
    if (t->format != XDS_FORMAT_JSON)
        return xds_tokens_take_recorded_key(t, quoted);
    const size_t pos = xds_tokens_key_begin(t);

    if (!xds_starts_padded(t->text + pos, t->len - pos, quoted))
        return false;
    const size_t colon = xds_tokens_skip_blank(t, pos + quoted.len);
    if (!xds_tokens_is_at(t, colon, ':'))
        return false;
    t->pos = colon + 1;
    t->due = XDS_DUE_VALUE;
    return true;
}

/* ---- values ---- */

/* Where a value is due: a string of plain ASCII, its text borrowed. */
static inline bool xds_tokens_take_text(struct xds_tokens *t, struct xds_slice *text)
{
    const size_t pos = xds_tokens_skip_blank(t, t->pos);

    if (t->due != XDS_DUE_VALUE || !xds_tokens_is_at(t, pos, '"'))
        return false;
    const size_t end = xds_plain_end(t->text, pos + 1, t->len);
    if (!xds_tokens_is_at(t, end, '"'))
        return false;
    *text = xds_slice_make(t->text + pos + 1, end - pos - 1);
    xds_tokens_value_done(t, end + 1);
    return true;
}

/* Where a value is due: a whole number of at most nine digits. */
static inline bool xds_tokens_take_whole(struct xds_tokens *t, uint32_t *value)
{
    const size_t begin = xds_tokens_skip_blank(t, t->pos);
    size_t pos = begin;
    uint32_t sum = 0;

    if (t->due != XDS_DUE_VALUE)
        return false;
    for (; pos < t->len && pos - begin < 9 && xds_ascii_digit(t->text[pos]); pos++)
        sum = sum * 10 + (uint32_t)(t->text[pos] - '0');
    const bool ends = xds_tokens_is_at(t, pos, ',') || xds_tokens_is_at(t, pos, '}');
    if (pos == begin || !ends || (t->text[begin] == '0' && pos - begin > 1))
        return false;
    *value = sum;
    xds_tokens_value_done(t, pos);
    return true;
}

#endif
