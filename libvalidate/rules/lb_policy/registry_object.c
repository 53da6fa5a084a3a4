/*
 * registry_object.c - judge one object of a policy's JSON against its schema.
 *
 * Takes:  the object, its schema, the client that judges.
 * Gives:  faults with their path within the config, in names of the JSON.
 * Source: spec cluster 1.7; gRFC A24.
 */
#include "rules/lb_policy/registry_schema.h"

void xds_lb_fault(struct xds_lb_scope *scope, const struct xds_path *at,
                  struct xds_slice message)
{
    const struct xds_lb_hearer *hearer = scope->judge->hearer;

    const bool has_room = scope->judge->n_faults++ < XDS_MAX_ERRORS_PER_MESSAGE;

    if (hearer)
        hearer->fault(hearer->user, at, message);
    else if (has_room)
        xds_validation_error(scope->errors, XDS_CLIENT_BIT(scope->judge->client), at,
                             "%.*s", XDS_FMT(message));
}

bool xds_lb_judged_by(const struct xds_lb_scope *scope, unsigned clients)
{
    return (XDS_CLIENT_BIT(scope->judge->client) & clients) != 0;
}

struct xds_slice xds_lb_quoted(const struct xds_lb_scope *scope, const char *words,
                               struct xds_slice what)
{
    return xds_arena_printf(scope->judge->arena, "%s \"%.*s\"", words, XDS_FMT(what));
}

struct xds_slice xds_lb_shown_key(const struct xds_lb_scope *scope, struct xds_slice key)
{
    return scope->judge->hearer
               ? key
               : xds_arena_printf(scope->judge->arena, "\"%.*s\"", XDS_FMT(key));
}

/* ---- values ------------------------------------------------------------------------ */

static void read_strings(struct xds_lb_scope *scope, const struct xds_path *up,
                         const struct xds_lb_field *field, const struct xds_tree *value)
{
    if (value->kind != XDS_TREE_ARRAY) {
        xds_lb_fault(scope, XDS_AT(up, field->name), XDS_S("is not an array"));
        return;
    }
    for (size_t i = 0; i < value->n; i++)
        if (value->items[i].kind != XDS_TREE_STRING)
            xds_lb_fault(scope, XDS_AT_I(up, field->name, i), XDS_S("is not a string"));
}

static void read_map(struct xds_lb_scope *scope, const struct xds_path *up,
                     const struct xds_lb_field *field, const struct xds_tree *value)
{
    if (value->kind != XDS_TREE_OBJECT) {
        xds_lb_fault(scope, XDS_AT(up, field->name), XDS_S("is not an object"));
        return;
    }
    for (size_t i = 0; i < value->n; i++) {
        const struct xds_slice shown = xds_lb_shown_key(scope, value->items[i].key);

        xds_lb_object_read(scope, XDS_AT_KEY(up, field->name, shown), field->schema,
                           &value->items[i]);
    }
}

static void read_objects(struct xds_lb_scope *scope, const struct xds_path *up,
                         const struct xds_lb_field *field, const struct xds_tree *value)
{
    if (value->kind != XDS_TREE_ARRAY) {
        xds_lb_fault(scope, XDS_AT(up, field->name), XDS_S("is not an array"));
        return;
    }
    for (size_t i = 0; i < value->n; i++)
        xds_lb_object_read(scope, XDS_AT_I(up, field->name, i), field->schema,
                           &value->items[i]);
}

/* node only asks for a list here: it parses the outermost policy alone. */
void xds_lb_policies_read(struct xds_lb_scope *scope, const struct xds_path *up,
                          const char *name, const struct xds_tree *value)
{
    const struct xds_lb_hearer *hearer = scope->judge->hearer;
    const struct xds_path *at = XDS_AT(up, name);

    if (hearer) {
        hearer->policies(hearer->user, up, name, value);
        return;
    }
    if (xds_lb_judged_by(scope, XDS_NODE)) {
        if (value->kind != XDS_TREE_ARRAY)
            xds_lb_fault(scope, at, XDS_S("type should be array"));
        return;
    }

    const struct xds_slice faults = xds_lb_list_faults(scope->judge, value);

    if (faults.data)
        xds_lb_fault(scope, at, faults);
}

static void expect(struct xds_lb_scope *scope, const struct xds_path *at,
                   const struct xds_tree *value, enum xds_tree_kind kind,
                   struct xds_slice otherwise)
{
    if (value->kind != kind)
        xds_lb_fault(scope, at, otherwise);
}

