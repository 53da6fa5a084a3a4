/* fields.c - where two messages differ, field by field, and which items of two lists are
 * the same. */
#include "diff/diff.h"
#include "secret/secret.h"

#include <stdlib.h>

/* As nearly all items of a list differ from each other, the longest increasing
 * subsequence of the pairs is their longest common subsequence, in n log n steps and
 * without a table of n times n cells. */

struct handle {
    uint64_t value;
    size_t index;
};

static int cmp_handles(const void *left, const void *right)
{
    const struct handle *a = left, *b = right;

    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

/* key XDS_LIST_KEYS stands for the digest. */
static bool value_of(const struct xds_align_item *item, size_t key, uint64_t *value)
{
    *value = key == XDS_LIST_KEYS ? item->digest : item->key[key];
    return item->partner == XDS_NO_PARTNER &&
           (key == XDS_LIST_KEYS || item->has_key[key]);
}

static struct handle *sorted(struct xds_arena *scratch, struct xds_align_list list,
                             size_t key, size_t *n)
{
    struct handle *handles = XDS_NEW_ARRAY(scratch, struct handle, list.n + 1);

    *n = 0;
    for (size_t i = 0; i < list.n; i++)
        if (value_of(&list.items[i], key, &handles[*n].value))
            handles[(*n)++].index = i;
    qsort(handles, *n, sizeof *handles, cmp_handles);
    return handles;
}

static void pair(struct xds_align_list old, struct xds_align_list now, size_t i, size_t k)
{
    old.items[i].partner = k;
    now.items[k].partner = i;
}

static void pair_by(struct xds_arena *scratch, struct xds_align_list old,
                    struct xds_align_list now, size_t key)
{
    size_t n_old, n_now, i = 0, k = 0;
    const struct handle *a = sorted(scratch, old, key, &n_old);
    const struct handle *b = sorted(scratch, now, key, &n_now);

    while (i < n_old && k < n_now) {
        if (a[i].value == b[k].value) {
            pair(old, now, a[i++].index, b[k++].index);
            continue;
        }
        if (a[i].value < b[k].value)
            i++;
        else
            k++;
    }
}

/* ---- what stayed ---- */

struct run {
    size_t *tail;   /* by length - 1: the item of the new list that ends the best run */
    size_t *before; /* by item of the new list: the item before it in its run */
    size_t n;
};

/* The first tail whose old index is not smaller. */
static size_t place_in(const struct run *run, struct xds_align_list now, size_t old_index)
{
    size_t low = 0, high = run->n;

    while (low < high) {
        const size_t mid = low + (high - low) / 2;

        if (now.items[run->tail[mid]].partner < old_index)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static void mark_moved(struct xds_arena *scratch, struct xds_align_list now)
{
    struct run run = {XDS_NEW_ARRAY(scratch, size_t, now.n + 1),
                      XDS_NEW_ARRAY(scratch, size_t, now.n + 1), 0};

    for (size_t k = 0; k < now.n; k++) {
        if (now.items[k].partner == XDS_NO_PARTNER)
            continue;
        const size_t at = place_in(&run, now, now.items[k].partner);
        now.items[k].moved = true;
        run.before[k] = at > 0 ? run.tail[at - 1] : 0;
        run.tail[at] = k;
        if (at == run.n)
            run.n++;
    }
    for (size_t left = run.n, k = left ? run.tail[left - 1] : 0; left > 0; left--) {
        now.items[k].moved = false;
        k = run.before[k];
    }
}

/* ---- between neighbours that stayed ---- */

static bool may_pair(const struct xds_list_rule *rule, const struct xds_align_item *a,
                     const struct xds_align_item *b)
{
    if (!rule->keys[0])
        return true;
    if (!rule->loose || a->has_key[0] || b->has_key[0])
        return false;
    return a->has_loose && b->has_loose && a->loose == b->loose;
}

static size_t skip_paired(struct xds_align_list list, size_t i, size_t end)
{
    while (i < end && list.items[i].partner != XDS_NO_PARTNER)
        i++;
    return i;
}

static void pair_gap(const struct xds_list_rule *rule, struct xds_align_list old,
                     struct xds_align_list now, size_t i, size_t i_end, size_t k,
                     size_t k_end)
{
    for (;;) {
        i = skip_paired(old, i, i_end);
        k = skip_paired(now, k, k_end);
        if (i >= i_end || k >= k_end)
            return;
        if (may_pair(rule, &old.items[i], &now.items[k]))
            pair(old, now, i, k);
        i++;
        k++;
    }
}

void xds_align(struct xds_arena *scratch, const struct xds_list_rule *rule,
               struct xds_align_list old, struct xds_align_list now)
{
    pair_by(scratch, old, now, XDS_LIST_KEYS);
    for (size_t key = 0; key < XDS_LIST_KEYS && rule->keys[key]; key++)
        pair_by(scratch, old, now, key);
    if (rule->order != XDS_LIST_ORDERED)
        return;
    mark_moved(scratch, now);

    size_t i = 0, k = 0;

    for (size_t end = 0; end < now.n; end++) {
        if (now.items[end].partner == XDS_NO_PARTNER || now.items[end].moved)
            continue;
        const size_t partner = now.items[end].partner;
        pair_gap(rule, old, now, i, partner, k, end);
        i = partner + 1;
        k = end + 1;
    }
    pair_gap(rule, old, now, i, old.n, k, now.n);
}

#define PORT_VALUE ENVOY__CONFIG__CORE__V3__SOCKET_ADDRESS__PORT_SPECIFIER_PORT_VALUE

struct work {
    struct xds_arena *arena, *scratch;
    struct xds_field_changes *out;
};

/* Where both sides are. */
struct place {
    const struct xds_path *at[XDS_SIDES];
    const ProtobufCMessage *owner; /* the list item around, or NULL */
    bool unread, is_secret;
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
                               place->unread,
                               place->is_secret};
    struct xds_field_change *change = add(w, kind, &here);

    for (unsigned side = 0; change && side < XDS_SIDES; side++)
        if (item[side])
            change->value[side] = place->is_secret
                                      ? XDS_S(XDS_SECRET_HIDDEN)
                                      : xds_value_text(w->arena, field, item[side]);
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

static void compare_any(struct work *w, const struct place *place,
                        const ProtobufCFieldDescriptor *field, const void *old,
                        const void *now)
{
    const struct xds_any *a = xds_message_any(xds_item_message(old));
    const struct xds_any *b = xds_message_any(xds_item_message(now));

    if (!(a->state == XDS_ANY_TYPED && b->state == XDS_ANY_TYPED &&
          a->message->descriptor == b->message->descriptor)) {
        add_values(w, place, field, old, now);
        return;
    }
    const struct place inside = {
        {XDS_AT_VALUE(place->at[0], a->type), XDS_AT_VALUE(place->at[1], b->type)},
        place->owner,
        place->unread,
        place->is_secret};
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
                               place->unread,
                               place->is_secret};
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
                               place->unread,
                               place->is_secret};
    struct xds_field_change *change = moved ? add(w, XDS_CHANGE_MOVED, &here) : NULL;

    if (change) {
        change->index[0] = i;
        change->index[1] = k;
    }
    if (xds_field_is_map(both->field)) {
        /* The value of a map's entry is its only part that can differ. */
        const ProtobufCMessage *entry = xds_item_message(old);
        const ProtobufCFieldDescriptor *value = &entry->descriptor->fields[1];

        compare_items(w, &here, value, xds_field_item(entry, value, 0),
                      xds_field_item(xds_item_message(now), value, 0));
    } else
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
                         place->unread,
                         place->is_secret};

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
        here.is_secret = xds_is_secret(old, field, place->is_secret) ||
                         xds_is_secret(now, field, place->is_secret);
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

    compare(&w, &(const struct place){{NULL, NULL}, NULL, false, false}, old, now);
}
