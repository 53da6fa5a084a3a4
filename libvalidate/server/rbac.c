/*
 * rbac.c - evaluate the policies of an RBAC filter for one RPC.
 *
 * Source: gRFC A41, spec listener 8.3; differences.def has what clients do in another
 * way.
 */
#include "server/rbac.h"

#include "secret/secret.h"

/* What an evaluation of one RPC carries. */
struct eval {
    const struct xds_server_rpc *rpc;
    unsigned depth;  /* of the current rule; an entry of a policy has 0 */
    bool explaining; /* say what each rule saw */
};

static bool differs(const struct eval *eval, enum xds_difference difference)
{
    return XDS_DIFFERS(&eval->rpc->rpc, difference);
}

/* ---- principal names ---- */

/* java before 1.61 writes the subject in another form than RFC 2253: a blank follows each
 * comma between two parts. */
static struct xds_slice subject_of(const struct eval *eval,
                                   const struct xds_certificate *certificate)
{
    const struct xds_slice subject = certificate->subject;

    if (!differs(eval, XDS_DIFF_RBAC_SUBJECT_SPACED))
        return subject;
    struct xds_text text = {.arena = eval->rpc->rpc.arena};

    for (size_t i = 0; i < subject.len; i++) {
        xds_text_add(&text, xds_slice_make(subject.data + i, 1));
        if (subject.data[i] == '\\' && i + 1 < subject.len)
            xds_text_add(&text, xds_slice_make(subject.data + ++i, 1));
        else if (subject.data[i] == ',')
            xds_text_add(&text, XDS_S(" "));
    }
    return xds_slice_make(text.data, text.len);
}

/* The next part of a subject of RFC 2253; false at the end. */
static bool next_part(struct xds_slice *rest, struct xds_slice *part)
{
    size_t end = 0;

    if (rest->len == 0)
        return false;
    while (end < rest->len && rest->data[end] != ',' && rest->data[end] != '+')
        end += rest->data[end] == '\\' && end + 1 < rest->len ? 2 : 1;
    *part = xds_slice_make(rest->data, end);
    *rest = xds_slice_from(*rest, end + 1);
    return true;
}

/* Those who compare the names (CN) of a subject one by one. */
static bool common_name_matches(const struct eval *eval,
                                const struct xds_string_matcher *matcher,
                                struct xds_slice subject)
{
    struct xds_slice part;
    size_t n = 0;
    bool matches = false;

    while (next_part(&subject, &part)) {
        if (!xds_slice_take(&part, "CN="))
            continue;
        n++;
        matches |= xds_string_matches(&eval->rpc->rpc, matcher, part);
    }
    return matches && (n == 1 || !differs(eval, XDS_DIFF_RBAC_SUBJECT_ONE_CN));
}

/* Those of a kind; *any: is there one? */
static bool sans_match(const struct eval *eval, const struct xds_string_matcher *matcher,
                       const struct xds_certificate *certificate, enum xds_san_kind kind,
                       bool *any)
{
    for (size_t i = 0; i < certificate->n_sans; i++) {
        if (certificate->sans[i].kind != kind)
            continue;
        *any = true;
        if (xds_string_matches(&eval->rpc->rpc, matcher, certificate->sans[i].value))
            return true;
    }
    return false;
}

static bool name_matches(const struct eval *eval,
                         const struct xds_string_matcher *matcher,
                         const struct xds_certificate *certificate)
{
    const bool goes_on = differs(eval, XDS_DIFF_RBAC_SAN_GOES_ON);
    bool has_uri = false, has_dns = false;

    if (sans_match(eval, matcher, certificate, XDS_SAN_URI, &has_uri))
        return true;
    if (has_uri && !goes_on)
        return false;
    if (!(has_uri && differs(eval, XDS_DIFF_RBAC_SAN_DNS_ALONE)) &&
        sans_match(eval, matcher, certificate, XDS_SAN_DNS, &has_dns))
        return true;
    if (has_dns && !goes_on)
        return false;
    if (differs(eval, XDS_DIFF_RBAC_SUBJECT_CN))
        return common_name_matches(eval, matcher, certificate->subject);
    return xds_string_matches(&eval->rpc->rpc, matcher, subject_of(eval, certificate));
}

