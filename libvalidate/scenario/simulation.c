/* simulation.c - the scenarios of several files, read and played one step after the
 * other. */
#include "scenario/scenario.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "check/check.h"
#include "clients/clients.h"

/* ---- files of scenarios ---- */

/* The scenarios of a file: of each everything but its steps is read first, then one step
 * at a time, so that memory does not grow with their number. Keys after the steps are
 * read ahead where the rest of the file is short (XDS_LOOK_AHEAD); else they are a fault.
 */
struct document {
    struct xds_tree_file file;
    bool ahead;   /* keys after the steps were read already */
    bool looking; /* ... are being read */
    bool in_steps;
    bool over;              /* there is no other scenario */
    size_t n;               /* scenarios that were begun */
    struct xds_token first; /* of the one in work */
};

/* ---- faults ---- */

static bool fault(struct xds_play *play, struct xds_place at, const char *what)
{
    return xds_fault_at(play, XDS_R_SCENARIO_DOCUMENT, at, "%s", what);
}

/* What is wrong with the text. A file that cannot be read on looks like one that ends
 * too early: that is not the text's fault. */
static bool text_fault(const struct document *d, struct xds_play *play,
                       const struct xds_source_fault *told)
{
    if (d->file.buffer.error) {
        play->failed = true;
        return false;
    }
    play->unread = true;
    return xds_fault_at(play, told->rule, told->at, "%s", told->text);
}

static bool reader_fault(const struct document *d, struct xds_play *play)
{
    return text_fault(d, play, &d->file.reader->fault);
}

/* ---- tokens ---- */

static void next_token(struct document *d, struct xds_token *out)
{
    d->file.reader->ops->next(d->file.reader, out);
}

/* Lines are counted forward, but not while the steps are still to come. */
static struct xds_place place_of(struct document *d, const struct xds_token *token)
{
    if (d->looking && d->file.format == XDS_FORMAT_JSON)
        return xds_buffer_place(&d->file.buffer, token->begin);
    return d->file.reader->ops->place(d->file.reader, token);
}

/* The value whose first token this is, as a tree. */
static bool read_value(struct document *d, struct xds_play *play, struct xds_arena *arena,
                       const struct xds_token *first, struct xds_tree *out)
{
    struct xds_source_fault fault;

    return xds_tree_file_value(&d->file, arena, first, place_of(d, first), out, &fault) ||
           text_fault(d, play, &fault);
}

/* ---- the members ---- */

/* Read what follows the steps, then come back to them. */
static bool look_ahead(struct document *d, struct xds_play *play, struct xds_arena *arena,
                       const struct xds_token *steps, struct xds_tree *head);

static bool read_member(struct document *d, struct xds_play *play,
                        struct xds_arena *arena, const struct xds_token *key,
                        struct xds_tree *head)
{
    const struct xds_place at = place_of(d, key);
    struct xds_token first;
    const struct xds_slice name = xds_token_unescape(key, arena);
    struct xds_tree value = {0};

    next_token(d, &first);
    if (xds_slice_is(name, "steps") && first.kind == XDS_TOKEN_ARRAY && !d->in_steps)
        return look_ahead(d, play, arena, &first, head);
    if (!read_value(d, play, arena, &first, &value))
        return false;
    value.key_line = at.line;
    value.key_column = at.column;
    if (xds_slice_is(name, "steps"))
        return fault(play, at, "\"steps\" must be a list of steps, and appear once");
    xds_tree_put_key(arena, head, name, value);
    return true;
}

/* Up to the end of the scenario, or into its steps. */
static bool read_members(struct document *d, struct xds_play *play,
                         struct xds_arena *arena, struct xds_tree *head)
{
    const bool behind_steps = d->in_steps;
    struct xds_token key;

    for (;;) {
        next_token(d, &key);
        if (key.kind == XDS_TOKEN_OBJECT_END)
            return true;
        if (key.kind != XDS_TOKEN_KEY)
            return reader_fault(d, play);
        if (!read_member(d, play, arena, &key, head))
            return false;
        if (d->in_steps && !behind_steps)
            return true;
    }
}

