/*
 * convert.c - resources in another format, one after the other.
 *
 * Fails:  what cannot be decoded becomes findings; what the format cannot say is counted.
 */
#include <stdlib.h>

#include "convert/inner.h"
#include "decode/builder.h"
#include "source/walk.h"

struct xds_convert *xds_convert_new(struct xds_report *report,
                                    const struct xds_convert_options *options,
                                    const struct xds_printer *to)
{
    static const struct xds_form *const forms[] = {
        [XDS_FORMAT_JSON] = &xds_form_json,
        [XDS_FORMAT_YAML] = &xds_form_yaml,
        [XDS_FORMAT_BINARY] = &xds_form_binary,
        [XDS_FORMAT_TEXT_PROTO] = &xds_form_text,
    };
    struct xds_convert *c = calloc(1, sizeof *c);

    if (!c)
        return NULL;
    c->report = report;
    c->options = *options;
    c->form = forms[options->format];
    xds_out_init(&c->out, to);
    xds_arena_init(&c->decode, XDS_MAX_DECODED_BYTES);
    xds_arena_init(&c->held, 0);
    xds_names_init(&c->names, &c->held);
    return c;
}

void xds_convert_free(struct xds_convert *convert)
{
    if (!convert)
        return;
    xds_arena_release(&convert->decode);
    xds_arena_release(&convert->held);
    free(convert);
}

struct job {
    struct xds_convert *convert;
    const struct xds_resource *in;
};

/* One resource into a text of its own. */
static struct xds_slice render(const struct job *job, const struct xds_any *root,
                               struct xds_page *page)
{
    struct xds_convert *c = job->convert;
    struct xds_text text = {.arena = &c->decode};
    const struct xds_printer printer = xds_text_printer(&text);
    struct xds_out *out = xds_arena_alloc(&c->decode, sizeof *out);

    xds_out_init(out, &printer);
    c->form->render(c, job->in, root, out, page);
    (void)!xds_out_finish(out);
    return xds_slice_make(text.data, text.len);
}

/* The first one is held until it is known whether there are more. Those after it are
 * written as they are rendered, unless their length has to be known before. */
static void write_page(const struct job *job, const struct xds_any *root,
                       struct xds_page *page)
{
    struct xds_convert *c = job->convert;

    if (c->n == 0 || c->form->has_lengths)
        page->text = render(job, root, page);
    if (c->n == 0) {
        c->first = *page;
        c->first.text = xds_arena_dup(&c->held, page->text);
        c->first.type_url = xds_arena_dup(&c->held, page->type_url);
        c->n = 1;
        return;
    }
    if (c->n++ == 1) {
        c->form->open(c);
        xds_form_item(c, &c->first, true);
    }
    if (c->form->has_lengths) {
        xds_form_item(c, page, false);
        return;
    }
    c->form->begin(c, page, false);
    c->form->render(c, job->in, root, &c->out, page);
    c->form->end(c, page);
}

static void add_lost(struct xds_convert *c, struct xds_place at, struct xds_slice words)
{
    if (c->n_parts < XDS_MAX_LOST_NAMED)
        c->part[c->n_parts++] =
            (struct xds_lost_part){at, xds_arena_dup(&c->held, words)};
    c->lost++;
}

/* A wrapper without a resource has its type from the response around it. */
static bool needs_response(const struct xds_resource *in, const struct xds_any *root)
{
    return (in->wrapper == XDS_WRAPPER_EMPTY || in->wrapper == XDS_WRAPPER_UNDECODABLE) &&
           *root->pb.type_url != '\0';
}

