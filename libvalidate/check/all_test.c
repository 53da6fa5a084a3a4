/*
 * all_test.c - the report is the same, byte for byte, however many threads judge.
 *
 * Every input file of every case goes through one run, so that its resources share names,
 * repeat what is reported once and break in every way that is known; batches are tiny, so
 * that they are merged often. More runs reach the limits, where the order decides what is
 * reported.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/limits.h"
#include "check/check.h"
#include "cli/dev/test/case.h"
#include "cli/dev/test/sample.h"

/* Workers from the first resource on; 0 jobs: this thread alone. */
static struct xds_check_plan plan_for(unsigned jobs)
{
    return (struct xds_check_plan){.batch_bytes = 2000,
                                   .batch_resources = 3,
                                   .alone_bytes = (size_t)100 << 10,
                                   .jobs = jobs};
}

enum { REMEMBERED = 200 << 10 };

static const unsigned jobs[] = {1, 2, 3, 8};

/* ---- a run ---- */

struct text {
    char *data;
    size_t len, cap;
};

static bool text_add(void *user, const char *data, size_t len)
{
    struct text *text = user;

    if (text->len + len + 1 > text->cap) {
        text->cap = (text->len + len + 1) * 2;
        text->data = realloc(text->data, text->cap);
        cr_assert_not_null(text->data);
    }
    memcpy(text->data + text->len, data, len);
    text->len += len;
    text->data[text->len] = '\0';
    return true;
}

struct run {
    struct xds_report *report;
    struct xds_check *check;
    struct xds_source *source;
    struct text troubles;
    struct moved *moved; /* inputs that live as long */
};

struct moved {
    struct moved *next;
    char text[];
};

static void note_trouble(void *user, const struct xds_check_trouble *trouble)
{
    char line[200];
    const int len =
        snprintf(line, sizeof line, "%.*s:%u: %d %s\n", (int)trouble->path.len,
                 trouble->path.data, trouble->line, (int)trouble->status,
                 trouble->status == XDS_ERR_IO ? strerror(trouble->error) : "");

    text_add(user, line, (size_t)len);
}

/* asked: the releases; NULL: all clients at their newest ones. */
static struct run run_asking(enum xds_resource_type type, bool keep, const char *asked)
{
    struct xds_options options;
    struct xds_ask_note note;
    struct run run = {.report = NULL};

    xds_options_init(&options);
    options.clients = asked ? 0 : XDS_ALL_CLIENTS;
    if (asked)
        cr_assert_eq(xds_options_ask(&options, xds_slice_of(asked), &note), XDS_OK);
    run.report = xds_report_new(&options);
    run.source = xds_source_new(run.report, type);
    run.check = xds_check_new(run.report, keep);
    return run;
}

static struct run run_new(enum xds_resource_type type, bool keep)
{
    return run_asking(type, keep, NULL);
}

static void add_bytes(struct run *run, const char *name, const char *text, size_t len)
{
    cr_assert_eq(xds_source_add_bytes(run->source, name, xds_slice_make(text, len)),
                 XDS_OK);
}

static enum xds_status finish(struct run *run, const struct xds_check_plan *plan)
{
    const enum xds_status status =
        xds_check_all_by(run->check, run->source, plan, note_trouble, &run->troubles);

    cr_assert_eq(xds_check_finish(run->check, run->source), XDS_OK);
    return status;
}

static void run_free(struct run *run)
{
    xds_check_free(run->check);
    xds_source_free(run->source);
    xds_report_free(run->report);
    free(run->troubles.data);
    for (struct moved *m = run->moved, *next; m; m = next) {
        next = m->next;
        free(m);
    }
}

/* ---- what must be the same ---- */

