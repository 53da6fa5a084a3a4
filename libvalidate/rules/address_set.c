/*
 * address_set.c - find repeated endpoint addresses: open addressing over binary keys.
 *
 * Source: gRFC A27, A61, spec cluster 2.2.
 */
#include "rules/address_set.h"

#define FIRST_CAP 32

static void make_slots(struct xds_address_set *set, size_t cap)
{
    set->cap = cap;
    set->slots = XDS_NEW_ARRAY(set->arena, struct xds_address_slot, cap);
}

void xds_address_set_init(struct xds_address_set *set, const struct xds_ctx *ctx,
                          size_t expected)
{
    const xds_readers by_text = xds_who(ctx, XDS_DIFF_ADDRESSES_AS_TEXT);
    size_t cap = FIRST_CAP;

    *set = (struct xds_address_set){
        .arena = ctx->arena,
        .by_text = by_text,
        .by_value = ~(by_text | xds_who(ctx, XDS_DIFF_ADDRESSES_NOT_COMPARED)),
    };
    xds_strmap_init(&set->texts, ctx->arena);
    while (cap < expected + expected / 2)
        cap *= 2;
    make_slots(set, cap);
    /* The author of the input cannot know where the table is, so no input can aim at one
     * slot; what is found never depends on it. */
    set->seed = (uint64_t)(uintptr_t)set->slots * UINT64_C(0x9e3779b97f4a7c15);
}

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 32)) * UINT64_C(0xd6e8feb86659fd93);
    x = (x ^ (x >> 32)) * UINT64_C(0xd6e8feb86659fd93);
    return x ^ (x >> 32);
}

static uint64_t hash_of(const struct xds_sockaddr *address, uint64_t seed)
{
    uint64_t ip[2];

    memcpy(ip, address->ip, sizeof ip);
    seed = mix(seed ^ ip[0] ^ (uint64_t)address->port << 40);
    if (address->family == 6)
        seed = mix(seed ^ ip[1] ^ address->scope);
    return seed;
}

static struct xds_address_slot *find_slot(const struct xds_address_set *set,
                                          const struct xds_sockaddr *address)
{
    size_t i = (size_t)hash_of(address, set->seed) & (set->cap - 1);

    while (set->slots[i].address.family != 0 &&
           memcmp(&set->slots[i].address, address, sizeof *address) != 0)
        i = (i + 1) & (set->cap - 1);
    return &set->slots[i];
}

static void grow(struct xds_address_set *set)
{
    const struct xds_address_slot *old = set->slots;
    const size_t n = set->cap;

    make_slots(set, n * 2);
    for (size_t i = 0; i < n; i++)
        if (old[i].address.family != 0)
            *find_slot(set, &old[i].address) = old[i];
}

/* Returns those of the readers that have met the address before. */
static xds_readers meet(struct xds_address_set *set, struct xds_address_slot *slot,
                        xds_readers readers)
{
    const xds_readers repeated = slot->seen_by & readers;

    if (slot->seen_by == 0)
        slot->first = set->here;
    if (repeated)
        set->first = slot->first;
    slot->seen_by |= readers;
    return repeated;
}

static xds_readers add_address(struct xds_address_set *set,
                               const struct xds_sockaddr *address, xds_readers readers)
{
    if (set->n * 4 >= set->cap * 3)
        grow(set);

    struct xds_address_slot *slot = find_slot(set, address);

    if (slot->address.family == 0) {
        slot->address = *address;
        set->n++;
    }
    return meet(set, slot, readers);
}

static xds_readers add_text(struct xds_address_set *set, struct xds_slice host,
                            uint32_t port, xds_readers readers)
{
    void **slot = xds_strmap_at(
        &set->texts, xds_arena_printf(set->arena, "%.*s:%u", XDS_FMT(host), port));

    if (!*slot)
        *slot = XDS_NEW(set->arena, struct xds_address_slot);
    return meet(set, *slot, readers);
}

xds_readers xds_address_set_add(struct xds_address_set *set,
                                const struct xds_sockaddr *address, struct xds_slice host,
                                uint32_t port, xds_readers readers)
{
    const xds_readers by_text = readers & set->by_text;
    const xds_readers by_value = readers & set->by_value;
    xds_readers repeated = 0;

    if (address->family == 4)
        return add_address(set, address, by_text | by_value);
    if (address->family == 6 && by_value)
        repeated |= add_address(set, address, by_value);
    if (by_text)
        repeated |= add_text(set, host, port, by_text);
    return repeated;
}
