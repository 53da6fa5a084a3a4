/*
 * peer.c - the options that say how a live system is reached.
 *
 * Fails:  with one line; the value of a header is never in it.
 */
#include "cli/fetch/fetch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { CONNECT_SECONDS = 10, ANSWER_SECONDS = 15, MOST_SECONDS = 3600 };
enum { MOST_MIB = 1024 };

static bool check_seconds(const struct command *command, const char *value);
static bool check_mib(const struct command *command, const char *value);
static bool check_as(const struct command *command, const char *value);

/* None of them may come from a file that somebody else wrote: they say where secrets go.
 */
static const struct option rows[] = {
    {FLAG_ROW(peer_common, peer.tls, "tls"), .reach = NOT_IN_A_FILE,
     .help = "use TLS (default: plaintext); the next five options imply it"},
    {VALUE_ROW(TEXT, peer_common, peer.ca, "ca", "FILE"), .argument = ARGUMENT_FILE,
     .reach = NOT_IN_A_FILE,
     .help = "CA certificates to trust, in PEM (default: the system's)"},
    {VALUE_ROW(TEXT, peer_common, peer.cert, "cert", "FILE"), .argument = ARGUMENT_FILE,
     .reach = NOT_IN_A_FILE, .help = "client certificate and its chain, in PEM"},
    {VALUE_ROW(TEXT, peer_common, peer.key, "key", "FILE"), .argument = ARGUMENT_FILE,
     .reach = NOT_IN_A_FILE,
     .help = "private key of --cert, in PEM (default: in the same file)"},
    {VALUE_ROW(TEXT, peer_common, peer.server_name, "server-name", "NAME"),
     .reach = NOT_IN_A_FILE,
     .help = "name that the server's certificate must have (default: the host)"},
    {FLAG_ROW(peer_common, peer.skip_verify, "insecure-skip-verify"),
     .reach = COMMAND_LINE_ONLY,
     .help = "use TLS without checking the server's certificate (insecure)"},
    {VALUE_ROW(LIST, peer_common, peer.header_env, "header-env", "NAME=VARIABLE"),
     .reach = COMMAND_LINE_ONLY,
     .help = "send the header NAME with the value of an environment variable; may be "
             "repeated"},
    {VALUE_ROW(TEXT, peer_common, peer.connect_timeout, "connect-timeout", "SECONDS"),
     .check = check_seconds, .reach = NOT_IN_A_FILE,
     .help = "seconds to wait for a connection (default: 10)"},
    {VALUE_ROW(TEXT, peer_common, peer.answer_timeout, "answer-timeout", "SECONDS"),
     .check = check_seconds, .reach = NOT_IN_A_FILE,
     .help = "seconds to wait for an answer (default: 15)"},
    {VALUE_ROW(TEXT, peer_common, peer.message_limit, "message-limit", "MIB"),
     .check = check_mib, .reach = NOT_IN_A_FILE,
     .help = "largest message to accept, in MiB (default: 256, at most 1024)"},
};

static const struct option from_rows[] = {
    {VALUE_ROW(TEXT, peer_common, from, "from", "KIND://HOST:PORT"),
     .reach = COMMAND_LINE_ONLY,
     .help = "read what a running client holds (csds), or what a control plane serves "
             "(ads), as fetch does"},
    {VALUE_ROW(LIST, peer_common, peer.headers, "from-header", "NAME: VALUE"),
     .reach = COMMAND_LINE_ONLY,
     .help = "send this header to the live system; @FILE: one on each line of the file; "
             "may be repeated"},
};

