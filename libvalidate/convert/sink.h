/*
 * sink.h - where a message goes in the JSON mapping: as JSON or as YAML.
 *
 * Events come as in JSON: in an object a key before each value. Both are for eyes: two
 * blanks for each level.
 */
#ifndef XDS_CONVERT_SINK_H
#define XDS_CONVERT_SINK_H

#include <yaml.h>

#include "base/arena.h"
#include "print/out.h"

enum xds_sink_event {
    XDS_SINK_OBJECT,
    XDS_SINK_OBJECT_END,
    XDS_SINK_ARRAY,
    XDS_SINK_ARRAY_END,
    XDS_SINK_KEY,
    XDS_SINK_STRING,
    XDS_SINK_PLAIN, /* a number, true, false or null */
};

struct xds_sink {
    void (*put)(struct xds_sink *, enum xds_sink_event, struct xds_slice text);
    struct xds_out *out;
    bool failed; /* YAML: libyaml has no memory */
    /* JSON */
    unsigned depth;
    bool fresh;     /* nothing is in the innermost bracket yet */
    bool after_key; /* a value on the line of its key */
    /* YAML */
    yaml_emitter_t emitter;
    bool has_emitter;
};

void xds_sink_json(struct xds_sink *sink, struct xds_out *out);
/* One document, without "---". */
void xds_sink_yaml(struct xds_sink *sink, struct xds_out *out);
/* The end of the value; false when there was no memory for it. */
bool xds_sink_finish(struct xds_sink *sink);
/* Gives libyaml's memory back; also in the middle of a value. */
void xds_sink_release(struct xds_sink *sink);

#endif
