/* diff_answers_text.c - what a change does to RPCs and to sessions, for people. */
#include "base/limits.h"
#include "print/decision_parts.h"
#include "print/diff.h"

enum { SHOWN_SHARES = 6, SHOWN_KINDS = 20, LABEL_COLUMN = 11, COOKIE_BYTES = 2048 };

void xds_diff_title(struct xds_out *out, const struct xds_diff *diff, const char *title)
{
    const bool is_first = diff->n_resources == 0 && out->n == 0;

    if (!is_first)
        xds_out_char(out, '\n');
    xds_out_styled(out, XDS_STYLE_BOLD, title);
}

/* ---- a request as one types it ---- */

static bool is_plain(struct xds_slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.data[i];
        const bool letter =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!letter && (c == '\0' || !strchr("-._:/,+@%=", c)))
            return false;
    }
    return text.len > 0;
}

/* Inside of the single quotes of a shell. */
static void print_escaped(struct xds_out *out, struct xds_slice text)
{
    while (text.data) {
        struct xds_slice part;

        text = xds_slice_cut(text, '\'', &part);
        xds_out_clean(out, part);
        if (text.data)
            xds_out_text(out, "'\\''");
    }
}

static void print_option(struct xds_out *out, const char *option, struct xds_slice value)
{
    xds_out_text(out, option);
    if (is_plain(value)) {
        xds_out_clean(out, value);
        return;
    }
    xds_out_char(out, '\'');
    print_escaped(out, value);
    xds_out_char(out, '\'');
}

static void print_header(struct xds_out *out, const struct xds_header *header)
{
    xds_out_text(out, " -H '");
    print_escaped(out, header->name);
    xds_out_text(out, ": ");
    print_escaped(out, header->value);
    xds_out_char(out, '\'');
}

/* A target says the authority already when both are the same name. */
static bool needs_authority(const struct xds_request *request)
{
    const struct xds_slice scheme = XDS_S("xds:///");

    return request->authority.data &&
           !(xds_slice_starts(request->target, scheme) &&
             xds_slice_eq(xds_slice_from(request->target, scheme.len),
                          request->authority));
}

static void print_random(struct xds_out *out, const struct xds_request *request)
{
    for (size_t i = 0; i < request->n_random; i++) {
        xds_out_text(out, i ? "," : " --random ");
        xds_out_double(out, request->random[i]);
    }
}

static void print_request(struct xds_out *out, const struct xds_request *request)
{
    xds_out_text(out, "xdscope explain");
    if (request->target.data)
        print_option(out, " --target ", request->target);
    if (request->listener.data)
        print_option(out, " --listener ", request->listener);
    if (needs_authority(request))
        print_option(out, " --authority ", request->authority);
    print_option(out, " --path ", request->path);
    for (size_t i = 0; i < request->n_headers; i++)
        print_header(out, &request->headers[i]);
    print_random(out, request);
}

/* ---- requests ---- */

static void print_label(struct xds_out *out, const char *label)
{
    const size_t len = strlen(label);

    xds_out_text(out, "    ");
    xds_out_text(out, label);
    for (size_t i = len; i < LABEL_COLUMN; i++)
        xds_out_char(out, ' ');
}

static void print_percent(struct xds_out *out, double share)
{
    if (share == XDS_NOT_COMPUTABLE)
        xds_out_text(out, "an unknown share");
    else
        xds_out_percent(out, share);
}

static void print_shares(struct xds_out *out, const char *label,
                         const struct xds_share_changes *shares)
{
    const size_t shown =
        out->to->verbose || shares->n < SHOWN_SHARES ? shares->n : SHOWN_SHARES;

    if (shares->n == 0)
        return;
    print_label(out, label);
    for (size_t i = 0; i < shown; i++) {
        const struct xds_share_change *s = &shares->list[i];

        if (i > 0)
            xds_out_text(out, ", ");
        if (s->address.data)
            xds_out_clean(out, s->address);
        else
            quoted(out, s->cluster);
        xds_out_char(out, ' ');
        print_percent(out, s->share[XDS_SIDE_OLD]);
        xds_out_text(out, " -> ");
        print_percent(out, s->share[XDS_SIDE_NEW]);
    }
    if (shares->n + shares->n_more > shown) {
        xds_out_text(out, " and ");
        xds_out_u64(out, shares->n + shares->n_more - shown);
        xds_out_text(out, " more");
    }
    xds_out_char(out, '\n');
}

