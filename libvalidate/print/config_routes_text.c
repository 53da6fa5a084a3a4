/*
 * config_routes_text.c - what routes give their RPCs, and what methods have without xDS.
 */
#include "base/ascii.h"
#include "print/config.h"

static void quoted(struct xds_out *out, struct xds_slice text)
{
    xds_out_char(out, '"');
    xds_out_clean(out, text);
    xds_out_char(out, '"');
}

/* ---- times ---- */

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

void xds_out_tree_time(struct xds_out *out, struct xds_slice text)
{
    if (!is_time(text)) {
        quoted(out, text);
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

/* ---- method configs ---- */

/* "A, B or C" */
static void print_codes(struct xds_out *out, const struct xds_tree *codes)
{
    for (size_t i = 0; i < codes->n; i++) {
        xds_out_text(out, i == 0 ? "" : i + 1 == codes->n ? " or " : ", ");
        xds_out_clean(out, codes->items[i].text);
    }
}

static void print_retries(struct xds_out *out, const struct xds_tree *retry)
{
    xds_out_text(out, "  ");
    xds_out_tree_line(out, xds_tree_member(retry, "maxAttempts"));
    xds_out_text(out, " attempts");
    if (xds_tree_member(retry, "maxAttempts")->number > 5)
        xds_out_text(out, ", of which gRPC makes 5,");
    xds_out_text(out, " while they end with ");
    print_codes(out, xds_tree_member(retry, "retryableStatusCodes"));
    xds_out_text(out, ", up to ");
    xds_out_tree_time(out, xds_tree_member(retry, "initialBackoff")->text);
    xds_out_text(out, " apart at first, then twice as long each time, up to ");
    xds_out_tree_time(out, xds_tree_member(retry, "maxBackoff")->text);
    xds_out_char(out, '\n');
}

static void print_method_config(struct xds_out *out, const struct xds_tree *config)
{
    const struct xds_tree *timeout = xds_tree_member(config, "timeout");
    const struct xds_tree *retry = xds_tree_member(config, "retryPolicy");

    if (timeout) {
        xds_out_text(out, "  time-out ");
        xds_out_tree_time(out, timeout->text);
        xds_out_text(out, ", unless the application asks for less\n");
    }
    if (retry)
        print_retries(out, retry);
    if (!timeout && !retry)
        xds_out_text(out, "  no time-out and no retries\n");
}

/* "/Service/Method", "all of /Service/", "all methods". */
static void print_name(struct xds_out *out, const struct xds_tree *name)
{
    const struct xds_tree *service = xds_tree_member(name, "service");
    const struct xds_tree *method = xds_tree_member(name, "method");

    if (!service) {
        xds_out_text(out, "all other methods\n");
        return;
    }
    xds_out_text(out, method ? "method /" : "all other methods of /");
    xds_out_clean(out, service->text);
    xds_out_char(out, '/');
    if (method)
        xds_out_clean(out, method->text);
    xds_out_char(out, '\n');
}

void xds_out_config_methods(struct xds_out *out, const struct xds_tree *methods)
{
    for (size_t i = 0; i < methods->n; i++) {
        const struct xds_tree *names = xds_tree_member(&methods->items[i], "name");

        for (size_t k = 0; k < names->n; k++)
            print_name(out, &names->items[k]);
        print_method_config(out, &methods->items[i]);
    }
}

/* ---- routes ---- */

static void print_match(struct xds_out *out, const struct xds_route_match *match)
{
    static const char *const words[] = {
        [XDS_MATCH_EXACT] = "path ",
        [XDS_MATCH_PREFIX] = "prefix ",
        [XDS_MATCH_REGEX] = "regex ",
    };

    xds_out_text(out, words[match->path.kind]);
    quoted(out, match->path.text);
    for (size_t i = 0; i < match->n_headers; i++) {
        xds_out_text(out, i ? " and " : ", by header ");
        quoted(out, match->headers[i].name);
    }
    if (match->fraction_is_set) {
        xds_out_text(out, ", ");
        xds_out_percent(out, match->fraction.denominator
                                 ? (double)match->fraction.numerator /
                                       match->fraction.denominator
                                 : 0);
        xds_out_text(out, " of RPCs");
    }
}

static void print_hash_policies(struct xds_out *out, const struct xds_route *route)
{
    for (size_t i = 0; i < route->n_hash_policies; i++) {
        const struct xds_hash_policy *h = &route->hash_policies[i];

        if (h->kind == XDS_HASH_UNSUPPORTED)
            continue;
        xds_out_text(out, "  for ring_hash: the hash of ");
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
    static const char *const levels[] = {
        [XDS_CONFIG_WEIGHTED_CLUSTER] = "weighted cluster",
        [XDS_CONFIG_ROUTE] = "route",
        [XDS_CONFIG_VIRTUAL_HOST] = "virtual host",
        [XDS_CONFIG_LISTENER] = "listener",
    };
    const bool off = use->override->session && !use->override->session->enabled;

    xds_out_text(out, off ? ": switched off by the " : ": with the config of the ");
    xds_out_text(out, levels[use->from]);
}

/* Filters that just are in the listener are worth no line. */
static bool is_plain(const struct xds_filter_use *use)
{
    return use->from == XDS_CONFIG_LISTENER && !use->dropped && !use->disabled &&
           !use->reason.data;
}

static void print_filter(struct xds_out *out, const struct xds_filter_use *use)
{
    xds_out_text(out, "  filter ");
    quoted(out, use->filter->name);
    if (use->dropped || use->disabled)
        xds_out_text(out, ": is skipped");
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
    xds_out_text(out, ": ");
    print_match(out, &r->route->match);
    xds_out_text(out, r->route->action == XDS_ACTION_PLUGIN ? ", to plugin "
                                                            : ", to cluster ");
    quoted(out, r->entry ? r->entry->name : r->route->cluster);
    xds_out_char(out, '\n');
    print_method_config(out, &r->method_config);
    print_hash_policies(out, r->route);
    for (size_t i = 0; i < r->n_filters; i++)
        if (out->to->verbose || !is_plain(&r->filters[i]))
            print_filter(out, &r->filters[i]);
}

void xds_out_config_routes(struct xds_out *out, const struct xds_config_routes *routes)
{
    for (size_t i = 0; i < routes->n; i++)
        print_route(out, &routes->list[i]);
}
