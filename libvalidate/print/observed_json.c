/*
 * observed_json.c - the keys "observed" and "why_not" of `explain -f json`.
 *
 * Takes:  a decision record.
 * Gives:  one object each, null when nothing was asked.
 */
#include "print/observed.h"

const char *xds_cause_kind_name(enum xds_cause_kind kind)
{
    static const char *const names[] = {
        [XDS_CAUSE_WEIGHT] = "weight",     [XDS_CAUSE_FRACTION] = "fraction",
        [XDS_CAUSE_FAILOVER] = "failover", [XDS_CAUSE_COOKIE] = "cookie",
        [XDS_CAUSE_HASH] = "hash",         [XDS_CAUSE_DRAW] = "draw",
        [XDS_CAUSE_DOWN] = "down",         [XDS_CAUSE_PLUGIN] = "plugin",
    };
    return names[kind];
}

static void key_text(struct xds_out *out, const char *key, struct xds_slice text)
{
    xds_json_key(out, key);
    xds_json_string_or_null(out, text);
}

static void write_needs(struct xds_out *out, const struct xds_cause *cause)
{
    xds_json_key(out, "needs");
    xds_json_begin_array(out);
    for (size_t i = 0; i < cause->n_needs; i++) {
        xds_json_begin_object(out);
        key_text(out, "address", cause->needs[i].address);
        xds_json_key(out, "state");
        xds_json_text(out, xds_connectivity_name(cause->needs[i].state));
        xds_json_end_object(out);
    }
    xds_json_end_array(out);
    xds_json_key(out, "more_needs");
    xds_json_u64(out, cause->n_more_needs);
}

static void write_numbers(struct xds_out *out, const struct xds_cause *cause)
{
    xds_json_key(out, "probability");
    if (cause->probability == XDS_NOT_COMPUTABLE)
        xds_json_null(out);
    else
        xds_json_double(out, cause->probability);
    key_text(out, "cluster", cause->cluster);
    key_text(out, "leaf", cause->leaf);
    xds_json_key(out, "priority");
    if (cause->has_priority)
        xds_json_u64(out, cause->priority);
    else
        xds_json_null(out);
}

static void write_cause(struct xds_out *out, const struct xds_cause *cause)
{
    xds_json_line(out);
    xds_json_begin_object(out);
    xds_json_key(out, "cause");
    xds_json_text(out, xds_cause_kind_name(cause->kind));
    write_numbers(out, cause);
    write_needs(out, cause);
    key_text(out, "cookie", cause->cookie);
    xds_json_key(out, "cookie_sent");
    if (cause->cookie.data)
        xds_json_bool(out, cause->sent);
    else
        xds_json_null(out);
    key_text(out, "reason", cause->reason);
    xds_json_end_object(out);
}

static void write_observed(struct xds_out *out, const struct xds_observation *o)
{
    xds_json_line(out);
    xds_json_key(out, "observed");
    if (!o) {
        xds_json_null(out);
        return;
    }
    xds_json_begin_object(out);
    key_text(out, "address", o->address);
    xds_json_key(out, "possible");
    xds_json_bool(out, o->n_causes > 0);
    xds_json_key(out, "complete");
    xds_json_bool(out, !o->incomplete);
    xds_json_key(out, "causes");
    xds_json_begin_array(out);
    for (size_t i = 0; i < o->n_causes; i++)
        write_cause(out, &o->causes[i]);
    xds_json_end_array(out);
    key_text(out, "reason", o->reason);
    xds_json_end_object(out);
}

static void write_why_not(struct xds_out *out, const struct xds_why_not *w)
{
    xds_json_line(out);
    xds_json_key(out, "why_not");
    if (!w) {
        xds_json_null(out);
        return;
    }
    xds_json_begin_object(out);
    key_text(out, "address", w->address);
    xds_json_key(out, "reasons");
    xds_json_begin_array(out);
    for (size_t i = 0; i < w->n_reasons; i++) {
        xds_json_line(out);
        xds_json_begin_object(out);
        key_text(out, "reason", w->reasons[i]);
        xds_json_end_object(out);
    }
    xds_json_end_array(out);
    xds_json_end_object(out);
}

void xds_print_observed_json(struct xds_out *out, const struct xds_decision *d)
{
    write_observed(out, d->observed);
    write_why_not(out, d->why_not);
}
