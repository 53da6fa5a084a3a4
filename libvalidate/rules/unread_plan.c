/*
 * unread_plan.c - what to look at in a message to find fields that a client does not
 * read.
 *
 * Takes:  the type of a message, and the clients that come to it.
 * Gives:  its fields that can be reported, or lead to some that can.
 * Source: the fields that the sources of grpc, grpc-go, grpc-java and grpc-node read, and
 *         the rows of the spec that say "ignored".
 */
#include "rules/unread_plan.h"

#include "decode/pb.h"
#include "rules/ctx.h"

/* ---- the facts ----------------------------------------------------------------------
 */

struct reads {
    const ProtobufCMessageDescriptor *message;
    unsigned clients;
    const char *fields;
};

static const struct reads reads[] = {
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

static bool names(const char *fields, const char *name)
{
    const struct xds_slice wanted = xds_slice_of(name);
    struct xds_slice rest = xds_slice_of(fields), word;

    while (rest.data) {
        rest = xds_slice_cut(rest, ' ', &word);
        if (xds_slice_eq(word, wanted))
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

/* ---- what is known of a message -----------------------------------------------------
 */

struct xds_unread_message {
    const ProtobufCMessageDescriptor *type;
    unsigned readers;                /* 0: nobody enters it */
    struct xds_unread_field *fields; /* NULL then */
    struct xds_unread_plan *plans;
};

/* A power of two, a few times as many as there are messages. */
#define SLOTS ((size_t)1024)

/* The index of a field, or n_fields. */
static unsigned find_field(const ProtobufCMessageDescriptor *type, struct xds_slice word)
{
    unsigned low = 0, high = type->n_fields;

    while (low < high) {
        const unsigned middle = low + (high - low) / 2;
        const unsigned field = type->fields_sorted_by_name[middle];
        const int c = xds_slice_cmp(xds_slice_of(type->fields[field].name), word);

        if (c == 0)
            return field;
        if (c < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return type->n_fields;
}

/* By field, the clients of the rows that name it. */
static unsigned *clients_by_field(struct xds_arena *arena, const struct reads *rows,
                                  size_t n, const ProtobufCMessageDescriptor *type)
{
    unsigned *clients = XDS_NEW_ARRAY(arena, unsigned, type->n_fields + 1);

    for (size_t i = 0; i < n; i++) {
        struct xds_slice rest = {NULL, 0}, word;

        if (rows[i].message == type)
            rest = xds_slice_of(rows[i].fields);
        while (rest.data) {
            rest = xds_slice_cut(rest, ' ', &word);
            clients[find_field(type, word)] |= rows[i].clients;
        }
    }
    return clients;
}

static void learn_fields(struct xds_unread *unread, struct xds_unread_message *message)
{
    const ProtobufCMessageDescriptor *type = message->type;
    struct xds_arena *arena = unread->arena;
    const unsigned *read = clients_by_field(arena, reads, XDS_ARRAY_LEN(reads), type);
    const unsigned *not_read =
        clients_by_field(arena, reads_not, XDS_ARRAY_LEN(reads_not), type);
    const unsigned *fine =
        clients_by_field(arena, harmless, XDS_ARRAY_LEN(harmless), type);

    message->fields = XDS_NEW_ARRAY(arena, struct xds_unread_field, type->n_fields);
    for (unsigned i = 0; i < type->n_fields; i++)
        message->fields[i] = (struct xds_unread_field){
            .message = type,
            .field = &type->fields[i],
            .readers = read[i] & ~not_read[i],
            .is_harmless = fine[i] != 0,
        };
}

static struct xds_unread_message *find_message(struct xds_unread *unread,
                                               const ProtobufCMessageDescriptor *type)
{
    size_t slot = ((uintptr_t)type / sizeof *type) % SLOTS;

    if (!unread->slots)
        unread->slots = XDS_NEW_ARRAY(unread->arena, struct xds_unread_message *, SLOTS);
    while (unread->slots[slot] && unread->slots[slot]->type != type)
        slot = (slot + 1) % SLOTS;
    if (!unread->slots[slot]) {
        struct xds_unread_message *message =
            XDS_NEW(unread->arena, struct xds_unread_message);

        message->type = type;
        message->readers = readers_of_message(type);
        if (message->readers)
            learn_fields(unread, message);
        unread->slots[slot] = message;
    }
    return unread->slots[slot];
}

/* ---- plans --------------------------------------------------------------------------
 */

/* The type of what a field holds, of a map its values; NULL: nothing that is entered. A
 * map with other keys than text has no way to its values. */
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

static void plan_way_down(struct xds_unread *unread, struct xds_unread_watch *watch,
                          const ProtobufCFieldDescriptor *field)
{
    const ProtobufCMessageDescriptor *content = content_of(field);

    watch->is_any = content == &google__protobuf__any__descriptor;
    if (watch->clients && content && !watch->is_any)
        watch->below = xds_unread_plan(unread, content, watch->clients);
    if (!watch->clients || (!watch->is_any && !watch->below))
        watch->enter = XDS_ENTER_NOTHING;
    else if (field->label != PROTOBUF_C_LABEL_REPEATED)
        watch->enter = XDS_ENTER_ONE;
    else
        watch->enter = xds_field_is_map(field) ? XDS_ENTER_MAP : XDS_ENTER_LIST;
}

/* A member of a oneof that no client reads is left to the rules: there it is as if the
 * oneof were not set, and that has rows of its own. */
static struct xds_unread_watch watch_for(struct xds_unread *unread,
                                         struct xds_unread_field *field, unsigned clients)
{
    const unsigned blind = clients & ~field->readers;
    const bool is_deprecated = field->field->flags & PROTOBUF_C_FIELD_FLAG_DEPRECATED;
    struct xds_unread_watch watch = {
        .set = xds_field_presence(field->field),
        .field = field,
        .offset = field->field->offset,
        .clients = clients & field->readers,
        .is_deprecated = is_deprecated && (clients & field->readers & unread->selected),
    };

    if ((blind & unread->selected) && !field->is_harmless &&
        (field->readers || !xds_field_in_oneof(field->field)))
        watch.blind = blind;
    plan_way_down(unread, &watch, field->field);
    return watch;
}

/* Bytes that are 0 unless the field is set; 0: it is not seen that way. */
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

static void add_watch(struct xds_unread_plan *plan, const struct xds_unread_watch *watch)
{
    const size_t zeros = zero_bytes(watch->set);

    *plan->end++ = *watch;
    if (zeros > 0 && zeros <= sizeof(uintptr_t) && watch->enter == XDS_ENTER_NOTHING)
        add_probe(plan, watch->set);
    else
        *plan->others_end++ = *watch;
}

static struct xds_unread_plan *
new_plan(struct xds_arena *arena, struct xds_unread_message *message, unsigned clients)
{
    const unsigned n = message->type->n_fields;
    struct xds_unread_plan *plan = XDS_NEW(arena, struct xds_unread_plan);

    plan->clients = clients;
    plan->next = message->plans;
    message->plans = plan;
    plan->watches = plan->end = XDS_NEW_ARRAY(arena, struct xds_unread_watch, n);
    plan->others = plan->others_end = XDS_NEW_ARRAY(arena, struct xds_unread_watch, n);
    plan->probes = plan->probes_end = XDS_NEW_ARRAY(arena, struct xds_unread_probe, n);
    return plan;
}

static struct xds_unread_plan *make(struct xds_unread *unread,
                                    struct xds_unread_message *message, unsigned clients)
{
    struct xds_unread_plan *plan = new_plan(unread->arena, message, clients);

    for (unsigned i = 0; i < message->type->n_fields; i++) {
        const struct xds_unread_watch watch =
            watch_for(unread, &message->fields[i], clients);

        if (watch.blind || watch.is_deprecated || watch.enter != XDS_ENTER_NOTHING)
            add_watch(plan, &watch);
    }
    plan->is_made = true;
    return plan;
}

const struct xds_unread_plan *xds_unread_plan(struct xds_unread *unread,
                                              const ProtobufCMessageDescriptor *type,
                                              unsigned clients)
{
    struct xds_unread_message *message = find_message(unread, type);
    struct xds_unread_plan *plan = message->plans;

    clients &= message->readers;
    if (!clients)
        return NULL;
    while (plan && plan->clients != clients)
        plan = plan->next;
    if (!plan)
        plan = make(unread, message, clients);
    return plan->is_made && plan->watches == plan->end ? NULL : plan;
}
