/*
 * message.c - messages on the wire: from the inside out, or counted first.
 *
 * Source: protobuf's encoding; google.protobuf.Struct.
 */
#include "ads/inner.h"

static void put(struct xds_ads_out *out, const char *data, size_t n)
{
    out->n += n;
    if (out->text)
        xds_text_add(out->text, xds_slice_make(data, n));
    if (out->to && !out->failed && n > 0)
        out->failed = !out->to->write(out->to->user, data, n);
}

static void put_varint(struct xds_ads_out *out, uint64_t value)
{
    char bytes[10];
    size_t n = 0;

    for (; value > 0x7F; value >>= 7)
        bytes[n++] = (char)(0x80 | (value & 0x7F));
    bytes[n++] = (char)value;
    put(out, bytes, n);
}

enum { VARINT = 0, FIXED64 = 1, BYTES = 2 };

static void put_head(struct xds_ads_out *out, unsigned field, unsigned type)
{
    put_varint(out, field << 3 | type);
}

void xds_ads_put_uint(struct xds_ads_out *out, unsigned field, uint64_t value)
{
    put_head(out, field, VARINT);
    put_varint(out, value);
}

void xds_ads_put_bytes(struct xds_ads_out *out, unsigned field, struct xds_slice value)
{
    put_head(out, field, BYTES);
    put_varint(out, value.len);
    put(out, value.data, value.len);
}

static void put_double(struct xds_ads_out *out, unsigned field, double value)
{
    uint64_t bits;
    char bytes[8];

    memcpy(&bits, &value, sizeof bits);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(bits >> (8 * i));
    put_head(out, field, FIXED64);
    put(out, bytes, sizeof bytes);
}

void xds_ads_put_text(struct xds_ads_out *out, unsigned field, struct xds_slice text)
{
    const struct xds_slice nul = XDS_NUL;
    size_t n = 0, at;

    if (text.len == 0)
        return;
    /* Nearly all have none. */
    if (memchr(text.data, nul.data[0], text.len))
        for (struct xds_slice rest = text; (at = xds_slice_search(rest, nul)) < rest.len;
             n++)
            rest = xds_slice_from(rest, at + nul.len);
    put_head(out, field, BYTES);
    put_varint(out, text.len - n * (nul.len - 1));
    for (; n > 0; n--) {
        at = xds_slice_search(text, nul);
        put(out, text.data, at);
        put(out, "", 1);
        text = xds_slice_from(text, at + nul.len);
    }
    put(out, text.data, text.len);
}

void xds_ads_put_message(struct xds_ads_out *out, unsigned field,
                         void (*body)(struct xds_ads_out *out, const void *arg),
                         const void *arg)
{
    struct xds_ads_out counted = {.n = 0};

    body(&counted, arg);
    put_head(out, field, BYTES);
    put_varint(out, counted.n);
    body(out, arg);
}

/* ---- google.protobuf.Struct ---- */

enum { KEY = 1, VALUE = 2 };
enum { FIELDS = 1, VALUES = 1 };
enum { NULL_VALUE = 1, NUMBER_VALUE, STRING_VALUE, BOOL_VALUE, STRUCT_VALUE, LIST_VALUE };

/* As deep as a document may be nested, which is bounded. */
static struct xds_slice value_of(struct xds_arena *arena, const struct xds_tree *tree)
{
    struct xds_text text = {.arena = arena};
    struct xds_ads_out out = {.text = &text}, list;
    struct xds_text items = {.arena = arena};

    switch (tree->kind) {
    case XDS_TREE_NULL:
        xds_ads_put_uint(&out, NULL_VALUE, 0);
        break;
    case XDS_TREE_BOOL:
        xds_ads_put_uint(&out, BOOL_VALUE, tree->truth);
        break;
    case XDS_TREE_NUMBER:
        put_double(&out, NUMBER_VALUE, tree->number);
        break;
    case XDS_TREE_STRING: /* an empty one is one, too */
        if (tree->text.len == 0)
            xds_ads_put_bytes(&out, STRING_VALUE, XDS_S(""));
        xds_ads_put_text(&out, STRING_VALUE, tree->text);
        break;
    case XDS_TREE_OBJECT:
        xds_ads_put_bytes(&out, STRUCT_VALUE, xds_ads_struct(arena, tree));
        break;
    case XDS_TREE_ARRAY:
        list = (struct xds_ads_out){.text = &items};
        for (size_t i = 0; i < tree->n; i++)
            xds_ads_put_bytes(&list, VALUES, value_of(arena, &tree->items[i]));
        xds_ads_put_bytes(&out, LIST_VALUE, xds_slice_make(items.data, items.len));
        break;
    }
    return xds_slice_make(text.data, text.len);
}

struct xds_slice xds_ads_struct(struct xds_arena *arena, const struct xds_tree *object)
{
    struct xds_text text = {.arena = arena};
    struct xds_ads_out out = {.text = &text};

    for (size_t i = 0; i < object->n; i++) {
        struct xds_text entry = {.arena = arena};
        struct xds_ads_out inner = {.text = &entry};

        xds_ads_put_text(&inner, KEY, object->items[i].key);
        xds_ads_put_bytes(&inner, VALUE, value_of(arena, &object->items[i]));
        xds_ads_put_bytes(&out, FIELDS, xds_slice_make(entry.data, entry.len));
    }
    return xds_slice_make(text.data ? text.data : "", text.len);
}
