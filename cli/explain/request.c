/* request.c - the options that describe one RPC, and the states of addresses of --state.
 */
#include "cli/explain/request.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct option rows[] = {
    {VALUE_ROW(TEXT, request_settings, target, "target", "URI"),
     .argument = ARGUMENT_TARGET,
     .help = "the channel's target, xds:///NAME; not needed with one listener"},
    {VALUE_ROW(TEXT, request_settings, listener, "listener", "NAME"),
     .argument = ARGUMENT_LISTENER, .help = "a listener instead of a target"},
    {VALUE_ROW(TEXT, request_settings, route_config, "route-config", "NAME"),
     .argument = ARGUMENT_ROUTE_CONFIG,
     .help = "a route configuration instead of a listener, as if an API listener named "
             "it; not needed with one and no API listener"},
    {VALUE_ROW(TEXT, request_settings, authority, "authority", "HOST"),
     .help = "the RPC's authority, if it is not the target's"},
    {VALUE_ROW(TEXT, request_settings, path, "path", "PATH"),
     .help = "the RPC's path, /package.Service/Method"},
    {VALUE_ROW(LIST, request_settings, headers, "header", "'NAME: VALUE'"), .letter = 'H',
     .help = "a header of the RPC; may be repeated, order is kept"},
    {VALUE_ROW(LIST, request_settings, cookies, "cookie", "NAME=VALUE"),
     .help = "a cookie, as it is sent"},
    {VALUE_ROW(LIST, request_settings, cookie_hosts, "cookie-host", "ADDR[,ADDR]"),
     .argument = ARGUMENT_ADDRESS,
     .help = "send a session cookie for this host, with the name that the listener "
             "configures"},
    {VALUE_ROW(TEXT, request_settings, cookie_cluster, "cookie-cluster", "NAME"),
     .argument = ARGUMENT_CLUSTER, .help = "the cluster in that cookie"},
    {VALUE_ROW(TEXT, request_settings, channel_id, "channel-id", "UINT64"),
     .help = "the value that hash policy filter_state reads"},
    {VALUE_ROW(TEXT, request_settings, hash, "hash", "UINT64"),
     .help = "hash of the RPC if no hash policy gives it one"},
    {VALUE_ROW(LIST, request_settings, random, "random", "R1,R2,..."),
     .help = "random numbers in [0,1), in the order in which they are drawn; without "
             "them the answer has probabilities"},
    {VALUE_ROW(LIST, request_settings, down, "down", "ADDR"),
     .argument = ARGUMENT_ADDRESS,
     .help = "assume that this address is in TRANSIENT_FAILURE; may be repeated"},
    {VALUE_ROW(LIST, request_settings, idle, "idle", "ADDR"),
     .argument = ARGUMENT_ADDRESS, .help = "assume that this address is IDLE"},
    {VALUE_ROW(LIST, request_settings, connecting, "connecting", "ADDR"),
     .argument = ARGUMENT_ADDRESS, .help = "assume that this address is CONNECTING"},
    {VALUE_ROW(TEXT, request_settings, state, "state", "FILE"), .argument = ARGUMENT_FILE,
     .help = "a JSON object of addresses and their assumed states: READY, IDLE, "
             "CONNECTING or TRANSIENT_FAILURE"},
    {VALUE_ROW(TEXT, request_settings, observed_host, "observed-host", "ADDR"),
     .argument = ARGUMENT_ADDRESS,
     .help = "also list everything that can have sent such an RPC to this address"},
    {VALUE_ROW(TEXT, request_settings, why_not, "why-not", "ADDR|POLICY"),
     .argument = ARGUMENT_ADDRESS,
     .help = "also say why such an RPC does not go to this address; with --server, why "
             "this policy of RBAC does not match"},
};

const struct option_group request_options = {
    .options = rows, .n = ARRAY_LEN(rows), .title = "The RPC"};

/* ---- numbers ---- */

static int read_u64(const struct command *command, const char *option, const char *text,
                    bool *given, uint64_t *number)
{
    char *end;

    *given = text != NULL;
    if (!text)
        return EXIT_CLEAN;
    errno = 0;
    *number = strtoull(text, &end, 10);
    if (text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0)
        return EXIT_CLEAN;
    return usage_error(command, "--%s: '%s' is not an unsigned 64-bit number", option,
                       text);
}

/* Plain decimal, not strtod's hexadecimal, "inf" or "nan". */
static bool read_fraction(struct xds_slice piece, double *number)
{
    char *end;

    if (piece.len == 0 || strspn(piece.data, "0123456789.eE+-") < piece.len)
        return false;
    *number = strtod(piece.data, &end);
    return end == piece.data + piece.len && *number >= 0.0 && *number < 1.0;
}

/* ---- building ---- */

/* items with room for one more than n; NULL when there is no memory, and items stays. */
static void *with_room(void *items, size_t n, size_t *cap, size_t size)
{
    const size_t wanted = *cap > 0 ? 2 * *cap : 8;
    void *larger;

    if (n < *cap)
        return items;
    larger = realloc(items, wanted * size);
    if (larger)
        *cap = wanted;
    return larger;
}

