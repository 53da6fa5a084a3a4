/* form.h - how resources are combined in each format. */
#ifndef XDS_CONVERT_FORM_H
#define XDS_CONVERT_FORM_H

#include "convert/sink.h"
#include "decode/decode.h"

/* What forms need to know of the run. */
struct xds_convert {
    struct xds_report *report;
    struct xds_convert_options options;
    const struct xds_form *form;
    struct xds_out out;
    struct xds_arena decode; /* reset per resource */
    struct xds_arena held;   /* of the whole run: the first resource, and type_url */
    struct xds_kept kept;
    struct xds_sink sink;
    struct xds_slice type_url; /* of all resources so far, unless they differ */
    bool types_differ;
    size_t n; /* resources */
    struct xds_page {
        struct xds_slice text;
        struct xds_slice type_url;
        bool packed; /* text proto: an Any with type_url and value, not its message */
    } first;         /* held until it is known whether there are more */
    size_t lost;
    struct xds_place first_lost;
};

struct xds_form {
    /* The text of one resource, into out. */
    void (*render)(struct xds_convert *c, const struct xds_resource *in,
                   const struct xds_any *root, struct xds_out *out,
                   struct xds_page *page);
    /* One resource that is alone. */
    void (*alone)(struct xds_convert *c, const struct xds_page *page);
    /* None or several: what is before, for each, and after. */
    void (*open)(struct xds_convert *c);
    void (*item)(struct xds_convert *c, const struct xds_page *page, bool is_first);
    void (*close)(struct xds_convert *c);
};

extern const struct xds_form xds_form_json, xds_form_yaml, xds_form_text, xds_form_binary;

#endif
