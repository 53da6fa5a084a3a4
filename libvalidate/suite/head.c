/* head.c - what a file of tests says beside its cases, and what is wrong with the file,
 * as findings of the suite's report. */
#include "bootstrap/bootstrap.h"
#include "generate/config.h"
#include "scenario/scenario.h"
#include "suite/inner.h"

#include <errno.h>

/* ---- findings ---- */

/* Bytes of a message: texts of the input in it may be long. */
#define LONGEST 400

bool xds_suite_fault(struct xds_suite *suite, enum xds_rule_id rule,
                     const struct xds_tree *at, const char *format, ...)
{
    const struct xds_place place = {suite->number, at->line, at->column, at->line,
                                    at->column + 1};
    va_list args;

    va_start(args, format);
    const struct xds_slice text =
        xds_slice_clip(xds_arena_vprintf(&suite->case_arena, format, args), LONGEST);

    va_end(args);
    xds_report_at(suite->report, xds_rule_row(rule), XDS_NO_RESOURCE, place, "%.*s",
                  XDS_FMT(text));
    return false;
}

bool xds_suite_key_fault(struct xds_suite *suite, enum xds_rule_id rule,
                         const struct xds_tree *member, struct xds_slice what)
{
    const struct xds_tree key = {.line = member->key_line, .column = member->key_column};

    return xds_suite_fault(suite, rule, &key, "%.*s", XDS_FMT(what));
}

bool xds_suite_wrong_request(struct xds_suite *suite, const struct xds_tree *member,
                             struct xds_slice what)
{
    return xds_suite_key_fault(suite, XDS_R_TEST_REQUEST, member, what);
}

bool xds_suite_check_keys(struct xds_suite *suite, const struct xds_tree *object,
                          const char *what, const char *const *keys)
{
    const struct xds_known_keys known = {what, keys, NULL};
    struct xds_slice fault;
    const struct xds_tree *wrong =
        xds_keys_find_fault(&suite->case_arena, object, &known, "", &fault);

    return !wrong || xds_suite_key_fault(suite, XDS_R_TEST_KEY, wrong, fault);
}

bool xds_suite_cannot_read(struct xds_suite *suite, struct xds_slice path,
                           struct xds_slice why)
{
    suite->file->unread = xds_arena_dup(&suite->run_arena, path);
    suite->file->why = xds_arena_dup(&suite->run_arena, why);
    return false;
}

/* ---- the head ---- */

static const char *const keys[] = {
    "snapshot",  "cases",   "client",   "env", "type", "allow_unknown_fields",
    "bootstrap", "partial", "defaults", NULL};

static const struct xds_tree *find(const struct xds_tree *members, const char *key)
{
    const struct xds_tree *value = xds_tree_member(members, key);

    return value && value->kind != XDS_TREE_NULL ? value : NULL;
}

/* Absolute, or beside the file of tests. */
struct xds_slice xds_suite_path(struct xds_suite *suite, struct xds_slice name)
{
    struct xds_slice folder = suite->file->name;

    while (folder.len > 0 && folder.data[folder.len - 1] != '/')
        folder.len--;
    if (name.len > 0 && name.data[0] == '/')
        folder.len = 0;
    return xds_arena_concat(&suite->run_arena, folder, name);
}

/* ---- the client ---- */

static bool wrong_client(struct xds_suite *s, const struct xds_tree *value)
{
    return xds_suite_wrong_value(s, value,
                                 "\"client\" must be %s, or one of them at a release, "
                                 "such as go@1.64",
                                 xds_client_list(XDS_ALL_CLIENTS, " or ").text);
}

bool xds_suite_read_client(struct xds_suite *suite, const struct xds_tree *value,
                           struct xds_client_release *out)
{
    struct xds_options asked = {.clients = 0};
    struct xds_ask_note note;

    *out = (struct xds_client_release){.client = XDS_CLIENT_CORE};
    if (value &&
        (value->kind != XDS_TREE_STRING ||
         xds_options_ask_one(&asked, value->text, &out->client, &note) != XDS_OK))
        return wrong_client(suite, value);
    out->release = asked.release[out->client];
    if (suite->settings.client)
        *out = (struct xds_client_release){
            suite->client, suite->settings.options.release[suite->client]};
    return true;
}

static void add_value(struct xds_suite *s, struct xds_tree *list,
                      const struct xds_tree *value, struct xds_slice text)
{
    list->items = xds_list_room(&s->document, list->items, list->n, sizeof *list->items);
    list->items[list->n] = *value;
    list->items[list->n++].text = text;
}

