/* registry_test.c - configs that no case can hold: trees of another reader, of any depth
 * and width. */
#include <cjson/cJSON.h>
#include <criterion/criterion.h>

#include "base/limits.h"
#include "rules/kit_test.h"
#include "rules/lb_policy/registry.h"

/* A tree from JSON text, as a reader of such a text would make it. */
static struct xds_tree tree_of(struct xds_arena *arena, const cJSON *json)
{
    struct xds_tree out = {.kind = XDS_TREE_NULL};
    const size_t n = (size_t)cJSON_GetArraySize(json);
    struct xds_tree *items = XDS_NEW_ARRAY(arena, struct xds_tree, n);
    size_t i = 0;

    for (const cJSON *item = json->child; item; item = item->next, i++) {
        items[i] = tree_of(arena, item);
        if (cJSON_IsObject(json))
            items[i].key = xds_arena_dup(arena, xds_slice_of(item->string));
    }
    out.items = items;
    out.n = n;
    if (cJSON_IsObject(json))
        out.kind = XDS_TREE_OBJECT;
    else if (cJSON_IsArray(json))
        out.kind = XDS_TREE_ARRAY;
    else if (cJSON_IsBool(json))
        out = (struct xds_tree){.kind = XDS_TREE_BOOL, .truth = cJSON_IsTrue(json) != 0};
    else if (cJSON_IsNumber(json))
        out = (struct xds_tree){.kind = XDS_TREE_NUMBER, .number = json->valuedouble};
    else if (cJSON_IsString(json))
        out = (struct xds_tree){
            .kind = XDS_TREE_STRING,
            .text = xds_arena_dup(arena, xds_slice_of(json->valuestring))};
    return out;
}

static const struct xds_tree *tree(struct kit *kit, const char *text)
{
    cJSON *json = cJSON_Parse(text);
    struct xds_tree *out = XDS_NEW(&kit->arena, struct xds_tree);

    cr_assert_not_null(json, "%s", text);
    *out = tree_of(&kit->arena, json);
    cJSON_Delete(json);
    return out;
}

static const char *faults(struct kit *kit, enum xds_client client,
                          const struct xds_tree *list)
{
    struct xds_lb_judge judge = {
        .arena = &kit->arena, .options = &kit->options, .client = client};
    const struct xds_slice text = xds_lb_list_faults(&judge, list);

    return text.data ? text.data : "";
}

static const struct row {
    enum xds_client client;
    const char *list, *faults;
} rows[] = {
    {XDS_CLIENT_CORE, "{}", "type should be array"},
    {XDS_CLIENT_CORE, "null", "type should be array"},
    {XDS_CLIENT_CORE, "[]", "No known policies in list: "},
    {XDS_CLIENT_CORE, "[{\"x\":{}},{\"round_robin\":{}}]", ""},
    {XDS_CLIENT_CORE, "[{\"x\":{}},1]", "child entry should be of type object"},
    {XDS_CLIENT_GO, "[{\"xds_override_host_experimental\":{}}]",
     "No known policies in list: xds_override_host_experimental"},
    {XDS_CLIENT_CORE, "[{\"pick_first\":{\"shuffleAddressList\":0}}]",
     "errors validating pick_first LB policy config: [field:shuffleAddressList error:is "
     "not a boolean]"},
    {XDS_CLIENT_CORE,
     "[{\"pick_first\":{\"shuffleAddressList\":0,\"shuffleAddressList\":true}}]", ""},
    {XDS_CLIENT_CORE, "[{\"ring_hash_experimental\":{\"minRingSize\":\"\"}}]",
     "errors validating ring_hash LB policy config: [field:minRingSize error:failed to "
     "parse non-negative number]"},
    {XDS_CLIENT_CORE, "[{\"ring_hash_experimental\":{\"minRingSize\":\" 7\\t\"}}]", ""},
    {XDS_CLIENT_CORE, "[{\"ring_hash_experimental\":{\"minRingSize\":1e15}}]",
     "errors validating ring_hash LB policy config: [field:minRingSize error:failed to "
     "parse non-negative number]"},
    {XDS_CLIENT_CORE, "[{\"ring_hash_experimental\":{\"minRingSize\":true}}]",
     "errors validating ring_hash LB policy config: [field:minRingSize error:is not a "
     "number]"},
    {XDS_CLIENT_GO,
     "[{\"ring_hash_experimental\":{\"minRingSize\":0,\"maxRingSize\":0}}]", ""},
    {XDS_CLIENT_JAVA,
     "[{\"ring_hash_experimental\":{\"minRingSize\":9000000,\"maxRingSize\":9000000}}]",
     ""},
    {XDS_CLIENT_NODE, "[{\"ring_hash\":{\"min_ring_size\":1.5}}]", ""},
    {XDS_CLIENT_CORE,
     "[{\"weighted_round_robin\":{\"errorUtilizationPenalty\":\" 1.5 \"}}]", ""},
    {XDS_CLIENT_CORE, "[{\"weighted_round_robin\":{\"blackoutPeriod\":\" 1.5 s\"}}]", ""},
    {XDS_CLIENT_JAVA,
     "[{\"weighted_round_robin\":{\"blackoutPeriod\":\"-315576000001s\"}}]",
     "errors validating weighted_round_robin LB policy config: [field:blackoutPeriod "
     "error:seconds must be in the range [0, 315576000000]]"},
};

