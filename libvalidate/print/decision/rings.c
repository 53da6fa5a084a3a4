/*
 * rings.c - exact shares, the priorities that were tried, and the rings of ring_hash, as
 * text and as JSON.
 */
#include "print/decision/decision.h"
#include "print/write/document.h"
#include "print/write/json.h"

#include <stdio.h>

/* Lines of a page that is not verbose. */
enum { MANY = 20 };

/* Fractions of a ring have 20 digits: too many for a page. */
enum { READABLE = 1000000 };

static void xds_out_fraction(struct xds_out *out, struct xds_share share)
{
    if (!xds_share_is_exact(share))
        return;
    xds_out_u128(out, share.num);
    xds_out_char(out, '/');
    xds_out_u128(out, share.den);
}

struct xds_short_text xds_share_text(struct xds_share share, double value)
{
    struct xds_short_text out;

    if (!xds_share_is_exact(share) || share.den == 1 || share.den > READABLE)
        return xds_percent(value);
    const unsigned num = (unsigned)share.num, den = (unsigned)share.den;
    const unsigned tenths =
        (unsigned)(((uint64_t)num * 2000 + den) / (2 * (uint64_t)den));
    char rounded[24] = "less than 0.1";

    if (tenths > 0 && tenths % 10 == 0)
        (void)snprintf(rounded, sizeof(rounded), "%u", tenths / 10);
    else if (tenths > 0)
        (void)snprintf(rounded, sizeof(rounded), "%u.%u", tenths / 10, tenths % 10);
    (void)snprintf(out.text, sizeof(out.text), "%u/%u (%s%%)", num, den, rounded);
    return out;
}

void xds_json_share(struct xds_out *out, struct xds_share share)
{
    if (!xds_share_is_exact(share)) {
        xds_json_null(out);
        return;
    }
    xds_json_begin_string(out);
    xds_out_fraction(out, share);
    xds_json_end_string(out);
}

/* Of a long list the last ones are shown: the one in use is there. */
void xds_print_priorities_text(struct xds_out *out, const struct xds_decision *d)
{
    /* Told where there was a choice, or something to wait for. */
    const size_t n =
        (d->pick.n_priorities > 1 ||
         (d->pick.n_priorities == 1 && d->pick.priorities[0].state != XDS_STATE_READY))
            ? d->pick.n_priorities
            : 0;
    const size_t from = out->to->verbose || n <= MANY ? 0 : n - MANY;
    const char *title = n == 1 ? "priority" : "priorities";

    if (from)
        xds_page_line(out, title, "%zu before these fail", from);
    for (size_t i = from; i < n; i++) {
        const struct xds_priority_try *try = &d->pick.priorities[i];
        static const char *const used[] = {
            [XDS_STATE_TRANSIENT_FAILURE] = "fails, and no other is left",
            [XDS_STATE_IDLE] = "used",
            [XDS_STATE_CONNECTING] = "used",
            [XDS_STATE_READY] = "used",
        };

        xds_page_title(out, i == 0 ? title : NULL);
        xds_out_format(out, "%u", try->priority);
        if (d->cluster && !xds_slice_eq(try->leaf, d->cluster->name))
            xds_out_format(out, " of \"%.*s\"", XDS_FMT(try->leaf));
        xds_out_line(out, ": %s; %.*s", try->chosen ? used[try->state] : "skipped",
                     XDS_FMT(try->reason));
    }
}

void xds_print_priorities_json(struct xds_out *out, const struct xds_decision *d)
{
    xds_json_begin_array(out);
    for (size_t i = 0; i < d->pick.n_priorities; i++) {
        const struct xds_priority_try *try = &d->pick.priorities[i];

        xds_json_row(out, "leaf: %.*s, priority: %u, state: %s, chosen: %d, reason: %.*s",
                     XDS_FMT(try->leaf), try->priority, xds_connectivity_name(try->state),
                     try->chosen, XDS_FMT(try->reason));
    }
    xds_json_end_array(out);
}

static const char *entries(size_t n)
{
    return n == 1 ? "entry" : "entries";
}

static const char *what_follows(const struct xds_ring_step *step)
{
    switch (step->host->state) {
    case XDS_STATE_READY:
        return "it is connected and takes the RPC";
    case XDS_STATE_IDLE:
        return "it is asked to connect, and the RPC waits";
    case XDS_STATE_CONNECTING:
        return "it is connecting, and the RPC waits";
    case XDS_STATE_TRANSIENT_FAILURE:
        break;
    }
    return "it cannot be reached, the next on the ring is tried";
}

