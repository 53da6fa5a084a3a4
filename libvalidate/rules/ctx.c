/* ctx.c - turn a rule that fires into a finding with a verdict per client. */
#include "rules/ctx.h"

#include "base/digits.h"
#include "rules/order.h"

xds_readers xds_guarded_by(const struct xds_ctx *ctx, enum xds_env env)
{
    return ctx->panel->guarded[env];
}

struct xds_options xds_options_of(const struct xds_ctx *ctx,
                                  const struct xds_client_release *reader)
{
    struct xds_options options = *ctx->options;

    options.release[reader->client] = reader->release;
    return options;
}

struct xds_slice xds_number(struct xds_ctx *ctx, int64_t number)
{
    char room[XDS_DIGITS];

    return xds_arena_dup(ctx->arena, xds_signed_digits(number, room));
}

struct xds_slice xds_enum_name(struct xds_ctx *ctx, const ProtobufCEnumDescriptor *type,
                               int number)
{
    const ProtobufCEnumValue *value = protobuf_c_enum_descriptor_get_value(type, number);

    return value ? xds_slice_of(value->name) : xds_number(ctx, number);
}

/* Of the newest releases alone nothing is made ready: few rules fire. */
static struct xds_verdict_sets row_of(const struct xds_ctx *ctx, enum xds_rule_id rule)
{
    return ctx->report->readers.of_rule
               ? ctx->report->readers.of_rule[rule]
               : xds_report_verdicts_of(ctx->report, xds_rule_row(rule));
}

/* The verdict of the row for the live readers of `who`; the others accept. False when
 * there is nothing to report. */
static bool judge(const struct xds_ctx *ctx, enum xds_rule_id rule, xds_readers who,
                  struct xds_verdict_sets *out)
{
    const struct xds_verdict_sets row = row_of(ctx, rule);
    xds_readers any = 0;

    who &= ctx->live & ~ctx->elsewhere;
    for (unsigned v = XDS_IGNORE; v <= XDS_CRASH; v++)
        out->of[v] = row.of[v] & who;
    if (xds_rule_row(rule)->crash_in_use) {
        /* What clients die of when they use it: RBAC is used when it is read, and what
         * servers do is not said here. */
        if (ctx->rbac)
            out->of[XDS_NACK] |= out->of[XDS_CRASH];
        if (ctx->rbac || ctx->server)
            out->of[XDS_CRASH] = 0;
    }
    if (xds_rule_row(rule)->panics) {
        const xds_readers dying = out->of[XDS_NACK] &
                                  xds_who(ctx, XDS_DIFF_PANIC_RECOVERED) &
                                  ~xds_guarded_by(ctx, XDS_ENV_PANIC_RECOVERY);

        out->of[XDS_NACK] &= ~dying;
        out->of[XDS_CRASH] |= dying;
    }
    for (unsigned v = XDS_IGNORE; v <= XDS_CRASH; v++)
        any |= out->of[v];
    return any || (who && xds_rule_row(rule)->effect == XDS_EFFECT_HYGIENE);
}

/* The last field of a path; of a whole resource, its type without the package. */
static struct xds_slice field_of(const struct xds_ctx *ctx, const struct xds_path *at)
{
    struct xds_slice name = ctx->report->resources[ctx->resource].type;
    size_t dot;

    while (at && at->kind == XDS_STEP_VALUE)
        at = at->up;
    if (at)
        name = xds_slice_of(at->field);
    while ((dot = xds_slice_find(name, '.')) < name.len)
        name = xds_slice_from(name, dot + 1);
    return name;
}

/* The last part of a name: clients that do not have it are few, and others do. */
static struct xds_slice short_name(struct xds_slice type)
{
    size_t from = type.len;

    while (from > 0 && type.data[from - 1] != '.')
        from--;
    return xds_slice_from(type, from);
}

struct xds_slice xds_name_readers(const struct xds_ctx *ctx, xds_readers readers,
                                  bool *several)
{
    const unsigned newest =
        xds_clients_named(ctx->options, (unsigned)(readers & XDS_ALL_CLIENTS));
    unsigned older = 0;

    for (size_t i = XDS_CLIENTS; i < ctx->panel->n; i++)
        if (readers >> i & 1)
            older |= XDS_CLIENT_BIT(ctx->panel->reader[i].client);
    older &= ~newest;
    *several = older || newest & (newest - 1);
    if (!older)
        return xds_arena_printf(ctx->arena, "%s",
                                xds_named_list(ctx->options, newest, " and ").text);
    return xds_arena_printf(ctx->arena, "%s%solder releases of %s",
                            newest ? xds_client_list(newest, ", ").text : "",
                            newest ? " and " : "", xds_client_list(older, " and ").text);
}

struct xds_slice xds_lacking(const struct xds_ctx *ctx, xds_readers readers,
                             struct xds_slice type, struct xds_slice *name)
{
    const xds_readers all = ctx->panel->all & ~XDS_CLIENT_BIT(XDS_CLIENT_GRFC);
    bool several;

    readers &= ctx->live;
    if ((readers & all) == all) {
        *name = xds_arena_printf(ctx->arena, "\"%.*s\"", XDS_FMT(type));
        return XDS_S("no gRPC client has");
    }
    const struct xds_slice who = xds_name_readers(ctx, readers, &several);

    *name = short_name(type);
    return xds_arena_printf(ctx->arena, "%.*s %s not have", XDS_FMT(who),
                            several ? "do" : "does");
}

/* The words go to the model's arena, which is bounded, and leave it again: the report
 * copies them when it has room for one more finding. */
