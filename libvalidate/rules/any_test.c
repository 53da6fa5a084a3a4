/* any_test.c - type URLs, TypedStructs, and what an optional entry changes. */
#include <criterion/criterion.h>
#include <math.h>

#include "rules/kit_test.h"

#define GOOD "type.googleapis.com/"

/* Outlives every statement, as ext.at points to it. */
static const struct xds_path at_e = {.kind = XDS_STEP_FIELD, .field = "e"};

static const struct url_row {
    const char *url;
    bool optional, read;
    const char *type, *findings;
    bool canonical;
} urls[] = {
    {GOOD "a.B", false, true, "a.B", "", true},
    {"example.com/a.B", false, true, "a.B", "", false},
    {"/a.B", false, true, "a.B", "", false},
    {GOOD "x/a.B", false, true, "a.B", "", false},
    {"", false, false, "", "e.type_url any-type-url-empty NNNNN", false},
    {"", true, false, "", "e.type_url any-type-url-empty NNAAA", false},
    {"a.B", false, true, "a.B", "e.type_url any-type-url-malformed NNAAA", false},
    {"a.B", true, true, "a.B", "e.type_url any-type-url-malformed NNAAA", false},
    {GOOD, false, true, GOOD, "e.type_url any-type-url-malformed NNAAA", false},
    {"/", false, true, "/", "e.type_url any-type-url-malformed NNAAA", false},
};

Test(any, a_type_url_is_cut_after_its_last_slash)
{
    for (const struct url_row *r = urls; r < urls + XDS_ARRAY_LEN(urls); r++) {
        struct kit *kit = kit_new();
        const pb_any *any = kit_opaque(kit, r->url, XDS_ANY_UNKNOWN);
        struct xds_extension ext;

        cr_expect_eq(xds_extension_read(&kit->ctx, &at_e, any, r->optional, &ext),
                     r->read, "%s", r->url);
        cr_expect_str_eq(kit_findings(kit), r->findings, "%s", r->url);
        if (r->read) {
            cr_expect(xds_slice_is(ext.type, r->type), "%s", r->url);
            cr_expect_eq(ext.url_is_canonical, r->canonical, "%s", r->url);
            cr_expect_null(ext.message);
        }
        kit_free(kit);
    }
}

Test(any, an_absent_one_is_an_unknown_type_to_go_and_java)
{
    struct kit *kit = kit_new();
    struct xds_extension ext;

    cr_expect_not(xds_extension_read(&kit->ctx, &at_e, NULL, true, &ext));
    cr_expect_eq(ext.skipped_by, XDS_GO | XDS_JAVA);
    cr_expect_not(xds_extension_read(&kit->ctx, XDS_AT(NULL, "f"), NULL, false, &ext));
    cr_expect_eq(ext.skipped_by, 0u);
    cr_expect_str_eq(kit_findings(kit), "e any-absent NNAAN\nf any-absent NNNNN");
    kit_free(kit);
}

Test(any, a_known_message_is_handed_on_with_its_path)
{
    struct kit *kit = kit_new();
    pb_router router;
    struct xds_extension ext;

    envoy__extensions__filters__http__router__v3__router__init(&router);
    const pb_any *any = kit_any(kit, &router.base);
    cr_assert(xds_extension_read(&kit->ctx, &at_e, any, false, &ext));
    cr_expect_eq(ext.message, &router.base);
    cr_expect_not(ext.typed_struct);
    const struct xds_slice path = xds_path_render(&kit->arena, ext.at);
    cr_expect_str_eq(path.data,
                     "e.value[envoy.extensions.filters.http.router.v3.Router]");
    kit_free(kit);
}

static pb_xds_typed_struct *typed_struct(struct kit *kit, const char *url)
{
    pb_xds_typed_struct *pb = XDS_NEW(&kit->arena, pb_xds_typed_struct);

    xds__type__v3__typed_struct__init(pb);
    pb->type_url = (char *)(uintptr_t)xds_arena_strdup(&kit->arena, url);
    return pb;
}

#define STRUCT_AT "e.value[xds.type.v3.TypedStruct]"

static const struct struct_row {
    const char *url;
    bool read, canonical;
    const char *path, *findings;
} structs[] = {
    {GOOD "a.B", true, true, STRUCT_AT ".value[a.B]", ""},
    {"x/a.B", true, false, STRUCT_AT ".value[a.B]", ""},
    {"", false, false, "", STRUCT_AT ".type_url any-type-url-empty NNNNN"},
    {"a.B", true, false, STRUCT_AT ".value[a.B]",
     STRUCT_AT ".type_url any-type-url-malformed NNAAA"},
    /* never opened twice */
    {GOOD "xds.type.v3.TypedStruct", true, true,
     STRUCT_AT ".value[xds.type.v3.TypedStruct]", ""},
};

