/*
 * fetch.h - asking a live system: the options that say how it is reached, and the asking.
 *
 * Takes:  HOST:PORT and the like, and what is asked for.
 * Gives:  the bytes that came, whole.
 */
#ifndef XDS_CLI_FETCH_H
#define XDS_CLI_FETCH_H

#include "cli/common.h"
#include "cli/live/live.h"

struct peer_settings {
    bool tls, skip_verify;
    const char *ca, *cert, *key, *server_name;
    struct text_list headers, header_env;
    const char *node;
    const char *connect_timeout, *answer_timeout, *message_limit;
};

/* How the settings of each command begin that may ask a live system. */
struct peer_common {
    struct common common;
    struct peer_settings peer;
    const char *from; /* "csds://HOST:PORT", of commands that read snapshots; or NULL */
};

extern const struct option_group peer_options;
/* --from, and --from-header where -H is a header of the RPC. */
extern const struct option_group from_options;

/* What may be asked for. */
enum fetch_kind { FETCH_CSDS, FETCH_KINDS };
extern const char *const fetch_kinds[]; /* "csds"; up to NULL */
/* False after a message. */
bool fetch_kind_of_name(const struct command *command, struct xds_slice name,
                        enum fetch_kind *kind);

/* What the options come to. */
struct peer {
    struct live_peer live;
    const char *node; /* NULL: of whoever answers */
    unsigned answer_ms;
    const char **headers; /* each of them is malloc'ed */
};

/* EXIT_CLEAN, or EXIT_USAGE or EXIT_TROUBLE after a message. Release it in any case. */
int peer_read(struct peer *peer, const struct command *command,
              const struct peer_settings *settings, const char *address);
void peer_release(struct peer *peer);

/* Asks, and waits for the answer; free bytes->data, which is NULL unless EXIT_CLEAN.
 * Otherwise EXIT_USAGE or EXIT_TROUBLE after a message. An interrupt ends the process as
 * if nobody had caught it, once the server was told. */
int fetch(const struct command *command, const struct peer_common *settings,
          enum fetch_kind kind, const char *address, struct xds_slice *bytes);
/* The same of --from, which is given. */
int fetch_from(const struct command *command, const struct peer_common *settings,
               struct xds_slice *bytes);

/* ---- for the files that ask ---- */

struct fetch {
    const struct command *command;
    const struct peer *peer;
    struct live_connection *connection;
    struct live_error error; /* unless LIVE_OK */
    bool is_terminal;        /* somebody sees how long it takes, */
    bool has_progress;       /* and there is a line about it now */
};

/* The next message of a call, with the time-outs of the options; or why there is none,
 * also in f->error. */
enum live_status fetch_wait(struct fetch *f, struct live_call *call,
                            struct live_message *out);
enum live_status fetch_csds(struct fetch *f, struct live_message *out);

#endif
