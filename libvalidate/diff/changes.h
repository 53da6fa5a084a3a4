/*
 * changes.h - what differs between two snapshots: the record that diff/ fills and print/
 * formats.
 *
 * Texts are in the arena of the comparison. What is not known is an absent slice.
 */
#ifndef XDS_DIFF_CHANGES_H
#define XDS_DIFF_CHANGES_H

#include "base/path.h"

enum xds_side { XDS_SIDE_OLD, XDS_SIDE_NEW, XDS_SIDES };

enum xds_change_kind {
    XDS_CHANGE_ADDED,
    XDS_CHANGE_REMOVED,
    XDS_CHANGE_CHANGED,
    XDS_CHANGE_MOVED, /* an item of a list with an order */
};

struct xds_field_change {
    enum xds_change_kind kind;
    struct xds_slice path;  /* in the new resource; of what was removed, in the old one */
    struct xds_slice owner; /* name of the list item that the field is in */
    struct xds_slice value[XDS_SIDES];    /* absent: not there */
    const struct xds_path *at[XDS_SIDES]; /* NULL: not there */
    size_t index[XDS_SIDES];              /* MOVED: in its list */
    struct xds_place place[XDS_SIDES];    /* line 0: not known */
    bool unread;                          /* by every gRPC client */
};

struct xds_field_changes {
    struct xds_field_change *list;
    size_t n, cap;
    size_t n_more; /* over XDS_MAX_DIFF_CHANGES */
};

struct xds_resource_change {
    enum xds_change_kind kind;
    struct xds_slice type, name;
    struct xds_slice file[XDS_SIDES]; /* absent: not there */
    struct xds_place place[XDS_SIDES];
    struct xds_field_changes fields; /* CHANGED only */
    bool unreadable;                 /* one side cannot be read as xDS */
    bool unread;                     /* nothing of what changed is read by any client */
};

#endif