Test(registry, each_list_has_the_faults_that_its_client_sees)
{
    for (const struct row *r = rows; r < rows + XDS_ARRAY_LEN(rows); r++) {
        struct kit *kit = kit_new();

        cr_expect_str_eq(faults(kit, r->client, tree(kit, r->list)), r->faults, "%s",
                         r->list);
        kit_free(kit);
    }
}

/* Locality layers below each other, with round_robin at the end. */
static const struct xds_tree *layers(struct kit *kit, unsigned n)
{
    const struct xds_tree *list = tree(kit, "[{\"round_robin\":{}}]");

    while (n-- > 0) {
        struct xds_tree *made = XDS_NEW_ARRAY(&kit->arena, struct xds_tree, 4);

        made[3] = *list;
        made[3].key = XDS_S("childPolicy");
        made[2] = (struct xds_tree){.kind = XDS_TREE_OBJECT,
                                    .key = XDS_S("xds_wrr_locality_experimental"),
                                    .items = &made[3],
                                    .n = 1};
        made[1] = (struct xds_tree){.kind = XDS_TREE_OBJECT, .items = &made[2], .n = 1};
        made[0] = (struct xds_tree){.kind = XDS_TREE_ARRAY, .items = &made[1], .n = 1};
        list = made;
    }
    return list;
}

/* limit: XDS_MAX_LB_CONFIG_NESTING */
Test(registry, no_more_policies_below_each_other_are_read_than_the_limit_says)
{
    struct kit *kit = kit_new();

    cr_expect_str_eq(faults(kit, XDS_CLIENT_CORE, layers(kit, XDS_MAX_LB_CONFIG_NESTING)),
                     "");

    const char *text = faults(kit, XDS_CLIENT_CORE, layers(kit, 100000));

    cr_expect_not_null(strstr(text, "error:exceeded max nesting of LB policies]]]"));
    kit_free(kit);
}

/* {"N": of, ...} of as many members. */
static struct xds_tree many(struct kit *kit, enum xds_tree_kind kind, size_t n,
                            struct xds_tree of)
{
    struct xds_tree *items = XDS_NEW_ARRAY(&kit->arena, struct xds_tree, n);

    for (size_t i = 0; i < n; i++) {
        items[i] = of;
        items[i].key = xds_arena_printf(&kit->arena, "%05zu", i);
        if (of.kind == XDS_TREE_STRING)
            items[i].text = items[i].key;
    }
    return (struct xds_tree){.kind = kind, .items = items, .n = n};
}

static const char *faults_of_many(struct kit *kit, const char *policy, const char *field,
                                  struct xds_tree value)
{
    struct xds_lb_judge judge = {
        .arena = &kit->arena, .options = &kit->options, .client = XDS_CLIENT_CORE};

    value.key = xds_slice_of(field);