static void read_value(struct xds_lb_scope *scope, const struct xds_path *up,
                       const struct xds_lb_field *field, const struct xds_tree *value)
{
    const struct xds_path *at = XDS_AT(up, field->name);
    const char *fault;
    double number;

    switch (field->kind) {
    case XDS_LB_FIELD_BOOL:
        expect(scope, at, value, XDS_TREE_BOOL, XDS_S("is not a boolean"));
        break;
    case XDS_LB_FIELD_STRING:
        expect(scope, at, value, XDS_TREE_STRING, XDS_S("is not a string"));
        break;
    case XDS_LB_FIELD_UINT32:
    case XDS_LB_FIELD_UINT64:
    case XDS_LB_FIELD_INT64:
    case XDS_LB_FIELD_FLOAT:
    case XDS_LB_FIELD_DURATION:
        fault = xds_lb_number(scope->judge, field->kind, value, &number);
        if (fault)
            xds_lb_fault(scope, at, xds_slice_of(fault));
        break;
    case XDS_LB_FIELD_STRINGS:
        read_strings(scope, up, field, value);
        break;
    case XDS_LB_FIELD_OBJECT:
        xds_lb_object_read(scope, at, field->schema, value);
        break;
    case XDS_LB_FIELD_OBJECTS:
        read_objects(scope, up, field, value);
        break;
    case XDS_LB_FIELD_MAP:
        read_map(scope, up, field, value);
        break;
    case XDS_LB_FIELD_POLICIES:
        xds_lb_policies_read(scope, up, field->name, value);
        break;
    }
}

const struct xds_tree *xds_lb_member(const struct xds_lb_scope *scope,
                                     const struct xds_tree *object, const char *name)
{
    return scope->judge->both_spellings ? xds_tree_field(object, name)
                                        : xds_tree_member(object, name);
}

/* ---- the object -------------------------------------------------------------------- */

static bool is_read(const struct xds_lb_scope *scope, const struct xds_lb_field *field)
{
    const struct xds_lb_judge *judge = scope->judge;

    return xds_lb_judged_by(scope, field->readers) &&
           (!field->guarded || xds_env_on(judge->options, field->guard, judge->client));
}

/* null is as good as nothing, but not where a list of policies is due. */
static bool is_absent(const struct xds_lb_field *field, const struct xds_tree *value)
{
    return !value ||
           (value->kind == XDS_TREE_NULL && field->kind != XDS_LB_FIELD_POLICIES);
}

static void read_field(struct xds_lb_scope *scope, const struct xds_path *at,
                       const struct xds_lb_field *field, const struct xds_tree *object)
{
    const struct xds_tree *value = xds_lb_member(scope, object, field->name);

    if (!is_read(scope, field))
        return;
    if (!is_absent(field, value))
        read_value(scope, at, field, value);
    else if (xds_lb_judged_by(scope, field->required_by))
        xds_lb_fault(scope, XDS_AT(at, field->name), XDS_S("field not present"));
}

static enum xds_lb_field_kind kind_of(const struct xds_lb_schema *schema,
                                      const char *name)
{
    size_t i = 0;

    while (strcmp(schema->fields[i].name, name) != 0)
        i++;
    return schema->fields[i].kind;
}

static void check_bound(struct xds_lb_scope *scope, const struct xds_path *at,
                        const struct xds_lb_schema *schema,
                        const struct xds_lb_bound *bound, const struct xds_tree *object)
{
    const struct xds_tree *value = xds_lb_member(scope, object, bound->field);
    double number;

    if (!value || !xds_lb_judged_by(scope, bound->clients) ||
        xds_lb_number(scope->judge, kind_of(schema, bound->field), value, &number))
        return;
    if (number < bound->least || number > bound->most)
        xds_lb_fault(scope, XDS_AT(at, bound->shown_as ? bound->shown_as : bound->field),
                     xds_slice_of(bound->message));
}

void xds_lb_object_read(struct xds_lb_scope *scope, const struct xds_path *at,
                        const struct xds_lb_schema *schema, const struct xds_tree *object)
{
    if (object->kind != XDS_TREE_OBJECT) {
        xds_lb_fault(scope, at, XDS_S("is not an object"));
        return;
    }
    for (size_t i = 0; i < schema->n_fields; i++)
        read_field(scope, at, &schema->fields[i], object);
    for (size_t i = 0; i < schema->n_bounds; i++)
        check_bound(scope, at, schema, &schema->bounds[i], object);
    if (schema->check)
        schema->check(scope, at, object);
}
