/*
 * build.c - tokens of JSON, YAML or text proto to protobuf-c messages, driven by
 *           descriptors: fields, lists, maps and single values.
 *
 * Source: proto3 JSON mapping; Protocol Buffers text format.
 */
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>

#include "base/ascii.h"
#include "decode/field.h"
#include "decode/builder.h"
#include "base/scalar.h"
#include "source/token_take.h"

/* b->token is where the tokens ended or broke. */
static bool broken(struct xds_builder *b)
{
    if (b->token.kind == XDS_TOKEN_ERROR)
        xds_builder_report(b, &b->token, b->tokens.fault, "%.*s", XDS_FMT(b->token.text));
    b->ok = false;
    return false;
}

bool xds_builder_next(struct xds_builder *b)
{
    xds_tokens_next(&b->tokens, &b->token);
    if (b->token.kind == XDS_TOKEN_ERROR || b->token.kind == XDS_TOKEN_END)
        return broken(b);
    return true;
}

bool xds_builder_skip(struct xds_builder *b)
{
    const struct xds_token first = b->token;

    return xds_tokens_skip(&b->tokens, &first, &b->token) || broken(b);
}

bool xds_builder_mismatch(struct xds_builder *b, const char *name, const char *due,
                          const char *detail)
{
    static const char *const kinds[] = {
        [XDS_TOKEN_OBJECT] = "an object", [XDS_TOKEN_OBJECT_END] = "the end",
        [XDS_TOKEN_ARRAY] = "a list",     [XDS_TOKEN_ARRAY_END] = "the end",
        [XDS_TOKEN_KEY] = "a key",        [XDS_TOKEN_STRING] = "a string",
        [XDS_TOKEN_NUMBER] = "a number",  [XDS_TOKEN_TRUE] = "true",
        [XDS_TOKEN_FALSE] = "false",      [XDS_TOKEN_NULL] = "null",
        [XDS_TOKEN_WORD] = "a name",      [XDS_TOKEN_END] = "the end",
        [XDS_TOKEN_ERROR] = "an error",
    };

    xds_builder_report(b, &b->token, XDS_R_DECODE_TYPE, "\"%s\" needs %s%s, not %s", name,
                       due, detail, kinds[b->token.kind]);
    return xds_builder_skip(b);
}

void xds_kept_init(struct xds_kept *kept, struct xds_arena *arena)
{
    *kept = (struct xds_kept){.arena = arena, .types = {.arena = arena}};
    xds_strmap_init(&kept->content, arena);
}

/* The address is the key. */
static struct xds_slice key_of(const void *const *message)
{
    return xds_slice_make((const char *)message, sizeof *message);
}

void xds_kept_add(struct xds_kept *kept, const void *message,
                  const struct xds_tokens *members)
{
    if (!kept)
        return;
    struct xds_tokens *copy = XDS_NEW(kept->arena, struct xds_tokens);

    *copy = *members;
    *xds_strmap_at(&kept->content, key_of(&message)) = copy;
}

/* Is there a member besides "@type"? */
static bool has_members(struct xds_tokens tokens)
{
    struct xds_token token;

    for (;;) {
        xds_tokens_next(&tokens, &token);
        if (token.kind != XDS_TOKEN_KEY)
            return false;
        if (!xds_token_is(&token, "@type"))
            return true;
        xds_tokens_next(&tokens, &token);
    }
}

const struct xds_tokens *xds_kept_find(const struct xds_kept *kept, const void *message)
{
    const struct xds_tokens *found = xds_strmap_get(&kept->content, key_of(&message));

    return found && has_members(*found) ? found : NULL;
}

static bool build_next_item(struct xds_builder *b, const char *name,
                            const ProtobufCFieldDescriptor *field, enum xds_rpc_path way,
                            void *slot);

/* ---- lists and maps ---- */

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

