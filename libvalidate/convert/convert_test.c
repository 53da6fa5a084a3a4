/*
 * convert_test.c - no format loses what the schema knows, and none changes a verdict.
 *
 * Every input file of every case of a rule is read, each resource is written in each
 * format, read back, written in each other format and read back once more: the message,
 * packed, must be the same each time, and so must what is said of it.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "cli/test/case.h"
#include "convert/pack.h"
#include "decode/decode.h"

#define FORMATS (XDS_FORMAT_TEXT_PROTO + 1)
#define WRAPPER &envoy__service__discovery__v3__resource__descriptor

static const char *const names[FORMATS] = {
    [XDS_FORMAT_JSON] = "x.json",
    [XDS_FORMAT_YAML] = "x.yaml",
    [XDS_FORMAT_BINARY] = "x.pb",
    [XDS_FORMAT_TEXT_PROTO] = "x.txtpb",
};

/* ---- text in memory -------------------------------------------------------------- */

struct memory {
    char *data;
    size_t n;
};

static bool write_memory(void *user, const char *data, size_t len)
{
    struct memory *m = user;

    m->data = realloc(m->data, m->n + len + 1);
    cr_assert_not_null(m->data);
    memcpy(m->data + m->n, data, len);
    m->n += len;
    return true;
}

static struct xds_slice text_of(const struct memory *m)
{
    return xds_slice_make(m->data ? m->data : "", m->n);
}

static struct xds_report *new_report(void)
{
    struct xds_options options;

    xds_options_init(&options);
    options.clients = XDS_ALL_CLIENTS;
    options.allow_unknown_fields = true;
    return xds_report_new(&options);
}

static struct xds_source *new_source(struct xds_report *report, const char *name,
                                     struct xds_slice text, enum xds_resource_type type)
{
    struct xds_source *source = xds_source_new(report, type);

    cr_assert_eq(xds_source_add_bytes(source, name, text), XDS_OK);
    return source;
}

/* ---- one resource ---------------------------------------------------------------- */

struct job {
    const struct xds_resource *in;
    struct xds_report *report;
    struct xds_arena arena;
    struct xds_slice packed; /* NULL: it cannot be decoded */
};

static void pack(void *arg)
{
    struct job *job = arg;
    struct xds_any root = {0};
    const uint32_t resource =
        xds_report_add_resource(job->report, XDS_S(""), XDS_S(""), job->in->at);

    job->packed = xds_slice_make(NULL, 0);
    if (!xds_decode(job->in, resource, job->report, &job->arena, &root) ||
        root.state != XDS_ANY_TYPED || root.message->descriptor == WRAPPER)
        return;
    xds_pack(&job->arena, &root);
    job->packed = xds_slice_make((const char *)root.pb.value.data, root.pb.value.len);
    if (!job->packed.data)
        job->packed = XDS_S("");
}

static void run_pack(struct job *job)
{
    struct xds_arena *const arenas[] = {&job->arena, &job->report->arena};

    xds_arena_reset(&job->arena);
    cr_assert_eq(xds_arena_guard(arenas, 2, pack, job), XDS_OK);
}

static struct memory write_as(enum xds_format format, const struct xds_resource *in)
{
    struct memory text = {NULL, 0};
    const struct xds_printer printer = {.write = write_memory, .user = &text};
    const struct xds_convert_options options = {.format = format,
                                                .json_names = in->at.line % 2};
    struct xds_report *report = new_report();
    struct xds_convert *convert = xds_convert_new(report, &options, &printer);

    cr_assert_eq(xds_convert_resource(convert, in), XDS_OK);
    cr_assert_eq(xds_convert_finish(convert), XDS_OK);
    xds_convert_free(convert);
    xds_report_free(report);
    return text;
}

/* What lint says of the only resource of a text: slugs, paths and messages. What it says
 * of the response around one is not of interest: not every form has one. */
static struct memory judge(const char *name, struct xds_slice text)
{
    struct memory said = {NULL, 0};
    struct xds_report *report = new_report();
    struct xds_check *check = xds_check_new(report, false);
    struct xds_source *source = new_source(report, name, text, XDS_TYPE_UNKNOWN);
    struct xds_resource in;

    while (xds_source_next(source, &in) == XDS_OK)
        cr_assert_eq(xds_check_resource(check, &in), XDS_OK);
    for (size_t i = 0; i < report->n_findings; i++) {
        const struct xds_finding *f = &report->findings[i];

        if (strncmp(f->rule->slug, "resource-", 9) == 0)
            continue;
        write_memory(&said, f->rule->slug, strlen(f->rule->slug));
        write_memory(&said, " ", 1);
        write_memory(&said, xds_slice_text(f->path), f->path.len);
        write_memory(&said, " ", 1);
        write_memory(&said, xds_slice_text(f->message), f->message.len);
        write_memory(&said, "\n", 1);
    }
    xds_source_free(source);
    xds_check_free(check);
    xds_report_free(report);
    return said;
}

