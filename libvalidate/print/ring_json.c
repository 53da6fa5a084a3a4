/* ring_json.c - the rings of ring_hash as the value of "rings". */
#include "print/decision.h"
#include "print/json_member.h"
#include "print/ring.h"

static void write_locality(struct xds_out *out, const struct xds_locality *locality)
{
    xds_json_key(out, "locality");
    if (!locality) {
        xds_json_null(out);
        return;
    }
    xds_json_begin_object(out);
    xds_json_key_string(out, "region", locality->region);
    xds_json_key_string(out, "zone", locality->zone);
    xds_json_key_string(out, "sub_zone", locality->sub_zone);
    xds_json_end_object(out);
}

static void write_member(struct xds_out *out, const struct xds_ring_use *use, size_t i)
{
    const struct xds_ring_member *member = &use->ring->members[i];
    const struct xds_ring_seat *seat = &use->ring->seats[i];

    xds_json_line(out);
    xds_json_begin_object(out);
    xds_json_key_string(out, "address",
                        xds_host_address(&use->group.hosts[member->host]));
    xds_json_key_string(out, "key", member->key);
    xds_json_key_u64(out, "weight", member->weight);
    xds_json_key_u64(out, "entries", seat->entries);
    xds_json_key(out, "share");
    xds_json_share(out, seat->share);
    xds_json_key(out, "probability");
    xds_json_double(out, seat->share.value);
    xds_json_end_object(out);
}

static void write_step(struct xds_out *out, const struct xds_ring_step *step)
{
    xds_json_line(out);
    xds_json_begin_object(out);
    xds_json_key_u64(out, "index", step->index);
    xds_json_key_string(out, "address", xds_host_address(step->host));
    xds_json_key_text(out, "state", xds_connectivity_name(step->host->state));
    xds_json_key_bool(out, "taken", step->taken);
    xds_json_end_object(out);
}

/* The hash is text: JSON numbers lose digits in many readers. */
static void write_search(struct xds_out *out, const struct xds_ring_use *use)
{
    xds_json_key(out, "hash");
    if (use->key.has_hash) {
        xds_json_begin_string(out);
        xds_out_u128(out, use->key.hash);
        xds_json_end_string(out);
        xds_json_key_u64(out, "index", use->index);
    } else {
        xds_json_null(out);
        xds_json_key(out, "index");
        xds_json_null(out);
    }
}

static void write_ring(struct xds_out *out, const struct xds_ring_use *use)
{
    const struct xds_ring *ring = &use->ring->ring;

    xds_json_line(out);
    xds_json_begin_object(out);
    write_locality(out, use->locality);
    xds_json_key_u64(out, "size", ring->n);
    xds_json_key_u64(out, "min_size", ring->min);
    xds_json_key_u64(out, "max_size", ring->max);
    write_search(out, use);
    xds_json_key(out, "hosts");
    xds_json_begin_array(out);
    for (size_t i = 0; i < use->ring->n_members; i++)
        write_member(out, use, i);
    xds_json_end_array(out);
    xds_json_key(out, "walk");
    xds_json_begin_array(out);
    for (size_t i = 0; i < use->n_walk; i++)
        write_step(out, &use->walk[i]);
    xds_json_end_array(out);
    xds_json_end_object(out);
}

void xds_print_rings_json(struct xds_out *out, const struct xds_decision *d)
{
    if (!d->request.ring) {
        xds_json_null(out);
        return;
    }
    xds_json_begin_array(out);
    for (size_t i = 0; i < d->n_rings; i++)
        write_ring(out, &d->rings[i]);
    xds_json_end_array(out);
}
