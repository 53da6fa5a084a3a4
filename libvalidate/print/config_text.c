/*
 * config_text.c - a generated config as an indented tree with a sentence on each policy.
 */
#include "print/config.h"

/* What is written, and the next child for a priority of EDS: trees have them in the order
 * of the leaves. */
struct page {
    struct xds_out *out;
    const struct xds_config *config;
    size_t leaf, child;
};

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

static void remark(struct xds_out *out, const char *sentence)
{
    if (!sentence)
        return;
    xds_out_text(out, ": ");
    xds_out_styled(out, XDS_STYLE_DIM, sentence);
}

/* ---- priorities ---- */

/* "eu/a/1" */
static void print_locality(struct xds_out *out, const struct xds_locality *l)
{
    const struct xds_slice parts[] = {l->region, l->zone, l->sub_zone};
    bool first = true;

    for (size_t i = 0; i < XDS_ARRAY_LEN(parts); i++) {
        if (parts[i].len == 0)
            continue;
        xds_out_text(out, first ? "" : "/");
        xds_out_clean(out, parts[i]);
        first = false;
    }
    if (first)
        xds_out_text(out, "without a name");
}

static void print_localities(struct xds_out *out, const struct xds_config_leaf *leaf,
                             const struct xds_config_priority *priority)
{
    if (leaf->leaf.cluster->kind == XDS_CLUSTER_LOGICAL_DNS) {
        xds_out_text(out, ": addresses that DNS returns for ");
        xds_out_clean(out, leaf->leaf.cluster->dns_name);
        return;
    }
    if (priority->n == 0)
        xds_out_text(out, leaf->endpoints
                              ? ": without endpoints, as EDS has none that is used"
                              : ": without endpoints, as there is no EDS resource");
    for (size_t i = 0; i < priority->n; i++) {
        xds_out_text(out, i ? ", " : priority->n > 1 ? ": localities " : ": locality ");
        print_locality(out, priority->localities[i]);
    }
}

/* The leaf whose child is the next one, or NULL. */
static const struct xds_config_leaf *next_leaf(struct page *page)
{
    const struct xds_lb_tree *lb = &page->config->lb;

    while (page->leaf < lb->n_leaves && page->child == lb->leaves[page->leaf].numbers.n) {
        page->leaf++;
        page->child = 0;
    }
    return page->leaf < lb->n_leaves ? &lb->leaves[page->leaf] : NULL;
}

/* Which endpoints this child has, if it is one for a priority of EDS. */
static void print_members_of_child(struct page *page, struct xds_slice name)
{
    const struct xds_config_leaf *leaf = next_leaf(page);

    if (!leaf || !xds_slice_eq(leaf->names[page->child], name))
        return;
    print_localities(page->out, leaf, &leaf->numbers.priorities[page->child]);
    page->child++;
}

/* ---- the tree ---- */

static void print_members(struct page *page, const struct xds_tree *object,
                          unsigned depth);

static void print_policy(struct page *page, const struct xds_tree *policy, unsigned depth)
{
    indent(page->out, depth);
    xds_out_clean(page->out, policy->key);
    remark(page->out, xds_policy_sentence(policy));
    xds_out_char(page->out, '\n');
    print_members(page, policy, depth + 1);
}

static void print_policies(struct page *page, const struct xds_tree *list, unsigned depth)
{
    for (size_t i = 0; i < list->n; i++)
        for (size_t k = 0; k < list->items[i].n; k++)
            print_policy(page, &list->items[i].items[k], depth);
}

/* Children that stand in for each other come in the order of `priorities`. */
static void print_named(struct page *page, const struct xds_tree *map, bool ordered,
                        unsigned depth)
{
    for (size_t i = 0; i < map->n; i++) {
        indent(page->out, depth);
        if (ordered)
            xds_out_text(page->out, i ? "then " : "first ");
        xds_out_clean(page->out, map->items[i].key);
        if (ordered)
            print_members_of_child(page, map->items[i].key);
        xds_out_char(page->out, '\n');
        print_members(page, &map->items[i], depth + 1);
    }
}

static void print_value(struct xds_out *out, const struct xds_tree *value)
{
    if (value->kind == XDS_TREE_STRING)
        xds_out_tree_time(out, value->text);
    else
        xds_out_tree_line(out, value);
}

/* "prefix "/x", action "cds:a"" */
static void print_fields(struct xds_out *out, const struct xds_tree *object)
{
    for (size_t i = 0; i < object->n; i++) {
        xds_out_text(out, i ? ", " : "");
        xds_out_clean(out, object->items[i].key);
        xds_out_char(out, ' ');
        print_value(out, &object->items[i]);
        if (xds_slice_is(object->items[i].key, "match_fraction"))
            xds_out_text(out, " of a million");
    }
}

static bool is_list_of_objects(const struct xds_tree *member)
{
    return member->kind == XDS_TREE_ARRAY && member->n > 0 &&
           member->items[0].kind == XDS_TREE_OBJECT;
}

/* Routes are counted as in the resource, which the notes speak of. */
static void print_objects(struct page *page, const struct xds_tree *list, unsigned depth)
{
    const size_t *places = xds_slice_is(list->key, "route") ? page->config->places : NULL;

    for (size_t i = 0; i < list->n; i++) {
        indent(page->out, depth);
        xds_out_clean(page->out, list->key);
        xds_out_char(page->out, ' ');
        xds_out_u64(page->out, places ? places[i] : i);
        xds_out_text(page->out, ": ");
        print_fields(page->out, &list->items[i]);
        xds_out_char(page->out, '\n');
    }
}