/* ---- all ways from one format to another ------------------------------------------ */

/* Read a text back: the only resource in it has this message. */
static void expect_message(const char *path, const char *name, struct xds_slice text,
                           struct xds_slice packed,
                           void (*then)(const char *path, const struct xds_resource *in,
                                        struct xds_slice packed))
{
    struct xds_report *report = new_report();
    struct xds_source *source = new_source(report, name, text, XDS_TYPE_UNKNOWN);
    struct job job = {.report = report};
    struct xds_resource in;

    xds_arena_init(&job.arena, 0);
    cr_assert_eq(xds_source_next(source, &in), XDS_OK, "%s: %s: %.*s", path, name,
                 XDS_FMT(text));
    job.in = &in;
    run_pack(&job);
    cr_assert(job.packed.data && xds_slice_eq(job.packed, packed), "%s: %s: %.*s", path,
              name, XDS_FMT(text));
    if (then)
        then(path, &in, packed);
    cr_assert_eq(xds_source_next(source, &in), XDS_END, "%s: %s", path, name);
    xds_arena_release(&job.arena);
    xds_source_free(source);
    xds_report_free(report);
}

static void expect_all_formats(const char *path, const struct xds_resource *in,
                               struct xds_slice packed)
{
    for (unsigned format = 0; format < FORMATS; format++) {
        struct memory text = write_as((enum xds_format)format, in);

        expect_message(path, names[format], text_of(&text), packed, NULL);
        free(text.data);
    }
}

static void expect_lossless(const char *path, const struct xds_resource *in,
                            struct xds_slice packed)
{
    struct memory said[FORMATS];

    for (unsigned format = 0; format < FORMATS; format++) {
        struct memory text = write_as((enum xds_format)format, in);

        expect_message(path, names[format], text_of(&text), packed, expect_all_formats);
        said[format] = judge(names[format], text_of(&text));
        cr_expect(xds_slice_eq(text_of(&said[format]), text_of(&said[0])),
                  "%s: %s: %.*s\nnot %.*s", path, names[format],
                  XDS_FMT(text_of(&said[format])), XDS_FMT(text_of(&said[0])));
        free(text.data);
    }
    for (unsigned format = 0; format < FORMATS; format++)
        free(said[format].data);
}

static bool is_input(const char *name)
{
    static const char *const endings[] = {".yaml", ".json", ".binpb", ".txtpb",
                                          ".textproto"};

    for (size_t i = 0; i < XDS_ARRAY_LEN(endings); i++)
        if (xds_slice_ends(xds_slice_of(name), xds_slice_of(endings[i])))
            return true;
    return false;
}

static enum xds_resource_type type_of_args(const char *args)
{
    const char *at = strstr(args, "--type ");

    return at ? xds_resource_type_from_name(
                    xds_slice_make(at + 7, strcspn(at + 7, " \n")))
              : XDS_TYPE_UNKNOWN;
}

static size_t run_case(const struct case_file *c)
{
    const struct case_section *args = case_find(c, "args");
    struct xds_report *report = new_report();
    struct job job = {.report = report};
    struct xds_resource in;
    size_t n = 0;

    xds_arena_init(&job.arena, 0);
    job.in = &in;
    for (size_t i = 0; i < c->n; i++) {
        if (!is_input(c->section[i].name))
            continue;
        struct xds_source *source =
            new_source(report, c->section[i].name,
                       xds_slice_make(c->section[i].text, c->section[i].len),
                       type_of_args(args->text));
        while (xds_source_next(source, &in) == XDS_OK) {
            run_pack(&job);
            in.wrapper = XDS_WRAPPER_NONE;
            if (!job.packed.data)
                continue;
            expect_lossless(c->path, &in, job.packed);
            n++;
        }
        xds_source_free(source);
    }
    xds_arena_release(&job.arena);
    xds_report_free(report);
    return n;
}

Test(convert, each_format_leads_to_each_other_and_back, .timeout = 300)
{
    char **paths = case_list("testdata/rules");
    size_t n = 0;

    for (size_t i = 0; paths[i]; i++) {
        struct case_file c;

        /* A Struct is three messages deep in text and on the wire for each level of JSON,
         * files of this size only take time, and keys stand in messages that no client
         * reads: they do not cross from one kind of format to another. */
        if (!strstr(paths[i], "/nesting-limit/") &&
            !strstr(paths[i], "/private-key-inline/") &&
            !strstr(paths[i], "/resource-too-large/")) {
            cr_assert(case_read(paths[i], &c), "%s", paths[i]);
            n += run_case(&c);
            case_release(&c);
        }
        free(paths[i]);
    }
    free(paths);
    cr_expect_gt(n, 300);
}
