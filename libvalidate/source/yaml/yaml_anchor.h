/* yaml_anchor.h - anchored nodes of a YAML document; a part of yaml_events.c. */
#ifndef XDS_SOURCE_YAML_YAML_ANCHOR_H
#define XDS_SOURCE_YAML_YAML_ANCHOR_H

#include "source/yaml/yaml_events.h"

/* A node with an anchor. A scalar has its token here, others a part of `anchored`. */
struct xds_yaml_anchor {
    bool is_scalar, lost;
    bool open; /* its end was not seen yet */
    struct xds_token scalar;
    size_t begin, end;
    size_t size; /* tokens, aliases expanded; at most XDS_MAX_ALIAS_TOKENS + 1 */
    unsigned depth;
    struct xds_yaml_anchor *outer; /* the one that was recorded when this began */
};

/* In `anchored`, a token of this kind stands for those from .begin to .end. */
#define XDS_YAML_ALIAS_MARK XDS_TOKEN_END

/* What xds_yaml_record() does inside of an anchored node. */
void xds_yaml_record_anchored(struct xds_yaml_events *e, const struct xds_token *token,
                              size_t size);

/* A token was handed out: keep it for the anchored nodes that it is part of. size: of the
 * tokens it stands for. */
static inline void xds_yaml_record(struct xds_yaml_events *e,
                                   const struct xds_token *token, size_t size)
{
    if (e->recording)
        xds_yaml_record_anchored(e, token, size);
}

/* The event in work is a scalar, the token its value. */
void xds_yaml_anchor_scalar(struct xds_yaml_events *e, const struct xds_token *token);
/* A mapping or sequence begins; name may be NULL. */
void xds_yaml_anchor_open(struct xds_yaml_events *e, const yaml_char_t *name);
/* ... has ended, e->depth is that of its begin. */
void xds_yaml_anchor_close(struct xds_yaml_events *e);
/* Why an alias to this anchor (NULL: there is none) cannot be used; NULL when it can. */
const char *xds_yaml_alias_refusal(const struct xds_yaml_events *e,
                                   const struct xds_yaml_anchor *anchor);

#endif
