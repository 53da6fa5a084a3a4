/* forms_harness.c - one resource in every format, and what is said of it. */
#include "fuzz/forms_harness.h"

#include <stdlib.h>

#include "decode/decode.h"
#include "fuzz/harness.h"
#include "source/wire/wire_field.h"

const char *const xds_forms_names[XDS_FORMATS] = {
    [XDS_FORMAT_JSON] = "x.json",
    [XDS_FORMAT_YAML] = "x.yaml",
    [XDS_FORMAT_BINARY] = "x.pb",
    [XDS_FORMAT_TEXT_PROTO] = "x.txtpb",
};

/* ---- shared with the tests of all cases ---- */

struct xds_report *xds_forms_report(void)
{
    struct xds_options options;

    xds_options_init(&options);
    options.clients = XDS_ALL_CLIENTS;
    options.allow_unknown_fields = true;
    return xds_report_new(&options);
}

static struct xds_memory write_as(struct xds_convert_options options,
                                  const struct xds_resource *in, size_t *lost)
{
    struct xds_memory text = {NULL, 0, 0};
    const struct xds_printer printer = {.write = xds_memory_write, .user = &text};
    struct xds_report *report = xds_forms_report();
    struct xds_convert *convert =
        report ? xds_convert_new(report, &options, &printer) : NULL;
    struct xds_place first;

    if (!convert || xds_convert_resource(convert, in) != XDS_OK ||
        xds_convert_finish(convert) != XDS_OK)
        xds_fuzz_fail("cannot write %s", xds_forms_names[options.format]);
    *lost = xds_convert_lost(convert, &first);
    xds_convert_free(convert);
    xds_report_free(report);
    return text;
}

struct xds_memory xds_forms_write(enum xds_format format, const struct xds_resource *in,
                                  size_t *lost)
{
    return write_as((struct xds_convert_options){format, in->at.line % 2, false}, in,
                    lost);
}

void xds_forms_say(struct xds_memory *out, const struct xds_finding *finding)
{
    xds_memory_print(out, "%s ", finding->rule->slug);
    (void)xds_memory_write(out, finding->path.data, finding->path.len);
    xds_memory_print(out, ": ");
    (void)xds_memory_write(out, finding->message.data, finding->message.len);
    xds_memory_print(out, " (");
    for (unsigned client = 0; client < XDS_CLIENTS; client++)
        xds_memory_print(out, "%d", (int)finding->verdict[client]);
    xds_memory_print(out, ")\n");
}

static void say_all(struct xds_memory *out, const struct xds_report *report)
{
    for (size_t i = 0; i < report->n_findings; i++)
        if (strcmp(report->findings[i].rule->slug, "resource-type-assumed") != 0)
            xds_forms_say(out, &report->findings[i]);
}

static void check_text(struct xds_check *check, struct xds_report *report,
                       const char *name, struct xds_slice text)
{
    struct xds_source *source = xds_source_new(report, XDS_TYPE_UNKNOWN);
    struct xds_resource in;

    if (!source || xds_source_add_bytes(source, name, text) != XDS_OK)
        xds_fuzz_fail("no memory for %s", name);
    while (xds_source_next(source, &in) == XDS_OK)
        if (xds_check_resource(check, &in) != XDS_OK)
            xds_fuzz_fail("no memory for a resource of %s", name);
    xds_source_free(source);
}

struct xds_memory xds_forms_judge(const char *name, struct xds_slice text)
{
    struct xds_memory said = {NULL, 0, 0};
    struct xds_report *report = xds_forms_report();
    struct xds_check *check = report ? xds_check_new(report, false) : NULL;

    if (!check)
        xds_fuzz_fail("no memory for a check");
    check_text(check, report, name, text);
    say_all(&said, report);
    xds_check_free(check);
    xds_report_free(report);
    return said;
}

/* ---- the fuzz target ---- */

/* The type and the bytes of an Any on the wire. */
static bool open_any(struct xds_slice any, struct xds_resource *out)
{
    struct xds_wire_field field;
    struct xds_slice value;

    *out = (struct xds_resource){.format = XDS_FORMAT_BINARY, .bytes = XDS_S("")};
    while (any.len > 0) {
        if (!xds_wire_next(&any, &field, &value))
            return false;
        if (field.number == 1 && field.type == XDS_WIRE_BYTES)
            out->type = xds_resource_type_of(xds_any_type_name(value));
        else if (field.number == 2 && field.type == XDS_WIRE_BYTES)
            out->bytes = value;
    }
    return out->type != XDS_TYPE_UNKNOWN;
}

struct job {
    const struct xds_resource *in;
    struct xds_report *report;
    struct xds_arena arena;
    bool good;
};

static void decode(void *arg)
{
    struct job *job = arg;
    struct xds_any root = {0};
    const uint32_t resource =
        xds_report_add_resource(job->report, XDS_S(""), XDS_S(""), job->in->at);

    job->good = xds_decode(job->in, resource, job->report, &job->arena, &root) &&
                root.state == XDS_ANY_TYPED &&
                root.message->descriptor !=
                    &envoy__service__discovery__v3__resource__descriptor &&
                root.met == 0 && job->report->n_findings == 0;
}

/* Undecodable bytes have no other form, nor has what libraries read in several ways. */
static bool can_be_decoded(const struct xds_resource *in)
{
    struct job job = {.in = in, .report = xds_forms_report()};
    struct xds_arena *const arenas[] = {&job.arena, &job.report->arena};

    xds_arena_init(&job.arena, 0);
    if (xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), decode, &job) != XDS_OK)
        job.good = false;
    xds_arena_release(&job.arena);
    xds_report_free(job.report);
    return job.good;
}

