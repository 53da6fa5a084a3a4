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

#include "report/report.h"
#include "cli/dev/test/case.h"
#include "cli/dev/test/sample.h"
#include "convert/pack.h"
#include "decode/decode.h"
#include "fuzz/forms_harness.h"
#include "fuzz/harness.h"

#define WRAPPER &envoy__service__discovery__v3__resource__descriptor

static struct xds_source *new_source(struct xds_report *report, const char *name,
                                     struct xds_slice text, enum xds_resource_type type)
{
    struct xds_source *source = xds_source_new(report, type);

    cr_assert_eq(xds_source_add_bytes(source, name, text), XDS_OK);
    return source;
}

/* ---- one resource ---- */

struct job {
    const struct xds_resource *in;
    struct xds_report *report;
    struct xds_arena arena;
    struct xds_kept kept;
    struct xds_slice packed; /* NULL: it cannot be decoded */
};

static void pack(void *arg)
{
    struct job *job = arg;
    struct xds_any root = {0};
    const uint32_t resource =
        xds_report_add_resource(job->report, XDS_S(""), XDS_S(""), job->in->at);

    job->packed = xds_slice_make(NULL, 0);
    xds_kept_init(&job->kept, &job->arena);
    if (!xds_decode_kept(job->in, resource, job->report, &job->arena, &root,
                         &job->kept) ||
        root.state != XDS_ANY_TYPED || root.message->descriptor == WRAPPER)
        return;
    xds_pack((struct xds_packer){&job->arena, &job->kept.types}, &root);
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

static struct xds_memory write_as(enum xds_format format, const struct xds_resource *in)
{
    size_t lost;

    return xds_forms_write(format, in, &lost);
}

/* ---- all ways from one format to another ---- */

/* Read a text back: the only resource in it has this message. */
static void expect_message(const char *path, const char *name, struct xds_slice text,
                           struct xds_slice packed,
                           void (*then)(const char *path, const struct xds_resource *in,
                                        struct xds_slice packed))
{
    struct xds_report *report = xds_forms_report();
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
    for (unsigned format = 0; format < XDS_FORMATS; format++) {
        struct xds_memory text = write_as((enum xds_format)format, in);

        expect_message(path, xds_forms_names[format], xds_memory_text(&text), packed,
                       NULL);
        free(text.data);
    }
}

static void expect_lossless(const char *path, const struct xds_resource *in,
                            struct xds_slice packed)
{
    struct xds_memory said[XDS_FORMATS];

    for (unsigned format = 0; format < XDS_FORMATS; format++) {
        struct xds_memory text = write_as((enum xds_format)format, in);

        expect_message(path, xds_forms_names[format], xds_memory_text(&text), packed,
                       expect_all_formats);
        said[format] = xds_forms_judge(xds_forms_names[format], xds_memory_text(&text));
        cr_expect(xds_slice_eq(xds_memory_text(&said[format]), xds_memory_text(&said[0])),
                  "%s: %s: %.*s\nnot %.*s", path, xds_forms_names[format],
                  XDS_FMT(xds_memory_text(&said[format])),
                  XDS_FMT(xds_memory_text(&said[0])));
        free(text.data);
    }
    for (unsigned format = 0; format < XDS_FORMATS; format++)
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
    struct xds_report *report = xds_forms_report();
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
    char **paths = case_sample("testdata/rules");
    size_t n = 0;

    for (size_t i = 0; paths[i]; i++) {
        struct case_file c;

        /* A Struct is three messages deep in text and on the wire for each level of JSON,
         * files of this size only take time, and keys are in messages that no client
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
    cr_expect_gt(n, 300 / SAMPLE_ONE_IN);
}

/* ---- mutated texts ---- */

static uint32_t draw(uint32_t *state, size_t bound)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return (uint32_t)(*state % bound);
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("_./*-", c));
}

/* A word or a string in quotes at or after a place; false at the end of the text. */
static bool next_word(struct xds_slice text, size_t at, struct xds_slice *out)
{
    size_t end;

    while (at < text.len && !is_word(text.data[at]) && text.data[at] != '"')
        at++;
    end = at + 1;
    if (at >= text.len)
        return false;
    if (text.data[at] == '"') {
        while (end < text.len && text.data[end] != '"' && text.data[end] != '\n')
            end++;
        end += end < text.len;
    } else {
        while (end < text.len && is_word(text.data[end]))
            end++;
    }
    *out = xds_slice_make(text.data + at, end - at);
    return true;
}

/* Values that a format may take for something else, or cannot say. */
static const char *const values[] = {
    "0",
    "-1",
    "4294967296",
    "18446744073709551615",
    "1e400",
    "NaN",
    "\"Infinity\"",
    "-0.0",
    "null",
    "true",
    "\"\"",
    "\"\\u0000\"",
    "\"\\ud83d\\ude00\"",
    "\"\\u2028\\u007f\"",
    "\"\xc3\xa9\"",
    "\"a\\nb: [c] # d\"",
    "\"0x10\"",
    "\"1_000\"",
    "\"yes\"",
    "\"~\"",
    "\"2026-01-01\"",
    "\"=\"",
    "\"1.0s\"",
    "315576000000s",
    "\"-0.000000001s\"",
    "1.5",
    "5e-324",
    "{}",
    "[]",
    "\"<<\"",
    "\"- a\"",
    "\"\\ufeffx\"",
    "\"\\t\"",
    "\"%\"",
    "\" lead\"",
    "\"trail \"",
    "0.1",
    "3.4028236e38",
    "1e39",
    "\"AQ==\"",
    "\"_-\"",
    "\"*a\"",
    "\"@type\"",
    "\"@unknown\"",
    "\"@value\"",
    "{\"@type\": \"\"}",
    "{\"@unknown\": \"6AQB\"}",
    "{\"@type\": \"a\", \"b\": 1}",
    "\"type.googleapis.com/google.protobuf.Duration\"",
    "\"type.googleapis.com/google.protobuf.Struct\"",
};

/* One word becomes another one of the text, or a value from the list. */
static struct xds_memory mutate(struct xds_slice text, uint32_t *state)
{
    struct xds_memory out = {NULL, 0, 0};
    struct xds_slice from = XDS_S(""), to;

    (void)next_word(text, draw(state, text.len + 1), &from);
    if (draw(state, 3) == 0 || !next_word(text, draw(state, text.len + 1), &to))
        to = xds_slice_of(values[draw(state, XDS_ARRAY_LEN(values))]);
    const size_t before = from.len ? (size_t)(from.data - text.data) : 0;
    xds_memory_write(&out, text.data, before);
    xds_memory_write(&out, to.data, to.len);
    xds_memory_write(&out, text.data + before + from.len, text.len - before - from.len);
    return out;
}

static size_t run_mutations(const struct case_file *c, uint32_t *state, size_t most)
{
    size_t n = 0;

    for (size_t i = 0; i < c->n; i++) {
        const struct case_section *section = &c->section[i];

        if (!is_input(section->name) || section->len == 0 || section->len > 10000)
            continue;
        for (size_t k = 0; k < most; k++, n++) {
            struct xds_memory text =
                mutate(xds_slice_make(section->text, section->len), state);

            xds_fuzz_forms((const uint8_t *)text.data, text.len);
            free(text.data);
        }
    }
    return n;
}

/* Whatever is accepted comes back from all formats, and is judged alike in each. SEED and
 * ROUNDS=N for more than the gate has time for. */
Test(convert, a_mutated_text_comes_back_as_it_was, .timeout = 3000)
{
    const char *seed = getenv("SEED"), *rounds = getenv("ROUNDS");
    char **paths =
        case_list("testdata/rules testdata/convert testdata/explain testdata/show "
                  "testdata/source testdata/terminal");
    uint32_t state = seed ? (uint32_t)strtoul(seed, NULL, 10) | 1 : 1;
    const size_t most = rounds ? strtoul(rounds, NULL, 10) : 1;
    size_t n = 0;

    for (size_t i = 0; paths[i]; i++) {
        struct case_file c;

        if (!strstr(paths[i], "/resource-too-large/") &&
            (rounds || draw(&state, 4) == 0)) {
            cr_assert(case_read(paths[i], &c), "%s", paths[i]);
            n += run_mutations(&c, &state, most);
            case_release(&c);
        }
        free(paths[i]);
    }
    free(paths);
    cr_expect_gt(n, 300);
}
