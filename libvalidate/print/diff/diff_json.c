/* diff_json.c - a comparison as one JSON document. */
#include "clients/readers.h"
#include "print/decision/decision.h"
#include "print/diff/diff.h"
#include "print/findings/findings.h"
#include "print/write/json.h"

static const char *const side_keys[XDS_SIDES] = {"old", "new"};

static void write_place(struct xds_out *out, const char *key, struct xds_slice file,
                        struct xds_place at)
{
    if (!xds_json_object_or_null(out, key, file.data))
        return;
    xds_json_members(out, "file: %.*s, line: %u, column: %u", XDS_FMT(file), at.line,
                     at.column);
    xds_json_end_object(out);
}

static void write_resource(struct xds_out *out, const struct xds_resource_change *change)
{
    xds_json_begin_row(out);
    xds_json_members(out, "change: %s, type: %.*s, name: %.*s",
                     xds_change_name(change->kind), XDS_FMT(change->type),
                     XDS_FMT(change->name));
    for (unsigned side = 0; side < XDS_SIDES; side++)
        write_place(out, side_keys[side], change->file[side], change->place[side]);
    xds_json_members(out, "read: %d, readable: %d", !change->unread, !change->unreadable);
    xds_json_key_array(out, "fields");
    for (size_t i = 0; i < change->fields.n; i++) {
        const struct xds_field_change *field = &change->fields.list[i];
        static const char *const places[XDS_SIDES] = {"old_place", "new_place"};
        const bool moved = field->kind == XDS_CHANGE_MOVED;

        xds_json_begin_row(out);
        xds_json_members(out, "change: %s, path: %.*s, of: %.*s, old: %.*s, new: %.*s",
                         xds_change_name(field->kind), XDS_FMT(field->path),
                         XDS_FMT_OR_NULL(field->owner),
                         XDS_FMT_OR_NULL(field->value[XDS_SIDE_OLD]),
                         XDS_FMT_OR_NULL(field->value[XDS_SIDE_NEW]));
        xds_json_key_u64_or_null(out, "old_index", moved, field->index[XDS_SIDE_OLD]);
        xds_json_key_u64_or_null(out, "new_index", moved, field->index[XDS_SIDE_NEW]);
        xds_json_key_bool(out, "read", !field->unread);
        for (unsigned side = 0; side < XDS_SIDES; side++)
            write_place(out, places[side],
                        field->at[side] && field->place[side].line
                            ? change->file[side]
                            : xds_slice_make(NULL, 0),
                        field->place[side]);
        xds_json_end_object(out);
    }
    xds_json_end_array(out);
    xds_json_key_u64(out, "more_fields", change->fields.n_more);
    xds_json_end_object(out);
}

/* As a line of --requests. */
static void write_request(struct xds_out *out, const struct xds_request *request)
{
    xds_json_begin_object(out);
    if (request->route_config.data)
        xds_json_key_string(out, "route_config", request->route_config);
    else
        xds_json_key_string_or_null(out, request->listener.data ? "listener" : "target",
                                    request->listener.data ? request->listener
                                                           : request->target);
    xds_json_members(out, "authority: %.*s, path: %.*s",
                     XDS_FMT_OR_NULL(request->authority), XDS_FMT(request->path));
    xds_json_headers(out, request);
    xds_json_key_array(out, "random");
    for (size_t i = 0; i < request->n_random; i++)
        xds_json_double(out, request->random[i]);
    xds_json_end_array(out);
    xds_json_end_object(out);
}

static void write_shares(struct xds_out *out, const char *key,
                         const struct xds_share_changes *shares)
{
    xds_json_key_array(out, key);
    for (size_t i = 0; i < shares->n; i++) {
        const struct xds_share_change *share = &shares->list[i];

        xds_json_begin_object(out);
        xds_json_key_string(out, "cluster", share->cluster);
        if (share->address.data)
            xds_json_key_string(out, "address", share->address);
        xds_json_members(out, "old: %g, new: %g",
                         xds_json_probability(share->share[XDS_SIDE_OLD]),
                         xds_json_probability(share->share[XDS_SIDE_NEW]));
        xds_json_end_object(out);
    }
    xds_json_end_array(out);
}

