/* walk.h - from tokens of a document to its resources, whatever its shape. */
#ifndef XDS_SOURCE_WALK_H
#define XDS_SOURCE_WALK_H

#include "source/buffer.h"
#include "source/reader.h"
#include "source/shape.h"

#define XDS_WALK_LEVELS 32 /* of containers in containers */

/* Who the first client of a dump says it is; cut where it is longer. */
struct xds_dumped_client {
    bool seen;
    char name[64], version[64];
};

/* See xds_source_client(), which reads it. */
const struct xds_dumped_client *xds_source_dumped(struct xds_source *source);

/* A container that is open. */
struct xds_walk_frame {
    enum xds_place_kind place;
    bool by_name; /* an object whose keys are names */
    bool is_list;
    enum xds_resource_type type; /* of the resources in it */
    struct xds_slice expected;   /* type URL of the response they are in */
    struct xds_slice name;       /* WRAPPER: of its resource */
    enum xds_wrapper wrapper;
    bool looked; /* for what is expected, after the resources */
};

struct xds_walk {
    struct xds_reader *reader;
    const struct xds_buffer *in;
    struct xds_report *report;
    enum xds_format format;
    enum xds_resource_type hint; /* where nothing in the document tells the type */
    struct xds_arena *texts;     /* reset for each document */
    struct xds_dumped_client *client;
    size_t documents; /* begun so far */
    bool complained;  /* of this document: once is enough */
    struct xds_walk_frame frame[XDS_WALK_LEVELS];
    unsigned depth; /* 0: between documents */
};

/* The next resource; false at the end of the input. Runs under a guard of report->arena,
 * texts and the reader's arenas. */
bool xds_walk_next(struct xds_walk *walk, struct xds_resource *out);

#endif