bool xds_fire_for(struct xds_ctx *ctx, const struct xds_path *at, xds_readers who,
                  enum xds_rule_id rule, const struct xds_slice values[4])
{
    const struct xds_rule *row = xds_rule_row(rule);
    const struct xds_path below = {.up = at, .field = row->field};
    struct xds_verdict_sets verdict = {{0}};

    if (!judge(ctx, rule, who, &verdict))
        return false;
    if (ctx->nacking)
        *ctx->nacking |= verdict.of[XDS_NACK];
    if (row->field)
        at = &below;

    const struct xds_arena_mark before = xds_arena_mark(ctx->arena);
    const struct xds_slice field = field_of(ctx, at);
    const struct xds_slice message =
        xds_rule_words(ctx->arena, row->message, field, values);

    const bool silent = ctx->silent && !(verdict.of[XDS_NACK] & ~ctx->silent &
                                         ctx->report->readers.of_client[XDS_CLIENT_CORE]);

    if (xds_report_add(ctx->report, row, ctx->resource, at, NULL, &verdict, message) &&
        (row->core || silent))
        xds_report_add_core(
            ctx->report,
            silent ? XDS_S("") : xds_rule_words(ctx->arena, row->core, field, values));
    xds_arena_rewind(ctx->arena, before);
    xds_order_meet(ctx, at, rule, &verdict);
    return false;
}

bool xds_fire(struct xds_ctx *ctx, const struct xds_path *at, enum xds_rule_id rule)
{
    return xds_fire_for(ctx, at, XDS_EVERYONE, rule, NULL);
}

bool xds_fire_with(struct xds_ctx *ctx, const struct xds_path *at, enum xds_rule_id rule,
                   const struct xds_slice values[4])
{
    return xds_fire_for(ctx, at, XDS_EVERYONE, rule, values);
}

void xds_fire_texts(struct xds_ctx *ctx, const struct xds_path *at, xds_readers who,
                    enum xds_rule_id rule, struct xds_slice *texts,
                    struct xds_slice second)
{
    for (size_t r = 0; r < ctx->panel->n; r++) {
        const struct xds_slice text = texts[r];
        xds_readers same = 0;

        for (size_t other = r; text.data && other < ctx->panel->n; other++) {
            if (!texts[other].data || !xds_slice_eq(texts[other], text))
                continue;
            same |= (xds_readers)1 << other;
            texts[other].data = NULL;
        }
        if (same)
            xds_fire_for(ctx, at, who & same, rule, XDS_WITH(text, second));
    }
}

static struct xds_slice bootstrap_key(struct xds_ctx *ctx, const char *what,
                                      struct xds_slice name)
{
    const struct xds_slice pieces[] = {XDS_S("bootstrap "), xds_slice_of(what),
                                       XDS_S(" "), name};

    return xds_arena_join(ctx->arena, pieces, XDS_ARRAY_LEN(pieces));
}

bool xds_needs_bootstrap(struct xds_ctx *ctx, const struct xds_path *at, const char *what,
                         struct xds_slice name)
{
    if (ctx->options->bootstrap.is_set)
        return false;
    if (ctx->unknown && !ctx->unknown->data)
        *ctx->unknown = xds_arena_printf(ctx->arena,
                                         "%s \"%.*s\" is unknown without "
                                         "--bootstrap",
                                         what, XDS_FMT(name));
    if ((ctx->live & ~ctx->elsewhere) &&
        xds_report_is_first(ctx->report, bootstrap_key(ctx, what, name)))
        xds_fire_with(ctx, at, XDS_R_RES_BOOTSTRAP_NEEDED,
                      XDS_WITH(xds_slice_of(what), name));
    return true;
}

xds_readers xds_fire_skip(struct xds_ctx *ctx, const struct xds_path *at,
                          enum xds_rule_id rule, const struct xds_slice values[4])
{
    const xds_readers skipped_by = ctx->live & row_of(ctx, rule).of[XDS_SKIP];

    xds_fire_with(ctx, at, rule, values);
    ctx->live &= ~skipped_by;
    return skipped_by;
}

xds_readers xds_rejecting(const struct xds_ctx *ctx, enum xds_rule_id rule)
{
    return row_of(ctx, rule).of[XDS_NACK] & ctx->live;
}

struct xds_killing xds_killing_of(const struct xds_ctx *ctx, enum xds_rule_id rule)
{
    struct xds_verdict_sets verdict = {{0}};

    (void)judge(ctx, rule, XDS_EVERYONE, &verdict);
    const xds_readers readers = verdict.of[XDS_CRASH];
    return (struct xds_killing){readers, readers ? xds_rule_row(rule) : NULL, NULL};
}

void xds_fire_nameless(struct xds_ctx *ctx, enum xds_rule_id rule,
                       const struct xds_slice values[4])
{
    xds_fire_with(ctx, NULL, rule, values);
    ctx->nameless = xds_killing_of(ctx, rule).readers;
}

void xds_fire_killing(struct xds_ctx *ctx, const struct xds_path *at,
                      enum xds_rule_id rule, xds_readers who,
                      const struct xds_slice values[4])
{
    struct xds_killing dying = xds_killing_of(ctx, rule);

    xds_fire_for(ctx, at, who, rule, values);
    dying.readers &= who;
    if (!ctx->in_use || !dying.readers)
        return;
    for (struct xds_killing *known = ctx->in_use; known; known = known->more)
        if (known->rule == dying.rule) {
            known->readers |= dying.readers;
            return;
        }
    if (ctx->in_use->readers) {
        struct xds_killing *more = XDS_NEW(ctx->arena, struct xds_killing);

        *more = *ctx->in_use;
        dying.more = more;
    }
    *ctx->in_use = dying;
}
