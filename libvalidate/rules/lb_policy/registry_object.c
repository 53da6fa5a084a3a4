/*
 * registry_object.c - judge the JSON of one policy against its schema, and a list of
 *                     policies, of which the first that the client has decides.
 *
 * Source: spec cluster 1.7; gRFC A24.
 */
#include "base/duration.h"
#include "base/limits.h"
#include "base/number.h"
#include "decode/scalar.h"
#include "rules/lb_policy/registry_schema.h"

/* ---- numbers and durations (spec cluster 1.7/39) ---- */

/* C-core's loader reads a number as it was printed, and from here on it is printed with
 * an exponent. */
#define FIRST_WITH_EXPONENT 1e15

#define MAX_DECIMALS 9

static const char failed[] = "failed to parse number";

static struct xds_slice trim(struct xds_slice s)
{
    while (s.len > 0 && (s.data[0] == ' ' || (s.data[0] >= '\t' && s.data[0] <= '\r')))
        s = xds_slice_from(s, 1);
    while (s.len > 0 && (s.data[s.len - 1] == ' ' ||
                         (s.data[s.len - 1] >= '\t' && s.data[s.len - 1] <= '\r')))
        s.len--;
    return s;
}

/* A whole number in a string. */
static const char *whole_text(struct xds_slice text, double most, double *number)
{
    uint64_t whole;

    text = trim(text);
    if (xds_slice_starts(text, XDS_S("+")))
        text = xds_slice_from(text, 1);
    if (!xds_slice_to_u64(text, &whole) || (double)whole > most)
        return failed;
    *number = (double)whole;
    return NULL;
}

static bool is_whole(double number)
{
    return xds_floor(number) >= number;
}

static const char *whole(const struct xds_lb_judge *judge, double most,
                         const struct xds_tree *value, double *number)
{
    if (value->kind == XDS_TREE_STRING)
        return whole_text(value->text, most, number);
    *number = value->number;
    if (xds_differs(judge->options, judge->client, XDS_DIFF_LB_NUMBER_ANY))
        return NULL;
    return value->number >= 0 && value->number <= most &&
                   value->number < FIRST_WITH_EXPONENT && is_whole(value->number)
               ? NULL
               : failed;
}

/* An int64 of a message. */
static const char *whole_i64(const struct xds_lb_judge *judge,
                             const struct xds_tree *value, double *number)
{
    const double beyond =
        xds_differs(judge->options, judge->client, XDS_DIFF_LB_INT64_WHOLE)
            ? -(double)INT64_MIN
            : FIRST_WITH_EXPONENT;
    int64_t whole_number;

    *number = value->number;
    if (value->kind == XDS_TREE_NUMBER)
        return value->number > -beyond && value->number < beyond &&
                       is_whole(value->number)
                   ? NULL
                   : failed;
    if (!xds_slice_to_i64(trim(value->text), &whole_number))
        return failed;
    *number = (double)whole_number;
    return NULL;
}

static const char *decimal(const struct xds_lb_judge *judge, const struct xds_tree *value,
                           double *number)
{
    if (value->kind == XDS_TREE_STRING)
        return xds_scalar_double(trim(value->text), judge->arena, number) == XDS_SCALAR_OK
                   ? NULL
                   : failed;
    *number = value->number;
    return NULL;
}

/* The digits after the point as a part of a second. */
static const char *decimals(struct xds_slice digits, double *part)
{
    uint64_t number;

    if (!xds_slice_to_u64(digits, &number))
        return "Not a duration (not a number of nanoseconds)";
    if (digits.len > MAX_DECIMALS)
        return "Not a duration (too many digits after decimal)";
    *part = (double)number;
    for (size_t i = 0; i < digits.len; i++)
        *part /= 10;
    return NULL;
}

/* A negative one that the client reads may still be out of a bound. */
static const char *duration(const struct xds_lb_judge *judge, struct xds_slice text,
                            double *number)
{
    const int64_t least =
        xds_differs(judge->options, judge->client, XDS_DIFF_LB_DURATION_NEGATIVE)
            ? -XDS_DURATION_MAX_SECONDS
            : 0;
    struct xds_slice whole_part;
    int64_t seconds;
    double part = 0;

    if (!xds_slice_ends(text, XDS_S("s")))
        return "Not a duration (no s suffix)";
    text = trim(xds_slice_make(text.data, text.len - 1));

    const struct xds_slice digits = xds_slice_cut(text, '.', &whole_part);
    const char *fault = digits.data ? decimals(digits, &part) : NULL;

    if (fault)
        return fault;
    if (!xds_slice_to_i64(whole_part, &seconds))
        return "Not a duration (not a number of seconds)";
    if (seconds < least || seconds > XDS_DURATION_MAX_SECONDS)
        return "seconds must be in the range [0, 315576000000]";
    *number = (double)seconds + (xds_slice_starts(text, XDS_S("-")) ? -part : part);
    return NULL;
}

