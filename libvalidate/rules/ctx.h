/*
 * ctx.h - what every reader of rules/ is handed, and how a rule fires.
 *
 * One walk yields the verdicts of all readers of the run. `live` holds the readers that
 * still look at this part of the resource: where one skips a route or filter its bit is
 * taken out for what lies below, so faults there do not count for it.
 */
#ifndef XDS_RULES_CTX_H
#define XDS_RULES_CTX_H

#include "regex/regex.h"
#include "catalogue/rule.h"
#include "clients/readers.h"
#include "decode/decode.h"
#include "model/route_config.h"

struct xds_ctx {
    struct xds_report *report;
    const struct xds_options *options;
    struct xds_arena *arena;   /* of the model */
    struct xds_arena *scratch; /* of what is needed while the resource is judged */
    struct xds_regex_cache *regexes;
    const struct xds_panel *panel; /* the readers of the run */
    uint32_t resource;             /* index in the report */
    xds_readers live;              /* those that still look here */
    xds_readers elsewhere; /* those to whom the bytes of the resource say something
                              else: what is found here is not reported of them */
    xds_readers silent; /* those that do not say what is found here, as they met another
                           fault before */
    bool server;        /* inside a Listener of servers */
    bool keeps;         /* the model is kept, for explain */
    bool rbac;          /* inside RBAC: go and node check matchers in another way */
    struct xds_killing *in_use; /* of what a channel uses around this; or NULL */
    xds_readers *nacking;       /* those that reject the virtual host around this, or
                                   else the resource; or NULL */
    struct xds_slice *unknown;  /* where to say what of this only a bootstrap knows, the
                                   first time; or NULL */
    unsigned in_composite;      /* composite filters around this config; 0: none */
    xds_readers nameless;       /* those that its missing name kills before they compare
                                   what it names with their bootstrap */
    xds_readers mortal;         /* those that some faults kill while they read */
    struct xds_first_met *met;  /* what these met first, see order.h; or NULL */
};

/* The readers that differ from the documents in this. */
static inline xds_readers xds_who(const struct xds_ctx *ctx,
                                  enum xds_difference difference)
{
    return ctx->panel->differing[difference];
}

/* All readers. */
#define XDS_EVERYONE (~(xds_readers)0)

static inline struct xds_ctx xds_ctx_among(const struct xds_ctx *ctx, xds_readers readers)
{
    struct xds_ctx out = *ctx;

    out.live &= readers;
    return out;
}

/* The same for those of the live readers only. What takes more of them out takes them out
 * of this copy, which lasts as long as the block around it. */
#define XDS_AMONG(ctx, readers) ((struct xds_ctx[]){xds_ctx_among(ctx, readers)})

/* "go, java and older releases of core"; *several: more than one of them. */
struct xds_slice xds_name_readers(const struct xds_ctx *ctx, xds_readers readers,
                                  bool *several);

/* Of those that look here, who is in the set and so lacks a type: "go and java do not
 * have", *name is "Y" then; "no gRPC client has", "\"x.Y\"". In ctx->arena. */
struct xds_slice xds_lacking(const struct xds_ctx *ctx, xds_readers readers,
                             struct xds_slice type, struct xds_slice *name);

/* What fills {1} to {4} in the words of a rule: slices. */
#define XDS_WITH(...) ((const struct xds_slice[4]){__VA_ARGS__})

/* Report a rule at a path, or at its row's field below that. The verdict of each live
 * reader is that of the row, of the others ACCEPT; when all accept nothing is reported.
 * Always returns false, so that a reader can `return xds_fire(...)`. */
bool xds_fire(struct xds_ctx *ctx, const struct xds_path *at, enum xds_rule_id rule);
/* The same, with values for the words of the row. */
bool xds_fire_with(struct xds_ctx *ctx, const struct xds_path *at, enum xds_rule_id rule,
                   const struct xds_slice values[4]);
/* The same for some readers only; the others accept. values may be NULL. */
bool xds_fire_for(struct xds_ctx *ctx, const struct xds_path *at, xds_readers who,
                  enum xds_rule_id rule, const struct xds_slice values[4]);
/* Report what each reader of the panel says, first of the values, for those of `who`;
 * data NULL: nothing. Those that say the same share a finding. Clears the texts. */
void xds_fire_texts(struct xds_ctx *ctx, const struct xds_path *at, xds_readers who,
                    enum xds_rule_id rule, struct xds_slice *texts,
                    struct xds_slice second);
/* Is there no bootstrap, which says what a name means? Reports so, once for each name. */
bool xds_needs_bootstrap(struct xds_ctx *ctx, const struct xds_path *at, const char *what,
                         struct xds_slice name);
/* Report, and take the live readers whose verdict is SKIP out of ctx->live. Returns the
 * set that was taken out. The caller reads an entry with a context of its own
 * (XDS_AMONG). */
xds_readers xds_fire_skip(struct xds_ctx *ctx, const struct xds_path *at,
                          enum xds_rule_id rule, const struct xds_slice values[4]);
/* Report what kills a reader once it uses the part of the resource that ctx->in_use is
 * of. */
void xds_fire_killing(struct xds_ctx *ctx, const struct xds_path *at,
                      enum xds_rule_id rule, xds_readers who,
                      const struct xds_slice values[4]);
/* The live readers that reject a resource for a rule. */
xds_readers xds_rejecting(const struct xds_ctx *ctx, enum xds_rule_id rule);
/* The live readers that die of a rule. */
struct xds_killing xds_killing_of(const struct xds_ctx *ctx, enum xds_rule_id rule);
/* Report that the resource has no name, and remember of whom that is the end. */
void xds_fire_nameless(struct xds_ctx *ctx, enum xds_rule_id rule,
                       const struct xds_slice values[4]);
/* The readers for which a gRPC environment variable is on. */
xds_readers xds_guarded_by(const struct xds_ctx *ctx, enum xds_env env);
/* The options as if this reader's release were the one that was asked for. */
struct xds_options xds_options_of(const struct xds_ctx *ctx,
                                  const struct xds_client_release *reader);

/* A number as a value. */
struct xds_slice xds_number(struct xds_ctx *ctx, int64_t number);
/* A value of an enum by its name, or as a number when it has none. */
struct xds_slice xds_enum_name(struct xds_ctx *ctx, const ProtobufCEnumDescriptor *type,
                               int number);

#endif
