/* observed_json.c - the keys "observed" and "why_not" of `explain -f json`. */
#include "print/observed.h"

#include "print/json_member.h"

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

static void write_needs(struct xds_out *out, const struct xds_cause *cause)
{
    xds_json_key(out, "needs");
    xds_json_begin_array(out);
    for (size_t i = 0; i < cause->n_needs; i++) {
        xds_json_begin_object(out);
        xds_json_key_string_or_null(out, "address", cause->needs[i].address);
        xds_json_key_text(out, "state", xds_connectivity_name(cause->needs[i].state));
        xds_json_end_object(out);
    }
    xds_json_end_array(out);
    xds_json_key_u64(out, "more_needs", cause->n_more_needs);
}

static void write_numbers(struct xds_out *out, const struct xds_cause *cause)
{
    xds_json_key(out, "probability");
    if (cause->probability == XDS_NOT_COMPUTABLE)
        xds_json_null(out);
    else
        xds_json_double(out, cause->probability);
    xds_json_key_string_or_null(out, "cluster", cause->cluster);
    xds_json_key_string_or_null(out, "leaf", cause->leaf);
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
    xds_json_key_text(out, "cause", xds_cause_kind_name(cause->kind));
    write_numbers(out, cause);
    write_needs(out, cause);
    xds_json_key_string_or_null(out, "cookie", cause->cookie);
    xds_json_key(out, "cookie_sent");
    if (cause->cookie.data)
        xds_json_bool(out, cause->sent);
    else
        xds_json_null(out);
    xds_json_key_string_or_null(out, "reason", cause->reason);
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
    xds_json_key_string_or_null(out, "address", o->address);
    xds_json_key_bool(out, "possible", o->n_causes > 0);
    xds_json_key_bool(out, "complete", !o->incomplete);
    xds_json_key(out, "causes");
    xds_json_begin_array(out);
    for (size_t i = 0; i < o->n_causes; i++)
        write_cause(out, &o->causes[i]);
    xds_json_end_array(out);
    xds_json_key_string_or_null(out, "reason", o->reason);
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
    xds_json_key_string_or_null(out, "address", w->address);
    xds_json_key(out, "reasons");
    xds_json_begin_array(out);
    for (size_t i = 0; i < w->n_reasons; i++) {
        xds_json_line(out);
        xds_json_begin_object(out);
        xds_json_key_string_or_null(out, "reason", w->reasons[i]);
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
