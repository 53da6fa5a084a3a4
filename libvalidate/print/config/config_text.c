/*
 * config_text.c - a generated config as an indented tree with a sentence on each policy,
 * and what routes and methods have besides.
 */
#include "base/ascii.h"
#include "model/names.h"
#include "print/config/config.h"
#include "print/decision/decision.h"
#include "print/write/document.h"

/* What is written, and the next child for a priority of EDS: trees have them in the order
 * of the leaves. */
struct page {
    struct xds_out *out;
    const struct xds_config *config;
    size_t leaf, child;
};

static void remark(struct xds_out *out, const char *sentence)
{
    if (!sentence)
        return;
    xds_out_text(out, ": ");
    xds_out_styled(out, XDS_STYLE_DIM, sentence);
}

/* ---- pieces ---- */

/* Digits, a point, nine digits and "s". */
static bool is_time(struct xds_slice text)
{
    enum { TAIL = sizeof ".000000000s" - 1 };

    if (text.len <= TAIL || text.data[text.len - TAIL] != '.' ||
        text.data[text.len - 1] != 's')
        return false;
    for (size_t i = 0; i < text.len - 1; i++)
        if (i != text.len - TAIL && !xds_ascii_digit(text.data[i]))
            return false;
    return true;
}

static void print_time(struct xds_out *out, struct xds_slice text)
{
    if (!is_time(text)) {
        xds_out_format(out, "\"%.*s\"", XDS_FMT(text));
        return;
    }
    text.len--;
    while (text.data[text.len - 1] == '0')
        text.len--;
    if (text.data[text.len - 1] == '.')
        text.len--;
    xds_out_raw(out, text);
    xds_out_text(out, " s");
}

/* "A, B or C" */
static void print_list(struct xds_out *out, const struct xds_tree *words)
{
    for (size_t i = 0; i < words->n; i++)
        xds_out_format(out, "%s%.*s",
                       i == 0              ? ""
                       : i + 1 == words->n ? " or "
                                           : ", ",
                       XDS_FMT(words->items[i].text));
}

/* ---- priorities ---- */

static void print_localities(struct xds_out *out, const struct xds_config_leaf *leaf,
                             const struct xds_config_priority *priority)
{
    if (leaf->leaf.cluster->kind == XDS_CLUSTER_LOGICAL_DNS) {
        xds_out_format(out, ": addresses that DNS returns for %.*s",
                       XDS_FMT(leaf->leaf.cluster->dns_name));
        return;
    }
    if (priority->n == 0)
        xds_out_text(out, leaf->endpoints
                              ? ": without endpoints, as EDS has none that is used"
                              : ": without endpoints, as there is no EDS resource");
    for (size_t i = 0; i < priority->n; i++) {
        xds_out_text(out, i ? ", " : priority->n > 1 ? ": localities " : ": locality ");
        if (!xds_out_locality(out, xds_out_clean, priority->localities[i]))
            xds_out_text(out, "without a name");
    }
}

/* Which endpoints this child has, if it is one for a priority of EDS. */
static void print_members_of_child(struct page *page, struct xds_slice name)
{
    /* The leaf whose child is the next one, or NULL. */
    const struct xds_lb_tree *lb = &page->config->lb;

    while (page->leaf < lb->n_leaves && page->child == lb->leaves[page->leaf].numbers.n) {
        page->leaf++;
        page->child = 0;
    }

    const struct xds_config_leaf *leaf =
        page->leaf < lb->n_leaves ? &lb->leaves[page->leaf] : NULL;

    if (!leaf || !xds_slice_eq(leaf->names[page->child], name))
        return;
    print_localities(page->out, leaf, &leaf->numbers.priorities[page->child]);
    page->child++;
}

/* ---- the tree ---- */

/* The policies of a cluster are not in a service config. */
static bool point_to_cluster(struct xds_out *out, const struct xds_tree *policy)
{
    const struct xds_tree *cluster = xds_tree_member(policy, "cluster");

    if (!xds_is_cluster_policy(policy) || !cluster || cluster->kind != XDS_TREE_STRING)
        return false;
    xds_out_text(out, ": see ");
    xds_doc_command(out, true);
    xds_out_text(out, "xdscope lb-config --cluster ");
    xds_out_shell_word(out, cluster->text);
    xds_doc_command(out, false);
    return true;
}

