/* show_server.c - what a server's listener has for connections and RPCs: filter chains,
 * TLS and RBAC. */
#include "print/decision/decision.h"
#include "print/decision/served.h"
#include "print/show/tree.h"
#include "print/write/json.h"
#include "security/security.h"

/* ---- filter chains ---- */

/* Why the client drops a filter chain; absent: it does not. */
static struct xds_slice why_dropped(const struct xds_show *show,
                                    const struct xds_listener *listener,
                                    const struct xds_filter_chain *chain)
{
    const struct xds_rpc who = {.client = show->view->client,
                                .options = xds_report_options(show->check->report),
                                .arena = show->arena};

    return xds_chain_dropped(&who, listener, chain);
}

/* One criterion after the other. */
struct criteria {
    struct xds_show_tree *t;
    size_t n;
};

static void criterion(struct criteria *c, const char *field)
{
    xds_out_format(c->t->show->out, "%s%s ", c->n++ > 0 ? "; " : "", field);
}

static void ranges(struct criteria *c, const char *field,
                   const struct xds_chain_cidr *list, size_t n)
{
    const size_t shown = xds_tree_shown(c->t, n);

    if (n > 0)
        criterion(c, field);
    for (size_t i = 0; i < shown; i++) {
        xds_out_text(c->t->show->out, i > 0 ? ", " : "");
        xds_doc_code(c->t->show->out, list[i].text);
        xds_out_text(c->t->show->out, list[i].is_usable ? "" : " (matches nothing)");
    }
    if (shown < n)
        xds_out_format(c->t->show->out, " and %zu more", n - shown);
}

static void texts(struct criteria *c, const char *field, const struct xds_slice *list,
                  size_t n)
{
    const size_t shown = xds_tree_shown(c->t, n);

    if (n > 0)
        criterion(c, field);
    for (size_t i = 0; i < shown; i++) {
        xds_out_text(c->t->show->out, i > 0 ? ", " : "");
        xds_doc_quoted(c->t->show->out, list[i]);
    }
    if (shown < n)
        xds_out_format(c->t->show->out, " and %zu more", n - shown);
}

static void ports(struct criteria *c, const char *field, const uint32_t *list, size_t n)
{
    const size_t shown = xds_tree_shown(c->t, n);

    if (n > 0)
        criterion(c, field);
    for (size_t i = 0; i < shown; i++)
        xds_out_format(c->t->show->out, "%s%u", i > 0 ? ", " : "", list[i]);
    if (shown < n)
        xds_out_format(c->t->show->out, " and %zu more", n - shown);
}

static void print_criteria(struct xds_show_tree *t, const struct xds_chain_criteria *m)
{
    struct criteria c = {t, 0};

    ports(&c, "destination_port", &m->destination_port, m->has_destination_port);
    ranges(&c, "prefix_ranges", m->destinations, m->n_destinations);
    texts(&c, "server_names", m->server_names, m->n_server_names);
    texts(&c, "transport_protocol", &m->transport_protocol,
          m->transport_protocol.len > 0);
    texts(&c, "application_protocols", m->application_protocols,
          m->n_application_protocols);
    if (m->source_type != XDS_SOURCE_ANY) {
        criterion(&c, "source_type");
        xds_out_text(t->show->out, xds_source_type_name(m->source_type));
    }
    ranges(&c, "source_prefix_ranges", m->sources, m->n_sources);
    ports(&c, "source_ports", m->source_ports, m->n_source_ports);
    if (c.n == 0)
        xds_out_text(t->show->out, "any connection");
}

/* ---- TLS ---- */

static void print_provider(struct xds_out *out, const char *what, struct xds_slice name)
{
    xds_out_text(out, what);
    if (name.data)
        xds_doc_quoted(out, name);
    else
        xds_out_text(out, "(none)");
}

static void print_sans(struct xds_out *out, const struct xds_tls_context *tls)
{
    for (size_t i = 0; i < tls->n_sans; i++) {
        const struct xds_san_matcher *m = &tls->sans[i];
        const char *field = xds_san_matcher_field(m);

        xds_out_format(out, "%s%s", i > 0 ? ", " : "; match_subject_alt_names ",
                       field ? field : "without a pattern");
        if (!field)
            continue;
        xds_out_char(out, ' ');
        xds_doc_quoted(out, m->string.text);
    }
    if (tls->n_sans > 0)
        xds_out_text(out, ", which no server compares");
}

