/* kept.c - what was read, but has no place in a message. */
#include "decode/kept.h"

void xds_kept_init(struct xds_kept *kept, struct xds_arena *arena)
{
    *kept = (struct xds_kept){.arena = arena};
    xds_strmap_init(&kept->content, arena);
}

/* The address is the key. */
static struct xds_slice key_of(const void *const *message)
{
    return xds_slice_make((const char *)message, sizeof *message);
}

void xds_kept_add(struct xds_kept *kept, const void *message,
                  const struct xds_tokens *members)
{
    if (!kept)
        return;
    struct xds_tokens *copy = XDS_NEW(kept->arena, struct xds_tokens);

    *copy = *members;
    *xds_strmap_at(&kept->content, key_of(&message)) = copy;
}

/* Is there a member besides "@type"? */
static bool has_members(struct xds_tokens tokens)
{
    struct xds_token token;

    for (;;) {
        xds_tokens_next(&tokens, &token);
        if (token.kind != XDS_TOKEN_KEY)
            return false;
        if (!xds_token_is(&token, "@type"))
            return true;
        xds_tokens_next(&tokens, &token);
    }
}

const struct xds_tokens *xds_kept_find(const struct xds_kept *kept, const void *message)
{
    const struct xds_tokens *found = xds_strmap_get(&kept->content, key_of(&message));

    return found && has_members(*found) ? found : NULL;
}

size_t xds_kept_count(const struct xds_kept *kept)
{
    size_t n = 0;

    for (size_t i = 0; i < kept->content.cap; i++) {
        const struct xds_strmap_entry *entry = &kept->content.slots[i];

        n += entry->key.data && has_members(*(const struct xds_tokens *)entry->value);
    }
    return n;
}