static bool authenticated(const struct eval *eval, const struct xds_rbac_rule *rule)
{
    const struct xds_server_connection *connection = eval->rpc->connection;
    const struct xds_certificate *certificate = connection->certificate;

    if (!rule->string_set && differs(eval, XDS_DIFF_RBAC_AUTHENTICATED_ANY))
        return true;
    if (!connection->is_tls &&
        !(rule->string && differs(eval, XDS_DIFF_RBAC_NAMELESS_EMPTY)))
        return false;
    if (!rule->string_set)
        return certificate || !differs(eval, XDS_DIFF_RBAC_AUTHENTICATED_VERIFIED);
    if (!rule->string)
        return false;
    return certificate ? name_matches(eval, rule->string, certificate)
                       : xds_string_matches(&eval->rpc->rpc, rule->string, XDS_S(""));
}

/* "URI a, DNS b, subject c", for an explanation. */
static struct xds_slice names_of(const struct eval *eval)
{
    static const char *const kinds[] = {[XDS_SAN_URI] = "URI ",
                                        [XDS_SAN_DNS] = "DNS ",
                                        [XDS_SAN_EMAIL] = "e-mail ",
                                        [XDS_SAN_IP] = "IP "};
    const struct xds_server_connection *connection = eval->rpc->connection;
    const struct xds_certificate *certificate = connection->certificate;
    struct xds_text text = {.arena = eval->rpc->rpc.arena};

    if (!connection->is_tls)
        return XDS_S("no TLS");
    if (!certificate)
        return XDS_S("no client certificate");
    for (size_t i = 0; i < certificate->n_sans; i++) {
        xds_text_add(&text, xds_slice_of(kinds[certificate->sans[i].kind]));
        xds_text_add(&text, certificate->sans[i].value);
        xds_text_add(&text, XDS_S(", "));
    }
    xds_text_add(&text, XDS_S("subject "));
    xds_text_add(&text, subject_of(eval, certificate));
    return xds_slice_make(text.data, text.len);
}

/* ---- leaves ---- */

static bool header_matches(const struct eval *eval, const struct xds_rbac_rule *rule,
                           struct xds_rbac_seen *seen)
{
    const struct xds_rpc *rpc = &eval->rpc->rpc;
    const char *because = NULL;
    struct xds_slice value = {NULL, 0};
    struct xds_header_matcher matcher = *rule->header;

    if (matcher.kind == XDS_HEADER_RANGE &&
        differs(eval, XDS_DIFF_RBAC_RANGE_NOT_INVERTED))
        matcher.invert = false;
    const bool there =
        xds_rbac_header(eval->rpc, matcher.name, eval->depth, &value, &because);
    const enum xds_match result = xds_header_takes(rpc, &matcher, there ? &value : NULL);

    if (result == XDS_MATCH_UNDECIDED)
        xds_rpc_undecided(rpc, XDS_S("a regex takes too many steps to match"));
    if (eval->explaining) {
        seen->what = xds_arena_concat(rpc->arena, XDS_S("header "), rule->header->name);
        seen->because = because;
        if (there)
            seen->saw =
                xds_secret_name(rule->header->name) ? XDS_S(XDS_SECRET_HIDDEN) : value;
    }
    return result == XDS_MATCH;
}

static bool ip_matches(const struct eval *eval, const struct xds_rbac_rule *rule,
                       struct xds_rbac_seen *seen)
{
    const bool is_local = rule->kind == XDS_RBAC_DESTINATION_IP;
    const struct xds_socket *socket =
        is_local ? &eval->rpc->connection->local : &eval->rpc->connection->peer;
    const bool never = differs(eval, XDS_DIFF_RBAC_IP_NEVER);

    if (eval->rpc->kills &&
        xds_ip_kills(&eval->rpc->rpc, rule->range->ip.family, &socket->ip))
        *eval->rpc->kills = true;
    if (eval->explaining) {
        seen->what =
            is_local ? XDS_S("address of the server") : XDS_S("address of the peer");
        seen->saw = socket->text;
        if (never)
            seen->because = "this release finds no IP address in one with a port";
    }
    return !never && xds_rbac_in_range(&eval->rpc->rpc, rule->range, &socket->ip);
}

static bool port_matches(const struct eval *eval, const struct xds_rbac_rule *rule,
                         struct xds_rbac_seen *seen)
{
    const uint16_t port = eval->rpc->connection->local.port;

    if (eval->explaining) {
        seen->what = XDS_S("port of the server");
        if (port)
            seen->saw = xds_arena_printf(eval->rpc->rpc.arena, "%u", port);
    }
    return port > 0 && port >= rule->port && port < rule->port_end;
}