static void print_members(struct page *page, const struct xds_tree *object,
                          unsigned depth);

static void print_policies(struct page *page, const struct xds_tree *list, unsigned depth)
{
    for (size_t i = 0; i < list->n; i++)
        for (size_t k = 0; k < list->items[i].n; k++) {
            const struct xds_tree *policy = &list->items[i].items[k];

            xds_out_format(page->out, "%*s", 2 * (int)depth, "");
            xds_doc_code(page->out, policy->key);
            if (!point_to_cluster(page->out, policy))
                remark(page->out, xds_policy_sentence(policy));
            xds_out_char(page->out, '\n');
            print_members(page, policy, depth + 1);
        }
}

/* Children that stand in for each other come in the order of `priorities`. */
static void print_named(struct page *page, const struct xds_tree *map, bool ordered,
                        unsigned depth)
{
    for (size_t i = 0; i < map->n; i++) {
        xds_out_format(page->out, "%*s%s%.*s", 2 * (int)depth, "",
                       !ordered ? ""
                       : i      ? "then "
                                : "first ",
                       XDS_FMT(map->items[i].key));
        if (ordered)
            print_members_of_child(page, map->items[i].key);
        xds_out_char(page->out, '\n');
        print_members(page, &map->items[i], depth + 1);
    }
}

static void print_value(struct xds_out *out, const struct xds_tree *value)
{
    if (value->kind == XDS_TREE_STRING)
        print_time(out, value->text);
    else
        xds_out_tree_line(out, value);
}

/* "prefix "/x", action "cds:a"" */
static void print_fields(struct xds_out *out, const struct xds_tree *object)
{
    for (size_t i = 0; i < object->n; i++) {
        xds_out_format(out, "%s%.*s ", i ? ", " : "", XDS_FMT(object->items[i].key));
        print_value(out, &object->items[i]);
        if (xds_slice_is(object->items[i].key, "match_fraction"))
            xds_out_text(out, " of a million");
    }
}

static void print_member(struct page *page, const struct xds_tree *member, unsigned depth)
{
    if (member->kind == XDS_TREE_ARRAY && member->n > 0 &&
        member->items[0].kind == XDS_TREE_OBJECT) {
        /* Routes are counted as in the resource, which the notes speak of. */
        const size_t *places =
            xds_slice_is(member->key, "route") ? page->config->places : NULL;

        for (size_t i = 0; i < member->n; i++) {
            xds_out_format(page->out, "%*s%.*s %zu: ", 2 * (int)depth, "",
                           XDS_FMT(member->key), places ? places[i] : i);
            print_fields(page->out, &member->items[i]);
            xds_out_char(page->out, '\n');
        }
        return;
    }
    xds_out_format(page->out, "%*s%.*s ", 2 * (int)depth, "", XDS_FMT(member->key));
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
    for (size_t i = 0; i < object->n; i++)
        if (xds_is_policy_list(&object->items[i]))
            print_policies(page, &object->items[i], depth);
        else if (xds_is_named_map(&object->items[i]))
            print_named(page, &object->items[i], ordered, depth);
}

/* ---- LB policies ---- */

/* The JSON of the policies does not hold these; they take them from the resources. */
static void print_facts(struct xds_out *out, const struct xds_config_leaf *leaf,
                        const struct xds_tree *facts)
{
    const struct xds_tree *limit = xds_tree_member(facts, "max_requests");
    const struct xds_tree *states = xds_tree_member(facts, "override_host_status");
    const struct xds_tree *idle = xds_tree_member(facts, "idle_timeout");

    if (!leaf->leaf.cluster)
        return;
    xds_out_line(out, "from the resources of cluster \"%.*s\"", XDS_FMT(leaf->leaf.name));
    xds_out_format(out, "  in flight: %s", limit ? "at most " : "no limit");
    if (limit)
        xds_out_tree_line(out, limit);
    xds_out_line(out, "%s", limit ? " RPCs, more fail" : "");

    const struct xds_endpoints *endpoints = leaf->endpoints;
    const size_t n = endpoints ? endpoints->n_drops : 0;

    xds_out_format(out, "  dropped: %s", n ? "" : "none");
    for (size_t i = 0; i < n; i++)
        xds_out_format(out, "%s%s%s\"%.*s\"", i ? ", of the rest " : "",
                       xds_percent(endpoints->drops[i].per_million / 1e6).text,
                       i ? " as " : " of RPCs as ",
                       XDS_FMT(endpoints->drops[i].category));
    xds_out_char(out, '\n');
    if (!states)
        return;
    xds_out_format(out, "  cookies may %s",
                   states->n ? "name hosts that are " : "not name any host");
    print_list(out, states);
    xds_out_char(out, '\n');
    if (!idle)
        return;
    xds_out_text(out, "  an unused connection is kept for cookies for ");
    print_time(out, idle->text);
    xds_out_char(out, '\n');
}

