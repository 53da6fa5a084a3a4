/*
 * request.c - the options that describe one RPC.
 *
 * Takes:  settings as options_parse() left them.
 * Gives:  struct xds_request: headers as given, then one cookie header with all cookies.
 * Fails:  with a message for a header without colon, a number that is none.
 */
#include "cli/request.h"

#include "cli/cookie.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct option rows[] = {
    {.name = "target",
     .kind = OPTION_TEXT,
     .argument_name = "URI",
     .offset = offsetof(struct request_settings, target),
     .help = "the channel's target, xds:///NAME; not needed with one listener"},
    {.name = "listener",
     .kind = OPTION_TEXT,
     .argument_name = "NAME",
     .offset = offsetof(struct request_settings, listener),
     .help = "the listener itself instead of a target"},
    {.name = "authority",
     .kind = OPTION_TEXT,
     .argument_name = "HOST",
     .offset = offsetof(struct request_settings, authority),
     .help = "the RPC's authority, if it is not the target's"},
    {.name = "path",
     .kind = OPTION_TEXT,
     .argument_name = "PATH",
     .offset = offsetof(struct request_settings, path),
     .help = "the RPC's path, /package.Service/Method"},
    {.name = "header",
     .letter = 'H',
     .kind = OPTION_LIST,
     .argument_name = "'NAME: VALUE'",
     .offset = offsetof(struct request_settings, headers),
     .help = "a header of the RPC; may be repeated, order is kept"},
    {.name = "cookie",
     .kind = OPTION_LIST,
     .argument_name = "NAME=VALUE",
     .offset = offsetof(struct request_settings, cookies),
     .help = "a cookie, as it is sent"},
    {.name = "cookie-host",
     .kind = OPTION_LIST,
     .argument_name = "ADDR[,ADDR]",
     .offset = offsetof(struct request_settings, cookie_hosts),
     .help = "a session cookie for this host, encoded and named as the listener asks"},
    {.name = "cookie-cluster",
     .kind = OPTION_TEXT,
     .argument_name = "NAME",
     .offset = offsetof(struct request_settings, cookie_cluster),
     .help = "the cluster in that cookie"},
    {.name = "channel-id",
     .kind = OPTION_TEXT,
     .argument_name = "UINT64",
     .offset = offsetof(struct request_settings, channel_id),
     .help = "what hash policy filter_state reads"},
    {.name = "hash",
     .kind = OPTION_TEXT,
     .argument_name = "UINT64",
     .offset = offsetof(struct request_settings, hash),
     .help = "the hash of an RPC that no hash policy hashes"},
    {.name = "random",
     .kind = OPTION_LIST,
     .argument_name = "R1,R2,...",
     .offset = offsetof(struct request_settings, random),
     .help =
         "random numbers in [0,1), in the order in which they are drawn; what is left "
         "open is answered with probabilities"},
    {.name = "down",
     .kind = OPTION_LIST,
     .argument_name = "ADDR",
     .offset = offsetof(struct request_settings, down),
     .help = "this address is in TRANSIENT_FAILURE; may be repeated"},
    {.name = "idle",
     .kind = OPTION_LIST,
     .argument_name = "ADDR",
     .offset = offsetof(struct request_settings, idle),
     .help = "this address is IDLE"},
    {.name = "connecting",
     .kind = OPTION_LIST,
     .argument_name = "ADDR",
     .offset = offsetof(struct request_settings, connecting),
     .help = "this address is CONNECTING"},
};

const struct option_group request_options = {rows, ARRAY_LEN(rows)};

/* ---- numbers -------------------------------------------------------------------- */

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

/* ---- lists ---------------------------------------------------------------------- */

static size_t count_pieces(const struct text_list *list)
{
    size_t n = 0;

    for (size_t i = 0; i < list->n; i++) {
        n++;
        for (const char *c = list->items[i]; *c != '\0'; c++)
            n += *c == ',';
    }
    return n;
}

static int read_random(struct request *request, const struct text_list *list)
{
    struct xds_slice piece;

    request->random = calloc(count_pieces(list) + 1, sizeof *request->random);
    if (!request->random)
        return trouble(request->command, "out of memory");
    request->rpc.random = request->random;
    for (size_t i = 0; i < list->n; i++)
        for (const char *rest = list->items[i]; next_piece(&rest, &piece);)
            if (!read_fraction(piece, &request->random[request->rpc.n_random++]))
                return usage_error(request->command,
                                   "--random: '%.*s' is not a number in [0,1)",
                                   (int)piece.len, piece.data);
    return EXIT_CLEAN;
}

