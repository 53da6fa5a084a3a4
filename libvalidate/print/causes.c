/*
 * causes.c - findings by what causes them: one rule that says the same to the same
 * clients, up to the names that its message quotes; and all fields of one type of
 * resource that no client reads.
 */
#include <stdlib.h>

#include "base/strmap.h"
#include "base/text.h"
#include "print/inner.h"

/* Without what is in quotes; a quote that is not closed is a character like others. */
static void add_message(struct xds_text *key, struct xds_slice message)
{
    struct xds_slice rest = message, before, name;

    while (rest.data) {
        rest = xds_slice_cut(rest, '"', &before);
        xds_text_add(key, before);
        if (!rest.data)
            break;
        xds_text_add(key, XDS_S("\""));
        if (xds_slice_find(rest, '"') < rest.len)
            rest = xds_slice_cut(rest, '"', &name);
    }
}

static void add_key(struct xds_text *key, const struct xds_report *report,
                    const struct xds_finding *finding)
{
    const struct xds_resource_result *resource = xds_finding_resource(report, finding);
    const char level = (char)('0' + finding->level);

    key->len = 0;
    xds_text_add(key, xds_slice_make(&level, 1));
    xds_text_add(key, xds_slice_of(finding->rule->slug));
    xds_text_add(key,
                 xds_slice_make((const char *)finding->verdict, sizeof finding->verdict));
    if (finding->unread.len > 0 && resource) {
        xds_text_add(key, resource->type);
        return;
    }
    /* Fields that the same clients do not read are one cause, too. */
    if (finding->once.len > 0 && finding->rule->effect == XDS_EFFECT_IGNORE)
        return;
    if (finding->releases)
        xds_text_add(key, xds_slice_make((const char *)finding->releases,
                                         sizeof *finding->releases));
    add_message(key, finding->message);
}

/* Errors first, and causes in the order of their first findings. */
static int by_cause(const void *left, const void *right)
{
    const struct xds_caused *a = left, *b = right;

    if (a->finding->level != b->finding->level)
        return a->finding->level > b->finding->level ? -1 : 1;
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

struct xds_caused *xds_by_cause(struct xds_arena *arena, const struct xds_report *report)
{
    const size_t n = report->n_findings;
    struct xds_caused *list = XDS_NEW_ARRAY(arena, struct xds_caused, n);
    struct xds_text key = {.arena = arena};
    struct xds_strmap causes;

    xds_strmap_init(&causes, arena);
    for (size_t i = 0; i < n; i++) {
        const struct xds_finding *finding = &report->findings[i];

        add_key(&key, report, finding);
        void **first = xds_strmap_at(&causes, xds_slice_make(key.data, key.len));

        if (!*first)
            *first = &list[i];
        list[i] = (struct xds_caused){finding, i, 0};
        list[i].first = ((const struct xds_caused *)*first)->index;
    }
    if (n > 0)
        qsort(list, n, sizeof *list, by_cause);
    return list;
}

size_t xds_cause_size(const struct xds_caused *list, size_t n)
{
    size_t same = 1;

    while (same < n && list[same].first == list->first)
        same++;
    return same;
}
