/*
 * unread.c - fields that are set and that a client does not read.
 *
 * Takes:  any decoded resource; which fields are read is a table of facts.
 * Gives:  one finding per field and run, where it is set first.
 * Fires:  FIELD_DEPRECATED, FIELD_UNREAD, ROUTE_TIMEOUT_UNREAD.
 * Source: the fields that the sources of grpc, grpc-go, grpc-java and grpc-node read, and
 *         the rows of the spec that say "ignored".
 *
 * The walk is driven by descriptors. It enters a message only for the clients that read
 * it. A member of a oneof that no client reads is left to the rules: there it is as if
 * the oneof were not set, and that has rows of its own.
 */
#include "rules/unread.h"

#include "base/clients.h"
#include "decode/field.h"

/* ---- the facts ----------------------------------------------------------------------
 */

static const struct reads {
    const ProtobufCMessageDescriptor *message;
    unsigned clients;
    const char *fields;
} reads[] = {
#define XDS_READS(message, clients, fields) {&(message), (clients), (fields)},
#include "rules/read_fields.inc"
#undef XDS_READS
};

static const struct reads reads_not[] = {
#define XDS_READS_NOT(message, fields, clients) {&(message), (clients), (fields)},
#include "rules/unread_exceptions.inc"
#undef XDS_READS_NOT
};

static const struct reads harmless[] = {
#define XDS_HARMLESS(message, fields) {&(message), XDS_ALL_CLIENTS, (fields)},
#include "rules/unread_harmless.inc"
#undef XDS_HARMLESS
};

static const struct hint {
    const ProtobufCMessageDescriptor *message;
    const char *field, *text;
} hints[] = {
#define XDS_UNREAD_HINT(message, field, text) {&(message), (field), (text)},
#include "rules/unread_hints.inc"
#undef XDS_UNREAD_HINT
};

static bool names(const char *fields, const char *name)
{
    struct xds_slice rest = xds_slice_of(fields), word;

    while (rest.data) {
        rest = xds_slice_cut(rest, ' ', &word);
        if (xds_slice_eq(word, xds_slice_of(name)))
            return true;
    }
    return false;
}

/* The clients of the rows that name the field. */
static unsigned clients_in(const struct reads *rows, size_t n,
                           const ProtobufCMessageDescriptor *message, const char *field)
{
    unsigned clients = 0;

    for (size_t i = 0; i < n; i++)
        if (rows[i].message == message && names(rows[i].fields, field))
            clients |= rows[i].clients;
    return clients;
}

static unsigned readers_of(const ProtobufCMessageDescriptor *message,
                           const ProtobufCFieldDescriptor *field)
{
    return clients_in(reads, XDS_ARRAY_LEN(reads), message, field->name) &
           ~clients_in(reads_not, XDS_ARRAY_LEN(reads_not), message, field->name);
}

/* ---- what is known of a message -----------------------------------------------------
 */

struct field_facts {
    unsigned readers;
    bool is_harmless, is_map;
    bool is_route_timeout;
    struct xds_slice key;            /* "envoy.config.route.v3.RouteAction.timeout" */
    struct xds_slice deprecated_key; /* absent: it is not deprecated */
    const char *hint;                /* or NULL */
};

struct xds_unread_message {
    const ProtobufCMessageDescriptor *type;
    unsigned readers; /* 0: nobody enters it */
    struct field_facts *fields;
};

/* A power of two, a few times as many as there are messages. */
#define SLOTS ((size_t)1024)

static const char *hint_for(const ProtobufCMessageDescriptor *message, const char *field)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(hints); i++)
        if (hints[i].message == message && strcmp(hints[i].field, field) == 0)
            return hints[i].text;
    return NULL;
}

static unsigned readers_of_message(const ProtobufCMessageDescriptor *type)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(reads); i++)
        if (reads[i].message == type)
            return reads[i].clients;
    return 0;
}

bool xds_field_is_unread(const ProtobufCMessageDescriptor *message,
                         const ProtobufCFieldDescriptor *field)
{
    return readers_of_message(message) && !readers_of(message, field) &&
           !xds_field_in_oneof(field);
}

