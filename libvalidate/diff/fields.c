/* fields.c - where two messages differ, field by field. */
#include "diff/fields.h"

#include "base/limits.h"
#include "diff/align.h"
#include "diff/digest.h"
#include "diff/value.h"
#include "rules/unread.h"

#define PORT_VALUE ENVOY__CONFIG__CORE__V3__SOCKET_ADDRESS__PORT_SPECIFIER_PORT_VALUE

struct work {
    struct xds_arena *arena, *scratch;
    struct xds_field_changes *out;
};

/* Where both sides are. */
struct place {
    const struct xds_path *at[XDS_SIDES];
    const ProtobufCMessage *owner; /* the list item around, or NULL */
    bool unread;
};

/* One field of both messages. */
struct both {
    const ProtobufCFieldDescriptor *field;
    const ProtobufCMessage *message[XDS_SIDES];
    size_t n[XDS_SIDES];
    const struct xds_list_rule *rule;
};

static void compare(struct work *w, const struct place *place,
                    const ProtobufCMessage *old, const ProtobufCMessage *now);

/* ---- a change ---- */

/* Frames that outlive the stack. */
static const struct xds_path *keep(struct xds_arena *arena, const struct xds_path *path)
{
    struct xds_path *copy;

    if (!path)
        return NULL;
    copy = XDS_NEW(arena, struct xds_path);
    *copy = *path;
    copy->up = keep(arena, path->up);
    copy->key = xds_arena_dup(arena, path->key);
    return copy;
}

/* "10.0.0.1:80" of a message with a socket address below it, or absent. */
static struct xds_slice address_of(struct xds_arena *arena, const ProtobufCMessage *m)
{
    static const char *const steps[] = {"endpoint", "address", "socket_address"};
    const ProtobufCFieldDescriptor *field;

    for (size_t i = 0; i < XDS_ARRAY_LEN(steps); i++) {
        const void *item = xds_message_item(m, steps[i], &field);
        if (!item || field->type != PROTOBUF_C_TYPE_MESSAGE)
            return xds_slice_make(NULL, 0);
        m = xds_item_message(item);
    }
    const pb_socket_address *address = (const pb_socket_address *)m;
    return xds_arena_printf(
        arena, strchr(address->address, ':') ? "[%s]:%u" : "%s:%u", address->address,
        address->port_specifier_case == PORT_VALUE ? address->port_value : 0);
}

/* What people call the list item: its name, the key of a map, an endpoint's address. */
static struct xds_slice name_of(struct xds_arena *arena, const ProtobufCMessage *owner)
{
    static const char *const fields[] = {"name", "key", "category"};

    for (size_t i = 0; owner && i < XDS_ARRAY_LEN(fields); i++) {
        const struct xds_slice name = xds_message_text(owner, fields[i]);
        if (name.len > 0)
            return xds_arena_dup(arena, name);
    }
    if (owner &&
        owner->descriptor == &envoy__config__endpoint__v3__lb_endpoint__descriptor)
        return address_of(arena, owner);
    return xds_slice_make(NULL, 0);
}

static struct xds_field_change *add(struct work *w, enum xds_change_kind kind,
                                    const struct place *place)
{
    struct xds_field_changes *out = w->out;

    if (out->n == XDS_MAX_DIFF_CHANGES) {
        out->n_more++;
        return NULL;
    }
    out->list = xds_arena_room(w->arena, out->list, out->n, &out->cap, sizeof *out->list);
    struct xds_field_change *change = &out->list[out->n++];
    *change = (struct xds_field_change){.kind = kind, .unread = place->unread};
    for (unsigned side = 0; side < XDS_SIDES; side++)
        change->at[side] = keep(w->arena, place->at[side]);
    change->path = xds_path_render(
        w->arena, change->at[XDS_SIDE_NEW] ? change->at[XDS_SIDE_NEW] : change->at[0]);
    change->owner = name_of(w->arena, place->owner);
    return change;
}

/* One side's item is NULL when it is not there. */
static void add_values(struct work *w, const struct place *place,
                       const ProtobufCFieldDescriptor *field, const void *old,
                       const void *now)
{
    const enum xds_change_kind kind = !old   ? XDS_CHANGE_ADDED
                                      : !now ? XDS_CHANGE_REMOVED
                                             : XDS_CHANGE_CHANGED;
    const void *const item[XDS_SIDES] = {old, now};
    const struct place here = {{old ? place->at[0] : NULL, now ? place->at[1] : NULL},
                               place->owner,
                               place->unread};
    struct xds_field_change *change = add(w, kind, &here);

    for (unsigned side = 0; change && side < XDS_SIDES; side++)
        if (item[side])
            change->value[side] = xds_value_text(w->arena, field, item[side]);
}

