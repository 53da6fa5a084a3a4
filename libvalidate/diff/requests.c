/*
 * requests.c - RPCs that the two sides answer in different ways.
 *
 * An RPC with open fractions is compared as a whole, and then once for each way through
 * the fractions, if both sides evaluate as many of them.
 */
#include "base/limits.h"
#include "base/text.h"
#include "diff/aspects.h"
#include "diff/shares.h"

enum { MAX_PINNED = 8 }; /* fractions that one RPC may meet */

/* Numbers that no open fraction takes, and that each takes. */
#define FAILING 0.999999
#define TAKING 0.0

struct answers {
    const struct xds_decision *d[XDS_SIDES];
};

static enum xds_status ask(struct xds_diff *diff, const struct xds_request *request,
                           struct answers *out)
{
    enum xds_status status = XDS_OK;

    for (unsigned side = 0; side < XDS_SIDES && status == XDS_OK; side++)
        status = xds_explain(diff->explainer[side], request, &out->d[side]);
    return status;
}

/* ---- what differs ---- */

static void compare_aspect(struct xds_arena *arena, const struct answers *answers,
                           enum xds_aspect aspect, struct xds_answer_change *out)
{
    struct xds_slice text[XDS_SIDES];

    for (unsigned side = 0; side < XDS_SIDES; side++)
        text[side] = xds_aspect_text(arena, aspect, answers->d[side]);
    if (!text[0].data || !text[1].data || xds_slice_eq(text[0], text[1]))
        return;
    out->aspects |= 1u << aspect;
    for (unsigned side = 0; side < XDS_SIDES; side++)
        out->text[side][aspect] = text[side];
}

static bool both_routed(const struct answers *answers)
{
    return xds_decision_routed(answers->d[0]) && xds_decision_routed(answers->d[1]);
}

/* Of an RPC that ends before a host there is only its end to compare. */
static struct xds_answer_change compare(struct xds_arena *arena,
                                        const struct answers *answers)
{
    struct xds_answer_change out = {.aspects = 0};

    compare_aspect(arena, answers, XDS_ASPECT_OUTCOME, &out);
    xds_shares_compare(arena, answers->d[0], answers->d[1], &out.clusters, &out.hosts);
    for (unsigned a = XDS_ASPECT_OUTCOME + 1; both_routed(answers) && a < XDS_ASPECTS;
         a++)
        compare_aspect(arena, answers, (enum xds_aspect)a, &out);
    return out;
}

static bool is_empty(const struct xds_answer_change *change)
{
    return change->aspects == 0 && change->clusters.n == 0 && change->hosts.n == 0;
}

/* ---- kinds ---- */

static void spell_shares(struct xds_text *text, const struct xds_share_changes *shares)
{
    for (size_t i = 0; i < shares->n; i++) {
        const struct xds_share_change *s = &shares->list[i];

        xds_text_add(text, s->cluster);
        xds_text_add(text, XDS_S("\n"));
        xds_text_add(text, s->address);
        for (unsigned side = 0; side < XDS_SIDES; side++) {
            xds_text_add(text, XDS_S("\n"));
            xds_text_add_number(text, (uint64_t)((s->share[side] + 1) * 1e6 + 0.3));
        }
    }
    xds_text_add_number(text, shares->n_more);
}

/* Equal for changes that are equal. */
static struct xds_slice spell(struct xds_arena *arena,
                              const struct xds_answer_change *change)
{
    struct xds_text text = {.arena = arena};

    for (unsigned a = 0; a < XDS_ASPECTS; a++) {
        for (unsigned side = 0; side < XDS_SIDES; side++) {
            xds_text_add(&text, change->text[side][a]);
            xds_text_add(&text, XDS_S("\n"));
        }
    }
    spell_shares(&text, &change->clusters);
    spell_shares(&text, &change->hosts);
    return xds_slice_make(text.data, text.len);
}

static struct xds_share_changes keep_shares(struct xds_arena *arena,
                                            struct xds_share_changes shares)
{
    struct xds_share_change *list =
        XDS_NEW_ARRAY(arena, struct xds_share_change, shares.n + 1);

    for (size_t i = 0; i < shares.n; i++) {
        list[i] = shares.list[i];
        list[i].cluster = xds_arena_dup(arena, list[i].cluster);
        list[i].address = xds_arena_dup(arena, list[i].address);
    }
    shares.list = list;
    return shares;
}

static struct xds_answer_change keep_change(struct xds_arena *arena,
                                            const struct xds_answer_change *change)
{
    struct xds_answer_change out = *change;

    for (unsigned side = 0; side < XDS_SIDES; side++)
        for (unsigned a = 0; a < XDS_ASPECTS; a++)
            out.text[side][a] = xds_arena_dup(arena, out.text[side][a]);
    out.clusters = keep_shares(arena, change->clusters);
    out.hosts = keep_shares(arena, change->hosts);
    return out;
}