static bool is_route_timeout(const ProtobufCMessageDescriptor *type,
                             const ProtobufCFieldDescriptor *field)
{
    return type == &envoy__config__route__v3__route_action__descriptor &&
           strcmp(field->name, "timeout") == 0;
}

static struct xds_unread_message *learn(struct xds_unread *unread,
                                        const ProtobufCMessageDescriptor *type)
{
    struct xds_unread_message *message =
        XDS_NEW(unread->arena, struct xds_unread_message);

    message->type = type;
    message->readers = readers_of_message(type);
    message->fields = XDS_NEW_ARRAY(unread->arena, struct field_facts, type->n_fields);
    for (unsigned i = 0; i < type->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &type->fields[i];

        message->fields[i] = (struct field_facts){
            .readers = readers_of(type, field),
            .is_harmless =
                clients_in(harmless, XDS_ARRAY_LEN(harmless), type, field->name) != 0,
            .is_map = xds_field_is_map(field),
            .is_route_timeout = is_route_timeout(type, field),
            .key = xds_arena_printf(unread->arena, "%s.%s", type->name, field->name),
            .hint = hint_for(type, field->name),
        };
        if (field->flags & PROTOBUF_C_FIELD_FLAG_DEPRECATED)
            message->fields[i].deprecated_key = xds_arena_printf(
                unread->arena, "deprecated %.*s", XDS_FMT(message->fields[i].key));
    }
    return message;
}

static struct xds_unread_message *find(struct xds_unread *unread,
                                       const ProtobufCMessageDescriptor *type)
{
    size_t slot = ((uintptr_t)type / sizeof *type) % SLOTS;

    if (!unread->slots)
        unread->slots = XDS_NEW_ARRAY(unread->arena, struct xds_unread_message *, SLOTS);
    while (unread->slots[slot] && unread->slots[slot]->type != type)
        slot = (slot + 1) % SLOTS;
    if (!unread->slots[slot])
        unread->slots[slot] = learn(unread, type);
    return unread->slots[slot];
}

/* ---- reporting ----------------------------------------------------------------------
 */

struct walk {
    struct xds_unread *unread;
    struct xds_ctx *ctx;
};

/* "core, go" of a mask; "gRPC" when it is everybody. */
static struct xds_slice name_clients(struct walk *walk, unsigned clients)
{
    if (clients == XDS_ALL_CLIENTS)
        return XDS_S("gRPC");
    return xds_arena_printf(walk->ctx->arena, "%s", xds_client_list(clients, ", ").text);
}

/* A timeout that nothing stands in for is more than a field without effect; one of 0 is
 * Envoy's way to have none. */
static bool leaves_no_limit(const ProtobufCMessage *message)
{
    const pb_route_action *action = (const void *)message;

    return !action->max_stream_duration &&
           (action->timeout->seconds != 0 || action->timeout->nanos != 0);
}

static void report_timeout(struct walk *walk, const struct xds_path *at, unsigned blind)
{
    if (xds_report_is_first(walk->ctx->report, XDS_S("route-timeout-not-read")))
        xds_fire_for(
            walk->ctx, at, blind, XDS_R_ROUTE_TIMEOUT_UNREAD,
            "timeout is not read by gRPC, and there is no max_stream_duration: the "
            "RPC has no limit but its own deadline");
}

static void report(struct walk *walk, const ProtobufCMessage *message, unsigned i,
                   const struct xds_path *at, unsigned blind)
{
    const struct field_facts *facts = &find(walk->unread, message->descriptor)->fields[i];
    const unsigned clients = facts->readers ? blind : XDS_ALL_CLIENTS;

    if (!(blind & walk->ctx->options->clients) || facts->is_harmless)
        return;
    if (facts->is_route_timeout && leaves_no_limit(message))
        report_timeout(walk, at, clients);
    else if (xds_report_is_first(walk->ctx->report, facts->key))
        xds_fire_for(walk->ctx, at, clients, XDS_R_FIELD_UNREAD,
                     "%s.%s is not read by %.*s%s%s", message->descriptor->short_name,
                     message->descriptor->fields[i].name,
                     XDS_FMT(name_clients(walk, clients)), facts->hint ? ": " : "",
                     facts->hint ? facts->hint : "");
}