static void write_break(struct xds_out *out, const struct xds_session_kind *kind)
{
    const struct xds_session_change *session = kind->first;

    xds_json_begin_row(out);
    xds_json_members(out,
                     "cause: %s, count: %zu, cookie_name: %.*s, cookie_path: %.*s, "
                     "cluster: %.*s, reason: %.*s",
                     xds_break_name(kind->cause), kind->n, XDS_FMT(kind->cookie_name),
                     XDS_FMT(kind->cookie_path), XDS_FMT(kind->cluster),
                     XDS_FMT_OR_NULL(kind->reason));
    xds_json_key_array(out, "hosts");
    for (size_t i = 0; session && i < XDS_MAX_DIFF_SHARES; i++, session = session->next)
        xds_json_object(out, "address: %.*s, health: %s", XDS_FMT(session->addresses),
                        xds_health_name(session->health));
    xds_json_end_array(out);
    xds_json_key(out, "example");
    write_request(out, &kind->example);
    xds_json_end_object(out);
}

static void write_rules(struct xds_out *out, const char *key,
                        const struct xds_verdict_change *change, enum xds_side side)
{
    xds_json_key_array(out, key);
    for (size_t i = 0; i < change->n_rules; i++) {
        const struct xds_rule_change *rule = &change->rules[i];

        if (rule->side == side)
            xds_json_object(out, "rule: %s, message: %.*s, path: %.*s, line: %u",
                            rule->rule->slug, XDS_FMT(rule->finding.message),
                            XDS_FMT(rule->finding.path), rule->finding.at.line);
    }
    xds_json_end_array(out);
}

static void begin_list(struct xds_out *out, const char *key)
{
    xds_json_key_array(xds_json_line(out), key);
}

static void write_lists(struct xds_out *out, const struct xds_diff *diff)
{
    begin_list(out, "resources");
    for (size_t i = 0; i < diff->n_resources && !out->failed; i++)
        write_resource(out, &diff->resources[i]);
    xds_json_end_array(out);
    begin_list(out, "requests");
    for (size_t i = 0; i < diff->requests.n_kinds && !out->failed; i++) {
        const struct xds_request_kind *kind = diff->requests.kinds[i];

        xds_json_begin_row(out);
        xds_json_key_u64(out, "count", kind->n);

        const struct xds_answer_change *change = &kind->change;

        xds_json_key_object(out, "changes");
        for (unsigned a = 0; a < XDS_ASPECTS; a++) {
            if (!(change->aspects & (1u << a)))
                continue;
            xds_json_key(out, xds_aspect_name((enum xds_aspect)a));
            xds_json_object(out, "old: %.*s, new: %.*s",
                            XDS_FMT(change->text[XDS_SIDE_OLD][a]),
                            XDS_FMT(change->text[XDS_SIDE_NEW][a]));
        }
        xds_json_end_object(out);
        write_shares(out, "clusters", &kind->change.clusters);
        write_shares(out, "hosts", &kind->change.hosts);
        xds_json_key_u64(out, "more_hosts", kind->change.hosts.n_more);
        xds_json_key(out, "example");
        write_request(out, &kind->example);
        xds_json_end_object(out);
    }
    xds_json_end_array(out);
    begin_list(out, "sessions");
    for (size_t i = 0; i < diff->sessions.n_breaks && !out->failed; i++)
        write_break(out, diff->sessions.breaks[i]);
    xds_json_end_array(out);
    begin_list(out, "verdicts");
    for (size_t i = 0; i < diff->n_verdicts && !out->failed; i++) {
        const struct xds_verdict_change *change = &diff->verdicts[i];

        xds_json_begin_row(out);
        xds_json_members(out, "type: %.*s, name: %.*s, added: %d", XDS_FMT(change->type),
                         XDS_FMT(change->name), change->added);
        xds_json_clients(out, "rejected_by", change->rejects);
        xds_json_clients(out, "accepted_by", change->accepts);
        xds_json_clients(out, "crashes", change->dies);
        xds_json_clients(out, "no_longer_crashes", change->survives);
        write_rules(out, "fires", change, XDS_SIDE_NEW);
        write_rules(out, "no_longer_fires", change, XDS_SIDE_OLD);
        xds_json_end_object(out);
    }
    xds_json_end_array(out);
}