static const struct option ads_rows[] = {
    {VALUE_ROW(LIST, peer_common, ads.server_listeners, "server-listener", "ADDRESS"),
     .reach = COMMAND_LINE_ONLY,
     .help = "ads: ask for the listener of a gRPC server at this address; may be "
             "repeated"},
    {VALUE_ROW(TEXT, peer_common, ads.as, "as", "NAME"), .check = check_as,
     .reach = NOT_IN_A_FILE,
     .help = "ads: ask and answer as this client, go or go@1.72 (default: core)"},
    {VALUE_ROW(TEXT, peer_common, ads.resource_timeout, "resource-timeout", "SECONDS"),
     .check = check_seconds, .reach = NOT_IN_A_FILE,
     .help = "ads: seconds after which a missing resource counts as not existing "
             "(default: 15)"},
};

static const struct option target_rows[] = {
    {VALUE_ROW(LIST, peer_common, ads.targets, "target", "URI"),
     .argument = ARGUMENT_TARGET, .reach = COMMAND_LINE_ONLY,
     .help = "ads: ask for what a channel with this target needs, xds:///NAME; may be "
             "repeated"},
};

const struct option_group ads_options = {.options = ads_rows,
                                         .n = ARRAY_LEN(ads_rows),
                                         .title = "Live systems",
                                         .is_live = true};
const struct option_group target_options = {.options = target_rows,
                                            .n = ARRAY_LEN(target_rows),
                                            .title = "Live systems",
                                            .is_live = true};
const struct option_group peer_options = {
    .options = rows, .n = ARRAY_LEN(rows), .title = "Live systems", .is_live = true};
const struct option_group from_options = {.options = from_rows,
                                          .n = ARRAY_LEN(from_rows),
                                          .title = "Live systems",
                                          .is_live = true};

static bool check_as(const struct command *command, const char *value)
{
    struct xds_options options;
    struct xds_ask_note note;
    enum xds_client client;

    xds_options_init(&options);
    if (xds_options_ask_one(&options, slice_of(value), &client, &note) == XDS_OK)
        return true;
    (void)usage_error(command, "--as %s: %s", value, note.text);
    return false;
}

/* ---- numbers ---- */

/* 0 when it is no number from 1 to most. */
static unsigned read_number(const char *text, unsigned most)
{
    unsigned n = 0;

    for (; *text >= '0' && *text <= '9' && n <= most; text++)
        n = n * 10 + (unsigned)(*text - '0');
    return *text == '\0' && n <= most ? n : 0;
}

static bool check_seconds(const struct command *command, const char *value)
{
    if (read_number(value, MOST_SECONDS) > 0)
        return true;
    (void)usage_error(command, "'%s' is not a number of seconds from 1 to %d", value,
                      MOST_SECONDS);
    return false;
}

static bool check_mib(const struct command *command, const char *value)
{
    if (read_number(value, MOST_MIB) > 0)
        return true;
    (void)usage_error(command, "'%s' is not a number of MiB from 1 to %d", value,
                      MOST_MIB);
    return false;
}

unsigned peer_read_ms(const struct command *command, const char *value,
                      unsigned otherwise)
{
    if (value && !check_seconds(command, value))
        return 0;
    return 1000 * (value ? read_number(value, MOST_SECONDS) : otherwise);
}

/* ---- headers ---- */

/* Names that say how the call is made, which is not the user's choice. */
static bool is_own_name(const char *name, size_t len)
{
    static const char *const names[] = {
        "connection", "content-length",   "content-type",
        "host",       "keep-alive",       "te",
        "trailer",    "proxy-connection", "transfer-encoding",
        "upgrade",    "user-agent"};

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (strlen(names[i]) == len && strncmp(names[i], name, len) == 0)
            return true;
    return len >= 5 && strncmp(name, "grpc-", 5) == 0;
}

static const char *fault_of_name(const char *name, size_t len)
{
    static const char allowed[] = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz";

    if (len == 0 || strspn(name, allowed) < len)
        return "has no name that a header may have";
    return is_own_name(name, len) ? "is a header that is not for you to set" : NULL;
}

static bool is_sendable(const char *value)
{
    for (; *value != '\0'; value++)
        if ((unsigned char)*value < 0x20 || (unsigned char)*value >= 0x7f)
            return false;
    return true;
}

