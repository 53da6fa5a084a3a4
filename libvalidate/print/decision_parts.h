/* decision_parts.h - pieces of the page and of the document that a decision becomes. */
#ifndef XDS_PRINT_DECISION_PARTS_H
#define XDS_PRINT_DECISION_PARTS_H

#include "print/decision.h"

/* Writes something about a decision. */
typedef void (*xds_section_fn)(struct xds_out *out, const struct xds_decision *d);

/* The request, its listener and its virtual host, as sections of the page. */
void xds_text_way(struct xds_out *out, const struct xds_decision *d);
void xds_text_cluster(struct xds_out *out, const struct xds_decision *d);
void xds_text_drops(struct xds_out *out, const struct xds_decision *d);
/* How the host is chosen, and the hosts. */
void xds_text_policy(struct xds_out *out, const struct xds_decision *d);
void xds_text_hosts(struct xds_out *out, const struct xds_decision *d);
/* Of an RPC that ends before balancing only those after it would learn about hosts. */
bool xds_comes_to_balancing(const struct xds_decision *d);
/* The method config as one JSON value; null when there is none. */
void xds_json_method_config(struct xds_out *out, const struct xds_decision *d);
/* What the matched route configures, as sections of the page and as keys. */
void xds_text_config(struct xds_out *out, const struct xds_decision *d);
void xds_json_config(struct xds_out *out, const struct xds_decision *d);
/* What an RPC without a route has just missed. */
void xds_text_nearest(struct xds_out *out, const struct xds_decision *d);
void xds_json_nearest(struct xds_out *out, const struct xds_decision *d);
/* Session affinity: the cookie of the request, and that of the response. */
void xds_text_session(struct xds_out *out, const struct xds_decision *d);
void xds_text_set_cookie(struct xds_out *out, const struct xds_decision *d);
/* What is worth knowing besides, and what becomes of the RPC. */
void xds_text_notes(struct xds_out *out, const struct xds_decision *d);
void xds_text_answer(struct xds_out *out, const struct xds_decision *d);
/* "retryableStatusCodes":["UNAVAILABLE"] of XDS_RETRY_* bits, and the names alone. */
void xds_json_retry_codes(struct xds_out *out, unsigned codes);
void xds_text_retry_codes(struct xds_out *out, unsigned codes);

/* ---- text ---- */

static inline void heading(struct xds_out *out, const char *text)
{
    static const char blanks[] = "              ";
    const size_t len = strlen(text);

    xds_out_styled(out, XDS_STYLE_BOLD, text);
    xds_out_text(out, len < sizeof(blanks) - 1 ? blanks + len : " ");
}

static inline void indent(struct xds_out *out)
{
    xds_out_text(out, "              ");
}

static inline void quoted(struct xds_out *out, struct xds_slice text)
{
    xds_out_char(out, '"');
    xds_out_clean(out, text);
    xds_out_char(out, '"');
}

static inline void route_title(struct xds_out *out, const struct xds_route_try *try)
{
    xds_out_char(out, '#');
    xds_out_u64(out, try->index);
    if (try->route->name.len) {
        xds_out_char(out, ' ');
        quoted(out, try->route->name);
    }
}

/* ---- JSON ---- */

static inline void write_probability(struct xds_out *out, double probability)
{
    xds_json_key(out, "probability");
    if (probability == XDS_NOT_COMPUTABLE)
        xds_json_null(out);
    else
        xds_json_double(out, probability);
}

#endif
