/* simulation.c - the scenarios of several files, played one step after the other. */
#include "scenario/scenario.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check/check.h"

struct input {
    const char *name;
    struct xds_slice bytes; /* absent: a file */
};

struct xds_simulation {
    struct xds_options options;
    bool has_client;
    enum xds_client client;
    struct xds_arena names; /* of the inputs */
    struct input *inputs;
    size_t n_inputs, cap_inputs, next_input;
    const char *unread; /* the first file that could not be read */
    int error;
    struct xds_simulation_summary summary;
    enum { BETWEEN_FILES, IN_FILE, IN_SCENARIO } place;
    struct xds_document document;
    /* the scenario in work */
    struct xds_arena run_arena, step_arenas[2];
    struct xds_report *report;
    struct xds_check *check;
    struct xds_driver driver;
    struct xds_chart chart;
    struct xds_head head;
    struct xds_tree members;
    struct xds_played step;
    struct xds_entry entry; /* given last */
};

struct xds_simulation *xds_simulation_new(const struct xds_options *options,
                                          const enum xds_client *client)
{
    struct xds_simulation *s = calloc(1, sizeof *s);

    if (!s)
        return NULL;
    s->options = *options;
    s->has_client = client != NULL;
    s->client = client ? *client : XDS_CLIENT_CORE;
    s->document.file.fd = -1;
    return s;
}

static void end_scenario(struct xds_simulation *s)
{
    struct xds_play *play = &s->driver.play;

    if (play->release)
        play->release(play->releases);
    play->release = NULL;
    xds_check_free(s->check);
    xds_report_free(s->report);
    s->check = NULL;
    s->report = NULL;
}

void xds_simulation_free(struct xds_simulation *simulation)
{
    if (!simulation)
        return;
    end_scenario(simulation);
    xds_tree_file_release(&simulation->document.file);
    xds_arena_release(&simulation->names);
    xds_arena_release(&simulation->run_arena);
    xds_arena_release(&simulation->step_arenas[0]);
    xds_arena_release(&simulation->step_arenas[1]);
    free(simulation);
}

/* ---- inputs ---- */

struct adding {
    struct xds_simulation *simulation;
    const char *name;
    struct xds_slice bytes;
};

static void add_input(void *arg)
{
    const struct adding *adding = arg;
    struct xds_simulation *s = adding->simulation;

    if (s->n_inputs == s->cap_inputs) {
        const size_t cap = s->cap_inputs ? 2 * s->cap_inputs : 8;
        struct input *more = XDS_NEW_ARRAY(&s->names, struct input, cap);

        if (s->n_inputs)
            memcpy(more, s->inputs, s->n_inputs * sizeof *more);
        s->inputs = more;
        s->cap_inputs = cap;
    }
    s->inputs[s->n_inputs++] =
        (struct input){xds_arena_strdup(&s->names, adding->name), adding->bytes};
}

static enum xds_status add(struct adding *adding)
{
    struct xds_arena *const arenas[] = {&adding->simulation->names};

    return xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), add_input, adding);
}

/* False with errno set: it is not there, not readable, or a folder. */
static bool is_readable(const char *path)
{
    struct stat info;

    if (xds_slice_is(xds_slice_of(path), "-"))
        return true;
    if (access(path, R_OK) != 0 || stat(path, &info) != 0)
        return false;
    if (S_ISDIR(info.st_mode))
        errno = EISDIR;
    return !S_ISDIR(info.st_mode);
}

enum xds_status xds_simulation_add(struct xds_simulation *simulation, const char *path)
{
    struct adding adding = {simulation, path, {NULL, 0}};

    return is_readable(path) ? add(&adding) : XDS_ERR_IO;
}

enum xds_status xds_simulation_add_bytes(struct xds_simulation *simulation,
                                         const char *name, struct xds_slice bytes)
{
    struct adding adding = {simulation, name, bytes.data ? bytes : XDS_S("")};

    return add(&adding);
}

