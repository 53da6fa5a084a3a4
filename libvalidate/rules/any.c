/*
 * any.c - the google.protobuf.Any of an extension: its type, message and path.
 *
 * Source: gRFC A39, spec listener 1.2.
 */
#include "rules/readers.h"

#include <math.h>

#define URL_PREFIX XDS_S("type.googleapis.com/")

static bool is_canonical(struct xds_slice url, struct xds_slice type)
{
    return xds_slice_starts(url, URL_PREFIX) &&
           xds_slice_eq(xds_slice_from(url, URL_PREFIX.len), type);
}

struct xds_slice xds_type_name(struct xds_slice url)
{
    for (size_t i = url.len; i > 0; i--)
        if (url.data[i - 1] == '/')
            return xds_slice_from(url, i);
    return XDS_S("");
}

/* A malformed type_url is kept whole as type: C-core continues with it. */
static bool read_type(struct xds_ctx *ctx, const struct xds_path *at,
                      const char *type_url, bool optional, struct xds_extension *out)
{
    const struct xds_slice url = xds_slice_of(type_url);

    if (url.len == 0) {
        out->skipped_by = optional ? xds_who(ctx, XDS_DIFF_ANY_URL_OPTIONAL) : 0;
        return xds_fire_for(ctx, at, ~out->skipped_by, XDS_R_ANY_URL_EMPTY, NULL);
    }
    out->type = xds_type_name(url);
    if (out->type.len == 0) {
        xds_fire_with(ctx, at, XDS_R_ANY_URL_MALFORMED, XDS_WITH(url));
        out->type = url;
        out->url_is_malformed = true;
    }
    out->url_is_canonical = out->url_is_canonical && is_canonical(url, out->type);
    return true;
}

static const struct xds_path *step_into(struct xds_ctx *ctx, const struct xds_path *at,
                                        struct xds_slice type)
{
    struct xds_path *step = XDS_NEW(ctx->arena, struct xds_path);

    *step = *XDS_AT_VALUE(at, type);
    return step;
}

bool xds_is_typed_struct(struct xds_slice type)
{
    return xds_slice_is(type, "xds.type.v3.TypedStruct") ||
           xds_slice_is(type, "udpa.type.v1.TypedStruct");
}

struct typed_struct {
    const char *type_url;
    const pb_struct *value;
};

static bool open_typed_struct(const pb_any *any, struct typed_struct *out)
{
    const pb_xds_typed_struct *xds =
        xds_any_message(any, &xds__type__v3__typed_struct__descriptor);
    const pb_udpa_typed_struct *udpa =
        xds_any_message(any, &udpa__type__v1__typed_struct__descriptor);

    if (xds)
        *out = (struct typed_struct){xds->type_url, xds->value};
    else if (udpa)
        *out = (struct typed_struct){udpa->type_url, udpa->value};
    return xds || udpa;
}

bool xds_is_object_property(struct xds_slice name)
{
    static const char *const names[] = {
        "__defineGetter__", "__defineSetter__", "__lookupGetter__",
        "__lookupSetter__", "__proto__",        "constructor",
        "hasOwnProperty",   "isPrototypeOf",    "propertyIsEnumerable",
        "toLocaleString",   "toString",         "valueOf",
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(names); i++)
        if (xds_slice_is(name, names[i]))
            return true;
    return false;
}

/* Is a Value somewhere in it for which the question is answered with yes? Recursion is as
 * deep as the nesting that decode/ accepts. */
static bool has_value(const pb_struct *pb, bool (*is)(const pb_value *));

static bool is_or_has(const pb_value *pb, bool (*is)(const pb_value *))
{
    if (is(pb))
        return true;
    if (pb && pb->kind_case == GOOGLE__PROTOBUF__VALUE__KIND_STRUCT_VALUE)
        return has_value(pb->struct_value, is);
    if (!pb || pb->kind_case != GOOGLE__PROTOBUF__VALUE__KIND_LIST_VALUE)
        return false;
    for (size_t i = 0; i < pb->list_value->n_values; i++)
        if (is_or_has(pb->list_value->values[i], is))
            return true;
    return false;
}

static bool has_value(const pb_struct *pb, bool (*is)(const pb_value *))
{
    for (size_t i = 0; pb && i < pb->n_fields; i++)
        if (is_or_has(pb->fields[i]->value, is))
            return true;
    return false;
}