Test(any, a_typed_struct_gives_its_inner_type)
{
    for (const struct struct_row *r = structs; r < structs + XDS_ARRAY_LEN(structs);
         r++) {
        struct kit *kit = kit_new();
        const pb_any *any = kit_any(kit, &typed_struct(kit, r->url)->base);
        struct xds_extension ext;

        cr_expect_eq(xds_extension_read(&kit->ctx, &at_e, any, false, &ext), r->read,
                     "%s", r->url);
        cr_expect_str_eq(kit_findings(kit), r->findings, "%s", r->url);
        cr_expect(ext.typed_struct);
        cr_expect_null(ext.message);
        if (r->read) {
            cr_expect_str_eq(xds_path_render(&kit->arena, ext.at).data, r->path);
            cr_expect_eq(ext.url_is_canonical, r->canonical, "%s", r->url);
        }
        kit_free(kit);
    }
}

Test(any, the_older_spelling_of_typed_struct_is_opened_too)
{
    struct kit *kit = kit_new();
    pb_udpa_typed_struct pb;
    struct xds_extension ext;
    char url[] = GOOD "a.B";

    udpa__type__v1__typed_struct__init(&pb);
    pb.type_url = url;
    const pb_any *any = kit_any(kit, &pb.base);
    cr_assert(xds_extension_read(&kit->ctx, &at_e, any, false, &ext));
    cr_expect(xds_slice_is(ext.type, "a.B"));
    cr_expect_str_eq(xds_path_render(&kit->arena, ext.at).data,
                     "e.value[udpa.type.v1.TypedStruct].value[a.B]");
    kit_free(kit);
}

Test(any, an_undecodable_typed_struct_is_refused_even_when_optional)
{
    static const struct row {
        const char *url;
        bool optional;
        const char *findings;
    } rows[] = {
        {GOOD "xds.type.v3.TypedStruct", true,
         STRUCT_AT " typed-struct-undecodable NNNNN"},
        {"x/xds.type.v3.TypedStruct", true, STRUCT_AT " typed-struct-undecodable NNNAA"},
        {"x/xds.type.v3.TypedStruct", false, STRUCT_AT " typed-struct-undecodable NNNNN"},
    };

    for (const struct row *r = rows; r < rows + XDS_ARRAY_LEN(rows); r++) {
        struct kit *kit = kit_new();
        const pb_any *any = kit_opaque(kit, r->url, XDS_ANY_UNDECODABLE);
        struct xds_extension ext;

        cr_expect_not(xds_extension_read(&kit->ctx, &at_e, any, r->optional, &ext));
        cr_expect_str_eq(kit_findings(kit), r->findings);
        kit_free(kit);
    }
}

/* {"k": [VALUE]} in a TypedStruct. */
static const char *findings_of_value(struct kit *kit, pb_value *value)
{
    pb_xds_typed_struct *pb = typed_struct(kit, GOOD "a.B");
    pb_struct outer = GOOGLE__PROTOBUF__STRUCT__INIT;
    Google__Protobuf__Struct__FieldsEntry entry =
        GOOGLE__PROTOBUF__STRUCT__FIELDS_ENTRY__INIT;
    Google__Protobuf__Struct__FieldsEntry *entries[] = {&entry};
    pb_list_value list = GOOGLE__PROTOBUF__LIST_VALUE__INIT;
    pb_value holder = GOOGLE__PROTOBUF__VALUE__INIT;
    struct xds_extension ext;

    list.n_values = 1;
    list.values = &value;
    holder.kind_case = GOOGLE__PROTOBUF__VALUE__KIND_LIST_VALUE;
    holder.list_value = &list;
    entry.value = &holder;
    outer.n_fields = 1;
    outer.fields = entries;
    pb->value = &outer;
    cr_expect(xds_extension_read(&kit->ctx, &at_e, kit_any(kit, &pb->base), true, &ext));
    return kit_findings(kit);
}

Test(any, a_typed_struct_must_be_json_all_the_way_down)
{
    const char *fault = STRUCT_AT ".value[a.B] typed-struct-value-not-json NNAAA";
    const double numbers[] = {
        1.5, -0.0, 1e308, (double)NAN, (double)INFINITY, -(double)INFINITY};

    for (size_t i = 0; i < XDS_ARRAY_LEN(numbers); i++) {
        struct kit *kit = kit_new();
        pb_value value = GOOGLE__PROTOBUF__VALUE__INIT;

        value.kind_case = GOOGLE__PROTOBUF__VALUE__KIND_NUMBER_VALUE;
        value.number_value = numbers[i];
        cr_expect_str_eq(findings_of_value(kit, &value), i < 3 ? "" : fault);
        kit_free(kit);
    }
    struct kit *kit = kit_new();
    pb_value unset = GOOGLE__PROTOBUF__VALUE__INIT;
    cr_expect_str_eq(findings_of_value(kit, &unset), fault);
    kit_free(kit);
}
