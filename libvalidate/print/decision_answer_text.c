/*
 * decision_answer_text.c - the notes of the page and its last line: what becomes of the
 * RPC.
 */
#include "clients/clients.h"
#include "print/decision_parts.h"

/* ---- notes ---- */

static void print_note(struct xds_out *out, struct xds_slice text)
{
    heading(out, "note");
    xds_out_clean(out, text);
    xds_out_char(out, '\n');
}

/* What a client does, after its name. */
static struct xds_slice deed(const struct xds_other *other)
{
    return xds_slice_from(other->note, strlen(xds_client_name(other->client)));
}

static bool same_deed(const struct xds_other *a, const struct xds_other *b)
{
    const struct xds_slice one = deed(a), other = deed(b);

    return one.data && other.data && xds_slice_eq(one, other);
}

/* The clients that do the same as other i; none when an earlier one has reported it. */
static unsigned clients_like(const struct xds_decision *d, size_t i)
{
    unsigned clients = 0;

    for (size_t k = 0; k < d->n_others; k++) {
        if (!same_deed(&d->others[i], &d->others[k]))
            continue;
        if (k < i)
            return 0;
        clients |= XDS_CLIENT_BIT(d->others[k].client);
    }
    return clients;
}

static void print_others(struct xds_out *out, const struct xds_decision *d)
{
    for (size_t i = 0; i < d->n_others; i++) {
        const unsigned clients = clients_like(d, i);

        if (clients == 0)
            continue;
        heading(out, "note");
        xds_out_text(out, clients & (clients - 1) ? "each of " : "");
        xds_out_text(out, xds_client_list(clients, " and ").text);
        xds_out_clean(out, deed(&d->others[i]));
        xds_out_char(out, '\n');
    }
}

void xds_text_notes(struct xds_out *out, const struct xds_decision *d)
{
    for (size_t i = 0; i < d->n_notes; i++)
        print_note(out, d->notes[i]);
    print_others(out, d);
}

/* ---- answer ---- */

static bool has_host(const struct xds_decision *d, struct xds_slice cluster)
{
    size_t i = 0;

    while (i < d->n_hosts && !xds_slice_eq(d->hosts[i].cluster, cluster))
        i++;
    return i < d->n_hosts;
}

/* Those with hosts, if there are hosts at all. */
static size_t count_clusters(const struct xds_decision *d)
{
    size_t n = 0;

    for (size_t i = 0; i < d->n_clusters; i++)
        n += d->n_hosts == 0 || has_host(d, d->clusters[i].name);
    return n;
}

static void print_destination(struct xds_out *out, const struct xds_decision *d)
{
    if (d->host)
        xds_out_clean(out, xds_host_address(d->host));
    else if (d->n_hosts) {
        xds_out_text(out, d->n_hosts > 1 ? "one of " : "");
        xds_out_count(out, d->n_hosts, "host");
    } else {
        xds_out_text(out, "what the lookup gives");
    }
    if (!d->cluster) {
        xds_out_text(out, " in ");
        xds_out_count(out, count_clusters(d), "cluster");
        return;
    }
    xds_out_text(out, d->n_hosts ? " in cluster " : " for plugin ");
    quoted(out, d->cluster->name);
}

/* Of the whole RPC, whichever cluster it goes to. */
static double dropped(const struct xds_decision *d)
{
    double sum = 0;

    for (size_t i = 0; i < d->n_clusters; i++)
        if (d->clusters[i].drops.value < 1) /* else it is among those that fail */
            sum += d->clusters[i].probability * d->clusters[i].drops.value;
    return sum;
}

/* Chance may end it on the way. */
static void print_perils(struct xds_out *out, const struct xds_decision *d)
{
    const struct {
        const char *what;
        double probability;
    } perils[] = {
        {"a fault aborts it (", d->faults ? d->faults->abort : 0},
        {"it is dropped (", dropped(d)},
        {"it fails (", d->failing},
    };
    const char *join = ", unless ";

    for (size_t i = 0; i < XDS_ARRAY_LEN(perils); i++) {
        if (perils[i].probability <= 0)
            continue;
        xds_out_text(out, join);
        xds_out_text(out, perils[i].what);
        xds_out_percent(out, perils[i].probability);
        xds_out_char(out, ')');
        join = " or ";
    }
}

static void print_failure(struct xds_out *out, const struct xds_decision *d)
{
    static const char *const verbs[] = {
        [XDS_OUTCOME_ROUTED] = "",
        [XDS_OUTCOME_NO_LISTENER] = "the RPC fails",
        [XDS_OUTCOME_NO_VIRTUAL_HOST] = "the RPC fails",
        [XDS_OUTCOME_NO_ROUTE] = "the RPC fails",
        [XDS_OUTCOME_UNAVAILABLE] = "the RPC fails",
        [XDS_OUTCOME_DROPPED] = "the RPC is dropped",
        [XDS_OUTCOME_FAULT] = "the RPC ends",
        [XDS_OUTCOME_CRASH] = "",
        [XDS_OUTCOME_UNDECIDED] = "",
    };

    xds_out_styled(out, XDS_STYLE_RED, verbs[d->outcome]);
    xds_out_text(out, " with ");
    xds_out_clean(out, d->code.data ? d->code : XDS_S("UNAVAILABLE"));
    xds_out_text(out, d->error.len ? ": " : "");
    xds_out_clean(out, d->error);
}

void xds_text_answer(struct xds_out *out, const struct xds_decision *d)
{
    if (d->outcome == XDS_OUTCOME_ROUTED) {
        xds_out_styled(out, XDS_STYLE_GREEN, "the RPC goes to ");
        print_destination(out, d);
        print_perils(out, d);
    } else if (d->outcome == XDS_OUTCOME_UNDECIDED) {
        xds_out_styled(out, XDS_STYLE_RED, "no answer");
        xds_out_text(out, ": ");
        xds_out_clean(out, d->error);
    } else if (d->outcome == XDS_OUTCOME_CRASH) {
        xds_out_styled(out, XDS_STYLE_RED, "CRASH");
        xds_out_text(out, ": ");
        xds_out_clean(out, d->error);
    } else {
        print_failure(out, d);
    }
    xds_out_char(out, '\n');
}
