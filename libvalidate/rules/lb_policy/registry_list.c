/*
 * registry_list.c - judge a list of LB policies: the first one that the client has
 *                   decides, and its parser is asked.
 *
 * Takes:  a list of objects with one key each, or the config of one policy.
 * Gives:  the one text that C-core has for all faults, data NULL without any.
 * Source: spec cluster 1.7; gRFC A24.
 */
#include "base/limits.h"
#include "rules/lb_policy/registry_schema.h"

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
    return errors.n > 0 ? xds_validation_errors_text(&errors, row->headline)
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

bool xds_lb_config_tell(struct xds_lb_judge *judge, const struct xds_path *at,
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