static bool url_path_matches(const struct eval *eval, const struct xds_rbac_rule *rule,
                             struct xds_rbac_seen *seen)
{
    const struct xds_slice path = eval->rpc->rpc.request->path;

    if (eval->explaining) {
        seen->what = XDS_S("path");
        seen->saw = path;
    }
    return rule->string && xds_string_matches(&eval->rpc->rpc, rule->string, path);
}

/* gRPC never has the name that the peer asked for. */
static bool server_name_matches(const struct eval *eval, const struct xds_rbac_rule *rule,
                                struct xds_rbac_seen *seen)
{
    if (eval->explaining) {
        seen->what = XDS_S("requested server name");
        seen->saw = XDS_S("");
        seen->because = "gRPC compares it with the empty text";
    }
    return rule->string && xds_string_matches(&eval->rpc->rpc, rule->string, XDS_S(""));
}

static bool leaf_matches(const struct eval *eval, const struct xds_rbac_rule *rule,
                         struct xds_rbac_seen *seen)
{
    switch (rule->kind) {
    case XDS_RBAC_ANY: /* whatever its value */
        return true;
    case XDS_RBAC_HEADER:
        return header_matches(eval, rule, seen);
    case XDS_RBAC_URL_PATH:
        return url_path_matches(eval, rule, seen);
    case XDS_RBAC_METADATA:
        return rule->invert && differs(eval, XDS_DIFF_RBAC_METADATA_INVERT);
    case XDS_RBAC_DESTINATION_IP:
    case XDS_RBAC_SOURCE_IP:
    case XDS_RBAC_DIRECT_REMOTE_IP:
    case XDS_RBAC_REMOTE_IP:
        return ip_matches(eval, rule, seen);
    case XDS_RBAC_DESTINATION_PORT_RANGE:
        return differs(eval, XDS_DIFF_RBAC_PORT_RANGE_KNOWN) &&
               port_matches(eval, rule, seen);
    case XDS_RBAC_DESTINATION_PORT:
        return port_matches(eval, rule, seen);
    case XDS_RBAC_REQUESTED_SERVER_NAME:
        return server_name_matches(eval, rule, seen);
    case XDS_RBAC_AUTHENTICATED:
        if (eval->explaining) {
            seen->what = XDS_S("peer");
            seen->saw = names_of(eval);
        }
        return authenticated(eval, rule);
    case XDS_RBAC_AND:
    case XDS_RBAC_OR:
    case XDS_RBAC_NOT:
    case XDS_RBAC_UNKNOWN:
        break;
    }
    return false;
}

/* ---- trees ---- */

/* Rules that a release does not know it leaves out of their list. */
static bool is_dropped(const struct eval *eval, const struct xds_rbac_rule *rule,
                       bool is_principal)
{
    switch (rule->kind) {
    case XDS_RBAC_METADATA:
        if (rule->invert && !is_principal)
            return false;
        break;
    case XDS_RBAC_REQUESTED_SERVER_NAME:
    case XDS_RBAC_SOURCE_IP:
    case XDS_RBAC_DESTINATION_PORT_RANGE:
    case XDS_RBAC_UNKNOWN:
        break;
    case XDS_RBAC_ANY:
    case XDS_RBAC_AND:
    case XDS_RBAC_OR:
    case XDS_RBAC_NOT:
    case XDS_RBAC_HEADER:
    case XDS_RBAC_URL_PATH:
    case XDS_RBAC_DESTINATION_IP:
    case XDS_RBAC_DESTINATION_PORT:
    case XDS_RBAC_AUTHENTICATED:
    case XDS_RBAC_DIRECT_REMOTE_IP:
    case XDS_RBAC_REMOTE_IP:
        return false;
    }
    return differs(eval, XDS_DIFF_RBAC_RULES_DROPPED);
}

struct list {
    const struct xds_rbac_rule *rules;
    size_t n;
    bool principals;
};

static bool rule_matches(struct eval *eval, const struct xds_rbac_rule *rule,
                         bool is_principal, struct xds_rbac_seen *seen);

/* Do all, or does any of the rules match? seen: an answer for each, where it is asked. */
static bool list_matches(struct eval *eval, const struct list *list, bool all,
                         struct xds_rbac_seen *seen)
{
    struct xds_rbac_seen unused = {0};
    bool result = all;

