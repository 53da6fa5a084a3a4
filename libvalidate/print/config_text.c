/*
 * config_text.c - a generated config as an indented tree with a sentence on each policy.
 *
 * Takes:  a config record.
 * Gives:  the tree, then what the routes give their RPCs, or what the resources of the
 *         leaves add.
 */
#include "print/config.h"

static void indent(struct xds_out *out, unsigned depth)
{
    for (unsigned i = 0; i < depth; i++)
        xds_out_text(out, "  ");
}

static void quoted(struct xds_out *out, struct xds_slice text)
{
    xds_out_char(out, '"');
    xds_out_clean(out, text);
    xds_out_char(out, '"');
}

/* ---- the tree ------------------------------------------------------------------------
 */

static void print_members(struct xds_out *out, const struct xds_tree *object,
                          unsigned depth);

static void print_policy(struct xds_out *out, const struct xds_tree *policy,
                         unsigned depth)
{
    indent(out, depth);
    xds_out_clean(out, policy->key);
    xds_out_text(out, ": ");
    xds_out_styled(out, XDS_STYLE_DIM, xds_policy_sentence(policy));
    xds_out_char(out, '\n');
    print_members(out, policy, depth + 1);
}

static void print_policies(struct xds_out *out, const struct xds_tree *list,
                           unsigned depth)
{
    for (size_t i = 0; i < list->n; i++)
        for (size_t k = 0; k < list->items[i].n; k++)
            print_policy(out, &list->items[i].items[k], depth);
}

static void print_named(struct xds_out *out, const struct xds_tree *map, unsigned depth)
{
    for (size_t i = 0; i < map->n; i++) {
        indent(out, depth);
        xds_out_clean(out, map->items[i].key);
        xds_out_char(out, '\n');
        print_members(out, &map->items[i], depth + 1);
    }
}

/* "prefix "/x", action "cds:a"" */
static void print_fields(struct xds_out *out, const struct xds_tree *object)
{
    for (size_t i = 0; i < object->n; i++) {
        xds_out_text(out, i ? ", " : "");
        xds_out_clean(out, object->items[i].key);
        xds_out_char(out, ' ');
        xds_out_tree_line(out, &object->items[i]);
    }
}

static bool is_list_of_objects(const struct xds_tree *member)
{
    return member->kind == XDS_TREE_ARRAY && member->n > 0 &&
           member->items[0].kind == XDS_TREE_OBJECT;
}

static void print_member(struct xds_out *out, const struct xds_tree *member,
                         unsigned depth)
{
    if (xds_is_policy_list(member)) {
        print_policies(out, member, depth);
        return;
    }
    if (xds_is_named_map(member)) {
        print_named(out, member, depth);
        return;
    }
    if (is_list_of_objects(member)) {
        for (size_t i = 0; i < member->n; i++) {
            indent(out, depth);
            xds_out_clean(out, member->key);
            xds_out_char(out, ' ');
            xds_out_u64(out, i);
            xds_out_text(out, ": ");
            print_fields(out, &member->items[i]);
            xds_out_char(out, '\n');
        }
        return;
    }
    indent(out, depth);
    xds_out_clean(out, member->key);
    xds_out_char(out, ' ');
    xds_out_tree_line(out, member);
    xds_out_char(out, '\n');
}

/* What is deeper comes last. */
static void print_members(struct xds_out *out, const struct xds_tree *object,
                          unsigned depth)
{
    for (size_t i = 0; i < object->n; i++)
        if (!xds_is_policy_list(&object->items[i]) &&
            !xds_is_named_map(&object->items[i]))
            print_member(out, &object->items[i], depth);
    for (size_t i = 0; i < object->n; i++)
        if (xds_is_policy_list(&object->items[i]) || xds_is_named_map(&object->items[i]))
            print_member(out, &object->items[i], depth);
}

/* ---- routes --------------------------------------------------------------------------
 */

static void print_match(struct xds_out *out, const struct xds_route_match *match)
{
    static const char *const words[] = {
        [XDS_MATCH_EXACT] = "path ",
        [XDS_MATCH_PREFIX] = "prefix ",
        [XDS_MATCH_REGEX] = "regex ",
    };

    xds_out_text(out, words[match->path.kind]);
    quoted(out, match->path.text);
    if (match->n_headers > 0) {
        xds_out_text(out, " and ");
        xds_out_count(out, match->n_headers, "header");
    }
    if (match->fraction_is_set)
        xds_out_text(out, " and a fraction");
}

