/* first_parts.c - what the first files of tests and scenarios have in common. */
#include "check/check.h"
#include "clients/readers.h"
#include "print/write/out.h"
#include "secret/secret.h"
#include "suite/inner.h"

/* As YAML and JSON have it. */
void xds_suite_put(struct xds_out *out, const char *key, struct xds_slice text)
{
    if (!text.data)
        return;
    xds_out_text(out, key);
    xds_json_string(out, text);
    out->comma = false;
}

void xds_suite_put_snapshot(struct xds_out *out, const char *const *paths, size_t n)
{
    if (n > 0)
        xds_out_text(out, "snapshot:\n");
    for (size_t i = 0; i < n; i++) {
        xds_suite_put(out, "- ", xds_slice_of(paths[i]));
        xds_out_char(out, '\n');
    }
}

void xds_suite_put_client(struct xds_out *out, const struct xds_check *check,
                          enum xds_client client)
{
    xds_out_format(out, "client: %s\n",
                   xds_asked_label(&check->report->options, client).text);
}

void xds_suite_put_headers(struct xds_out *out, const struct xds_request *request)
{
    for (size_t i = 0; i < request->n_headers; i++) {
        xds_suite_put(out, i == 0 ? ", headers: [[" : ", [", request->headers[i].name);
        xds_suite_put(out, ", ", xds_header_shown(&request->headers[i]));
        xds_out_text(out, i + 1 < request->n_headers ? "]" : "]]");
    }
}

void xds_first_head(const struct xds_first *f)
{
    if (f->n > 0)
        return;
    f->out->in_yaml = true;
    xds_out_text(f->out,
                 "# An RPC for each route and where it goes now. Correct what is not as "
                 "it should be.\n");
    xds_suite_put_snapshot(f->out, f->paths, f->n_paths);
    xds_suite_put_client(f->out, f->check, f->client);
    xds_out_text(f->out, "cases:\n");
}

/* A file that is kept holds no credentials. */
bool xds_first_has_secret(const struct xds_request *request)
{
    for (size_t i = 0; i < request->n_headers; i++)
        if (!xds_slice_eq(xds_header_shown(&request->headers[i]),
                          request->headers[i].value))
            return true;
    return false;
}
