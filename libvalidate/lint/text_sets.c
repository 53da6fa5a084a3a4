/*
 * text_sets.c - does one matcher of text hold another one?
 *
 * How:    a matcher is asked about the text of the other one: all that begins with "ab"
 *         contains "b" because "ab" does. A fresh character before or after it shows
 *         that no other pair of kinds can hold.
 * Source: gRFC A28, A63, spec routing 2.3 and 2.5.
 */
#include "lint/text_sets.h"

#include "base/ascii.h"
#include "route/match.h"
#include "route/readings.h"

static bool has_letters(struct xds_slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if (xds_ascii_alpha(text.data[i]) || (unsigned char)text.data[i] >= 0x80)
            return true;
    return false;
}

static bool is_ascii(struct xds_slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.data[i] >= 0x80)
            return false;
    return true;
}

/* Plain letters fold alike for all clients, and without memory by the ASCII table. */
static struct xds_rpc reader_of(const struct xds_within *w, struct xds_slice a,
                                struct xds_slice b)
{
    struct xds_rpc rpc = w->rpc;

    if (xds_reads(&rpc, XDS_READS_UNICODE_CASE) && is_ascii(a) && is_ascii(b))
        rpc.flipped |= XDS_READING_BIT(XDS_READS_UNICODE_CASE);
    return rpc;
}

/* Does the matcher take this text? Undecided where its regex cannot be asked. */
static enum xds_match takes(struct xds_within *w, const struct xds_string_matcher *m,
                            struct xds_slice text)
{
    struct xds_slice undecided = {NULL, 0};
    struct xds_rpc rpc = reader_of(w, m->text, text);

    rpc.undecided = &undecided;
    if (m->kind == XDS_MATCH_REGEX && (!m->regex || w->regex_runs == 0))
        return XDS_MATCH_UNDECIDED;
    if (m->kind == XDS_MATCH_REGEX)
        w->regex_runs--;
    const bool taken = xds_string_matches(&rpc, m, text);
    if (xds_rpc_is_undecided(&rpc))
        return XDS_MATCH_UNDECIDED;
    return taken ? XDS_MATCH : XDS_NO_MATCH;
}

/* By the kind of the inner one: the outer ones that hold it when they take its text. */
static const unsigned wider[] = {
    [XDS_MATCH_EXACT] = 1u << XDS_MATCH_EXACT | 1u << XDS_MATCH_PREFIX |
                        1u << XDS_MATCH_SUFFIX | 1u << XDS_MATCH_CONTAINS |
                        1u << XDS_MATCH_REGEX,
    [XDS_MATCH_PREFIX] = 1u << XDS_MATCH_PREFIX | 1u << XDS_MATCH_CONTAINS,
    [XDS_MATCH_SUFFIX] = 1u << XDS_MATCH_SUFFIX | 1u << XDS_MATCH_CONTAINS,
    [XDS_MATCH_CONTAINS] = 1u << XDS_MATCH_CONTAINS,
    [XDS_MATCH_REGEX] = 0,
};

bool xds_text_same(const struct xds_string_matcher *a, const struct xds_string_matcher *b)
{
    return a->kind == b->kind && a->fold_case == b->fold_case &&
           xds_slice_eq(a->text, b->text);
}

/* An inner text in any case needs an outer one to which case says nothing. */
static bool minds_case(const struct xds_string_matcher *inner,
                       const struct xds_string_matcher *outer)
{
    return inner->fold_case && !outer->fold_case &&
           has_letters(outer->kind == XDS_MATCH_REGEX ? inner->text : outer->text);
}

bool xds_text_within(struct xds_within *w, const struct xds_string_matcher *inner,
                     const struct xds_string_matcher *outer)
{
    if (xds_text_same(inner, outer))
        return true;
    return (wider[inner->kind] & 1u << outer->kind) && !minds_case(inner, outer) &&
           takes(w, outer, inner->text) == XDS_MATCH;
}

/* Each in any case where one of them is: then a text exists that is spelt for both. */
bool xds_texts_exclude(struct xds_within *w, struct xds_string_matcher a,
                       struct xds_string_matcher b)
{
    const bool fold = a.fold_case || b.fold_case;

    if (a.kind == XDS_MATCH_REGEX || b.kind == XDS_MATCH_REGEX) {
        if (fold)
            return false;
    } else {
        a.fold_case = b.fold_case = fold;
    }
    if (a.kind == XDS_MATCH_EXACT)
        return takes(w, &b, a.text) == XDS_NO_MATCH;
    if (b.kind == XDS_MATCH_EXACT)
        return takes(w, &a, b.text) == XDS_NO_MATCH;
    if (a.kind != b.kind || a.kind == XDS_MATCH_CONTAINS || a.kind == XDS_MATCH_REGEX)
        return false;
    return takes(w, &b, a.text) == XDS_NO_MATCH && takes(w, &a, b.text) == XDS_NO_MATCH;
}
