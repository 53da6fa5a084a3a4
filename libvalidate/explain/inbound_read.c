/*
 * inbound_read.c - the connection of an RPC that arrives at a server, from the members of
 * its object.
 *
 * Source: xdscope-explain(1).
 */
#include "explain/inbound_read.h"

#include "base/text.h"

/* False: the member is not what it should be. */
typedef bool read_fn(struct xds_arena *arena, const struct xds_tree *value,
                     struct xds_inbound *out, size_t offset);

static bool read_text(struct xds_arena *arena, const struct xds_tree *value,
                      struct xds_inbound *out, size_t offset)
{
    (void)arena;
    if (value->kind != XDS_TREE_STRING)
        return false;
    memcpy((char *)out + offset, &value->text, sizeof value->text);
    return true;
}

static bool read_tls(struct xds_arena *arena, const struct xds_tree *value,
                     struct xds_inbound *out, size_t offset)
{
    (void)arena;
    (void)offset;
    if (value->kind != XDS_TREE_BOOL)
        return false;
    out->way = value->truth ? XDS_WAY_TLS : XDS_WAY_PLAINTEXT;
    return true;
}

/* What is there of the certificate so far. */
static struct xds_certificate *certificate_of(struct xds_arena *arena,
                                              struct xds_inbound *out)
{
    struct xds_certificate *certificate = XDS_NEW(arena, struct xds_certificate);

    *certificate = (struct xds_certificate){.n_sans = 0};
    if (out->certificate)
        *certificate = *out->certificate;
    certificate->fault = xds_slice_make(NULL, 0);
    out->certificate = certificate;
    return certificate;
}

static bool read_sans(struct xds_arena *arena, const struct xds_tree *value,
                      struct xds_inbound *out, size_t offset)
{
    const bool is_list = value->kind == XDS_TREE_ARRAY;
    const struct xds_tree *items = is_list ? value->items : value;
    const size_t n = is_list ? value->n : 1;
    struct xds_san *sans = XDS_NEW_ARRAY(arena, struct xds_san, n);

    (void)offset;
    for (size_t i = 0; i < n; i++)
        if (items[i].kind != XDS_TREE_STRING || !xds_san_read(items[i].text, &sans[i]))
            return false;
    struct xds_certificate *certificate = certificate_of(arena, out);

    certificate->sans = sans;
    certificate->n_sans = n;
    return true;
}

static bool read_subject(struct xds_arena *arena, const struct xds_tree *value,
                         struct xds_inbound *out, size_t offset)
{
    (void)offset;
    if (value->kind != XDS_TREE_STRING)
        return false;
    certificate_of(arena, out)->subject = value->text;
    return true;
}

#define INBOUND(member) offsetof(struct xds_inbound, member)

static const struct member {
    const char *name;
    read_fn *read;
    size_t offset;
    const char *wanted;
    bool one; /* takes a single value */
} members[] = {
    {"server", read_text, INBOUND(server), "text", true},
    {"local", read_text, INBOUND(local), "text", true},
    {"peer", read_text, INBOUND(peer), "text", true},
    {"peer_san", read_sans, 0,
     "\"TYPE:VALUE\" or a list of that; TYPE is uri, dns, email or ip", false},
    {"peer_subject", read_subject, 0, "text", true},
    {"tls", read_tls, 0, "true or false", true},
    {"server_name", read_text, INBOUND(server_name), "text", true},
};

static const struct member *find_member(struct xds_slice name)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(members); i++)
        if (xds_slice_eq(name, xds_slice_of(members[i].name)))
            return &members[i];
    return NULL;
}

bool xds_inbound_has(struct xds_slice name)
{
    return find_member(name) != NULL;
}

bool xds_inbound_takes_one(struct xds_slice name)
{
    const struct member *member = find_member(name);

    return member && member->one;
}

void xds_inbound_offer(struct xds_nearest *nearest)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(members); i++)
        xds_nearest_offer(nearest, members[i].name);
}

struct xds_slice xds_inbound_read(struct xds_arena *arena, struct xds_tree *object,
                                  struct xds_inbound *out, const struct xds_tree **wrong)
{
    struct xds_tree *rest;
    size_t n = 0;

    if (object->kind != XDS_TREE_OBJECT)
        return (struct xds_slice){NULL, 0}; /* what reads the rest says so */
    rest = XDS_NEW_ARRAY(arena, struct xds_tree, object->n);
    for (size_t i = 0; i < object->n; i++) {
        const struct xds_tree *value = &object->items[i];
        const struct member *member = find_member(value->key);

        if (!member)
            rest[n++] = *value;
        else if (value->kind != XDS_TREE_NULL &&
                 !member->read(arena, value, out, member->offset)) {
            *wrong = value;
            return xds_arena_printf(arena, "\"%s\" must be %s", member->name,
                                    member->wanted);
        }
    }
    object->items = rest;
    object->n = n;
    return (struct xds_slice){NULL, 0};
}
