/*
 * stages.c - how fast each stage of a lint is, on the way from bytes to findings.
 *
 *   bench-stages FILE [ROUNDS [STAGE]]
 *
 * Each stage does what the one before it does, and its own part. They run in turn, so
 * that a noisy machine disturbs all alike; the least CPU time of all rounds counts.
 * Prints one line per stage: name, MB/s of the file, resources/s.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/limits.h"
#include "report/report.h"
#include "decode/decode.h"
#include "rules/readers.h"

enum { USUAL_ROUNDS = 5, READ_SIZE = 1 << 20 };

/* One pass of a stage over the file. */
struct pass {
    const char *path;
    struct xds_report *report;
    struct xds_check *check;         /* the last two stages */
    struct xds_regex_cache *regexes; /* the rules alone */
    struct xds_judges judges;
    struct xds_names names;
    struct xds_arena learnt, decode, model;
    const struct xds_resource *in; /* in work */
    bool with_rules;               /* decode and rules, or decode only */
    size_t resources;
};

static void stop(const char *what)
{
    (void)fprintf(stderr, "bench-stages: %s\n", what);
    exit(3);
}

static void decode_one(void *arg)
{
    struct pass *pass = arg;
    struct xds_any root = {0};
    struct xds_snapshot_entry entry = {0};
    const uint32_t resource = xds_report_add_resource(pass->report, pass->in->type_url,
                                                      pass->in->name, pass->in->at);

    if (!xds_decode_with(pass->in, resource, pass->report, &pass->decode, &root,
                         &pass->names) ||
        !pass->with_rules)
        return;
    xds_readers nacking = 0;
    struct xds_ctx ctx = {.report = pass->report,
                          .options = &pass->report->options,
                          .arena = &pass->model,
                          .scratch = &pass->decode,
                          .nacking = &nacking,
                          .unknown = &entry.unknown,
                          .regexes = pass->regexes,
                          .resource = resource,
                          .panel = &pass->judges.panel,
                          .live = pass->judges.panel.all};

    entry.resource = resource;
    xds_resource_read(&ctx, pass->in, &root, &entry);
}

static enum xds_status split_only(struct pass *pass)
{
    (void)pass;
    return XDS_OK;
}

static enum xds_status decode(struct pass *pass)
{
    struct xds_arena *const arenas[] = {&pass->learnt, &pass->decode, &pass->model,
                                        &pass->report->arena};

    xds_arena_reset(&pass->decode);
    xds_arena_reset(&pass->model);
    return xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), decode_one, pass);
}

static enum xds_status judge(struct pass *pass)
{
    pass->with_rules = true;
    return decode(pass);
}

static enum xds_status lint(struct pass *pass)
{
    return xds_check_resource(pass->check, pass->in);
}

/* The stages behind the first, which only reads. */
static const struct stage {
    const char *name;
    enum xds_status (*one)(struct pass *pass);
    bool finishes; /* with the checks across resources */
} stages[] = {
    {"read", NULL, false},   {"split", split_only, false}, {"decode", decode, false},
    {"rules", judge, false}, {"lint", lint, false},        {"whole", lint, true},
};

enum { STAGES = sizeof stages / sizeof stages[0] };

static void read_only(const char *path)
{
    static char room[READ_SIZE];
    const int fd = open(path, O_RDONLY);
    ssize_t n;

    do {
        n = read(fd, room, sizeof room);
    } while (n > 0);
    if (fd < 0 || n < 0)
        stop("the file cannot be read");
    close(fd);
}

static void visit_resources(struct pass *pass, const struct stage *stage)
{
    struct xds_source *source = xds_source_new(pass->report, XDS_TYPE_UNKNOWN);
    struct xds_resource resource;

    if (!source || xds_source_add(source, pass->path) != XDS_OK)
        stop("the file cannot be read");
    pass->in = &resource;
    for (; xds_source_next(source, &resource) == XDS_OK; pass->resources++)
        if (stage->one(pass) != XDS_OK)
            stop("a resource cannot be judged");
    if (stage->finishes && xds_check_finish(pass->check, source) != XDS_OK)
        stop("out of memory");
    xds_source_free(source);
}

/* The number of resources. */
static size_t run(const struct stage *stage, const char *path)
{
    const struct xds_slice provider = XDS_S("default");
    struct pass pass = {.path = path};
    struct xds_options options;

    if (!stage->one) {
        read_only(path);
        return 0;
    }
    xds_options_init(&options);
    options.bootstrap.is_set = true;
    options.bootstrap.provider_instances = &provider;
    options.bootstrap.n_provider_instances = 1;
    pass.report = xds_report_new(&options);
    pass.check = pass.report ? xds_check_new(pass.report, false) : NULL;
    pass.regexes = xds_regex_cache_new();
    if (!pass.check || !pass.regexes || !xds_judges_init(&pass.judges, pass.report))
        stop("out of memory");
    xds_names_init(&pass.names, &pass.learnt);
    xds_arena_init(&pass.decode, XDS_MAX_DECODED_BYTES);
    xds_arena_init(&pass.model, XDS_MAX_DECODED_BYTES);
    visit_resources(&pass, stage);
    xds_arena_release(&pass.model);
    xds_arena_release(&pass.decode);
    xds_arena_release(&pass.learnt);
    xds_regex_cache_free(pass.regexes);
    xds_check_free(pass.check);
    xds_report_free(pass.report);
    return pass.resources;
}

static double cpu_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

struct result {
    double seconds; /* the least of all rounds */
    size_t resources;
};

static void time_once(const struct stage *stage, const char *path, struct result *result)
{
    const double begin = cpu_seconds();

    result->resources = run(stage, path);
    const double took = cpu_seconds() - begin;
    if (result->seconds == 0 || took < result->seconds)
        result->seconds = took;
}

static double file_megabytes(const char *path)
{
    struct stat status;

    if (stat(path, &status) != 0)
        stop("the file cannot be read");
    return (double)status.st_size / 1e6;
}

static bool is_asked_for(const struct stage *stage, const char *only)
{
    return !only || strcmp(stage->name, only) == 0;
}

int main(int argc, char **argv)
{
    const unsigned long rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : USUAL_ROUNDS;
    const char *only = argc > 3 ? argv[3] : NULL;
    struct result results[STAGES] = {0};

    if (argc < 2 || argc > 4 || rounds == 0) {
        (void)fputs("usage: bench-stages FILE [ROUNDS [STAGE]]\n", stderr);
        return 2;
    }
    const double megabytes = file_megabytes(argv[1]);

    for (unsigned long round = 0; round < rounds; round++)
        for (size_t i = 0; i < STAGES; i++)
            if (is_asked_for(&stages[i], only))
                time_once(&stages[i], argv[1], &results[i]);
    for (size_t i = 0; i < STAGES; i++)
        if (results[i].seconds > 0)
            printf("%-6s %8.0f MB/s %9.0f resources/s\n", stages[i].name,
                   megabytes / results[i].seconds,
                   (double)results[i].resources / results[i].seconds);
    return 0;
}