static void expect_same_findings(const struct run *a, const struct run *b,
                                 unsigned n_jobs)
{
    cr_assert_eq(a->report->n_findings, b->report->n_findings, "%u jobs", n_jobs);
    for (size_t i = 0; i < a->report->n_findings; i++) {
        const struct xds_finding *x = &a->report->findings[i];
        const struct xds_finding *y = &b->report->findings[i];

        cr_assert(x->rule == y->rule && x->order == y->order &&
                      x->resource == y->resource && x->repeats == y->repeats &&
                      xds_slice_eq(x->path, y->path) &&
                      xds_slice_eq(x->message, y->message) &&
                      memcmp(&x->at, &y->at, sizeof x->at) == 0,
                  "%u jobs, finding %zu: %s %.*s, %s %.*s", n_jobs, i, x->rule->slug,
                  XDS_FMT(x->message), y->rule->slug, XDS_FMT(y->message));
    }
}

static void expect_same_sum(const struct run *a, const struct run *b, unsigned n_jobs)
{
    const struct xds_summary x = xds_report_summary(a->report);
    const struct xds_summary y = xds_report_summary(b->report);

    cr_expect_arr_eq(&x, &y, sizeof x, "%u jobs", n_jobs);
    cr_expect_str_eq(a->troubles.data ? a->troubles.data : "",
                     b->troubles.data ? b->troubles.data : "", "%u jobs", n_jobs);
}

static void print_report(struct run *run, struct text *out)
{
    const struct xds_printer printer = {.write = text_add, .user = out};

    xds_report_sort(run->report);
    cr_assert_eq(xds_print_findings_json(&printer, run->report), XDS_OK);
}

static void expect_text(struct run *run, const struct text *want, unsigned n_jobs)
{
    struct text got = {.data = NULL};

    print_report(run, &got);
    cr_expect(got.len == want->len && memcmp(got.data, want->data, got.len) == 0,
              "%u jobs", n_jobs);
    free(got.data);
}

/* ---- all cases ---- */

static const char *const not_inputs[] = {"args",   "stdin", "env",      "stdout",
                                         "stderr", "exit",  "findings", NULL};

static bool is_input(const char *name)
{
    for (size_t i = 0; not_inputs[i]; i++)
        if (strcmp(name, not_inputs[i]) == 0)
            return false;
    return true;
}

static enum xds_resource_type type_of(const struct case_file *c)
{
    const struct case_section *args = case_find(c, "args");
    const char *at = args ? strstr(args->text, "--type ") : NULL;

    return at ? xds_resource_type_from_name(
                    xds_slice_make(at + 7, strcspn(at + 7, " \n")))
              : XDS_TYPE_UNKNOWN;
}

struct corpus {
    struct case_file *cases;
    size_t n;
};

static struct corpus read_corpus(void)
{
    char **paths = case_sample("testdata");
    struct corpus corpus = {.cases = NULL};
    size_t n = 0;

    while (paths[n])
        n++;
    corpus.cases = calloc(n, sizeof *corpus.cases);
    for (size_t i = 0; i < n; i++) {
        cr_assert(case_read(paths[i], &corpus.cases[corpus.n++]), "%s", paths[i]);
        free(paths[i]);
    }
    free(paths);
    return corpus;
}

static void free_corpus(struct corpus *corpus)
{
    for (size_t i = 0; i < corpus->n; i++)
        case_release(&corpus->cases[i]);
    free(corpus->cases);
}

/* A run among others: which inputs it reads, and what it remembers. */
struct turn {
    struct xds_memo *memo;
    unsigned left_out; /* of so many inputs one, and a later one the next time; 0: none */
    bool moved;        /* two lines are added to each, but to binary ones, */
    size_t gap;        /* here, at the start of a line */
    const char *asked; /* releases */
    bool is_thorough;  /* the checks are made for each of them */
};

static void add_moved(struct run *run, const struct case_section *section, size_t gap)
{
    struct moved *m = malloc(sizeof *m + section->len + 2);

    cr_assert_not_null(m);
    memcpy(m->text, section->text, gap);
    memcpy(m->text + gap, "\n\n", 2);
    memcpy(m->text + gap + 2, section->text + gap, section->len - gap);
    m->next = run->moved;
    run->moved = m;
    add_bytes(run, section->name, m->text, section->len + 2);
}