/* The items of a JSON list whose bracket is after the tokens, up to the end of it. */
static bool build_items(struct xds_builder *b, const char *name,
                        const ProtobufCFieldDescriptor *field, enum xds_rpc_path way,
                        ProtobufCMessage *into)
{
    struct list list;

    list_init(&list, field->type);
    for (;;) {
        if (xds_tokens_take_item(&b->tokens)) {
            if (!build_next_item(b, name, field, way, list_add(&list, b->arena)))
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
    return build_items(b, name, field, xds_rpc_path_of(field), into);
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
static bool see_map_key(struct keys *keys, struct xds_slice key)
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

    if (see_map_key(seen, key))
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

/* ---- numbers ---- */

/* What a whole number must fit into, in words too, and how many bytes it has. */
struct whole_type {
    const char *words;
    uint64_t most_negative, most;
    size_t size;
};

enum { INT32, INT64, UINT32, UINT64 };

static const struct whole_type whole_types[] = {
    [INT32] = {"a whole number from -2147483648 to 2147483647", (uint64_t)INT32_MAX + 1,
               INT32_MAX, 4},
    [INT64] = {"a whole number from -9223372036854775808 to 9223372036854775807",
               (uint64_t)INT64_MAX + 1, INT64_MAX, 8},
    [UINT32] = {"a whole number from 0 to 4294967295", 0, UINT32_MAX, 4},
    [UINT64] = {"a whole number from 0 to 18446744073709551615", 0, UINT64_MAX, 8},
};

static const unsigned char whole_type_of[] = {
    [PROTOBUF_C_TYPE_INT32] = INT32,    [PROTOBUF_C_TYPE_SINT32] = INT32,
    [PROTOBUF_C_TYPE_SFIXED32] = INT32, [PROTOBUF_C_TYPE_INT64] = INT64,
    [PROTOBUF_C_TYPE_SINT64] = INT64,   [PROTOBUF_C_TYPE_SFIXED64] = INT64,
    [PROTOBUF_C_TYPE_UINT32] = UINT32,  [PROTOBUF_C_TYPE_FIXED32] = UINT32,
    [PROTOBUF_C_TYPE_UINT64] = UINT64,  [PROTOBUF_C_TYPE_FIXED64] = UINT64,
};

/* A number may be as such or, but not in text proto, in a string. */
static bool is_numeric(const struct xds_builder *b)
{
    return b->token.kind == XDS_TOKEN_NUMBER ||
           (b->token.kind == XDS_TOKEN_STRING && !b->plain);
}

/* Strings must be spelled as JSON spells numbers; the rest was checked by its source. */
static bool may_be_number(const struct xds_token *token)
{
    return token->kind == XDS_TOKEN_NUMBER || xds_json_number(token->text);
}

static void report_number(struct xds_builder *b, const char *name, const char *due,
                          enum xds_scalar fault)
{
    static const enum xds_rule_id rules[] = {
        [XDS_SCALAR_NO_NUMBER] = XDS_R_DECODE_NUMBER,
        [XDS_SCALAR_NOT_WHOLE] = XDS_R_DECODE_NUMBER_WHOLE,
        [XDS_SCALAR_OUT_OF_RANGE] = XDS_R_DECODE_NUMBER_RANGE,
    };
    const char *quote = b->token.kind == XDS_TOKEN_STRING ? "\"" : "";

    xds_builder_report(b, &b->token, rules[fault], "\"%s\" needs %s, not %s%.*s%s", name,
                       due, quote, XDS_FMT(xds_builder_value(name, b->token.text)),
                       quote);
}

static bool read_whole(struct xds_builder *b, const char *name,
                       const struct whole_type *type, void *slot)
{
    struct xds_whole whole = {0};
    enum xds_scalar fault = XDS_SCALAR_NO_NUMBER;

    if (may_be_number(&b->token))
        fault = xds_scalar_whole(b->token.text, &whole);
    /* Text proto takes no number with a point or an exponent for a whole one. */
    if (fault == XDS_SCALAR_OK && b->plain &&
        (xds_slice_find(b->token.text, '.') < b->token.text.len ||
         xds_slice_find(b->token.text, 'e') < b->token.text.len ||
         xds_slice_find(b->token.text, 'E') < b->token.text.len))
        fault = XDS_SCALAR_NOT_WHOLE;
    if (fault == XDS_SCALAR_OK &&
        !(whole.magnitude <= (whole.negative ? type->most_negative : type->most)))
        fault = XDS_SCALAR_OUT_OF_RANGE;
    if (fault == XDS_SCALAR_OK) {
        /* Two's complement: the low bytes of the 64-bit value are the value itself. */
        const uint64_t value = whole.negative ? 0 - whole.magnitude : whole.magnitude;
        const uint32_t low = (uint32_t)value;

        if (type->size == sizeof low)
            memcpy(slot, &low, sizeof low);
        else
            memcpy(slot, &value, sizeof value);
    } else
        report_number(b, name, type->words, fault);
    return true;
}

static bool build_whole(struct xds_builder *b, const char *name,
                        const ProtobufCFieldDescriptor *field, void *slot)
{
    const struct whole_type *type = &whole_types[whole_type_of[field->type]];

    if (!is_numeric(b))
        return xds_builder_mismatch(b, name, type->words, "");
    return read_whole(b, name, type, slot);
}

/* The words for what no digits can say: in strings, and, of text proto, as names in which
 * case does not matter. */
static bool special_double(const struct xds_token *token, double *out)
{
    static const struct {
        enum xds_token_kind kind;
        const char *text;
        double value;
    } specials[] = {{XDS_TOKEN_STRING, "NaN", (double)NAN},
                    {XDS_TOKEN_STRING, "Infinity", (double)INFINITY},
                    {XDS_TOKEN_STRING, "-Infinity", (double)-INFINITY},
                    {XDS_TOKEN_WORD, "nan", (double)NAN},
                    {XDS_TOKEN_WORD, "-nan", (double)NAN},
                    {XDS_TOKEN_WORD, "inf", (double)INFINITY},
                    {XDS_TOKEN_WORD, "infinity", (double)INFINITY},
                    {XDS_TOKEN_WORD, "-inf", (double)-INFINITY},
                    {XDS_TOKEN_WORD, "-infinity", (double)-INFINITY}};

    for (size_t i = 0; i < XDS_ARRAY_LEN(specials); i++) {
        const struct xds_slice text = xds_slice_of(specials[i].text);

        if (token->kind != specials[i].kind || !xds_slice_eq_fold(token->text, text) ||
            (token->kind == XDS_TOKEN_STRING && !xds_slice_eq(token->text, text)))
            continue;
        *out = specials[i].value;
        return true;
    }
    return false;
}

static bool is_number_word(const struct xds_token *token)
{
    double ignored;

    return token->kind == XDS_TOKEN_WORD && special_double(token, &ignored);
}

static bool build_real(struct xds_builder *b, const char *name,
                       const ProtobufCFieldDescriptor *field, void *slot)
{
    const bool single = field->type == PROTOBUF_C_TYPE_FLOAT;
    const char *due =
        single ? "a number from -3.4e38 to 3.4e38" : "a number from -1.8e308 to 1.8e308";
    enum xds_scalar fault = XDS_SCALAR_NO_NUMBER;
    double value = 0;

    if (!is_numeric(b) && !is_number_word(&b->token))
        return xds_builder_mismatch(b, name, due, "");
    if (special_double(&b->token, &value))
        fault = XDS_SCALAR_OK;
    else if (may_be_number(&b->token)) {
        fault = xds_scalar_double(b->token.text, b->arena, &value);
        if (fault == XDS_SCALAR_OK && fabs(value) > (single ? (double)FLT_MAX : DBL_MAX))
            fault = XDS_SCALAR_OUT_OF_RANGE;
    }
    if (fault != XDS_SCALAR_OK) {
        value = 0;
        report_number(b, name, due, fault);
    }
    if (single)
        *(float *)slot = (float)value;
    else
        *(double *)slot = value;
    return true;
}

/* The token as JSON has it: text proto has several words for true and false. */
static enum xds_token_kind kind_of_bool(const struct xds_token *token)
{
    static const struct {
        enum xds_token_kind kind;
        const char *text;
        enum xds_token_kind means;
    } words[] = {
        {XDS_TOKEN_WORD, "true", XDS_TOKEN_TRUE},
        {XDS_TOKEN_WORD, "True", XDS_TOKEN_TRUE},
        {XDS_TOKEN_WORD, "t", XDS_TOKEN_TRUE},
        {XDS_TOKEN_NUMBER, "1", XDS_TOKEN_TRUE},
        {XDS_TOKEN_WORD, "false", XDS_TOKEN_FALSE},
        {XDS_TOKEN_WORD, "False", XDS_TOKEN_FALSE},
        {XDS_TOKEN_WORD, "f", XDS_TOKEN_FALSE},
        {XDS_TOKEN_NUMBER, "0", XDS_TOKEN_FALSE},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(words); i++)
        if (token->kind == words[i].kind && xds_slice_is(token->text, words[i].text))
            return words[i].means;
    return token->kind;
}

static bool build_bool(struct xds_builder *b, const char *name,
                       const ProtobufCFieldDescriptor *field, void *slot)
{
    (void)field;
    if (b->plain)
        b->token.kind = kind_of_bool(&b->token);
    if (b->token.kind != XDS_TOKEN_TRUE && b->token.kind != XDS_TOKEN_FALSE)
        return xds_builder_mismatch(b, name, "true or false", "");
    *(protobuf_c_boolean *)slot = b->token.kind == XDS_TOKEN_TRUE;
    return true;
}

/* A value that is written in another case, as Envoy's loader of files takes it. */
static const ProtobufCEnumValue *find_folded(struct xds_builder *b,
                                             const ProtobufCEnumDescriptor *type,
                                             struct xds_slice text)
{
    char *upper = xds_arena_alloc(b->arena, text.len + 1);

    for (size_t i = 0; i < text.len; i++)
        upper[i] = text.data[i] == '-' ? '_' : xds_ascii_upper(text.data[i]);
    return b->plain || text.len > XDS_MAX_NAME
               ? NULL
               : xds_enum_find(type, xds_slice_make(upper, text.len));
}

static bool build_enum_name(struct xds_builder *b, const char *name,
                            const ProtobufCEnumDescriptor *type, int32_t *slot)
{
    struct xds_slice text = b->token.text;

    /* Plain JSON text need not be copied to be compared. */
    if (b->token.escaped || b->token.line)
        text = xds_token_unescape(&b->token, b->arena);
    const ProtobufCEnumValue *value = xds_enum_find(type, text);
    if (value) {
        *slot = value->value;
        return true;
    }
    value = find_folded(b, type, text);
    if (value) {
        const bool ok = b->ok;

        if (xds_builder_report(
                b, &b->token, XDS_R_DECODE_ENUM_CASE,
                "\"%s\": \"%.*s\" must be written \"%s\"; Envoy's loader takes any case",
                name, XDS_FMT(text), value->name))
            xds_report_add_instead(b->report, xds_slice_of(value->name));
        b->ok = ok;
        *slot = value->value;
        return true;
    }
    const char *nearest = xds_enum_nearest(type, text);
    xds_builder_report(
        b, &b->token, XDS_R_DECODE_ENUM, "\"%s\": \"%.*s\" is not a value of %s%s%s%s",
        name, XDS_FMT(xds_builder_value(name, text)), type->name,
        nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
    return true;
}

static bool build_enum(struct xds_builder *b, const char *name,
                       const ProtobufCFieldDescriptor *field, void *slot)
{
    const ProtobufCEnumDescriptor *type = field->descriptor;

    if (b->token.kind == (b->plain ? XDS_TOKEN_WORD : XDS_TOKEN_STRING))
        return build_enum_name(b, name, type, slot);
    if (b->token.kind == XDS_TOKEN_NUMBER)
        return read_whole(b, name, &whole_types[INT32], slot);
    if (b->token.kind == XDS_TOKEN_NULL &&
        type == &google__protobuf__null_value__descriptor)
        return true;
    return xds_builder_mismatch(b, name, "a value of ", type->name);
}

static bool no_string(struct xds_builder *b, const char *name)
{
    /* YAML takes a plain 1.0 or yes for what it looks like. */
    if (!(b->tokens.format == XDS_FORMAT_YAML &&
          (b->token.kind == XDS_TOKEN_NUMBER || b->token.kind == XDS_TOKEN_TRUE ||
           b->token.kind == XDS_TOKEN_FALSE)))
        return xds_builder_mismatch(b, name, "a string", "");
    xds_builder_report(b, &b->token, XDS_R_DECODE_UNQUOTED,
                       "\"%s\" needs a string: put %.*s in quotes", name,
                       XDS_FMT(xds_builder_unquoted(name, b->token.text)));
    return true;
}

static bool build_string(struct xds_builder *b, const char *name,
                         const ProtobufCFieldDescriptor *field, void *slot)
{
    (void)field;
    if (b->token.kind != XDS_TOKEN_STRING)
        return no_string(b, name);
    if (b->plain && !xds_utf8_valid(b->token.text))
        xds_builder_report(b, &b->token, XDS_R_DECODE_UTF8,
                           "\"%s\" needs a string of valid UTF-8", name);
    else {
        const struct xds_slice text = xds_token_unescape(&b->token, b->arena);
        memcpy(slot, &text.data, sizeof text.data);
    }
    return true;
}

static bool build_bytes(struct xds_builder *b, const char *name,
                        const ProtobufCFieldDescriptor *field, void *slot)
{
    (void)field;
    if (b->token.kind != XDS_TOKEN_STRING)
        return no_string(b, name);
    if (b->plain) {
        /* The string of a text proto is the bytes. */
        ProtobufCBinaryData *out = slot;
        const struct xds_slice bytes = b->token.text;

        *out = (ProtobufCBinaryData){bytes.len, xds_arena_alloc(b->arena, bytes.len)};
        if (bytes.len)
            memcpy(out->data, bytes.data, bytes.len);
    } else if (!xds_scalar_base64(xds_token_unescape(&b->token, b->arena), b->arena,
                                  slot))
        xds_builder_no_bytes(b, name, "is not valid base64");
    return true;
}

/* ---- all types ---- */

bool xds_build_value(struct xds_builder *b, const char *name,
                     const ProtobufCFieldDescriptor *field, void *slot)
{
    static bool (*const build[])(struct xds_builder *, const char *,
                                 const ProtobufCFieldDescriptor *, void *) = {
        [PROTOBUF_C_TYPE_INT32] = build_whole,
        [PROTOBUF_C_TYPE_SINT32] = build_whole,
        [PROTOBUF_C_TYPE_SFIXED32] = build_whole,
        [PROTOBUF_C_TYPE_INT64] = build_whole,
        [PROTOBUF_C_TYPE_SINT64] = build_whole,
        [PROTOBUF_C_TYPE_SFIXED64] = build_whole,
        [PROTOBUF_C_TYPE_UINT32] = build_whole,
        [PROTOBUF_C_TYPE_FIXED32] = build_whole,
        [PROTOBUF_C_TYPE_UINT64] = build_whole,
        [PROTOBUF_C_TYPE_FIXED64] = build_whole,
        [PROTOBUF_C_TYPE_FLOAT] = build_real,
        [PROTOBUF_C_TYPE_DOUBLE] = build_real,
        [PROTOBUF_C_TYPE_BOOL] = build_bool,
        [PROTOBUF_C_TYPE_ENUM] = build_enum,
        [PROTOBUF_C_TYPE_STRING] = build_string,
        [PROTOBUF_C_TYPE_BYTES] = build_bytes,
    };

    return field->type == PROTOBUF_C_TYPE_MESSAGE
               ? b->build_message(b, name, field, slot)
               : build[field->type](b, name, field, slot);
}

static ProtobufCMessage *new_message(struct xds_builder *b,
                                     const ProtobufCFieldDescriptor *field, void *slot)
{
    ProtobufCMessage *message = xds_build_new(b, field->descriptor);

    memcpy(slot, &message, sizeof message);
    return message;
}

static bool take_string(struct xds_builder *b, void *slot)
{
    struct xds_slice text;

    if (!xds_tokens_take_text(&b->tokens, &text))
        return false;
    text = xds_arena_dup(b->arena, text);
    memcpy(slot, &text.data, sizeof text.data);
    return true;
}

/* A name that the enum does not have is for the builder to report. */
static bool take_enum(struct xds_builder *b, const ProtobufCFieldDescriptor *field,
                      void *slot)
{
    const size_t pos = b->tokens.pos;
    struct xds_slice text;

    if (!xds_tokens_take_text(&b->tokens, &text))
        return false;
    const ProtobufCEnumValue *value = xds_enum_find(field->descriptor, text);
    if (!value) {
        b->tokens.pos = pos;
        b->tokens.due = XDS_DUE_VALUE;
        return false;
    }
    memcpy(slot, &value->value, sizeof value->value);
    return true;
}

/* Take the value in one of the ways. False when it is not plain, and nothing has changed.
 * *good: as the builder's functions return. */
static bool take(struct xds_builder *b, enum xds_rpc_path way,
                 const ProtobufCFieldDescriptor *field, void *slot, bool *good)
{
    uint32_t number;

    *good = true;
    switch (way) {
    case XDS_WAY_TOKEN:
        return false;
    case XDS_WAY_STRING:
        return take_string(b, slot);
    case XDS_WAY_UINT32:
        if (!xds_tokens_take_whole(&b->tokens, &number))
            return false;
        memcpy(slot, &number, sizeof number);
        return true;
    case XDS_WAY_UINT32_VALUE:
        if (!xds_tokens_take_whole(&b->tokens, &number))
            return false;
        ((pb_u_int32_value *)new_message(b, field, slot))->value = number;
        return true;
    case XDS_WAY_ENUM:
        return take_enum(b, field, slot);
    case XDS_WAY_MESSAGE:
        if (!xds_tokens_take_object(&b->tokens))
            return false;
        *good = xds_build_members(b, new_message(b, field, slot), XDS_AT_TYPE_ALIEN);
        return true;
    }
    return false;
}

static bool is_arm_set(const ProtobufCFieldDescriptor *field,
                       const ProtobufCMessage *into)
{
    uint32_t set;

    memcpy(&set, (const char *)into + field->quantifier_offset, sizeof set);
    return set != 0;
}

/* A second arm of a oneof is for the builder to report. */
static bool take_field(struct xds_builder *b, const struct xds_name *name,
                       ProtobufCMessage *into, bool *good)
{
    const ProtobufCFieldDescriptor *field = name->field;

    if (name->is_list) {
        if (name->is_map || !xds_tokens_take_list(&b->tokens))
            return false;
        *good = build_items(b, name->field->name, name->field,
                            (enum xds_rpc_path)name->way, into);
        return true;
    }
    if ((name->is_arm && is_arm_set(field, into)) ||
        !take(b, (enum xds_rpc_path)name->way, field, (char *)into + field->offset, good))
        return false;
    if (name->is_arm)
        memcpy((char *)into + field->quantifier_offset, &field->id, sizeof field->id);
    return true;
}

static bool build_next_field(struct xds_builder *b, const struct xds_name *name,
                             ProtobufCMessage *into)
{
    bool good;

    if (take_field(b, name, into, &good))
        return good;
    return xds_builder_next(b) &&
           xds_build_field(b, name->field->name, name->field, into);
}

static bool build_next_item(struct xds_builder *b, const char *name,
                            const ProtobufCFieldDescriptor *field, enum xds_rpc_path way,
                            void *slot)
{
    bool good;

    if (take(b, way, field, slot, &good))
        return good;
    return xds_builder_next(b) && xds_build_value(b, name, field, slot);
}

/* ---- fields ---- */

static const char *field_name(const ProtobufCMessageDescriptor *message, uint32_t id)
{
    for (unsigned i = 0; i < message->n_fields; i++)
        if (message->fields[i].id == id)
            return message->fields[i].name;
    return "";
}

/* Make field the one of its oneof; false (reported) when another one is. */
static bool claim_oneof(struct xds_builder *b, const ProtobufCFieldDescriptor *field,
                        ProtobufCMessage *into)
{
    char *which = (char *)into + field->quantifier_offset;
    uint32_t set;

    memcpy(&set, which, sizeof set);
    if (set == 0) {
        memcpy(which, &field->id, sizeof field->id);
        return true;
    }
    xds_builder_report(b, &b->token, XDS_R_DECODE_ONEOF,
                       "only one of \"%s\" and \"%s\" may be set",
                       field_name(into->descriptor, set), field->name);
    return false;
}

bool xds_build_field(struct xds_builder *b, const char *name,
                     const ProtobufCFieldDescriptor *field, ProtobufCMessage *into)
{
    /* null stands for a value only where the type has a null. */
    if (b->token.kind == XDS_TOKEN_NULL &&
        !(field->descriptor == &google__protobuf__value__descriptor ||
          field->descriptor == &google__protobuf__null_value__descriptor))
        return true;
    if (field->label == PROTOBUF_C_LABEL_REPEATED) {
        /* A list or map; of text proto, what one key holds of it. */
        if (b->plain)
            return add_items(b, name, field, into);
        return xds_field_is_map(field) ? build_map(b, name, field, into)
                                       : build_list(b, name, field, into);
    }
    if ((field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) && !claim_oneof(b, field, into))
        return xds_builder_skip(b);
    return xds_build_value(b, name, field, (char *)into + field->offset);
}

/* ---- members ---- */

/* The keys of one object that were read. */
struct seen {
    uint64_t fields[XDS_MAX_FIELDS / 64];
    bool type, unknown;
};

/* Was there no key so far? */
static bool saw_nothing(const struct seen *seen)
{
    uint64_t any = seen->type || seen->unknown;

    for (size_t i = 0; i < XDS_ARRAY_LEN(seen->fields); i++)
        any |= seen->fields[i];
    return any == 0;
}

static bool was_seen(const struct seen *seen, size_t i)
{
    return seen->fields[i / 64 % XDS_ARRAY_LEN(seen->fields)] >> (i % 64) & 1;
}

/* True when it was seen before. */
static bool see_field(struct seen *seen, size_t i)
{
    const bool again = was_seen(seen, i);

    seen->fields[i / 64 % XDS_ARRAY_LEN(seen->fields)] |= UINT64_C(1) << (i % 64);
    return again;
}

/* The key that followed last time, if it does now and for the first time in this object:
 * then it need not be looked for, not even be read. Or else NULL, and the tokens stay
 * where they are. */
static struct xds_name *guess_key(struct xds_builder *b, struct xds_name *next,
                                  struct seen *seen)
{
    if (!next || b->plain || was_seen(seen, next->index) ||
        !xds_tokens_take_key(&b->tokens, xds_slice_make(next->quoted, next->len)))
        return NULL;
    see_field(seen, next->index);
    return next;
}

/* The field that a key names; text proto has no second spelling. */
static struct xds_name *find_field(struct xds_builder *b,
                                   const ProtobufCMessageDescriptor *message,
                                   struct xds_slice key)
{
    struct xds_name *name = xds_names_find(b->names, message, key);

    return name && b->plain && !xds_slice_is(key, name->field->name) ? NULL : name;
}

/* The field that a key names for the first time, or NULL (reported). */
static struct xds_name *see_key(struct xds_builder *b, const struct xds_token *key,
                                const ProtobufCMessage *into, struct seen *seen)
{
    /* The key without escapes; most have none and are not copied. By value: two loads,
     * where a copy through memory waits for the stores of the scanner. */
    const struct xds_slice text =
        key->escaped || key->line ? xds_token_unescape(key, b->arena) : key->text;
    struct xds_name *name = find_field(b, into->descriptor, text);

    if (name && (!see_field(seen, name->index) ||
                 (b->plain && name->field->label == PROTOBUF_C_LABEL_REPEATED)))
        return name;
    if (name)
        xds_builder_duplicate(b, key, text);
    else
        xds_builder_unknown(b, key, into->descriptor, text,
                            !b->plain && saw_nothing(seen));
    seen->unknown |= !name;
    return NULL;
}

/* The field of the key in b->token; NULL when its value is of no interest. */
static struct xds_name *read_key(struct xds_builder *b, const ProtobufCMessage *into,
                                 enum xds_at_type at_type, struct seen *seen)
{
    if (!((b->token.escaped || (b->token.text.len && b->token.text.data[0] == '@')) &&
          xds_token_is(&b->token, "@type")))
        return see_key(b, &b->token, into, seen);
    /* "@type", whose value was judged before or does not matter. */
    if (at_type == XDS_AT_TYPE_ALIEN)
        xds_builder_report(b, &b->token, XDS_R_DECODE_AT_TYPE,
                           "%s is not allowed in %s: only an Any has one",
                           b->plain ? "a type URL in brackets" : "\"@type\"",
                           into->descriptor->name);
    else if (seen->type)
        xds_builder_duplicate(b, &b->token, XDS_S("@type"));
    seen->type = true;
    return NULL;
}

bool xds_build_members(struct xds_builder *b, ProtobufCMessage *into,
                       enum xds_at_type at_type)
{
    struct seen seen = {.type = at_type == XDS_AT_TYPE_READ};
    struct xds_name **next = xds_names_first(b->names, into->descriptor);

    for (;;) {
        struct xds_name *name = guess_key(b, *next, &seen);

        if (!name) {
            if (xds_tokens_take_end(&b->tokens))
                return true;
            if (!xds_builder_next(b))
                return false;
            if (b->token.kind == XDS_TOKEN_OBJECT_END)
                return true;
            if (xds_is_undeclared_key(b)) {
                if (!xds_build_undeclared(b, into))
                    return false;
                continue;
            }
            name = read_key(b, into, at_type, &seen);
        }
        if (!(name ? build_next_field(b, name, into)
                   : (xds_builder_next(b) && xds_builder_skip(b))))
            return false;
        if (!name)
            continue;
        *next = name;
        next = &name->next;
    }
}

bool xds_build_object(struct xds_builder *b, const char *name, ProtobufCMessage *into)
{
    if (b->token.kind != XDS_TOKEN_OBJECT)
        return xds_builder_mismatch(b, name, "an object of ", into->descriptor->name);
    if (into->descriptor->n_fields == 0) {
        xds_kept_add(b->kept, into, &b->tokens);
        return xds_builder_skip(b);
    }
    return xds_build_members(b, into, XDS_AT_TYPE_ALIEN);
}
