/* walk.h - from tokens of a document to its resources, whatever its shape. */
#ifndef XDS_SOURCE_WALK_H
#define XDS_SOURCE_WALK_H

#include "base/slice.h"
#include "source/held.h"
#include "source/reader.h"

/* A place is a place in a document where a value of a certain kind is due. A list at any
 * place holds more values of that place, so "one or many" needs no rows. */

enum xds_place_kind {
    XDS_PLACE_SKIP,            /* nothing of interest */
    XDS_PLACE_DOCUMENT,        /* a container or a bare resource; its keys tell which */
    XDS_PLACE_NAMED,           /* name -> document, as egctl writes */
    XDS_PLACE_SEARCH,          /* of no known shape: an "@type" may be somewhere below */
    XDS_PLACE_ROOT,            /* a container: a response, a dump, a bootstrap, ... */
    XDS_PLACE_RESPONSE_TYPE,   /* the type URL of what is beside it */
    XDS_PLACE_RESOURCE,        /* one resource */
    XDS_PLACE_RESOURCES,       /* resources: a list, or name -> resource */
    XDS_PLACE_ANYS,            /* resources of a response */
    XDS_PLACE_WRAPPER,         /* {name, resource} */
    XDS_PLACE_BOOTSTRAP,       /* envoy.config.bootstrap.v3.Bootstrap */
    XDS_PLACE_STATIC,          /* its static_resources */
    XDS_PLACE_DUMP,            /* one envoy.admin.v3...ConfigDump */
    XDS_PLACE_DUMP_ENTRY,      /* an entry of its lists, or the state of an entry */
    XDS_PLACE_CLIENT,          /* envoy.service.status.v3.ClientConfig */
    XDS_PLACE_SCOPE,           /* its client_scope */
    XDS_PLACE_NODE,            /* its envoy.config.core.v3.Node: who it is */
    XDS_PLACE_NODE_ID,         /* id of that */
    XDS_PLACE_METADATA,        /* metadata of that */
    XDS_PLACE_BOOTSTRAP_NAMES, /* XDS_BOOTSTRAP_KEY of that */
    XDS_PLACE_AGENT_NAME,      /* user_agent_name of that */
    XDS_PLACE_AGENT_VERSION,   /* user_agent_version */
    XDS_PLACE_PER_XDS,         /* ... PerXdsConfig */
    XDS_PLACE_GENERIC,         /* ... ClientConfig.GenericXdsConfig */
    XDS_PLACE_ERROR,           /* envoy.admin.v3.UpdateFailureState */
};

struct xds_shape {
    enum xds_place_kind in;
    const char *key; /* in snake_case; lowerCamelCase matches as well */
    enum xds_place_kind to;
    enum xds_resource_type type; /* of the resources there; UNKNOWN: it does not tell */
};

/* Resources that gRPC does not read. */
#define XDS_SECRET "envoy.extensions.transport_sockets.tls.v3.Secret"
#define XDS_RUNTIME "envoy.service.runtime.v3.Runtime"
#define XDS_EXTENSION "envoy.config.core.v3.TypedExtensionConfig"

/* True when key is `snake` or its lowerCamelCase form. */
bool xds_shape_key_is(struct xds_slice key, const char *snake);
/* The row of a key at a place, or NULL: then the value is of no interest. */
const struct xds_shape *xds_shape_find(enum xds_place_kind in, struct xds_slice key);
/* Our own settings, which have no key that tells them apart. */
bool xds_is_settings(struct xds_slice file);
/* A key without a row that is another or a misspelt name of a list of resources. Other
 * tools may have keys of their own, but not for a list or map. */
struct xds_misspelt {
    const char *meant; /* NULL: it is none */
    struct xds_slice key;
    struct xds_place at;
};

void xds_misspelt_look(struct xds_reader *reader, struct xds_arena *arena,
                       enum xds_place_kind in, const struct xds_token *key,
                       struct xds_misspelt *out);
/* Once its value has begun. */
void xds_misspelt_report(struct xds_report *report, const struct xds_misspelt *misspelt,
                         const struct xds_token *value);
/* True for the message types that are containers, by type URL. */
bool xds_shape_is_container(struct xds_slice type_url);
/* Is it a google.protobuf.Any's of envoy.service.discovery.v3.Resource? */
bool xds_is_wrapper(struct xds_slice type_url);
/* True for containers, resources and what wraps them: not for other messages in an Any.
 */
bool xds_shape_is_xds(struct xds_slice type_url);
/* What is wrong with a type URL that is none of those, but was meant to be: "...; did you
 * mean ...?"; absent where it is another type. */