static void assume(struct request *request, const struct text_list *list,
                   enum xds_assumed_state state)
{
    for (size_t i = 0; i < list->n; i++)
        request->assumptions[request->rpc.n_assumptions++] =
            (struct xds_assumption){slice_of(list->items[i]), state};
}

static int read_assumptions(struct request *request,
                            const struct request_settings *settings)
{
    const size_t n = settings->down.n + settings->idle.n + settings->connecting.n;

    request->assumptions = calloc(n + 1, sizeof *request->assumptions);
    if (!request->assumptions)
        return trouble(request->command, "out of memory");
    request->rpc.assumptions = request->assumptions;
    assume(request, &settings->down, XDS_ASSUME_TRANSIENT_FAILURE);
    assume(request, &settings->idle, XDS_ASSUME_IDLE);
    assume(request, &settings->connecting, XDS_ASSUME_CONNECTING);
    return EXIT_CLEAN;
}

/* ---- headers -------------------------------------------------------------------- */

static void add_header(struct request *request, struct xds_slice name,
                       struct xds_slice value)
{
    request->headers[request->rpc.n_headers++] = (struct xds_header){name, value};
}

/* Split at the first colon behind the first character, so that ":path: x" works. */
static int read_header(struct request *request, const char *text)
{
    const char *colon = *text != '\0' ? strchr(text + 1, ':') : NULL;

    if (!colon)
        return usage_error(request->command, "-H: '%s' is not 'name: value'", text);
    add_header(request, (struct xds_slice){text, (size_t)(colon - text)},
               slice_of(colon + (colon[1] == ' ' ? 2 : 1)));
    return EXIT_CLEAN;
}

static int read_headers(struct request *request, const struct text_list *list)
{
    int status = EXIT_CLEAN;

    /* Room for the cookies as well. */
    request->headers = calloc(list->n + 1, sizeof *request->headers);
    if (!request->headers)
        return trouble(request->command, "out of memory");
    request->rpc.headers = request->headers;
    for (size_t i = 0; i < list->n && status == EXIT_CLEAN; i++)
        status = read_header(request, list->items[i]);
    return status;
}

/* ---- cookies -------------------------------------------------------------------- */

/* Append to the one cookie header, which is always the last header. */
static bool add_cookie(struct request *request, struct xds_slice name,
                       struct xds_slice value)
{
    const size_t before = request->cookies ? strlen(request->cookies) : 0;
    char *text = realloc(request->cookies, before + name.len + value.len + 4);

    if (!text)
        return false;
    (void)snprintf(text + before, name.len + value.len + 4, "%s%.*s=%.*s",
                   before > 0 ? "; " : "", (int)name.len, name.data, (int)value.len,
                   value.data);
    if (request->cookies)
        request->rpc.n_headers--;
    request->cookies = text;
    add_header(request, slice_of("cookie"), slice_of(text));
    return true;
}

static int read_cookie(struct request *request, const char *text)
{
    const size_t len = strcspn(text, "=");

    if (len == 0 || text[len] == '\0')
        return usage_error(request->command, "--cookie: '%s' is not NAME=VALUE", text);
    if (add_cookie(request, (struct xds_slice){text, len}, slice_of(text + len + 1)))
        return EXIT_CLEAN;
    return trouble(request->command, "out of memory");
}

static int read_cookies(struct request *request, const struct request_settings *settings)
{
    int status = EXIT_CLEAN;

    for (size_t i = 0; i < settings->cookies.n && status == EXIT_CLEAN; i++)
        status = read_cookie(request, settings->cookies.items[i]);
    if (status != EXIT_CLEAN)
        return status;
    if (settings->cookie_cluster && settings->cookie_hosts.n == 0)
        return usage_error(request->command, "--cookie-cluster needs --cookie-host");
    if (settings->cookie_hosts.n == 0)
        return EXIT_CLEAN;
    request->cookie_value =
        cookie_value(&settings->cookie_hosts, settings->cookie_cluster);
    return request->cookie_value ? EXIT_CLEAN
                                 : trouble(request->command, "out of memory");
}

bool request_name_cookie(struct request *request, struct xds_slice name)
{
    return add_cookie(request, name, slice_of(request->cookie_value));
}

/* ---- the request ----------------------------------------------------------------- */

static int read_names(struct request *request, const struct request_settings *settings)
{
    struct xds_request *rpc = &request->rpc;

    if (settings->target && settings->listener)
        return usage_error(request->command, "takes --target or --listener, not both");
    if (!settings->path)
        return usage_error(request->command, "needs --path /package.Service/Method");
    rpc->target = slice_of(settings->target);
    rpc->listener = slice_of(settings->listener);
    rpc->authority = slice_of(settings->authority);
    rpc->path = slice_of(settings->path);
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
    free(request->cookies);
    free(request->cookie_value);
}
