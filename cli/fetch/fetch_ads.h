/*
 * fetch_ads.h - asking control planes: what the files that do so share.
 *
 * A link is the call to one server of each list that the client has; they are open at the
 * same time.
 */
#ifndef XDS_CLI_FETCH_ADS_H
#define XDS_CLI_FETCH_ADS_H

#include "cli/fetch/fetch.h"

struct session;

struct link {
    struct session *session;
    size_t stream;
    size_t server; /* of the list */
    struct peer peer;
    struct live_connection *connection;
    struct live_call *call;   /* NULL: there is none */
    int64_t begun, last;      /* the call; its last message */
    int64_t again;            /* --watch: no call before */
    size_t behind;            /* requests since the server has read all */
    size_t came, came_before; /* messages: of this call, of those before */
    unsigned calls;           /* that ended; --watch: those without an answer */
    size_t noted;             /* servers of the list of which it was said what is odd */
};

struct watch;

/* What is rejected, and when that came last. */
struct rejection {
    uint64_t hash; /* of its bytes; 0: nothing is */
    int64_t at;
};

struct session {
    struct fetch *f;
    struct xds_ads *ads;
    struct xds_client_release as;
    struct watch *watch; /* or NULL */
    int64_t begun, wall; /* the same moment by both clocks */
    unsigned resource_ms;
    struct link *links; /* one for each stream */
    size_t n_links;
    size_t at; /* of the resource where the last look for what is due ended */
    struct rejection rejection;
    int64_t rejected; /* when it became what it is */
    size_t again;     /* times that it came once more */
    int64_t untold;   /* --watch: since when there is something to tell; or 0 */
    char fault[500];  /* the first message, or nameless resource, that is not taken */
};

static inline int64_t session_wall(const struct session *s)
{
    return s->wall + live_now() - s->begun;
}

/* How much of a name is said. */
static inline int shown(size_t len)
{
    return len > 200 ? 200 : (int)len;
}

/* ---- the resources of a session ---- */

/* Something that is waited for, of one stream or, XDS_ADS_NO_STREAM, of any. */
bool session_awaits(struct session *s, size_t stream, struct xds_ads_resource *r);
/* "Listener", and "Listener \"a\"" */
void session_kind(const struct xds_ads_resource *r, char *out, size_t size);
void session_name(const struct xds_ads_resource *r, char *out, size_t size);
/* What is wrong with a resource but for a NACK, in a sentence; false: nothing is. */
bool session_absence(const struct session *s, const struct xds_ads_resource *r, char *out,
                     size_t size);
/* What is held as a dump; its versions, see xds_ads_write_versions(). The exit code. */
int session_dump(const struct session *s, struct xds_slice *out);
int session_versions(const struct session *s, struct xds_slice *out);
/* The dump at the end: a large one takes the place of s->ads. */
int session_take_dump(struct session *s, struct xds_slice *out);

/* ---- links ---- */

/* Opens those that are needed. The exit code; *opened: one was. */
int links_open(struct session *s, bool *opened);
/* Sends what is to be sent. */
int links_send(struct session *s);
/* Waits until a message has come and was taken, or a call has ended, or for the deadline.
 * LIVE_OK, LIVE_TIMED_OUT or LIVE_STOPPED; *status: the exit code. */
enum live_status links_wait(struct session *s, int64_t deadline, int *status);
/* When a link is given up that has no answer, or is to be opened again. */
int64_t links_deadline(const struct session *s);
/* Gives up if a server has not answered; is_settled: nothing is waited for any more. The
 * exit code. */
int links_check(struct session *s, bool is_settled);
/* Tells all servers that nothing more will be asked, and closes. */
void links_leave(struct session *s);

/* ---- the server of a link ---- */

/* What the bootstrap and the options say of it, as the peer of the link; what a client
 * does otherwise is said once. The exit code. *why: the client does not come so far as to
 * connect, and says this; else empty. */
int server_read(struct link *link, char *why, size_t size);

/* ---- --watch ---- */

struct watch *watch_new(const struct fetch *f);
void watch_free(struct watch *watch);
/* A response was taken. */
void watch_tell_verdict(struct watch *watch, const struct session *s,
                        const struct link *link);
/* Something happened to a call: "ends: ...". */
__attribute__((format(printf, 2, 3))) void watch_tell(struct watch *watch,
                                                      const char *format, ...);
/* The exit code of all that was written. */
int watch_flush(struct watch *watch);
/* Nothing is missing for now: what has changed since the last time. The exit code. */
int watch_tell_state(struct watch *watch, const struct session *s);

#endif
