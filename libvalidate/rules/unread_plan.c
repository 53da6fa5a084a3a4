/*
 * unread_plan.c - what to look at in a message to find fields that a client does not
 * read.
 *
 * Source: the comments of proto/: the fields that the sources of grpc, grpc-go, grpc-java
 *         and grpc-node read, and the rows of the spec that say "ignored".
 */
#include "rules/unread_plan.h"

#include "decode/pb.h"
#include "rules/ctx.h"

/* ---- the facts ---- */

/* The rows are written by proto/read_fields.awk. */
static const struct xds_field_use uses[] = {
#define XDS_MESSAGE_READ(message, clients, first)
#define XDS_FIELD_READ(name, clients, remark, hint) {(clients), (remark), (hint)},
#include "read_fields.inc"
#undef XDS_MESSAGE_READ
#undef XDS_FIELD_READ
};

/* A message that clients read. */
static const struct reads {
    const ProtobufCMessageDescriptor *message;
    unsigned clients;
    const struct xds_field_use *fields; /* as the descriptor has them */
} reads[] = {
#define XDS_MESSAGE_READ(message, clients, first) {&(message), (clients), &uses[first]},
#define XDS_FIELD_READ(name, clients, remark, hint)
#include "read_fields.inc"
#undef XDS_MESSAGE_READ
#undef XDS_FIELD_READ
};

bool xds_field_is_unread(const ProtobufCMessageDescriptor *message,
                         const ProtobufCFieldDescriptor *field)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(reads); i++)
        if (reads[i].message == message)
            return !reads[i].fields[field - message->fields].readers &&
                   !xds_field_in_oneof(field);
    return false;
}

/* ---- what is known of a message ---- */

struct xds_unread_message {
    const struct reads *reads;
    struct xds_unread_field *fields; /* NULL before the first plan */
    struct xds_unread_plan *plans;
};

/* A power of two, a few times as many as there are messages. */
#define SLOTS ((size_t)512)

/* The slot of a type, or the free one for it. */
static struct xds_unread_message **slot_of(const struct xds_unread *unread,
                                           const ProtobufCMessageDescriptor *type)
{
    size_t slot = ((uintptr_t)type / sizeof *type) % SLOTS;

    while (unread->slots[slot] && unread->slots[slot]->reads->message != type)
        slot = (slot + 1) % SLOTS;
    return &unread->slots[slot];
}

static void enter_messages(struct xds_unread *unread)
{
    const size_t n = XDS_ARRAY_LEN(reads);
    struct xds_unread_message *messages =
        XDS_NEW_ARRAY(unread->arena, struct xds_unread_message, n);

    unread->slots = XDS_NEW_ARRAY(unread->arena, struct xds_unread_message *, SLOTS);
    for (size_t i = 0; i < n; i++) {
        messages[i].reads = &reads[i];
        *slot_of(unread, reads[i].message) = &messages[i];
    }
}

/* NULL: no client reads it. */
static struct xds_unread_message *find_message(struct xds_unread *unread,
                                               const ProtobufCMessageDescriptor *type)
{
    if (!unread->slots)
        enter_messages(unread);
    return *slot_of(unread, type);
}

/* Those of the clients that read a message of this type. */
static unsigned readers_among(struct xds_unread *unread, unsigned clients,
                              const ProtobufCMessageDescriptor *type)
{
    const struct xds_unread_message *message = find_message(unread, type);

    return message ? clients & message->reads->clients : 0;
}

static void list_fields(struct xds_unread *unread, struct xds_unread_message *message)
{
    const ProtobufCMessageDescriptor *type = message->reads->message;

    message->fields =
        XDS_NEW_ARRAY(unread->arena, struct xds_unread_field, type->n_fields);
    for (unsigned i = 0; i < type->n_fields; i++) {
        message->fields[i].message = type;
        message->fields[i].field = &type->fields[i];
        message->fields[i].use = &message->reads->fields[i];
    }
}

/* ---- plans ---- */

/* The type of what a field holds, of a map its values; NULL: nothing that is entered. The
 * values of a map are not entered when its keys are not text. */
static const ProtobufCMessageDescriptor *content_of(const ProtobufCFieldDescriptor *field)
{
    if (field->type != PROTOBUF_C_TYPE_MESSAGE)
        return NULL;
    if (!xds_field_is_map(field))
        return field->descriptor;

    const ProtobufCFieldDescriptor *entry =
        ((const ProtobufCMessageDescriptor *)field->descriptor)->fields;
    return entry[0].type == PROTOBUF_C_TYPE_STRING &&
                   entry[1].type == PROTOBUF_C_TYPE_MESSAGE
               ? entry[1].descriptor
               : NULL;
}

/* Below load_assignment other fields are read than in an endpoint resource of the same
 * type; see cluster_dns.c. */
static bool is_read_otherwise(const ProtobufCFieldDescriptor *field)
{
    const ProtobufCMessageDescriptor *cluster =
        &envoy__config__cluster__v3__cluster__descriptor;

    return field ==
           protobuf_c_message_descriptor_get_field_by_name(cluster, "load_assignment");
}

static void plan_entry(struct xds_unread *unread, struct xds_unread_watch *watch,
                       const ProtobufCFieldDescriptor *field)
{
    const ProtobufCMessageDescriptor *content = content_of(field);

    watch->content = content;
    watch->is_any = content == &google__protobuf__any__descriptor;
    if (!content || !watch->clients || is_read_otherwise(field) ||
        (!watch->is_any && !readers_among(unread, watch->clients, content)))
        watch->enter = XDS_ENTER_NOTHING;
    else if (field->label != PROTOBUF_C_LABEL_REPEATED)
        watch->enter = XDS_ENTER_ONE;
    else
        watch->enter = xds_field_is_map(field) ? XDS_ENTER_MAP : XDS_ENTER_LIST;
}

