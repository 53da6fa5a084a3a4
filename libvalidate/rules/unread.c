/*
 * unread.c - fields that are set and that a client does not read.
 *
 * Source: the comments of proto/.
 *
 * The walk is driven by plans, which say what to look at in each type of message. It
 * enters a message only for the clients that read it.
 */
#include "rules/unread.h"

#include "clients/clients.h"

/* ---- reporting ---- */

struct walk {
    struct xds_unread *unread;
    struct xds_ctx *ctx;
};

/* "core, go" of a set; "gRPC" of all clients. */
static struct xds_slice name_clients(struct walk *walk, unsigned clients)
{
    if (clients == XDS_ALL_CLIENTS)
        return XDS_S("gRPC");
    return xds_arena_printf(walk->ctx->arena, "%s", xds_client_list(clients, ", ").text);
}

/* A timeout without a max_stream_duration is more than a field without effect; one of 0
 * is Envoy's way to have none. */
static bool leaves_no_limit(const ProtobufCMessage *message)
{
    const pb_route_action *action = (const void *)message;

    return !action->max_stream_duration &&
           (action->timeout->seconds != 0 || action->timeout->nanos != 0);
}

static bool is_route_timeout(const struct xds_unread_field *field)
{
    return field->message == &envoy__config__route__v3__route_action__descriptor &&
           strcmp(field->field->name, "timeout") == 0;
}

static struct xds_slice key_of(struct walk *walk, struct xds_unread_field *field)
{
    if (!field->key.data)
        field->key = xds_arena_printf(walk->unread->arena, "%s.%s", field->message->name,
                                      field->field->name);
    return field->key;
}

/* "RouteAction.timeout" */
static struct xds_slice name_field(struct walk *walk,
                                   const struct xds_unread_field *field)
{
    return xds_arena_printf(walk->ctx->arena, "%s.%s", field->message->short_name,
                            field->field->name);
}

static void report(struct walk *walk, const ProtobufCMessage *message,
                   const struct xds_unread_watch *watch, const struct xds_path *at)
{
    struct xds_ctx *ctx = walk->ctx;
    struct xds_unread_field *field = watch->field;
    const unsigned blind = field->use->readers ? watch->blind : XDS_ALL_CLIENTS;
    const xds_readers who = xds_panel_of(ctx->panel, blind);
    const char *hint = field->use->hint;

    if (is_route_timeout(field) && leaves_no_limit(message)) {
        if (xds_report_is_first(ctx->report, XDS_S("route-timeout-not-read")))
            xds_fire_for(ctx, at, who, XDS_R_ROUTE_TIMEOUT_UNREAD, NULL);
    } else if (xds_report_is_first(ctx->report, key_of(walk, field))) {
        xds_fire_for(
            ctx, at, who, XDS_R_FIELD_UNREAD,
            XDS_WITH(name_field(walk, field), name_clients(walk, blind),
                     hint ? xds_arena_printf(ctx->arena, ": %s", hint) : XDS_S("")));
    }
}

static void report_deprecated(struct walk *walk, struct xds_unread_field *field,
                              const struct xds_path *at)
{
    if (!field->deprecated_key.data)
        field->deprecated_key = xds_arena_printf(walk->unread->arena, "deprecated %.*s",
                                                 XDS_FMT(key_of(walk, field)));
    if (xds_report_is_first(walk->ctx->report, field->deprecated_key))
        xds_fire_with(walk->ctx, at, XDS_R_FIELD_DEPRECATED,
                      XDS_WITH(name_field(walk, field)));
}

/* ---- the walk ---- */

/* Depth is that of the input, which is bounded. */
static void visit(struct walk *walk, const ProtobufCMessage *message,
                  const struct xds_unread_plan *plan, const struct xds_path *at);

static void visit_any(struct walk *walk, const pb_any *pb, const struct xds_path *at,
                      unsigned clients)
{
    const struct xds_any *any = xds_any_of(pb);

    if (any->state != XDS_ANY_TYPED)
        return;
    const struct xds_unread_plan *plan =
        xds_unread_plan(walk->unread, any->message->descriptor, clients);
    if (plan)
        visit(walk, any->message, plan, XDS_AT_VALUE(at, any->type));
}

