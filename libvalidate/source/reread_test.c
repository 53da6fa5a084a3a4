/* reread_test.c - one resource once more, unless its file is not what it was. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "report/report.h"
#include "source/source.h"
#include "source/token.h"

#define TYPE "\"@type\": \"type.googleapis.com/envoy.config.cluster.v3.Cluster\""
#define FIRST "{" TYPE ", \"name\": \"\xc3\xa9\"}"
#define SECOND "{" TYPE ", \"name\": \"b\"}"
#define SNAPSHOT "\xEF\xBB\xBF{\"clusters\": [\n" FIRST ",\n  " SECOND "]}"

/* A source that was read to its end, and the places of its resources. */
struct stage {
    char path[64];
    struct xds_report *report;
    struct xds_source *source;
    struct xds_reread reread;
    struct xds_arena arena;
    struct xds_place at[4];
    size_t n;
    size_t asked; /* by reread() */
    bool found;
    struct xds_resource got;
    struct xds_token_stream *stream;
};

static void write_file(const struct stage *stage, const char *text, const char *mode)
{
    FILE *file = fopen(stage->path, mode);

    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
}

static void begin(struct stage *stage)
{
    struct xds_options options;

    xds_options_init(&options);
    stage->report = xds_report_new(&options);
    stage->source = xds_source_new(stage->report, XDS_TYPE_UNKNOWN);
    stage->n = 0;
    xds_arena_init(&stage->arena, 0);
    xds_reread_init(&stage->reread, stage->source);
}

static void read_all(struct stage *stage)
{
    struct xds_resource in;

    while (xds_source_next(stage->source, &in) == XDS_OK)
        stage->at[stage->n++] = in.at;
}

static void add_file(struct stage *stage, const char *suffix, const char *text)
{
    begin(stage);
    snprintf(stage->path, sizeof stage->path, "/tmp/xdscope-reread-%ld%s", (long)getpid(),
             suffix);
    write_file(stage, text, "w");
    cr_assert_eq(xds_source_add(stage->source, stage->path), XDS_OK);
}

static void open_file(struct stage *stage, const char *suffix, const char *text)
{
    add_file(stage, suffix, text);
    read_all(stage);
}

static void end(struct stage *stage)
{
    xds_reread_release(&stage->reread);
    xds_source_free(stage->source);
    xds_report_free(stage->report);
    xds_arena_release(&stage->arena);
    unlink(stage->path);
}

static void reread_body(void *arg)
{
    struct stage *stage = arg;

    stage->found = xds_reread_at(&stage->reread, &stage->at[stage->asked], &stage->arena,
                                 &stage->got);
}

static bool reread(struct stage *stage, size_t i)
{
    struct xds_arena *const arenas[] = {&stage->arena};

    stage->asked = i;
    cr_assert_eq(xds_arena_guard(arenas, 1, reread_body, stage), XDS_OK);
    return stage->found;
}

Test(reread, a_resource_has_its_bytes_and_its_place_again)
{
    struct stage stage;

    open_file(&stage, ".json", SNAPSHOT);
    cr_assert_eq(stage.n, 2);
    cr_assert(reread(&stage, 1));
    cr_expect(xds_slice_is(stage.got.bytes, SECOND));
    cr_expect_eq(stage.got.at.line, 3);
    cr_expect_eq(stage.got.at.column, 3);
    cr_assert(reread(&stage, 0));
    cr_expect(xds_slice_is(stage.got.bytes, FIRST));
    end(&stage);
}

Test(reread, no_other_place_has_one)
{
    struct stage stage;

    open_file(&stage, ".json", SNAPSHOT);
    stage.at[0].column++;
    cr_expect_not(reread(&stage, 0));
    stage.at[1].file++;
    cr_expect_not(reread(&stage, 1));
    stage.at[1].column = UINT32_MAX;
    cr_expect_not(reread(&stage, 1));
    end(&stage);
}

