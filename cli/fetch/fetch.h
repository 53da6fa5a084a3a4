/*
 * fetch.h - asking a live system: the options that say how it is reached, and the asking.
 *
 * Takes:  HOST:PORT and the like, and what is asked for.
 * Gives:  what came, whole, as a dump: an envoy.service.status.v3.ClientStatusResponse.
 */
#ifndef XDS_CLI_FETCH_H
#define XDS_CLI_FETCH_H

#include "cli/options/common.h"
#include "cli/live/live.h"

struct peer_settings {
    bool tls, skip_verify;
    const char *ca, *cert, *key, *server_name;
    bool of_bootstrap; /* the files are named there, and not by options */
    struct text_list headers, header_env;
    const char *node;
    const char *connect_timeout, *answer_timeout, *message_limit;
};

/* What a control plane is asked for, and as whom. */
struct ads_settings {
    struct text_list targets, server_listeners;
    const char *as, *node_cluster, *resource_timeout;
    bool delta, always_ack, watch;
};

/* How the settings of each command begin that may ask a live system. */
struct peer_common {
    struct common common;
    struct peer_settings peer;
    const char *from; /* "csds://HOST:PORT", of commands that read snapshots; or NULL */
    struct ads_settings ads;
};

extern const struct option_group peer_options;
/* --from, and --from-header where -H is a header of the RPC. */
extern const struct option_group from_options;
/* What a client asks a control plane for, but for --target. */
extern const struct option_group ads_options;
/* --target, of commands that do not send an RPC to one. */
extern const struct option_group target_options;

/* Who is asked. */
enum fetch_kind { FETCH_CSDS, FETCH_ADS, FETCH_KINDS };
extern const char *const fetch_kinds[]; /* "csds", "ads"; up to NULL */
/* False after a message. */
bool fetch_kind_of_name(const struct command *command, struct xds_slice name,
                        enum fetch_kind *kind);

/* All of it is borrowed. */
struct fetch_request {
    enum fetch_kind kind;
    const char *address;               /* NULL: that of the bootstrap, with its TLS */
    const struct xds_options *options; /* FETCH_ADS: how responses are judged */
    struct xds_parsed *bootstrap;      /* FETCH_ADS: or NULL */
    const char *bootstrap_name;        /* its file, for messages */
    struct xds_slice *versions;        /* FETCH_ADS: where to put them, see
                                          xds_ads_write_versions(); or NULL. Free its data */
};

/* What the options come to. */
struct peer {
    struct live_peer live;
    const char *node; /* NULL: of the client that answers */
    unsigned answer_ms;
    const char **headers; /* each of them is malloc'ed */
};

/* EXIT_CLEAN, or EXIT_USAGE or EXIT_TROUBLE after a message. Release it in any case. */
int peer_read(struct peer *peer, const struct command *command,
              const struct peer_settings *settings, const char *address);
/* "authorization: Bearer TOKEN" in addition. As peer_read(). */
int peer_add_token(struct peer *peer, const struct command *command,
                   struct xds_slice token);
bool peer_has_header(const struct peer *peer, const char *name);
void peer_release(struct peer *peer);
bool peer_asks_for_tls(const struct peer_settings *settings);
/* Milliseconds of a number of seconds; NULL: that of otherwise. 0 after a message. */
unsigned peer_read_ms(const struct command *command, const char *value,
                      unsigned otherwise);

/* Asks, and waits for the answer; free bytes->data, which is NULL unless EXIT_CLEAN, or
 * EXIT_FINDINGS after messages about what is missing or was rejected. Otherwise
 * EXIT_USAGE or EXIT_TROUBLE after a message. An interrupt ends the process as if it
 * was not caught, once the server knows. */
int fetch(const struct command *command, const struct peer_common *settings,
          const struct fetch_request *request, struct xds_slice *bytes);
/* The same of --from, which is given: kind and address of the request are those that it
 * names. */
int fetch_from(const struct command *command, const struct peer_common *settings,
               struct fetch_request request, struct xds_slice *bytes);

/* What is in use in a dump as the folder `name`, which is not there yet, or empty: as
 * listeners.json and so on, each a type as `convert` writes it, and versions.json, unless
 * versions is empty. may_choose: a type that the format cannot hold is written as binary.
 * The exit code. */
int fetch_put_folder(const struct command *command, const char *name,
                     struct xds_slice dump, struct xds_slice versions,
                     enum xds_format format, bool may_choose);

/* ---- for the files that ask ---- */

static inline int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

struct fetch {
    const struct command *command;
    const struct peer_common *settings;
    const struct fetch_request *request;
    struct live_error error; /* unless LIVE_OK */
    bool is_terminal;        /* somebody sees how long it takes, */
    bool has_progress;       /* and there is a line about it now */
};

/* Connects to the peer; f->error unless LIVE_OK. */
enum live_status fetch_connect(struct fetch *f, const struct peer *peer,
                               struct live_connection **out);
/* Somebody who looks at a terminal sees for how long what is waited for, "Listener
 * \"a\"" or NULL, of the server of this name; and then no longer. */
void fetch_show_progress(struct fetch *f, const char *name, const char *what,
                         int64_t waited, size_t arrived);
void fetch_clear_progress(struct fetch *f);
/* The exit code; what is not LIVE_OK is said, of the server of this name. */
int fetch_tell(const struct fetch *f, const char *name, enum live_status status);

/* As fetch(). */
int fetch_csds(struct fetch *f, struct xds_slice *out);
int fetch_ads(struct fetch *f, struct xds_slice *out);

#endif