static void print_hash_policies(struct xds_out *out, const struct xds_route *route)
{
    for (size_t i = 0; i < route->n_hash_policies; i++) {
        const struct xds_hash_policy *h = &route->hash_policies[i];

        xds_out_text(out, "  hash of ");
        if (h->kind == XDS_HASH_HEADER) {
            xds_out_text(out, "header ");
            quoted(out, h->header_name);
        } else {
            xds_out_text(out, "the channel's id");
        }
        xds_out_text(out, h->rewrite ? ", rewritten by a regular expression" : "");
        xds_out_text(out, h->terminal ? ", and if there is one no other\n" : "\n");
    }
}

static void print_override(struct xds_out *out, const struct xds_filter_use *use)
{
    const bool off = use->override->session && !use->override->session->enabled;

    xds_out_text(out, off ? ": switched off by the " : ": with the config of the ");
    xds_out_text(out, xds_config_level_name(use->from));
}

static void print_filter(struct xds_out *out, const struct xds_filter_use *use)
{
    xds_out_text(out, "  filter ");
    quoted(out, use->filter->name);
    if (use->dropped || use->disabled)
        xds_out_text(out, ": is left out");
    else if (use->override)
        print_override(out, use);
    else
        xds_out_text(out, ": as the listener has it");
    if (use->reason.data) {
        xds_out_text(out, "; ");
        xds_out_clean(out, use->reason);
    }
    xds_out_char(out, '\n');
}

static void print_route(struct xds_out *out, const struct xds_config_route *r)
{
    xds_out_text(out, "route ");
    xds_out_u64(out, r->index);
    xds_out_text(out, ", ");
    print_match(out, &r->route->match);
    xds_out_text(out, r->route->action == XDS_ACTION_PLUGIN ? ", plugin " : ", cluster ");
    quoted(out, r->entry ? r->entry->name : r->route->cluster);
    xds_out_char(out, '\n');
    if (r->method_config.kind == XDS_TREE_NULL)
        xds_out_text(out, "  no time-out and no retries\n");
    else
        for (size_t i = 1; i < r->method_config.n; i++)
            print_member(out, &r->method_config.items[i], 1);
    print_hash_policies(out, r->route);
    for (size_t i = 0; i < r->n_filters; i++)
        print_filter(out, &r->filters[i]);
}

/* ---- the whole -----------------------------------------------------------------------
 */

static void print_methods(struct xds_out *out, const struct xds_tree *methods)
{
    for (size_t i = 0; i < methods->n; i++) {
        const struct xds_tree *method = &methods->items[i];

        for (size_t k = 0; k < method->n; k++) {
            if (xds_slice_is(method->items[k].key, "name")) {
                xds_out_text(out, "methods ");
                xds_out_tree_line(out, &method->items[k]);
                xds_out_char(out, '\n');
            } else {
                print_member(out, &method->items[k], 1);
            }
        }
    }
}

static void print_leaves(struct xds_out *out, const struct xds_config *config)
{
    for (size_t i = 0; i < config->lb.n_leaves; i++) {
        xds_out_text(out, "leaf ");
        quoted(out, config->lb.leaves[i].leaf.name);
        xds_out_char(out, '\n');
        print_policies(out, &config->lb.leaves[i].policy, 1);
    }
}

static void print_lb(struct xds_out *out, const struct xds_config *config)
{
    if (config->form == XDS_CONFIG_LEGACY) {
        xds_out_text(out, "what it makes of its clusters\n");
        print_policies(out, &config->lb.below, 1);
    } else if (xds_tree_member(&config->document, "leaves")) {
        print_leaves(out, config);
    }
    for (size_t i = 0; i < config->facts.n; i++) {
        xds_out_text(out, "from the resources: ");
        print_fields(out, &config->facts.items[i]);
        xds_out_char(out, '\n');
    }
}

enum xds_status xds_print_config_text(const struct xds_printer *to,
                                      const struct xds_config *config)
{
    struct xds_out out;

    xds_out_init(&out, to);
    xds_out_config_title(&out, config);
    xds_out_char(&out, '\n');
    if (!config->error.data) {
        print_policies(&out, &config->policies, 1);
        print_methods(&out, &config->methods);
        for (size_t i = 0; i < config->routes.n; i++)
            print_route(&out, &config->routes.list[i]);
        print_lb(&out, config);
    }
    return xds_out_finish(&out);
}