    for (size_t i = 0; i < list->n; i++) {
        struct xds_rbac_seen *here = seen ? &seen[i] : &unused;

        here->rule = &list->rules[i];
        here->dropped = is_dropped(eval, here->rule, list->principals);
        if (here->dropped)
            continue;
        here->matched = rule_matches(eval, here->rule, list->principals, here);
        if (here->matched != all)
            result = !all;
        if (result != all && !eval->explaining)
            break;
    }
    return result;
}

/* As deep as the decoder lets a message nest. */
static bool rule_matches(struct eval *eval, const struct xds_rbac_rule *rule,
                         bool is_principal, struct xds_rbac_seen *seen)
{
    struct xds_rbac_seen *rules = NULL;

    if (rule->kind != XDS_RBAC_AND && rule->kind != XDS_RBAC_OR &&
        rule->kind != XDS_RBAC_NOT)
        return leaf_matches(eval, rule, seen);
    if (eval->explaining) {
        rules = XDS_NEW_ARRAY(eval->rpc->rpc.arena, struct xds_rbac_seen, rule->n_rules);
        seen->rules = rules;
    }
    eval->depth++;
    const bool result =
        list_matches(eval, &(struct list){rule->rules, rule->n_rules, is_principal},
                     rule->kind != XDS_RBAC_OR, rules);
    eval->depth--;
    return result != (rule->kind == XDS_RBAC_NOT);
}

/* ---- policies ---- */

static bool policy_matches(struct eval *eval, const struct xds_rbac_policy *policy)
{
    const struct list permissions = {policy->permissions, policy->n_permissions, false};
    const struct list principals = {policy->principals, policy->n_principals, true};

    /* node, where it matters what is asked first, begins with the principals. */
    if (eval->rpc->kills)
        return list_matches(eval, &principals, false, NULL) &&
               list_matches(eval, &permissions, false, NULL);
    return list_matches(eval, &permissions, false, NULL) &&
           list_matches(eval, &principals, false, NULL);
}

static void answer_policy(struct eval *eval, const struct xds_rbac_policy *policy,
                          struct xds_rbac_policy_answer *out)
{
    struct xds_arena *arena = eval->rpc->rpc.arena;
    const struct list permissions = {policy->permissions, policy->n_permissions, false};
    const struct list principals = {policy->principals, policy->n_principals, true};
    struct xds_rbac_seen *first =
        XDS_NEW_ARRAY(arena, struct xds_rbac_seen, policy->n_permissions);
    struct xds_rbac_seen *second =
        XDS_NEW_ARRAY(arena, struct xds_rbac_seen, policy->n_principals);
    const bool permitted = list_matches(eval, &permissions, false, first);
    const bool is_meant = list_matches(eval, &principals, false, second);

    *out = (struct xds_rbac_policy_answer){
        .policy = policy,
        .matched = permitted && is_meant,
        .permissions = first,
        .principals = second,
    };
}

bool xds_rbac_allows(const struct xds_server_rpc *rpc, const struct xds_rbac *rbac)
{
    struct eval eval = {.rpc = rpc};

    if (!xds_rbac_is_enforced(rbac))
        return true;
    for (size_t i = 0; i < rbac->n_policies; i++)
        if (policy_matches(&eval, &rbac->policies[i]))
            return rbac->action == XDS_RBAC_ALLOW;
    return rbac->action != XDS_RBAC_ALLOW;
}

/* ---- what is written and said ---- */

/* The SPIFFE ID of the peer: its only URI SAN, if that is one. */
static struct xds_slice spiffe_id(const struct xds_server_connection *connection)
{
    const struct xds_certificate *certificate = connection->certificate;
    struct xds_slice id = XDS_S("");
    size_t n = 0;

    for (size_t i = 0; certificate && i < certificate->n_sans; i++)
        if (certificate->sans[i].kind == XDS_SAN_URI && n++ == 0)
            id = certificate->sans[i].value;
    return n == 1 && xds_slice_starts(id, XDS_S("spiffe://")) ? id : XDS_S("");
}

static void write_audits(const struct xds_server_rpc *rpc, const struct xds_rbac *rbac,
                         struct xds_rbac_answer *out)
{
    const enum xds_audit_condition needed =
        out->allowed ? XDS_AUDIT_ON_ALLOW : XDS_AUDIT_ON_DENY;
    struct xds_arena *arena = rpc->rpc.arena;

