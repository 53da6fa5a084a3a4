/*
 * registry.c - the LB policies that a TypedStruct names: their configs as trees and in
 * the model, and how the parsers of the clients judge one policy or a list of them.
 *
 * Source: spec cluster 1.6, 1.7; gRFC A24, A52; google/protobuf/struct.proto.
 */
#include "base/text.h"
#include "rules/lb_policy/lb_policy.h"
#include "rules/lb_policy/registry.h"

/* ---- faults ---- */

void xds_lb_fault(struct xds_lb_scope *scope, const struct xds_path *at,
                  struct xds_slice message)
{
    const struct xds_lb_observer *observer = scope->judge->observer;
    const bool has_room = scope->judge->n_faults++ < XDS_MAX_ERRORS_PER_MESSAGE;

    if (observer)
        observer->fault(observer->user, at, message);
    else if (has_room)
        xds_validation_error(scope->errors, XDS_CLIENT_BIT(scope->judge->client), at,
                             "%.*s", XDS_FMT(message));
}

struct xds_slice xds_lb_quoted(const struct xds_lb_scope *scope, const char *words,
                               struct xds_slice what)
{
    return xds_arena_printf(scope->judge->arena, "%s \"%.*s\"", words, XDS_FMT(what));
}

struct xds_slice xds_lb_shown_key(const struct xds_lb_scope *scope, struct xds_slice key)
{
    return scope->judge->observer
               ? key
               : xds_arena_printf(scope->judge->arena, "\"%.*s\"", XDS_FMT(key));
}

/* ---- values ---- */

static bool is_item(const struct xds_lb_field *field, const struct xds_tree *value)
{
    return field->kind == XDS_LB_FIELD_ANYTHING ? value->kind != XDS_TREE_NULL
                                                : value->kind == XDS_TREE_STRING;
}

/* To some a list is an object, with its indices as keys. */
static bool is_object(const struct xds_lb_scope *scope, const struct xds_tree *value)
{
    return value->kind == XDS_TREE_OBJECT ||
           (value->kind == XDS_TREE_ARRAY &&
            xds_lb_differs(scope, XDS_DIFF_LB_OBJECT_ANY));
}

static void read_map(struct xds_lb_scope *scope, const struct xds_path *up,
                     const struct xds_lb_field *field, const struct xds_tree *value)
{
    const size_t n = is_object(scope, value) ? value->n : 0;

    if (!is_object(scope, value))
        xds_lb_fault(scope, XDS_AT(up, field->name), XDS_S("is not an object"));
    for (size_t i = 0; i < n; i++)
        xds_lb_object_read(scope,
                           value->kind == XDS_TREE_ARRAY
                               ? XDS_AT_I(up, field->name, i)
                               : XDS_AT_KEY(up, field->name,
                                            xds_lb_shown_key(scope, value->items[i].key)),
                           field->schema, &value->items[i]);
}

void xds_lb_policies_read(struct xds_lb_scope *scope, const struct xds_path *up,
                          const char *name, const struct xds_tree *value)
{
    const struct xds_lb_observer *observer = scope->judge->observer;
    const struct xds_path *at = XDS_AT(up, name);

    if (observer) {
        observer->policies(observer->user, up, name, value);
        return;
    }

    const struct xds_slice faults = xds_lb_list_faults(scope->judge, value);

    if (faults.data)
        xds_lb_fault(scope, at, faults);
}

/* A list of values, or of objects of a schema. */
static void read_list(struct xds_lb_scope *scope, const struct xds_path *up,
                      const struct xds_lb_field *field, const struct xds_tree *value)
{
    if (value->kind != XDS_TREE_ARRAY)
        xds_lb_fault(scope, XDS_AT(up, field->name), XDS_S("is not an array"));
    for (size_t i = 0; value->kind == XDS_TREE_ARRAY && i < value->n; i++)
        if (field->schema)
            xds_lb_object_read(scope, XDS_AT_I(up, field->name, i), field->schema,
                               &value->items[i]);
        else if (!is_item(field, &value->items[i]))
            xds_lb_fault(scope, XDS_AT_I(up, field->name, i), XDS_S("is not a string"));
}