/* "name: value" of lower case and with one blank; where: for messages, as the value may
 * be a secret. EXIT_CLEAN, or what came of it. */
static int add_header(struct peer *peer, const struct command *command,
                      const struct xds_slice name, const char *value, const char *where)
{
    const size_t size = name.len + 2 + strlen(value) + 1;
    char *text = malloc(size);

    if (!text)
        return trouble(command, "out of memory");
    for (size_t i = 0; i < name.len; i++) {
        const char c = name.data[i];

        text[i] = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
    (void)snprintf(text + name.len, size - name.len, ": %s", value);

    const char *fault = fault_of_name(text, name.len);

    if (!fault && !is_sendable(value))
        fault = "has a value that a header may not have";
    if (fault) {
        free(text);
        return usage_error(command, "%s: '%.*s' %s", where, (int)name.len, name.data,
                           fault);
    }
    peer->headers[peer->live.n_headers++] = text;
    return EXIT_CLEAN;
}

/* A line or an argument, which is changed. */
static int read_header(struct peer *peer, const struct command *command, char *line,
                       const char *where)
{
    char *colon = strchr(line, ':');

    if (!colon)
        return usage_error(command, "%s: not 'name: value'", where);

    const struct xds_slice name = {line, (size_t)(colon - line)};
    char *value = colon + 1 + strspn(colon + 1, " \t"), *end = value + strlen(value);

    while (end > value && strchr(" \t\r", end[-1]))
        *--end = '\0';
    return add_header(peer, command, name, value, where);
}

static bool make_room(struct peer *peer, size_t more)
{
    const char **larger = realloc((void *)peer->headers,
                                  (peer->live.n_headers + more) * sizeof *peer->headers);

    if (larger)
        peer->headers = larger;
    return larger != NULL;
}

/* A header on each line; empty lines and those that begin with # are none. */
static int read_header_file(struct peer *peer, const struct command *command,
                            const char *path)
{
    struct xds_slice text;
    int status = slurp(command, path, &text);
    /* slurp() has made room for it. */
    char *line = (char *)(uintptr_t)text.data, where[300];

    for (unsigned n = 1; status == EXIT_CLEAN && line && *line != '\0'; n++) {
        char *end = line + strcspn(line, "\n"), *next = end + (*end != '\0');

        *end = '\0';
        (void)snprintf(where, sizeof where, "%.280s:%u", path, n);
        if (line[strspn(line, " \t\r")] != '\0' && *line != '#')
            status = make_room(peer, 1) ? read_header(peer, command, line, where)
                                        : trouble(command, "out of memory");
        line = next;
    }
    slurp_free(text);
    return status;
}

static int read_argument(struct peer *peer, const struct command *command,
                         const char *argument)
{
    if (argument[0] == '@')
        return read_header_file(peer, command, argument + 1);

    char *copy = strdup(argument);
    const int status = copy && make_room(peer, 1)
                           ? read_header(peer, command, copy, "--header")
                           : trouble(command, "out of memory");

    free(copy);
    return status;
}

static int read_variable(struct peer *peer, const struct command *command,
                         const char *argument)
{
    const char *equals = strchr(argument, '=');
    const char *value = equals ? getenv(equals + 1) : NULL;

    if (!equals)
        return usage_error(command, "--header-env: '%s' is not NAME=VARIABLE", argument);
    if (!value)
        return usage_error(command, "--header-env: the variable '%s' is not set",
                           equals + 1);
    if (!make_room(peer, 1))
        return trouble(command, "out of memory");
    return add_header(peer, command,
                      (struct xds_slice){argument, (size_t)(equals - argument)}, value,
                      "--header-env");
}

static int read_headers(struct peer *peer, const struct command *command,
                        const struct peer_settings *settings)
{
    int status = EXIT_CLEAN;

    for (size_t i = 0; i < settings->headers.n && status == EXIT_CLEAN; i++)
        status = read_argument(peer, command, settings->headers.items[i]);
    for (size_t i = 0; i < settings->header_env.n && status == EXIT_CLEAN; i++)
        status = read_variable(peer, command, settings->header_env.items[i]);
    peer->live.headers = peer->headers;
    return status;
}

int peer_add_token(struct peer *peer, const struct command *command,
                   struct xds_slice token)
{
    static const char head[] = "authorization: Bearer ";
    char *text = malloc(sizeof head + token.len);

    if (!text || !make_room(peer, 1)) {
        free(text);
        return trouble(command, "out of memory");
    }
    memcpy(text, head, sizeof head - 1);
    memcpy(text + sizeof head - 1, token.data, token.len);
    text[sizeof head - 1 + token.len] = '\0';
    peer->headers[peer->live.n_headers++] = text;
    peer->live.headers = peer->headers;
    return EXIT_CLEAN;
}

bool peer_has_header(const struct peer *peer, const char *name)
{
    const size_t len = strlen(name);

    for (size_t i = 0; i < peer->live.n_headers; i++)
        if (strncmp(peer->headers[i], name, len) == 0 && peer->headers[i][len] == ':')
            return true;
    return false;
}

/* ---- all of it ---- */

/* An empty value, as of a variable that is not set, must not be as if there was none. */
static const char *empty_option(const struct peer_settings *settings)
{
    const struct {
        const char *name, *value;
    } options[] = {{"--ca", settings->ca},
                   {"--cert", settings->cert},
                   {"--key", settings->key},
                   {"--server-name", settings->server_name},
                   {"--node", settings->node}};

    for (size_t i = 0; i < ARRAY_LEN(options); i++)
        if (options[i].value && *options[i].value == '\0')
            return options[i].name;
    return NULL;
}

bool peer_asks_for_tls(const struct peer_settings *settings)
{
    return settings->tls || settings->skip_verify || settings->ca || settings->cert ||
           settings->key || settings->server_name;
}

int peer_read(struct peer *peer, const struct command *command,
              const struct peer_settings *settings, const char *address)
{
    const char *limit = settings->message_limit, *empty = empty_option(settings);
    struct live_error error;

    *peer = (struct peer){.node = settings->node};
    peer->live = (struct live_peer){
        .name = address,
        .tls = peer_asks_for_tls(settings),
        .skip_verify = settings->skip_verify,
        .ca = settings->ca,
        .cert = settings->cert,
        .key = settings->key,
        .server_name = settings->server_name,
        .of_bootstrap = settings->of_bootstrap,
        .connect_ms = peer_read_ms(command, settings->connect_timeout, CONNECT_SECONDS),
        .message_bytes = LIVE_MESSAGE_BYTES,
    };
    peer->answer_ms = peer_read_ms(command, settings->answer_timeout, ANSWER_SECONDS);
    if (empty)
        return usage_error(command, "%s: the value is empty", empty);
    if (peer->live.connect_ms == 0 || peer->answer_ms == 0 ||
        (limit && !check_mib(command, limit)))
        return EXIT_USAGE;
    if (limit)
        peer->live.message_bytes = (size_t)read_number(limit, MOST_MIB) << 20;
    if (!live_address(address, &peer->live.address, &error))
        return usage_error(command, "%s", error.text);
    if (peer->live.key && !peer->live.cert && !settings->of_bootstrap)
        return usage_error(command, "--key needs --cert");

    const int status = read_headers(peer, command, settings);
    if (status == EXIT_CLEAN && peer->live.n_headers > 0 && !peer->live.tls &&
        !live_is_local(&peer->live.address))
        warning(command, "headers go to %s in plaintext; --tls encrypts them", address);
    return status;
}

void peer_release(struct peer *peer)
{
    for (size_t i = 0; i < peer->live.n_headers; i++)
        free((void *)(uintptr_t)peer->headers[i]);
    free((void *)peer->headers);
}