Test(reread, a_file_that_has_changed_is_not_believed)
{
    struct stage stage;

    open_file(&stage, ".json", SNAPSHOT);
    write_file(&stage, "\n", "a");
    cr_expect_not(reread(&stage, 0));
    end(&stage);
    open_file(&stage, ".json", SNAPSHOT);
    unlink(stage.path);
    cr_expect_not(reread(&stage, 0));
    end(&stage);
}

Test(reread, a_file_that_shrinks_while_it_is_open_ends_early)
{
    struct stage stage;

    open_file(&stage, ".json", SNAPSHOT);
    cr_expect(reread(&stage, 1));
    cr_assert_eq(truncate(stage.path, 40), 0);
    cr_expect_not(reread(&stage, 1));
    end(&stage);
}

Test(reread, other_forms_and_bytes_in_memory_are_read_from_their_start)
{
    struct stage stage;

    open_file(&stage, ".txtpb",
              "# proto-message: envoy.config.cluster.v3.Cluster\nname: \"a\"\n");
    cr_assert_eq(stage.n, 1);
    cr_expect_not(reread(&stage, 0));
    end(&stage);
    begin(&stage);
    stage.path[0] = '\0';
    cr_assert_eq(xds_source_add_bytes(stage.source, "x.json", XDS_S(SNAPSHOT)), XDS_OK);
    read_all(&stage);
    cr_assert_eq(stage.n, 2);
    cr_expect_not(reread(&stage, 0));
    end(&stage);
}

/* ---- YAML ---- */

#define YAML_TYPE "\"@type\": type.googleapis.com/envoy.config.cluster.v3.Cluster"

/* Tokens as text: kinds, places and texts. */
struct dump {
    char text[4096];
    size_t n;
};

static void dump_token(struct dump *dump, const struct xds_token *token)
{
    dump->n += (size_t)snprintf(dump->text + dump->n, sizeof dump->text - dump->n,
                                "%d %u:%u-%u:%u %.*s\n", (int)token->kind, token->line,
                                token->column, token->end_line, token->end_column,
                                XDS_FMT(xds_slice_clip(token->text, 64)));
    cr_assert_lt(dump->n, sizeof dump->text);
}

static struct dump dump_all(const struct xds_token *tokens)
{
    struct dump dump = {.n = 0};

    for (; tokens->kind != XDS_TOKEN_END; tokens++)
        dump_token(&dump, tokens);
    return dump;
}

static bool is_same(const struct dump *a, const struct dump *b)
{
    return a->n == b->n && memcmp(a->text, b->text, a->n) == 0;
}

static void stream_body(void *arg)
{
    struct stage *stage = arg;

    stage->found = xds_reread_stream_at(&stage->reread, &stage->at[0], &stage->arena,
                                        &stage->got, &stage->stream);
}

/* The tokens of the first resource as they come; *broke: one of them cannot be had. */
static struct dump dump_stream(struct stage *stage, bool *broke)
{
    struct xds_arena *const arenas[] = {&stage->arena, &stage->reread.yaml.document};
    struct dump dump = {.n = 0};
    struct xds_tokens tokens;
    struct xds_token token;

    cr_assert_eq(xds_arena_guard(arenas, 2, stream_body, stage), XDS_OK);
    cr_assert(stage->found && stage->stream);
    xds_tokens_streamed(&tokens, stage->stream);
    do {
        xds_tokens_next(&tokens, &token);
        if (token.kind != XDS_TOKEN_ERROR)
            dump_token(&dump, &token);
    } while (tokens.depth > 0 && token.kind != XDS_TOKEN_ERROR);
    *broke = stage->stream->broke;
    return dump;
}

/* Every resource that is read once more alone has the tokens that it had, together or one
 * by one. Gives how many could be. */
static size_t count_same(const char *text)
{
    struct xds_resource in;
    struct stage stage;
    size_t same = 0;

    add_file(&stage, ".yaml", text);
    while (xds_source_next(stage.source, &in) == XDS_OK) {
        const struct dump was = dump_all(in.tokens);
        bool broke;

        stage.at[0] = in.at;
        if (!reread(&stage, 0))
            continue;
        const struct dump is = dump_all(stage.got.tokens);
        const struct dump streamed = dump_stream(&stage, &broke);

        cr_expect(is_same(&is, &was));
        cr_expect(is_same(&streamed, &was));
        cr_expect_not(broke);
        same++;
    }
    end(&stage);
    return same;
}

