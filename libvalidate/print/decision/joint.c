/* joint.c - both ends of an RPC: the decision of its client, the answer of its server,
 * and how it ends, as text, HTML and JSON. */
#include "explain/joint.h"
#include "print/decision/decision.h"
#include "print/decision/served.h"
#include "print/write/document.h"
#include "print/write/json.h"

/* ---- how it ends ---- */

static const char *outcome_of(const struct xds_joint *j)
{
    switch (j->end) {
    case XDS_JOINT_CLIENT:
        return xds_outcome_name(j->decision->outcome);
    case XDS_JOINT_REFUSED:
        return xds_served_name(XDS_SERVED_HANDSHAKE);
    case XDS_JOINT_SERVER:
        return xds_served_name(j->served->outcome);
    case XDS_JOINT_UNKNOWN:
        break;
    }
    return "unknown";
}

/* NULL: it does not fail, or nothing is known. */
static const char *side_of(const struct xds_joint *j)
{
    if (j->end == XDS_JOINT_CLIENT || j->end == XDS_JOINT_REFUSED)
        return "client";
    if (j->end == XDS_JOINT_UNKNOWN)
        return NULL;
    switch (j->served->outcome) {
    case XDS_SERVED_CLOSED:
    case XDS_SERVED_HANDSHAKE:
        return "connection";
    case XDS_SERVED_DENIED:
    case XDS_SERVED_FAILED:
    case XDS_SERVED_NOT_SERVING:
    case XDS_SERVED_CRASH:
    case XDS_SERVED_UNDECIDED:
        return "server";
    case XDS_SERVED_YES:
        break;
    }
    return NULL;
}

static void print_served(struct xds_out *out, const struct xds_joint *j)
{
    const struct xds_served *s = j->served;

    if (s->outcome == XDS_SERVED_YES) {
        xds_out_styled(out, XDS_STYLE_GREEN, "the RPC is served");
        xds_out_line(out, " by %.*s", XDS_FMT(j->address));
        return;
    }
    xds_out_styled(out, XDS_STYLE_RED,
                   s->outcome == XDS_SERVED_CRASH       ? "CRASH"
                   : s->outcome == XDS_SERVED_UNDECIDED ? "no answer"
                                                        : "the RPC fails");
    if (s->code.data)
        xds_out_format(out, " with %.*s", XDS_FMT(s->code));
    xds_out_line(out, " %s %.*s: %.*s",
                 xds_slice_is(xds_slice_of(side_of(j)), "connection")
                     ? "on the connection to"
                     : "at server",
                 XDS_FMT(j->address), XDS_FMT(s->error));
}

static void print_answer(struct xds_out *out, const struct xds_joint *j)
{
    switch (j->end) {
    case XDS_JOINT_CLIENT:
        xds_text_answer(out, j->decision);
        return;
    case XDS_JOINT_REFUSED:
        xds_out_styled(out, XDS_STYLE_RED, "the RPC fails");
        xds_out_line(out,
                     " with UNAVAILABLE at its client, which refuses the certificate of "
                     "%.*s: %.*s",
                     XDS_FMT(j->address), XDS_FMT(j->reason));
        return;
    case XDS_JOINT_SERVER:
        if (j->served)
            print_served(out, j);
        return;
    case XDS_JOINT_UNKNOWN:
        xds_out_styled(out, XDS_STYLE_RED, "no answer");
        xds_out_line(out, " for both ends: %.*s", XDS_FMT(j->reason));
        return;
    }
}

/* ---- text and HTML ---- */

static void print_notes(struct xds_out *out, const struct xds_joint *j)
{
    for (size_t i = 0; i < j->n_notes; i++)
        xds_page_line(out, "note", "%.*s", XDS_FMT(j->notes[i]));
}

static void print_page(struct xds_answer *answer)
{
    const struct xds_joint *j = answer->of;
    struct xds_out *out = &answer->out;

    xds_doc_verdict(out, xds_joint_well(j));
    print_answer(out, j);
    xds_decision_svg(xds_doc_markup(out), &answer->arena, j->decision);
    xds_doc_section(out, "client", "At the client");
    xds_print_decision_sections(out, j->decision);
    if (j->served) {
        xds_doc_steps(out, "server", "At the server");
        xds_print_served_sections(out, "arrives", j->served);
    }
    if (j->n_notes > 0) {
        xds_doc_steps(out, "notes", "Notes");
        print_notes(out, j);
    }
}