static bool look_ahead(struct document *d, struct xds_play *play, struct xds_arena *arena,
                       const struct xds_token *steps, struct xds_tree *head)
{
    bool good;

    d->in_steps = true;
    d->ahead = d->file.reader->ops->near_end(d->file.reader);
    if (!d->ahead)
        return true;
    d->looking = true;
    d->file.reader->ops->mark(d->file.reader);
    good = d->file.reader->ops->skip(d->file.reader, steps) || reader_fault(d, play);
    good = good && read_members(d, play, arena, head);
    d->file.reader->ops->rewind(d->file.reader);
    d->looking = false;
    return good;
}

/* The members of the scenario but its steps; false after a fault. */
static bool read_members_but_steps(struct document *document, struct xds_play *play,
                                   struct xds_arena *arena, struct xds_tree *head)
{
    *head = xds_tree_object();
    document->in_steps = document->ahead = document->looking = false;
    if (play->failed)
        return false;
    const struct xds_place at = place_of(document, &document->first);

    if (document->first.kind == XDS_TOKEN_ERROR)
        return reader_fault(document, play);
    if (document->first.kind != XDS_TOKEN_OBJECT)
        return fault(play, at,
                     "a scenario must be an object with \"subject\" and \"steps\"");
    if (!read_members(document, play, arena, head))
        return false;
    if (!xds_tree_member(head, "subject"))
        return fault(play, at, "\"subject\" is missing in the scenario");
    return document->in_steps || fault(play, at, "\"steps\" is missing in the scenario");
}

/* ---- steps ---- */

/* The next step; false after the last one and after a fault. */
static bool read_step(struct document *document, struct xds_play *play,
                      struct xds_arena *arena, struct xds_tree *step)
{
    struct xds_token first;

    if (!document->in_steps)
        return false;
    xds_arena_reset(&document->file.scratch);
    next_token(document, &first);
    if (first.kind == XDS_TOKEN_ARRAY_END) {
        /* Nothing that was not read ahead may be after the steps. */
        struct xds_token token;

        document->in_steps = false;
        if (document->ahead)
            return false;
        next_token(document, &token);
        if (token.kind == XDS_TOKEN_ERROR)
            return reader_fault(document, play);
        if (token.kind == XDS_TOKEN_KEY)
            return fault(play, place_of(document, &token),
                         "in a file of this size \"steps\" must be the last key");
        return false;
    }
    return read_value(document, play, arena, &first, step);
}

/* ---- scenarios ---- */

/* Read over what a fault has left of the scenario. */
static void drain(struct document *d)
{
    struct xds_token token;

    do {
        next_token(d, &token);
        if (token.kind == XDS_TOKEN_ERROR && d->file.format == XDS_FORMAT_JSON)
            d->file.reader->failed = true;
        if (xds_token_is_container(&token))
            d->file.reader->ops->skip(d->file.reader, &token);
    } while (!d->file.reader->failed && token.kind != XDS_TOKEN_END);
}

/* To the next scenario; false at the end of the file. A file without any is a fault. */
static bool next_scenario(struct document *document, struct xds_play *play)
{
    if (document->over)
        return false;
    if (document->n > 0 && !document->file.reader->failed)
        drain(document);
    if (xds_tree_file_next(&document->file, &document->first)) {
        document->n++;
        return true;
    }
    document->over = true;
    return document->n == 0 && !document->file.buffer.error &&
           !fault(play, (struct xds_place){document->file.buffer.file, 1, 1, 1, 1},
                  "the file has no scenario");
}

/* ---- what a scenario says beside its steps ---- */

struct head {
    struct xds_slice name; /* absent: it has none */
    const struct xds_subject *subject;
    const struct xds_tree *snapshot; /* NULL: none */
    enum xds_client client;
    struct xds_options options;
};

static const char *const keys[] = {"scenario", "subject",  "config", "client",
                                   "env",      "snapshot", "target", NULL};

static bool read_client(struct xds_play *play, const struct xds_tree *members,
                        bool has_client, struct head *out)
{
    const struct xds_slice name = xds_event_text(play, members, "client");
    struct xds_options unused = {.clients = 0};
    struct xds_ask_note note;
    enum xds_client client;

    if (!name.data)
        return !play->failed;
    if (xds_options_ask_one(has_client ? &unused : &out->options, name, &client, &note) !=
        XDS_OK)
        return xds_play_fault(play, xds_tree_member(members, "client"),
                              "\"client\" must be %s, or one of them at a release, "
                              "such as go@1.64",
                              xds_client_list(XDS_ALL_CLIENTS, " or ").text);
    if (!has_client)
        out->client = client;
    return true;
}