static void add_input(struct run *run, const struct case_section *section,
                      const struct turn *turn)
{
    if (turn->moved && !memchr(section->text, '\0', section->len))
        add_moved(run, section, turn->gap);
    else
        add_bytes(run, section->name, section->text, section->len);
}

static struct run run_turn(const struct corpus *corpus, enum xds_resource_type type,
                           bool keep, unsigned n_jobs, const struct turn *turn)
{
    const struct xds_check_plan plan = plan_for(n_jobs);
    struct run run = run_asking(type, keep, turn->asked);
    unsigned n = 0;

    run.check->lint.is_thorough = turn->is_thorough;
    if (turn->memo)
        cr_assert_eq(xds_check_remember(run.check, turn->memo), XDS_OK);
    for (size_t i = 0; i < corpus->n; i++) {
        const struct case_file *c = &corpus->cases[i];

        for (size_t j = 0; type_of(c) == type && j < c->n; j++)
            if (is_input(c->section[j].name) &&
                (turn->left_out == 0 || n++ % turn->left_out > 0))
                add_input(&run, &c->section[j], turn);
    }
    cr_assert_eq(finish(&run, &plan), XDS_OK);
    return run;
}

static struct run run_corpus(const struct corpus *corpus, enum xds_resource_type type,
                             bool keep, unsigned n_jobs)
{
    return run_turn(corpus, type, keep, n_jobs, &(struct turn){.memo = NULL});
}

/* Serially, without any threads: what sorting makes of it. */
static struct text text_of_corpus(const struct corpus *corpus,
                                  enum xds_resource_type type, bool keep)
{
    struct run run = run_corpus(corpus, type, keep, 0);
    struct text text = {.data = NULL};

    print_report(&run, &text);
    run_free(&run);
    return text;
}

static void compare_corpus(const struct corpus *corpus, enum xds_resource_type type)
{
    struct text want = text_of_corpus(corpus, type, false);
    struct run serial = run_corpus(corpus, type, false, 0);

    cr_expect_gt(serial.report->n_resources, 20 / SAMPLE_ONE_IN);
    for (size_t i = 0; i < XDS_ARRAY_LEN(jobs); i++) {
        struct run run = run_corpus(corpus, type, false, jobs[i]);

        expect_same_findings(&serial, &run, jobs[i]);
        expect_same_sum(&serial, &run, jobs[i]);
        expect_text(&run, &want, jobs[i]);
        run_free(&run);
    }
    run_free(&serial);
    free(want.data);
}

Test(check_all, all_cases_give_one_report_for_any_number_of_jobs, .timeout = 600)
{
    struct corpus corpus = read_corpus();

    for (enum xds_resource_type type = XDS_TYPE_UNKNOWN; type <= XDS_TYPE_ENDPOINT;
         type++)
        compare_corpus(&corpus, type);
    free_corpus(&corpus);
}

/* Checks for older releases are left out where they would ask what was asked before, and
 * hear the same. */
Test(check_all, a_release_that_answers_as_another_one_is_not_asked, .timeout = 600)
{
    struct corpus corpus = read_corpus();
    struct run all = run_turn(&corpus, XDS_TYPE_UNKNOWN, false, 0,
                              &(struct turn){.asked = "all@3y", .is_thorough = true});
    struct run some =
        run_turn(&corpus, XDS_TYPE_UNKNOWN, false, 0, &(struct turn){.asked = "all@3y"});

    expect_same_findings(&all, &some, 0);
    expect_same_sum(&all, &some, 0);
    run_free(&all);
    run_free(&some);
    free_corpus(&corpus);
}

