/*
 * filters.c - the HTTP filters of a server, one after the other.
 *
 * Source: gRFC A39, A41.
 */
#include "server/rbac.h"

static struct xds_slice clause(const struct xds_served_filter *f, const char *otherwise)
{
    return f->use.reason.data ? f->use.reason : xds_slice_of(otherwise);
}

/* Of that action: "DENY". */
static const char *action_name(const struct xds_rbac *rbac)
{
    const char *name = xds_rbac_action_name(rbac->action);

    return name ? name : "(unknown)";
}

static struct xds_slice rbac_words(const struct xds_server_rpc *rpc,
                                   const struct xds_rbac *rbac,
                                   const struct xds_rbac_answer *answer)
{
    const char *verb = answer->allowed ? "lets it pass" : "denies it";

    if (!answer->enforced)
        return XDS_S("nothing is enforced, and every RPC passes");
    if (answer->decided_by)
        return xds_arena_printf(rpc->rpc.arena,
                                "%s: policy \"%.*s\" of action %s matches", verb,
                                XDS_FMT(answer->decided_by->name), action_name(rbac));
    return xds_arena_printf(rpc->rpc.arena, "%s: no policy of action %s matches", verb,
                            action_name(rbac));
}

/* Rules are asked only up to what decides. */
static bool is_killed(const struct xds_server_rpc *rpc, const struct xds_rbac *rbac)
{
    struct xds_server_rpc asking = *rpc;
    bool kills = false;

    if (!XDS_DIFFERS(&rpc->rpc, XDS_DIFF_SERVER_PEERS_MAPPED))
        return false;
    asking.kills = &kills;
    (void)xds_rbac_allows(&asking, rbac);
    return kills;
}

static const struct xds_rbac_index *index_of(const struct xds_server_rpc *rpc,
                                             const struct xds_rbac *rbac)
{
    void **slot = xds_strmap_at(&rpc->brief->policies,
                                (struct xds_slice){(const char *)&rbac, sizeof rbac});

    if (!*slot)
        *slot = xds_rbac_index_build(rpc->brief->arena, &rpc->rpc, rbac);
    return *slot;
}

static void ask_rbac(const struct xds_server_rpc *rpc, struct xds_served *d,
                     struct xds_served_filter *f)
{
    const struct xds_rbac *rbac =
        f->use.override ? f->use.override->rbac : f->use.filter->rbac;
    struct xds_rbac_answer *answer = XDS_NEW(rpc->rpc.arena, struct xds_rbac_answer);

    if (is_killed(rpc, rbac)) {
        d->outcome = XDS_SERVED_CRASH;
        d->error = XDS_S("kills the server: " XDS_KILLED_BY_ADDRESS);
        f->result = d->error;
        return;
    }
    if (rpc->brief)
        xds_rbac_decide_brief(rpc, index_of(rpc, rbac), answer);
    else
        xds_rbac_decide(rpc, rbac, answer);
    f->rbac = answer;
    if (!rpc->brief)
        f->result = rbac_words(rpc, rbac, answer);
    f->denies = answer->code != NULL;
    if (rbac && rbac->has_shadow_rules)
        xds_served_note(rpc->rpc.arena, d,
                        "filter \"%.*s\": no gRPC server reads shadow_rules",
                        XDS_FMT(f->use.filter->name));
    if (f->denies || answer->decided_by)
        d->policy =
            answer->decided_by ? answer->decided_by->name : (struct xds_slice){NULL, 0};
    if (!f->denies)
        return;
    d->outcome = XDS_SERVED_DENIED;
    d->code = xds_slice_of(answer->code);
    d->error = answer->words.text;
    d->reason = answer->words.reason;
    d->is_status = true;
}

static void pass(const struct xds_server_rpc *rpc, struct xds_served *d,
                 struct xds_served_filter *f);

/* What is not in the snapshot is said, and taken to let the RPC pass. */
static void pass_unknown(const struct xds_server_rpc *rpc, struct xds_served *d,
                         struct xds_served_filter *f, struct xds_slice result)
{
    f->unknown = true;
    f->result = result;
    xds_served_note(rpc->rpc.arena, d, "filter \"%.*s\" is not followed: %.*s",
                    XDS_FMT(f->use.filter->name), XDS_FMT(f->result));
}

/* The filters that a composite one chooses, up to the one that ends the RPC. They have no
 * overrides of their own. */
