/*
 * lint.c - checks beyond NACK, as the resources of a snapshot pass and when all have.
 *
 * Source: spec cluster 0.4 "duplicate name inside one response".
 */
#include "lint/lint.h"

#include "lint/checks.h"

void xds_lint_init(struct xds_lint *lint, struct xds_report *report)
{
    *lint = (struct xds_lint){.report = report};
    xds_arena_init(&lint->arena, 0);
    xds_graph_init(&lint->graph, &lint->arena);
    lint->graph.keeps_localities = report->options.compare;
}

void xds_lint_release(struct xds_lint *lint)
{
    xds_graph_release(&lint->graph);
    xds_arena_release(&lint->arena);
}

void xds_lint_reset(struct xds_lint *lint)
{
    xds_arena_reset(&lint->arena);
    xds_graph_release(&lint->graph);
    xds_graph_init(&lint->graph, &lint->arena);
    lint->graph.keeps_localities = lint->report->options.compare;
}

static void report_duplicate(struct xds_lint *lint, const struct xds_node *node,
                             uint32_t first)
{
    const struct xds_resource_result *before = &lint->report->resources[first];
    if (xds_report_at(
            lint->report, xds_rule_row(XDS_R_LINT_DUPLICATE_RESOURCE), node->resource,
            lint->report->resources[node->resource].at,
            "\"%.*s\" is already defined; clients use the last valid one of a response",
            XDS_FMT(node->name->text)))
        xds_report_relate(lint->report, first, NULL, &before->at, "the first definition");
}

static struct xds_inspection inspection(struct xds_lint *lint, struct xds_arena *scratch)
{
    return (struct xds_inspection){.report = lint->report, .scratch = scratch};
}

void xds_lint_enter(struct xds_lint *lint, struct xds_node *node)
{
    const struct xds_node *first = xds_graph_enter(&lint->graph, node);

    if (first != node)
        report_duplicate(lint, node, first->resource);
}

void xds_lint_add(struct xds_lint *lint, const struct xds_snapshot_entry *entry,
                  struct xds_arena *scratch)
{
    struct xds_inspection in = inspection(lint, scratch);

    if (entry->type == XDS_TYPE_UNKNOWN)
        return;
    struct xds_node *node = xds_graph_read(&lint->graph, scratch, entry);

    if (lint->part)
        *lint->part = (struct xds_lint_part){node, lint->report->n_findings};
    else
        xds_lint_enter(lint, node);
    in.resource = entry->resource;
    if (entry->model)
        xds_checks_of_resource(&in, entry);
}

/* What is reported once says how often it was found. */
static void tell_repeats(struct xds_report *report)
{
    for (size_t i = 0; i < report->n_findings; i++) {
        struct xds_finding *finding = &report->findings[i];

        if (finding->repeats > 0)
            finding->message =
                xds_arena_printf(&report->arena, "%.*s; %u more time%s in this input",
                                 XDS_FMT(finding->message), finding->repeats,
                                 finding->repeats == 1 ? "" : "s");
    }
}

void xds_lint_against(struct xds_lint *lint, const struct xds_lint *old)
{
    lint->before = (struct xds_before){.graph = &old->graph, .report = old->report};
    xds_strmap_init(&lint->before.files, &lint->arena);
    lint->graph.before = &lint->before;
}

/* A fault of syntax that is in no resource ends what can be read of its file. */
static bool is_cut_off(const struct xds_report *report)
{
    for (size_t i = 0; i < report->n_findings; i++)
        if (report->findings[i].rule->effect == XDS_EFFECT_SYNTAX &&
            report->findings[i].resource == XDS_NO_RESOURCE)
            return true;
    return false;
}

void xds_lint_finish(struct xds_lint *lint)
{
    struct xds_inspection in = inspection(lint, &lint->arena);

    tell_repeats(lint->report);
    lint->graph.has_gaps = lint->graph.has_gaps || is_cut_off(lint->report);
    xds_graph_link(&lint->graph);
    xds_checks_of_graph(&in, &lint->graph);
}