static bool add_header(struct request *request, struct xds_slice name,
                       struct xds_slice value)
{
    struct xds_header *list = with_room(request->headers, request->rpc.n_headers,
                                        &request->header_cap, sizeof *list);

    if (!list)
        return false;
    list[request->rpc.n_headers++] = (struct xds_header){name, value};
    request->rpc.headers = request->headers = list;
    return true;
}

static bool add_random(struct request *request, double number)
{
    double *list = with_room(request->random, request->rpc.n_random, &request->random_cap,
                             sizeof *list);

    if (!list)
        return false;
    list[request->rpc.n_random++] = number;
    request->rpc.random = request->random = list;
    return true;
}

/* Add a state to it; text is borrowed. False when there is no memory. */
static bool request_assume(struct request *request, struct xds_slice address,
                           enum xds_connectivity state)
{
    struct xds_assumption *list =
        with_room(request->assumptions, request->rpc.n_assumptions,
                  &request->assumption_cap, sizeof *list);

    if (!list)
        return false;
    list[request->rpc.n_assumptions++] = (struct xds_assumption){address, state};
    request->rpc.assumptions = request->assumptions = list;
    return true;
}

/* All cookies are one header, which is always the last one. */
static bool add_cookie(struct request *request, struct xds_slice name,
                       struct xds_slice value)
{
    const size_t before = request->cookies ? strlen(request->cookies) : 0;
    char *text = realloc(request->cookies, before + name.len + value.len + 4);

    if (!text)
        return false;
    request->cookies = text;
    (void)snprintf(text + before, name.len + value.len + 4, "%s%.*s=%.*s",
                   before > 0 ? "; " : "", (int)name.len, name.data, (int)value.len,
                   value.data);
    if (before > 0)
        request->rpc.n_headers--;
    return add_header(request, slice_of("cookie"), slice_of(text));
}

bool request_name_cookie(struct request *request, struct xds_slice name)
{
    return add_cookie(request, name, slice_of(request->cookie_value));
}

/* ---- lists ---- */

static int no_memory(const struct request *request)
{
    return trouble(request->command, "out of memory");
}

static int read_random(struct request *request, const struct text_list *list)
{
    struct xds_slice piece;
    double number;

    for (size_t i = 0; i < list->n; i++)
        for (const char *rest = list->items[i]; next_piece(&rest, &piece);) {
            if (!read_fraction(piece, &number))
                return usage_error(request->command,
                                   "--random: '%.*s' is not a number in [0,1)",
                                   (int)piece.len, piece.data);
            if (!add_random(request, number))
                return no_memory(request);
        }
    return EXIT_CLEAN;
}

static int assume(struct request *request, const struct text_list *list,
                  enum xds_connectivity state)
{
    for (size_t i = 0; i < list->n; i++) {
        if (!xds_is_host_address(slice_of(list->items[i])))
            return usage_error(request->command,
                               "'%s' has no port: the address of a host is one such as "
                               "10.0.0.1:80",
                               list->items[i]);
        if (!request_assume(request, slice_of(list->items[i]), state))
            return no_memory(request);
    }
    return EXIT_CLEAN;
}

/* What is wrong; always false. */
__attribute__((format(printf, 2, 3))) static bool complain(char error[OPTIONS_ERROR_SIZE],
                                                           const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)vsnprintf(error, OPTIONS_ERROR_SIZE, format, args);
    va_end(args);
    return false;
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* An object that says two things of one address says nothing. *twice: that address, or
 * NULL. False when there is no memory. */
static bool find_twice(const struct xds_tree *object, const char **twice)
{
    const char **names = calloc(object->n + 1, sizeof *names);

    *twice = NULL;
    if (!names)
        return false;
    for (size_t i = 0; i < object->n; i++)
        names[i] = object->items[i].key.data;
    qsort(names, object->n, sizeof *names, compare_names);
    for (size_t i = 1; i < object->n && !*twice; i++)
        *twice = strcmp(names[i - 1], names[i]) == 0 ? names[i] : NULL;
    free(names);
    return true;
}

/* Nothing is wrong with the text then. */
static bool without_text(char error[OPTIONS_ERROR_SIZE])
{
    error[0] = '\0';
    return false;
}

static bool read_member(struct request *request, const struct xds_tree *member,
                        char error[OPTIONS_ERROR_SIZE])
{
    enum xds_connectivity state;

    if (member->kind != XDS_TREE_STRING ||
        !xds_connectivity_from_name(member->text, &state))
        return complain(error,
                        "the state of \"%.80s\" is not READY, IDLE, CONNECTING or "
                        "TRANSIENT_FAILURE",
                        member->key.data);
    if (!xds_is_host_address(member->key))
        return complain(error,
                        "\"%.80s\" has no port: the address of a host is one such as "
                        "10.0.0.1:80",
                        member->key.data);
    return request_assume(request, member->key, state) || without_text(error);
}