static void run_chosen(const struct xds_server_rpc *rpc, struct xds_served *d,
                       struct xds_served_filter *f,
                       const struct xds_filter_choice *choice)
{
    const bool always =
        !choice->has_sample || choice->sample.numerator >= choice->sample.denominator;
    struct xds_text text = {.arena = rpc->rpc.arena};

    if (choice->has_sample && choice->sample.numerator == 0) {
        f->result = XDS_S("runs nothing, as its sample_percent is 0");
        return;
    }
    for (size_t i = 0; i < choice->n_filters && !f->denies; i++) {
        struct xds_filter *child = XDS_NEW(rpc->rpc.arena, struct xds_filter);
        struct xds_served_filter one = {.reached = true};

        *child = choice->filters[i];
        child->name = f->use.filter->name;
        one.use.filter = child;
        pass(rpc, d, &one);
        f->rbac = one.rbac ? one.rbac : f->rbac;
        f->denies = one.denies || d->outcome == XDS_SERVED_CRASH;
        f->unknown = f->unknown || one.unknown;
        xds_text_printf(&text, "%s%.*s %.*s", i > 0 ? "; " : "", XDS_FMT(child->type),
                        XDS_FMT(one.result));
    }
    f->result =
        text.len > 0 ? xds_slice_make(text.data, text.len) : XDS_S("skips the filter");
    if (always)
        return;
    f->unknown = true;
    xds_served_note(
        rpc->rpc.arena, d,
        "filter \"%.*s\" runs for a part of the RPCs, by sample_percent; it is "
        "taken to run",
        XDS_FMT(f->use.filter->name));
}

static void ask_composite(const struct xds_server_rpc *rpc, struct xds_served *d,
                          struct xds_served_filter *f)
{
    const struct xds_filter_tree *tree =
        f->use.override ? f->use.override->tree : f->use.filter->tree;
    const struct xds_filter_choice *choice;

    if (!tree) {
        f->result = XDS_S("runs nothing, as it has no matcher");
        return;
    }
    switch (xds_filter_tree_choose(&rpc->rpc, tree, &choice)) {
    case XDS_TREE_CHOSEN:
        run_chosen(rpc, d, f, choice);
        return;
    case XDS_TREE_NOTHING:
        f->result = XDS_S("fails the RPC, as nothing in its matcher matches");
        f->denies = true;
        d->outcome = XDS_SERVED_FAILED;
        d->code = XDS_S("UNAVAILABLE");
        d->error = XDS_S("no match found in composite filter");
        d->reason = xds_failure_row(XDS_FAILURE_COMPOSITE);
        d->is_status = true;
        return;
    case XDS_TREE_UNKNOWN:
        break;
    }
    pass_unknown(
        rpc, d, f,
        XDS_S("a CEL expression chooses what it runs; the RPC is taken to pass"));
}

static void pass(const struct xds_server_rpc *rpc, struct xds_served *d,
                 struct xds_served_filter *f)
{
    if (f->use.dropped || f->use.disabled) {
        f->result = clause(f, "does not run");
        return;
    }
    switch (f->use.filter->kind) {
    case XDS_FILTER_ROUTER:
        f->result = clause(f, "ends the chain");
        return;
    case XDS_FILTER_RBAC:
        ask_rbac(rpc, d, f);
        return;
    case XDS_FILTER_UNKNOWN:
    case XDS_FILTER_FAULT:
    case XDS_FILTER_STATEFUL_SESSION:
    case XDS_FILTER_GCP_AUTHN:
        f->result = clause(f, "does nothing on a server");
        return;
    case XDS_FILTER_COMPOSITE:
        ask_composite(rpc, d, f);
        return;
    case XDS_FILTER_EXT_AUTHZ:
    case XDS_FILTER_EXT_PROC:
        break;
    }
    pass_unknown(
        rpc, d, f,
        clause(f, "what it does is not in the snapshot; the RPC is taken to pass"));
}

bool xds_server_filters(const struct xds_server_rpc *rpc, struct xds_served *d)
{
    const struct xds_override_scope all = {NULL, d->route->route, d->virtual_host.host};
    const struct xds_override_scope none = {NULL, NULL, NULL};
    const bool unread = XDS_DIFFERS(&rpc->rpc, XDS_DIFF_SERVER_OVERRIDES_UNREAD);
    struct xds_served_filter *list =
        XDS_NEW_ARRAY(rpc->rpc.arena, struct xds_served_filter, d->manager->n_filters);

    d->filters = list;
    d->n_filters = d->manager->n_filters;
    for (size_t i = 0; i < d->n_filters; i++)
        list[i].use =
            xds_filter_use_of(unread ? &none : &all, &rpc->rpc, &d->manager->filters[i]);
    for (size_t i = 0; i < d->n_filters; i++) {
        list[i].reached = true;
        pass(rpc, d, &list[i]);
        if (xds_rpc_is_undecided(&rpc->rpc)) {
            d->outcome = XDS_SERVED_UNDECIDED;
            d->error = *rpc->rpc.undecided;
            return false;
        }
        if (list[i].denies || d->outcome == XDS_SERVED_CRASH)
            return false;
    }
    return true;
}