static const char *wants_of(const struct xds_show *show,
                            const struct xds_tls_context *tls)
{
    const bool reads_ca = xds_show_reads_ca(show, tls);

    if (!tls->require_client_certificate)
        return reads_ca ? "; a client certificate is asked for, not required"
                        : "; no client certificate is asked for";
    return reads_ca || (tls->with_roots & XDS_CLIENT_BIT(show->view->client))
               ? "; a client certificate is required"
               : "; a client certificate is required, but there is no CA to check it "
                 "with";
}

static void print_tls(struct xds_show_tree *t, const struct xds_tls_context *tls,
                      size_t depth)
{
    struct xds_out *out = t->show->out;
    const bool reads_ca = xds_show_reads_ca(t->show, tls);

    xds_tree_begin(t, depth);
    print_provider(out, "TLS: certificate of provider instance ", tls->identity);
    xds_out_text(out, wants_of(t->show, tls));
    if (reads_ca)
        print_provider(out, ", CA of provider instance ", tls->ca);
    print_sans(out, tls);
    if (tls->ignored)
        xds_out_format(out, "; %s is not read", tls->ignored);
    xds_out_char(out, '\n');
}

void xds_tree_chain(struct xds_show_tree *t, const struct xds_listener *listener,
                    const struct xds_filter_chain *chain, size_t index, size_t depth)
{
    struct xds_out *out = t->show->out;
    const struct xds_slice dropped = why_dropped(t->show, listener, chain);

    xds_tree_begin(t, depth);
    xds_out_text(out, "filter chain ");
    xds_out_chain(out, chain, index);
    xds_out_text(out, ": ");
    if (index == XDS_DEFAULT_CHAIN)
        xds_out_text(out, "what no other filter chain matches");
    else
        print_criteria(t, &chain->match);
    if (!chain->tls)
        xds_out_text(out, chain->has_socket ? ", transport_socket without TLS"
                                            : ", plaintext");
    if (index != XDS_DEFAULT_CHAIN && dropped.data)
        xds_out_format(out, ", dropped by %s: %.*s",
                       xds_client_name(t->show->view->client), XDS_FMT(dropped));
    xds_out_char(out, '\n');
    if (chain->tls)
        print_tls(t, chain->tls, depth + 1);
}

/* ---- RBAC ---- */

static void print_rules(struct xds_show_tree *t, const char *kind,
                        const struct xds_rbac_rule *rules, size_t n, size_t depth)
{
    const size_t shown = xds_tree_shown(t, n);

    for (size_t i = 0; i < shown; i++) {
        const struct xds_slice words = xds_rbac_rule_words(t->show->arena, &rules[i]);

        xds_tree_begin(t, depth);
        xds_out_line(t->show->out, "%s %.*s", kind, XDS_FMT(words));
    }
    if (shown < n) {
        xds_tree_begin(t, depth);
        xds_out_line(t->show->out, "and %zu more %ss, -v lists them", n - shown, kind);
    }
}

static void print_loggers(struct xds_show_tree *t, const struct xds_rbac *rbac,
                          size_t depth)
{
    static const char *const when[] = {
        [XDS_AUDIT_NONE] = "never",
        [XDS_AUDIT_ON_DENY] = "when it denies",
        [XDS_AUDIT_ON_ALLOW] = "when it allows",
        [XDS_AUDIT_ON_DENY_AND_ALLOW] = "always",
    };
    const uint32_t condition = rbac->audit_condition;

    for (size_t i = 0; i < rbac->n_loggers; i++) {
        xds_tree_begin(t, depth);
        xds_tree_title(t, "audit logger", rbac->loggers[i].name);
        xds_out_line(t->show->out, ": %s",
                     condition < XDS_ARRAY_LEN(when) ? when[condition] : "unknown");
    }
}

