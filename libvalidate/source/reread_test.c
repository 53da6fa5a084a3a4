/* reread_test.c - one resource once more, unless its file is not what it was. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <unistd.h>

#include "base/report.h"
#include "source/reread.h"

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

static void open_file(struct stage *stage, const char *suffix, const char *text)
{
    begin(stage);
    snprintf(stage->path, sizeof stage->path, "/tmp/xdscope-reread-%ld%s", (long)getpid(),
             suffix);
    write_file(stage, text, "w");
    cr_assert_eq(xds_source_add(stage->source, stage->path), XDS_OK);
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

    open_file(&stage, ".yaml", SNAPSHOT);
    cr_assert_eq(stage.n, 2);
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
