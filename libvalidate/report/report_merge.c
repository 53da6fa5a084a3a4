/* report_merge.c - what was found in resources one by one, put into one report. */
#include "report/report_merge.h"

void xds_report_begin_part(struct xds_report *part)
{
    part->is_part = true;
    part->only_counts = false;
    part->n_resources = part->n_findings = part->n_repeats = 0;
    part->n_unplaced = part->dropped = 0;
    part->telling = NULL;
    xds_report_empty_passing(part);
}

/* ---- texts ---- */

void xds_texts_init(struct xds_texts *texts)
{
    xds_arena_init(&texts->arena, 0);
    xds_pool_init(&texts->pool, &texts->arena);
}

void xds_texts_release(struct xds_texts *texts)
{
    xds_pool_release(&texts->pool);
    xds_arena_release(&texts->arena);
}

/* Each pool continues with the arena that is beside it. */
void xds_report_swap_texts(struct xds_report *part, struct xds_texts *texts)
{
    const struct xds_texts other = {part->arena, part->texts};

    part->arena = texts->arena;
    part->texts = texts->pool;
    part->texts.arena = &part->arena;
    *texts = other;
    texts->pool.arena = &texts->arena;
}

void xds_report_adopt_texts(struct xds_report *report, struct xds_texts *texts)
{
    xds_arena_adopt(&report->arena, &texts->arena);
    xds_texts_release(texts);
}

/* ---- resources and findings ---- */

uint32_t xds_report_take_resource(struct xds_report *report,
                                  const struct xds_resource_result *result)
{
    const uint32_t index =
        xds_report_add_resource(report, XDS_S(""), XDS_S(""), result->at);

    report->resources[index] = *result;
    return index;
}

static const struct xds_related *take_related(struct xds_report *report,
                                              const struct xds_related *related,
                                              uint32_t resource)
{
    struct xds_related *copy = XDS_NEW(&report->arena, struct xds_related);

    *copy = *related;
    if (copy->resource != XDS_NO_RESOURCE)
        copy->resource = resource;
    return copy;
}

void xds_report_take(struct xds_report *report, const struct xds_finding *finding,
                     uint32_t resource)
{
    if (finding->once.data && !xds_report_is_first(report, finding->once))
        return;
    struct xds_finding *copy = xds_report_copy(report, finding);

    if (!copy)
        return;
    if (copy->resource != XDS_NO_RESOURCE)
        copy->resource = resource;
    if (copy->related)
        copy->related = take_related(report, copy->related, resource);
}

void xds_report_take_repeat(struct xds_report *report, const struct xds_repeat *repeat)
{
    const struct xds_telling *telling = xds_strmap_get(&report->told, repeat->key);

    if (telling && telling->has_finding)
        report->findings[telling->finding].repeats += repeat->times;
}

void xds_report_end_part(struct xds_report *report, struct xds_report *part)
{
    xds_arena_adopt(&report->arena, &part->arena);
    xds_report_free(part);
}