static bool lacks_kind(const pb_value *pb)
{
    return !pb || pb->kind_case == GOOGLE__PROTOBUF__VALUE__KIND__NOT_SET;
}

static bool is_infinite(const pb_value *pb)
{
    return pb && pb->kind_case == GOOGLE__PROTOBUF__VALUE__KIND_NUMBER_VALUE &&
           !isfinite(pb->number_value);
}

bool xds_struct_lacks_kind(const pb_struct *pb)
{
    return has_value(pb, lacks_kind);
}

bool xds_struct_has_infinity(const pb_struct *pb)
{
    return has_value(pb, is_infinite);
}

/* Why a Value is not JSON, or NULL. Recursion is as deep as the nesting that decode/
 * accepts. */
static const char *value_fault(const pb_value *pb)
{
    if (!pb || pb->kind_case == GOOGLE__PROTOBUF__VALUE__KIND__NOT_SET)
        return "No value set in Value proto";
    if (pb->kind_case == GOOGLE__PROTOBUF__VALUE__KIND_NUMBER_VALUE)
        return isfinite(pb->number_value)
                   ? NULL
                   : "google.protobuf.Value cannot encode double values for infinity "
                     "or nan, because they would be parsed as a string";
    if (pb->kind_case == GOOGLE__PROTOBUF__VALUE__KIND_STRUCT_VALUE)
        return xds_struct_fault(pb->struct_value);
    if (pb->kind_case != GOOGLE__PROTOBUF__VALUE__KIND_LIST_VALUE)
        return NULL;

    const char *fault = NULL;
    for (size_t i = 0; i < pb->list_value->n_values && !fault; i++)
        fault = value_fault(pb->list_value->values[i]);
    return fault;
}

const char *xds_struct_fault(const pb_struct *pb)
{
    const char *fault = NULL;

    for (size_t i = 0; pb && i < pb->n_fields && !fault; i++)
        fault = value_fault(pb->fields[i]->value);
    return fault;
}

/* One level only: what is inside a TypedStruct is never opened again (G19). */
static bool read_typed_struct(struct xds_ctx *ctx, const pb_any *any, bool optional,
                              struct xds_extension *out)
{
    const struct xds_path *here = out->at;
    struct typed_struct inner;

    out->typed_struct = true;
    out->message = NULL;
    if (!open_typed_struct(any, &inner)) {
        /* To those that know only the canonical URL it is not a TypedStruct. */
        out->skipped_by = optional && !out->url_is_canonical
                              ? xds_who(ctx, XDS_DIFF_ANY_URL_OPTIONAL) &
                                    ~xds_who(ctx, XDS_DIFF_FILTER_STRUCT_ANY_PREFIX)
                              : 0;
        return xds_fire_for(ctx, here, ~out->skipped_by, XDS_R_ANY_STRUCT_UNDECODABLE,
                            NULL);
    }
    if (!read_type(ctx, here, inner.type_url, optional, out))
        return false;
    out->at = step_into(ctx, here, out->type);

    out->inner_url_is_canonical = is_canonical(xds_slice_of(inner.type_url), out->type);
    out->struct_fault = xds_struct_fault(inner.value);
    if (out->struct_fault)
        xds_fire_with(ctx, out->at, XDS_R_ANY_STRUCT_VALUE,
                      XDS_WITH(xds_slice_of(out->struct_fault)));
    return true;
}

bool xds_extension_read(struct xds_ctx *ctx, const struct xds_path *at, const pb_any *any,
                        bool optional, struct xds_extension *out)
{
    *out = (struct xds_extension){.at = at, .url_is_canonical = true};
    if (!any) {
        out->skipped_by = optional ? xds_who(ctx, XDS_DIFF_ANY_ABSENT_OPTIONAL) : 0;
        return xds_fire_for(ctx, at, ~out->skipped_by, XDS_R_ANY_ABSENT, NULL);
    }
    if (!read_type(ctx, at, any->type_url, optional, out))
        return false;
    out->at = step_into(ctx, at, out->type);
    if (xds_is_typed_struct(out->type))
        return read_typed_struct(ctx, any, optional, out);
    out->message = xds_any_of(any)->message;
    out->undecodable = xds_any_of(any)->state == XDS_ANY_UNDECODABLE;
    return true;
}
