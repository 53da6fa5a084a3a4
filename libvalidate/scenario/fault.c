/* fault.c - what keeps a scenario from being played, as findings of its report. */
#include "scenario/scenario.h"

/* Bytes of a message: texts of the input in it may be long. */
#define LONGEST 400

static struct xds_place place(const struct xds_play *play, uint32_t line, uint32_t column)
{
    const uint32_t file = play->report->resources[play->resource].at.file;

    return (struct xds_place){file, line, column, line, column + 1};
}

struct xds_place xds_play_place(const struct xds_play *play, const struct xds_tree *at)
{
    return place(play, at->line, at->column);
}

struct xds_place xds_play_key_place(const struct xds_play *play,
                                    const struct xds_tree *member)
{
    return place(play, member->key_line, member->key_column);
}

static void tell(struct xds_play *play, enum xds_rule_id rule, struct xds_place at,
                 const char *format, va_list args)
{
    struct xds_slice text;

    if (play->failed)
        return;
    play->failed = true;
    text = xds_arena_vprintf(&play->report->arena, format, args);
    if (text.len > LONGEST)
        text.len = LONGEST;
    xds_report_at(play->report, xds_rule_row(rule), XDS_NO_RESOURCE, at, "%.*s",
                  XDS_FMT(text));
}

bool xds_fault_at(struct xds_play *play, enum xds_rule_id rule, struct xds_place at,
                  const char *format, ...)
{
    va_list args;

    va_start(args, format);
    tell(play, rule, at, format, args);
    va_end(args);
    return false;
}

bool xds_play_fault(struct xds_play *play, const struct xds_tree *at, const char *format,
                    ...)
{
    va_list args;

    va_start(args, format);
    tell(play, XDS_R_SCENARIO_VALUE, xds_play_place(play, at), format, args);
    va_end(args);
    return false;
}