/* A member of a oneof that no client reads is left to other rules: to a client the oneof
 * is not set then. */
static struct xds_unread_watch watch_for(struct xds_unread *unread,
                                         struct xds_unread_field *field, unsigned clients)
{
    const unsigned readers = clients & field->use->readers, blind = clients & ~readers;
    const bool is_deprecated = (field->field->flags & PROTOBUF_C_FIELD_FLAG_DEPRECATED) &&
                               field->use->remark != XDS_CURRENT;
    struct xds_unread_watch watch = {
        .set = xds_field_presence(field->field),
        .field = field,
        .offset = field->field->offset,
        .clients = readers,
        .is_deprecated = is_deprecated && (readers & unread->selected),
    };

    if ((blind & unread->selected) && field->use->remark != XDS_HARMLESS &&
        (field->use->readers || !xds_field_in_oneof(field->field)))
        watch.blind = blind;
    plan_entry(unread, &watch, field->field);
    return watch;
}

/* Bytes that are 0 unless the field is set; 0: a probe cannot see it. */
static size_t zero_bytes(struct xds_presence set)
{
    switch (set.by) {
    case XDS_SET_POINTER:
        return sizeof(void *);
    case XDS_SET_SIZE:
        return sizeof(size_t);
    case XDS_SET_WORD32:
        return sizeof(uint32_t);
    case XDS_SET_WORD64:
        return sizeof(uint64_t);
    case XDS_SET_TEXT:
    case XDS_SET_CASE:
        break;
    }
    return 0;
}

static void add_probe(struct xds_unread_plan *plan, struct xds_presence set)
{
    const unsigned in_word = set.offset % sizeof(uintptr_t);
    const unsigned offset = set.offset - in_word;
    unsigned char bytes[sizeof(uintptr_t)] = {0};
    uintptr_t bits;

    memset(bytes + in_word, 0xff, zero_bytes(set));
    memcpy(&bits, bytes, sizeof bits);
    if (plan->probes_end > plan->probes && plan->probes_end[-1].offset == offset)
        plan->probes_end[-1].bits |= bits;
    else
        *plan->probes_end++ = (struct xds_unread_probe){offset, bits};
}

/* Is a probe enough for it? */
static bool is_probed(const struct xds_unread_watch *watch)
{
    const size_t zeros = zero_bytes(watch->set);

    return zeros > 0 && zeros <= sizeof(uintptr_t) && watch->enter == XDS_ENTER_NOTHING;
}

/* The watches of a message, in memory that the next plan uses again. */
static struct xds_unread_watch *watches_of(struct xds_unread *unread,
                                           struct xds_unread_message *message,
                                           unsigned clients, size_t *n)
{
    const unsigned n_fields = message->reads->message->n_fields;

    *n = 0;
    if (n_fields > unread->cap) {
        unread->scratch = XDS_NEW_ARRAY(unread->arena, struct xds_unread_watch, n_fields);
        unread->cap = n_fields;
    }
    for (unsigned i = 0; i < n_fields; i++) {
        const struct xds_unread_watch watch =
            watch_for(unread, &message->fields[i], clients);

        if (watch.blind || watch.is_deprecated || watch.enter != XDS_ENTER_NOTHING)
            unread->scratch[(*n)++] = watch;
    }
    return unread->scratch;
}

static void fill(struct xds_unread_plan *plan, struct xds_arena *arena,
                 const struct xds_unread_watch *watches, size_t n)
{
    size_t probed = 0;

    for (size_t i = 0; i < n; i++)
        probed += is_probed(&watches[i]);
    plan->watches = plan->end = XDS_NEW_ARRAY(arena, struct xds_unread_watch, n);
    plan->others = plan->others_end =
        XDS_NEW_ARRAY(arena, struct xds_unread_watch, n - probed);
    plan->probes = plan->probes_end =
        XDS_NEW_ARRAY(arena, struct xds_unread_probe, probed);
    for (size_t i = 0; i < n; i++) {
        *plan->end++ = watches[i];
        if (is_probed(&watches[i]))
            add_probe(plan, watches[i].set);
        else
            *plan->others_end++ = watches[i];
    }
}

static struct xds_unread_plan *make(struct xds_unread *unread,
                                    struct xds_unread_message *message, unsigned clients)
{
    struct xds_unread_plan *plan = XDS_NEW(unread->arena, struct xds_unread_plan);
    size_t n;

    if (!message->fields)
        list_fields(unread, message);
    const struct xds_unread_watch *watches = watches_of(unread, message, clients, &n);

    fill(plan, unread->arena, watches, n);
    plan->clients = clients;
    plan->next = message->plans;
    message->plans = plan;
    return plan;
}

const struct xds_unread_plan *xds_unread_plan(struct xds_unread *unread,
                                              const ProtobufCMessageDescriptor *type,
                                              unsigned clients)
{
    struct xds_unread_message *message = find_message(unread, type);

    clients = message ? clients & message->reads->clients : 0;
    if (!clients)
        return NULL;
    struct xds_unread_plan *plan = message->plans;

    while (plan && plan->clients != clients)
        plan = plan->next;
    if (!plan)
        plan = make(unread, message, clients);
    return plan->watches == plan->end ? NULL : plan;
}

void xds_unread_find_below(struct xds_unread *unread, struct xds_unread_watch *watch)
{
    watch->below = xds_unread_plan(unread, watch->content, watch->clients);
    watch->is_known = true;
}
