/*
 * spot.c - what is at a position of a text.
 *
 * The tokens of each resource that begins in front of the position are walked with the
 * descriptors of the messages beside them. Of the clients that read the resource those
 * are left, step by step, that read the field which is entered.
 */
#include "include/xdscope.h"

#include <stdlib.h>

#include "decode/field.h"
#include "report/report.h"
#include "rules/unread.h"
#include "source/source.h"

static const struct naming {
    const ProtobufCMessageDescriptor *message;
    const char *field;
    enum xds_resource_type type;
    bool is_own;
} namings[] = {
#define XDS_NAMES(message, field, type, is_own)                                          \
    {&(message), (field), XDS_TYPE_##type, (is_own)},
#include "spot/names.def"
};

static const char *const scalar_words[] = {
    [PROTOBUF_C_TYPE_INT32] = "int32",       [PROTOBUF_C_TYPE_SINT32] = "sint32",
    [PROTOBUF_C_TYPE_SFIXED32] = "sfixed32", [PROTOBUF_C_TYPE_INT64] = "int64",
    [PROTOBUF_C_TYPE_SINT64] = "sint64",     [PROTOBUF_C_TYPE_SFIXED64] = "sfixed64",
    [PROTOBUF_C_TYPE_UINT32] = "uint32",     [PROTOBUF_C_TYPE_FIXED32] = "fixed32",
    [PROTOBUF_C_TYPE_UINT64] = "uint64",     [PROTOBUF_C_TYPE_FIXED64] = "fixed64",
    [PROTOBUF_C_TYPE_FLOAT] = "float",       [PROTOBUF_C_TYPE_DOUBLE] = "double",
    [PROTOBUF_C_TYPE_BOOL] = "bool",         [PROTOBUF_C_TYPE_STRING] = "string",
    [PROTOBUF_C_TYPE_BYTES] = "bytes",
};

/* The spot comes first: that is what the caller has. */
struct holder {
    struct xds_spot spot;
    struct xds_arena arena;
};

struct walk {
    struct holder *holder;
    struct xds_resource in;
    struct xds_tokens tokens;
    struct xds_place_cursor cursor;
    struct xds_names names;
    uint32_t line, column; /* asked for */
    bool found;            /* the position is in it, and not only at its end */
};

/* What is known where a value begins. */
struct around {
    const ProtobufCMessageDescriptor *message; /* that it is of; NULL: not known */
    bool is_map;                               /* its members are keys of a map */
    bool is_entry; /* text proto: its fields are those of an entry of a map */
    const ProtobufCFieldDescriptor *field;   /* whose value it is, or an item of it */
    const ProtobufCMessageDescriptor *owner; /* of the field */
    struct xds_place key;                    /* the name of the field */
    unsigned clients;                        /* that come to look here */
    bool has_readers;
};

/* -1: the place is in front of the position, 0: around it, 1: after it. What the place
 * ends at is around it, too. */
static int compare(const struct walk *walk, const struct xds_place *at)
{
    if (at->line > walk->line || (at->line == walk->line && at->column > walk->column))
        return 1;
    const bool is_past = at->end_line < walk->line ||
                         (at->end_line == walk->line && at->end_column < walk->column);

    return is_past ? -1 : 0;
}

static bool is_hit(const struct walk *walk, const struct xds_place *at)
{
    return !walk->found && compare(walk, at) == 0;
}

static const char *type_name(const ProtobufCFieldDescriptor *field)
{
    if (xds_field_is_map(field))
        return "map";
    if (field->type == PROTOBUF_C_TYPE_MESSAGE)
        return ((const ProtobufCMessageDescriptor *)field->descriptor)->name;
    if (field->type == PROTOBUF_C_TYPE_ENUM)
        return ((const ProtobufCEnumDescriptor *)field->descriptor)->name;
    return scalar_words[field->type];
}

static void set_naming(struct xds_spot *spot, const struct around *around)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(namings); i++)
        if (namings[i].message == around->owner &&
            strcmp(namings[i].field, around->field->name) == 0) {
            spot->names = namings[i].type;
            spot->is_own = namings[i].is_own;
        }
}