const struct xds_tree *xds_suite_clients(struct xds_suite *suite,
                                         const struct xds_tree *value)
{
    const bool is_list = value->kind == XDS_TREE_ARRAY;
    const struct xds_tree *values = is_list ? value->items : value;
    struct xds_tree *list = XDS_NEW(&suite->document, struct xds_tree);

    *list = *value;
    list->kind = XDS_TREE_ARRAY;
    list->items = NULL;
    list->n = 0;
    for (size_t i = 0; i < (is_list ? value->n : 1); i++) {
        /* "go@1.60+" is each of these releases; what names one stays as it is written. */
        const struct xds_tree *one = &values[i];
        struct xds_client_release who[XDS_RELEASES + XDS_CLIENTS];
        struct xds_options asked = {.clients = 0};
        struct xds_ask_note note;
        size_t n = 0;

        if (one->kind == XDS_TREE_STRING &&
            xds_options_ask(&asked, one->text, &note) == XDS_OK)
            n = xds_options_asked(&asked, who);
        if (n < 2)
            add_value(suite, list, one, one->text);
        for (size_t k = 0; n > 1 && k < n; k++)
            add_value(suite, list, one,
                      xds_arena_dup(&suite->document,
                                    xds_slice_of(xds_client_label(who[k]).text)));
    }
    return is_list || list->n > 1 ? list : value;
}

/* "go", or the values as they are written. */
static struct xds_slice client_words(struct xds_suite *s, const struct xds_tree *written)
{
    struct xds_text text = {.arena = &s->run_arena};
    const bool is_list = written && written->kind == XDS_TREE_ARRAY;

    if (!written || s->settings.client)
        return xds_arena_dup(&s->run_arena,
                             xds_slice_of(xds_client_label(s->head.first).text));
    for (size_t i = 0; i < (is_list ? written->n : 1); i++) {
        const struct xds_tree *value = is_list ? &written->items[i] : written;
        enum xds_client client;

        xds_text_printf(&text, "%s%.*s", i > 0 ? ", " : "",
                        XDS_FMT(xds_client_from_name(value->text, &client)
                                    ? xds_slice_of(xds_client_name(client))
                                    : value->text));
    }
    return xds_slice_make(text.data, text.len);
}

static bool read_clients(struct xds_suite *s, const struct xds_tree *value)
{
    const struct xds_tree *clients = value ? xds_suite_clients(s, value) : NULL;
    const bool is_list = clients && clients->kind == XDS_TREE_ARRAY;
    struct xds_suite_head *head = &s->head;

    memset(head->options.release, 0, sizeof head->options.release);
    memset(head->options.asked, 0, sizeof head->options.asked);
    if (is_list && clients->n == 0)
        return wrong_client(s, value);
    for (size_t i = is_list ? clients->n : 1; i > 0; i--)
        if (!xds_suite_read_client(s, is_list ? &clients->items[i - 1] : clients,
                                   &head->first))
            return false;
    head->client = s->settings.client ? NULL : clients;
    s->file->client = client_words(s, value);
    return true;
}

static bool set_variable(struct xds_suite *s, const struct xds_tree *variable)
{
    struct xds_slice text = variable->text;
    const char *hint = NULL;

    if (variable->kind == XDS_TREE_BOOL)
        text = variable->truth ? XDS_S("true") : XDS_S("false");
    else if (variable->kind != XDS_TREE_STRING && variable->kind != XDS_TREE_NUMBER)
        return xds_suite_wrong_value(s, variable,
                                     "\"env\": the value of a variable must be a string");
    const struct xds_slice assignment = xds_arena_printf(
        &s->case_arena, "%.*s=%.*s", XDS_FMT(variable->key), XDS_FMT(text));

    if (xds_options_set_env(&s->head.options, assignment, &hint) == XDS_OK)
        return true;
    const struct xds_slice words = xds_nearest_words(&s->case_arena, hint);

    return xds_suite_wrong_value(s, variable,
                                 "gRPC clients have no variable \"%.*s\"%.*s",
                                 XDS_FMT(variable->key), XDS_FMT(words));
}

/* What the user has set goes before what the file sets. */
static bool read_env(struct xds_suite *s, const struct xds_tree *env)
{
    const struct xds_options *wish = &s->settings.options;
    bool good = true;

    if (env && env->kind != XDS_TREE_OBJECT)
        return xds_suite_wrong_value(s, env, "\"env\" must be an object of variables");
    for (size_t i = 0; env && i < env->n; i++)
        good = set_variable(s, &env->items[i]) && good;
    for (size_t i = 0; i < XDS_ENVS; i++)
        if (wish->env_set[i])
            s->head.options.env_set[i] = wish->env_set[i];
    return good;
}

/* ---- the bootstrap ---- */

static bool read_tree(struct xds_suite *s, const struct xds_tree *at,
                      struct xds_tree *out)
{
    struct xds_source_fault fault;
    struct xds_token first;