/* Each turn is as one without a memo; resources come again, elsewhere, or not. */
static void compare_turns(const struct corpus *corpus, enum xds_resource_type type,
                          bool keep, unsigned n_jobs)
{
    static const struct turn turns[] = {{.left_out = 3},
                                        {.left_out = 0},
                                        {.left_out = 4, .moved = true},
                                        {.left_out = 0}};
    struct xds_memo *memo = xds_memo_new(REMEMBERED);
    struct run last = {.report = NULL};

    cr_assert_not_null(memo);
    for (size_t i = 0; i < XDS_ARRAY_LEN(turns); i++) {
        struct turn turn = turns[i];
        struct run plain = run_turn(corpus, type, keep, 0, &turn);
        struct text want = {.data = NULL};

        run_free(&last);
        turn.memo = memo;
        last = run_turn(corpus, type, keep, n_jobs, &turn);
        expect_same_findings(&plain, &last, n_jobs);
        expect_same_sum(&plain, &last, n_jobs);
        print_report(&plain, &want);
        if (i + 1 == XDS_ARRAY_LEN(turns))
            xds_memo_free(memo); /* the report does without it */
        expect_text(&last, &want, n_jobs);
        free(want.data);
        run_free(&plain);
    }
    run_free(&last);
}

Test(check_all, a_memo_changes_nothing, .timeout = 600)
{
    struct corpus corpus = read_corpus();

    for (enum xds_resource_type type = XDS_TYPE_UNKNOWN; type <= XDS_TYPE_ENDPOINT;
         type++)
        for (unsigned keep = 0; keep < 2; keep++)
            compare_turns(&corpus, type, keep, keep ? 3 : 1);
    free_corpus(&corpus);
}

/* ---- random edits ---- */

enum { FILES = 40, EDITS = 250 / SAMPLE_ONE_IN };

/* A file of a workspace. */
struct file {
    const struct case_section *text;
    size_t len; /* of the text: it may be cut in the middle of anything */
    size_t gap;
    bool is_there, is_moved;
};

static unsigned draw(unsigned *seed, size_t below)
{
    *seed = *seed * 1103515245u + 12345u;
    return (*seed >> 8) % (unsigned)below;
}

/* An input of some case, or of one beside the last: they differ in little. */
static const struct case_section *draw_text(const struct corpus *corpus, unsigned *seed,
                                            size_t *last)
{
    for (;;) {
        *last = draw(seed, 3) > 0 ? (*last + draw(seed, 4)) % corpus->n
                                  : draw(seed, corpus->n);
        const struct case_file *c = &corpus->cases[*last];
        const struct case_section *s = &c->section[c->n ? draw(seed, c->n) : 0];

        if (c->n > 0 && type_of(c) == XDS_TYPE_UNKNOWN && is_input(s->name))
            return s;
    }
}

/* Where a line of the text begins. */
static size_t draw_line(const struct file *file, unsigned *seed)
{
    size_t at = draw(seed, file->len + 1);

    while (at > 0 && file->text->text[at - 1] != '\n')
        at--;
    return at;
}

static void take_text(struct file *file, const struct case_section *text)
{
    *file = (struct file){.text = text, .len = text->len, .is_there = true};
}

/* One file goes or returns, is another one, is cut or whole again, gets two lines or
 * loses them, or takes the place of another one. */
static void edit(struct file *files, const struct corpus *corpus, unsigned *seed,
                 size_t *last)
{
    struct file *file = &files[draw(seed, FILES)], *other = &files[draw(seed, FILES)];
    const struct file was = *file;

    switch (draw(seed, 5)) {
    case 0:
        file->is_there = !file->is_there;
        break;
    case 1:
        take_text(file, draw_text(corpus, seed, last));
        break;
    case 2:
        file->len = file->len < file->text->len ? file->text->len
                                                : draw(seed, file->text->len + 1);
        file->gap = 0;
        break;
    case 3:
        file->is_moved = !file->is_moved;
        file->gap = draw_line(file, seed);
        break;
    default:
        *file = *other;
        *other = was;
    }
}

