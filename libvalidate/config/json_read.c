/*
 * json_read.c - read JSON text, or tokens of YAML, into a tree.
 *
 * Fails:  with the row, the place and the words of the first fault.
 * Source: RFC 8259.
 */
#include "config/json_read.h"

#include <math.h>

#include "decode/place.h"
#include "decode/scalar.h"

struct reading {
    struct xds_arena *arena;
    struct xds_tokens tokens;
    struct xds_json_fault *fault;
    bool placed;                    /* values are to know where they are */
    struct xds_place_cursor cursor; /* placed JSON */
};

/* Tokens of YAML know their place, those of JSON come in ascending order. */
static void set_place(struct reading *r, const struct xds_token *token,
                      struct xds_tree *value)
{
    if (!r->placed)
        return;
    value->line = token->line;
    value->column = token->column;
    if (r->tokens.format != XDS_FORMAT_JSON)
        return;
    const struct xds_place at = xds_place_next(&r->cursor, token->begin, token->begin);

    value->line = at.line;
    value->column = at.column;
}

static bool fail(struct reading *r, const struct xds_token *token)
{
    *r->fault = (struct xds_json_fault){r->tokens.fault, token->begin, token->end,
                                        xds_arena_dup(r->arena, token->text).data};
    return false;
}

/* A text with U+0000 stays as it is written: no name of ours is like it. */
static struct xds_slice text_of(struct reading *r, const struct xds_token *token)
{
    const struct xds_slice text = xds_token_unescape(token, r->arena);

    return xds_slice_search(text, XDS_NUL) < text.len
               ? xds_arena_dup(r->arena, token->text)
               : text;
}

static bool read_value(struct reading *r, const struct xds_token *first,
                       struct xds_tree *out);

static bool read_object(struct reading *r, struct xds_tree *out)
{
    struct xds_token key, first;

    *out = xds_tree_object();
    for (;;) {
        struct xds_tree value, at = {0};

        xds_tokens_next(&r->tokens, &key);
        if (key.kind == XDS_TOKEN_OBJECT_END)
            return true;
        if (key.kind != XDS_TOKEN_KEY)
            return fail(r, &key);
        const struct xds_slice name = text_of(r, &key);

        set_place(r, &key, &at);
        xds_tokens_next(&r->tokens, &first);
        if (!read_value(r, &first, &value))
            return false;
        value.key_line = at.line;
        value.key_column = at.column;
        xds_tree_put_key(r->arena, out, name, value);
    }
}

static bool read_array(struct reading *r, struct xds_tree *out)
{
    struct xds_token first;

    *out = xds_tree_array();
    for (;;) {
        struct xds_tree item;

        xds_tokens_next(&r->tokens, &first);
        if (first.kind == XDS_TOKEN_ARRAY_END)
            return true;
        if (!read_value(r, &first, &item))
            return false;
        xds_tree_add(r->arena, out, item);
    }
}

static struct xds_tree read_number(struct reading *r, const struct xds_token *token)
{
    double number;

    if (xds_scalar_double(token->text, r->arena, &number) != XDS_SCALAR_OK)
        number = HUGE_VAL;
    struct xds_tree value = xds_tree_number(number);

    if (r->placed)
        value.text = xds_arena_dup(r->arena, token->text);
    return value;
}

static bool read_kind(struct reading *r, const struct xds_token *first,
                      struct xds_tree *out)
{
    switch (first->kind) {
    case XDS_TOKEN_OBJECT:
        return read_object(r, out);
    case XDS_TOKEN_ARRAY:
        return read_array(r, out);
    case XDS_TOKEN_STRING:
        *out = xds_tree_string(text_of(r, first));
        return true;
    case XDS_TOKEN_NUMBER:
        *out = read_number(r, first);
        return true;
    case XDS_TOKEN_TRUE:
    case XDS_TOKEN_FALSE:
        *out = xds_tree_bool(first->kind == XDS_TOKEN_TRUE);
        return true;
    case XDS_TOKEN_NULL:
        *out = (struct xds_tree){.kind = XDS_TREE_NULL};
        return true;
    case XDS_TOKEN_OBJECT_END:
    case XDS_TOKEN_ARRAY_END:
    case XDS_TOKEN_KEY:
    case XDS_TOKEN_WORD:
    case XDS_TOKEN_END:
    case XDS_TOKEN_ERROR:
        break;
    }
    return fail(r, first);
}

/* The nesting of tokens is bounded, and so is this recursion. */
static bool read_value(struct reading *r, const struct xds_token *first,
                       struct xds_tree *out)
{
    struct xds_tree at = {0};

    set_place(r, first, &at);
    if (!read_kind(r, first, out))
        return false;
    out->line = at.line;
    out->column = at.column;
    return true;
}

static bool read_whole(struct reading *r, struct xds_tree *out)
{
    struct xds_token token;

    xds_tokens_next(&r->tokens, &token);
    if (!read_value(r, &token, out))
        return false;
    xds_tokens_next(&r->tokens, &token);
    return token.kind == XDS_TOKEN_END || fail(r, &token);
}

bool xds_tree_read(struct xds_arena *arena, struct xds_slice text, struct xds_tree *out,
                   struct xds_json_fault *fault)
{
    struct reading r = {.arena = arena, .fault = fault};

    xds_tokens_json(&r.tokens, text);
    return read_whole(&r, out);
}

bool xds_tree_read_at(struct xds_arena *arena, const struct xds_resource *in,
                      struct xds_tree *out, struct xds_json_fault *fault)
{
    struct reading r = {.arena = arena, .fault = fault, .placed = true};

    if (in->format == XDS_FORMAT_JSON)
        xds_tokens_json(&r.tokens, in->bytes);
    else
        xds_tokens_recorded(&r.tokens, in->format, in->tokens);
    xds_place_cursor_init(&r.cursor, in);
    return read_whole(&r, out);
}
