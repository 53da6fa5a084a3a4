/*
 * forms_test.c - one resource gives one report, whatever form it comes in.
 *
 * Every input file of every case is read as JSON, YAML or text proto, decoded, packed to
 * protobuf's wire form and judged again, with an unrelated resource before it: decode,
 * pack, decode must lose nothing that a rule sees, and no resource may change what is
 * said of another. convert/convert_test.c has all ways between the forms.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "cli/dev/test/case.h"
#include "decode/decode.h"
#include "convert/pack.h"
#include "fuzz/forms_harness.h"

struct stage {
    struct xds_arena arena; /* of decoded messages and packed bytes */
    struct xds_report *text, *wire;
    struct xds_check *text_check, *wire_check;
    size_t compared;
};

/* ---- judging both forms ---- */

struct job {
    struct stage *stage;
    const struct xds_resource *in;
    struct xds_resource out;
    bool packed;
};

static void pack_resource(void *arg)
{
    struct job *job = arg;
    struct xds_any root = {0};
    struct xds_report *scratch = job->stage->wire; /* only takes faults of the text */
    const size_t before = scratch->n_findings;

    job->out = *job->in;
    job->out.format = XDS_FORMAT_BINARY;
    const uint32_t resource =
        xds_report_add_resource(scratch, XDS_S(""), XDS_S(""), job->in->at);
    if (xds_decode(job->in, resource, scratch, &job->stage->arena, &root) &&
        root.state == XDS_ANY_TYPED) {
        xds_pack((struct xds_packer){&job->stage->arena, NULL}, &root);
        job->out.bytes =
            xds_slice_make((const char *)root.pb.value.data, root.pb.value.len);
        job->packed = true;
    }
    scratch->n_findings = before;
}

static void expect_same(const char *path, const struct xds_finding *a,
                        const struct xds_finding *b)
{
    struct xds_memory of_a = {NULL, 0, 0}, of_b = {NULL, 0, 0};

    xds_forms_say(&of_a, a);
    xds_forms_say(&of_b, b);
    cr_expect(xds_slice_eq(xds_memory_text(&of_a), xds_memory_text(&of_b)),
              "%s: %.*s%.*s", path, XDS_FMT(xds_memory_text(&of_a)),
              XDS_FMT(xds_memory_text(&of_b)));
    free(of_a.data);
    free(of_b.data);
}

/* A rejected resource of a name of its own, to be before each one of the wire side. */
static const char unrelated_text[] =
    "{\"@type\":\"type.googleapis.com/envoy.config.cluster.v3.Cluster\","
    "\"name\":\"unrelated\"}";
static const struct xds_resource unrelated = {
    .format = XDS_FORMAT_JSON,
    .type = XDS_TYPE_CLUSTER,
    .bytes = {unrelated_text, sizeof unrelated_text - 1},
};

static void judge_both(struct stage *stage, const struct xds_resource *in,
                       const char *path)
{
    struct xds_arena *const arenas[] = {&stage->arena, &stage->wire->arena};
    struct job job = {.stage = stage, .in = in};
    const size_t text_before = stage->text->n_findings;

    xds_arena_reset(&stage->arena);
    cr_assert_eq(xds_arena_guard(arenas, 2, pack_resource, &job), XDS_OK);
    if (!job.packed)
        return;
    cr_assert_eq(xds_check_resource(stage->wire_check, &unrelated), XDS_OK);
    const size_t wire_before = stage->wire->n_findings;
    cr_assert_eq(xds_check_resource(stage->text_check, in), XDS_OK);
    cr_assert_eq(xds_check_resource(stage->wire_check, &job.out), XDS_OK);
    const size_t n = stage->text->n_findings - text_before;
    cr_assert_eq(n, stage->wire->n_findings - wire_before, "%s: %zu findings", path, n);
    for (size_t i = 0; i < n; i++)
        if (stage->text->findings[text_before + i].rule->effect != XDS_EFFECT_HYGIENE)
            expect_same(path, &stage->text->findings[text_before + i],
                        &stage->wire->findings[wire_before + i]);
    stage->compared++;
}

static enum xds_resource_type type_of_args(const char *args)
{
    const char *at = strstr(args, "--type ");

    return at ? xds_resource_type_from_name(
                    xds_slice_make(at + 7, strcspn(at + 7, " \n")))
              : XDS_TYPE_UNKNOWN;
}

static bool is_text(const char *name)
{
    const struct xds_slice s = xds_slice_of(name);

    return xds_slice_ends(s, XDS_S(".yaml")) || xds_slice_ends(s, XDS_S(".json")) ||
           xds_slice_ends(s, XDS_S(".txtpb")) || xds_slice_ends(s, XDS_S(".textproto"));
}

static void run_case(struct stage *stage, const struct case_file *c)
{
    const struct case_section *args = case_find(c, "args");
    struct xds_resource resource;

    for (size_t i = 0; i < c->n; i++) {
        if (!is_text(c->section[i].name))
            continue;
        struct xds_source *source = xds_source_new(stage->text, type_of_args(args->text));
        cr_assert_eq(
            xds_source_add_bytes(source, c->section[i].name,
                                 xds_slice_make(c->section[i].text, c->section[i].len)),
            XDS_OK);
        while (xds_source_next(source, &resource) == XDS_OK)
            judge_both(stage, &resource, c->path);
        xds_source_free(source);
    }
}

static void stage_init(struct stage *stage)
{
    struct xds_options options;

    xds_options_init(&options);
    options.clients = XDS_ALL_CLIENTS;
    *stage = (struct stage){.compared = 0};
    xds_arena_init(&stage->arena, 0);
    stage->text = xds_report_new(&options);
    stage->wire = xds_report_new(&options);
    stage->text_check = xds_check_new(stage->text, false);
    stage->wire_check = xds_check_new(stage->wire, false);
}

static void stage_release(struct stage *stage)
{
    xds_check_free(stage->text_check);
    xds_check_free(stage->wire_check);
    xds_report_free(stage->text);
    xds_report_free(stage->wire);
    xds_arena_release(&stage->arena);
}

Test(forms, text_and_wire_give_one_report_whatever_stood_before)
{
    char **paths = case_list("testdata/rules");
    size_t compared = 0;

    for (size_t i = 0; paths[i]; i++) {
        struct case_file c;
        struct stage stage;

        /* A Struct is three messages deep on the wire for each level of JSON; keys are in
         * messages that no client reads, of which only the text is kept; and the wire has
         * no names of enum values. */
        if (strstr(paths[i], "/nesting-limit/") || strstr(paths[i], "/enum-case/") ||
            strstr(paths[i], "/private-key-inline/")) {
            free(paths[i]);
            continue;
        }
        cr_assert(case_read(paths[i], &c), "%s", paths[i]);
        stage_init(&stage);
        run_case(&stage, &c);
        compared += stage.compared;
        stage_release(&stage);
        case_release(&c);
        free(paths[i]);
    }
    free(paths);
    cr_expect_gt(compared, 300);
}
