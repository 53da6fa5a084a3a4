/* update.c - what an answer is now, as a file of tests expects it. */
#include "base/ascii.h"
#include "suite/inner.h"

/* Of the answer what is expected: of objects these members, of a list's items those of
 * its first. */
static struct xds_tree project(struct xds_arena *arena, const struct xds_tree *want,
                               const struct xds_tree *got)
{
    struct xds_tree out = *got;

    out.items = NULL;
    out.n = 0;
    if (want->kind != got->kind || want->n == 0)
        return *got;
    if (got->kind == XDS_TREE_ARRAY)
        for (size_t i = 0; i < got->n; i++)
            xds_tree_add(arena, &out, project(arena, &want->items[0], &got->items[i]));
    for (size_t i = 0; got->kind == XDS_TREE_OBJECT && i < want->n; i++) {
        const struct xds_tree *member = xds_tree_find(got, want->items[i].key);

        if (member)
            xds_tree_put_key(arena, &out, want->items[i].key,
                             project(arena, &want->items[i], member));
    }
    return out;
}

/* Nothing in braces ends it, and it reads as a text. */
static bool is_plain(struct xds_slice text)
{
    char number[XDS_YAML_NUMBER];
    struct xds_token token = {.kind = XDS_TOKEN_STRING};

    for (size_t i = 0; i < text.len; i++)
        if (!xds_ascii_alpha(text.data[i]) &&
            (i == 0 || (!xds_ascii_digit(text.data[i]) && !strchr("_./-", text.data[i]))))
            return false;
    xds_yaml_resolve(text, number, &token);
    return text.len > 0 && token.kind == XDS_TOKEN_STRING;
}

static void put_text(struct xds_text *out, struct xds_slice text)
{
    const struct xds_tree tree = xds_tree_string(text);

    xds_text_add(out, is_plain(text) ? text : xds_tree_yaml(out->arena, &tree));
}

/* In the flow style of YAML. */
static void put_flow(struct xds_text *out, const struct xds_tree *tree)
{
    const bool is_object = tree->kind == XDS_TREE_OBJECT;

    if (tree->kind == XDS_TREE_STRING) {
        put_text(out, tree->text);
        return;
    }
    if (!is_object && tree->kind != XDS_TREE_ARRAY) {
        xds_text_add(out, xds_tree_json(out->arena, tree));
        return;
    }
    xds_text_add(out, is_object ? XDS_S("{") : XDS_S("["));
    for (size_t i = 0; i < tree->n; i++) {
        if (i > 0)
            xds_text_add(out, XDS_S(", "));
        if (is_object) {
            put_text(out, tree->items[i].key);
            xds_text_add(out, XDS_S(": "));
        }
        put_flow(out, &tree->items[i]);
    }
    xds_text_add(out, is_object ? XDS_S("}") : XDS_S("]"));
}

struct xds_slice xds_suite_value_now(struct xds_arena *arena, enum xds_format format,
                                     const struct xds_tree *want,
                                     const struct xds_tree *got)
{
    static const struct xds_tree absent = {.kind = XDS_TREE_NULL};
    const struct xds_tree value = project(arena, want, got ? got : &absent);
    struct xds_text text = {.arena = arena};

    if (format == XDS_FORMAT_JSON)
        return xds_tree_json(arena, &value);
    put_flow(&text, &value);
    return xds_slice_make(text.data, text.len);
}

static struct xds_tree member_of(const struct xds_tree *object, const char *key)
{
    static const struct xds_tree absent = {.kind = XDS_TREE_NULL};
    const struct xds_tree *member = xds_tree_member(object, key);

    return member ? *member : absent;
}

void xds_suite_put_member(struct xds_arena *arena, struct xds_tree *out,
                          const struct xds_tree *answer, const char *key)
{
    xds_tree_put(arena, out, key, member_of(answer, key));
}

/* {KEY: VALUE} with a member of the object. */
static struct xds_tree pick(struct xds_arena *arena, const struct xds_tree *object,
                            const char *key)
{
    return xds_tree_pair(arena, key, member_of(object, key));
}

struct xds_tree xds_suite_expectation(struct xds_arena *arena,
                                      const struct xds_tree *answer, bool routed)
{
    struct xds_tree out = xds_tree_object(), list = xds_tree_array();
    const struct xds_tree *route = xds_tree_member(answer, "route");
    const struct xds_tree *cluster = xds_tree_member(answer, "cluster");
    const struct xds_tree *clusters = xds_tree_member(answer, "clusters");
    const struct xds_tree *host = xds_tree_member(answer, "host");

    if (route && route->kind == XDS_TREE_OBJECT)
        xds_tree_put(arena, &out, "route", pick(arena, route, "index"));
    if (cluster && cluster->kind == XDS_TREE_OBJECT)
        xds_tree_put(arena, &out, "cluster", pick(arena, cluster, "name"));
    else if (clusters && clusters->n > 0) {
        for (size_t i = 0; i < clusters->n; i++)
            xds_tree_add(arena, &list, pick(arena, &clusters->items[i], "name"));
        xds_tree_put(arena, &out, "clusters", list);
    }
    if (host && host->kind == XDS_TREE_STRING)
        xds_tree_put(arena, &out, "host", *host);
    if (!routed || out.n == 0)
        xds_tree_put(arena, &out, "outcome", *xds_tree_member(answer, "outcome"));
    return out;
}
