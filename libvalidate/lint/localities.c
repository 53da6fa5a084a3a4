/*
 * localities.c - localities that take no part, or are in several priorities.
 *
 * Source: gRFC A27; spec cluster 2.1, 5.6.
 */
#include "base/text.h"
#include "clients/readers.h"
#include "lint/checks.h"

/* ---- without weight ---- */

/* The localities of weight 0 whose hosts are lost, one kind at a time: those that say 0
 * and those that say nothing. */
struct lost {
    size_t localities, endpoints;
    const struct xds_locality *first; /* in the order of the resource */
};

static struct lost lost_of(const struct xds_endpoints *endpoints, bool weight_set)
{
    struct lost out = {.localities = 0};

    for (size_t i = 0; i < endpoints->n_weightless; i++) {
        const struct xds_locality *locality = &endpoints->weightless[i];

        if (locality->n_endpoints == 0 || locality->weight_set != weight_set)
            continue;
        out.localities++;
        out.endpoints += locality->n_endpoints;
        if (!out.first || locality->index < out.first->index)
            out.first = locality;
    }
    return out;
}

static struct xds_slice consequence(const struct xds_inspection *in,
                                    const struct xds_endpoints *endpoints,
                                    const struct lost *lost)
{
    if (endpoints->n_localities == 0)
        return XDS_S("no locality is left, and the RPCs of the cluster fail with "
                     "UNAVAILABLE");
    return xds_arena_printf(in->scratch, "%s %zu endpoint%s get%s no RPCs",
                            lost->localities == 1 ? "its" : "their", lost->endpoints,
                            lost->endpoints == 1 ? "" : "s",
                            lost->endpoints == 1 ? "s" : "");
}

static void report_lost(const struct xds_inspection *in,
                        const struct xds_endpoints *endpoints, const struct lost *lost)
{
    const struct xds_path *at = XDS_AT_I(NULL, "endpoints", lost->first->index);
    const bool drained = lost->first->weight_set && endpoints->n_localities > 0;
    const char *what =
        lost->first->weight_set ? "load_balancing_weight 0" : "no load_balancing_weight";
    const size_t more = lost->localities - 1;
    const struct xds_slice others =
        more == 0 ? XDS_S("")
                  : xds_arena_printf(in->scratch, ", like %zu other%s", more,
                                     more == 1 ? "" : "s");

    (drained ? xds_lint_fire_note : xds_lint_fire)(
        in, lost->first->weight_set ? XDS_AT(at, "load_balancing_weight") : at,
        XDS_R_LINT_LOCALITY_WEIGHTLESS, "the locality has %s%.*s, so gRPC skips it: %.*s",
        what, XDS_FMT(others), XDS_FMT(consequence(in, endpoints, lost)));
}

void xds_check_locality_weights(const struct xds_inspection *in,
                                const struct xds_endpoints *endpoints)
{
    const struct lost unset = lost_of(endpoints, false), zero = lost_of(endpoints, true);

    if (unset.first)
        report_lost(in, endpoints, &unset);
    if (zero.first)
        report_lost(in, endpoints, &zero);
}

/* ---- in several priorities ---- */

/* Lengths keep the parts apart. */
static struct xds_slice name_of(const struct xds_inspection *in,
                                const struct xds_locality *l)
{
    const size_t lengths[] = {l->region.len, l->zone.len};
    const struct xds_slice head = {(const char *)lengths, sizeof lengths};
    struct xds_text name = {.arena = in->scratch};

    xds_text_add(&name, head);
    xds_text_add(&name, l->region);
    xds_text_add(&name, l->zone);
    xds_text_add(&name, l->sub_zone);
    return xds_slice_make(name.data, name.len);
}

static void report_repeated(const struct xds_inspection *in, const struct xds_locality *l,
                            const struct xds_locality *first)
{
    const bool one_is_kept =
        in->report->options.clients & xds_differing(XDS_DIFF_LOCALITY_LAST_PRIORITY);

    if ((one_is_kept ? xds_lint_fire : xds_lint_fire_note)(
            in, XDS_AT_I(NULL, "endpoints", l->index), XDS_R_LINT_LOCALITY_REPEATED,
            "endpoints[%u] repeats the locality of priority %u: java keeps only the last "
            "entry, in the other clients its hosts move to another policy as priorities "
            "change",
            l->index, first->priority))
        xds_lint_relate(in, XDS_AT_I(NULL, "endpoints", first->index),
                        "the entry in priority %u", first->priority);
}

void xds_check_locality_names(const struct xds_inspection *in,
                              const struct xds_endpoints *endpoints)
{
    struct xds_strmap met;

    if (endpoints->n_priorities < 2)
        return;
    xds_strmap_init(&met, in->scratch);
    for (size_t i = 0; i < endpoints->n_localities; i++) {
        const struct xds_locality *l = &endpoints->localities[i];
        void **slot = xds_strmap_at(&met, name_of(in, l));
        const struct xds_locality *first = *slot;

        if (!first)
            *slot = (void *)(uintptr_t)l;
        else if (first->priority != l->priority) {
            report_repeated(in, l, first);
            return;
        }
    }
}
