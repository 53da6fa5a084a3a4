/*
 * rbac_words.c - what the rules of RBAC ask for, in words.
 *
 * Source: gRFC A41.
 */
#include "secret/secret.h"
#include "server/rbac.h"

#include <inttypes.h>

static struct xds_slice string_words(struct xds_arena *arena,
                                     const struct xds_string_matcher *m)
{
    static const char *const kinds[] = {
        [XDS_MATCH_EXACT] = "",         [XDS_MATCH_PREFIX] = "prefix ",
        [XDS_MATCH_SUFFIX] = "suffix ", [XDS_MATCH_CONTAINS] = "contains ",
        [XDS_MATCH_REGEX] = "regex ",
    };

    if (!m)
        return XDS_S("something that no text matches");
    return xds_arena_printf(arena, "%s%.*s%s", kinds[m->kind],
                            XDS_FMT(xds_excerpt(arena, m->text)),
                            m->fold_case ? " in any case" : "");
}

static struct xds_slice header_words(struct xds_arena *arena,
                                     const struct xds_header_matcher *m)
{
    const char *inverted = m->invert ? "anything but " : "";

    if (m->kind != XDS_HEADER_PRESENT && xds_secret_name(m->name))
        return XDS_S(XDS_SECRET_HIDDEN);
    switch (m->kind) {
    case XDS_HEADER_STRING:
        return xds_arena_printf(arena, "%s%.*s", inverted,
                                XDS_FMT(string_words(arena, &m->string)));
    case XDS_HEADER_RANGE:
        return xds_arena_printf(arena, "%sa number from %" PRId64 " to below %" PRId64,
                                inverted, m->start, m->end);
    case XDS_HEADER_PRESENT:
        return m->present != m->invert ? XDS_S("any value") : XDS_S("no such header");
    case XDS_HEADER_NEVER:
        break;
    }
    return XDS_S("something that no header matches");
}

struct xds_slice xds_rbac_wish(struct xds_arena *arena, const struct xds_rbac_rule *rule)
{
    switch (rule->kind) {
    case XDS_RBAC_HEADER:
        return header_words(arena, rule->header);
    case XDS_RBAC_URL_PATH:
    case XDS_RBAC_REQUESTED_SERVER_NAME:
        return string_words(arena, rule->string);
    case XDS_RBAC_AUTHENTICATED:
        return rule->string_set ? string_words(arena, rule->string)
                                : XDS_S("any certificate");
    case XDS_RBAC_DESTINATION_IP:
    case XDS_RBAC_SOURCE_IP:
    case XDS_RBAC_DIRECT_REMOTE_IP:
    case XDS_RBAC_REMOTE_IP:
        return xds_arena_printf(arena, "%.*s/%" PRIu32, XDS_FMT(rule->range->text),
                                rule->range->prefix_len);
    case XDS_RBAC_DESTINATION_PORT:
        return xds_arena_printf(arena, "%" PRId64, rule->port);
    case XDS_RBAC_DESTINATION_PORT_RANGE:
        return xds_arena_printf(arena, "from %" PRId64 " to below %" PRId64, rule->port,
                                rule->port_end);
    case XDS_RBAC_UNKNOWN:
    case XDS_RBAC_ANY:
    case XDS_RBAC_AND:
    case XDS_RBAC_OR:
    case XDS_RBAC_NOT:
    case XDS_RBAC_METADATA:
        break;
    }
    return (struct xds_slice){NULL, 0};
}

/* ---- a whole rule ---- */

static void add_rule(struct xds_text *text, const struct xds_rbac_rule *rule);

static void add_set(struct xds_text *text, const struct xds_rbac_rule *rule)
{
    const char *between = rule->kind == XDS_RBAC_AND ? " and " : " or ";

    xds_text_printf(text, "%s", rule->n_rules > 0 ? "(" : "no rules");
    for (size_t i = 0; i < rule->n_rules; i++) {
        xds_text_printf(text, "%s", i > 0 ? between : "");
        add_rule(text, &rule->rules[i]);
    }
    xds_text_printf(text, "%s", rule->n_rules > 0 ? ")" : "");
}

static void add_leaf(struct xds_text *text, const struct xds_rbac_rule *rule)
{
    const struct xds_slice wish = xds_rbac_wish(text->arena, rule);

    xds_text_printf(text, "%s", rule->field ? rule->field : "a rule unknown to gRPC");
    if (rule->kind == XDS_RBAC_HEADER)
        xds_text_printf(text, " %.*s", XDS_FMT(rule->header->name));
    if (wish.data)
        xds_text_printf(text, " %.*s", XDS_FMT(wish));
    if (rule->kind == XDS_RBAC_METADATA)
        xds_text_printf(text, ", which %s matches", rule->invert ? "always" : "never");
    if (rule->kind == XDS_RBAC_ANY && !rule->any)
        xds_text_printf(text, " false");
}

/* The nesting is bounded where the rule was read. */
static void add_rule(struct xds_text *text, const struct xds_rbac_rule *rule)
{
    switch (rule->kind) {
    case XDS_RBAC_AND:
    case XDS_RBAC_OR:
        add_set(text, rule);
        return;
    case XDS_RBAC_NOT:
        xds_text_printf(text, "not ");
        if (rule->n_rules > 0)
            add_rule(text, &rule->rules[0]);
        return;
    case XDS_RBAC_UNKNOWN:
    case XDS_RBAC_ANY:
    case XDS_RBAC_HEADER:
    case XDS_RBAC_URL_PATH:
    case XDS_RBAC_METADATA:
    case XDS_RBAC_DESTINATION_IP:
    case XDS_RBAC_DESTINATION_PORT:
    case XDS_RBAC_DESTINATION_PORT_RANGE:
    case XDS_RBAC_REQUESTED_SERVER_NAME:
    case XDS_RBAC_AUTHENTICATED:
    case XDS_RBAC_SOURCE_IP:
    case XDS_RBAC_DIRECT_REMOTE_IP:
    case XDS_RBAC_REMOTE_IP:
        add_leaf(text, rule);
        return;
    }
}

struct xds_slice xds_rbac_rule_words(struct xds_arena *arena,
                                     const struct xds_rbac_rule *rule)
{
    struct xds_text text = {.arena = arena};

    add_rule(&text, rule);
    return xds_slice_make(text.data, text.len);
}

const char *xds_rbac_action_name(uint32_t action)
{
    static const char *const names[] = {
        [XDS_RBAC_ALLOW] = "ALLOW", [XDS_RBAC_DENY] = "DENY", [XDS_RBAC_LOG] = "LOG"};

    return action < XDS_ARRAY_LEN(names) ? names[action] : NULL;
}
