/* verdicts.c - who does what about a rule, a finding or a resource. */
#include <stdio.h>

#include "print/inner.h"

/* One row per verdict, in the order in which the sentence names them. */
static const struct part {
    enum xds_verdict verdict;
    const char *words;
} parts[] = {
    {XDS_CRASH, "CRASH by "},    {XDS_NACK, "NACK by "},       {XDS_SKIP, "skipped by "},
    {XDS_IGNORE, "ignored by "}, {XDS_ACCEPT, "accepted by "},
};

const char *xds_verdict_words(enum xds_verdict verdict)
{
    size_t i = 0;

    while (parts[i].verdict != verdict)
        i++;
    return parts[i].words;
}

struct list {
    struct xds_out *out;
    const char *separator; /* before the next verdict */
    const char *comma;     /* before the next client */
};

static void put_client(struct list *list, const struct part *part, const char *text)
{
    if (*list->comma == '\0') {
        xds_out_text(list->out, list->separator);
        xds_out_text(list->out, part->words);
        list->separator = "; ";
    }
    xds_out_text(list->out, list->comma); /* not formatted: five for each finding */
    xds_out_text(list->out, text);
    list->comma = ", ";
}

/* What dies, after the clients that do. */
static void put_crash(struct list *list, const struct part *part,
                      const struct xds_rule *rule)
{
    if (part->verdict != XDS_CRASH || *list->comma == '\0' || !rule->crash)
        return;
    xds_out_format(list->out, " (kills %s)", rule->crash);
}

void xds_out_rule_verdicts(struct xds_out *out, const struct xds_rule *rule)
{
    struct list list = {out, "", ""};

    for (size_t i = 0; i < XDS_ARRAY_LEN(parts); i++) {
        list.comma = "";
        for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
            if (xds_rule_verdict(rule, c) == parts[i].verdict)
                put_client(&list, &parts[i], xds_client_name(c));
        put_crash(&list, &parts[i], rule);
    }
}

/* A client that was not asked for counts as its newest release. */
static size_t readers_of(const struct xds_options *options,
                         struct xds_client_release *list)
{
    struct xds_options all = *options;

    all.clients = XDS_ALL_CLIENTS;
    return xds_options_asked(&all, list);
}

/* "go@1.60.1..1.68.1" of neighbours in the list; "go@1.60.1" of one. */
static void put_range(struct list *list, const struct part *part,
                      struct xds_client_release first, struct xds_client_release last)
{
    char text[64];

    if (!xds_release_is_before(first.release, last.release)) {
        put_client(list, part, xds_client_label(first).text);
        return;
    }
    (void)snprintf(text, sizeof text, "%s..%u.%u.%u", xds_client_label(first).text,
                   last.release.major, last.release.minor, last.release.patch);
    put_client(list, part, text);
}

void xds_out_verdicts(struct xds_out *out, const struct xds_report *report,
                      const struct xds_finding *finding)
{
    struct xds_client_release who[XDS_RELEASES + XDS_CLIENTS];
    enum xds_verdict verdict[XDS_RELEASES + XDS_CLIENTS];
    const size_t n = readers_of(xds_report_options(report), who);
    struct list list = {out, "", ""};

    if (finding->rule->effect == XDS_EFFECT_SYNTAX) {
        xds_out_text(out, "no client sees this: the document is not valid xDS");
        return;
    }
    for (size_t i = 0; i < n; i++)
        verdict[i] = xds_finding_verdict(report, finding, who[i]);
    for (size_t p = 0; p < XDS_ARRAY_LEN(parts); p++) {
        list.comma = "";
        for (size_t i = 0, last; i < n; i = last + 1) {
            last = i;
            if (verdict[i] != parts[p].verdict)
                continue;
            while (last + 1 < n && who[last + 1].client == who[i].client &&
                   verdict[last + 1] == verdict[i])
                last++;
            put_range(&list, &parts[p], who[i], who[last]);
        }
        put_crash(&list, &parts[p], finding->rule);
    }
}

void xds_json_asked(struct xds_out *out, const struct xds_options *options)
{
    struct xds_client_release who[XDS_RELEASES + XDS_CLIENTS];
    const size_t n = xds_options_asked(options, who);

    xds_json_key_array(out, "clients");
    for (size_t i = 0; i < n; i++)
        xds_json_text(out, xds_client_label(who[i]).text);
    xds_json_end_array(out);
}

void xds_json_rule_verdicts(struct xds_out *out, const struct xds_rule *rule)
{
    xds_json_key_object(out, "clients");
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
        xds_json_key_text(out, xds_client_name(c),
                          xds_verdict_name(xds_rule_verdict(rule, c)));
    xds_json_end_object(out);
}

void xds_json_verdicts(struct xds_out *out, const struct xds_report *report,
                       const struct xds_finding *finding)
{
    struct xds_client_release who[XDS_RELEASES + XDS_CLIENTS];
    const size_t n = readers_of(xds_report_options(report), who);

    const bool is_seen = finding->rule->effect != XDS_EFFECT_SYNTAX;

    if (!xds_json_object_or_null(out, "clients", is_seen ? finding : NULL) || !is_seen)
        return;
    for (size_t i = 0; i < n; i++)
        xds_json_key_text(out, xds_client_label(who[i]).text,
                          xds_verdict_name(xds_finding_verdict(report, finding, who[i])));
    xds_json_end_object(out);
}

static const char *name_of(enum xds_verdict verdict)
{
    return verdict == XDS_ACCEPT ? "ACK" : xds_verdict_name(verdict);
}

/* The worst of the clients that were asked for, and that of each. */
void xds_json_resource_verdicts(struct xds_out *out, const struct xds_report *report,
                                const struct xds_resource_result *resource)
{
    const struct xds_options *options = xds_report_options(report);
    struct xds_client_release who[XDS_RELEASES + XDS_CLIENTS];
    const size_t n = readers_of(options, who);

    xds_json_key_text(out, "verdict",
                      name_of(resource->crashed_by & options->clients  ? XDS_CRASH
                              : resource->nacked_by & options->clients ? XDS_NACK
                                                                       : XDS_ACCEPT));
    xds_json_key_object(out, "clients");
    for (size_t i = 0; i < n; i++)
        xds_json_key_text(out, xds_client_label(who[i]).text,
                          name_of(xds_resource_verdict(report, resource, who[i])));
    xds_json_end_object(out);
}
