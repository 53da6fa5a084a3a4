/* ring_share.c - exact fractions as text. */
#include "print/ring.h"

/* Fractions of a ring have 20 digits: too many for a page. */
enum { READABLE = 1000000 };

void xds_out_fraction(struct xds_out *out, struct xds_share share)
{
    if (!xds_share_is_exact(share))
        return;
    xds_out_u128(out, share.num);
    xds_out_char(out, '/');
    xds_out_u128(out, share.den);
}

bool xds_out_share(struct xds_out *out, struct xds_share share)
{
    if (!xds_share_is_exact(share) || share.den == 1 || share.den > READABLE)
        return false;
    const uint64_t num = (uint64_t)share.num, den = (uint64_t)share.den;
    const uint64_t tenths = (num * 2000 + den) / (2 * den); /* of a percent, rounded */

    xds_out_fraction(out, share);
    if (tenths == 0) {
        xds_out_text(out, " (less than 0.1%)");
        return true;
    }
    xds_out_text(out, " (");
    xds_out_u64(out, tenths / 10);
    if (tenths % 10) {
        xds_out_char(out, '.');
        xds_out_u64(out, tenths % 10);
    }
    xds_out_text(out, "%)");
    return true;
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
