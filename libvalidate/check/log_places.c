/*
 * log_places.c - where in a snapshot the cause of what a log says is.
 *
 * Takes:  a log, and a checked snapshot with its sorted report.
 * Gives:  the places of its errors and status texts, in the arena of the log.
 *
 * Findings of the rules that a text is of come first, then fields that it is about
 * (catalogue/status.def), which are looked for in the text of the resources, then the
 * resource that it names.
 */
#include <errno.h>
#include <string.h>

#include "base/ascii.h"
#include "catalogue/log.h"
#include "check/check.h"
#include "model/resource_type.h"
#include "source/place.h"
#include "source/source.h"

enum {
    MOST_PLACED = 100, /* errors, and status texts */
    MOST_PLACES = 5,   /* of one of them */
    MOST_NEAR = 20,    /* missing names for which a near one is looked for */
};

/* An error or a status text. */
struct target {
    struct xds_log_places *out;
    struct xds_log_place *list;
    struct xds_slice name;       /* of a resource or of something else; or absent */
    enum xds_resource_type type; /* XDS_TYPE_UNKNOWN: any */
    uint32_t resource;           /* that is meant, or XDS_NO_RESOURCE */
};

/* A field that a status text is about. */
struct want {
    struct target *target;
    struct xds_slice field;
    char kind;       /* '=' and '~' as in status.def; '*': whatever its value is */
    size_t distance; /* of nearest */
    struct xds_log_place nearest;
};

struct search {
    const struct xds_report *report;
    const struct xds_source *source;
    struct xds_log *log;
    struct want *wants;
    size_t n_wants, wants_cap, n_near;
    /* the walk of one resource */
    struct xds_arena scratch;
    struct xds_resource in;
    uint32_t resource;
    struct xds_tokens tokens;
    struct xds_place_cursor cursor;
};

/* ---- places ---- */

/* "Cluster" of "envoy.config.cluster.v3.Cluster". */
static struct xds_slice short_type(struct xds_slice type)
{
    size_t from = type.len;

    while (from > 0 && type.data[from - 1] != '.')
        from--;
    return xds_slice_from(type, from);
}

static struct xds_log_place place_at(struct search *s, uint32_t resource,
                                     const struct xds_place *at)
{
    const struct xds_report *report = s->report;
    struct xds_log_place place = {.type = "",
                                  .file = report->files.names[at->file],
                                  .line = at->line,
                                  .column = at->column};

    if (xds_report_is_answer(report, at->file))
        place.line = place.column = 0;
    if (resource == XDS_NO_RESOURCE)
        return place;
    place.type =
        xds_arena_dup(&s->log->arena, short_type(report->resources[resource].type)).data;
    place.name = report->resources[resource].name;
    return place;
}

static struct xds_log_place place_of_resource(struct search *s, uint32_t resource)
{
    return place_at(s, resource, &s->report->resources[resource].at);
}

static const struct xds_log_place *kept(struct search *s, struct xds_log_place place)
{
    struct xds_log_place *copy = XDS_NEW_ARRAY(&s->log->arena, struct xds_log_place, 1);

    *copy = place;
    return copy;
}

static bool is_same(const struct xds_log_place *a, const struct xds_log_place *b)
{
    return a->line == b->line && a->column == b->column && a->rule == b->rule &&
           xds_slice_eq(a->file, b->file) && xds_slice_eq(a->path, b->path) &&
           xds_slice_eq(a->name, b->name);
}

static void add_place(struct target *target, struct xds_log_place place)
{
    struct xds_log_places *out = target->out;

    for (size_t i = 0; i < out->n; i++)
        if (is_same(&target->list[i], &place))
            return;
    if (out->n < MOST_PLACES)
        target->list[out->n++] = place;
    else
        out->more++;
}

/* Are these all readers of their client? */
static bool is_all(const struct xds_client_release *who, size_t n, size_t first,
                   size_t last)
{
    return (first == 0 || who[first - 1].client != who[first].client) &&
           (last + 1 == n || who[last + 1].client != who[last].client);
}

/* "go@1.52.3..1.55.1": the first and the last of the releases asked that do not accept
 * it, of each client of which others do. */
