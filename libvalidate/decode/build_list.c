/*
 * build_list.c - lists, and maps, which protobuf-c keeps as lists of entries.
 *
 * Source: proto3 JSON mapping; Protocol Buffers text format.
 */
#include <stddef.h>

#include "base/strmap.h"
#include "decode/append.h"
#include "decode/field.h"
#include "decode/builder.h"
#include "source/token_take.h"

/* A list that grows; the first items are on the C stack, most lists are short. */
struct list {
    size_t size, n, cap;
    char *items;
    _Alignas(max_align_t) char first[256];
};

static void list_init(struct list *list, ProtobufCType type)
{
    list->size = xds_item_size(type);
    list->n = 0;
    list->cap = sizeof list->first / list->size;
    list->items = list->first;
}

/* A cleared slot for one more item. */
static void *list_add(struct list *list, struct xds_arena *arena)
{
    if (list->n == list->cap) {
        char *more = xds_arena_alloc(arena, list->cap * 2 * list->size);

        memcpy(more, list->items, list->n * list->size);
        list->items = more;
        list->cap *= 2;
    }
    return memset(list->items + list->n++ * list->size, 0, list->size);
}

static void list_store(const struct list *list, struct xds_arena *arena,
                       const ProtobufCFieldDescriptor *field, ProtobufCMessage *into)
{
    char *message = (char *)into;

    if (list->n == 0)
        return;
    void *items = xds_arena_alloc(arena, list->n * list->size);
    memcpy(items, list->items, list->n * list->size);
    memcpy(message + field->quantifier_offset, &list->n, sizeof list->n);
    memcpy(message + field->offset, &items, sizeof items);
}

bool xds_build_items(struct xds_builder *b, const char *name,
                     const ProtobufCFieldDescriptor *field, enum xds_rpc_path way,
                     ProtobufCMessage *into)
{
    struct list list;

    list_init(&list, field->type);
    for (;;) {
        if (xds_tokens_take_item(&b->tokens)) {
            if (!xds_build_next_item(b, name, field, way, list_add(&list, b->arena)))
                return false;
            continue;
        }
        if (!xds_builder_next(b))
            return false;
        if (b->token.kind == XDS_TOKEN_ARRAY_END)
            break;
        if (!xds_build_value(b, name, field, list_add(&list, b->arena)))
            return false;
    }
    list_store(&list, b->arena, field, into);
    return true;
}

static bool build_list(struct xds_builder *b, const char *name,
                       const ProtobufCFieldDescriptor *field, ProtobufCMessage *into)
{
    if (b->token.kind != XDS_TOKEN_ARRAY)
        return xds_builder_mismatch(b, name, "a list", "");
    return xds_build_items(b, name, field, xds_rpc_path_of(field), into);
}

/* The key in b->token as a value of the entry's key field. */
static bool build_map_key(struct xds_builder *b, struct xds_slice text,
                          const ProtobufCFieldDescriptor *field, void *slot)
{
    b->token.text = text;
    b->token.escaped = false;
    b->token.kind = XDS_TOKEN_STRING;
    if (field->type == PROTOBUF_C_TYPE_BOOL && xds_slice_is(text, "true"))
        b->token.kind = XDS_TOKEN_TRUE;
    if (field->type == PROTOBUF_C_TYPE_BOOL && xds_slice_is(text, "false"))
        b->token.kind = XDS_TOKEN_FALSE;
    return xds_build_value(b, "key", field, slot);
}

/* The keys of one map that were read. Most maps have one entry, and need no table. */
struct keys {
    struct xds_strmap table;
    struct xds_slice first;
    size_t n;
};

/* True when it was seen before. */
static bool see_key(struct keys *keys, struct xds_slice key)
{
    if (keys->n++ == 0) {
        keys->first = key;
        return false;
    }
    if (keys->n == 2)
        *xds_strmap_at(&keys->table, keys->first) = keys;
    void **known = xds_strmap_at(&keys->table, key);
    const bool again = *known != NULL;
    *known = keys;
    return again;
}

static bool build_entry(struct xds_builder *b, const char *name, struct keys *seen,
                        ProtobufCMessage *entry)
{
    const ProtobufCFieldDescriptor *fields = entry->descriptor->fields;
    const struct xds_slice key = xds_token_unescape(&b->token, b->arena);

    if (see_key(seen, key))
        xds_builder_duplicate(b, &b->token, key);
    build_map_key(b, key, &fields[0], (char *)entry + fields[0].offset);
    return xds_builder_next(b) &&
           xds_build_value(b, name, &fields[1], (char *)entry + fields[1].offset);
}

static bool build_map(struct xds_builder *b, const char *name,
                      const ProtobufCFieldDescriptor *field, ProtobufCMessage *into)
{
    struct keys seen = {.n = 0};
    struct list list;

    if (b->token.kind != XDS_TOKEN_OBJECT)
        return xds_builder_mismatch(b, name, "an object that maps keys to values", "");
    xds_strmap_init(&seen.table, b->arena);
    list_init(&list, field->type);
    for (;;) {
        if (!xds_builder_next(b))
            return false;
        if (b->token.kind == XDS_TOKEN_OBJECT_END)
            break;
        ProtobufCMessage *entry = xds_build_new(b, field->descriptor);
        *(ProtobufCMessage **)list_add(&list, b->arena) = entry;
        if (!build_entry(b, name, &seen, entry))
            return false;
    }
    list_store(&list, b->arena, field, into);
    return true;
}

/* One item after those that other keys brought. */
static bool add_item(struct xds_builder *b, const char *name,
                     const ProtobufCFieldDescriptor *field, ProtobufCMessage *into)
{
    void *slot = xds_field_append(b->arena, field, into);

    if (!xds_build_value(b, name, field, slot))
        return false;
    if (xds_field_may_be_map(field))
        xds_field_complete_entry(b->arena, field, slot);
    return true;
}

/* One key of text proto: an item, or several in brackets. An entry of a map is a message
 * of its own; of those with one key the last counts, as on the wire. */
static bool add_items(struct xds_builder *b, const char *name,
                      const ProtobufCFieldDescriptor *field, ProtobufCMessage *into)
{
    if (b->token.kind != XDS_TOKEN_ARRAY)
        return add_item(b, name, field, into);
    for (;;) {
        if (!xds_builder_next(b))
            return false;
        if (b->token.kind == XDS_TOKEN_ARRAY_END)
            return true;
        if (!add_item(b, name, field, into))
            return false;
    }
}

bool xds_build_repeated(struct xds_builder *b, const char *name,
                        const ProtobufCFieldDescriptor *field, ProtobufCMessage *into)
{
    if (b->plain)
        return add_items(b, name, field, into);
    return xds_field_is_map(field) ? build_map(b, name, field, into)
                                   : build_list(b, name, field, into);
}