static void read_value(struct xds_lb_scope *scope, const struct xds_path *up,
                       const struct xds_lb_field *field, const struct xds_tree *value)
{
    const struct xds_path *at = XDS_AT(up, field->name);
    const char *fault;
    double number;

    switch (field->kind) {
    case XDS_LB_FIELD_BOOL:
        if (value->kind != XDS_TREE_BOOL)
            xds_lb_fault(scope, at, XDS_S("is not a boolean"));
        break;
    case XDS_LB_FIELD_STRING:
    case XDS_LB_FIELD_STRING_OR_NULL:
        if (value->kind != XDS_TREE_STRING)
            xds_lb_fault(scope, at, XDS_S("is not a string"));
        break;
    case XDS_LB_FIELD_UINT32:
    case XDS_LB_FIELD_UINT64:
    case XDS_LB_FIELD_INT64:
    case XDS_LB_FIELD_FLOAT:
    case XDS_LB_FIELD_DURATION:
    case XDS_LB_FIELD_SECONDS_NANOS:
        fault = xds_lb_number(scope->judge, field->kind, value, &number);
        if (fault)
            xds_lb_fault(scope, at, xds_slice_of(fault));
        break;
    case XDS_LB_FIELD_STRINGS:
    case XDS_LB_FIELD_ANYTHING:
    case XDS_LB_FIELD_OBJECTS:
        read_list(scope, up, field, value);
        break;
    case XDS_LB_FIELD_OBJECT:
        xds_lb_object_read(scope, at, field->schema, value);
        break;
    case XDS_LB_FIELD_MAP:
        read_map(scope, up, field, value);
        break;
    case XDS_LB_FIELD_POLICIES:
        xds_lb_policies_read(scope, up, field->name, value);
        break;
    case XDS_LB_FIELD_LIST:
        if (value->kind != XDS_TREE_ARRAY)
            xds_lb_fault(scope, at, XDS_S("type should be array"));
        break;
    }
}

/* Is this key taken for the name? */
static bool key_is(const struct xds_lb_scope *scope, struct xds_slice key,
                   const char *name)
{
    if (scope->judge->both_spellings)
        return xds_tree_same_field(key, xds_slice_of(name));
    return xds_lb_differs(scope, XDS_DIFF_LB_KEYS_FOLDED)
               ? xds_slice_eq_fold(key, xds_slice_of(name))
               : xds_slice_is(key, name);
}

const struct xds_tree *xds_lb_member(const struct xds_lb_scope *scope,
                                     const struct xds_tree *object, const char *name)
{
    const struct xds_tree *last = NULL;

    if (scope->judge->both_spellings)
        return xds_tree_field(object, name);
    if (!xds_lb_differs(scope, XDS_DIFF_LB_KEYS_FOLDED))
        return xds_tree_member(object, name);
    /* Keys are written in their order, and the last one counts. */
    for (size_t i = 0; object->kind == XDS_TREE_OBJECT && i < object->n; i++)
        if (key_is(scope, object->items[i].key, name) &&
            (!last || xds_slice_cmp(last->key, object->items[i].key) <= 0))
            last = &object->items[i];
    return last;
}

/* ---- the object ---- */

/* null is mostly as good as absent. */
static bool is_absent(const struct xds_lb_scope *scope, const struct xds_lb_field *field,
                      const struct xds_tree *value)
{
    const enum xds_lb_field_kind kind = field->kind;

    if (!value)
        return true;
    if (value->kind != XDS_TREE_NULL)
        return false;
    /* JSON of a message has null for any field that is absent. */
    if (kind == XDS_LB_FIELD_STRING_OR_NULL || scope->judge->both_spellings)
        return true;
    if (kind == XDS_LB_FIELD_POLICIES || kind == XDS_LB_FIELD_LIST)
        return xds_lb_differs(scope, XDS_DIFF_LB_NULL_LIST_ABSENT);
    if (kind == XDS_LB_FIELD_STRINGS && !field->required_by &&
        xds_lb_differs(scope, XDS_DIFF_LB_NULL_METRICS_REFUSED))
        return false;
    return !xds_lb_differs(scope, kind == XDS_LB_FIELD_DURATION
                                      ? XDS_DIFF_LB_NULL_DURATION_REFUSED
                                      : XDS_DIFF_LB_NULL_REFUSED);
}