static struct run run_files(const struct file *files, bool keep, unsigned n_jobs,
                            struct xds_memo *memo)
{
    const struct xds_check_plan plan = plan_for(n_jobs);
    struct run run = run_new(XDS_TYPE_UNKNOWN, keep);

    if (memo)
        cr_assert_eq(xds_check_remember(run.check, memo), XDS_OK);
    for (size_t i = 0; i < FILES; i++) {
        const struct case_section cut = {.name = files[i].text->name,
                                         .text = files[i].text->text,
                                         .len = files[i].len};

        if (files[i].is_there)
            add_input(&run, &cut,
                      &(struct turn){.moved = files[i].is_moved, .gap = files[i].gap});
    }
    (void)finish(&run, &plan);
    return run;
}

/* What is kept between runs is worth as much as a run from scratch, after each edit. */
Test(check_all, a_memo_follows_random_edits, .timeout = 600)
{
    struct corpus corpus = read_corpus();
    struct xds_memo *memo = xds_memo_new(REMEMBERED);
    struct file files[FILES];
    unsigned seed = 1;
    size_t last = 0;

    for (size_t i = 0; i < FILES; i++)
        take_text(&files[i], draw_text(&corpus, &seed, &last));
    for (unsigned i = 0; i < EDITS; i++) {
        edit(files, &corpus, &seed, &last);
        const bool keep = i >= EDITS / 2; /* a memo is with models, or without */
        struct run plain = run_files(files, keep, 0, NULL);
        struct run kept = run_files(files, keep, 1 + 2 * (i % 2), memo);
        struct text want = {.data = NULL};

        expect_same_findings(&plain, &kept, i);
        expect_same_sum(&plain, &kept, i);
        print_report(&plain, &want);
        expect_text(&kept, &want, i);
        free(want.data);
        run_free(&plain);
        run_free(&kept);
    }
    xds_memo_free(memo);
    free_corpus(&corpus);
}

static void expect_same_snapshot(const struct xds_snapshot *a,
                                 const struct xds_snapshot *b)
{
    for (size_t type = 0; type <= XDS_TYPE_ENDPOINT; type++) {
        const struct xds_snapshot_entry *x = a->first[type], *y = b->first[type];

        for (; x && y; x = x->next, y = y->next)
            cr_assert(xds_slice_eq(x->name, y->name) && x->resource == y->resource &&
                      x->nacked_by == y->nacked_by && !x->model == !y->model);
        cr_expect(!x && !y);
    }
}

Test(check_all, kept_models_come_in_the_order_of_the_input, .timeout = 600)
{
    struct corpus corpus = read_corpus();
    struct text want = text_of_corpus(&corpus, XDS_TYPE_UNKNOWN, true);
    struct run serial = run_corpus(&corpus, XDS_TYPE_UNKNOWN, true, 1);
    struct run run = run_corpus(&corpus, XDS_TYPE_UNKNOWN, true, 3);

    expect_same_snapshot(&serial.check->snapshot, &run.check->snapshot);
    expect_same_sum(&serial, &run, 3);
    expect_text(&run, &want, 3);
    free(want.data);
    run_free(&serial);
    run_free(&run);
    free_corpus(&corpus);
}

/* A dump of a client that uses this version of a cluster. */
#define DUMP(version)                                                                    \
    "{\"config\":[{\"node\":{\"id\":\"n\"},\"genericXdsConfigs\":[{\"typeUrl\":"         \
    "\"type.googleapis.com/envoy.config.cluster.v3.Cluster\",\"name\":\"c\","            \
    "\"versionInfo\":\"" version "\",\"clientStatus\":\"ACKED\",\"xdsConfig\":{"         \
    "\"@type\":\"type.googleapis.com/envoy.config.cluster.v3.Cluster\","                 \
    "\"name\":\"c\",\"type\":\"EDS\",\"edsClusterConfig\":{\"edsConfig\":{\"ads\":{}}}}" \
    "}]}]}"

