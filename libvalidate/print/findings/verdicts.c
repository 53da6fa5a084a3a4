/* verdicts.c - who does what about a rule, a finding or a resource. */
#include <stdio.h>

#include "print/findings/findings.h"
#include "print/write/json.h"

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

/* ---- for people ---- */

bool xds_names_documents(const struct xds_out *out, const struct xds_report *report)
{
    const struct xds_options *options = &report->options;

    return out->to->verbose || options->documents ||
           options->clients == XDS_CLIENT_BIT(XDS_CLIENT_GRFC);
}

void xds_readers_asked(const struct xds_out *out, const struct xds_report *report,
                       struct xds_reader_list *list)
{
    const bool documents = xds_names_documents(out, report);
    const size_t n = xds_options_asked(&report->options, list->who);

    list->n = 0;
    for (size_t i = 0; i < n; i++)
        if (list->who[i].client != XDS_CLIENT_GRFC || documents)
            list->who[list->n++] = list->who[i];
}

/* Is b the known release after a? */
static bool is_next(struct xds_client_release a, struct xds_client_release b)
{
    size_t n;
    const struct xds_release *known = xds_client_releases(a.client, &n);

    for (size_t i = 1; i < n && a.client == b.client; i++)
        if (!xds_release_is_before(known[i - 1], a.release) &&
            !xds_release_is_before(a.release, known[i - 1]))
            return !xds_release_is_before(known[i], b.release) &&
                   !xds_release_is_before(b.release, known[i]);
    return false;
}

bool xds_readers_next(const struct xds_reader_list *list, size_t *at,
                      struct xds_reader_name *name)
{
    size_t first = *at, last;

    while (first < list->n && !list->in[first])
        first++;
    if (first >= list->n)
        return false;
    for (last = first; last + 1 < list->n && list->in[last + 1]; last++)
        if (!is_next(list->who[last], list->who[last + 1]))
            break;
    const struct xds_client_label label = xds_client_label(list->who[first]);

    if (last == first)
        memcpy(name->text, label.text, strlen(label.text) + 1);
    else
        (void)snprintf(name->text, sizeof name->text, "%s..%s", label.text,
                       xds_release_text(list->who[last]).text);
    *at = last + 1;
    return true;
}

void xds_out_readers(struct xds_out *out, const struct xds_reader_list *list,
                     const char *last)
{
    struct xds_reader_name name, next;
    size_t at = 0;
    bool more = xds_readers_next(list, &at, &name);

    for (const char *separator = ""; more; name = next) {
        more = xds_readers_next(list, &at, &next);
        xds_out_format(out, "%s%s", separator, name.text);
        separator = ", ";
        if (more && !xds_readers_next(list, &(size_t){at}, &(struct xds_reader_name){""}))
            separator = last;
    }
}

/* What all clients accept, and the documents do not. */
static bool put_documents(struct list *list, const enum xds_verdict *verdict, size_t n)
{
    static const char *const words[] = {[XDS_NACK] = "rejected by the documents only",
                                        [XDS_SKIP] = "skipped by the documents only",
                                        [XDS_IGNORE] = "ignored by the documents only"};

    for (size_t i = 1; i < n; i++)
        if (verdict[i] != XDS_ACCEPT)
            return false;
    if (n == 0 || verdict[0] >= XDS_ARRAY_LEN(words) || !words[verdict[0]])
        return false;
    xds_out_text(list->out, words[verdict[0]]);
    list->separator = "; ";
    return true;
}

void xds_out_verdicts(struct xds_out *out, const struct xds_report *report,
                      const struct xds_finding *finding)
{
    struct xds_reader_list all;
    enum xds_verdict verdict[XDS_RELEASES + XDS_CLIENTS] = {XDS_ACCEPT};
    struct list list = {out, "", ""};
    /* Where they are not named the documents are one row, the first. */
    const size_t first = xds_names_documents(out, report) ? 0 : 1;

    if (finding->rule->effect == XDS_EFFECT_SYNTAX) {
        xds_out_text(out, "no client sees this: the document is not valid xDS");
        return;
    }
    all.n = readers_of(&report->options, all.who);
    for (size_t i = 0; i < all.n; i++)
        verdict[i] = xds_finding_verdict(report, finding, all.who[i]);
    if (first > 0)
        (void)put_documents(&list, verdict, all.n);
    for (size_t p = 0; p < XDS_ARRAY_LEN(parts); p++) {
        struct xds_reader_name name;

        list.comma = "";
        for (size_t i = 0; i < all.n; i++)
            all.in[i] = i >= first && verdict[i] == parts[p].verdict;
        for (size_t at = 0; xds_readers_next(&all, &at, &name);)
            put_client(&list, &parts[p], name.text);
        put_crash(&list, &parts[p], finding->rule);
    }
}

enum xds_status xds_print_verdicts(const struct xds_printer *to,
                                   const struct xds_report *report,
                                   const struct xds_finding *finding)
{
    struct xds_out out;

    xds_out_init(&out, to);
    xds_out_verdicts(&out, report, finding);
    return xds_out_finish(&out);
}

/* ---- for programs ---- */

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