static bool set_variable(struct xds_play *play, struct xds_options *options,
                         const struct xds_tree *variable)
{
    struct xds_arena *arena = play->machine.arena;
    const char *hint = NULL;
    struct xds_slice text = variable->text;

    if (variable->kind == XDS_TREE_BOOL)
        text = variable->truth ? XDS_S("true") : XDS_S("false");
    else if (variable->kind != XDS_TREE_STRING && variable->kind != XDS_TREE_NUMBER)
        return xds_play_fault(play, variable,
                              "\"env\": the value of a variable must be a string");
    const struct xds_slice assignment =
        xds_arena_printf(arena, "%.*s=%.*s", XDS_FMT(variable->key), XDS_FMT(text));

    if (xds_options_set_env(options, assignment, &hint) == XDS_OK)
        return true;
    const struct xds_slice words = xds_nearest_words(arena, hint);

    return xds_play_fault(play, variable, "gRPC clients have no variable \"%.*s\"%.*s",
                          XDS_FMT(variable->key), XDS_FMT(words));
}

/* What the user has set goes before what the scenario sets. */
static bool read_env(struct xds_play *play, const struct xds_tree *members,
                     struct head *out)
{
    const struct xds_tree *env = xds_event_object(play, members, "env");
    const struct xds_options wish = out->options;

    for (size_t i = 0; i < env->n; i++)
        if (!set_variable(play, &out->options, &env->items[i]))
            return false;
    for (size_t i = 0; i < XDS_ENVS; i++)
        if (wish.env_set[i])
            out->options.env_set[i] = wish.env_set[i];
    return !play->failed;
}

static const struct xds_subject *const subjects[] = {
    &xds_subject_cds_child_names, &xds_subject_channel,
    &xds_subject_config_selector, &xds_subject_override_host,
    &xds_subject_policy,          &xds_subject_priority,
    &xds_subject_server,          &xds_subject_weighted_target,
    &xds_subject_xds_client,
};

static bool read_subject(struct xds_play *play, const struct xds_tree *members,
                         struct head *out)
{
    const struct xds_slice name = xds_event_name(play, members, "subject");
    struct xds_nearest nearest = xds_nearest_to(name);

    if (play->failed)
        return false;
    for (size_t i = 0; i < XDS_ARRAY_LEN(subjects); i++) {
        if (xds_slice_is(name, subjects[i]->name)) {
            out->subject = subjects[i];
            return true;
        }
        xds_nearest_offer(&nearest, subjects[i]->name);
    }
    struct xds_arena *arena = play->machine.arena;
    struct xds_slice words = xds_nearest_words(arena, nearest.best);

    for (size_t i = 0; !nearest.best && i < XDS_ARRAY_LEN(subjects); i++)
        words = xds_arena_printf(arena, "%.*s%s%s", XDS_FMT(words),
                                 i > 0 ? ", " : "; there are ", subjects[i]->name);
    return xds_fault_at(play, XDS_R_SCENARIO_SUBJECT,
                        xds_play_place(play, xds_tree_member(members, "subject")),
                        "there is no subject \"%.*s\"%.*s", XDS_FMT(name),
                        XDS_FMT(words));
}

static bool read_config(struct xds_play *play, const struct xds_tree *members,
                        const struct xds_subject *subject)
{
    play->config = xds_event_given(members, "config");
    if (subject->any_config && play->config)
        return true;
    play->config = xds_event_object(play, members, "config");
    return xds_keys_check_type(
        play, play->config,
        &(struct xds_known_keys){"the config of subject", subject->config_keys, NULL},
        subject->name);
}

/* Read the members into *out, into play->config and play->target. `out` begins as the
 * user's wish: options, client where has_client. False after a fault. */