static void print_aspect(struct xds_out *out, const struct xds_answer_change *change,
                         enum xds_aspect aspect)
{
    if (!(change->aspects & (1u << aspect)))
        return;
    print_label(out, xds_aspect_name(aspect));
    xds_out_clean(out, change->text[XDS_SIDE_OLD][aspect]);
    xds_out_text(out, " -> ");
    xds_out_clean(out, change->text[XDS_SIDE_NEW][aspect]);
    xds_out_char(out, '\n');
}

/* The hosts of an RPC that fails on one side are clear from its clusters. */
static void print_change(struct xds_out *out, const struct xds_answer_change *change)
{
    print_aspect(out, change, XDS_ASPECT_OUTCOME);
    print_shares(out, "clusters", &change->clusters);
    for (unsigned a = XDS_ASPECT_OUTCOME + 1; a < XDS_ASPECTS; a++)
        print_aspect(out, change, (enum xds_aspect)a);
    if (!(change->aspects & (1u << XDS_ASPECT_OUTCOME)))
        print_shares(out, "hosts", &change->hosts);
}

static void print_kind(struct xds_out *out, const struct xds_request_kind *kind)
{
    xds_out_text(out, "  ");
    xds_out_count(out, kind->n, "request");
    xds_out_text(out, kind->n > 1 ? " such as: " : ": ");
    print_request(out, &kind->example);
    xds_out_char(out, '\n');
    print_change(out, &kind->change);
}

static size_t shown_of(const struct xds_out *out, size_t n)
{
    return out->to->verbose || n < SHOWN_KINDS ? n : SHOWN_KINDS;
}

static void print_more(struct xds_out *out, size_t n, const char *what)
{
    if (n == 0)
        return;
    xds_out_text(out, "  and ");
    xds_out_count(out, n, what);
    xds_out_text(out, " with other changes\n");
}

static void print_kinds(struct xds_out *out, const struct xds_diff *diff)
{
    const size_t shown = shown_of(out, diff->n_kinds);
    size_t more = diff->n_differ;

    for (size_t i = 0; i < shown && !out->failed; i++) {
        print_kind(out, diff->kinds[i]);
        more -= diff->kinds[i]->n;
    }
    print_more(out, more, "more request");
}

/* What could not be asked. */
static void print_gaps(struct xds_out *out, const struct xds_diff *diff)
{
    static const char *const sides[XDS_SIDES] = {"old", "new"};

    for (unsigned side = 0; side < XDS_SIDES; side++) {
        const struct xds_derive_counts *counts = &diff->counts[side];

        if (counts->impossible > 0) {
            xds_out_text(out, "  not asked: ");
            xds_out_count(out, counts->impossible, "route");
            xds_out_text(out, " of the ");
            xds_out_text(out, sides[side]);
            xds_out_text(out, " side, for which no request could be made, such as ");
            xds_out_clean(out, counts->example);
            xds_out_char(out, '\n');
        }
        if (counts->cut) {
            xds_out_text(out, "  not asked: the routes of the ");
            xds_out_text(out, sides[side]);
            xds_out_text(out, " side after the first ");
            xds_out_u64(out, XDS_MAX_DERIVED_REQUESTS);
            xds_out_text(out, " requests\n");
        }
    }
}

void xds_diff_requests_text(struct xds_out *out, const struct xds_diff *diff)
{
    xds_diff_title(out, diff, "requests");
    xds_out_text(out, " as client ");
    xds_out_text(out, diff->as.text);
    if (diff->n_requests == 0) {
        xds_out_text(out, ": no request to ask, as no accepted listener has a route\n");
        return;
    }
    xds_out_text(out, ": ");
    xds_out_u64(out, diff->n_differ);
    xds_out_text(out, " of ");
    xds_out_count(out, diff->n_requests, "request");
    xds_out_text(out, diff->n_differ == 1 || diff->n_requests == 1 ? " gets" : " get");
    xds_out_text(out, " a different answer\n");
    print_kinds(out, diff);
    print_gaps(out, diff);
}