/* The API has a newer form of what is still read. */
static void report_deprecated(struct walk *walk, const ProtobufCMessage *message,
                              unsigned i, const struct xds_path *at)
{
    const struct field_facts *facts = &find(walk->unread, message->descriptor)->fields[i];

    if (xds_report_is_first(walk->ctx->report, facts->deprecated_key))
        xds_fire(walk->ctx, at, XDS_R_FIELD_DEPRECATED,
                 "%s.%s is deprecated: the API has another form of it",
                 message->descriptor->short_name, message->descriptor->fields[i].name);
}

/* ---- the walk -----------------------------------------------------------------------
 */

/* Depth is that of the input, which is bounded. */
static void visit(struct walk *walk, const ProtobufCMessage *message,
                  const struct xds_path *at, unsigned clients);

static void visit_any(struct walk *walk, const pb_any *pb, const struct xds_path *at,
                      unsigned clients)
{
    const struct xds_any *any = xds_any_of(pb);

    if (any->state == XDS_ANY_TYPED)
        visit(walk, any->message, XDS_AT_VALUE(at, any->type), clients);
}

static void visit_item(struct walk *walk, const ProtobufCMessage *item,
                       const struct xds_path *at, unsigned clients)
{
    if (item->descriptor == &google__protobuf__any__descriptor)
        visit_any(walk, (const pb_any *)(const void *)item, at, clients);
    else
        visit(walk, item, at, clients);
}

/* An entry of a map is a message of a key and a value; only text is a key where a value
 * is a message. */
static void visit_entry(struct walk *walk, const ProtobufCMessage *entry,
                        const char *field, const struct xds_path *at, unsigned clients)
{
    const ProtobufCFieldDescriptor *fields = entry->descriptor->fields;

    if (fields[0].type != PROTOBUF_C_TYPE_STRING ||
        fields[1].type != PROTOBUF_C_TYPE_MESSAGE ||
        xds_field_count(entry, &fields[1]) == 0)
        return;
    const struct xds_slice key = xds_item_text(xds_field_item(entry, &fields[0], 0));

    visit_item(walk, xds_item_message(xds_field_item(entry, &fields[1], 0)),
               XDS_AT_KEY(at, field, key), clients);
}

static void visit_field(struct walk *walk, const ProtobufCMessage *message, unsigned i,
                        const struct xds_path *at, unsigned clients)
{
    const ProtobufCFieldDescriptor *field = &message->descriptor->fields[i];
    const bool is_list = field->label == PROTOBUF_C_LABEL_REPEATED;
    const bool is_map = find(walk->unread, message->descriptor)->fields[i].is_map;

    for (size_t k = 0; k < xds_field_count(message, field); k++) {
        const ProtobufCMessage *item =
            xds_item_message(xds_field_item(message, field, k));

        if (is_map)
            visit_entry(walk, item, field->name, at, clients);
        else if (is_list)
            visit_item(walk, item, XDS_AT_I(at, field->name, k), clients);
        else
            visit_item(walk, item, XDS_AT(at, field->name), clients);
    }
}

static void visit(struct walk *walk, const ProtobufCMessage *message,
                  const struct xds_path *at, unsigned clients)
{
    const struct xds_unread_message *known = find(walk->unread, message->descriptor);

    clients &= known->readers;
    for (unsigned i = 0; clients && i < message->descriptor->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &message->descriptor->fields[i];
        const unsigned readers = known->fields[i].readers, blind = clients & ~readers;

        if (xds_field_count(message, field) == 0)
            continue;
        if (blind && (readers || !xds_field_in_oneof(field)))
            report(walk, message, i, XDS_AT(at, field->name), blind);
        if ((clients & readers & walk->ctx->options->clients) &&
            known->fields[i].deprecated_key.data)
            report_deprecated(walk, message, i, XDS_AT(at, field->name));
        if ((clients & readers) && field->type == PROTOBUF_C_TYPE_MESSAGE)
            visit_field(walk, message, i, at, clients & readers);
    }
}

void xds_unread_check(struct xds_unread *unread, struct xds_ctx *ctx,
                      const ProtobufCMessage *resource)
{
    struct walk walk = {unread, ctx};

    visit(&walk, resource, NULL, XDS_ALL_CLIENTS);
}