/* The type that a format has no place for. */
static void find_lost_type(struct xds_convert *c, const struct xds_resource *in,
                           const struct xds_any *root)
{
    const enum xds_format to = c->options.format;

    if (needs_response(in, root) && to == XDS_FORMAT_YAML)
        add_lost(c, in->at,
                 XDS_S("the type of a Resource without a resource is that of the "
                       "response, which YAML does not have"));
    if ((in->wrapper == XDS_WRAPPER_OK || in->wrapper == XDS_WRAPPER_NONE) &&
        *root->pb.type_url == '\0' && to != XDS_FORMAT_BINARY)
        add_lost(c, in->at,
                 XDS_S("the resource has no type, without which only binary is read"));
    if (root->state == XDS_ANY_UNKNOWN &&
        xds_shape_why_not(&c->decode, xds_slice_of(root->pb.type_url)).data)
        add_lost(c, in->at,
                 XDS_S("a type that is nearly one of xDS is only read in a response of "
                       "another type"));
}

static void find_lost(struct xds_convert *c, const struct xds_resource *in,
                      const struct xds_any *any)
{
    struct xds_lost lost = {
        .arena = &c->decode,
        .kept = &c->kept,
        .bytes = in->format == XDS_FORMAT_BINARY ? in->bytes : xds_slice_make(NULL, 0),
        .from = in->format,
        .to = c->options.format};

    xds_lost_find(&lost, any);
    for (size_t i = 0; i < lost.n && i < XDS_MAX_LOST_NAMED; i++)
        add_lost(c, in->at, lost.words[i]);
    if (lost.n > XDS_MAX_LOST_NAMED)
        c->lost += lost.n - XDS_MAX_LOST_NAMED;
    if (c->kept.n_unknown == 0)
        return;
    add_lost(c, c->kept.unknown_at, c->kept.unknown);
    c->lost += c->kept.n_unknown - 1;
}

static ProtobufCBinaryData bytes_of(struct xds_convert *c, const struct xds_resource *in)
{
    ProtobufCBinaryData bytes = {in->bytes.len,
                                 xds_arena_alloc(&c->decode, in->bytes.len)};

    if (in->bytes.len)
        memcpy(bytes.data, in->bytes.data, in->bytes.len);
    return bytes;
}

/* An Any of a Resource wrapper, without its message. */
static struct xds_any *new_wrapper(struct xds_convert *c)
{
    struct xds_any *any = XDS_NEW(&c->decode, struct xds_any);

    google__protobuf__any__init(&any->pb);
    xds_any_set_type(any,
                     XDS_S("type.googleapis.com/envoy.service.discovery.v3.Resource"));
    return any;
}

/* The wrapper's resource, or NULL. Bytes that go into bytes stay as they are. */
static pb_any *wrapped_any(struct xds_convert *c, const struct xds_resource *in,
                           struct xds_any *root)
{
    if (in->wrapper == XDS_WRAPPER_EMPTY)
        return NULL;
    if (in->format == XDS_FORMAT_BINARY && c->options.format == XDS_FORMAT_BINARY) {
        root->state = XDS_ANY_UNKNOWN;
        root->pb.value = bytes_of(c, in);
    }
    return &root->pb;
}

static struct xds_any *wrap(struct xds_convert *c, const struct xds_resource *in,
                            struct xds_any *root)
{
    pb_resource *resource = XDS_NEW(&c->decode, pb_resource);
    struct xds_any *any = new_wrapper(c);

    envoy__service__discovery__v3__resource__init(resource);

    const struct xds_slice text = in->name;
    char *copy = xds_arena_zero(&c->decode, text.len + 1, 1);

    if (text.len)
        memcpy(copy, text.data, text.len);
    resource->name = copy;
    resource->resource = wrapped_any(c, in, root);
    any->state = XDS_ANY_TYPED;
    any->message = &resource->base;
    return any;
}

/* A wrapper of bytes that are none is known by them; of a text, nothing is. */
static struct xds_any *undecodable(struct xds_convert *c, const struct xds_resource *in)
{
    struct xds_any *any = new_wrapper(c);

    if (in->format != XDS_FORMAT_BINARY)
        return NULL;
    any->state = XDS_ANY_UNDECODABLE;
    any->pb.value = bytes_of(c, in);
    return any;
}