/* A message has a field once, in whichever spelling. */
static bool is_there_twice(const struct xds_lb_scope *scope,
                           const struct xds_lb_field *field,
                           const struct xds_tree *object)
{
    size_t n = 0;

    for (size_t i = 0; scope->judge->both_spellings && i < object->n; i++)
        n += key_is(scope, object->items[i].key, field->name);
    return n > 1 && !scope->judge->observer;
}

static bool is_read(const struct xds_lb_scope *scope, const struct xds_lb_field *field)
{
    const struct xds_lb_judge *judge = scope->judge;

    return (field->readers >> judge->client & 1u) &&
           !(field->guarded &&
             !xds_env_on(judge->options, field->guard, judge->client)) &&
           !(field->dated && xds_lb_differs(scope, field->before));
}

static void tell_unknown(struct xds_lb_scope *scope, const struct xds_path *at,
                         const struct xds_lb_schema *schema,
                         const struct xds_tree *object)
{
    const struct xds_lb_observer *observer = scope->judge->observer;

    for (size_t i = 0; i < object->n && object->kind == XDS_TREE_OBJECT; i++) {
        const struct xds_tree *member = &object->items[i];
        struct xds_nearest nearest = xds_nearest_to(member->key);
        size_t k = 0;

        for (; k < schema->n_fields; k++) {
            if (!is_read(scope, &schema->fields[k]))
                continue;
            if (key_is(scope, member->key, schema->fields[k].name))
                break;
            xds_nearest_offer(&nearest, schema->fields[k].name);
        }
        /* Some fields need no check and have no row. */
        if (k == schema->n_fields && nearest.best)
            observer->unknown(observer->user, at, member, nearest.best);
    }
}

static void read_field(struct xds_lb_scope *scope, const struct xds_path *at,
                       const struct xds_lb_field *field, const struct xds_tree *object)
{
    const struct xds_tree *value = xds_lb_member(scope, object, field->name);
    const struct xds_lb_judge *judge = scope->judge;
    const size_t n_faults = judge->n_faults;

    if (!is_read(scope, field))
        return;
    if (!is_absent(scope, field, value)) {
        read_value(scope, at, field, value);
        scope->judge->throws |=
            field->kind != XDS_LB_FIELD_POLICIES && scope->judge->n_faults > n_faults;
    } else if (field->required_by >> judge->client & 1u)
        xds_lb_fault(scope, XDS_AT(at, field->name), XDS_S("field not present"));
    if (is_there_twice(scope, field, object))
        xds_lb_fault(scope, XDS_AT(at, field->name), XDS_S("duplicate field"));
    if (!value || !xds_lb_differs(scope, XDS_DIFF_LB_KEYS_FOLDED))
        return;
    for (size_t i = 0; i < object->n; i++) {
        const struct xds_tree *other = &object->items[i];

        if (other != value && key_is(scope, other->key, field->name) &&
            !is_absent(scope, field, other))
            read_value(scope, at, field, other);
    }
}

/* The number, or the length of a value that is of the kind of the field. */
static bool measure(const struct xds_lb_scope *scope, enum xds_lb_field_kind kind,
                    const struct xds_tree *value, double *number)
{
    *number = (double)(value->kind == XDS_TREE_STRING ? value->text.len : value->n);
    if (kind == XDS_LB_FIELD_STRING)
        return value->kind == XDS_TREE_STRING;
    if (kind == XDS_LB_FIELD_STRINGS || kind == XDS_LB_FIELD_OBJECTS)
        return value->kind == XDS_TREE_ARRAY;
    if (kind == XDS_LB_FIELD_MAP)
        return value->kind == XDS_TREE_OBJECT;
    return !xds_lb_number(scope->judge, kind, value, number);
}

static enum xds_lb_field_kind kind_of(const struct xds_lb_schema *schema,
                                      const char *name)
{
    size_t i = 0;

    while (strcmp(schema->fields[i].name, name) != 0)
        i++;
    return schema->fields[i].kind;
}