static void print_lb(struct page *page)
{
    const struct xds_config *config = page->config;

    if (config->form == XDS_CONFIG_LEGACY) {
        xds_out_line(page->out, "policies that the cluster resolver creates from them");
        print_policies(page, &config->lb.below, 1);
    } else if (xds_tree_member(&config->document, "leaves")) {
        for (size_t i = 0; i < config->lb.n_leaves; i++) {
            const struct xds_config_leaf *leaf = &config->lb.leaves[i];

            xds_out_format(page->out, "below cds of cluster \"%.*s\"",
                           XDS_FMT(leaf->leaf.name));
            xds_out_line(page->out, "%s%.*s",
                         leaf->leaf.missing.text.data ? ": RPCs fail, as " : "",
                         XDS_FMT(leaf->leaf.missing.text));
            print_policies(page, &leaf->policy, 1);
        }
    }
    for (size_t i = 0; i < config->facts.n; i++)
        print_facts(page->out, &config->lb.leaves[i], &config->facts.items[i]);
}

/* ---- method configs ---- */

static void print_method_config(struct xds_out *out, const struct xds_tree *config)
{
    const struct xds_tree *timeout = xds_tree_member(config, "timeout");
    const struct xds_tree *retry = xds_tree_member(config, "retryPolicy");

    if (timeout) {
        xds_out_text(out, "  time-out ");
        print_time(out, timeout->text);
        xds_out_line(out, ", unless the application asks for less");
    }
    if (retry) {
        xds_out_text(out, "  ");
        xds_out_tree_line(out, xds_tree_member(retry, "maxAttempts"));
        xds_out_text(out, " attempts");
        if (xds_tree_member(retry, "maxAttempts")->number > 5)
            xds_out_text(out, ", of which gRPC makes 5,");
        xds_out_text(out, " while they end with ");
        print_list(out, xds_tree_member(retry, "retryableStatusCodes"));
        xds_out_text(out, ", up to ");
        print_time(out, xds_tree_member(retry, "initialBackoff")->text);
        xds_out_text(out, " apart at first, then twice as long each time, up to ");
        print_time(out, xds_tree_member(retry, "maxBackoff")->text);
        xds_out_char(out, '\n');
    }
    if (!timeout && !retry)
        xds_out_line(out, "  no time-out and no retries");
}

/* "/Service/Method", "all of /Service/", "all methods". */
static void print_name(struct xds_out *out, const struct xds_tree *name)
{
    const struct xds_tree *service = xds_tree_member(name, "service");
    const struct xds_tree *method = xds_tree_member(name, "method");

    if (!service) {
        xds_out_line(out, "all other methods");
        return;
    }
    xds_out_line(out, "%s%.*s/%.*s", method ? "method /" : "all other methods of /",
                 XDS_FMT(service->text),
                 XDS_FMT(method ? method->text : xds_slice_make(NULL, 0)));
}

/* ---- routes ---- */

static void print_hash_policies(struct xds_out *out, const struct xds_route *route)
{
    for (size_t i = 0; i < route->n_hash_policies; i++) {
        const struct xds_hash_policy *h = &route->hash_policies[i];

        if (h->kind == XDS_HASH_UNSUPPORTED)
            continue;
        xds_out_format(out, "  for %s: the hash of ", xds_lb_hashing());
        if (h->kind == XDS_HASH_HEADER)
            xds_out_format(out, "header \"%.*s\"", XDS_FMT(h->header_name));
        else
            xds_out_text(out, "the channel's id");
        xds_out_line(out, "%s%s", h->rewrite ? ", rewritten by a regular expression" : "",
                     h->terminal ? ", and if there is one no other" : "");
    }
}

