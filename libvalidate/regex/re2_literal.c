/* re2_literal.c - runs of literals that every match of a pattern has in it. */
#include "regex/re2_literal.h"

void xds_re2_literals_init(struct xds_re2_literals *l, struct xds_arena *arena,
                           struct xds_slice pattern)
{
    *l = (struct xds_re2_literals){.text = xds_arena_alloc(arena, pattern.len),
                                   .head = XDS_S(""),
                                   .inner = XDS_S("")};
}

void xds_re2_literals_add(struct xds_re2_literals *l, char c)
{
    if (!l->in_run)
        l->run = l->n;
    l->in_run = true;
    l->text[l->n++] = c;
}

void xds_re2_literals_end(struct xds_re2_literals *l)
{
    const struct xds_slice run = xds_slice_make(l->text + l->run, l->n - l->run);

    if (l->in_run && !l->past_start)
        l->head = run;
    else if (l->in_run && run.len > l->inner.len)
        l->inner = run;
    l->in_run = false;
    l->past_start = true;
}

void xds_re2_literals_repeat(struct xds_re2_literals *l)
{
    if (l->in_run)
        l->n--;
    xds_re2_literals_end(l);
}

void xds_re2_literals_bar(struct xds_re2_literals *l)
{
    l->barred = true;
    xds_re2_literals_end(l);
}

void xds_re2_literals_finish(struct xds_re2_literals *l)
{
    xds_re2_literals_end(l);
    if (l->barred)
        l->head = l->inner = XDS_S("");
}
