/* builder_test.h - for tests: decode a text, and look at the message or the findings.
 */
#ifndef XDS_DECODE_BUILDER_TEST_H
#define XDS_DECODE_BUILDER_TEST_H

#include <criterion/criterion.h>
#include <stdio.h>

#include "base/limits.h"
#include "decode/builder.h"
#include "decode/decode.h"

#define CLUSTER "envoy.config.cluster.v3.Cluster"
#define ROUTES "envoy.config.route.v3.RouteConfiguration"
#define LISTENER "envoy.config.listener.v3.Listener"
#define LOADS "envoy.config.endpoint.v3.ClusterLoadAssignment"
#define STRUCT "xds.type.v3.TypedStruct"
#define ORCA "xds.data.orca.v3.OrcaLoadReport"
#define COOKIE "envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState"

struct decoded {
    struct xds_arena arena;
    struct xds_report *report;
    struct xds_resource in;
    struct xds_any root;
    struct xds_names *names; /* of earlier texts, or NULL */
    bool ok;
    char findings[2048]; /* "line:column-line:column slug: message" per line */
};

static inline void run(void *arg)
{
    struct decoded *d = arg;
    const uint32_t resource =
        xds_report_add_resource(d->report, d->in.type_url, XDS_S("r"), d->in.at);

    d->ok = xds_decode_with(&d->in, resource, d->report, &d->arena, &d->root, d->names);
}

static inline void write_findings(struct decoded *d)
{
    size_t n = 0;

    for (size_t i = 0; i < xds_report_findings(d->report); i++) {
        const struct xds_finding *f = xds_report_finding(d->report, i);

        n += (size_t)snprintf(d->findings + n, sizeof d->findings - n,
                              "%s%u:%u-%u:%u %s: %.*s", i ? "\n" : "", f->at.line,
                              f->at.column, f->at.end_line, f->at.end_column,
                              f->rule->slug, XDS_FMT(f->message));
    }
}

static inline void decode_knowing(struct decoded *d, struct xds_resource in, bool lenient,
                                  struct xds_names *names)
{
    struct xds_options options = {0};

    options.clients = XDS_ALL_CLIENTS;
    options.allow_unknown_fields = lenient;
    *d = (struct decoded){.in = in, .report = xds_report_new(&options), .names = names};
    xds_arena_init(&d->arena, XDS_MAX_DECODED_BYTES);
    struct xds_arena *const arenas[] = {&d->arena, &d->report->arena,
                                        names ? names->arena : NULL};
    cr_assert_eq(xds_arena_guard(arenas, names ? 3 : 2, run, d), XDS_OK);
    write_findings(d);
}

static inline void decode(struct decoded *d, struct xds_resource in, bool lenient)
{
    decode_knowing(d, in, lenient, NULL);
}

static inline void decode_json(struct decoded *d, const char *type, struct xds_slice text)
{
    decode(d,
           (struct xds_resource){.format = XDS_FORMAT_JSON,
                                 .type_url = xds_slice_of(type),
                                 .bytes = text,
                                 .at = {0, 1, 1, 0, 0}},
           false);
}

static inline void release(struct decoded *d)
{
    xds_arena_release(&d->arena);
    xds_report_free(d->report);
}

/* The message of a text that is good. */
static inline const void *decode_good(struct decoded *d, const char *type,
                                      const char *json)
{
    decode_json(d, type, xds_slice_of(json));
    cr_assert(d->ok, "%s: %s", json, d->findings);
    cr_assert_eq(d->root.state, XDS_ANY_TYPED);
    return d->root.message;
}

#endif