static struct xds_slice rejecting(struct search *s, const struct xds_finding *finding)
{
    struct xds_client_release *who = XDS_NEW_ARRAY(
        &s->log->arena, struct xds_client_release, XDS_RELEASES + XDS_CLIENTS);
    const size_t n = xds_options_asked(&s->report->options, who);
    struct xds_text text = {.arena = &s->log->arena};
    size_t first = n;

    for (size_t i = 0; i < n; i++) {
        const bool rejects = xds_finding_verdict(s->report, finding, who[i]) >= XDS_NACK;
        const bool goes_on =
            rejects && i + 1 < n && who[i + 1].client == who[i].client &&
            xds_finding_verdict(s->report, finding, who[i + 1]) >= XDS_NACK;

        if (!rejects || who[i].client == XDS_CLIENT_GRFC)
            continue;
        first = first < i && who[first].client == who[i].client ? first : i;
        if (goes_on)
            continue;
        if (is_all(who, n, first, i)) {
            first = n;
            continue;
        }
        xds_text_printf(&text, "%s%s", text.len > 0 ? ", " : "",
                        xds_client_label(who[first]).text);
        if (first < i)
            xds_text_printf(&text, "..%s", xds_release_text(who[i]).text);
        first = n;
    }
    return xds_slice_make(text.data, text.len);
}

/* With the releases that it is an error for, where they were asked for. */
static struct xds_slice message_of(struct search *s, const struct xds_finding *finding)
{
    if (!xds_asks_releases(&s->report->options))
        return finding->message;
    const struct xds_slice releases = rejecting(s, finding);

    if (releases.len == 0)
        return finding->message;
    return xds_arena_printf(&s->log->arena, "%.*s (rejected by %.*s)",
                            XDS_FMT(finding->message), XDS_FMT(releases));
}

static void add_finding(struct search *s, struct target *target,
                        const struct xds_finding *finding)
{
    struct xds_log_place place = place_at(s, finding->resource, &finding->at);

    place.rule = finding->rule;
    place.path = finding->path;
    place.message = message_of(s, finding);
    add_place(target, place);
}

/* ---- resources ---- */

/* A dump may name resources that it does not have. */
static bool is_there(const struct xds_resource_result *resource)
{
    return !resource->held || !resource->held->is_absent;
}

static bool is_of(const struct xds_resource_result *resource, enum xds_resource_type type)
{
    return is_there(resource) &&
           (type == XDS_TYPE_UNKNOWN || xds_resource_type_of(resource->type) == type);
}

static uint32_t find_resource(const struct search *s, enum xds_resource_type type,
                              struct xds_slice name)
{
    for (size_t i = 0; i < s->report->n_resources; i++)
        if (xds_slice_eq(s->report->resources[i].name, name) &&
            is_of(&s->report->resources[i], type))
            return (uint32_t)i;
    return XDS_NO_RESOURCE;
}

/* More edits than half of a name make another one. */
static size_t most_edits(struct xds_slice name)
{
    return name.len / 2 < 16 ? name.len / 2 : 16;
}

static void set_missing(struct search *s, struct target *target)
{
    const struct xds_slice type = xds_slice_of(xds_resource_type_name(target->type));
    size_t limit = most_edits(target->name);
    uint32_t nearest = XDS_NO_RESOURCE;

    target->out->missing =
        target->type == XDS_TYPE_UNKNOWN ? "resource" : short_type(type).data;
    target->out->missing_name = target->name;
    if (s->n_near++ >= MOST_NEAR)
        return;
    for (size_t i = 0; i < s->report->n_resources && limit > 0; i++) {
        const struct xds_resource_result *resource = &s->report->resources[i];

        if (!is_of(resource, target->type) || resource->name.len == 0)
            continue;
        const size_t distance = xds_slice_distance(target->name, resource->name, limit);

        if (distance <= limit) {
            limit = distance - 1;
            nearest = (uint32_t)i;
        }
    }
    if (nearest != XDS_NO_RESOURCE)
        target->out->nearest = kept(s, place_of_resource(s, nearest));
}

/* ---- findings ---- */

