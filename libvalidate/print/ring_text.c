/* ring_text.c - the rings of ring_hash as a section of the page. */
#include "print/decision.h"
#include "print/ring.h"

/* Endpoints of a page that is not verbose. */
enum { MANY = 20 };

static void indent(struct xds_out *out)
{
    xds_out_text(out, "              ");
}

static void entries(struct xds_out *out, uint64_t n)
{
    xds_out_u64(out, n);
    xds_out_text(out, n == 1 ? " entry" : " entries");
}

static void percent(struct xds_out *out, struct xds_share share)
{
    const uint64_t hundredths = (uint64_t)(share.value * 10000 + 0.5);

    xds_out_u64(out, hundredths / 100);
    xds_out_char(out, '.');
    xds_out_u64(out, hundredths / 10 % 10);
    xds_out_u64(out, hundredths % 10);
    xds_out_char(out, '%');
}

static void print_size(struct xds_out *out, const struct xds_ring_use *use)
{
    const struct xds_ring *ring = &use->ring->ring;

    if (use->locality) {
        xds_out_text(out, "of locality ");
        xds_out_clean(out, use->locality->region);
        xds_out_char(out, '/');
        xds_out_clean(out, use->locality->zone);
        xds_out_char(out, '/');
        xds_out_clean(out, use->locality->sub_zone);
        xds_out_text(out, ": ");
    }
    entries(out, ring->n);
    xds_out_text(out, ", sizes from ");
    xds_out_u64(out, ring->min);
    xds_out_text(out, " to ");
    xds_out_u64(out, ring->max);
    xds_out_text(out, " are allowed\n");
}

static void print_member(struct xds_out *out, const struct xds_ring_use *use, size_t i)
{
    const struct xds_ring_member *member = &use->ring->members[i];
    const struct xds_slice address = xds_host_address(&use->group.hosts[member->host]);

    indent(out);
    xds_out_clean(out, address);
    xds_out_text(out, ": ");
    entries(out, use->ring->seats[i].entries);
    xds_out_text(out, ", ");
    percent(out, use->ring->seats[i].share);
    xds_out_text(out, " of the hashes, weight ");
    xds_out_u64(out, member->weight);
    if (!xds_slice_eq(address, member->key)) {
        xds_out_text(out, ", key ");
        xds_out_clean(out, member->key);
    }
    xds_out_char(out, '\n');
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

static void print_walk(struct xds_out *out, const struct xds_ring_use *use)
{
    for (size_t i = 0; i < use->n_walk; i++) {
        const struct xds_ring_step *step = &use->walk[i];

        indent(out);
        xds_out_text(out, i == 0 ? "the hash leads to entry " : "then entry ");
        xds_out_u64(out, step->index);
        xds_out_text(out, ", ");
        xds_out_clean(out, xds_host_address(step->host));
        xds_out_text(out, ": ");
        xds_out_text(out, step->taken || step->host->state == XDS_STATE_TRANSIENT_FAILURE
                              ? what_follows(step)
                              : "another endpoint further on, the next is tried");
        xds_out_char(out, '\n');
    }
}

static void print_ring(struct xds_out *out, const struct xds_ring_use *use, bool all)
{
    const size_t n_members = use->ring->n_members;
    const size_t n = all || n_members <= MANY ? n_members : MANY;

    xds_out_styled(out, XDS_STYLE_BOLD, "ring");
    xds_out_text(out, "          ");
    print_size(out, use);
    for (size_t i = 0; i < n; i++)
        print_member(out, use, i);
    if (n < n_members) {
        indent(out);
        xds_out_text(out, "... and ");
        xds_out_u64(out, n_members - n);
        xds_out_text(out, " more\n");
    }
    print_walk(out, use);
}

void xds_print_rings_text(struct xds_out *out, const struct xds_decision *d, bool all)
{
    if (d->request.ring && d->n_rings == 0) {
        xds_out_styled(out, XDS_STYLE_BOLD, "ring");
        xds_out_text(out, "          none, no hash chooses the host\n");
    }
    for (size_t i = 0; d->request.ring && i < d->n_rings; i++)
        print_ring(out, &d->rings[i], all);
}