/* ---- files ---- */

static const struct input *input_of(const struct xds_simulation *s)
{
    return &s->inputs[s->next_input - 1];
}

/* Up to and with the last slash; absent when no files may be read. */
static struct xds_slice folder_of(const struct input *input)
{
    struct xds_slice name = xds_slice_of(input->name);

    if (input->bytes.data)
        return (struct xds_slice){NULL, 0};
    while (name.len > 0 && name.data[name.len - 1] != '/')
        name.len--;
    return name;
}

static void unreadable(struct xds_simulation *s, int error)
{
    if (s->unread)
        return;
    s->unread = input_of(s)->name;
    s->error = error;
}

static void open_file(struct xds_simulation *s)
{
    const struct input *input = &s->inputs[s->next_input++];

    s->place = IN_FILE;
    if (input->bytes.data) {
        xds_document_open_bytes(&s->document, input->name, input->bytes);
    } else if (!xds_document_open(&s->document, input->name)) {
        unreadable(s, errno);
        s->place = BETWEEN_FILES;
    }
}

static void close_file(struct xds_simulation *s)
{
    if (s->document.file.buffer.error)
        unreadable(s, s->document.file.buffer.error);
    xds_tree_file_close(&s->document.file);
    s->place = BETWEEN_FILES;
}

/* ---- one scenario ---- */

/* What must not be made under a guard. */
static bool prepare(struct xds_simulation *s)
{
    end_scenario(s);
    xds_arena_reset(&s->run_arena);
    xds_arena_reset(&s->step_arenas[0]);
    xds_arena_reset(&s->step_arenas[1]);
    s->report = xds_report_new(&s->options);
    s->check = s->report ? xds_check_new(s->report, true) : NULL;
    s->head = (struct xds_head){.options = s->options, .client = s->client};
    s->driver = (struct xds_driver){.step_arenas = s->step_arenas};
    s->driver.play = (struct xds_play){.report = s->report,
                                       .check = s->check,
                                       .snapshot = s->check ? &s->check->snapshot : NULL};
    return s->check;
}

static void read_head(struct xds_simulation *s)
{
    struct xds_play *play = &s->driver.play;

    if (!xds_document_head(&s->document, play, &s->run_arena, &s->members) ||
        !xds_head_read(play, &s->members, s->has_client, &s->head))
        return;
    s->head.options.clients = XDS_CLIENT_BIT(s->head.client);
    xds_check_set_options(s->check, &s->head.options);
    play->machine.client = s->head.client;
    if (s->head.snapshot &&
        !xds_resources_read(play, s->head.snapshot, folder_of(input_of(s))))
        return;
    xds_driver_open(&s->driver, s->head.subject, s->driver.chart);
}

struct pull {
    struct xds_simulation *simulation;
    bool chart;
    bool found;
};

static void begin_scenario(void *arg)
{
    struct pull *pull = arg;
    struct xds_simulation *s = pull->simulation;
    struct xds_play *play = &s->driver.play;
    const struct xds_slice name = xds_slice_of(input_of(s)->name);
    const struct xds_place at = {xds_report_add_file(s->report, name), 1, 1, 1, 1};

    play->resource =
        xds_report_add_resource(s->report, XDS_S("scenario"), (struct xds_slice){0}, at);
    xds_machine_init(&play->machine, &s->run_arena, &s->step_arenas[0], &s->head.options,
                     s->client);
    xds_chart_init(&s->chart, &s->run_arena);
    s->driver.chart = pull->chart ? &s->chart : NULL;
    s->driver.listens = pull->chart;
    pull->found = xds_document_next(&s->document, play);
    if (!pull->found)
        return;
    read_head(s);
    s->place = IN_SCENARIO;
    s->entry = (struct xds_entry){
        .kind = XDS_ENTRY_BEGIN,
        .name = s->head.name.len > 0 ? s->head.name : name,
        .subject = xds_slice_of(s->head.subject ? s->head.subject->name : NULL),
        .client = s->head.client,
        .as = xds_asked_label(&s->head.options, s->head.client),
        .ok = true,
    };
}