/* Those that are suppressed, or that options hide, included: a client does not know. */
static size_t all_findings(const struct xds_report *report)
{
    return report->n_findings + report->n_hidden + report->n_suppressed;
}

static bool is_of_rules(const struct xds_log_error *error, const struct xds_rule *rule)
{
    for (size_t i = 0; i < error->n_matches; i++)
        if (error->matches[i].rule == rule)
            return true;
    return false;
}

/* Of the resource that is meant, or of all of its type. */
static bool is_meant(const struct search *s, const struct target *target,
                     const struct xds_finding *finding)
{
    if (finding->resource == XDS_NO_RESOURCE)
        return target->name.len == 0;
    const struct xds_resource_result *resource = &s->report->resources[finding->resource];

    return is_of(resource, target->type) &&
           (target->name.len == 0 || xds_slice_eq(resource->name, target->name));
}

static void place_by_rules(struct search *s, struct target *target,
                           const struct xds_log_error *error, bool same_path)
{
    for (size_t i = 0; i < all_findings(s->report); i++) {
        const struct xds_finding *finding = &s->report->findings[i];

        if (is_of_rules(error, finding->rule) && is_meant(s, target, finding) &&
            (!same_path || xds_slice_eq(finding->path, error->path)))
            add_finding(s, target, finding);
    }
}

/* ---- errors ---- */

static enum xds_resource_type type_of_word(const char *word)
{
    for (int type = XDS_TYPE_LISTENER; type <= XDS_TYPE_ENDPOINT; type++)
        if (xds_slice_is(short_type(xds_slice_of(
                             xds_resource_type_name((enum xds_resource_type)type))),
                         word))
            return (enum xds_resource_type)type;
    return XDS_TYPE_UNKNOWN;
}

static struct target target_of(struct search *s, struct xds_log_places *out,
                               struct xds_slice name, enum xds_resource_type type)
{
    struct target target = {out, NULL, name, type, XDS_NO_RESOURCE};

    *out = (struct xds_log_places){.looked = true};
    out->list = target.list =
        XDS_NEW_ARRAY(&s->log->arena, struct xds_log_place, MOST_PLACES);
    return target;
}

static void place_error(struct search *s, struct xds_log_error *error)
{
    struct target target =
        target_of(s, &error->places, error->resource, type_of_word(error->type));

    if (error->path.len > 0)
        place_by_rules(s, &target, error, true);
    if (target.out->n == 0)
        place_by_rules(s, &target, error, false);
    if (target.name.len == 0 || target.out->n > 0)
        return;
    target.resource = find_resource(s, target.type, target.name);
    if (target.resource == XDS_NO_RESOURCE)
        set_missing(s, &target);
    else if (error->n_matches > 0)
        target.out->other = kept(s, place_of_resource(s, target.resource));
    else
        add_place(&target, place_of_resource(s, target.resource));
}

/* ---- status texts ---- */

static enum xds_resource_type type_named(enum xds_named named)
{
    switch (named) {
    case XDS_NAMED_LISTENER:
        return XDS_TYPE_LISTENER;
    case XDS_NAMED_ROUTE:
        return XDS_TYPE_ROUTE;
    case XDS_NAMED_CLUSTER:
        return XDS_TYPE_CLUSTER;
    case XDS_NAMED_ENDPOINT:
        return XDS_TYPE_ENDPOINT;
    case XDS_NAMED_NOTHING:
    case XDS_NAMED_PART:
    case XDS_NAMED_OUTER:
    case XDS_NAMED_AUTHORITY:
    case XDS_NAMED_METHOD:
    case XDS_NAMED_CATEGORY:
    case XDS_NAMED_NAME:
        break;
    }
    return XDS_TYPE_UNKNOWN;
}

/* Must a finding speak of the name? A method or a category is in no finding. */
static bool is_spoken_of(enum xds_named named)
{
    return type_named(named) != XDS_TYPE_UNKNOWN || named == XDS_NAMED_AUTHORITY ||
           named == XDS_NAMED_NAME;
}