    if (!xds_tree_file_next(&s->beside, &first))
        return xds_suite_wrong_value(s, at, "\"%.*s\" is empty", XDS_FMT(at->text));
    if (xds_tree_file_value(&s->beside, &s->document, &first, (struct xds_place){0}, out,
                            &fault))
        return true;
    return xds_suite_wrong_value(s, at, "\"%.*s\": %s", XDS_FMT(at->text), fault.text);
}

static bool read_bootstrap(struct xds_suite *s, const struct xds_tree *value)
{
    struct xds_tree root;

    if (!value || s->settings.options.bootstrap.is_set)
        return true;
    if (value->kind != XDS_TREE_STRING || value->text.len == 0)
        return xds_suite_wrong_value(s, value, "\"bootstrap\" must be a path");
    const struct xds_slice path = xds_suite_path(s, value->text);

    if (!xds_tree_file_open(&s->beside, path.data, s->number))
        return xds_suite_cannot_read(s, path, xds_slice_of(strerror(errno)));
    const bool good = read_tree(s, value, &root);
    const int error = s->beside.buffer.error;

    xds_tree_file_close(&s->beside);
    if (error)
        return xds_suite_cannot_read(s, path, xds_slice_of(strerror(error)));
    if (!good)
        return false;
    const char *wrong = xds_bootstrap_read(&s->document, &root, &s->head.options);

    return !wrong ||
           xds_suite_wrong_value(s, value, "\"%.*s\": %s", XDS_FMT(value->text), wrong);
}

/* ---- the others ---- */

static bool read_type(struct xds_suite *s, const struct xds_tree *value)
{
    enum xds_resource_type *type = &s->head.type;

    *type = s->settings.type;
    if (!value || *type != XDS_TYPE_UNKNOWN)
        return true;
    if (value->kind == XDS_TREE_STRING)
        *type = xds_resource_type_from_name(value->text);
    return *type != XDS_TYPE_UNKNOWN ||
           xds_suite_wrong_value(
               s, value,
               "\"type\" must be listener, route, cluster, endpoint or a full name");
}

static bool read_flag(struct xds_suite *s, const struct xds_tree *value, bool *flag)
{
    if (value && value->kind != XDS_TREE_BOOL)
        return xds_suite_wrong_value(s, value, "\"%.*s\" must be true or false",
                                     XDS_FMT(value->key));
    *flag = *flag || (value && value->truth);
    return true;
}

static bool is_paths(const struct xds_tree *value)
{
    if (value->kind == XDS_TREE_STRING)
        return value->text.len > 0;
    for (size_t i = 0; i < value->n; i++)
        if (value->items[i].kind != XDS_TREE_STRING || value->items[i].text.len == 0)
            return false;
    return value->kind == XDS_TREE_ARRAY && value->n > 0;
}

bool xds_suite_read_head(struct xds_suite *suite, const struct xds_tree *members)
{
    struct xds_suite_head *head = &suite->head;

    *head = (struct xds_suite_head){.options = suite->settings.options};
    /* What is no object has no members. */
    const struct xds_tree none = {.line = members->line, .column = members->column};

    if (members->kind != XDS_TREE_OBJECT)
        members = &none;
    bool good = xds_suite_check_keys(suite, members, "a test file", keys);

    good = read_clients(suite, find(members, "client")) && good;
    good = read_env(suite, find(members, "env")) && good;
    good = read_type(suite, find(members, "type")) && good;
    good = read_flag(suite, find(members, "allow_unknown_fields"),
                     &head->options.allow_unknown_fields) &&
           good;
    good = read_flag(suite, find(members, "partial"), &head->options.partial) && good;
    head->snapshot = find(members, "snapshot");
    head->cases = find(members, "cases");
    head->defaults = find(members, "defaults");
    if (head->snapshot && !is_paths(head->snapshot))
        good = xds_suite_wrong_value(suite, head->snapshot,
                                     "\"snapshot\" must be a path or a list of paths");
    const bool may_be_empty = suite->settings.snapshots; /* nothing of it is judged */

    if (head->cases &&
        (head->cases->kind != XDS_TREE_ARRAY || (head->cases->n == 0 && !may_be_empty)))
        good = xds_suite_wrong_value(suite, head->cases,
                                     "\"cases\" must be a list of at least one case");
    if (head->defaults && head->defaults->kind != XDS_TREE_OBJECT)
        good = xds_suite_wrong_value(suite, head->defaults,
                                     "\"defaults\" must be a request, an object");
    const bool has_snapshot = head->snapshot || suite->settings.held.data;

    if (good && !(has_snapshot && head->cases))
        good = xds_suite_no_tests(suite, members, "\"%s\" is missing in the test file",
                                  has_snapshot ? "cases" : "snapshot");
    head->options.clients = XDS_CLIENT_BIT(head->first.client);
    return good && read_bootstrap(suite, find(members, "bootstrap"));
}
