/*
 * case_findings.c - from the JSON of a lint to the findings section of a case.
 *
 * the counts. Excerpts, sources and clients that accept are left out: the words of those
 * are not a matter of one rule.
 */
#include "cli/dev/test/case_findings.h"

#include <cjson/cJSON.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
    char *data;
    size_t len;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *out,
                                                      const char *format, ...)
{
    va_list args;

    va_start(args, format);
    const int len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    out->data = realloc(out->data, out->len + (size_t)len + 1);
    if (!out->data)
        abort();
    va_start(args, format);
    (void)vsnprintf(out->data + out->len, (size_t)len + 1, format, args);
    va_end(args);
    out->len += (size_t)len;
}

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

static void add_place(struct text *out, const cJSON *item)
{
    add(out, "%s:%lu:%lu: ", text_of(item, "file"), number_of(item, "line"),
        number_of(item, "column"));
}

/* RouteConfiguration "r": virtual_hosts[0].domains */
static void add_owner(struct text *out, const cJSON *item)
{
    const cJSON *owner = member(item, "resource");
    const char *type = text_of(owner, "type"), *dot = strrchr(type, '.');
    const char *path = text_of(item, "path");

    if (*type)
        add(out, "    %s \"%s\"%s%s\n", dot ? dot + 1 : type, text_of(owner, "name"),
            *path ? ": " : "", path);
    else if (*path)
        add(out, "    %s\n", path);
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

static void add_clients(struct text *out, const cJSON *clients, const char *verdict)
{
    const char *separator = "";
    const cJSON *client;

    if (all_say(clients, verdict)) {
        add(out, "all");
        return;
    }
    cJSON_ArrayForEach(client, clients)
    {
        if (strcmp(client->valuestring, verdict) != 0)
            continue;
        add(out, "%s%s", separator, client->string);
        separator = ", ";
    }
}

/* NACK: core, go; IGNORE: node. Clients that accept are not named. */
static void add_verdicts(struct text *out, const cJSON *clients)
{
    const char *separator = "    ";
    const cJSON *client;

    if (cJSON_IsNull(clients))
        add(out, "    syntax\n");
    cJSON_ArrayForEach(client, clients)
    {
        const char *verdict = client->valuestring;

        if (!is_first_of_its_verdict(client) || strcmp(verdict, "ACCEPT") == 0)
            continue;
        add(out, "%s%s: ", separator, verdict);
        add_clients(out, clients, verdict);
        separator = "; ";
    }
    if (*separator == ';')
        add(out, "\n");
}

static void add_related(struct text *out, const cJSON *finding)
{
    const cJSON *related;

    cJSON_ArrayForEach(related, member(finding, "related"))
    {
        add(out, "    ");
        add_place(out, related);
        add(out, "%s\n", text_of(related, "message"));
    }
}

static void add_finding(struct text *out, const cJSON *finding)
{
    const cJSON *suppression = member(finding, "suppression");
    const unsigned long repeats = number_of(finding, "repeats");

    add_place(out, finding);
    add(out, "%s: %s [%s]", text_of(finding, "level"), text_of(finding, "message"),
        text_of(finding, "rule"));
    if (repeats)
        add(out, " and %lu more", repeats);
    if (suppression)
        add(out, " suppressed by %s", text_of(suppression, "by"));
    add(out, "\n");
    add_owner(out, finding);
    add_verdicts(out, member(finding, "clients"));
    add_related(out, finding);
}

static void add_count(struct text *out, const cJSON *summary, const char *key,
                      bool always)
{
    if (always || number_of(summary, key))
        add(out, ", %s: %lu", key, number_of(summary, key));
}

/* of_rule: notes of other rules, which come and go with each client that reads less, are
 * not counted. */
static void add_summary(struct text *out, const cJSON *summary, bool of_rule)
{
    add(out, "resources: %lu", number_of(summary, "resources"));
    add_count(out, summary, "nacked", true);
    add_count(out, summary, "errors", true);
    add_count(out, summary, "warnings", true);
    if (!of_rule)
        add_count(out, summary, "notes", true);
    add_count(out, summary, "dropped", false);
    add_count(out, summary, "suppressed", false);
    add(out, "\n");
}

/* Control characters would break the lines of a case: they are \xNN, as in text output.
 */
static void clean_text(cJSON *item)
{
    struct text out = {NULL, 0};

    add(&out, "%s", "");
    for (const char *c = item->valuestring; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            add(&out, "\\x%02x", (unsigned)*c);
        else
            add(&out, "%c", *c);
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

static void add_findings(struct text *out, const cJSON *list, const char *rule)
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
    struct text out = {NULL, 0};

    clean(document);
    if (!member(document, "summary")) {
        add(&out, "%s", json);
        cJSON_Delete(document);
        return out.data;
    }
    add_findings(&out, member(document, "findings"), rule);
    add_findings(&out, member(document, "suppressed"), rule);
    add_summary(&out, member(document, "summary"), rule != NULL);
    cJSON_Delete(document);
    return out.data;
}