static bool read_object(struct request *request, const struct xds_tree *object,
                        char error[OPTIONS_ERROR_SIZE])
{
    const char *twice;

    if (!object)
        return complain(error, "not valid JSON");
    if (object->kind != XDS_TREE_OBJECT)
        return complain(error, "not a JSON object of addresses and states");
    if (!find_twice(object, &twice))
        return without_text(error);
    if (twice)
        return complain(error, "duplicate address \"%.80s\"", twice);
    for (size_t i = 0; i < object->n; i++)
        if (!read_member(request, &object->items[i], error))
            return false;
    return true;
}

/* Add what the file says. The addresses stay in *json, which the caller deletes after
 * the request. EXIT_CLEAN, or the exit code after a message. */
static int state_read(struct request *request, const char *path, struct xds_parsed **json)
{
    char error[OPTIONS_ERROR_SIZE];
    const int status = slurp_json(request->command, path, json);

    if (status != EXIT_CLEAN)
        return status;
    if (read_object(request, xds_parsed_tree(*json), error))
        return EXIT_CLEAN;
    return *error ? usage_error(request->command, "--state: %s: %s", path, error)
                  : trouble(request->command, "out of memory");
}

static int read_assumptions(struct request *request,
                            const struct request_settings *settings)
{
    int status = EXIT_CLEAN;

    if (settings->state)
        status = state_read(request, settings->state, &request->states);
    if (status == EXIT_CLEAN)
        status = assume(request, &settings->down, XDS_STATE_TRANSIENT_FAILURE);
    if (status == EXIT_CLEAN)
        status = assume(request, &settings->idle, XDS_STATE_IDLE);
    if (status == EXIT_CLEAN)
        status = assume(request, &settings->connecting, XDS_STATE_CONNECTING);
    return status;
}

/* ---- headers ---- */

/* Split at the first colon after the first character, so that ":path: x" works. */
static int read_headers(struct request *request, const struct text_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        const char *text = list->items[i];
        const char *colon = *text != '\0' ? strchr(text + 1, ':') : NULL;

        if (!colon)
            return usage_error(request->command, "-H: '%s' is not 'name: value'", text);
        if (!add_header(request, (struct xds_slice){text, (size_t)(colon - text)},
                        slice_of(colon + (colon[1] == ' ' ? 2 : 1))))
            return no_memory(request);
    }
    return EXIT_CLEAN;
}

/* ---- cookies ---- */

static int read_cookies(struct request *request, const struct request_settings *settings)
{
    for (size_t i = 0; i < settings->cookies.n; i++) {
        const char *text = settings->cookies.items[i];
        const size_t len = strcspn(text, "=");

        if (len == 0 || text[len] == '\0')
            return usage_error(request->command, "--cookie: '%s' is not NAME=VALUE",
                               text);
        if (!add_cookie(request, (struct xds_slice){text, len}, slice_of(text + len + 1)))
            return no_memory(request);
    }
    if (settings->cookie_cluster && settings->cookie_hosts.n == 0)
        return usage_error(request->command, "--cookie-cluster needs --cookie-host");
    if (settings->cookie_hosts.n == 0)
        return EXIT_CLEAN;
    request->cookie_value =
        cookie_value(&settings->cookie_hosts, settings->cookie_cluster);
    return request->cookie_value ? EXIT_CLEAN : no_memory(request);
}

static int read_names(struct request *request, const struct request_settings *settings)
{
    struct xds_request *rpc = &request->rpc;

    if (settings->target && settings->listener)
        return usage_error(request->command, "takes --target or --listener, not both");
    if (settings->route_config && settings->listener)
        return usage_error(request->command,
                           "takes --listener or --route-config, not both");
    if (settings->path && settings->path[0] != '/')
        return usage_error(request->command,
                           "--path: '%s' does not begin with '/': the path of an RPC is "
                           "/package.Service/Method",
                           settings->path);
    rpc->target = slice_of(settings->target);
    rpc->listener = slice_of(settings->listener);
    rpc->route_config = slice_of(settings->route_config);
    rpc->authority = slice_of(settings->authority);
    rpc->path = slice_of(settings->path);
    rpc->observed_host = slice_of(settings->observed_host);
    rpc->why_not = slice_of(settings->why_not);
    return EXIT_CLEAN;
}

int request_read(struct request *request, const struct command *command,
                 const struct request_settings *settings)
{
    struct xds_request *rpc = &request->rpc;
    int status;

    *request = (struct request){.command = command, .rpc = {.every_route = true}};
    status = read_names(request, settings);
    if (status == EXIT_CLEAN)
        status = read_u64(command, "channel-id", settings->channel_id,
                          &rpc->has_channel_id, &rpc->channel_id);
    if (status == EXIT_CLEAN)
        status = read_u64(command, "hash", settings->hash, &rpc->has_hash, &rpc->hash);
    if (status == EXIT_CLEAN)
        status = read_random(request, &settings->random);
    if (status == EXIT_CLEAN)
        status = read_assumptions(request, settings);
    if (status == EXIT_CLEAN)
        status = read_headers(request, &settings->headers);
    if (status == EXIT_CLEAN)
        status = read_cookies(request, settings);
    return status;
}

void request_release(struct request *request)
{
    free(request->headers);
    free(request->random);
    free(request->assumptions);
    xds_parsed_free(request->states);
    free(request->cookies);
    free(request->cookie_value);
}
