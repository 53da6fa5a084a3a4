/*
 * build_value.c - one value of JSON, YAML or text proto into one slot of a protobuf-c
 * message.
 *
 * Source: proto3 JSON mapping; Protocol Buffers text format.
 */
#include <float.h>
#include <math.h>

#include "decode/builder.h"
#include "decode/scalar.h"

/* ---- numbers ---- */

/* What a whole number must fit into, in words too, and how many bytes it has. */
struct whole_type {
    const char *words;
    uint64_t most_negative, most;
    size_t size;
};

#define INT32_TYPE                                                                       \
    {                                                                                    \
        "a whole number from -2147483648 to 2147483647", (uint64_t)INT32_MAX + 1,        \
            INT32_MAX, 4                                                                 \
    }
#define INT64_TYPE                                                                       \
    {                                                                                    \
        "a whole number from -9223372036854775808 to 9223372036854775807",               \
            (uint64_t)INT64_MAX + 1, INT64_MAX, 8                                        \
    }
#define UINT32_TYPE                                                                      \
    {                                                                                    \
        "a whole number from 0 to 4294967295", 0, UINT32_MAX, 4                          \
    }
#define UINT64_TYPE                                                                      \
    {                                                                                    \
        "a whole number from 0 to 18446744073709551615", 0, UINT64_MAX, 8                \
    }

static const struct whole_type whole_types[] = {
    [PROTOBUF_C_TYPE_INT32] = INT32_TYPE,    [PROTOBUF_C_TYPE_SINT32] = INT32_TYPE,
    [PROTOBUF_C_TYPE_SFIXED32] = INT32_TYPE, [PROTOBUF_C_TYPE_INT64] = INT64_TYPE,
    [PROTOBUF_C_TYPE_SINT64] = INT64_TYPE,   [PROTOBUF_C_TYPE_SFIXED64] = INT64_TYPE,
    [PROTOBUF_C_TYPE_UINT32] = UINT32_TYPE,  [PROTOBUF_C_TYPE_FIXED32] = UINT32_TYPE,
    [PROTOBUF_C_TYPE_UINT64] = UINT64_TYPE,  [PROTOBUF_C_TYPE_FIXED64] = UINT64_TYPE,
};
static const struct whole_type enum_number = INT32_TYPE;

#define DOUBLE_WORDS "a number from -1.8e308 to 1.8e308"
#define FLOAT_WORDS "a number from -3.4e38 to 3.4e38"

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
                       due, quote, XDS_FMT(xds_builder_excerpt(b->token.text)), quote);
}

static bool fits(const struct whole_type *type, struct xds_whole whole)
{
    return whole.magnitude <= (whole.negative ? type->most_negative : type->most);
}

/* Two's complement: the low bytes of the 64-bit value are the value itself. */
static void store_whole(const struct whole_type *type, struct xds_whole whole, void *slot)
{
    const uint64_t value = whole.negative ? 0 - whole.magnitude : whole.magnitude;
    const uint32_t low = (uint32_t)value;

    if (type->size == sizeof low)
        memcpy(slot, &low, sizeof low);
    else
        memcpy(slot, &value, sizeof value);
}

/* Text proto takes no number with a point or an exponent for a whole one. */
static bool is_real(struct xds_slice text)
{
    return xds_slice_find(text, '.') < text.len || xds_slice_find(text, 'e') < text.len ||
           xds_slice_find(text, 'E') < text.len;
}

static bool read_whole(struct xds_builder *b, const char *name,
                       const struct whole_type *type, void *slot)
{
    struct xds_whole whole = {0};
    enum xds_scalar fault = XDS_SCALAR_NO_NUMBER;

    if (may_be_number(&b->token))
        fault = xds_scalar_whole(b->token.text, &whole);
    if (fault == XDS_SCALAR_OK && b->plain && is_real(b->token.text))
        fault = XDS_SCALAR_NOT_WHOLE;
    if (fault == XDS_SCALAR_OK && !fits(type, whole))
        fault = XDS_SCALAR_OUT_OF_RANGE;
    if (fault == XDS_SCALAR_OK)
        store_whole(type, whole, slot);
    else
        report_number(b, name, type->words, fault);
    return true;
}

