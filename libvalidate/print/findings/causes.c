/*
 * causes.c - findings by what causes them: one rule that says the same to the same
 * clients, up to the names that its message quotes; and all fields of one type of
 * resource that no client reads.
 */
#include "base/strmap.h"
#include "base/text.h"
#include "print/findings/findings.h"

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

/* Errors first, and causes in the order of their first findings: each cause gets a part
 * of the list. */
struct xds_caused *xds_by_cause(struct xds_arena *arena, const struct xds_report *report)
{
    const size_t n = report->n_findings;
    struct xds_caused *list = XDS_NEW_ARRAY(arena, struct xds_caused, n);
    size_t *first = XDS_NEW_ARRAY(arena, size_t, n); /* of the cause of each */
    size_t *part = XDS_NEW_ARRAY(arena, size_t, n);  /* of a cause, at its first one */
    struct xds_text key = {.arena = arena};
    struct xds_strmap causes;
    size_t end = 0;

    xds_strmap_init(&causes, arena);
    for (size_t i = 0; i < n; i++) {
        add_key(&key, report, &report->findings[i]);
        void **known = xds_strmap_at(&causes, xds_slice_make(key.data, key.len));

        first[i] = i;
        if (*known)
            first[i] = *(const size_t *)*known;
        else
            *known = &first[i];
        part[first[i]]++;
    }
    for (int level = XDS_LEVEL_ERROR; level >= XDS_LEVEL_NOTE; level--)
        for (size_t i = 0; i < n; i++)
            if (first[i] == i && (int)report->findings[i].level == level) {
                const size_t size = part[i];

                part[i] = end;
                end += size;
            }
    for (size_t i = 0; i < n; i++)
        list[part[first[i]]++] = (struct xds_caused){&report->findings[i], first[i]};
    return list;
}

size_t xds_cause_size(const struct xds_caused *list, size_t n)
{
    size_t same = 1;

    while (same < n && list[same].first == list->first)
        same++;
    return same;
}