struct xds_request xds_diff_keep_request(struct xds_arena *arena,
                                         const struct xds_request *request)
{
    struct xds_request out = *request;
    struct xds_header *headers =
        XDS_NEW_ARRAY(arena, struct xds_header, request->n_headers + 1);
    double *random = XDS_NEW_ARRAY(arena, double, request->n_random + 1);

    out.target = xds_arena_dup(arena, request->target);
    out.listener = xds_arena_dup(arena, request->listener);
    out.authority = xds_arena_dup(arena, request->authority);
    out.path = xds_arena_dup(arena, request->path);
    for (size_t i = 0; i < request->n_headers; i++) {
        headers[i].name = xds_arena_dup(arena, request->headers[i].name);
        headers[i].value = xds_arena_dup(arena, request->headers[i].value);
    }
    for (size_t i = 0; i < request->n_random; i++)
        random[i] = request->random[i];
    out.headers = headers;
    out.random = random;
    return out;
}

static struct xds_request_kind *add_kind(struct xds_diff *diff,
                                         const struct xds_answer_change *change,
                                         const struct xds_request *request)
{
    if (!diff->kinds)
        diff->kinds =
            XDS_NEW_ARRAY(&diff->arena, struct xds_request_kind *, XDS_MAX_DIFF_KINDS);
    if (diff->n_kinds == XDS_MAX_DIFF_KINDS)
        return NULL;
    struct xds_request_kind *kind = XDS_NEW(&diff->arena, struct xds_request_kind);
    kind->change = keep_change(&diff->arena, change);
    kind->example = xds_diff_keep_request(&diff->arena, request);
    diff->kinds[diff->n_kinds++] = kind;
    return kind;
}

static void count_change(struct xds_diff *diff, const struct xds_answer_change *change,
                         const struct xds_request *request)
{
    const struct xds_slice key = spell(&diff->scratch, change);
    struct xds_request_kind *kind = xds_strmap_get(&diff->by_change, key);

    diff->n_differ++;
    if (!kind) {
        kind = add_kind(diff, change, request);
        if (!kind) {
            diff->n_more_kinds++;
            return;
        }
        *xds_strmap_at(&diff->by_change, key) = kind;
    }
    kind->n++;
}

/* ---- one RPC ---- */

static void note_answers(struct xds_diff *diff, const struct xds_request *request,
                         const struct answers *answers)
{
    const struct xds_answer_change change = compare(&diff->scratch, answers);

    diff->n_requests++;
    if (!is_empty(&change))
        count_change(diff, &change, request);
}

/* Fractions that the RPC meets before a route certainly takes it. */
static size_t open_fractions(const struct xds_decision *d)
{
    size_t n = 0;

    for (size_t i = 0; i < d->walk.n_tries; i++)
        n += d->walk.tries[i].matched == XDS_CHANCE_OPEN;
    return n;
}

/* *open: the fractions that both sides leave open; 0 when they are not as many. */
static enum xds_status answer(struct xds_diff *diff, const struct xds_request *request,
                              size_t *open)
{
    struct answers answers;
    const enum xds_status status = ask(diff, request, &answers);

    if (status != XDS_OK)
        return status;
    *open = open_fractions(answers.d[XDS_SIDE_OLD]);
    if (*open != open_fractions(answers.d[XDS_SIDE_NEW]))
        *open = 0;
    xds_arena_reset(&diff->scratch);
    note_answers(diff, request, &answers);
    xds_diff_sessions(diff, request, answers.d[XDS_SIDE_OLD], answers.d[XDS_SIDE_NEW]);
    return XDS_OK;
}

/* The RPC that fraction `taking` takes; with as many as there are, that none takes. */
static enum xds_status answer_pinned(struct xds_diff *diff,
                                     const struct xds_request *request, size_t taking,
                                     size_t n)
{
    double random[MAX_PINNED];
    size_t open;
    struct xds_request pinned = *request;

    for (size_t i = 0; i < n; i++)
        random[i] = i == taking ? TAKING : FAILING;
    pinned.random = random;
    pinned.n_random = taking < n ? taking + 1 : n;
    return answer(diff, &pinned, &open);
}

enum xds_status xds_diff_answers(struct xds_diff *diff, const struct xds_request *request)
{
    size_t n = 0;
    enum xds_status status = answer(diff, request, &n);

    if (request->n_random > 0 || n == 0 || n > MAX_PINNED)
        return status;
    for (size_t i = 0; i <= n && status == XDS_OK; i++)
        status = answer_pinned(diff, request, i, n);
    return status;
}