static void print_member(struct page *page, const struct xds_tree *member, unsigned depth)
{
    if (is_list_of_objects(member)) {
        print_objects(page, member, depth);
        return;
    }
    indent(page->out, depth);
    xds_out_clean(page->out, member->key);
    xds_out_char(page->out, ' ');
    print_value(page->out, member);
    remark(page->out, xds_field_sentence(member));
    xds_out_char(page->out, '\n');
}

/* What is deeper comes last. */
static void print_members(struct page *page, const struct xds_tree *object,
                          unsigned depth)
{
    const bool ordered = xds_is_priority_policy(object);

    for (size_t i = 0; i < object->n; i++) {
        const struct xds_tree *member = &object->items[i];

        if (!xds_is_policy_list(member) && !xds_is_named_map(member) &&
            !(ordered && xds_slice_is(member->key, "priorities")))
            print_member(page, member, depth);
    }
    for (size_t i = 0; i < object->n; i++) {
        if (xds_is_policy_list(&object->items[i]))
            print_policies(page, &object->items[i], depth);
        else if (xds_is_named_map(&object->items[i]))
            print_named(page, &object->items[i], ordered, depth);
    }
}

/* ---- LB policies ---- */

static void print_leaves(struct page *page)
{
    for (size_t i = 0; i < page->config->lb.n_leaves; i++) {
        const struct xds_config_leaf *leaf = &page->config->lb.leaves[i];

        xds_out_text(page->out, "below cds of cluster ");
        quoted(page->out, leaf->leaf.name);
        if (leaf->leaf.missing.data) {
            xds_out_text(page->out, ": RPCs fail, as ");
            xds_out_clean(page->out, leaf->leaf.missing);
        }
        xds_out_char(page->out, '\n');
        print_policies(page, &leaf->policy, 1);
    }
}

static void print_drops(struct xds_out *out, const struct xds_endpoints *endpoints)
{
    const size_t n = endpoints ? endpoints->n_drops : 0;

    xds_out_text(out, n ? "  dropped: " : "  dropped: none\n");
    for (size_t i = 0; i < n; i++) {
        xds_out_text(out, i ? ", of the rest " : "");
        xds_out_percent(out, endpoints->drops[i].per_million / 1e6);
        xds_out_text(out, i ? " as " : " of RPCs as ");
        quoted(out, endpoints->drops[i].category);
        xds_out_text(out, i + 1 == n ? "\n" : "");
    }
}

static void print_states(struct xds_out *out, const struct xds_tree *states)
{
    xds_out_text(out, states->n ? "  cookies may name hosts that are "
                                : "  cookies may not name any host");
    for (size_t i = 0; i < states->n; i++) {
        xds_out_text(out, i == 0 ? "" : i + 1 == states->n ? " or " : ", ");
        xds_out_clean(out, states->items[i].text);
    }
    xds_out_char(out, '\n');
}

/* The JSON of the policies does not hold these; they take them from the resources. */
static void print_facts(struct xds_out *out, const struct xds_config_leaf *leaf,
                        const struct xds_tree *facts)
{
    const struct xds_tree *limit = xds_tree_member(facts, "max_requests");
    const struct xds_tree *states = xds_tree_member(facts, "override_host_status");
    const struct xds_tree *idle = xds_tree_member(facts, "idle_timeout");

    if (!leaf->leaf.cluster)
        return;
    xds_out_text(out, "from the resources of cluster ");
    quoted(out, leaf->leaf.name);
    xds_out_text(out, "\n  in flight: ");
    if (limit)
        xds_out_text(out, "at most ");
    if (limit)
        xds_out_tree_line(out, limit);
    xds_out_text(out, limit ? " RPCs, more fail\n" : "no limit\n");
    print_drops(out, leaf->endpoints);
    if (!states || !idle)
        return;
    print_states(out, states);
    xds_out_text(out, "  an unused connection is kept for cookies for ");
    xds_out_tree_time(out, idle->text);
    xds_out_char(out, '\n');
}

static void print_lb(struct page *page)
{
    const struct xds_config *config = page->config;

    if (config->form == XDS_CONFIG_LEGACY) {
        xds_out_text(page->out, "policies that the cluster resolver creates from them\n");
        print_policies(page, &config->lb.below, 1);
    } else if (xds_tree_member(&config->document, "leaves")) {
        print_leaves(page);
    }
    for (size_t i = 0; i < config->facts.n; i++)
        print_facts(page->out, &config->lb.leaves[i], &config->facts.items[i]);
}

/* ---- the whole ---- */

enum xds_status xds_print_config_text(const struct xds_printer *to,
                                      const struct xds_config *config)
{
    struct xds_out out;
    struct page page = {.out = &out, .config = config};

    xds_out_init(&out, to);
    xds_out_config_title(&out, config);
    xds_out_char(&out, '\n');
    if (!config->error.data) {
        print_policies(&page, &config->policies, 1);
        xds_out_config_methods(&out, &config->methods);
        xds_out_config_routes(&out, &config->routes);
        if (config->is_lb_config)
            print_lb(&page);
    }
    return xds_out_finish(&out);
}