/* ---- steps and the end ---- */

static bool is_error(const struct xds_finding *finding, void *user)
{
    (void)user;
    return finding->level == XDS_LEVEL_ERROR;
}

static void finish(struct xds_simulation *s)
{
    struct xds_entry *entry = &s->entry;
    struct xds_driver *driver = &s->driver;

    entry->kind = XDS_ENTRY_END;
    entry->ok = !driver->play.failed && entry->n_mismatches == 0;
    entry->report = s->report;
    xds_report_sort(s->report);
    if (driver->chart && driver->state && driver->subject->scene)
        entry->scene =
            driver->subject->scene(driver->state, driver->play.machine.step_arena);
    entry->chart = driver->chart;
    s->summary.scenarios++;
    s->summary.failed += !entry->ok;
    s->place = IN_FILE;
}

static void next_step(void *arg)
{
    struct xds_simulation *s = ((struct pull *)arg)->simulation;
    struct xds_play *play = &s->driver.play;
    struct xds_entry *entry = &s->entry;
    struct xds_tree step;

    entry->kind = XDS_ENTRY_STEP;
    entry->step = &s->step;
    if (play->failed ||
        !xds_document_step(&s->document, play, xds_driver_step_arena(&s->driver),
                           &step) ||
        !xds_driver_play(&s->driver, &step, &s->step)) {
        finish(s);
        return;
    }
    entry->n_steps++;
    entry->n_expectations += s->step.n_expectations;
    entry->n_mismatches += s->step.mismatches.n;
    s->summary.steps++;
    s->summary.expectations += s->step.n_expectations;
    s->summary.mismatches += s->step.mismatches.n;
}

/* ---- pulling ---- */

static enum xds_status guarded(struct pull *pull, void (*body)(void *))
{
    struct xds_simulation *s = pull->simulation;
    struct xds_arena *arenas[XDS_TREE_FILE_ARENAS + 4] = {
        &s->run_arena, &s->step_arenas[0], &s->step_arenas[1], &s->report->arena};

    xds_tree_file_arenas(&s->document.file, arenas + 4);
    return xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), body, pull);
}

static enum xds_status pull_step(struct pull *pull)
{
    struct xds_simulation *s = pull->simulation;
    const enum xds_status status = guarded(pull, next_step);

    pull->found = true;
    if (status == XDS_OK && s->entry.kind == XDS_ENTRY_END)
        return xds_report_keep(s->report, is_error, NULL);
    return status;
}

static enum xds_status pull_entry(struct pull *pull)
{
    struct xds_simulation *s = pull->simulation;
    enum xds_status status = XDS_OK;

    while (status == XDS_OK && !pull->found) {
        switch (s->place) {
        case BETWEEN_FILES:
            if (s->next_input == s->n_inputs)
                return XDS_END;
            open_file(s);
            break;
        case IN_FILE:
            status = prepare(pull->simulation) ? guarded(pull, begin_scenario)
                                               : XDS_ERR_NO_MEMORY;
            if (!pull->found)
                close_file(s);
            break;
        case IN_SCENARIO:
            status = pull_step(pull);
            break;
        }
    }
    return status;
}

enum xds_status xds_simulation_next(struct xds_simulation *simulation, bool chart,
                                    struct xds_entry *out)
{
    struct pull pull = {.simulation = simulation, .chart = chart};
    const enum xds_status status = pull_entry(&pull);

    *out = simulation->entry;
    return status;
}

struct xds_simulation_summary
xds_simulation_summary(const struct xds_simulation *simulation)
{
    return simulation->summary;
}

const char *xds_simulation_unread(const struct xds_simulation *simulation)
{
    if (simulation->unread)
        errno = simulation->error;
    return simulation->unread;
}