    const struct xds_tree config = {.kind = XDS_TREE_OBJECT, .items = &value, .n = 1};
    const struct xds_slice text =
        xds_lb_config_faults(&judge, xds_slice_of(policy), &config);

    return text.data ? text.data : "";
}

Test(registry, the_text_of_faults_has_an_end_however_many_there_are)
{
    struct kit *kit = kit_new();
    const struct xds_tree null = {.kind = XDS_TREE_NULL};
    const struct xds_tree name = {.kind = XDS_TREE_STRING};
    const char *targets = faults_of_many(kit, "weighted_target_experimental", "targets",
                                         many(kit, XDS_TREE_OBJECT, 20000, null));
    const char *priorities = faults_of_many(kit, "priority_experimental", "priorities",
                                            many(kit, XDS_TREE_ARRAY, 20000, name));

    cr_expect_lt(strlen(targets), 100 * 60);
    cr_expect_not_null(
        strstr(targets, "field:targets[\"00000\"] error:is not an object"));
    cr_expect_lt(strlen(priorities), 100 * 10 + 200);
    cr_expect_not_null(strstr(priorities, "unknown priorit(ies): [00000, 00001, "));
    kit_free(kit);
}

Test(registry, the_names_of_unknown_policies_are_listed_up_to_a_limit)
{
    struct kit *kit = kit_new();
    const struct xds_tree config = {.kind = XDS_TREE_OBJECT};
    struct xds_tree list = many(kit, XDS_TREE_ARRAY, 102, config);
    struct xds_tree *entries = XDS_NEW_ARRAY(&kit->arena, struct xds_tree, 102);

    for (size_t i = 0; i < list.n; i++)
        entries[i] =
            (struct xds_tree){.kind = XDS_TREE_OBJECT, .items = &list.items[i], .n = 1};
    list.items = entries;

    const char *text = faults(kit, XDS_CLIENT_CORE, &list);

    cr_expect_eq(strncmp(text, "No known policies in list: 00000 00001 ", 39), 0);
    cr_expect_not_null(strstr(text, "00099 and 2 more"));
    kit_free(kit);
}

Test(registry, a_struct_becomes_a_tree_of_its_values)
{
    pb_value null = GOOGLE__PROTOBUF__VALUE__INIT, truth = null, none = null;
    Google__Protobuf__Struct__FieldsEntry a, b, c, *fields[] = {&a, &b, &c};
    pb_struct pb = GOOGLE__PROTOBUF__STRUCT__INIT;
    struct kit *kit = kit_new();

    google__protobuf__struct__fields_entry__init(&a);
    b = c = a;
    null.kind_case = GOOGLE__PROTOBUF__VALUE__KIND_NULL_VALUE;
    truth.kind_case = GOOGLE__PROTOBUF__VALUE__KIND_BOOL_VALUE;
    truth.bool_value = 1;
    a.value = &null;
    b.value = &truth;
    c.value = &none; /* reported elsewhere; here it is null */
    pb.n_fields = XDS_ARRAY_LEN(fields);
    pb.fields = fields;

    const struct xds_tree out = xds_tree_of_struct(&kit->arena, &pb);

    cr_assert_eq(out.n, 3);
    cr_expect_eq(out.items[0].kind, XDS_TREE_NULL);
    cr_expect(out.items[1].truth);
    cr_expect_eq(out.items[2].kind, XDS_TREE_NULL);
    cr_expect_eq(xds_tree_of_struct(&kit->arena, NULL).n, 0);
    kit_free(kit);
}

Test(registry, each_client_has_policies_of_its_own)
{
    struct xds_options options;

    xds_options_init(&options);
    enum xds_lb_kind kind = XDS_LB_OTHER;

    cr_expect_eq(xds_lb_registered(&options, XDS_S("ring_hash"), &kind), XDS_NODE);
    cr_expect_eq(kind, XDS_LB_RING_HASH);
    cr_expect_eq(
        xds_lb_registered(&options, XDS_S("xds_override_host_experimental"), &kind),
        XDS_GRFC | XDS_CORE);
    cr_expect_eq(xds_lb_registered(&options, XDS_S("x"), &kind), 0);
}