void xds_lb_object_read(struct xds_lb_scope *scope, const struct xds_path *at,
                        const struct xds_lb_schema *schema, const struct xds_tree *object)
{
    const bool is_empty =
        object->kind == XDS_TREE_NULL && xds_lb_differs(scope, XDS_DIFF_LB_NULL_EMPTY);

    if (!is_object(scope, object) && !is_empty) {
        xds_lb_fault(scope, at, XDS_S("is not an object"));
        return;
    }
    for (size_t i = 0; i < schema->n_fields; i++)
        read_field(scope, at, &schema->fields[i], object);
    if (scope->judge->observer)
        tell_unknown(scope, at, schema, object);
    for (size_t i = 0; i < schema->n_bounds; i++) {
        const struct xds_lb_bound *bound = &schema->bounds[i];
        const struct xds_tree *value = xds_lb_member(scope, object, bound->field);
        double number;

        if (value && (bound->clients >> scope->judge->client & 1u) &&
            measure(scope, kind_of(schema, bound->field), value, &number) &&
            (number < bound->least || number > bound->most)) {
            xds_lb_fault(scope,
                         XDS_AT(at, bound->shown_as ? bound->shown_as : bound->field),
                         xds_slice_of(bound->message));
            scope->judge->throws |= schema->bounds_throw;
        }
    }
    if (schema->check)
        schema->check(scope, at, object);
}

/* ---- policies ---- */

static struct xds_slice faults_of(struct xds_lb_judge *judge,
                                  const struct xds_lb_row *row,
                                  const struct xds_tree *config)
{
    struct xds_validation_errors errors;
    struct xds_lb_scope scope = {judge, &errors};
    const bool threw = judge->throws;

    xds_validation_errors_init(&errors, judge->arena);
    judge->depth++;
    if (judge->depth > XDS_MAX_LB_CONFIG_NESTING)
        xds_lb_fault(&scope, NULL, XDS_S("exceeded max nesting of LB policies"));
    else
        xds_lb_object_read(&scope, NULL, row->schema, config);
    judge->depth--;
    /* The parsers of java that let through what they throw. */
    if (!(row->schema == &xds_lb_ring_hash_config ||
          row->schema == &xds_lb_outlier_detection))
        judge->throws = threw;
    return errors.n > 0
               ? xds_validation_errors_text(
                     &errors,
                     xds_arena_printf(judge->arena,
                                      "errors validating %s LB policy config", row->title)
                         .data)
               : (struct xds_slice){NULL, 0};
}

struct xds_slice xds_lb_config_faults(struct xds_lb_judge *judge, struct xds_slice name,
                                      const struct xds_tree *config)
{
    const struct xds_lb_row *row = xds_lb_row_of(judge, name);

    return row && row->schema ? faults_of(judge, row, config)
                              : (struct xds_slice){NULL, 0};
}

const char *xds_lb_policy_name(const struct xds_lb_judge *judge, struct xds_slice name)
{
    const struct xds_lb_row *row = xds_lb_row_of(judge, name);

    return row ? row->name : NULL;
}

bool xds_lb_config_report(struct xds_lb_judge *judge, const struct xds_path *at,
                          struct xds_slice name, const struct xds_tree *config)
{
    const struct xds_lb_row *row = xds_lb_row_of(judge, name);
    struct xds_lb_scope scope = {judge, NULL};

    if (row && row->schema)
        xds_lb_object_read(&scope, at, row->schema, config);
    return row != NULL;
}

struct xds_slice xds_lb_entry_fault(const struct xds_tree *entry)
{
    if (entry->kind != XDS_TREE_OBJECT)
        return XDS_S("child entry should be of type object");
    if (entry->n == 0)
        return XDS_S("no policy found in child entry");
    if (entry->n > 1)
        return XDS_S("oneOf violation");
    if (entry->items[0].kind != XDS_TREE_OBJECT)
        return XDS_S("child entry should be of type object");
    return (struct xds_slice){NULL, 0};
}

/* No longer than a message may be. */
struct xds_slice xds_lb_none_known(struct xds_arena *arena, const struct xds_tree *list)
{
    const size_t shown =
        list->n < XDS_MAX_ERRORS_PER_MESSAGE ? list->n : XDS_MAX_ERRORS_PER_MESSAGE;
    struct xds_slice text = XDS_S("No known policies in list: ");

    for (size_t i = 0; i < shown; i++)
        text = xds_arena_printf(arena, "%.*s%s%.*s", XDS_FMT(text), i ? " " : "",
                                XDS_FMT(list->items[i].items[0].key));
    if (shown < list->n)
        text =
            xds_arena_printf(arena, "%.*s and %zu more", XDS_FMT(text), list->n - shown);
    return text;
}