/* ---- sessions ---- */

static void print_cause(struct xds_out *out, const struct xds_session_kind *kind)
{
    static const char *const sentences[XDS_BREAKS] = {
        [XDS_BREAK_HOST] = "the host is gone",
        [XDS_BREAK_CLUSTER] = "the route no longer leads to the cluster",
        [XDS_BREAK_STATUS] =
            "the health status of the host is not in override_host_status",
        [XDS_BREAK_OFF] = "session affinity is off",
        [XDS_BREAK_NAME] = "the cookie that is read has another name, ",
        [XDS_BREAK_PATH] = "the cookie path does not cover the request, it is ",
        [XDS_BREAK_FAILS] = "the RPC fails: ",
        [XDS_BREAK_OTHER] = "",
    };

    xds_out_text(out, sentences[kind->cause]);
    switch (kind->cause) {
    case XDS_BREAK_NAME:
    case XDS_BREAK_PATH:
        quoted(out, kind->reason);
        return;
    case XDS_BREAK_FAILS:
    case XDS_BREAK_OTHER:
        xds_out_clean(out, kind->reason);
        return;
    case XDS_BREAK_HOST:
    case XDS_BREAK_CLUSTER:
    case XDS_BREAK_STATUS:
    case XDS_BREAK_OFF:
    case XDS_BREAKS:
        return;
    }
}

/* Named and encoded as the old side does: the new one may call it otherwise. */
static void print_cookie(struct xds_out *out, const struct xds_session_kind *kind)
{
    const struct xds_slice addresses = kind->first->addresses;
    char value[COOKIE_BYTES];
    const size_t len = xds_cookie_encode(addresses, kind->cluster, value, sizeof value);

    if (len > sizeof value) { /* names of endpoints are not that long */
        print_option(out, " --cookie-host ", addresses);
        print_option(out, " --cookie-cluster ", kind->cluster);
        return;
    }
    print_option(out, " --cookie ", kind->cookie_name);
    xds_out_char(out, '=');
    xds_out_clean(out, xds_slice_make(value, len));
}

static void print_break(struct xds_out *out, const struct xds_session_kind *kind)
{
    const struct xds_session_change *first = kind->first;

    xds_out_text(out, "  ");
    xds_out_count(out, kind->n, "session");
    xds_out_text(out, kind->n > 1 ? " with hosts such as " : " with host ");
    xds_out_clean(out, first->addresses);
    if (first->health != XDS_HEALTH_UNKNOWN && first->health != XDS_HEALTH_HEALTHY) {
        xds_out_text(out, " (");
        xds_out_text(out, xds_health_name(first->health));
        xds_out_char(out, ')');
    }
    xds_out_text(out, " of cluster ");
    quoted(out, kind->cluster);
    xds_out_text(out, " in cookie ");
    quoted(out, kind->cookie_name);
    xds_out_text(out, ": ");
    print_cause(out, kind);
    xds_out_text(out, "\n    ");
    print_request(out, &kind->example);
    print_cookie(out, kind);
    xds_out_char(out, '\n');
}

static void print_breaks(struct xds_out *out, const struct xds_diff *diff)
{
    const size_t shown = shown_of(out, diff->n_breaks);
    size_t more = diff->n_broken;

    for (size_t i = 0; i < shown && !out->failed; i++) {
        print_break(out, diff->breaks[i]);
        more -= diff->breaks[i]->n;
    }
    print_more(out, more, "more session");
}

void xds_diff_sessions_text(struct xds_out *out, const struct xds_diff *diff)
{
    if (diff->n_broken == 0 && !diff->sessions_cut)
        return;
    xds_diff_title(out, diff, "sessions");
    xds_out_text(out, ": ");
    xds_out_u64(out, diff->n_broken);
    xds_out_text(out, " of ");
    xds_out_count(out, diff->n_sessions, "cookie");
    xds_out_text(out, diff->n_broken == 1 ? " is" : " are");
    xds_out_text(out, " no longer honoured\n");
    print_breaks(out, diff);
    if (diff->sessions_cut) {
        xds_out_text(out, "  not asked: sessions after the first ");
        xds_out_u64(out, XDS_MAX_DIFF_COOKIES);
        xds_out_text(out, " cookies\n");
    }
}
