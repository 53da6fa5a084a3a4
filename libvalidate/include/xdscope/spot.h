/* spot.h - what is at a position of a text: which field, who reads it, what it names. */
#ifndef XDSCOPE_SPOT_H
#define XDSCOPE_SPOT_H

#include "check.h"

/* A field at a position, by its name or by a plain value of it. Static texts, but those
 * in slices, which live as long as the spot. */
struct xds_spot {
    struct xds_place key;   /* where the name of the field is; line 0: nowhere */
    struct xds_place value; /* of a plain value; line 0: it has none, or several */
    const char *message;    /* "envoy.config.route.v3.RouteAction" */
    const char *field;      /* "cluster" */
    const char *type;       /* "string", "google.protobuf.Duration" */
    bool is_list, is_deprecated;
    bool has_readers; /* who reads it is known: */
    unsigned readers; /* a mask of clients */
    const char *hint; /* what follows where it is not read, or NULL */
    /* The type of the resources that the value is a name of, XDS_TYPE_UNKNOWN: of none.
     */
    enum xds_resource_type names;
    bool is_own;           /* it is the name of the resource that it is in */
    struct xds_slice text; /* the plain value, unescaped; or absent */
};

/* What is at a line and column of an input, from 1 and in code points; name and type as
 * for xds_source_add_bytes() and xds_source_new(). *out is NULL where nothing is known,
 * as in what is no xDS. */
XDS_API XDS_MUST_USE enum xds_status xds_spot_new(const char *name, struct xds_slice text,
                                                  enum xds_resource_type type,
                                                  uint32_t line, uint32_t column,
                                                  struct xds_spot **out);
XDS_API void xds_spot_free(struct xds_spot *spot);

#endif