static bool speaks_of(const struct search *s, const struct xds_finding *finding,
                      struct xds_slice name)
{
    return (finding->resource != XDS_NO_RESOURCE &&
            xds_slice_eq(s->report->resources[finding->resource].name, name)) ||
           xds_slice_search(finding->message, name) <= finding->message.len;
}

static bool is_refused(const struct xds_finding *finding, unsigned clients,
                       enum xds_verdict least)
{
    for (unsigned client = 0; client < XDS_CLIENTS; client++)
        if ((clients & (1u << client)) != 0 && finding->verdict[client] >= least)
            return true;
    return false;
}

/* Is a word one of a list with blanks between? */
static bool is_listed(const char *list, const char *word)
{
    struct xds_slice rest = xds_slice_of(list), item;

    while (rest.len > 0) {
        rest = xds_slice_cut(rest, ' ', &item);
        if (xds_slice_is(item, word))
            return true;
    }
    return false;
}

static void place_by_findings(struct search *s, struct target *target,
                              const struct xds_log_status *status)
{
    const struct xds_rpc_failure *failure = status->failure;
    const bool nack = is_listed(failure->rules, "NACK");
    const bool crash = is_listed(failure->rules, "CRASH");
    const bool named = target->name.len > 0 && is_spoken_of(failure->names);

    if (*failure->rules == '\0')
        return;
    for (size_t i = 0; i < all_findings(s->report); i++) {
        const struct xds_finding *finding = &s->report->findings[i];
        const bool is_cause =
            (nack && is_refused(finding, status->clients, XDS_NACK)) ||
            (crash && is_refused(finding, status->clients, XDS_CRASH)) ||
            is_listed(failure->rules, finding->rule->slug);

        if (is_cause && (!named || speaks_of(s, finding, target->name)))
            add_finding(s, target, finding);
    }
}

static void want_fields(struct search *s, struct target *target, const char *fields)
{
    struct xds_slice rest = xds_slice_of(fields), field;

    while (rest.len > 0) {
        rest = xds_slice_cut(rest, ' ', &field);
        struct want want = {.target = target, .field = field, .kind = '*'};
        const char last = field.data[field.len - 1];

        if (last == '=' || last == '~') {
            want.kind = last;
            want.field.len--;
            if (target->name.len == 0)
                continue;
        }
        want.distance = most_edits(target->name) + 1;
        s->wants = xds_arena_room(&s->log->arena, s->wants, s->n_wants, &s->wants_cap,
                                  sizeof *s->wants);
        s->wants[s->n_wants++] = want;
    }
}

/* The fields follow in one walk for all. */
static void place_status(struct search *s, struct xds_log_status *status,
                         struct target *target)
{
    *target =
        target_of(s, &status->places, status->name, type_named(status->failure->names));
    if (target->name.len > 0 && target->type != XDS_TYPE_UNKNOWN)
        target->resource = find_resource(s, target->type, target->name);
    place_by_findings(s, target, status);
    if (target->out->n == 0)
        want_fields(s, target, status->failure->fields);
    target->out->looked = *status->failure->rules != '\0' ||
                          *status->failure->fields != '\0' || target->name.len > 0;
}

/* java speaks of a cluster where its endpoints are meant. */
static void finish_status(struct search *s, struct target *target)
{
    uint32_t resource = target->resource;

    if (target->name.len == 0 || target->type == XDS_TYPE_UNKNOWN)
        return;
    if (resource == XDS_NO_RESOURCE && target->type == XDS_TYPE_ENDPOINT)
        resource = find_resource(s, XDS_TYPE_CLUSTER, target->name);
    if (resource == XDS_NO_RESOURCE)
        set_missing(s, target);
    else if (target->out->n == 0)
        add_place(target, place_of_resource(s, resource));
}

/* ---- fields ---- */

/* Where the walk is: a member, or an item of the list that is the value of up. */
struct frame {
    const struct frame *up;
    struct xds_slice key; /* absent: an item */
    size_t index;
};

static struct xds_slice path_of(struct search *s, const struct frame *frame)
{
    struct xds_arena *arena = &s->log->arena;

    if (!frame)
        return (struct xds_slice){"", 0};
    const struct xds_slice up = path_of(s, frame->up);