static bool read_head_members(struct xds_play *play, const struct xds_tree *members,
                              bool has_client, struct head *out)
{
    out->name = xds_event_text(play, members, "scenario");
    if (!xds_keys_check(play, members,
                        &(struct xds_known_keys){"a scenario", keys, NULL}) ||
        !read_client(play, members, has_client, out) || !read_env(play, members, out) ||
        !read_subject(play, members, out) || !read_config(play, members, out->subject))
        return false;
    out->snapshot = xds_tree_member(members, "snapshot");
    if (out->snapshot && out->snapshot->kind == XDS_TREE_OBJECT)
        play->given = out->snapshot;
    play->target = xds_event_text(play, members, "target");
    return !play->failed;
}

/* ---- the simulation ---- */

struct input {
    const char *name;
    struct xds_slice bytes; /* absent: a file */
};

struct xds_simulation {
    struct xds_options options;
    bool has_client;
    enum xds_client client;
    const char *held_name;
    struct xds_slice
        held; /* a snapshot in place of those that scenarios name; or absent */
    struct xds_arena names; /* of the inputs */
    struct input *inputs;
    size_t n_inputs, cap_inputs, next_input;
    const char *unread; /* the first file that could not be read */
    int error;
    struct xds_simulation_summary summary;
    enum { BETWEEN_FILES, IN_FILE, IN_SCENARIO } place;
    struct document document;
    /* the scenario in work */
    struct xds_arena run_arena, step_arenas[2];
    struct xds_report *report;
    struct xds_check *check;
    struct xds_driver driver;
    struct xds_chart chart;
    struct head head;
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

void xds_simulation_set_snapshot(struct xds_simulation *simulation, const char *name,
                                 struct xds_slice bytes)
{
    simulation->held_name = name;
    simulation->held = bytes;
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

    s->inputs = xds_arena_room(&s->names, s->inputs, s->n_inputs, &s->cap_inputs,
                               sizeof *s->inputs);
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
    s->document.n = 0;
    s->document.over = false;
    if (input->bytes.data) {
        xds_tree_file_open_bytes(&s->document.file, input->name, input->bytes, 0);
    } else if (!xds_tree_file_open(&s->document.file, input->name, 0)) {
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
    s->head = (struct head){.options = s->options, .client = s->client};
    s->driver = (struct xds_driver){.step_arenas = s->step_arenas};
    s->driver.play = (struct xds_play){.report = s->report,
                                       .check = s->check,
                                       .snapshot = s->check ? &s->check->snapshot : NULL};
    return s->check;
}

static void read_head(struct xds_simulation *s)
{
    struct xds_play *play = &s->driver.play;

    if (!read_members_but_steps(&s->document, play, &s->run_arena, &s->members) ||
        !read_head_members(play, &s->members, s->has_client, &s->head))
        return;
    s->head.options.clients = XDS_CLIENT_BIT(s->head.client);
    xds_check_set_options(s->check, &s->head.options);
    play->machine.client = s->head.client;
    if (s->held.data ? !xds_resources_read_bytes(play, s->held_name, s->held)
                     : s->head.snapshot && !xds_resources_read(play, s->head.snapshot,
                                                               folder_of(input_of(s))))
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
    pull->found = next_scenario(&s->document, play);
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
    s->summary.unread += driver->play.unread;
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
        !read_step(&s->document, play, xds_driver_step_arena(&s->driver), &step) ||
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

enum xds_status xds_simulation_next(struct xds_simulation *s, bool chart,
                                    struct xds_answer_writers write,
                                    struct xds_entry *out)
{
    struct pull pull = {.simulation = s, .chart = chart};
    enum xds_status status = XDS_OK;

    while (status == XDS_OK && !pull.found) {
        switch (s->place) {
        case BETWEEN_FILES:
            if (s->next_input < s->n_inputs)
                open_file(s);
            else
                status = XDS_END;
            break;
        case IN_FILE:
            status = prepare(s) ? guarded(&pull, begin_scenario) : XDS_ERR_NO_MEMORY;
            if (!pull.found)
                close_file(s);
            break;
        case IN_SCENARIO:
            s->driver.play.write = write;
            status = guarded(&pull, next_step);
            pull.found = true;
            if (status == XDS_OK && s->entry.kind == XDS_ENTRY_END)
                status = xds_report_keep(s->report, is_error, NULL);
            break;
        }
    }
    *out = s->entry;
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