/* What depends on the form is not compared: JSON nests less deep than its messages, and
 * keys are looked for in the text of messages that no client reads. */
static bool depends_on_form(struct xds_slice said)
{
    static const char *const slugs[] = {"nesting-limit ", "private-key-inline "};

    for (size_t i = 0; i < XDS_ARRAY_LEN(slugs); i++)
        if (xds_slice_search(said, xds_slice_of(slugs[i])) <= said.len)
            return true;
    return false;
}

static void expect_same(const char *what, struct xds_slice text, struct xds_slice said,
                        struct xds_slice expected)
{
    if (depends_on_form(said) || depends_on_form(expected) ||
        xds_slice_eq(said, expected))
        return;
    xds_fuzz_fail("of %s is said:\n%.*sbut of its bytes:\n%.*s%.*s", what, XDS_FMT(said),
                  XDS_FMT(expected), XDS_FMT(text));
}

/* What is said of the bytes as they came, which may repeat fields in any order. */
static struct xds_memory judge_bytes(const struct xds_resource *in)
{
    struct xds_memory said = {NULL, 0, 0};
    struct xds_report *report = xds_forms_report();
    struct xds_check *check = report ? xds_check_new(report, false) : NULL;

    if (!check || xds_check_resource(check, in) != XDS_OK)
        xds_fuzz_fail("no memory for a resource");
    say_all(&said, report);
    xds_check_free(check);
    xds_report_free(report);
    return said;
}

/* The only resource of a text in another format; no data when it is lost there. */
static struct xds_memory rewrite(enum xds_format from, struct xds_slice text,
                                 enum xds_format to)
{
    struct xds_report *report = xds_forms_report();
    struct xds_source *source = xds_source_new(report, XDS_TYPE_UNKNOWN);
    struct xds_memory written = {NULL, 0, 0};
    struct xds_resource in;
    size_t lost;

    if (!source || xds_source_add_bytes(source, xds_forms_names[from], text) != XDS_OK)
        xds_fuzz_fail("no memory for %s", xds_forms_names[from]);
    if (xds_source_next(source, &in) != XDS_OK)
        xds_fuzz_fail("%s has no resource:\n%.*s", xds_forms_names[from], XDS_FMT(text));
    written = write_as((struct xds_convert_options){.format = to}, &in, &lost);
    if (lost > 0) {
        free(written.data);
        written = (struct xds_memory){NULL, 0, 0};
    }
    xds_source_free(source);
    xds_report_free(report);
    return written;
}

/* Through all formats and back to the first one: it must be the same text. */
static void expect_fixpoint(const struct xds_resource *in)
{
    static const enum xds_format way[] = {XDS_FORMAT_YAML, XDS_FORMAT_TEXT_PROTO,
                                          XDS_FORMAT_BINARY, XDS_FORMAT_YAML,
                                          XDS_FORMAT_JSON};
    enum xds_format from = XDS_FORMAT_JSON;
    size_t lost;
    struct xds_memory first =
        write_as((struct xds_convert_options){.format = from}, in, &lost);
    struct xds_memory text = {NULL, 0, 0};

    if (lost == 0)
        xds_memory_write(&text, first.data, first.len);
    for (size_t i = 0; i < XDS_ARRAY_LEN(way) && text.data; i++) {
        struct xds_memory next = rewrite(from, xds_memory_text(&text), way[i]);

        free(text.data);
        text = next;
        from = way[i];
    }
    if (text.data && !xds_slice_eq(xds_memory_text(&text), xds_memory_text(&first)))
        xds_fuzz_fail("what came back is\n%.*sbut was\n%.*s",
                      XDS_FMT(xds_memory_text(&text)), XDS_FMT(xds_memory_text(&first)));
    free(text.data);
    free(first.data);
}

static void compare_forms(const struct xds_resource *in)
{
    struct xds_memory expected = judge_bytes(in);

    expect_fixpoint(in);

    for (unsigned format = 0; format < XDS_FORMATS; format++) {
        size_t lost;
        const char *name = xds_forms_names[format];
        struct xds_memory text = xds_forms_write((enum xds_format)format, in, &lost);
        struct xds_memory said = xds_forms_judge(name, xds_memory_text(&text));

        if (lost == 0)
            expect_same(name, xds_memory_text(&text), xds_memory_text(&said),
                        xds_memory_text(&expected));
        free(said.data);
        free(text.data);
    }
    free(expected.data);
}

/* The resources of a text, whose first character tells the format. */
static void compare_text(struct xds_slice text)
{
    const char first = text.len > 0 ? text.data[0] : ' ';
    const enum xds_format format = first == '{'   ? XDS_FORMAT_JSON
                                   : first == '#' ? XDS_FORMAT_TEXT_PROTO
                                                  : XDS_FORMAT_YAML;
    struct xds_report *report = xds_forms_report();
    struct xds_source *source = xds_source_new(report, XDS_TYPE_UNKNOWN);
    struct xds_resource in;

    if (!source || xds_source_add_bytes(source, xds_forms_names[format], text) != XDS_OK)
        xds_fuzz_fail("no memory for a text");
    while (xds_source_next(source, &in) == XDS_OK) {
        in.expected = XDS_S(""); /* what is around a resource is not written */
        in.is_static = false;
        if (in.wrapper == XDS_WRAPPER_NONE && !in.held && can_be_decoded(&in))
            compare_forms(&in);
    }
    xds_source_free(source);
    xds_report_free(report);
}

void xds_fuzz_forms(const uint8_t *data, size_t size)
{
    const struct xds_slice input = xds_slice_make((const char *)data, size);
    struct xds_resource in;

    if (!open_any(input, &in))
        compare_text(input);
    else if (can_be_decoded(&in))
        compare_forms(&in);
}