/* What the parser of the policy is given may be of any kind. */
static struct xds_slice entry_fault(const struct xds_lb_judge *judge,
                                    const struct xds_tree *entry)
{
    return entry->kind == XDS_TREE_OBJECT && entry->n == 1 &&
                   xds_differs(judge->options, judge->client, XDS_DIFF_LB_LIST_CONFIG_ANY)
               ? (struct xds_slice){NULL, 0}
               : xds_lb_entry_fault(entry);
}

/* Of the entries after the one that decides. */
static struct xds_slice rest_fault(const struct xds_lb_judge *judge,
                                   const struct xds_tree *list, size_t first)
{
    const bool all = xds_differs(judge->options, judge->client, XDS_DIFF_LB_LIST_CHECKED);
    const bool objects =
        xds_differs(judge->options, judge->client, XDS_DIFF_LB_LIST_OF_OBJECTS);
    struct xds_slice fault = {NULL, 0};

    for (size_t i = first; (all || objects) && i < list->n && !fault.data; i++)
        if (all || (list->items[i].kind != XDS_TREE_OBJECT &&
                    list->items[i].kind != XDS_TREE_NULL))
            fault = xds_lb_entry_fault(&list->items[i]);
    return fault;
}

/* The first entry that is without fault. */
static const struct xds_tree *choose_parsed(struct xds_lb_judge *judge,
                                            const struct xds_tree *list,
                                            struct xds_slice *fault)
{
    const size_t n_faults = judge->n_faults;

    for (size_t i = 0; i < list->n; i++) {
        const struct xds_tree *entry = &list->items[i];

        judge->n_faults = n_faults;
        if (entry->kind == XDS_TREE_OBJECT && entry->n == 1 &&
            xds_lb_row_of(judge, entry->items[0].key) &&
            !xds_lb_config_faults(judge, entry->items[0].key, &entry->items[0]).data)
            return &entry->items[0];
    }
    judge->n_faults = n_faults;
    *fault = XDS_S("no entry of the list can be parsed");
    return NULL;
}

const struct xds_tree *xds_lb_list_choose(struct xds_lb_judge *judge,
                                          const struct xds_tree *list,
                                          struct xds_slice *fault)
{
    *fault = XDS_S("type should be array");
    if (list->kind != XDS_TREE_ARRAY)
        return NULL;
    if (xds_differs(judge->options, judge->client, XDS_DIFF_LB_LIST_FIRST_PARSED))
        return choose_parsed(judge, list, fault);
    for (size_t i = 0; i < list->n; i++) {
        *fault = entry_fault(judge, &list->items[i]);
        if (fault->data)
            return NULL;
        if (!xds_lb_row_of(judge, list->items[i].items[0].key))
            continue;
        *fault = rest_fault(judge, list, i + 1);
        return fault->data ? NULL : &list->items[i].items[0];
    }
    *fault = xds_lb_none_known(judge->arena, list);
    return NULL;
}

struct xds_slice xds_lb_list_faults(struct xds_lb_judge *judge,
                                    const struct xds_tree *list)
{
    struct xds_slice fault;
    const struct xds_tree *policy = xds_lb_list_choose(judge, list, &fault);

    return policy ? xds_lb_config_faults(judge, policy->key, policy) : fault;
}

/* ---- a Struct as a tree ---- */

#define KIND(arm) GOOGLE__PROTOBUF__VALUE__KIND_##arm

static struct xds_tree value_of(struct xds_arena *arena, const pb_value *pb);

static struct xds_tree list_of(struct xds_arena *arena, const pb_list_value *pb)
{
    struct xds_tree *items = XDS_NEW_ARRAY(arena, struct xds_tree, pb->n_values);

    for (size_t i = 0; i < pb->n_values; i++)
        items[i] = value_of(arena, pb->values[i]);
    return (struct xds_tree){.kind = XDS_TREE_ARRAY, .items = items, .n = pb->n_values};
}

struct xds_tree xds_tree_of_struct(struct xds_arena *arena, const pb_struct *pb)
{
    struct xds_tree out = {.kind = XDS_TREE_OBJECT};