/* The rest of the line, and what is below it. */
static void print_rbac(struct xds_show_tree *t, const struct xds_rbac *rbac, size_t depth)
{
    struct xds_out *out = t->show->out;
    const char *action =
        rbac && rbac->has_rules ? xds_rbac_action_name(rbac->action) : NULL;

    if (!rbac || !rbac->has_rules) {
        xds_out_text(out, rbac ? ": no rules, nothing is enforced\n" : ": turned off\n");
        return;
    }
    if (action)
        xds_out_format(out, ": %s", action);
    else
        xds_out_format(out, ": action %u", rbac->action);
    xds_out_text(out, rbac->n_policies == 0 ? ", no policies" : "");
    xds_out_text(out, rbac->has_matcher ? ", matcher is not read" : "");
    xds_out_line(out, "%s", rbac->has_shadow_rules ? ", shadow rules are not read" : "");
    print_loggers(t, rbac, depth);
    const size_t shown = xds_tree_shown(t, rbac->n_policies);

    for (size_t i = 0; i < shown; i++) {
        const struct xds_rbac_policy *p = &rbac->policies[i];

        xds_tree_begin(t, depth);
        xds_tree_title(t, "policy", p->name);
        xds_out_char(out, '\n');
        print_rules(t, "permission", p->permissions, p->n_permissions, depth + 1);
        print_rules(t, "principal", p->principals, p->n_principals, depth + 1);
    }
    xds_tree_more(t, depth, rbac->n_policies - shown, "policies");
}

void xds_tree_rbac_filters(struct xds_show_tree *t, const struct xds_listener *manager,
                           size_t depth)
{
    for (size_t i = 0; i < manager->n_filters; i++) {
        const struct xds_filter *f = &manager->filters[i];

        if (f->kind != XDS_FILTER_RBAC)
            continue;
        xds_tree_begin(t, depth);
        xds_tree_title(t, "RBAC filter", f->name);
        xds_out_text(t->show->out, f->disabled ? ", disabled" : "");
        print_rbac(t, f->rbac, depth + 1);
    }
}

void xds_tree_rbac_overrides(struct xds_show_tree *t,
                             const struct xds_overrides *overrides, size_t depth)
{
    for (size_t i = 0; i < overrides->n; i++) {
        const struct xds_filter_override *o = &overrides->entries[i];

        if (o->kind != XDS_FILTER_RBAC)
            continue;
        xds_tree_begin(t, depth);
        xds_tree_title(t, "override of RBAC filter", o->name);
        xds_out_text(t->show->out, o->disabled ? ", disabled" : "");
        print_rbac(t, o->rbac, depth + 1);
    }
}

/* ---- JSON ---- */

static void write_texts(struct xds_out *out, const char *key,
                        const struct xds_slice *list, size_t n)
{
    xds_json_key_array(out, key);
    for (size_t i = 0; i < n; i++)
        xds_json_string(out, list[i]);
    xds_json_end_array(out);
}

static void write_ranges(struct xds_out *out, const char *key,
                         const struct xds_chain_cidr *list, size_t n)
{
    xds_json_key_array(out, key);
    for (size_t i = 0; i < n; i++)
        xds_json_string(out, list[i].text);
    xds_json_end_array(out);
}

static void write_match(struct xds_out *out, const struct xds_chain_criteria *m)
{
    xds_json_key_object(out, "match");
    xds_json_key_u64_or_null(out, "destination_port", m->has_destination_port,
                             m->destination_port);
    write_ranges(out, "prefix_ranges", m->destinations, m->n_destinations);
    write_texts(out, "server_names", m->server_names, m->n_server_names);
    xds_json_key_string(out, "transport_protocol", m->transport_protocol);
    write_texts(out, "application_protocols", m->application_protocols,
                m->n_application_protocols);
    xds_json_key_text(out, "source_type", xds_source_type_name(m->source_type));
    write_ranges(out, "source_prefix_ranges", m->sources, m->n_sources);
    xds_json_key_array(out, "source_ports");
    for (size_t i = 0; i < m->n_source_ports; i++)
        xds_json_u64(out, m->source_ports[i]);
    xds_json_end_array(out);
    xds_json_end_object(out);
}

static void write_tls(struct xds_show *show, const struct xds_tls_context *tls)
{
    struct xds_out *out = show->out;

    if (!xds_json_object_or_null(out, "tls", tls))
        return;
    const struct xds_slice none = {NULL, 0};
    const struct xds_slice ca = xds_show_reads_ca(show, tls) ? tls->ca : none;

    xds_json_members(out, "identity: %.*s, ca: %.*s, require_client_certificate: %d",
                     XDS_FMT_OR_NULL(tls->identity), XDS_FMT_OR_NULL(ca),
                     tls->require_client_certificate);
    xds_json_key_array(out, "match_subject_alt_names");
    for (size_t i = 0; i < tls->n_sans; i++)
        xds_json_object(out, "kind: %s, text: %.*s, ignore_case: %d",
                        xds_san_matcher_field(&tls->sans[i]),
                        XDS_FMT_OR_NULL(tls->sans[i].string.text),
                        tls->sans[i].string.fold_case);
    xds_json_end_array(out);
    xds_json_key_text(out, "ignored", tls->ignored);
    xds_json_end_object(out);
}