/* ---- one value ---- */

/* Wrappers, durations and what else has no fields for a reader is one value. */
static bool is_entered(const ProtobufCFieldDescriptor *field)
{
    const struct xds_slice google = XDS_S("google.protobuf.");

    if (field->type != PROTOBUF_C_TYPE_MESSAGE)
        return false;
    const ProtobufCMessageDescriptor *type = field->descriptor;
    return type == &google__protobuf__any__descriptor ||
           type == &google__protobuf__struct__descriptor ||
           !xds_slice_starts(xds_slice_of(type->name), google);
}

static bool same_type(const struct xds_any *old, const struct xds_any *now)
{
    return old->state == XDS_ANY_TYPED && now->state == XDS_ANY_TYPED &&
           old->message->descriptor == now->message->descriptor;
}

static void compare_any(struct work *w, const struct place *place,
                        const ProtobufCFieldDescriptor *field, const void *old,
                        const void *now)
{
    const struct xds_any *a = xds_message_any(xds_item_message(old));
    const struct xds_any *b = xds_message_any(xds_item_message(now));

    if (!same_type(a, b)) {
        add_values(w, place, field, old, now);
        return;
    }
    const struct place inside = {
        {XDS_AT_VALUE(place->at[0], a->type), XDS_AT_VALUE(place->at[1], b->type)},
        place->owner,
        place->unread};
    compare(w, &inside, a->message, b->message);
}

static void compare_items(struct work *w, const struct place *place,
                          const ProtobufCFieldDescriptor *field, const void *old,
                          const void *now)
{
    if (xds_digest_item(field, old) == xds_digest_item(field, now))
        return;
    if (!is_entered(field))
        add_values(w, place, field, old, now);
    else if (field->descriptor == &google__protobuf__any__descriptor)
        compare_any(w, place, field, old, now);
    else
        compare(w, place, xds_item_message(old), xds_item_message(now));
}

static void compare_value(struct work *w, const struct place *place,
                          const struct both *both)
{
    const char *name = both->field->name;
    const struct place here = {{XDS_AT(place->at[0], name), XDS_AT(place->at[1], name)},
                               place->owner,
                               place->unread};
    const void *item[XDS_SIDES];

    for (unsigned s = 0; s < XDS_SIDES; s++)
        item[s] = both->n[s] ? xds_field_item(both->message[s], both->field, 0) : NULL;
    if (item[0] && item[1])
        compare_items(w, &here, both->field, item[0], item[1]);
    else if (item[0] || item[1])
        add_values(w, &here, both->field, item[0], item[1]);
}

/* ---- lists ---- */

static struct xds_align_item align_item(const struct both *both, const void *item)
{
    struct xds_align_item out = {.digest = xds_digest_item(both->field, item),
                                 .partner = XDS_NO_PARTNER};

    if (both->field->type != PROTOBUF_C_TYPE_MESSAGE)
        return out;
    const ProtobufCMessage *message = xds_item_message(item);
    for (size_t k = 0; k < XDS_LIST_KEYS && both->rule->keys[k]; k++)
        out.has_key[k] = xds_digest_key(message, both->rule->keys[k], &out.key[k]);
    if (both->rule->loose)
        out.has_loose = xds_digest_key(message, both->rule->loose, &out.loose);
    return out;
}

static struct xds_align_list align_list(struct work *w, const struct both *both,
                                        enum xds_side side)
{
    const size_t n = both->n[side];
    struct xds_align_list list = {XDS_NEW_ARRAY(w->scratch, struct xds_align_item, n + 1),
                                  n};

    for (size_t i = 0; i < n; i++)
        list.items[i] =
            align_item(both, xds_field_item(both->message[side], both->field, i));
    return list;
}

static struct xds_path item_path(const struct xds_path *up, const struct both *both,
                                 const void *item, size_t i)
{
    if (!xds_field_is_map(both->field))
        return *XDS_AT_I(up, both->field->name, i);
    return *XDS_AT_KEY(up, both->field->name,
                       xds_message_text(xds_item_message(item), "key"));
}