    if (!pb || pb->n_fields == 0)
        return out;

    struct xds_tree *items = XDS_NEW_ARRAY(arena, struct xds_tree, pb->n_fields);

    for (size_t i = 0; i < pb->n_fields; i++) {
        items[i] = value_of(arena, pb->fields[i]->value);
        items[i].key = xds_slice_of(pb->fields[i]->key);
    }
    out.items = items;
    out.n = pb->n_fields;
    return out;
}

/* A value without a kind has been reported with the Struct; here it is null. */
static struct xds_tree value_of(struct xds_arena *arena, const pb_value *pb)
{
    struct xds_tree out = {.kind = XDS_TREE_NULL};

    if (!pb)
        return out;
    if (pb->kind_case == KIND(STRUCT_VALUE))
        return xds_tree_of_struct(arena, pb->struct_value);
    if (pb->kind_case == KIND(LIST_VALUE))
        return list_of(arena, pb->list_value);
    if (pb->kind_case == KIND(BOOL_VALUE)) {
        out.kind = XDS_TREE_BOOL;
        out.truth = pb->bool_value;
    } else if (pb->kind_case == KIND(NUMBER_VALUE)) {
        out.kind = XDS_TREE_NUMBER;
        out.number = pb->number_value;
    } else if (pb->kind_case == KIND(STRING_VALUE)) {
        out.kind = XDS_TREE_STRING;
        out.text = xds_slice_of(pb->string_value);
    }
    return out;
}

/* ---- the model ---- */

/* A whole number from 1 to max, or the fallback. */
static uint64_t number_of(const struct xds_tree *value, uint64_t max, uint64_t fallback)
{
    uint64_t number;

    if (value && value->kind == XDS_TREE_STRING &&
        xds_slice_to_u64(value->text, &number) && number >= 1 && number <= max)
        return number;
    if (!value || value->kind != XDS_TREE_NUMBER ||
        !(value->number >= 1 && value->number <= (double)max))
        return fallback;
    return (uint64_t)value->number;
}

/* node spells the keys of a policy with a name of its own in its own way. */
static void read_config(struct xds_arena *arena, struct xds_slice name,
                        const struct xds_tree *config, struct xds_lb_policy *out)
{
    const struct xds_lb_name *names = &xds_lb_names[xds_lb_traits(out)->named];
    const bool own = !xds_slice_is(name, names->of[XDS_CLIENT_CORE]) &&
                     !(names->former && xds_slice_is(name, names->former));

    for (size_t i = 0; i < xds_lb_n_members; i++) {
        const struct xds_lb_member *member = &xds_lb_members[i];
        const char *key = own ? member->of_node : member->name;

        if (member->kind == out->kind) {
            const struct xds_tree *value = key ? xds_tree_member(config, key) : NULL;
            void *at = (char *)out + member->at;

            if (member->type == XDS_TREE_NUMBER)
                *(uint64_t *)at = number_of(value, member->max, member->unset);
            else if (member->type == XDS_TREE_BOOL)
                *(bool *)at = value && value->truth;
            else if (value && value->kind == XDS_TREE_STRING)
                *(struct xds_slice *)at = xds_arena_dup(arena, value->text);
        }
    }
}

/* ---- below the locality layer ---- */

/* The list below a policy that only chooses the locality; NULL when it is another. */
static const struct xds_tree *list_below(struct xds_slice name,
                                         const struct xds_tree *config)
{
    static const struct {
        const char *name, *key;
    } layers[] = {
        {"xds_wrr_locality_experimental", "childPolicy"},
        {"wrr_locality_experimental", "childPolicy"}, /* java */
        {"xds_wrr_locality", "child_policy"},         /* node */
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(layers); i++)
        if (xds_slice_is(name, layers[i].name))
            return xds_tree_member(config, layers[i].key);
    return NULL;
}

/* The first policy of the list that the client has (gRFC A24). */
static const struct xds_tree *choose(const struct xds_options *options,
                                     const struct xds_tree *list, enum xds_client client,
                                     enum xds_lb_kind *kind)
{
    for (size_t i = 0; i < list->n; i++) {
        const struct xds_tree *entry = &list->items[i];

        if (entry->n == 1 && (xds_lb_registered(options, entry->items->key, kind) &
                              XDS_CLIENT_BIT(client)))
            return entry->items;
    }
    return NULL;
}