/* The second one is known, but for its version. */
Test(check_all, a_memo_keeps_no_version)
{
    static const char *const dumps[] = {DUMP("7"), DUMP("8")};
    const struct xds_check_plan plan = plan_for(1);
    struct xds_memo *memo = xds_memo_new(REMEMBERED);

    for (size_t i = 0; i < XDS_ARRAY_LEN(dumps); i++) {
        struct run run = run_new(XDS_TYPE_UNKNOWN, false);

        cr_assert_eq(xds_check_remember(run.check, memo), XDS_OK);
        add_bytes(&run, "dump.json", dumps[i], strlen(dumps[i]));
        cr_expect_eq(finish(&run, &plan), XDS_OK);
        cr_assert_eq(run.report->n_resources, 1);
        const struct xds_held *held = run.report->resources[0].held;

        cr_assert_not_null(held);
        cr_expect(xds_slice_is(held->version, i == 0 ? "7" : "8"), "%.*s",
                  XDS_FMT(held->version));
        run_free(&run);
    }
    xds_memo_free(memo);
}

/* ---- limits ---- */

/* A route configuration with so many faults, and one field that is not read: the late
 * ones have another. */
static void add_faulty(struct text *text, unsigned number, unsigned faults)
{
    const char *field = number < 150 ? "\"internalOnlyHeaders\":[\"x\"]"
                                     : "\"mostSpecificHeaderMutationsWins\":true";
    char piece[240];
    int len = snprintf(piece, sizeof piece,
                       "{\"@type\":\"type.googleapis.com/envoy.config.route.v3."
                       "RouteConfiguration\",\"name\":\"r%u\","
                       "%s,\"virtualHosts\":[",
                       number, field);

    text_add(text, piece, (size_t)len);
    for (unsigned i = 0; i < faults; i++) {
        len = snprintf(piece, sizeof piece, "%s{\"name\":\"%u\"}", i ? "," : "", i);
        text_add(text, piece, (size_t)len);
    }
    text_add(text, "]}\n", 3);
}

/* memo: or NULL. */
static void expect_same_as(const struct run *serial, const struct text *text,
                           const struct xds_check_plan *plan, struct xds_memo *memo)
{
    struct run run = run_new(XDS_TYPE_UNKNOWN, false);

    if (memo)
        cr_assert_eq(xds_check_remember(run.check, memo), XDS_OK);
    add_bytes(&run, "in.jsonl", text->data, text->len);
    cr_expect_eq(finish(&run, plan), XDS_OK);
    expect_same_findings(serial, &run, plan->jobs);
    expect_same_sum(serial, &run, plan->jobs);
    run_free(&run);
}

/* plan: but for the number of jobs. Gives the number of findings. */
static size_t expect_same_by(const struct text *text, struct xds_check_plan plan)
{
    struct run serial = run_new(XDS_TYPE_UNKNOWN, false);
    struct xds_memo *memo = xds_memo_new(REMEMBERED);

    add_bytes(&serial, "in.jsonl", text->data, text->len);
    cr_expect_eq(finish(&serial, &plan), XDS_OK);
    for (size_t i = 1; i < XDS_ARRAY_LEN(jobs); i++) {
        plan.jobs = jobs[i];
        expect_same_as(&serial, text, &plan, NULL);
        expect_same_as(&serial, text, &plan, memo); /* then as it is known */
    }
    xds_memo_free(memo);
    const size_t n = serial.report->n_findings;

    run_free(&serial);
    return n;
}

static unsigned count_threads(void)
{
    DIR *tasks = opendir("/proc/self/task");
    unsigned n = 0;

    while (tasks && readdir(tasks))
        n++;
    if (tasks)
        (void)closedir(tasks);
    return n;
}

