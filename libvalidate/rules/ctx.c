/*
 * ctx.c - turn a rule that fires into a finding with a verdict per client.
 *
 * Takes:  a path, a rule, the clients it concerns, a message.
 * Gives:  a finding in the report, whose place is found later from the path.
 */
#include "rules/ctx.h"

#include <stdarg.h>

unsigned xds_rule_mask(enum xds_rule_id rule, enum xds_verdict verdict)
{
    const struct xds_rule *row = xds_rule_row(rule);
    unsigned mask = 0;

    for (unsigned client = 0; client < XDS_CLIENTS; client++)
        if (row->verdict[client] == verdict)
            mask |= XDS_CLIENT_BIT(client);
    return mask;
}

/* The verdict of the row for `clients`, ACCEPT for the others. False when there is
 * nobody to tell. */
static bool judge(const struct xds_rule *row, unsigned clients,
                  unsigned char verdict[XDS_CLIENTS])
{
    bool minds = false;

    for (unsigned client = 0; client < XDS_CLIENTS; client++) {
        const bool asked = clients & XDS_CLIENT_BIT(client);

        verdict[client] = asked ? row->verdict[client] : XDS_ACCEPT;
        minds = minds || verdict[client] != XDS_ACCEPT;
    }
    return minds || (clients && row->effect == XDS_EFFECT_HYGIENE);
}

/* The message goes to the model's arena, which is bounded: the report copies it when it
 * has room for one more finding. */
XDS_PRINTF(5, 0)
static void fire(struct xds_ctx *ctx, const struct xds_path *at, unsigned clients,
                 enum xds_rule_id rule, const char *format, va_list args)
{
    const struct xds_rule *row = xds_rule_row(rule);
    unsigned char verdict[XDS_CLIENTS];

    if (!judge(row, clients & ctx->live, verdict))
        return;
    xds_report_add(ctx->report, row, ctx->resource, at, NULL, verdict,
                   xds_arena_vprintf(ctx->arena, format, args));
}

bool xds_fire(struct xds_ctx *ctx, const struct xds_path *at, enum xds_rule_id rule,
              const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fire(ctx, at, XDS_ALL_CLIENTS, rule, format, args);
    va_end(args);
    return false;
}

bool xds_fire_for(struct xds_ctx *ctx, const struct xds_path *at, unsigned clients,
                  enum xds_rule_id rule, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fire(ctx, at, clients, rule, format, args);
    va_end(args);
    return false;
}

unsigned xds_fire_skip(struct xds_ctx *ctx, const struct xds_path *at,
                       enum xds_rule_id rule, const char *format, ...)
{
    const unsigned skipped_by = ctx->live & xds_rule_mask(rule, XDS_SKIP);
    va_list args;

    va_start(args, format);
    fire(ctx, at, XDS_ALL_CLIENTS, rule, format, args);
    va_end(args);
    ctx->live &= ~skipped_by;
    return skipped_by;
}
