/*
 * check.c - judge a service config or a list of LB policies.
 *
 * Source: gRFC A2, A24, A28, spec routing 8.1 and 14.4, spec cluster 1.7.
 */
#include "config/check.h"

#include "base/limits.h"
#include "config/json_read.h"
#include "decode/decode.h"
#include "decode/place.h"

void xds_config_fault(struct xds_config_check *check, enum xds_rule_id rule,
                      const struct xds_path *at, const char *format, ...)
{
    const struct xds_rule *row = xds_rule_row(rule);
    struct xds_slice message;
    va_list args;

    if (xds_report_is_full(check->report))
        return;
    va_start(args, format);
    message = xds_arena_vprintf(check->arena, format, args);
    va_end(args);
    xds_report_add(check->report, row, XDS_NO_RESOURCE, at, NULL, NULL, message);
}

void xds_config_field_fault(struct xds_config_check *check, enum xds_rule_id rule,
                            const struct xds_path *at, struct xds_slice message)
{
    struct xds_slice field = XDS_S("loadBalancingConfig"); /* the whole document */
    const bool goes_on = xds_slice_starts(message, XDS_S("is ")) ||
                         xds_slice_starts(message, XDS_S("must "));

    if (at) {
        struct xds_path last = *at;

        last.up = NULL;
        field = xds_path_render(check->arena, &last);
    }
    xds_config_fault(check, rule, at, "\"%.*s\"%s %.*s", XDS_FMT(field),
                     goes_on ? "" : ":", XDS_FMT(message));
}

void xds_config_policy_fault(struct xds_config_check *check, const struct xds_path *at,
                             struct xds_slice message)
{
    xds_config_field_fault(check, XDS_R_CONFIG_POLICY, at, message);
}

/* ---- lists of policies ---- */

typedef void (*check_fn)(struct xds_config_check *check, const struct xds_path *at,
                         const struct xds_tree *config);

static const struct own_policy {
    const char *name;
    check_fn check;
} own_policies[] = {
    {"xds_cluster_resolver_experimental", xds_config_check_resolver},
    {"xds_routing_experimental", xds_config_check_routing},
};

/* False when no client knows the policy. */
static bool check_policy(struct xds_config_check *check, const struct xds_path *at,
                         const struct xds_tree *policy)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(own_policies); i++) {
        if (!xds_slice_is(policy->key, own_policies[i].name))
            continue;
        own_policies[i].check(check, XDS_AT(at, own_policies[i].name), policy);
        return true;
    }
    const char *name = xds_lb_policy_name(&check->judge, policy->key);

    return name &&
           xds_lb_config_report(&check->judge, XDS_AT(at, name), policy->key, policy);
}

static void list_fault(struct xds_config_check *check, const struct xds_path *at,
                       struct xds_slice message)
{
    xds_config_field_fault(check, XDS_R_CONFIG_LIST, at, message);
}

void xds_config_check_list(struct xds_config_check *check, const struct xds_path *up,
                           const char *field, const struct xds_tree *list)
{
    const struct xds_path *at = *field == '\0' ? up : XDS_AT(up, field);

    if (list->kind != XDS_TREE_ARRAY) {
        list_fault(check, at, XDS_S("type should be array"));
        return;
    }
    for (size_t i = 0; i < list->n; i++) {
        const struct xds_path *entry = XDS_AT_I(up, field, i);
        const struct xds_slice fault = xds_lb_entry_fault(&list->items[i]);

        if (fault.data) {
            list_fault(check, entry, fault);
            return;
        }
        if (check_policy(check, entry, &list->items[i].items[0]))
            return;
    }
    list_fault(check, at, xds_lb_none_known(check->arena, list));
}

/* ---- what the judge tells ---- */

static void on_fault(void *user, const struct xds_path *at, struct xds_slice message)
{
    xds_config_policy_fault(user, at, message);
}

static void on_policies(void *user, const struct xds_path *up, const char *field,
                        const struct xds_tree *list)
{
    xds_config_check_list(user, up, field, list);
}

/* ---- the document ---- */

/* Where policies may be in a document; the first is what lb-config prints. */
static const char *const holders[] = {"lb_policy", "priority_policy",
                                      "loadBalancingConfig", "load_balancing_config"};

