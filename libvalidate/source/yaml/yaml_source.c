/*
 * yaml_source.c - documents of YAML text as tokens of the container levels.
 *
 * Fails:  with faults; a syntax error ends its document, the next one is read.
 * Source: YAML 1.2.2.
 */
#include "source/yaml/yaml_source.h"

#include "base/limits.h"

static struct xds_yaml *yaml_of(struct xds_recorder *recorder)
{
    return (struct xds_yaml *)recorder;
}

static bool yaml_begin(struct xds_recorder *recorder)
{
    return xds_yaml_events_begin(&yaml_of(recorder)->events);
}

static void yaml_next(struct xds_recorder *recorder, struct xds_token *out)
{
    struct xds_yaml_events *events = &yaml_of(recorder)->events;

    xds_yaml_events_next(events, out);
    recorder->over = events->failed;
    recorder->oversize = events->chunk.too_large;
}

static void yaml_renew(struct xds_recorder *recorder)
{
    yaml_of(recorder)->events.alias_budget = XDS_MAX_ALIAS_TOKENS;
}

static size_t yaml_pos(const struct xds_recorder *recorder)
{
    return ((const struct xds_yaml *)recorder)->events.chunk.pos;
}

void xds_yaml_open(struct xds_yaml *yaml, struct xds_buffer *in,
                   struct xds_arena *scratch)
{
    static const struct xds_recorder_ops ops = {
        .begin = yaml_begin,
        .next = yaml_next,
        .renew = yaml_renew,
        .pos = yaml_pos,
    };

    xds_recorder_open(&yaml->recorder, &ops, in, scratch);
    xds_yaml_events_open(&yaml->events, in, &yaml->document);
}

void xds_yaml_release(struct xds_yaml *yaml)
{
    xds_yaml_events_close(&yaml->events);
    xds_arena_release(&yaml->document);
    xds_recorder_release(&yaml->recorder);
}