/* What is written for a resource: itself, or in its wrapper, which may have a name for
 * it. NULL when there is nothing to write. */
static struct xds_any *choose_any(struct xds_convert *c, const struct xds_resource *in,
                                  struct xds_any *root)
{
    switch (in->wrapper) {
    case XDS_WRAPPER_UNDECODABLE:
        return undecodable(c, in);
    case XDS_WRAPPER_EMPTY:
        return c->options.bare ? NULL : wrap(c, in, root);
    case XDS_WRAPPER_OK:
        return c->options.bare ? root : wrap(c, in, root);
    case XDS_WRAPPER_NONE:
        break;
    }
    return root;
}

static void convert_resource(void *arg)
{
    const struct job *job = arg;
    struct xds_convert *c = job->convert;
    const struct xds_resource *in = job->in;
    struct xds_any root = {0};
    const uint32_t resource = xds_report_add_resource(
        c->report, xds_slice_of(xds_resource_type_name(in->type)), in->name, in->at);

    xds_kept_init(&c->kept, &c->decode);
    c->kept.names = &c->names;
    if (!xds_decode_kept(in, resource, c->report, &c->decode, &root, &c->kept)) {
        xds_report_name_resource(c->report, resource, root.type, in->name);
        xds_locate(in, c->report, &c->decode);
        return;
    }
    const struct xds_any *any = choose_any(c, in, &root);
    if (!any) {
        add_lost(c, in->at, XDS_S("the Resource has no resource in it"));
        return;
    }
    find_lost(c, in, any);
    find_lost_type(c, in, &root);
    struct xds_page page = {
        .type_url = xds_slice_of(any->pb.type_url),
        .packed = any->state != XDS_ANY_TYPED || !xds_text_is_open(any),
        .needs_response = needs_response(in, &root),
    };

    write_page(job, any, &page);
    if (page.levels > XDS_MAX_NESTING)
        add_lost(c, in->at, xds_lost_too_deep(&c->decode, any));
    /* The type URL of what is in the wrappers is that of the response. */
    const struct xds_slice type_url = xds_slice_of(root.pb.type_url);

    if (c->n == 1)
        c->type_url = xds_arena_dup(&c->held, type_url);
    else if (!xds_slice_eq(type_url, c->type_url))
        c->types_differ = true;
    /* A response of a type that no client reads would hide the wrapper. */
    if (any != &root && root.state == XDS_ANY_UNKNOWN)
        c->types_differ = true;
}

enum xds_status xds_convert_resource(struct xds_convert *convert,
                                     const struct xds_resource *in)
{
    struct xds_arena *const arenas[] = {&convert->decode, &convert->held,
                                        &convert->report->arena};
    struct job job = {convert, in};

    if (convert->options.bare && convert->n > 0)
        return XDS_ERR_USAGE;
    if (convert->report->n_resources >= XDS_MAX_RESOURCES)
        return XDS_END;
    xds_arena_reset(&convert->decode);
    const enum xds_status status =
        xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), convert_resource, &job);
    if (status != XDS_OK)
        return xds_decode_give_up(in, convert->report, convert->decode.full);
    return XDS_OK;
}

enum xds_status xds_convert_finish(struct xds_convert *convert)
{
    if (convert->n == 1) {
        convert->form->alone(convert, &convert->first);
    } else {
        if (convert->n == 0)
            convert->form->open(convert);
        convert->form->close(convert);
    }
    return xds_out_finish(&convert->out);
}

size_t xds_convert_lost(const struct xds_convert *convert, struct xds_place *first)
{
    *first = convert->part[0].at;
    return convert->lost;
}

bool xds_convert_lost_part(const struct xds_convert *convert, size_t i,
                           struct xds_place *at, struct xds_slice *words)
{
    if (i >= convert->n_parts)
        return false;
    *at = convert->part[i].at;
    *words = convert->part[i].words;
    return true;
}
