/* order.h - orders for qsort() and bsearch(). */
#ifndef XDS_BASE_ORDER_H
#define XDS_BASE_ORDER_H

#include "base/slice.h"

/* Of slices: xds_slice_cmp(). */
static inline int xds_slice_order(const void *left, const void *right)
{
    return xds_slice_cmp(*(const struct xds_slice *)left,
                         *(const struct xds_slice *)right);
}

#endif