    if (!frame->key.data)
        return xds_arena_printf(arena, "%.*s[%zu]", XDS_FMT(up), frame->index);
    return xds_arena_printf(arena, "%.*s%s%.*s", XDS_FMT(up), up.len > 0 ? "." : "",
                            XDS_FMT(frame->key));
}

/* "maxRequests" is "max_requests". */
static bool is_field(struct xds_slice key, struct xds_slice field)
{
    size_t k = 0;

    for (size_t i = 0; i < field.len; i++) {
        if (field.data[i] == '_' && k < key.len && key.data[k] != '_')
            continue;
        if (k == key.len ||
            xds_ascii_lower(key.data[k++]) != xds_ascii_lower(field.data[i]))
            return false;
    }
    return k == key.len;
}

static struct xds_log_place place_of_token(struct search *s, const struct frame *frame,
                                           const struct xds_token *token)
{
    struct xds_place at = xds_place_of_token(&s->cursor, token);

    at.file = s->report->resources[s->resource].at.file;
    struct xds_log_place place = place_at(s, s->resource, &at);

    place.path = path_of(s, frame);
    return place;
}

static bool is_meant_here(const struct search *s, const struct want *want)
{
    return want->target->resource == XDS_NO_RESOURCE || want->kind != '*' ||
           want->target->resource == s->resource;
}

static void read_key(struct search *s, const struct frame *frame,
                     const struct xds_token *key)
{
    for (size_t i = 0; i < s->n_wants; i++) {
        const struct want *want = &s->wants[i];

        if (want->kind == '*' && is_field(key->text, want->field) &&
            is_meant_here(s, want))
            add_place(want->target, place_of_token(s, frame, key));
    }
}

/* Does a domain, such as "*.example.com", take an authority? */
static bool takes(struct xds_slice domain, struct xds_slice authority)
{
    if (domain.len > 0 && domain.data[0] == '*')
        return xds_slice_ends(authority, xds_slice_from(domain, 1));
    if (domain.len > 0 && domain.data[domain.len - 1] == '*')
        return xds_slice_starts(authority, xds_slice_make(domain.data, domain.len - 1));
    return xds_slice_eq_fold(domain, authority);
}

static void read_near(struct search *s, struct want *want, const struct frame *frame,
                      const struct xds_token *token, struct xds_slice value)
{
    const struct xds_slice name = want->target->name;
    const bool taken = takes(value, name);

    if (want->distance == 0)
        return;
    const size_t distance =
        taken ? 0 : xds_slice_distance(value, name, want->distance - 1);

    if (distance >= want->distance)
        return;
    want->distance = distance;
    want->nearest = place_of_token(s, frame, token);
    want->nearest.message = xds_arena_printf(
        &s->log->arena, taken ? "\"%.*s\" takes it" : "\"%.*s\" is the nearest",
        XDS_FMT(value));
}

static void read_string(struct search *s, const struct frame *frame,
                        const struct xds_token *token)
{
    const struct frame *member = frame && !frame->key.data ? frame->up : frame;
    const struct xds_slice value = xds_token_unescape(token, &s->scratch);

    for (size_t i = 0; member && i < s->n_wants; i++) {
        struct want *want = &s->wants[i];

        if (want->kind == '*' || !is_field(member->key, want->field))
            continue;
        if (want->kind == '~')
            read_near(s, want, frame, token, value);
        else if (xds_slice_eq(value, want->target->name))
            add_place(want->target, place_of_token(s, frame, token));
    }
}

/* False at the end of what can be read. */
static bool read_value(struct search *s, const struct frame *frame,
                       const struct xds_token *first)
{
    struct xds_token token;

    if (first->kind == XDS_TOKEN_STRING)
        read_string(s, frame, first);
    if (first->kind != XDS_TOKEN_OBJECT && first->kind != XDS_TOKEN_ARRAY)
        return first->kind >= XDS_TOKEN_STRING && first->kind <= XDS_TOKEN_WORD;
    for (size_t i = 0;; i++) {
        struct frame in = {.up = frame, .index = i};

        xds_tokens_next(&s->tokens, &token);
        if (first->kind == XDS_TOKEN_ARRAY && token.kind == XDS_TOKEN_ARRAY_END)
            return true;
        if (first->kind == XDS_TOKEN_OBJECT) {
            if (token.kind != XDS_TOKEN_KEY)
                return token.kind == XDS_TOKEN_OBJECT_END;
            in.key = token.text;
            read_key(s, &in, &token);
            xds_tokens_next(&s->tokens, &token);
        }
        if (!read_value(s, &in, &token))
            return false;
    }
}