/* A member that a comparison without such servers does not have. */
static void write_servers(struct xds_out *out, const struct xds_diff *diff)
{
    if (diff->n_servers == 0)
        return;
    begin_list(out, "servers");
    for (size_t i = 0; i < diff->n_servers && !out->failed; i++)
        xds_json_row(out, "listener: %.*s, address: %.*s, why: %s",
                     XDS_FMT(diff->servers[i].listener),
                     XDS_FMT_OR_NULL(diff->servers[i].address), diff->servers[i].why);
    xds_json_end_array(out);
}

/* The same. */
static void write_updates(struct xds_out *out, const struct xds_diff *diff)
{
    if (diff->updates.n == 0)
        return;
    begin_list(out, "server_updates");
    for (size_t i = 0; i < diff->updates.n && !out->failed; i++) {
        const struct xds_server_update *update = &diff->updates.list[i];

        xds_json_begin_row(out);
        xds_json_members(out, "effect: %s, listener: %.*s, address: %.*s, routes: %.*s",
                         xds_update_effect_name(update->effect),
                         XDS_FMT(update->listener), XDS_FMT_OR_NULL(update->address),
                         XDS_FMT_OR_NULL(update->routes));
        xds_json_clients(out, "clients", update->clients);
        xds_json_end_object(out);
    }
    xds_json_end_array(out);
}

/* The same. Each example is as a line of --server --requests. */
static void write_served(struct xds_out *out, const struct xds_diff *diff)
{
    const struct xds_diff_served *served = &diff->served;

    if (served->n_kinds == 0)
        return;
    begin_list(out, "served");
    for (size_t i = 0; i < served->n_kinds && !out->failed; i++) {
        const struct xds_served_kind *kind = served->kinds[i];
        const struct xds_inbound *in = &kind->example;

        xds_json_begin_row(out);
        xds_json_members(out,
                         "requests: %zu, old: %.*s, new: %.*s, old_policy: %.*s, "
                         "new_policy: %.*s",
                         kind->n, XDS_FMT(kind->text[XDS_SIDE_OLD]),
                         XDS_FMT(kind->text[XDS_SIDE_NEW]),
                         XDS_FMT_OR_NULL(kind->policy[XDS_SIDE_OLD]),
                         XDS_FMT_OR_NULL(kind->policy[XDS_SIDE_NEW]));
        xds_json_key_object(out, "example");
        xds_json_members(out,
                         "server: %.*s, local: %.*s, peer: %.*s, authority: %.*s, path: "
                         "%.*s",
                         XDS_FMT(in->server), XDS_FMT_OR_NULL(in->local),
                         XDS_FMT(in->peer), XDS_FMT_OR_NULL(in->rpc.authority),
                         XDS_FMT(in->rpc.path));
        xds_json_key_array(out, "peer_san");
        for (size_t k = 0; in->certificate && k < in->certificate->n_sans; k++)
            xds_json_parts(out, k > 0 ? ",\"%s:%.*s\"" : "\"%s:%.*s\"",
                           xds_san_kind_name(in->certificate->sans[k].kind),
                           XDS_FMT(in->certificate->sans[k].value));
        xds_json_end_array(out);
        xds_json_headers(out, &in->rpc);
        xds_json_end_object(out);
        xds_json_end_object(out);
    }
    xds_json_end_array(out);
}