/* The value of a map's entry is its only part that can differ. */
static void compare_entries(struct work *w, const struct place *place,
                            const ProtobufCMessage *old, const ProtobufCMessage *now)
{
    const ProtobufCFieldDescriptor *field = &old->descriptor->fields[1];

    compare_items(w, place, field, xds_field_item(old, field, 0),
                  xds_field_item(now, field, 0));
}

static void compare_pair(struct work *w, const struct place *place,
                         const struct both *both, size_t i, size_t k, bool moved)
{
    const void *old = xds_field_item(both->message[0], both->field, i);
    const void *now = xds_field_item(both->message[1], both->field, k);
    const struct xds_path paths[XDS_SIDES] = {item_path(place->at[0], both, old, i),
                                              item_path(place->at[1], both, now, k)};
    const bool is_message = both->field->type == PROTOBUF_C_TYPE_MESSAGE;
    const struct place here = {{&paths[0], &paths[1]},
                               is_message ? xds_item_message(now) : place->owner,
                               place->unread};
    struct xds_field_change *change = moved ? add(w, XDS_CHANGE_MOVED, &here) : NULL;

    if (change) {
        change->index[0] = i;
        change->index[1] = k;
    }
    if (xds_field_is_map(both->field))
        compare_entries(w, &here, xds_item_message(old), xds_item_message(now));
    else
        compare_items(w, &here, both->field, old, now);
}

/* An item that only one side has. */
static void add_alone(struct work *w, const struct place *place, const struct both *both,
                      enum xds_side side, size_t i)
{
    const void *item = xds_field_item(both->message[side], both->field, i);
    const struct xds_path path = item_path(place->at[side], both, item, i);
    const bool is_message = both->field->type == PROTOBUF_C_TYPE_MESSAGE;
    const ProtobufCFieldDescriptor *field = both->field;
    struct place here = {{&path, &path},
                         is_message ? xds_item_message(item) : place->owner,
                         place->unread};

    if (xds_field_is_map(both->field)) {
        const ProtobufCMessage *entry = xds_item_message(item);
        field = &entry->descriptor->fields[1];
        item = xds_field_item(entry, field, 0);
    }
    add_values(w, &here, field, side == XDS_SIDE_OLD ? item : NULL,
               side == XDS_SIDE_NEW ? item : NULL);
}

/* In the order of the new list; what is gone comes first. */
static void compare_lists(struct work *w, const struct place *place,
                          const struct both *both)
{
    const struct xds_align_list old = align_list(w, both, XDS_SIDE_OLD);
    const struct xds_align_list now = align_list(w, both, XDS_SIDE_NEW);

    xds_align(w->scratch, both->rule, old, now);
    for (size_t i = 0; i < old.n; i++)
        if (old.items[i].partner == XDS_NO_PARTNER)
            add_alone(w, place, both, XDS_SIDE_OLD, i);
    for (size_t k = 0; k < now.n; k++) {
        if (now.items[k].partner == XDS_NO_PARTNER)
            add_alone(w, place, both, XDS_SIDE_NEW, k);
        else
            compare_pair(w, place, both, now.items[k].partner, k, now.items[k].moved);
    }
}

/* ---- all ---- */

/* The nesting of messages is bounded, and so is this recursion. */
static void compare(struct work *w, const struct place *place,
                    const ProtobufCMessage *old, const ProtobufCMessage *now)
{
    const ProtobufCMessageDescriptor *type = old->descriptor;

    for (unsigned i = 0; i < type->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &type->fields[i];
        const struct both both = {
            field,
            {old, now},
            {xds_field_count(old, field), xds_field_count(now, field)},
            xds_list_rule_of(type, field)};
        struct place here = *place;

        here.unread |= xds_field_is_unread(type, field);
        if (field->label == PROTOBUF_C_LABEL_REPEATED)
            compare_lists(w, &here, &both);
        else
            compare_value(w, &here, &both);
    }
}

void xds_fields_compare(struct xds_arena *arena, struct xds_arena *scratch,
                        const ProtobufCMessage *old, const ProtobufCMessage *now,
                        struct xds_field_changes *out)
{
    struct work w = {arena, scratch, out};

    compare(&w, &(const struct place){{NULL, NULL}, NULL, false}, old, now);
}
