/*
 * well_known.c - the messages of google.protobuf that have a JSON form of their own.
 *
 * Takes:  the first token of the value in b->token.
 * Gives:  the message filled in. The plain form, an object of its fields, is read too
 *         where it cannot be mistaken: other tools dump it so.
 * Fires:  DECODE_DURATION, DECODE_TIMESTAMP, and what the builder fires.
 * Source: proto3 JSON mapping.
 */
#include "decode/builder.h"
#include "decode/scalar.h"

static bool build_wrapper(struct xds_builder *b, const char *name, ProtobufCMessage *into)
{
    const ProtobufCFieldDescriptor *value = &into->descriptor->fields[0];

    if (b->token.kind == XDS_TOKEN_OBJECT)
        return xds_build_object(b, name, into);
    return xds_build_value(b, name, value, (char *)into + value->offset);
}

static bool build_duration(struct xds_builder *b, const char *name,
                           ProtobufCMessage *into)
{
    pb_duration *duration = (pb_duration *)into;

    if (b->token.kind == XDS_TOKEN_OBJECT)
        return xds_build_object(b, name, into);
    if (b->token.kind != XDS_TOKEN_STRING)
        return xds_builder_mismatch(b, name, "a duration such as \"1.5s\"", "");
    if (!xds_scalar_duration(b->token.text, &duration->seconds, &duration->nanos))
        xds_builder_report(b, &b->token, XDS_R_DECODE_DURATION,
                           "\"%s\": \"%.*s\" is no duration such as \"1.5s\"", name,
                           XDS_FMT(xds_builder_excerpt(b->token.text)));
    return true;
}

static bool build_timestamp(struct xds_builder *b, const char *name,
                            ProtobufCMessage *into)
{
    pb_timestamp *timestamp = (pb_timestamp *)into;

    if (b->token.kind == XDS_TOKEN_OBJECT)
        return xds_build_object(b, name, into);
    if (b->token.kind != XDS_TOKEN_STRING)
        return xds_builder_mismatch(b, name, "a time such as \"2026-01-31T12:00:00Z\"",
                                    "");
    if (!xds_scalar_timestamp(b->token.text, &timestamp->seconds, &timestamp->nanos))
        xds_builder_report(b, &b->token, XDS_R_DECODE_TIMESTAMP,
                           "\"%s\": \"%.*s\" is no time such as \"2026-01-31T12:00:00Z\"",
                           name, XDS_FMT(xds_builder_excerpt(b->token.text)));
    return true;
}

/* Struct and ListValue are their only field. */
static bool build_struct(struct xds_builder *b, const char *name, ProtobufCMessage *into)
{
    if (b->token.kind != XDS_TOKEN_OBJECT)
        return xds_builder_mismatch(b, name, "an object", "");
    return xds_build_field(b, name, &into->descriptor->fields[0], into);
}

static bool build_list_value(struct xds_builder *b, const char *name,
                             ProtobufCMessage *into)
{
    if (b->token.kind != XDS_TOKEN_ARRAY)
        return xds_builder_mismatch(b, name, "a list", "");
    return xds_build_field(b, name, &into->descriptor->fields[0], into);
}

/* The arm of Value's oneof that each kind of token sets, as a field number; 0 is none. */
static const unsigned value_arm[] = {
    [XDS_TOKEN_OBJECT] = GOOGLE__PROTOBUF__VALUE__KIND_STRUCT_VALUE,
    [XDS_TOKEN_OBJECT_END] = 0,
    [XDS_TOKEN_ARRAY] = GOOGLE__PROTOBUF__VALUE__KIND_LIST_VALUE,
    [XDS_TOKEN_ARRAY_END] = 0,
    [XDS_TOKEN_KEY] = 0,
    [XDS_TOKEN_STRING] = GOOGLE__PROTOBUF__VALUE__KIND_STRING_VALUE,
    [XDS_TOKEN_NUMBER] = GOOGLE__PROTOBUF__VALUE__KIND_NUMBER_VALUE,
    [XDS_TOKEN_TRUE] = GOOGLE__PROTOBUF__VALUE__KIND_BOOL_VALUE,
    [XDS_TOKEN_FALSE] = GOOGLE__PROTOBUF__VALUE__KIND_BOOL_VALUE,
    [XDS_TOKEN_NULL] = GOOGLE__PROTOBUF__VALUE__KIND_NULL_VALUE,
    [XDS_TOKEN_END] = 0,
    [XDS_TOKEN_ERROR] = 0,
};

static bool build_any_value(struct xds_builder *b, const char *name,
                            ProtobufCMessage *into)
{
    const unsigned arm = value_arm[b->token.kind];

    for (unsigned i = 0; i < into->descriptor->n_fields; i++)
        if (into->descriptor->fields[i].id == arm)
            return xds_build_field(b, name, &into->descriptor->fields[i], into);
    return xds_builder_mismatch(b, name, "a value", "");
}

static const struct {
    const ProtobufCMessageDescriptor *type;
    xds_well_known_fn *build;
} well_known[] = {
    {&google__protobuf__duration__descriptor, build_duration},
    {&google__protobuf__uint32_value__descriptor, build_wrapper},
    {&google__protobuf__bool_value__descriptor, build_wrapper},
    {&google__protobuf__uint64_value__descriptor, build_wrapper},
    {&google__protobuf__double_value__descriptor, build_wrapper},
    {&google__protobuf__float_value__descriptor, build_wrapper},
    {&google__protobuf__string_value__descriptor, build_wrapper},
    {&google__protobuf__bytes_value__descriptor, build_wrapper},
    {&google__protobuf__value__descriptor, build_any_value},
    {&google__protobuf__struct__descriptor, build_struct},
    {&google__protobuf__list_value__descriptor, build_list_value},
    {&google__protobuf__timestamp__descriptor, build_timestamp},
};

xds_well_known_fn *xds_well_known(const ProtobufCMessageDescriptor *type)
{
    /* Most messages are Envoy's: one character tells. */
    if (type->package_name[0] != 'g')
        return NULL;
    for (size_t i = 0; i < XDS_ARRAY_LEN(well_known); i++)
        if (well_known[i].type == type)
            return well_known[i].build;
    return NULL;
}