Test(reread, a_block_of_yaml_means_alone_what_it_meant)
{
    cr_expect_eq(count_same("clusters:\n- " YAML_TYPE "\n  name: a\n  x: |\n    text\n"
                            "     more\n  y: [1, {b: c}]\n  z:\n  - >-\n   folded\n"
                            "-   name: b # comment\n    list:\n    - plain\n"
                            "      text\n\n-\n  'name': \"c\\n\"\n"),
                 3);
}

Test(reread, so_do_flow_and_documents_and_other_ends_of_lines)
{
    cr_expect_eq(count_same("\xEF\xBB\xBF{clusters: [{name: \xc3\xa9}, {name: b,\n"
                            "  x: 1}]}\n---\nclusters:\n  - name: \xe2\x82\xac\r\n"
                            "    y: 2\r\n  - name: d\n...\n%YAML 1.1\n---\n" YAML_TYPE
                            "\nname: e\n"),
                 5);
}

Test(reread, what_aliases_may_stand_in_is_read_with_its_anchors)
{
    cr_expect_eq(count_same("clusters:\n- name: a\n- name: &n b\n- name: *n\n"), 1);
    cr_expect_eq(count_same("clusters:\n- &c {name: a}\n- *c\n"), 0);
}

/* Up to there the tokens are right. */
Test(reread, a_file_that_changes_while_it_is_open_breaks_a_stream)
{
    struct stage stage;
    bool broke;

    open_file(&stage, ".yaml", "clusters:\n- name: a\n- name: b\n  x: y\n");
    cr_assert_eq(stage.n, 2);
    cr_assert(reread(&stage, 0));
    write_file(&stage, "clusters:\n- name: a\n- name: b\n  x: *\n", "w");
    stage.at[0] = stage.at[1];
    const struct dump dump = dump_stream(&stage, &broke);

    cr_expect(broke);
    cr_expect(xds_slice_ends(xds_slice_make(dump.text, dump.n), XDS_S("x\n")), "%.*s",
              (int)dump.n, dump.text);
    end(&stage);
}

/* libyaml takes U+0085 for the end of a line, so that the second document seems to begin
 * in front of what is in the first. */
Test(reread, places_out_of_order_tell_nothing)
{
    cr_expect_eq(count_same("clusters:\xc2\x85\xc2\x85\xc2\x85- name: a\n---\n"
                            "clusters: [{name: b}]\n"),
                 1);
}

Test(reread, what_stands_far_to_the_right_is_not_cut_out)
{
    char text[6000];

    snprintf(text, sizeof text, "{clusters: [%5000s{name: a}]}", "");
    cr_expect_eq(count_same(text), 0);
    snprintf(text, sizeof text, "{clusters: [%4000s{name: a}]}", "");
    cr_expect_eq(count_same(text), 1);
}

/* More than libyaml reads ahead, with characters of one to three bytes. */
Test(reread, characters_and_bytes_are_told_apart_in_a_long_text)
{
    static char text[400000];
    size_t n = (size_t)snprintf(text, sizeof text, "clusters:\n");

    for (unsigned i = 0; i < 5000; i++)
        n += (size_t)snprintf(
            text + n, sizeof text - n, "- name: %u%s\n  x: {y: \"%*s\"}\n", i,
            i % 7 == 0 ? "\xc3\xa9\xe2\x82\xac" : "", (int)(i % 50), "");
    cr_expect_eq(count_same(text), 5000);
}

/* A brace could begin a key until the text after it is read: then the parser is far
 * ahead of it. */
Test(reread, what_begins_before_a_long_text_is_not_found)
{
    static char text[200000];

    snprintf(text, sizeof text, "clusters: [{name: \"%100000s\"},\n  {name: b}]\n", "");
    cr_expect_eq(count_same(text), 1);
}
