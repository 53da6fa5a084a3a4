/*
 * suppress.c - the setting "suppress" of xdscope.conf: findings of a rule in resources by
 * name, for input that cannot hold a comment.
 *
 * Fails:  with file:line:column on what is not a suppression.
 */
#include "cli/lint/lint.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_SUPPRESSIONS 1000

enum { RULE, RESOURCE, TYPE, REASON, UNTIL, KEYS };

static const struct key {
    const char *name;
    bool required;
} keys[KEYS] = {
    [RULE] = {"rule", true},    [RESOURCE] = {"resource", true},
    [TYPE] = {"type", false},   [REASON] = {"reason", true},
    [UNTIL] = {"until", false},
};

static bool read_member(const struct conf *conf, const struct xds_tree *member,
                        const struct xds_tree *values[KEYS])
{
    struct hint hint = hint_for(member->key.data, member->key.len);
    const struct xds_tree at = {.line = member->key_line, .column = member->key_column};

    for (size_t i = 0; i < KEYS; i++) {
        hint_offer(&hint, keys[i].name);
        if (!is_text(member->key, keys[i].name))
            continue;
        if (values[i])
            return conf_wrong(conf, &at, keys[i].name, "is set twice");
        if (member->kind != XDS_TREE_STRING || member->text.len == 0)
            return conf_wrong(conf, member, keys[i].name, "must be a text");
        values[i] = member;
        return true;
    }
    return conf_unknown(conf, &at, "key of a suppression", member->key, hint.best,
                        "there are rule, resource, type, reason, until");
}

/* "2026-01-31" */
static bool is_day(struct xds_slice text)
{
    static const char like[] = "dddd-dd-dd";

    if (text.len != sizeof like - 1)
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (like[i] == 'd' ? text.data[i] < '0' || text.data[i] > '9'
                           : text.data[i] != like[i])
            return false;
    const int month = 10 * (text.data[5] - '0') + text.data[6] - '0';
    const int day = 10 * (text.data[8] - '0') + text.data[9] - '0';

    return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/* By UTC. */
static bool is_over(struct xds_slice day)
{
    const time_t now = time(NULL);
    struct tm today;
    char text[32];

    return gmtime_r(&now, &today) && strftime(text, sizeof text, "%Y-%m-%d", &today) &&
           strncmp(text, day.data, day.len) > 0;
}

static bool read_one(const struct conf *conf, const struct xds_tree *item,
                     struct xds_known *out)
{
    const struct xds_tree *values[KEYS] = {NULL};
    const char *hint;

    if (item->kind != XDS_TREE_OBJECT)
        return conf_wrong(conf, item, "suppress", "takes a list of objects");
    for (size_t i = 0; i < item->n; i++)
        if (!read_member(conf, &item->items[i], values))
            return false;
    for (size_t i = 0; i < KEYS; i++)
        if (keys[i].required && !values[i])
            return conf_wrong(conf, item, keys[i].name, "is missing in a suppression");
    *out = (struct xds_known){
        .rule = xds_rule_find(values[RULE]->text, &hint),
        .resource = values[RESOURCE]->text,
        .type = values[TYPE] ? values[TYPE]->text : slice_of(NULL),
        .reason = values[REASON]->text,
        .line = item->line,
        .column = item->column,
    };
    if (!out->rule)
        return conf_unknown(conf, values[RULE], "rule", values[RULE]->text, hint,
                            "xdscope rule lists them");
    if (values[TYPE] && xds_resource_type_from_name(out->type) == XDS_TYPE_UNKNOWN)
        return conf_wrong(conf, values[TYPE], out->type.data,
                          "is not listener, route, cluster or endpoint");
    if (values[UNTIL] && !is_day(values[UNTIL]->text))
        return conf_wrong(conf, values[UNTIL], values[UNTIL]->text.data,
                          "is not a day such as 2026-01-31");
    out->expired = values[UNTIL] && is_over(values[UNTIL]->text);
    return true;
}

static bool read_list(struct conf *conf, const struct xds_tree *value)
{
    struct input_settings *settings = &((struct lint_settings *)conf->settings)->input;

    if (value->kind != XDS_TREE_ARRAY)
        return conf_wrong(conf, value, "suppress", "takes a list of objects");
    if (value->n > MAX_SUPPRESSIONS)
        return conf_wrong(conf, value, "suppress",
                          "takes at most 1000 entries; use a baseline for more");
    settings->known = calloc(value->n + 1, sizeof *settings->known);
    if (!settings->known)
        return conf_no_memory(conf);
    for (; settings->n_known < value->n; settings->n_known++)
        if (!read_one(conf, &value->items[settings->n_known],
                      &settings->known[settings->n_known]))
            return false;
    settings->known_file = conf->path;
    return true;
}

const struct conf_key suppress_key = {"suppress", read_list};
