/* served_rbac.c - what an RBAC filter saw of an RPC, as text and as JSON. */
#include "print/decision/served.h"
#include "print/write/document.h"
#include "print/write/json.h"

/* ---- text ---- */

/* Why a policy does not match: the first of its two lists without a match. */
static const char *lack_of(const struct xds_rbac_policy_answer *a)
{
    bool permitted = false;

    for (size_t i = 0; i < a->policy->n_permissions && !permitted; i++)
        permitted = a->permissions[i].matched;
    return permitted ? "does not match: no principal does"
                     : "does not match: no permission does";
}

static void print_seen(struct xds_out *out, const char *kind,
                       const struct xds_rbac_seen *seen, unsigned depth)
{
    const struct xds_rbac_rule *rule = seen->rule;

    xds_page_title(out, NULL);
    xds_out_blanks(out, (size_t)depth * 2);
    xds_out_format(out, "%s%s %s", seen->matched ? "yes   " : "no    ", kind,
                   rule->field ? rule->field : "that gRPC does not know");
    if (seen->what.data)
        xds_out_format(out, ": %.*s is %s%.*s%s", XDS_FMT(seen->what),
                       seen->saw.data ? "\"" : "",
                       XDS_FMT(seen->saw.data ? seen->saw : XDS_S("absent")),
                       seen->saw.data ? "\"" : "");
    if (seen->dropped)
        xds_out_text(out, ", left out of its list");
    if (seen->because)
        xds_out_format(out, " (%s)", seen->because);
    xds_out_char(out, '\n');
    for (size_t i = 0; i < rule->n_rules; i++)
        print_seen(out, kind, &seen->rules[i], depth + 1);
}

void xds_print_rbac_text(struct xds_out *out, const struct xds_rbac_answer *rbac)
{
    for (size_t i = 0; i < rbac->n_policies; i++) {
        const struct xds_rbac_policy_answer *a = &rbac->policies[i];

        xds_page_title(out, NULL);
        xds_out_text(out, "  policy ");
        xds_doc_quoted(out, a->policy->name);
        xds_out_line(out, " %s", a->matched ? "matches" : lack_of(a));
        for (size_t k = 0; k < a->policy->n_permissions; k++)
            print_seen(out, "permission", &a->permissions[k], 2);
        for (size_t k = 0; k < a->policy->n_principals; k++)
            print_seen(out, "principal", &a->principals[k], 2);
    }
    for (size_t i = 0; i < rbac->n_audits; i++)
        xds_page_line(out, NULL, "  audit logger \"%.*s\"%s%.*s",
                      XDS_FMT(rbac->audits[i].logger->name),
                      rbac->audits[i].line.data ? " writes " : " is given the RPC",
                      XDS_FMT(rbac->audits[i].line));
}

/* ---- JSON ---- */

static void write_seen(struct xds_out *out, const struct xds_rbac_seen *seen)
{
    xds_json_begin_object(out);
    xds_json_members(out, "rule: %s, matched: %d, saw: %.*s, because: %s",
                     seen->rule->field, seen->matched, XDS_FMT_OR_NULL(seen->saw),
                     seen->because);
    xds_json_key_array(out, "rules");
    for (size_t i = 0; i < seen->rule->n_rules; i++)
        write_seen(out, &seen->rules[i]);
    xds_json_end_array(out);
    xds_json_end_object(out);
}

static void write_list(struct xds_out *out, const char *key,
                       const struct xds_rbac_seen *list, size_t n)
{
    xds_json_key_array(out, key);
    for (size_t i = 0; i < n; i++)
        write_seen(out, &list[i]);
    xds_json_end_array(out);
}

void xds_json_rbac(struct xds_out *out, const struct xds_rbac_answer *rbac)
{
    if (!xds_json_object_or_null(out, "rbac", rbac))
        return;
    xds_json_members(out, "enforced: %d, allowed: %d, in_any_order: %d", rbac->enforced,
                     rbac->allowed, rbac->in_any_order);
    xds_json_key_string_or_null(out, "policy",
                                rbac->decided_by ? rbac->decided_by->name
                                                 : xds_slice_make(NULL, 0));
    xds_json_key_array(out, "policies");
    for (size_t i = 0; i < rbac->n_policies; i++) {
        const struct xds_rbac_policy_answer *a = &rbac->policies[i];

        xds_json_begin_row(out);
        xds_json_members(out, "name: %.*s, matched: %d", XDS_FMT(a->policy->name),
                         a->matched);
        write_list(out, "permissions", a->permissions, a->policy->n_permissions);
        write_list(out, "principals", a->principals, a->policy->n_principals);
        xds_json_end_object(out);
    }
    xds_json_end_array(out);
    xds_json_key_array(out, "audits");
    for (size_t i = 0; i < rbac->n_audits; i++)
        xds_json_object(out, "logger: %.*s, line: %.*s",
                        XDS_FMT(rbac->audits[i].logger->name),
                        XDS_FMT_OR_NULL(rbac->audits[i].line));
    xds_json_end_array(out);
    xds_json_end_object(out);
}