static bool build_whole(struct xds_builder *b, const char *name,
                        const ProtobufCFieldDescriptor *field, void *slot)
{
    const struct whole_type *type = &whole_types[field->type];

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

static void read_double(struct xds_builder *b, const char *name, const char *due,
                        double most, double *out)
{
    enum xds_scalar fault = XDS_SCALAR_NO_NUMBER;

    if (special_double(&b->token, out))
        return;
    if (may_be_number(&b->token))
        fault = xds_scalar_double(b->token.text, b->arena, out);
    if (fault == XDS_SCALAR_OK && fabs(*out) > most)
        fault = XDS_SCALAR_OUT_OF_RANGE;
    if (fault == XDS_SCALAR_OK)
        return;
    *out = 0;
    report_number(b, name, due, fault);
}

static bool build_double(struct xds_builder *b, const char *name,
                         const ProtobufCFieldDescriptor *field, void *slot)
{
    (void)field;
    if (!is_numeric(b) && !is_number_word(&b->token))
        return xds_builder_mismatch(b, name, DOUBLE_WORDS, "");
    read_double(b, name, DOUBLE_WORDS, DBL_MAX, slot);
    return true;
}

static bool build_float(struct xds_builder *b, const char *name,
                        const ProtobufCFieldDescriptor *field, void *slot)
{
    double wide = 0;

    (void)field;
    if (!is_numeric(b) && !is_number_word(&b->token))
        return xds_builder_mismatch(b, name, FLOAT_WORDS, "");
    read_double(b, name, FLOAT_WORDS, (double)FLT_MAX, &wide);
    *(float *)slot = (float)wide;
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
    const char *nearest = xds_enum_nearest(type, text);
    xds_builder_report(
        b, &b->token, XDS_R_DECODE_ENUM, "\"%s\": \"%.*s\" is not a value of %s%s%s%s",
        name, XDS_FMT(xds_builder_excerpt(text)), type->name,
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
        return read_whole(b, name, &enum_number, slot);
    if (b->token.kind == XDS_TOKEN_NULL &&
        type == &google__protobuf__null_value__descriptor)
        return true;
    return xds_builder_mismatch(b, name, "a value of ", type->name);
}

/* YAML takes a plain 1.0 or yes for what it looks like. */
static bool is_unquoted(const struct xds_builder *b)
{
    return b->tokens.format == XDS_FORMAT_YAML &&
           (b->token.kind == XDS_TOKEN_NUMBER || b->token.kind == XDS_TOKEN_TRUE ||
            b->token.kind == XDS_TOKEN_FALSE);
}

static bool no_string(struct xds_builder *b, const char *name)
{
    if (!is_unquoted(b))
        return xds_builder_mismatch(b, name, "a string", "");
    xds_builder_report(b, &b->token, XDS_R_DECODE_UNQUOTED,
                       "\"%s\" needs a string: put %.*s in quotes", name,
                       XDS_FMT(xds_builder_excerpt(b->token.text)));
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

/* The string of a text proto is the bytes. */
static void copy_bytes(struct xds_builder *b, ProtobufCBinaryData *out)
{
    const struct xds_slice bytes = b->token.text;

    *out = (ProtobufCBinaryData){bytes.len, xds_arena_alloc(b->arena, bytes.len)};
    if (bytes.len)
        memcpy(out->data, bytes.data, bytes.len);
}

static bool build_bytes(struct xds_builder *b, const char *name,
                        const ProtobufCFieldDescriptor *field, void *slot)
{
    (void)field;
    if (b->token.kind != XDS_TOKEN_STRING)
        return no_string(b, name);
    if (b->plain)
        copy_bytes(b, slot);
    else if (!xds_scalar_base64(xds_token_unescape(&b->token, b->arena), b->arena, slot))
        xds_builder_report(b, &b->token, XDS_R_DECODE_BASE64,
                           "\"%s\" is not valid base64", name);
    return true;
}

/* ---- all types ---- */

static bool build_message(struct xds_builder *b, const char *name,
                          const ProtobufCFieldDescriptor *field, void *slot)
{
    const ProtobufCMessageDescriptor *type = field->descriptor;

    if (type == &google__protobuf__any__descriptor)
        return xds_build_any(b, name, slot);
    ProtobufCMessage *message = xds_build_new(b, type);
    *(ProtobufCMessage **)slot = message;
    xds_well_known_fn *well_known = xds_builder_well_known(b, type);
    return well_known ? well_known(b, name, message) : xds_build_object(b, name, message);
}

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
        [PROTOBUF_C_TYPE_FLOAT] = build_float,
        [PROTOBUF_C_TYPE_DOUBLE] = build_double,
        [PROTOBUF_C_TYPE_BOOL] = build_bool,
        [PROTOBUF_C_TYPE_ENUM] = build_enum,
        [PROTOBUF_C_TYPE_STRING] = build_string,
        [PROTOBUF_C_TYPE_BYTES] = build_bytes,
        [PROTOBUF_C_TYPE_MESSAGE] = build_message,
    };

    return build[field->type](b, name, field, slot);
}