static void write_rules(struct xds_show *show, const char *key,
                        const struct xds_rbac_rule *rules, size_t n)
{
    xds_json_key_array(show->out, key);
    for (size_t i = 0; i < n; i++)
        xds_json_string(show->out, xds_rbac_rule_words(show->arena, &rules[i]));
    xds_json_end_array(show->out);
}

static void write_rbac(struct xds_show *show, struct xds_slice filter, bool disabled,
                       const struct xds_rbac *rbac)
{
    struct xds_out *out = show->out;
    const bool enforces = rbac && rbac->has_rules;

    xds_json_begin_row(out);
    xds_json_members(out, "filter: %.*s, disabled: %d, action: %s", XDS_FMT(filter),
                     disabled || !rbac,
                     enforces ? xds_rbac_action_name(rbac->action) : NULL);
    xds_json_key_array(out, "policies");
    for (size_t i = 0; enforces && i < rbac->n_policies; i++) {
        const struct xds_rbac_policy *p = &rbac->policies[i];

        xds_json_begin_row(out);
        xds_json_key_string(out, "name", p->name);
        write_rules(show, "permissions", p->permissions, p->n_permissions);
        write_rules(show, "principals", p->principals, p->n_principals);
        xds_json_end_object(out);
    }
    xds_json_end_array(out);
    xds_json_key_array(out, "audit_loggers");
    for (size_t i = 0; enforces && i < rbac->n_loggers; i++)
        xds_json_string(out, rbac->loggers[i].name);
    xds_json_end_array(out);
    xds_json_end_object(out);
}

static void write_chain(struct xds_show *show, const struct xds_listener *listener,
                        const struct xds_filter_chain *chain, size_t index)
{
    struct xds_out *out = show->out;
    const bool is_default = index == XDS_DEFAULT_CHAIN;
    const struct xds_slice none = {NULL, 0};

    xds_json_begin_row(out);
    xds_json_key_u64_or_null(out, "index", !is_default, index);
    xds_json_key_string(out, "name", chain->name);
    write_match(out, &chain->match);
    xds_json_key_string_or_null(out, "dropped",
                                is_default ? none : why_dropped(show, listener, chain));
    xds_json_key_bool(out, "transport_socket", chain->has_socket);
    write_tls(show, chain->tls);
    xds_json_key_array(out, "route_configurations");
    for (size_t i = 0; i < chain->n_managers; i++) {
        const struct xds_listener *m = &chain->managers[i];

        if (m->rds_name.data || m->route_config)
            xds_json_string(out, m->rds_name.data ? m->rds_name : m->route_config->name);
    }
    xds_json_end_array(out);
    xds_json_key_array(out, "rbac");
    for (size_t i = 0; i < chain->n_managers; i++)
        for (size_t k = 0; k < chain->managers[i].n_filters; k++) {
            const struct xds_filter *f = &chain->managers[i].filters[k];

            if (f->kind == XDS_FILTER_RBAC)
                write_rbac(show, f->name, f->disabled, f->rbac);
        }
    xds_json_end_array(out);
    xds_json_end_object(out);
}

void xds_show_json_chains(struct xds_show *show, const struct xds_listener *listener)
{
    const bool serves = listener && !listener->is_api_listener;

    xds_json_key_array(show->out, "filter_chains");
    for (size_t i = 0; serves && i < listener->n_filter_chains; i++)
        write_chain(show, listener, &listener->filter_chains[i], i);
    if (serves && listener->default_chain)
        write_chain(show, listener, listener->default_chain, XDS_DEFAULT_CHAIN);
    xds_json_end_array(show->out);
}

/* Only where there are some, as most routes have none. */
void xds_show_json_overrides(struct xds_show *show, const struct xds_overrides *overrides)
{
    bool any = false;

    for (size_t i = 0; i < overrides->n; i++) {
        const struct xds_filter_override *o = &overrides->entries[i];

        if (o->kind != XDS_FILTER_RBAC)
            continue;
        if (!any)
            xds_json_key_array(show->out, "rbac");
        any = true;
        write_rbac(show, o->name, o->disabled, o->rbac);
    }
    if (any)
        xds_json_end_array(show->out);
}
