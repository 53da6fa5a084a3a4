/*
 * ctx.h - what every reader of rules/ is handed, and how a rule fires.
 *
 * One walk yields the verdict of all five clients. `live` holds the clients that still
 * look at this part of the resource: where a client skips a route or filter its bit is
 * taken out for what lies below, so faults there do not count for it.
 */
#ifndef XDS_RULES_CTX_H
#define XDS_RULES_CTX_H

#include "catalogue/rule.h"
#include "decode/any.h"
#include "base/regex.h"

/* The clients one by one, to make masks of. */
#define XDS_GRFC XDS_CLIENT_BIT(XDS_CLIENT_GRFC)
#define XDS_CORE XDS_CLIENT_BIT(XDS_CLIENT_CORE)
#define XDS_GO XDS_CLIENT_BIT(XDS_CLIENT_GO)
#define XDS_JAVA XDS_CLIENT_BIT(XDS_CLIENT_JAVA)
#define XDS_NODE XDS_CLIENT_BIT(XDS_CLIENT_NODE)

struct xds_ctx {
    struct xds_report *report;
    const struct xds_options *options;
    struct xds_arena *arena; /* of the model */
    struct xds_regex_cache *regexes;
    uint32_t resource;     /* index in the report */
    unsigned live;         /* clients that still look here */
    bool server;           /* inside a Listener of servers */
    bool rbac;             /* inside RBAC: go and node mind other faults of matchers */
    unsigned in_composite; /* composite filters around this config; 0: none */
};

/* Report a rule at a path. The verdict of each live client is that of the row, of the
 * others ACCEPT; when all accept nothing is reported. The message is in C-core's words.
 * Always returns false, so that a reader can `return xds_fire(...)`. */
bool xds_fire(struct xds_ctx *ctx, const struct xds_path *at, enum xds_rule_id rule,
              const char *format, ...) XDS_PRINTF(4, 5);
/* The same for some clients only, where a guard decides; the others accept. */
bool xds_fire_for(struct xds_ctx *ctx, const struct xds_path *at, unsigned clients,
                  enum xds_rule_id rule, const char *format, ...) XDS_PRINTF(5, 6);
/* Report, and take the live clients whose verdict is SKIP out of ctx->live. Returns the
 * mask of clients that were taken out. The caller restores ctx->live behind the entry. */
unsigned xds_fire_skip(struct xds_ctx *ctx, const struct xds_path *at,
                       enum xds_rule_id rule, const char *format, ...) XDS_PRINTF(4, 5);
/* The clients whose verdict in the row is `verdict`. */
unsigned xds_rule_mask(enum xds_rule_id rule, enum xds_verdict verdict);

#endif
