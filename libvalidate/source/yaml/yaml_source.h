/* yaml_source.h - documents of YAML text as tokens of the container levels. */
#ifndef XDS_SOURCE_YAML_YAML_SOURCE_H
#define XDS_SOURCE_YAML_YAML_SOURCE_H

#include "source/recorder.h"
#include "source/yaml/yaml_events.h"

struct xds_yaml {
    struct xds_recorder recorder; /* first member */
    struct xds_yaml_events events;
    struct xds_arena document;
};

/* The first time, all zero. */
void xds_yaml_open(struct xds_yaml *yaml, struct xds_buffer *in,
                   struct xds_arena *scratch);
void xds_yaml_release(struct xds_yaml *yaml);

#endif
