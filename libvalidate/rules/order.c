/*
 * order.c - which of two faults a client meets first, by the fields that they are in.
 *
 * Source: clients/reading_order.def; pairs of faults, see cli/dev/clients/pairs.py.
 */
#include "rules/order.h"

static const struct row {
    enum xds_client client;
    const char *outer; /* the field of the resource that both are in; NULL: any */
    struct xds_slice fields;
} rows[] = {
#define XDS_READS_IN_ORDER(client, fields, source)                                       \
    {XDS_CLIENT_##client, NULL, {fields, sizeof(fields) - 1}},
#define XDS_READS_IN_ORDER_IN(client, outer, fields, source)                             \
    {XDS_CLIENT_##client, outer, {fields, sizeof(fields) - 1}},
#include "clients/reading_order.def"
};

/* What is looked for in all of a field before the rest of it is read. */
static const struct early {
    enum xds_client client;
    enum xds_rule_id rule;
    const char *field;
} early[] = {
#define XDS_READS_EARLY(client, rule, field, source)                                     \
    {XDS_CLIENT_##client, XDS_R_##rule, field},
#include "clients/reading_order.def"
};

struct end {
    enum xds_client client;
    enum xds_rule_id rule;
};

/* What is looked for before all else. */
static const struct end first[] = {
#define XDS_READS_FIRST(client, rule, source) {XDS_CLIENT_##client, XDS_R_##rule},
#include "clients/reading_order.def"
};

/* What kills only where nothing was rejected. */
static const struct end last[] = {
#define XDS_KILLS_LAST(client, rule, source) {XDS_CLIENT_##client, XDS_R_##rule},
#include "clients/reading_order.def"
};

static bool has(const struct end list[], size_t n, enum xds_client client,
                enum xds_rule_id rule)
{
    for (size_t i = 0; i < n; i++)
        if (list[i].client == client && list[i].rule == rule)
            return true;
    return false;
}

static bool reads_first(enum xds_client client, enum xds_rule_id rule)
{
    return has(first, XDS_ARRAY_LEN(first), client, rule);
}

static bool kills_last(enum xds_client client, enum xds_rule_id rule)
{
    return has(last, XDS_ARRAY_LEN(last), client, rule);
}

/* The field before which it is looked for, or "". */
static struct xds_slice early_field(enum xds_client client, enum xds_rule_id rule)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(early); i++)
        if (early[i].client == client && early[i].rule == rule)
            return xds_slice_of(early[i].field);
    return XDS_S("");
}

/* The next step that is a field of a message. */
static bool next_step(struct xds_steps *steps, struct xds_path *out)
{
    while (xds_steps_next(steps, out))
        if (out->seen != XDS_STEP_SAID)
            return true;
    return false;
}

/* A frame may hold several steps. */
static struct xds_slice first_field(const struct xds_path *step)
{
    const struct xds_slice field = xds_slice_of(step->field);

    return field.data ? xds_slice_make(field.data, xds_slice_find(field, '.'))
                      : XDS_S("");
}

/* The position of a field in a list; SIZE_MAX: it is not there. */
static size_t place_of(struct xds_slice field, struct xds_slice list)
{
    struct xds_slice next;

    for (size_t i = 0; list.data; i++) {
        list = xds_slice_cut(list, ' ', &next);
        if (xds_slice_eq(next, field))
            return i;
    }
    return SIZE_MAX;
}

/* Is `a`, which was found later, read before `b`, both below a field of the resource? */
static bool field_is_first(enum xds_client client, struct xds_slice outer,
                           struct xds_slice a, struct xds_slice b)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        const size_t place_a = place_of(a, rows[i].fields);
        const size_t place_b = place_of(b, rows[i].fields);

        if (rows[i].outer && !xds_slice_is(outer, rows[i].outer))
            continue;
        if (rows[i].client == client && place_a != SIZE_MAX && place_b != SIZE_MAX)
            return place_a < place_b;
    }
    return false;
}

/* Does a client that stops at the first fault meet `now`, which was found later, before
 * `then`? Where one is inside of the other they are one fault: what kills, kills. */
static bool is_met_first(enum xds_client client, struct xds_met now, struct xds_met then,
                         bool kills)
{
    const struct xds_slice early_now = early_field(client, now.rule);
    const struct xds_slice early_then = early_field(client, then.rule);
    struct xds_slice outer = XDS_S("");
    struct xds_path a, b;

    while (next_step(&now.at, &a) && next_step(&then.at, &b)) {
        const struct xds_slice field = first_field(&a);

        if (!xds_slice_eq(field, first_field(&b)))
            return field_is_first(client, outer, field, first_field(&b));
        if (outer.len == 0)
            outer = field;
        if (early_now.len != early_then.len &&
            (xds_slice_eq(field, early_now) || xds_slice_eq(field, early_then)))
            return early_now.len > 0;
        if (a.kind == XDS_STEP_INDEX && b.kind == XDS_STEP_INDEX && a.index != b.index)
            return a.index < b.index;
        if (a.kind == XDS_STEP_KEY && !xds_slice_eq(a.key, b.key))
            return false; /* a small map of Go mostly begins with what came first */
    }
    return kills;
}

/* One that reports all faults goes on after each: what kills, kills. */
static bool comes_first(const struct xds_ctx *ctx, size_t reader, bool kills, bool killed,
                        struct xds_met now, struct xds_met then)
{
    const enum xds_client client = ctx->panel->reader[reader].client;

    if (kills != killed &&
        (kills_last(client, now.rule) || kills_last(client, then.rule)))
        return !kills;
    if (reads_first(client, now.rule) != reads_first(client, then.rule))
        return reads_first(client, now.rule);
    if (xds_who(ctx, XDS_DIFF_FAULTS_ALL_READ) >> reader & 1)
        return kills;
    return is_met_first(client, now, then, kills);
}

void xds_order_meet(struct xds_ctx *ctx, const struct xds_path *at, enum xds_rule_id rule,
                    const struct xds_verdict_sets *verdict)
{
    struct xds_first_met *met = ctx->met;
    const bool in_use = xds_rule_row(rule)->crash_in_use;

    if (!met)
        return;
    const xds_readers killed = in_use ? 0 : verdict->of[XDS_CRASH] & ctx->mortal;
    const xds_readers readers = killed | (verdict->of[XDS_NACK] & ctx->mortal);

    if (!readers)
        return;
    const struct xds_met now = {xds_path_copy(ctx->arena, at), rule};

    for (size_t r = 0; r < ctx->panel->n; r++) {
        const xds_readers bit = (xds_readers)1 << r;

        if (!(readers & bit) ||
            (met->any & bit &&
             !comes_first(ctx, r, (killed & bit) != 0, (met->killed & bit) != 0, now,
                          met->first[r])))
            continue;
        met->any |= bit;
        met->killed = (met->killed & ~bit) | (killed & bit);
        met->first[r] = now;
    }
    xds_report_survive(ctx->report, ctx->resource, met->any & ~met->killed);
}