static void take(struct walk *walk, const struct around *around,
                 const struct xds_token *value, const struct xds_place *hit)
{
    struct xds_spot *spot = &walk->holder->spot;
    const ProtobufCFieldDescriptor *field = around->field;

    *spot = (struct xds_spot){
        .key = around->key,
        .message = around->owner->name,
        .field = field->name,
        .type = type_name(field),
        .is_list = field->label == PROTOBUF_C_LABEL_REPEATED && !xds_field_is_map(field),
        .is_deprecated = field->flags & PROTOBUF_C_FIELD_FLAG_DEPRECATED,
        .has_readers = around->has_readers,
        .readers = around->clients,
    };
    (void)xds_field_readers(around->owner, field, &spot->hint);
    set_naming(spot, around);
    if (value->kind >= XDS_TOKEN_STRING && value->kind <= XDS_TOKEN_WORD) {
        spot->value = xds_place_of_token(&walk->cursor, value);
        spot->text = value->kind == XDS_TOKEN_STRING
                         ? xds_token_unescape(value, &walk->holder->arena)
                         : xds_arena_dup(&walk->holder->arena, value->text);
    }
    walk->found = hit->end_line > walk->line || hit->end_column > walk->column;
}

/* The type of the object whose brace was read, by its "@type"; the tokens stay there. */
static const ProtobufCMessageDescriptor *any_type(struct walk *walk)
{
    struct xds_tokens ahead = walk->tokens;
    struct xds_token token;

    for (;;) {
        xds_tokens_next(&ahead, &token);
        if (token.kind != XDS_TOKEN_KEY)
            return NULL;
        const bool is_type = xds_token_is(&token, "@type");
        xds_tokens_next(&ahead, &token);
        if (is_type && token.kind == XDS_TOKEN_STRING)
            return xds_any_registry(
                xds_any_type_name(xds_token_unescape(&token, &walk->holder->arena)));
        if (!xds_tokens_skip(&ahead, &token, &token))
            return NULL;
    }
}

/* The value of a field of a message, or of a key of a map. */
static struct around inside(struct walk *walk, const struct around *outer,
                            const struct xds_token *key)
{
    struct around in = {.clients = outer->clients, .has_readers = outer->has_readers};
    const char *hint;

    if (outer->is_map) {
        in = *outer;
        in.is_map = false;
        return in;
    }
    const struct xds_name *name =
        outer->message
            ? xds_names_find(&walk->names, outer->message,
                             key->escaped ? xds_token_unescape(key, &walk->holder->arena)
                                          : key->text)
            : NULL;

    if (!name)
        return in;
    in.field = name->field;
    in.owner = outer->message;
    if (!outer->is_entry)
        in.clients &= xds_field_readers(outer->message, name->field, &hint);
    if (name->field->type != PROTOBUF_C_TYPE_MESSAGE)
        return in;
    in.message = name->field->descriptor;
    in.is_entry = name->is_map && walk->in.format == XDS_FORMAT_TEXT_PROTO;
    if (name->is_map && !in.is_entry) {
        in.is_map = true;
        in.message = in.message->fields[1].type == PROTOBUF_C_TYPE_MESSAGE
                         ? in.message->fields[1].descriptor
                         : NULL;
    }
    return in;
}

static bool walk_value(struct walk *walk, const struct around *around,
                       const struct xds_token *first);

static bool walk_object(struct walk *walk, struct around around)
{
    struct xds_token key, first;

    if (around.message == &google__protobuf__any__descriptor && !around.is_map) {
        const ProtobufCMessageDescriptor *type = any_type(walk);

        if (type || walk->in.format != XDS_FORMAT_TEXT_PROTO)
            around.message = type;
    }
    for (;;) {
        xds_tokens_next(&walk->tokens, &key);
        if (key.kind != XDS_TOKEN_KEY)
            return key.kind == XDS_TOKEN_OBJECT_END;
        struct around in = inside(walk, &around, &key);
        const struct xds_place at = xds_place_of_token(&walk->cursor, &key);

        xds_tokens_next(&walk->tokens, &first);
        if (!around.is_map) {
            in.key = at;
            if (in.field && is_hit(walk, &at))
                take(walk, &in, &first, &at);
            if (in.field && xds_field_is_read_otherwise(in.field))
                in.has_readers = false;
        }
        if (walk->found || compare(walk, &at) > 0 || !walk_value(walk, &in, &first))
            return false;
    }
}

