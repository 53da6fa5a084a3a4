/*
 * form.c - how resources are combined in JSON, YAML, text proto and binary.
 *
 * Source: envoy.service.discovery.v3.DiscoveryResponse.
 */
#include "convert/inner.h"

#include "convert/pack.h"

#define GOOGLE_PREFIX "type.googleapis.com/"

static void render_mapping(struct xds_convert *c, const struct xds_resource *in,
                           const struct xds_any *root, struct xds_out *out,
                           struct xds_page *page)
{
    struct xds_mapping mapping = {
        .sink = &c->sink,
        .arena = &c->decode,
        .kept = &c->kept,
        .json_names = c->options.json_names,
        .of_json = in->format == XDS_FORMAT_JSON || in->format == XDS_FORMAT_YAML,
    };

    xds_out_blanks(out, page->indent);
    if (c->options.format == XDS_FORMAT_JSON)
        xds_sink_json(&c->sink, out, page->indent);
    else
        xds_sink_yaml(&c->sink, out, &c->decode);
    xds_mapping_any(&mapping, root);
    page->levels = mapping.most_levels;
}

static void json_open(struct xds_convert *c)
{
    xds_out_text(&c->out, "{\n  \"resources\": [");
}

static void json_begin(struct xds_convert *c, struct xds_page *page, bool is_first)
{
    xds_out_text(&c->out, is_first ? "\n" : ",\n");
    page->indent = 4;
}

static void end_nothing(struct xds_convert *c, const struct xds_page *page)
{
    (void)c;
    (void)page;
}

/* Does its name alone say what the type URL is? */
static bool is_canonical(struct xds_slice type_url)
{
    const size_t name = xds_any_type_name(type_url).len;

    return type_url.len - name == strlen(GOOGLE_PREFIX) &&
           xds_slice_starts(type_url, XDS_S(GOOGLE_PREFIX));
}

/* The type URL that all resources have. Another one than the canonical is not written as
 * that of the response: clients would compare it with what it should be. */
static bool has_type_url(const struct xds_convert *c)
{
    return is_canonical(c->type_url) && !c->types_differ;
}

static void json_close(struct xds_convert *c)
{
    xds_out_text(&c->out, c->n ? "\n  ]" : "]");
    if (has_type_url(c)) {
        xds_out_text(&c->out, c->options.json_names ? ",\n  \"typeUrl\": "
                                                    : ",\n  \"type_url\": ");
        c->out.comma = false;
        xds_json_string(&c->out, c->type_url);
    }
    xds_out_text(&c->out, "\n}\n");
}

static void json_alone(struct xds_convert *c, struct xds_page *page)
{
    if (page->needs_response) {
        json_open(c);
        xds_form_item(c, page, true);
        json_close(c);
        return;
    }
    xds_out_raw(&c->out, page->text);
    xds_out_char(&c->out, '\n');
}

const struct xds_form xds_form_json = {
    .render = render_mapping,
    .alone = json_alone,
    .open = json_open,
    .begin = json_begin,
    .end = end_nothing,
    .close = json_close,
};

static void yaml_alone(struct xds_convert *c, struct xds_page *page)
{
    xds_out_raw(&c->out, page->text);
}

static void yaml_open(struct xds_convert *c)
{
    if (c->n == 0)
        xds_out_text(&c->out, "resources: []\n");
}

static void yaml_begin(struct xds_convert *c, struct xds_page *page, bool is_first)
{
    (void)page;
    if (!is_first)
        xds_out_text(&c->out, "---\n");
}

static void close_nothing(struct xds_convert *c)
{
    (void)c;
}

const struct xds_form xds_form_yaml = {
    .render = render_mapping,
    .alone = yaml_alone,
    .open = yaml_open,
    .begin = yaml_begin,
    .end = end_nothing,
    .close = close_nothing,
};

/* A resource whose message is not known is an Any also when it is alone. */
static void render_text(struct xds_convert *c, const struct xds_resource *in,
                        const struct xds_any *root, struct xds_out *out,
                        struct xds_page *page)
{
    struct xds_text_writer writer = {.out = out,
                                     .arena = &c->decode,
                                     .kept = &c->kept,
                                     .types = &c->kept.types,
                                     .of_text = in->format == XDS_FORMAT_TEXT_PROTO,
                                     .depth = page->indent / 2,
                                     .deepest = page->indent / 2};

    if (page->packed)
        xds_text_any(&writer, root);
    else
        xds_text_fields(&writer, root->message);
    /* Its reader counts the message itself. */
    page->levels = writer.deepest - writer.depth + 1;
}

static void text_open(struct xds_convert *c)
{
    xds_text_header(&c->out, XDS_S("envoy.service.discovery.v3.DiscoveryResponse"));
}