static void print_ring(struct xds_out *out, const struct xds_ring_use *use, bool all)
{
    const size_t n_members = use->ring->n_members;
    const size_t n = all || n_members <= MANY ? n_members : MANY;

    const struct xds_ring *ring = &use->ring->ring;
    const struct xds_locality *l = use->locality;

    xds_page_title(out, "ring");
    if (l)
        xds_out_format(out, "of locality %.*s/%.*s/%.*s: ", XDS_FMT(l->region),
                       XDS_FMT(l->zone), XDS_FMT(l->sub_zone));
    xds_out_line(out, "%zu %s, sizes from %" PRIu64 " to %" PRIu64 " are allowed",
                 ring->n, entries(ring->n), ring->min, ring->max);
    for (size_t i = 0; i < n; i++) {
        const struct xds_ring_member *member = &use->ring->members[i];
        const struct xds_ring_seat *seat = &use->ring->seats[i];
        const struct xds_slice address =
            xds_host_address(&use->group.hosts[member->host]);
        const unsigned hundredths = (unsigned)(seat->share.value * 10000 + 0.5);

        xds_page_title(out, NULL);
        xds_out_format(out, "%.*s: %zu %s, %u.%u%u%% of the hashes, weight %" PRIu64,
                       XDS_FMT(address), seat->entries, entries(seat->entries),
                       hundredths / 100, hundredths / 10 % 10, hundredths % 10,
                       member->weight);
        if (!xds_slice_eq(address, member->key))
            xds_out_format(out, ", key %.*s", XDS_FMT(member->key));
        xds_out_char(out, '\n');
    }
    if (n < n_members)
        xds_page_line(out, NULL, "... and %zu more", n_members - n);
    for (size_t i = 0; i < use->n_walk; i++) {
        const struct xds_ring_step *step = &use->walk[i];

        xds_page_line(out, NULL, "%s entry %zu, %.*s: %s",
                      i == 0 ? "the hash leads to" : "then", step->index,
                      XDS_FMT(xds_host_address(step->host)),
                      step->taken || step->host->state == XDS_STATE_TRANSIENT_FAILURE
                          ? what_follows(step)
                          : "another endpoint further on, the next is tried");
    }
}

void xds_print_rings_text(struct xds_out *out, const struct xds_decision *d, bool all)
{
    if (d->request.ring && d->pick.n_rings == 0)
        xds_page_line(out, "ring", "none, no hash chooses the host");
    for (size_t i = 0; d->request.ring && i < d->pick.n_rings; i++)
        print_ring(out, &d->pick.rings[i], all);
}

void xds_print_rings_json(struct xds_out *out, const struct xds_decision *d)
{
    if (!d->request.ring) {
        xds_json_null(out);
        return;
    }
    xds_json_begin_array(out);
    for (size_t i = 0; i < d->pick.n_rings; i++) {
        const struct xds_ring_use *use = &d->pick.rings[i];
        const struct xds_ring *ring = &use->ring->ring;

        xds_json_begin_row(out);
        xds_json_locality(out, use->locality);
        xds_json_members(out, "size: %zu, min_size: %" PRIu64 ", max_size: %" PRIu64,
                         ring->n, ring->min, ring->max);
        xds_json_key_text(out, "hash",
                          use->key.has_hash ? xds_u128_text(use->key.hash).text : NULL);
        xds_json_key_u64_or_null(out, "index", use->key.has_hash, use->index);
        xds_json_key_array(out, "hosts");
        for (size_t k = 0; k < use->ring->n_members; k++) {
            const struct xds_ring_member *member = &use->ring->members[k];
            const struct xds_ring_seat *seat = &use->ring->seats[k];

            xds_json_begin_row(out);
            xds_json_members(
                out, "address: %.*s, key: %.*s, weight: %" PRIu64 ", entries: %zu",
                XDS_FMT(xds_host_address(&use->group.hosts[member->host])),
                XDS_FMT(member->key), member->weight, seat->entries);
            xds_json_key(out, "share");
            xds_json_share(out, seat->share);
            xds_json_key_double(out, "probability", seat->share.value);
            xds_json_end_object(out);
        }
        xds_json_end_array(out);
        xds_json_key_array(out, "walk");
        for (size_t j = 0; j < use->n_walk; j++) {
            const struct xds_ring_step *step = &use->walk[j];

            xds_json_row(out, "index: %zu, address: %.*s, state: %s, taken: %d",
                         step->index, XDS_FMT(xds_host_address(step->host)),
                         xds_connectivity_name(step->host->state), step->taken);
        }
        xds_json_end_array(out);
        xds_json_end_object(out);
    }
    xds_json_end_array(out);
}