/* Filters that just are in the listener are worth no line. */
static bool is_plain(const struct xds_filter_use *use)
{
    return use->from == XDS_CONFIG_LISTENER && !use->dropped && !use->disabled &&
           !use->reason.data;
}

static void print_route(struct xds_out *out, const struct xds_config_route *r)
{
    static const char *const words[] = {
        [XDS_MATCH_EXACT] = "path ",
        [XDS_MATCH_PREFIX] = "prefix ",
        [XDS_MATCH_REGEX] = "regex ",
    };
    const struct xds_route_match *match = &r->route->match;
    const struct xds_fraction *f = &match->fraction;

    xds_out_format(out, "route %zu: %s\"%.*s\"", r->index, words[match->path.kind],
                   XDS_FMT(match->path.text));
    for (size_t i = 0; i < match->n_headers; i++)
        xds_out_format(out, "%s\"%.*s\"", i ? " and " : ", by header ",
                       XDS_FMT(match->headers[i].name));
    if (match->fraction_is_set)
        xds_out_format(
            out, ", %s of RPCs",
            xds_percent(f->denominator ? (double)f->numerator / f->denominator : 0).text);
    xds_out_line(out, "%s\"%.*s\"",
                 r->route->action == XDS_ACTION_PLUGIN ? ", to plugin " : ", to cluster ",
                 XDS_FMT(r->entry ? r->entry->name : r->route->cluster));
    print_method_config(out, &r->method_config);
    print_hash_policies(out, r->route);
    for (size_t i = 0; i < r->n_filters; i++)
        if (out->to->verbose || !is_plain(&r->filters[i])) {
            const struct xds_filter_use *use = &r->filters[i];

            xds_out_format(out, "  filter \"%.*s\"", XDS_FMT(use->filter->name));
            if (use->dropped || use->disabled)
                xds_out_text(out, ": is skipped");
            else if (use->override) {
                const bool off =
                    use->override->session && !use->override->session->enabled;

                xds_out_format(out, "%s%s",
                               off ? ": switched off by the "
                                   : ": with the config of the ",
                               xds_config_level_words(use->from));
            } else
                xds_out_text(out, ": as the listener has it");
            if (use->reason.data)
                xds_out_format(out, "; %.*s", XDS_FMT(use->reason));
            xds_out_char(out, '\n');
        }
}

/* ---- the whole ---- */

enum xds_status xds_print_config_text(const struct xds_printer *to,
                                      const struct xds_config *config)
{
    struct xds_out out;
    struct page page = {.out = &out, .config = config};

    xds_out_init(&out, to);
    xds_doc_heading(&out);
    xds_out_config_title(&out, config);
    xds_out_char(&out, '\n');
    if (!config->error.data) {
        print_policies(&page, &config->policies, 1);
        for (size_t i = 0; i < config->methods.n; i++) {
            const struct xds_tree *method = &config->methods.items[i];
            const struct xds_tree *names = xds_tree_member(method, "name");

            for (size_t k = 0; k < names->n; k++)
                print_name(&out, &names->items[k]);
            print_method_config(&out, method);
        }
        for (size_t i = 0; i < config->routes.n; i++)
            print_route(&out, &config->routes.list[i]);
        if (config->is_lb_config)
            print_lb(&page);
    }
    if (xds_doc_of(&out)) {
        /* Beside a text, what is missing and the notes go to standard error. */
        struct xds_slice note = xds_config_note(config, 0);

        for (size_t i = 1; note.data; note = xds_config_note(config, i++))
            xds_out_line(&out, "note: %.*s", XDS_FMT(note));
        if (config->error.data)
            xds_out_line(&out, "none: %.*s", XDS_FMT(config->error));
    }
    return xds_out_finish(&out);
}

enum xds_status xds_print_config_html(const struct xds_printer *to,
                                      const struct xds_config *config)
{
    struct xds_doc doc;

    xds_doc_init(&doc, to);
    return xds_doc_finish(&doc, xds_print_config_text(&doc.printer, config));
}