/* What lb-config prints of an aggregate: lists by leaf, null for one that fails. */
static void check_leaves(struct xds_config_check *check, const struct xds_path *up,
                         const struct xds_tree *leaves)
{
    for (size_t i = 0; leaves->kind == XDS_TREE_OBJECT && i < leaves->n; i++)
        if (leaves->items[i].kind != XDS_TREE_NULL)
            xds_config_check_list(check, XDS_AT_KEY(up, "leaves", leaves->items[i].key),
                                  "", &leaves->items[i]);
}

static bool check_service_config(struct xds_config_check *check,
                                 const struct xds_path *up, const struct xds_tree *object)
{
    const struct xds_tree *methods = xds_tree_member(object, "methodConfig");
    const struct xds_tree *leaves = xds_tree_member(object, "leaves");
    bool found = methods != NULL;

    for (size_t i = 0; i < XDS_ARRAY_LEN(holders); i++) {
        const struct xds_tree *list = xds_tree_member(object, holders[i]);

        if (!list)
            continue;
        xds_config_check_list(check, up, holders[i], list);
        found = true;
    }
    if (leaves && found)
        check_leaves(check, up, leaves);
    if (methods)
        xds_config_check_methods(check, up, methods);
    return found;
}

static void check_document(struct xds_config_check *check,
                           const struct xds_tree *document)
{
    const struct xds_tree *inner = document->kind == XDS_TREE_OBJECT
                                       ? xds_tree_member(document, "service_config")
                                       : NULL;
    bool found = false;

    if (document->kind == XDS_TREE_ARRAY) {
        xds_config_check_list(check, NULL, "", document);
        return;
    }
    if (inner && inner->kind == XDS_TREE_OBJECT)
        found = check_service_config(check, XDS_AT(NULL, "service_config"), inner);
    else if (document->kind == XDS_TREE_OBJECT)
        found = check_service_config(check, NULL, document) ||
                (document->n == 1 && check_policy(check, NULL, &document->items[0]));
    if (!found)
        xds_config_fault(check, XDS_R_CONFIG_DOCUMENT, NULL,
                         "the document is neither a list of LB policies nor a service "
                         "config with loadBalancingConfig or methodConfig");
}

/* ---- the text ---- */

struct job {
    struct xds_report *report;
    enum xds_client client;
    const char *name;
    struct xds_slice text;
    struct xds_arena arena;
    struct xds_regex_cache *regexes;
};

static void check_text(void *arg)
{
    struct job *job = arg;
    struct xds_config_check check = {
        .report = job->report, .arena = &job->arena, .regexes = job->regexes};
    const struct xds_resource in = {
        .format = XDS_FORMAT_JSON,
        .bytes = job->text,
        .at = {xds_report_add_file(job->report, xds_slice_of(job->name)), 1, 1, 1, 1}};
    struct xds_json_fault fault;
    struct xds_tree document;

    check.observer = (struct xds_lb_observer){on_fault, on_policies, &check};
    check.judge = (struct xds_lb_judge){.arena = &job->arena,
                                        .options = &job->report->options,
                                        .client = job->client,
                                        .observer = &check.observer};
    if (!xds_tree_read(&job->arena, job->text, &document, &fault)) {
        xds_report_at(job->report, xds_rule_row(fault.rule), XDS_NO_RESOURCE,
                      xds_place_in(&in, fault.begin, fault.end), "%s", fault.what);
        return;
    }
    xds_config_check_keys(&check, &document);
    check_document(&check, &document);
    xds_locate_in_text(&in, job->report, &job->arena);
}

enum xds_status xds_check_config(struct xds_report *report, enum xds_client client,
                                 const char *name, struct xds_slice text)
{
    struct job job = {.report = report,
                      .client = client,
                      .name = name,
                      .text = text,
                      .regexes = xds_regex_cache_new()};
    struct xds_arena *const arenas[] = {&job.arena, &report->arena};

    if (!job.regexes)
        return XDS_ERR_NO_MEMORY;
    xds_arena_init(&job.arena, XDS_MAX_DECODED_BYTES);
    enum xds_status status =
        xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), check_text, &job);
    if (xds_regex_cache_failed(job.regexes))
        status = XDS_ERR_NO_MEMORY;
    xds_arena_release(&job.arena);
    xds_regex_cache_free(job.regexes);
    return status;
}