static void read_resource(void *arg)
{
    struct search *s = arg;
    struct xds_token first;

    xds_place_cursor_init(&s->cursor, &s->in);
    if (!xds_tokens_of(&s->tokens, &s->in))
        return;
    xds_tokens_next(&s->tokens, &first);
    (void)read_value(s, NULL, &first);
}

/* The resources of one file, from the one in work on; s->resource moves after them. */
static enum xds_status read_file(struct search *s, struct xds_report *echo)
{
    const struct xds_report *report = s->report;
    const uint32_t file = report->resources[s->resource].at.file;
    struct xds_arena *const arenas[] = {&s->log->arena, &s->scratch};
    struct xds_source *source = xds_source_again(s->source, file, echo);
    enum xds_status status = source || errno != ENOMEM ? XDS_OK : XDS_ERR_NO_MEMORY;

    for (; s->resource < report->n_resources &&
           report->resources[s->resource].at.file == file;
         s->resource++) {
        const enum xds_status next =
            source && status == XDS_OK ? xds_source_next(source, &s->in) : XDS_END;

        if (next == XDS_ERR_NO_MEMORY)
            status = next;
        if (next != XDS_OK)
            continue;
        const struct xds_place *at = &report->resources[s->resource].at;

        xds_arena_reset(&s->scratch);
        if (s->in.at.line == at->line && s->in.at.column == at->column)
            status = xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), read_resource, s);
    }
    xds_source_free(source);
    return status;
}

static enum xds_status read_fields(struct search *s)
{
    enum xds_status status = XDS_OK;
    struct xds_report *echo = s->n_wants > 0 ? xds_report_new(&s->report->options) : NULL;

    if (s->n_wants > 0 && !echo)
        return XDS_ERR_NO_MEMORY;
    for (s->resource = 0;
         s->n_wants > 0 && status == XDS_OK && s->resource < s->report->n_resources;)
        status = read_file(s, echo);
    xds_report_free(echo);
    for (size_t i = 0; i < s->n_wants; i++)
        if (s->wants[i].nearest.line > 0)
            add_place(s->wants[i].target, s->wants[i].nearest);
    return status;
}

/* ---- all of it ---- */

struct job {
    struct search search;
    struct target *targets;
    size_t n_targets;
};

static void place_all(void *arg)
{
    struct job *job = arg;
    struct xds_log *log = job->search.log;

    job->n_targets = log->n_statuses < MOST_PLACED ? log->n_statuses : MOST_PLACED;
    job->targets = XDS_NEW_ARRAY(&log->arena, struct target, job->n_targets);
    for (size_t i = 0; i < log->n && i < MOST_PLACED; i++)
        place_error(&job->search, &log->errors[i]);
    for (size_t i = 0; i < job->n_targets; i++)
        place_status(&job->search, &log->statuses[i], &job->targets[i]);
}

static void finish_all(void *arg)
{
    struct job *job = arg;

    for (size_t i = 0; i < job->n_targets; i++)
        finish_status(&job->search, &job->targets[i]);
}

enum xds_status xds_check_place_log(const struct xds_check *check,
                                    const struct xds_source *source, struct xds_log *log)
{
    struct job job = {.search = {.report = check->report, .source = source, .log = log}};
    struct xds_arena *const arenas[] = {&log->arena};

    xds_arena_init(&job.search.scratch, 0);
    enum xds_status status = xds_arena_guard(arenas, 1, place_all, &job);

    if (status == XDS_OK)
        status = read_fields(&job.search);
    if (status == XDS_OK)
        status = xds_arena_guard(arenas, 1, finish_all, &job);
    xds_arena_release(&job.search.scratch);
    return status;
}