Test(check_all, its_threads_end_with_it)
{
    const struct xds_check_plan plan = plan_for(4);
    const struct timespec moment = {.tv_nsec = 1000000};
    const unsigned before = count_threads();
    struct text text = {.len = 0};
    struct run run = run_new(XDS_TYPE_UNKNOWN, false);

    for (unsigned i = 0; i < 20; i++)
        add_faulty(&text, i, 1);
    add_bytes(&run, "in.jsonl", text.data, text.len);
    cr_expect_eq(finish(&run, &plan), XDS_OK);
    for (int i = 0; i < 1000 && count_threads() > before; i++)
        (void)nanosleep(&moment,
                        NULL); /* one that was joined may be listed a little longer */
    cr_expect_eq(count_threads(), before);
    run_free(&run);
    free(text.data);
}

static void expect_same_for(const struct text *text)
{
    (void)expect_same_by(text, plan_for(0));
}

/* Lines that are no resources are between: what the source finds counts as well. */
Test(check_all, the_limit_of_a_resource_cuts_at_the_same_finding, .timeout = 600)
{
    struct text text = {.data = NULL};

    for (unsigned i = 0; i < 40; i++) {
        add_faulty(&text, i % 30, i % 2 ? 980 + i : 5);
        for (unsigned j = 0; j < (i == 20 ? 1200 : i % 4); j++)
            text_add(&text, "{\"a\":\n", 6);
    }
    expect_same_for(&text);
    free(text.data);
}

Test(check_all, the_limit_of_the_run_cuts_at_the_same_finding, .timeout = 600)
{
    struct text text = {.data = NULL};

    for (unsigned i = 0; i < 200; i++) { /* two thirds of them reach it */
        add_faulty(&text, i, i % 5 ? 970 : 3);
        text_add(&text, "]\n", i % 7 ? 0 : 2);
    }
    expect_same_for(&text);
    free(text.data);
}

/* What was found by then, that it has no name, stays; the next ones are judged. */
Test(check_all, a_resource_that_needs_too_much_memory_is_a_finding, .timeout = 600)
{
    static const char begin[] =
        "{\"@type\":\"type.googleapis.com/envoy.config.endpoint.v3."
        "ClusterLoadAssignment\",\"cluster_name\":\"\",\"endpoints\":[{\"lb_endpoints\":["
        "{}";
    struct xds_check_plan plan = plan_for(0);
    struct text text = {.data = NULL};

    plan.alone_bytes = (size_t)64 << 20;
    add_faulty(&text, 1, 5);
    const size_t few = expect_same_by(&text, plan);
    text_add(&text, begin, sizeof begin - 1);
    for (unsigned i = 0; i < 3000000; i++)
        text_add(&text, ",{}", 3);
    text_add(&text, "]}]}\n", 5);
    const size_t more = expect_same_by(&text, plan);
    add_faulty(&text, 2, 5);
    cr_expect_eq(more, few + 2);
    cr_expect_gt(expect_same_by(&text, plan), more);
    free(text.data);
}

/* ---- trouble ---- */

Test(check_all, a_file_that_is_gone_is_told_in_its_place)
{
    char path[] = "/tmp/xdscope-all-XXXXXX";
    const int fd = mkstemp(path);
    const struct xds_check_plan plan = plan_for(2);
    struct text text = {.data = NULL};
    struct run run = run_new(XDS_TYPE_UNKNOWN, false);

    add_faulty(&text, 1, 5);
    add_bytes(&run, "a.json", text.data, text.len);
    cr_assert_eq(xds_source_add(run.source, path), XDS_OK);
    add_bytes(&run, "b.json", text.data, text.len);
    (void)close(fd);
    (void)remove(path);
    cr_expect_eq(finish(&run, &plan), XDS_ERR_IO);
    cr_expect_eq(run.report->n_resources, 2);
    cr_expect(strstr(run.troubles.data, "No such file"), "%s", run.troubles.data);
    run_free(&run);
    free(text.data);
}
