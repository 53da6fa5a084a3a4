/*
 * shape.h - the container shapes in which tools write snapshots, as a table.
 *
 * A place is a place in a document where a value of a certain kind is due. A list at any
 * place holds more values of that place, so "one or many" needs no rows.
 */
#ifndef XDS_SOURCE_SHAPE_H
#define XDS_SOURCE_SHAPE_H

#include "base/slice.h"

enum xds_place_kind {
    XDS_PLACE_SKIP,          /* nothing of interest */
    XDS_PLACE_DOCUMENT,      /* a container or a bare resource; its keys tell which */
    XDS_PLACE_NAMED,         /* name -> document, as egctl writes */
    XDS_PLACE_ROOT,          /* a container: a response, a dump, a bootstrap, ... */
    XDS_PLACE_RESPONSE_TYPE, /* the type URL of what is beside it */
    XDS_PLACE_RESOURCE,      /* one resource */
    XDS_PLACE_RESOURCES,     /* resources: a list, or name -> resource */
    XDS_PLACE_ANYS,          /* resources of a response */
    XDS_PLACE_WRAPPER,       /* {name, resource} */
    XDS_PLACE_BOOTSTRAP,     /* envoy.config.bootstrap.v3.Bootstrap */
    XDS_PLACE_STATIC,        /* its static_resources */
    XDS_PLACE_DUMP,          /* one envoy.admin.v3...ConfigDump */
    XDS_PLACE_DUMP_ENTRY,    /* an entry of its lists, or the state of an entry */
    XDS_PLACE_CLIENT,        /* envoy.service.status.v3.ClientConfig */
    XDS_PLACE_NODE,          /* its envoy.config.core.v3.Node: who it is */
    XDS_PLACE_AGENT_NAME,    /* user_agent_name of that */
    XDS_PLACE_AGENT_VERSION, /* user_agent_version */
    XDS_PLACE_PER_XDS,       /* ... PerXdsConfig */
    XDS_PLACE_GENERIC,       /* ... ClientConfig.GenericXdsConfig */
};

struct xds_shape {
    enum xds_place_kind in;
    const char *key; /* in snake_case; lowerCamelCase matches as well */
    enum xds_place_kind to;
    enum xds_resource_type type; /* of the resources there; UNKNOWN: it does not tell */
};

/* The row of a key at a place, or NULL: then the value is of no interest. */
const struct xds_shape *xds_shape_find(enum xds_place_kind in, struct xds_slice key);
/* True when key is `snake` or its lowerCamelCase form. */
bool xds_shape_key_is(struct xds_slice key, const char *snake);
/* True for the message types that are containers, by type URL. */
bool xds_shape_is_container(struct xds_slice type_url);
/* True for google.protobuf.Any's of envoy.service.discovery.v3.Resource. */
bool xds_shape_is_wrapper(struct xds_slice type_url);
/* True for the keys with which ClusterLoadAssignments begin, not LocalityLbEndpoints. */
bool xds_shape_is_assignment_key(struct xds_slice key);

#endif
