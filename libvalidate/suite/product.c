/* product.c - a case whose values are lists, as the RPCs that it stands for. */
#include "suite/product.h"

#include "base/limits.h"
#include "explain/request_read.h"
#include "suite/fault.h"
#include "suite/list.h"
#include "suite/value.h"

/* A listener goes in the place of a target, and the other way round. */
static bool is_replaced(const struct xds_tree *request, struct xds_slice key)
{
    if (xds_tree_find(request, key))
        return true;
    if (xds_slice_is(key, "target"))
        return xds_tree_member(request, "listener");
    return xds_slice_is(key, "listener") && xds_tree_member(request, "target");
}

/* The members of the case, then those that it lacks. */
static struct xds_tree merge(struct xds_suite *s, const struct xds_tree *request)
{
    static const struct xds_tree none = {.kind = XDS_TREE_OBJECT};
    const struct xds_tree *defaults = s->head.defaults ? s->head.defaults : &none;
    struct xds_tree out = *request;

    out.items = XDS_NEW_ARRAY(&s->case_arena, struct xds_tree, request->n + defaults->n);
    if (request->n)
        memcpy(out.items, request->items, request->n * sizeof *out.items);
    for (size_t i = 0; i < defaults->n; i++)
        if (!is_replaced(request, defaults->items[i].key))
            out.items[out.n++] = defaults->items[i];
    return out;
}

/* The list to choose from; NULL: there is no choice. */
static const struct xds_tree *list_of(const struct xds_tree *member, bool takes_one)
{
    if (member->kind == XDS_TREE_ARRAY)
        return takes_one ? member : NULL;
    if (member->kind != XDS_TREE_OBJECT || member->n != 1 ||
        !xds_slice_is(member->items[0].key, "each") ||
        member->items[0].kind != XDS_TREE_ARRAY)
        return NULL;
    return &member->items[0];
}

static bool add_choice(struct xds_suite *s, struct xds_product *p,
                       const struct xds_tree *member, size_t index)
{
    const bool takes_one = index == SIZE_MAX || xds_request_takes_one(member->key);
    const struct xds_tree *list = list_of(member, takes_one);

    if (!list)
        return true;
    p->choices[p->n_choices++] =
        (struct xds_choice){member->key, list->items, list->n, 0, index};
    p->total *= list->n; /* it was at most the limit so far */
    if (list->n > 0 && p->total + s->n_expanded <= XDS_MAX_EXPANDED_CASES)
        return true;
    return xds_suite_fault(
        s, XDS_R_TEST_PRODUCT, member,
        list->n == 0 ? "the list of \"%.*s\" is empty, so the case never runs"
                     : "with the values of \"%.*s\" the file has more than %d cases",
        XDS_FMT(member->key), XDS_MAX_EXPANDED_CASES);
}

static void add_value(struct xds_suite *s, struct xds_tree *list,
                      const struct xds_tree *value, struct xds_slice text)
{
    list->items = xds_list_room(&s->document, list->items, list->n, sizeof *list->items);
    list->items[list->n] = *value;
    list->items[list->n++].text = text;
}

/* "go@1.60+" is each of these releases; what names one stays as it is written. */
static void add_clients(struct xds_suite *s, struct xds_tree *list,
                        const struct xds_tree *value)
{
    struct xds_client_release who[XDS_RELEASES + XDS_CLIENTS];
    struct xds_options asked = {.clients = 0};
    struct xds_ask_note note;
    size_t n = 0;

    if (value->kind == XDS_TREE_STRING &&
        xds_options_ask(&asked, value->text, &note) == XDS_OK)
        n = xds_options_asked(&asked, who);
    if (n < 2)
        add_value(s, list, value, value->text);
    for (size_t i = 0; n > 1 && i < n; i++)
        add_value(
            s, list, value,
            xds_arena_dup(&s->document, xds_slice_of(xds_client_label(who[i]).text)));
}

const struct xds_tree *xds_suite_clients(struct xds_suite *suite,
                                         const struct xds_tree *value)
{
    const bool is_list = value->kind == XDS_TREE_ARRAY;
    const struct xds_tree *values = is_list ? value->items : value;
    struct xds_tree *list = XDS_NEW(&suite->document, struct xds_tree);

    *list = *value;
    list->kind = XDS_TREE_ARRAY;
    list->items = NULL;
    list->n = 0;
    for (size_t i = 0; i < (is_list ? value->n : 1); i++)
        add_clients(suite, list, &values[i]);
    return is_list || list->n > 1 ? list : value;
}

static void take(struct xds_product *p, const struct xds_choice *choice)
{
    struct xds_tree value = choice->values[choice->at];

    if (choice->member == SIZE_MAX) {
        p->client = &choice->values[choice->at];
        return;
    }
    value.key = choice->key;
    p->request.items[choice->member] = value;
}

bool xds_product_begin(struct xds_suite *suite, const struct xds_tree *test,
                       struct xds_product *out)
{
    *out = (struct xds_product){.total = 1};
    out->request = merge(suite, xds_tree_member(test, "request"));
    out->client = xds_tree_member(test, "client");
    out->choices =
        XDS_NEW_ARRAY(&suite->case_arena, struct xds_choice, out->request.n + 1);
    for (size_t i = 0; i < out->request.n; i++)
        if (!add_choice(suite, out, &out->request.items[i], i))
            return false;
    if (suite->settings.client) /* whatever the case says */
        out->client = NULL;
    else if (out->client)
        out->client = xds_suite_clients(suite, out->client);
    else
        out->client = suite->head.client;
    if (out->client && !add_choice(suite, out, out->client, SIZE_MAX))
        return false;
    for (size_t i = 0; i < out->n_choices; i++)
        take(out, &out->choices[i]);
    suite->n_expanded += out->total;
    return true;
}

bool xds_product_next(struct xds_product *product)
{
    for (size_t i = product->n_choices; i > 0; i--) {
        struct xds_choice *choice = &product->choices[i - 1];

        choice->at = (choice->at + 1) % choice->n;
        take(product, choice);
        if (choice->at > 0)
            return true;
    }
    return false;
}

struct xds_slice xds_product_name(struct xds_arena *arena,
                                  const struct xds_product *product,
                                  struct xds_slice name)
{
    struct xds_text text = {.arena = arena};

    if (product->n_choices == 0)
        return name;
    xds_text_add(&text, name);
    for (size_t i = 0; i < product->n_choices; i++) {
        const struct xds_choice *choice = &product->choices[i];
        const struct xds_tree *value = &choice->values[choice->at];
        enum xds_client client;

        xds_text_add(&text, i ? XDS_S(", ") : XDS_S(" ["));
        xds_text_add(&text, choice->key);
        xds_text_add(&text, XDS_S("="));
        if (choice->member == SIZE_MAX && xds_client_from_name(value->text, &client))
            xds_text_add(&text, xds_slice_of(xds_client_name(client)));
        else {
            struct xds_slice shown = xds_tree_flow(text.arena, value);
            const bool cut = shown.len > XDS_MAX_VALUE_IN_NAME;

            if (cut)
                shown = xds_slice_clip(shown, XDS_MAX_VALUE_IN_NAME);
            xds_text_add(&text, shown);
            if (cut)
                xds_text_add(&text, XDS_S("..."));
        }
    }
    xds_text_add(&text, XDS_S("]"));
    return xds_slice_make(text.data, text.len);
}