static void visit_item(struct walk *walk, const struct xds_unread_watch *watch,
                       const ProtobufCMessage *item, const struct xds_path *at)
{
    if (watch->is_any)
        visit_any(walk, (const pb_any *)(const void *)item, at, watch->clients);
    else
        visit(walk, item, watch->below, at);
}

/* Can anything be reported in what the watch enters? */
static bool is_worth_entering(struct walk *walk, struct xds_unread_watch *watch)
{
    if (watch->enter == XDS_ENTER_NOTHING)
        return false;
    if (!watch->is_any && !watch->is_known)
        xds_unread_find_below(walk->unread, watch);
    return watch->is_any || watch->below;
}

/* An entry of a map is a message of a key and a value. */
static void visit_entry(struct walk *walk, const struct xds_unread_watch *watch,
                        const ProtobufCMessage *entry, const struct xds_path *at)
{
    const ProtobufCFieldDescriptor *fields = entry->descriptor->fields;

    if (xds_field_count(entry, &fields[1]) == 0)
        return;
    const struct xds_slice key = xds_item_text(xds_field_item(entry, &fields[0], 0));

    visit_item(walk, watch, xds_item_message(xds_field_item(entry, &fields[1], 0)),
               XDS_AT_KEY(at, watch->field->field->name, key));
}

static void enter_list(struct walk *walk, const ProtobufCMessage *message,
                       const struct xds_unread_watch *watch, const struct xds_path *at)
{
    const char *base = (const char *)message;
    const ProtobufCMessage *const *items;
    size_t n;

    memcpy(&n, base + watch->set.offset, sizeof n);
    memcpy(&items, base + watch->offset, sizeof items);
    for (size_t i = 0; i < n; i++)
        if (watch->enter == XDS_ENTER_MAP)
            visit_entry(walk, watch, items[i], at);
        else
            visit_item(walk, watch, items[i], XDS_AT_I(at, watch->field->field->name, i));
}

static void enter(struct walk *walk, const ProtobufCMessage *message,
                  const struct xds_unread_watch *watch, const struct xds_path *at)
{
    if (watch->enter == XDS_ENTER_ONE)
        visit_item(walk, watch, xds_item_message((const char *)message + watch->offset),
                   XDS_AT(at, watch->field->field->name));
    else
        enter_list(walk, message, watch, at);
}

static bool is_touched(const ProtobufCMessage *message,
                       const struct xds_unread_plan *plan)
{
    uintptr_t found = 0, word;

    for (const struct xds_unread_probe *p = plan->probes; p < plan->probes_end; p++) {
        memcpy(&word, (const char *)message + p->offset, sizeof word);
        found |= word & p->bits;
    }
    return found != 0;
}

static void look(struct walk *walk, const ProtobufCMessage *message,
                 struct xds_unread_watch *watch, const struct xds_path *at)
{
    const char *name = watch->field->field->name;

    if (watch->blind)
        report(walk, message, watch, XDS_AT(at, name));
    if (watch->is_deprecated)
        report_deprecated(walk, watch->field, XDS_AT(at, name));
    if (is_worth_entering(walk, watch))
        enter(walk, message, watch, at);
}

static void visit(struct walk *walk, const ProtobufCMessage *message,
                  const struct xds_unread_plan *plan, const struct xds_path *at)
{
    const bool touched = is_touched(message, plan);
    struct xds_unread_watch *watch = touched ? plan->watches : plan->others;
    const struct xds_unread_watch *end = touched ? plan->end : plan->others_end;

    for (; watch < end; watch++)
        if (xds_is_set(message, watch->set))
            look(walk, message, watch, at);
}

void xds_unread_check(struct xds_unread *unread, struct xds_ctx *ctx,
                      const ProtobufCMessage *resource)
{
    struct walk walk = {unread, ctx};

    unread->selected = ctx->options->clients;
    const struct xds_unread_plan *plan =
        xds_unread_plan(unread, resource->descriptor, XDS_ALL_CLIENTS);
    if (plan)
        visit(&walk, resource, plan, NULL);
}