static void text_begin(struct xds_convert *c, struct xds_page *page, bool is_first)
{
    (void)is_first;
    xds_out_text(&c->out, "resources {\n");
    if (!page->packed) {
        xds_out_text(&c->out, "  [");
        xds_out_raw(&c->out, page->type_url);
        xds_out_text(&c->out, "] {\n");
    }
    page->indent = page->packed ? 2 : 4;
}

static void text_end(struct xds_convert *c, const struct xds_page *page)
{
    xds_out_text(&c->out, page->packed ? "}\n" : "  }\n}\n");
}

static void text_close(struct xds_convert *c)
{
    if (!has_type_url(c))
        return;
    xds_out_text(&c->out, "type_url: ");
    xds_text_string(&c->out, c->type_url);
    xds_out_char(&c->out, '\n');
}

/* A message names its type without the prefix of the URL. */
static void text_alone(struct xds_convert *c, struct xds_page *page)
{
    if (page->packed || page->needs_response || !is_canonical(page->type_url)) {
        text_open(c);
        xds_form_item(c, page, true);
        text_close(c);
        return;
    }
    xds_text_header(&c->out, xds_any_type_name(page->type_url));
    xds_out_raw(&c->out, page->text);
}

const struct xds_form xds_form_text = {
    .render = render_text,
    .alone = text_alone,
    .open = text_open,
    .begin = text_begin,
    .end = text_end,
    .close = text_close,
};

/* What came in bytes goes out as it came. */
static void render_binary(struct xds_convert *c, const struct xds_resource *in,
                          const struct xds_any *root, struct xds_out *out,
                          struct xds_page *page)
{
    struct xds_any copy = *root;

    (void)page;
    if (in->format == XDS_FORMAT_BINARY &&
        !(root->state == XDS_ANY_TYPED &&
          root->message->descriptor ==
              &envoy__service__discovery__v3__resource__descriptor)) {
        xds_out_raw(out, in->bytes);
        return;
    }
    xds_pack((struct xds_packer){&c->decode, &c->kept.types}, &copy);
    xds_out_raw(out, xds_slice_make((const char *)copy.pb.value.data, copy.pb.value.len));
}

enum { ANY_TYPE_URL = 1, ANY_VALUE = 2, RESPONSE_RESOURCES = 2, RESPONSE_TYPE_URL = 4 };

static size_t varint_size(uint64_t n)
{
    size_t size = 1;

    for (; n >= 0x80; n >>= 7)
        size++;
    return size;
}

/* The tag and length of a field of bytes. */
static void put_head(struct xds_out *out, unsigned number, uint64_t len)
{
    xds_out_char(out, (char)(number << 3 | 2));
    for (; len >= 0x80; len >>= 7)
        xds_out_char(out, (char)(len | 0x80));
    xds_out_char(out, (char)len);
}

static size_t field_size(struct xds_slice bytes)
{
    return bytes.len ? 1 + varint_size(bytes.len) + bytes.len : 0;
}

static void put_field(struct xds_out *out, unsigned number, struct xds_slice bytes)
{
    if (bytes.len == 0)
        return;
    put_head(out, number, bytes.len);
    xds_out_raw(out, bytes);
}

static void binary_begin(struct xds_convert *c, struct xds_page *page, bool is_first)
{
    (void)is_first;
    put_head(&c->out, RESPONSE_RESOURCES,
             field_size(page->type_url) + field_size(page->text));
    put_field(&c->out, ANY_TYPE_URL, page->type_url);
    if (page->text.len > 0)
        put_head(&c->out, ANY_VALUE, page->text.len);
}

static void binary_close(struct xds_convert *c)
{
    if (has_type_url(c))
        put_field(&c->out, RESPONSE_TYPE_URL, c->type_url);
}

static void binary_alone(struct xds_convert *c, struct xds_page *page)
{
    if (c->options.bare) {
        xds_out_raw(&c->out, page->text);
        return;
    }
    xds_form_item(c, page, true);
    binary_close(c);
}

const struct xds_form xds_form_binary = {
    .render = render_binary,
    .alone = binary_alone,
    .open = close_nothing,
    .begin = binary_begin,
    .end = end_nothing,
    .close = binary_close,
    .has_lengths = true,
};

/* ---- any of them ---- */

static void put_indented(struct xds_out *out, struct xds_slice text, unsigned indent)
{
    struct xds_slice line;

    while (text.len) {
        text = xds_slice_cut(text, '\n', &line);
        xds_out_blanks(out, indent);
        xds_out_raw(out, line);
        if (text.data)
            xds_out_char(out, '\n');
    }
}

void xds_form_item(struct xds_convert *c, struct xds_page *page, bool is_first)
{
    c->form->begin(c, page, is_first);
    if (page->indent)
        put_indented(&c->out, page->text, page->indent);
    else
        xds_out_raw(&c->out, page->text);
    c->form->end(c, page);
}
