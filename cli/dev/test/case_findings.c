/*
 * case_findings.c - from the JSON of a lint to the findings section of a case.
 *
 * the counts. Excerpts, sources and clients that accept are left out: the words of those
 * are not a matter of one rule.
 */
#include "cli/dev/test/case_findings.h"

#include "cli/dev/test/case_text.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cJSON *member(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

static const char *text_of(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(member(object, key));

    return text ? text : "";
}

static unsigned long number_of(const cJSON *object, const char *key)
{
    const cJSON *item = member(object, key);

    return item ? (unsigned long)item->valuedouble : 0;
}

static void add_place(struct case_text *out, const cJSON *item)
{
    case_text_add(out, "%s:%lu:%lu: ", text_of(item, "file"), number_of(item, "line"),
                  number_of(item, "column"));
}

/* RouteConfiguration "r": virtual_hosts[0].domains */
static void add_owner(struct case_text *out, const cJSON *item)
{
    const cJSON *owner = member(item, "resource");
    const char *type = text_of(owner, "type"), *dot = strrchr(type, '.');
    const char *path = text_of(item, "path");

    if (*type)
        case_text_add(out, "    %s \"%s\"%s%s\n", dot ? dot + 1 : type,
                      text_of(owner, "name"), *path ? ": " : "", path);
    else if (*path)
        case_text_add(out, "    %s\n", path);
}

static bool is_first_of_its_verdict(const cJSON *client)
{
    for (const cJSON *c = client->prev; c && c->next; c = c->prev)
        if (strcmp(c->valuestring, client->valuestring) == 0)
            return false;
    return true;
}

static bool all_say(const cJSON *clients, const char *verdict)
{
    const cJSON *client;

    cJSON_ArrayForEach(client, clients) if (strcmp(client->valuestring, verdict) !=
                                            0) return false;
    return true;
}

static void add_clients(struct case_text *out, const cJSON *clients, const char *verdict)
{
    const char *separator = "";
    const cJSON *client;

    if (all_say(clients, verdict)) {
        case_text_add(out, "all");
        return;
    }
    cJSON_ArrayForEach(client, clients)
    {
        if (strcmp(client->valuestring, verdict) != 0)
            continue;
        case_text_add(out, "%s%s", separator, client->string);
        separator = ", ";
    }
}

/* NACK: core, go; IGNORE: node. Clients that accept are not named. */
static void add_verdicts(struct case_text *out, const cJSON *clients)
{
    const char *separator = "    ";
    const cJSON *client;

    if (cJSON_IsNull(clients))
        case_text_add(out, "    syntax\n");
    cJSON_ArrayForEach(client, clients)
    {
        const char *verdict = client->valuestring;

        if (!is_first_of_its_verdict(client) || strcmp(verdict, "ACCEPT") == 0)
            continue;
        case_text_add(out, "%s%s: ", separator, verdict);
        add_clients(out, clients, verdict);
        separator = "; ";
    }
    if (*separator == ';')
        case_text_add(out, "\n");
}

static void add_related(struct case_text *out, const cJSON *finding)
{
    const cJSON *related;

    cJSON_ArrayForEach(related, member(finding, "related"))
    {
        case_text_add(out, "    ");
        add_place(out, related);
        case_text_add(out, "%s\n", text_of(related, "message"));
    }
}

static void add_finding(struct case_text *out, const cJSON *finding)
{
    const cJSON *suppression = member(finding, "suppression");
    const unsigned long repeats = number_of(finding, "repeats");

    add_place(out, finding);
    case_text_add(out, "%s: %s [%s]", text_of(finding, "level"),
                  text_of(finding, "message"), text_of(finding, "rule"));
    if (repeats)
        case_text_add(out, " and %lu more", repeats);
    if (suppression)
        case_text_add(out, " suppressed by %s", text_of(suppression, "by"));
    case_text_add(out, "\n");
    add_owner(out, finding);
    add_verdicts(out, member(finding, "clients"));
    add_related(out, finding);
}

static void add_count(struct case_text *out, const cJSON *summary, const char *key,
                      bool always)
{
    if (always || number_of(summary, key))
        case_text_add(out, ", %s: %lu", key, number_of(summary, key));
}

/* of_rule: notes of other rules, which come and go with each client that reads less, are
 * not counted. */
static void add_summary(struct case_text *out, const cJSON *summary, bool of_rule)
{
    case_text_add(out, "resources: %lu", number_of(summary, "resources"));
    add_count(out, summary, "nacked", true);
    add_count(out, summary, "errors", true);
    add_count(out, summary, "warnings", true);
    if (!of_rule)
        add_count(out, summary, "notes", true);
    add_count(out, summary, "dropped", false);
    add_count(out, summary, "suppressed", false);
    case_text_add(out, "\n");
}

/* Control characters would break the lines of a case: they are \xNN, as in text output.
 */
static void clean_text(cJSON *item)
{
    struct case_text out = {NULL, 0};

    case_text_add(&out, "%s", "");
    for (const char *c = item->valuestring; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            case_text_add(&out, "\\x%02x", (unsigned)*c);
        else
            case_text_add(&out, "%c", *c);
    (void)cJSON_SetValuestring(item, out.data);
    free(out.data);
}

static void clean(cJSON *item)
{
    if (cJSON_IsString(item))
        clean_text(item);
    for (cJSON *child = item ? item->child : NULL; child; child = child->next)
        clean(child);
}

static void add_findings(struct case_text *out, const cJSON *list, const char *rule)
{
    const cJSON *finding;

    cJSON_ArrayForEach(finding, list)
    {
        if (!rule || strcmp(text_of(finding, "rule"), rule) == 0)
            add_finding(out, finding);
    }
}

char *case_findings(const char *json, const char *rule)
{
    cJSON *document = cJSON_Parse(json);
    struct case_text out = {NULL, 0};

    clean(document);
    if (!member(document, "summary")) {
        case_text_add(&out, "%s", json);
        cJSON_Delete(document);
        return out.data;
    }
    add_findings(&out, member(document, "findings"), rule);
    add_findings(&out, member(document, "suppressed"), rule);
    add_summary(&out, member(document, "summary"), rule != NULL);
    cJSON_Delete(document);
    return out.data;
}