const char *xds_lb_number(const struct xds_lb_judge *judge, enum xds_lb_field_kind kind,
                          const struct xds_tree *value, double *number)
{
    const bool is_text = value->kind == XDS_TREE_STRING;

    if (kind == XDS_LB_FIELD_DURATION)
        return is_text ? duration(judge, value->text, number) : "is not a string";
    /* An int64 is one of a message, which may always be a text. */
    if (value->kind != XDS_TREE_NUMBER &&
        (!is_text ||
         (xds_differs(judge->options, judge->client, XDS_DIFF_LB_NUMBER_NOT_TEXT) &&
          kind != XDS_LB_FIELD_INT64)))
        return "is not a number";
    if (kind == XDS_LB_FIELD_INT64)
        return whole_i64(judge, value, number);
    if (kind == XDS_LB_FIELD_FLOAT)
        return decimal(judge, value, number);
    return whole(judge,
                 kind == XDS_LB_FIELD_UINT32 ? (double)UINT32_MAX : (double)UINT64_MAX,
                 value, number);
}

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

/* A list of strings, or of objects of a schema. */
static void read_list(struct xds_lb_scope *scope, const struct xds_path *up,
                      const struct xds_lb_field *field, const struct xds_tree *value)
{
    if (value->kind != XDS_TREE_ARRAY)
        xds_lb_fault(scope, XDS_AT(up, field->name), XDS_S("is not an array"));
    for (size_t i = 0; value->kind == XDS_TREE_ARRAY && i < value->n; i++)
        if (field->schema)
            xds_lb_object_read(scope, XDS_AT_I(up, field->name, i), field->schema,
                               &value->items[i]);
        else if (value->items[i].kind != XDS_TREE_STRING)
            xds_lb_fault(scope, XDS_AT_I(up, field->name, i), XDS_S("is not a string"));
}

static void read_map(struct xds_lb_scope *scope, const struct xds_path *up,
                     const struct xds_lb_field *field, const struct xds_tree *value)
{
    if (value->kind != XDS_TREE_OBJECT)
        xds_lb_fault(scope, XDS_AT(up, field->name), XDS_S("is not an object"));
    for (size_t i = 0; value->kind == XDS_TREE_OBJECT && i < value->n; i++)
        xds_lb_object_read(
            scope,
            XDS_AT_KEY(up, field->name, xds_lb_shown_key(scope, value->items[i].key)),
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
    if (xds_lb_differs(scope, XDS_DIFF_LB_OUTERMOST_PARSED)) {
        if (value->kind != XDS_TREE_ARRAY)
            xds_lb_fault(scope, at, XDS_S("type should be array"));
        return;
    }

    const struct xds_slice faults = xds_lb_list_faults(scope->judge, value);

    if (faults.data)
        xds_lb_fault(scope, at, faults);
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
        if (value->kind != XDS_TREE_STRING)
            xds_lb_fault(scope, at, XDS_S("is not a string"));
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
    }
}

const struct xds_tree *xds_lb_member(const struct xds_lb_scope *scope,
                                     const struct xds_tree *object, const char *name)
{
    return scope->judge->both_spellings ? xds_tree_field(object, name)
                                        : xds_tree_member(object, name);
}

/* ---- the object ---- */

static void read_field(struct xds_lb_scope *scope, const struct xds_path *at,
                       const struct xds_lb_field *field, const struct xds_tree *object)
{
    const struct xds_tree *value = xds_lb_member(scope, object, field->name);
    const struct xds_lb_judge *judge = scope->judge;

    if (!(field->readers >> judge->client & 1u) ||
        (field->guarded && !xds_env_on(judge->options, field->guard, judge->client)) ||
        (field->dated && xds_lb_differs(scope, field->before)))
        return;
    /* null is as good as absent, but not where a list of policies is expected. */
    if (value && (value->kind != XDS_TREE_NULL || field->kind == XDS_LB_FIELD_POLICIES))
        read_value(scope, at, field, value);
    else if (field->required_by >> judge->client & 1u)
        xds_lb_fault(scope, XDS_AT(at, field->name), XDS_S("field not present"));
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

static void check_bound(struct xds_lb_scope *scope, const struct xds_path *at,
                        const struct xds_lb_schema *schema,
                        const struct xds_lb_bound *bound, const struct xds_tree *object)
{
    const struct xds_tree *value = xds_lb_member(scope, object, bound->field);
    double number;

    if (value && (bound->clients >> scope->judge->client & 1u) &&
        measure(scope, kind_of(schema, bound->field), value, &number) &&
        (number < bound->least || number > bound->most))
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

/* ---- policies ---- */

static struct xds_slice faults_of(struct xds_lb_judge *judge,
                                  const struct xds_lb_row *row,
                                  const struct xds_tree *config)
{
    struct xds_validation_errors errors;
    struct xds_lb_scope scope = {judge, &errors};

    xds_validation_errors_init(&errors, judge->arena);
    judge->depth++;
    if (judge->depth > XDS_MAX_LB_CONFIG_NESTING)
        xds_lb_fault(&scope, NULL, XDS_S("exceeded max nesting of LB policies"));
    else
        xds_lb_object_read(&scope, NULL, row->schema, config);
    judge->depth--;
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

const struct xds_tree *xds_lb_list_choose(const struct xds_lb_judge *judge,
                                          const struct xds_tree *list,
                                          struct xds_slice *fault)
{
    *fault = XDS_S("type should be array");
    if (list->kind != XDS_TREE_ARRAY)
        return NULL;
    for (size_t i = 0; i < list->n; i++) {
        *fault = xds_lb_entry_fault(&list->items[i]);
        if (fault->data)
            return NULL;
        if (xds_lb_row_of(judge, list->items[i].items[0].key))
            return &list->items[i].items[0];
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
