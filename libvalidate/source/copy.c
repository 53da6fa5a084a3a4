/* copy.c - a resource that outlives the next call on its source. */
#include "source/copy.h"

#include "source/token.h"

/* Tokens of one resource, with the one that ends them, and the bytes of their texts. */
struct extent {
    size_t tokens, text;
};

static struct extent measure(const struct xds_token *tokens)
{
    struct extent all = {1, 0};

    for (const struct xds_token *t = tokens; t->kind != XDS_TOKEN_END; t++) {
        all.tokens++;
        all.text += t->text.len + 1;
    }
    return all;
}

size_t xds_resource_size(const struct xds_resource *resource)
{
    if (!resource->tokens)
        return resource->bytes.len;
    const struct extent all = measure(resource->tokens);

    return all.tokens * sizeof(struct xds_token) + all.text;
}

/* Texts end at a NUL, as those of the source do. */
static const struct xds_token *copy_tokens(struct xds_arena *arena,
                                           const struct xds_token *tokens)
{
    const struct extent all = measure(tokens);
    struct xds_token *copies = xds_arena_alloc(arena, all.tokens * sizeof *copies);
    char *text = xds_arena_alloc(arena, all.text);

    memcpy(copies, tokens, all.tokens * sizeof *copies);
    for (struct xds_token *t = copies; t->kind != XDS_TOKEN_END; t++) {
        if (!t->text.data)
            continue;
        memcpy(text, t->text.data, t->text.len);
        text[t->text.len] = '\0';
        t->text.data = text;
        text += t->text.len + 1;
    }
    return copies;
}

void xds_resource_copy(struct xds_arena *arena, const struct xds_resource *resource,
                       struct xds_resource *out)
{
    *out = *resource;
    out->type_url = xds_arena_dup(arena, resource->type_url);
    out->expected = xds_arena_dup(arena, resource->expected);
    out->name = xds_arena_dup(arena, resource->name);
    out->bytes = xds_arena_dup(arena, resource->bytes);
    if (resource->tokens)
        out->tokens = copy_tokens(arena, resource->tokens);
}