void xds_lb_config_follow(const struct xds_options *options, struct xds_arena *arena,
                          enum xds_client client, struct xds_lb_policy *policy)
{
    const struct xds_tree *config = policy->config, *list;
    struct xds_slice name = policy->name;

    while ((list = list_below(name, config)) != NULL) {
        policy->wrr_locality = true;
        config = choose(options, list, client, &policy->kind);
        if (!config) /* the client has rejected it */
            return;
        name = config->key;
    }
    if (config != policy->config)
        read_config(arena, name, config, policy);
}

/* ---- what parsers say ---- */

xds_readers xds_lb_config_readers(const struct xds_lb_walk *walk)
{
    return walk->depth > 0 ? ~xds_who(walk->ctx, XDS_DIFF_LB_OUTERMOST_PARSED)
                           : XDS_EVERYONE;
}

xds_readers xds_lb_parsed_by(const struct xds_lb_walk *walk)
{
    return xds_lb_config_readers(walk) &
           (~xds_report_rejecting(walk->ctx->report, walk->first) |
            xds_who(walk->ctx, XDS_DIFF_LB_PARSED_WITH_FAULTS));
}

/* What the outermost parser says when that of this policy says `text`. */
static struct xds_slice parser_text(const struct xds_lb_walk *walk, struct xds_slice text)
{
    for (unsigned i = 0; i < walk->depth; i++)
        text = xds_arena_printf(walk->ctx->arena,
                                "errors validating xds_wrr_locality LB policy config: "
                                "[field:childPolicy error:%.*s]",
                                XDS_FMT(text));
    return text;
}

void xds_lb_config_check(const struct xds_lb_walk *walk, xds_readers readers,
                         enum xds_rule_id rule, struct xds_slice name,
                         const struct xds_tree *config)
{
    struct xds_ctx *ctx = walk->ctx;
    struct xds_slice texts[XDS_MAX_READERS] = {{NULL, 0}};
    xds_readers throwing = 0;

    readers &= ctx->live & xds_lb_parsed_by(walk);
    /* wrr_locality catches what its child throws. */
    if (walk->depth == 0 && (xds_slice_is(name, "priority_experimental") ||
                             xds_slice_is(name, "cluster_impl_experimental")))
        xds_fire_for(ctx, XDS_AT(NULL, "load_balancing_policy"), readers,
                     XDS_R_LB_CONFIG_NO_PARSER, XDS_WITH(name));
    for (size_t r = 0; r < ctx->panel->n; r++) {
        if (!(readers >> r & 1u))
            continue;
        const struct xds_client_release *reader = &ctx->panel->reader[r];
        const struct xds_options options = xds_options_of(ctx, reader);
        struct xds_lb_judge judge = {
            .arena = ctx->arena, .options = &options, .client = reader->client};

        texts[r] = xds_lb_config_faults(&judge, name, config);
        if (judge.throws && walk->depth == 0)
            throwing |= (xds_readers)1 << r;
    }
    xds_fire_for(ctx, XDS_AT(NULL, "load_balancing_policy"), throwing,
                 XDS_R_LB_CONFIG_UNCAUGHT, XDS_WITH(name));
    for (size_t r = 0; r < ctx->panel->n; r++)
        if (texts[r].data)
            texts[r] = parser_text(walk, texts[r]);
    xds_fire_texts(ctx, XDS_AT(NULL, "load_balancing_policy"), XDS_EVERYONE, rule, texts,
                   name);
}

void xds_lb_config_read(const struct xds_lb_walk *walk, enum xds_lb_kind kind,
                        struct xds_slice name, const pb_struct *value,
                        struct xds_lb_policy *out)
{
    struct xds_arena *arena = walk->ctx->arena;
    const struct xds_tree config = xds_tree_of_struct(arena, value);
    struct xds_tree *kept = XDS_NEW(arena, struct xds_tree);

    *kept = xds_tree_copy(arena, &config);
    out->kind = kind;
    out->name = xds_arena_dup(arena, name);
    out->config = kept;
    read_config(arena, name, &config, out);
    xds_lb_config_check(walk, XDS_EVERYONE, XDS_R_LB_CONFIG, name, &config);
}