static void write_readers(struct xds_out *out, const struct xds_diff *diff)
{
    const struct xds_difference_before *row;

    begin_list(out, "lb_policies");
    for (size_t i = 0; i < diff->n_trees && !out->failed; i++) {
        const struct xds_policy_kind *kind = diff->trees[i];

        xds_json_begin_row(out);
        xds_json_members(
            out, "count: %zu, cluster: %.*s, path: %.*s, old: %.*s, new: %.*s", kind->n,
            XDS_FMT(kind->cluster), XDS_FMT(kind->path),
            XDS_FMT(kind->text[XDS_SIDE_OLD]), XDS_FMT(kind->text[XDS_SIDE_NEW]));
        xds_json_end_object(out);
    }
    xds_json_end_array(out);
    begin_list(out, "warnings");
    for (size_t i = 0; i < diff->warnings.n && !out->failed; i++) {
        const struct xds_warning_change *change = &diff->warnings.list[i];
        const struct xds_rule_change *rule = &change->rule;

        xds_json_row(
            out, "count: %zu, client: %s, rule: %s, message: %.*s, path: %.*s, line: %u",
            change->n, diff->as[rule->side].text, rule->rule->slug,
            XDS_FMT(rule->finding.message), XDS_FMT(rule->finding.path),
            rule->finding.at.line);
    }
    xds_json_end_array(out);
    begin_list(out, "history");
    for (size_t i = 0; (row = xds_diff_history(diff, i)) != NULL && !out->failed; i++) {
        const struct xds_client_release at = {row->client, row->release};

        xds_json_begin_row(out);
        xds_json_members(
            out, "release: %s, before: %d, text: %s, source: %s",
            (row->release.patch ? xds_release_text(at) : xds_release_minor(at)).text,
            row->differs, xds_difference_row(row->difference).text,
            xds_difference_row(row->difference).source);
        xds_json_end_object(out);
    }
    xds_json_end_array(out);
}

enum xds_status xds_print_diff_json(const struct xds_printer *to,
                                    const struct xds_diff *diff)
{
    struct xds_out out;

    xds_out_init(&out, to);
    xds_json_begin_document(&out);
    xds_json_tool(&out);
    xds_json_key_text(&out, "client", diff->as[XDS_SIDE_NEW].text);
    if (diff->of_readers)
        xds_json_key_text(&out, "old_client", diff->as[XDS_SIDE_OLD].text);
    write_lists(&out, diff);
    write_servers(&out, diff);
    write_updates(&out, diff);
    write_served(&out, diff);
    if (diff->of_readers)
        write_readers(&out, diff);

    const struct xds_derive_counts *old = &diff->requests.counts[XDS_SIDE_OLD];
    const struct xds_derive_counts *new = &diff->requests.counts[XDS_SIDE_NEW];

    xds_json_key_object(xds_json_line(&out), "summary");
    xds_json_members(&out, "added: %zu, removed: %zu, changed: %zu, unchanged: %zu",
                     xds_diff_count(diff, XDS_CHANGE_ADDED),
                     xds_diff_count(diff, XDS_CHANGE_REMOVED),
                     xds_diff_count(diff, XDS_CHANGE_CHANGED), diff->n_same);
    xds_json_members(&out,
                     "requests: %zu, requests_changed: %zu, request_kinds: %zu, "
                     "request_kinds_not_shown: %zu",
                     diff->requests.n, diff->requests.n_differ, diff->requests.n_kinds,
                     diff->requests.n_more_kinds);
    xds_json_members(
        &out,
        "sessions: %zu, sessions_broken: %zu, sessions_not_shown: %zu, "
        "verdicts: %zu, routes_without_request: %zu, complete: %d",
        diff->sessions.n, diff->sessions.n_broken, diff->sessions.n_more_breaks,
        diff->n_verdicts + diff->n_more_verdicts, old->impossible + new->impossible,
        !old->cut && !new->cut && !diff->sessions.cut);
    xds_json_end_object(&out);
    xds_json_end_document(&out);
    return xds_out_finish(&out);
}