struct xds_slice xds_shape_why_not(struct xds_arena *arena, struct xds_slice type_url);
/* Keys that mark a container and that other documents have as well. */
bool xds_shape_is_common(const struct xds_shape *shape);
/* True for the keys with which ClusterLoadAssignments begin, not LocalityLbEndpoints. */
bool xds_shape_is_assignment_key(struct xds_slice key);

/* A key that encoding/json of Go writes, and protobuf does not. */
bool xds_shape_is_go(struct xds_slice key);
/* Has the text marks that must be replaced before it is read? */
bool xds_shape_is_template(struct xds_slice text);
void xds_report_no_type(struct xds_report *report, struct xds_place at,
                        struct xds_slice why);

/* Objects in objects that are searched for an "@type". */
#define XDS_SEARCH_LEVELS 4

/* Is the first value of an object that was just entered, a map, one with an "@type" of
 * xDS, or are the objects in it? Comes back to its first key. */
bool xds_leads_to_type(struct xds_reader *reader);

struct xds_probe {
    enum xds_place_kind
        place;           /* DOCUMENT, where it may be a container, SEARCH, RESOURCE */
    bool typed;          /* its keys need not tell the type */
    bool know_endpoints; /* its "endpoints" are no list of resources */
    bool container;
    enum xds_resource_type tells; /* a key that only this type has */
    const char *tells_other;      /* the same, of a type that gRPC does not read */
    unsigned halves[2];           /* of the rows of what is not xDS */
    struct xds_slice kind;        /* of a Kubernetes object */
    struct xds_slice type_url, name;
    struct xds_slice packed;       /* "type_url" of an Any that is not written out, */
    struct xds_slice packed_value; /* and its "value", as long as the step; or absent */
    bool has_resource;
    enum xds_token_kind resource; /* the kind of the value of "resource" */
};

/* An Any by itself that is not written out, as encoding/json prints it. */
bool xds_shape_is_packed(const struct xds_probe *found);
/* What to do with a map of such resources, none of which says its type. */
struct xds_slice xds_shape_map_advice(struct xds_arena *arena,
                                      enum xds_resource_type type);

/* The place of what is in a list, or under a name. */
enum xds_place_kind xds_shape_item_place(enum xds_place_kind place);
/* The bytes of an Any that is not written out: JSON has them in base64. False when they
 * are not that. */
bool xds_probe_bytes(const struct xds_reader *reader, const struct xds_probe *found,
                     struct xds_slice *out);

#define XDS_WALK_LEVELS 32 /* of containers in containers */

/* A container that is open. */
struct xds_walk_frame {
    enum xds_place_kind place;
    bool by_name; /* an object whose keys are names */
    bool is_list;
    enum xds_resource_type type; /* of the resources in it */
    struct xds_slice expected;   /* type URL of the response they are in */
    struct xds_slice name;       /* WRAPPER: of its resource */
    enum xds_wrapper wrapper;
    bool looked;      /* for what is expected, after the resources */
    bool is_static;   /* below a key such as static_resources */
    bool in_client;   /* of a ClientConfig */
    bool in_entry;    /* of a dump: its resources are what walk->entry says */
    bool is_rejected; /* what is in it, a client did not accept */
};

struct xds_walk {
    struct xds_reader *reader;
    const struct xds_buffer *in;
    struct xds_report *report;
    enum xds_format format;
    enum xds_resource_type hint; /* where nothing in the document tells the type */
    const char *other_hint;  /* the same, of a type that gRPC does not read, or NULL */
    bool in_folder;          /* what is not xDS is counted there, and no fault */
    struct xds_arena *texts; /* reset for each document */
    struct xds_dumped_client *client;
    struct xds_arena *entries;     /* reset for each entry of a dump */
    struct xds_held_entry entry;   /* the latest one */
    struct xds_held held;          /* of the resource that is taken */
    size_t documents;              /* begun so far */
    bool in_static;                /* the key that was read is such a one */
    bool complained;               /* of this document: once is enough */
    bool has_xds;                  /* a resource, or a key that only xDS has */
    bool has_go;                   /* a key that Go writes and protobuf does not */
    enum xds_resource_type inside; /* what is searched has some of it without a type */
    bool is_template;              /* of the input: its further faults say nothing */
    size_t looked;                 /* no sign of a template is before this offset */
    struct xds_place vague;    /* a container whose keys others have as well; or line 0 */
    unsigned search;           /* depth of the object that is searched; 0: none is */
    struct xds_place searched; /* where it begins */
    struct xds_walk_frame frame[XDS_WALK_LEVELS];
    unsigned depth; /* 0: between documents */
};

/* The next resource; false at the end of the input. Runs under a guard of report->arena,
 * texts and the reader's arenas. */
bool xds_walk_next(struct xds_walk *walk, struct xds_resource *out);

#endif
