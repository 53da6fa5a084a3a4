/* decode.c - the bytes of one resource to one message in an Any. */
#include "decode/decode.h"

#include "decode/builder.h"
#include "decode/untyped.h"
#include "decode/wire.h"

static struct xds_slice type_url_of(const struct xds_resource *in,
                                    struct xds_arena *arena)
{
    const char *name = xds_resource_type_name(in->type);

    if (in->type_url.len)
        return xds_arena_dup(arena, in->type_url);
    if (*name == '\0')
        return XDS_S("");
    return xds_arena_printf(arena, "type.googleapis.com/%s", name);
}

/* The resource is read as an Any whose type is known: "@type" may be in it. */
static bool build_root(struct xds_builder *b, struct xds_any *root)
{
    if (!xds_builder_next(b))
        return false;
    if (b->token.kind != XDS_TOKEN_OBJECT)
        return xds_builder_mismatch(b, "resource", "an object", "");
    return xds_build_any_content(b, root, XDS_AT_TYPE_OPEN);
}

/* Where everything goes, and what helps: kept and names may be NULL. */
struct decoding {
    uint32_t resource;
    struct xds_report *report;
    struct xds_arena *arena;
    struct xds_kept *kept;
    struct xds_names *names;
    unsigned differences;
};

static bool decode_text(const struct xds_resource *in, const struct decoding *how,
                        struct xds_any *root)
{
    struct xds_builder b;

    xds_builder_init(&b, in, how->resource, how->report, how->arena, how->names);
    b.kept = how->kept;
    b.differences = how->differences;
    google__protobuf__any__init(&root->pb);
    xds_any_set_type(root, type_url_of(in, how->arena));
    root->message = NULL;
    if (in->wrapper == XDS_WRAPPER_UNDECODABLE || in->wrapper == XDS_WRAPPER_EMPTY) {
        root->state = XDS_ANY_UNDECODABLE;
        return true;
    }
    if (!build_root(&b, root))
        return false;
    const bool ok = b.ok;
    root->met |= b.met;
    /* Is there nothing after the value? */
    return (!xds_builder_next(&b) && b.token.kind == XDS_TOKEN_END) && ok;
}

static bool decode_binary(const struct xds_resource *in, const struct decoding *how,
                          struct xds_any *root)
{
    struct xds_resource typed;

    if (in->is_untyped && !xds_decode_untyped(in, how->resource, how->report, &typed))
        return false;
    if (in->is_untyped)
        in = &typed;
    const bool has_resource =
        in->wrapper == XDS_WRAPPER_NONE || in->wrapper == XDS_WRAPPER_OK;

    xds_decode_any(how->arena, how->differences, type_url_of(in, how->arena),
                   has_resource ? in->bytes : XDS_S(""), root, how->kept);
    if (!has_resource) {
        root->state = XDS_ANY_UNDECODABLE;
        root->message = NULL;
    }
    return true;
}

static bool decode(const struct xds_resource *in, const struct decoding *how,
                   struct xds_any *root)
{
    switch (in->format) {
    case XDS_FORMAT_BINARY:
        return decode_binary(in, how, root);
    case XDS_FORMAT_JSON:
    case XDS_FORMAT_YAML:
    case XDS_FORMAT_TEXT_PROTO:
        return decode_text(in, how, root);
    }
    return false;
}

bool xds_decode_kept(const struct xds_resource *in, uint32_t resource,
                     struct xds_report *report, struct xds_arena *arena,
                     struct xds_any *root, struct xds_kept *kept)
{
    return decode(in, &(struct decoding){resource, report, arena, kept, kept->names, 0},
                  root);
}

bool xds_decode_as(const struct xds_resource *in, uint32_t resource,
                   struct xds_report *report, struct xds_arena *arena,
                   struct xds_any *root, struct xds_names *names, unsigned differences)
{
    return decode(
        in, &(struct decoding){resource, report, arena, NULL, names, differences}, root);
}

bool xds_decode_with(const struct xds_resource *in, uint32_t resource,
                     struct xds_report *report, struct xds_arena *arena,
                     struct xds_any *root, struct xds_names *names)
{
    return xds_decode_as(in, resource, report, arena, root, names, 0);
}

bool xds_decode(const struct xds_resource *in, uint32_t resource,
                struct xds_report *report, struct xds_arena *arena, struct xds_any *root)
{
    return xds_decode_with(in, resource, report, arena, root, NULL);
}

struct job {
    const struct xds_resource *in;
    struct xds_report *report;
};

static void fire(void *arg)
{
    const struct job *job = arg;
    struct xds_report *report = job->report;

    if (report->of_resource >= XDS_MAX_FINDINGS_PER_RESOURCE)
        report->of_resource = XDS_MAX_FINDINGS_PER_RESOURCE - 1; /* it has room */
    xds_report_at(report, xds_rule_row(XDS_R_DECODE_TOO_LARGE),
                  (uint32_t)report->n_resources - 1, job->in->at,
                  "the input has a resource that needs more than 512 MiB of memory");
}

enum xds_status xds_decode_give_up(const struct xds_resource *in,
                                   struct xds_report *report, bool is_limit)
{
    struct xds_arena *const arenas[] = {&report->arena};
    struct job job = {in, report};

    report->once.now = NULL; /* its finding was not made */
    xds_report_place_rest(report);
    if (!is_limit)
        return XDS_ERR_NO_MEMORY;
    return xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), fire, &job);
}