    if (!rbac->has_audit || !XDS_ENV_ON(&rpc->rpc, XDS_ENV_RBAC_AUDIT_LOGGING) ||
        (rbac->audit_condition != (uint32_t)needed &&
         rbac->audit_condition != XDS_AUDIT_ON_DENY_AND_ALLOW))
        return;

    struct xds_audit_entry *audits =
        XDS_NEW_ARRAY(arena, struct xds_audit_entry, rbac->n_loggers);

    for (size_t i = 0; i < rbac->n_loggers; i++) {
        const struct xds_audit_logger *logger = &rbac->loggers[i];

        if (logger->dropped_by & XDS_CLIENT_BIT(rpc->rpc.client))
            continue;
        audits[out->n_audits].logger = logger;
        if (logger->is_stdout)
            audits[out->n_audits].line = xds_arena_printf(
                arena,
                "{\"grpc_audit_log\":{\"rpc_method\":\"%.*s\",\"principal\":\"%.*s\","
                "\"policy_name\":\"\",\"matched_rule\":\"%.*s\",\"authorized\":%s}}",
                XDS_FMT(rpc->rpc.request->path), XDS_FMT(spiffe_id(rpc->connection)),
                XDS_FMT(out->decided_by ? out->decided_by->name : XDS_S("")),
                out->allowed ? "true" : "false");
        out->n_audits++;
    }
    out->audits = audits;
}

static void word_denial(const struct xds_server_rpc *rpc, struct xds_rbac_answer *out)
{
    const struct xds_slice name = out->decided_by ? out->decided_by->name : XDS_S("");

    out->code = "PERMISSION_DENIED";
    if (!out->decided_by)
        out->words = xds_failure_text(&rpc->rpc, XDS_FAILURE_RBAC_NOT_ALLOWED, name);
    if (!out->words.text.data)
        out->words.text = xds_failure_text(&rpc->rpc, XDS_FAILURE_RBAC_DENIED, name).text;
    if (!out->words.reason)
        out->words.reason = xds_failure_row(XDS_FAILURE_RBAC_DENIED);
}

static void finish(const struct xds_server_rpc *rpc, const struct xds_rbac *rbac,
                   struct xds_rbac_answer *out)
{
    out->allowed = (out->decided_by != NULL) == (rbac->action == XDS_RBAC_ALLOW);
    write_audits(rpc, rbac, out);
    if (!out->allowed)
        word_denial(rpc, out);
}

void xds_rbac_decide_brief(const struct xds_server_rpc *rpc,
                           const struct xds_rbac_index *index,
                           struct xds_rbac_answer *out)
{
    const struct xds_rbac *rbac = xds_rbac_index_of(index);
    const struct xds_rbac_policy *policy;
    struct eval eval = {.rpc = rpc};

    *out =
        (struct xds_rbac_answer){.allowed = true, .enforced = xds_rbac_is_enforced(rbac)};
    if (!out->enforced)
        return;
    out->in_any_order = XDS_DIFFERS(&rpc->rpc, XDS_DIFF_RBAC_POLICIES_RANDOM);
    struct xds_rbac_turn turn = xds_rbac_index_begin(index, rpc->rpc.request->path);

    while ((policy = xds_rbac_index_next(&turn)) != NULL && !out->decided_by)
        if (policy_matches(&eval, policy))
            out->decided_by = policy;
    finish(rpc, rbac, out);
}

void xds_rbac_decide(const struct xds_server_rpc *rpc, const struct xds_rbac *rbac,
                     struct xds_rbac_answer *out)
{
    struct eval eval = {.rpc = rpc, .explaining = true};
    struct xds_arena *arena = rpc->rpc.arena;

    *out =
        (struct xds_rbac_answer){.allowed = true, .enforced = xds_rbac_is_enforced(rbac)};
    if (!out->enforced)
        return;

    const struct xds_rbac_policy **order = xds_rbac_order(arena, &rpc->rpc, rbac);
    struct xds_rbac_policy_answer *policies =
        XDS_NEW_ARRAY(arena, struct xds_rbac_policy_answer, rbac->n_policies);

    out->in_any_order = XDS_DIFFERS(&rpc->rpc, XDS_DIFF_RBAC_POLICIES_RANDOM);
    for (size_t i = 0; i < rbac->n_policies; i++) {
        answer_policy(&eval, order[i], &policies[i]);
        if (policies[i].matched && !out->decided_by)
            out->decided_by = policies[i].policy;
    }
    out->policies = policies;
    out->n_policies = rbac->n_policies;
    finish(rpc, rbac, out);
}