/* False when the rest need not be looked at. */
static bool walk_value(struct walk *walk, const struct around *around,
                       const struct xds_token *first)
{
    struct xds_token item;

    if (first->kind == XDS_TOKEN_OBJECT)
        return walk_object(walk, *around);
    if (first->kind == XDS_TOKEN_ARRAY) {
        for (;;) {
            xds_tokens_next(&walk->tokens, &item);
            if (item.kind == XDS_TOKEN_ARRAY_END)
                return true;
            if (!walk_value(walk, around, &item))
                return false;
        }
    }
    if (first->kind < XDS_TOKEN_STRING || first->kind > XDS_TOKEN_WORD)
        return false;
    const struct xds_place at = xds_place_of_token(&walk->cursor, first);

    if (around->field && is_hit(walk, &at))
        take(walk, around, first, &at);
    return !walk->found;
}

static void walk_resource(void *arg)
{
    struct walk *walk = arg;
    struct around root = {.clients = XDS_ALL_CLIENTS, .has_readers = true};
    struct xds_slice type = xds_any_type_name(walk->in.type_url);
    struct xds_token first;

    if (type.len == 0)
        type = xds_slice_of(xds_resource_type_name(walk->in.type));
    root.message = xds_any_registry(type);
    xds_names_init(&walk->names, &walk->holder->arena);
    xds_place_cursor_init(&walk->cursor, &walk->in);
    if (!xds_tokens_of(&walk->tokens, &walk->in))
        return;
    xds_tokens_next(&walk->tokens, &first);
    (void)walk_value(walk, &root, &first);
}

static bool is_before(const struct walk *walk, const struct xds_place *at)
{
    return at->line < walk->line ||
           (at->line == walk->line && at->column <= walk->column);
}

static enum xds_status walk_all(struct walk *walk, struct xds_source *source)
{
    struct xds_arena *const arenas[] = {&walk->holder->arena};
    enum xds_status status = XDS_OK;

    while (status == XDS_OK && !walk->found) {
        status = xds_source_next(source, &walk->in);
        if (status != XDS_OK || !is_before(walk, &walk->in.at))
            break;
        status = xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), walk_resource, walk);
    }
    return status == XDS_END ? XDS_OK : status;
}

enum xds_status xds_spot_new(const char *name, struct xds_slice text,
                             enum xds_resource_type type, uint32_t line, uint32_t column,
                             struct xds_spot **out)
{
    struct xds_options options;
    struct holder *holder = calloc(1, sizeof *holder);

    *out = NULL;
    xds_options_init(&options);
    struct xds_report *report = holder ? xds_report_new(&options) : NULL;
    struct xds_source *source = report ? xds_source_new(report, type) : NULL;
    struct walk walk = {.holder = holder, .line = line, .column = column};
    enum xds_status status =
        source ? xds_source_add_bytes(source, name, text) : XDS_ERR_NO_MEMORY;

    if (holder)
        xds_arena_init(&holder->arena, XDS_MAX_DECODED_BYTES);
    if (status == XDS_OK)
        status = walk_all(&walk, source);
    xds_source_free(source);
    xds_report_free(report);
    if (status == XDS_OK && holder->spot.field)
        *out = &holder->spot;
    else if (holder)
        xds_spot_free(&holder->spot);
    return status;
}

void xds_spot_free(struct xds_spot *spot)
{
    struct holder *holder = (struct holder *)(void *)spot;

    if (!holder)
        return;
    xds_arena_release(&holder->arena);
    free(holder);
}