static void print_all(void *arg)
{
    struct xds_answer *answer = arg;
    const struct xds_joint *j = answer->of;
    struct xds_out *out = &answer->out;

    if (xds_doc_of(out)) {
        print_page(answer);
        return;
    }
    if (!out->to->quiet) {
        xds_print_decision_sections(out, j->decision);
        if (j->end != XDS_JOINT_CLIENT && xds_decision_connected(j->decision))
            xds_text_answer(out, j->decision);
        if (j->end != XDS_JOINT_CLIENT)
            xds_out_char(out, '\n');
        if (j->served)
            xds_print_served_sections(out, "arrives", j->served);
        print_notes(out, j);
    }
    print_answer(out, j);
}

enum xds_status xds_print_joint_text(const struct xds_printer *to,
                                     const struct xds_joint *joint)
{
    return xds_answer_print(to, print_all, joint);
}

enum xds_status xds_print_joint_html(const struct xds_printer *to,
                                     const struct xds_joint *joint)
{
    struct xds_doc doc;

    xds_doc_begin(&doc, to, "explain");
    return xds_doc_end(&doc, xds_print_joint_text(&doc.printer, joint));
}

/* ---- JSON ---- */

static bool has_status(const struct xds_decision *d)
{
    return d->outcome != XDS_OUTCOME_CRASH && d->outcome != XDS_OUTCOME_UNDECIDED;
}

/* The status that the application sees, as far as it is known. */
static void write_status(struct xds_out *out, const struct xds_joint *j)
{
    const struct xds_slice none = {NULL, 0};
    struct xds_slice code = none, message = none, reason = none;
    const struct xds_rpc_failure *failure = NULL;

    if (j->end == XDS_JOINT_CLIENT && !has_status(j->decision)) {
        reason = j->decision->status.error;
    } else if (j->end == XDS_JOINT_CLIENT) {
        code = j->decision->status.code.data ? j->decision->status.code
                                             : XDS_S("UNAVAILABLE");
        message = j->decision->status.error;
        failure = j->decision->status.reason;
    } else if (j->end == XDS_JOINT_SERVER) {
        code = j->served->code;
        message = j->served->is_status ? j->served->error : none;
        reason = j->served->is_status ? none : j->served->error;
        failure = j->served->reason;
    } else {
        code = j->end == XDS_JOINT_REFUSED ? XDS_S("UNAVAILABLE") : none;
        reason = j->reason;
        failure = j->failure;
    }
    if (xds_json_object_or_null(xds_json_line(out), "status", code.data)) {
        xds_json_members(out, "code: %.*s, message: %.*s, failure: %s", XDS_FMT(code),
                         XDS_FMT_OR_NULL(message), failure ? failure->slug : NULL);
        xds_json_end_object(out);
    }
    xds_json_key_string_or_null(xds_json_line(out), "reason", reason);
}

static void write_connection(struct xds_out *out, const struct xds_joint *j)
{
    static const char *const certificates[] = {
        [XDS_JOINT_CERTIFICATE_NONE] = "none",
        [XDS_JOINT_CERTIFICATE_GIVEN] = "given",
        [XDS_JOINT_CERTIFICATE_ASSUMED] = "assumed",
    };

    if (!xds_json_object_or_null(xds_json_line(out), "connection", j->peer.data))
        return;
    xds_json_members(out, "tls: %d, server_name: %.*s, peer: %.*s, peer_assumed: %d",
                     j->is_tls, XDS_FMT_OR_NULL(j->server_name), XDS_FMT(j->peer),
                     j->peer_assumed);
    xds_json_key_text(out, "certificate", certificates[j->certificate]);
    xds_json_end_object(out);
}

enum xds_status xds_print_joint_json(const struct xds_printer *to,
                                     const struct xds_joint *j)
{
    struct xds_out out;

    xds_out_init(&out, to);
    xds_json_begin_document(&out);
    xds_json_key_text(xds_json_line(&out), "outcome", outcome_of(j));
    xds_json_key_text(&out, "side", side_of(j));
    xds_json_key_string_or_null(&out, "host", j->address);
    write_status(&out, j);
    xds_json_key_string_or_null(xds_json_line(&out), "policy",
                                j->served ? j->served->policy : xds_slice_make(NULL, 0));
    write_connection(&out, j);
    xds_json_key_array(xds_json_line(&out), "notes");
    for (size_t i = 0; i < j->n_notes; i++)
        xds_json_string(&out, j->notes[i]);
    xds_json_end_array(&out);
    xds_json_key(xds_json_line(&out), "client");
    xds_json_decision(&out, j->decision);
    xds_json_key(xds_json_line(&out), "server");
    if (j->served)
        xds_json_served(&out, j->served);
    else
        xds_json_null(&out);
    xds_json_end_document(&out);
    return xds_out_finish(&out);
}
