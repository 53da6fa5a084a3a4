/* common.h - what all parts of xdscope.h share: status, text, clients, verdicts. */
#ifndef XDSCOPE_COMMON_H
#define XDSCOPE_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define XDS_API __attribute__((visibility("default")))
#define XDS_MUST_USE __attribute__((warn_unused_result))
#define XDS_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#else
#define XDS_API
#define XDS_MUST_USE
#define XDS_PRINTF(fmt, first)
#endif

/* A set of clients at releases, those of a run: bit i is the one with index i. There are
 * more than 64 that behave differently. */
#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 xds_readers;
#else
typedef uint64_t xds_readers;
#endif

/* How an operation ended. What is wrong with the input is never a status: it is a
 * finding of the report. */
enum xds_status {
    XDS_OK,
    XDS_END,           /* nothing more to read */
    XDS_ERR_NO_MEMORY, /* also: the memory limit of one resource, see xds_limits */
    XDS_ERR_IO,        /* cannot read or write; errno says why */
    XDS_ERR_USAGE,     /* an argument that cannot be used; the message says which */
};

/* Text: len bytes at data, not NUL-terminated. An absent text has data NULL. */
struct xds_slice {
    const char *data;
    size_t len;
};

/* Whose verdicts there are: XDS_CLIENT_GRFC, what the documents say, and a member for
 * each further row of clients.def, such as XDS_CLIENT_CORE. */
enum xds_client {
#define XDS_CLIENT(id, name, as, aliases, title, judged) XDS_CLIENT_##id,
#include "clients.def"
    XDS_CLIENTS /* how many there are */
};

/* Sets of clients are bit masks. */
#define XDS_CLIENT_BIT(client) (1u << (client))
#define XDS_ALL_CLIENTS ((1u << XDS_CLIENTS) - 1u)

/* What one client does about one finding. */
enum xds_verdict {
    XDS_ACCEPT, /* the client takes it, or never looks there */
    XDS_IGNORE, /* the field has no effect */
    XDS_SKIP,   /* the route, filter or entry is dropped without a word */
    XDS_NACK,   /* the resource is rejected; the client keeps its old one */
    XDS_CRASH,  /* the process dies of it, or its channel fails for good */
};

enum xds_level { XDS_LEVEL_NOTE, XDS_LEVEL_WARNING, XDS_LEVEL_ERROR };

/* A release of a client; {0, 0, 0} is its newest known one. */
struct xds_release {
    unsigned short major, minor, patch;
};

/* Two releases of one client; {0, 0, 0} is its newest one. */
XDS_API bool xds_release_is_before(struct xds_release a, struct xds_release b);

struct xds_client_release {
    enum xds_client client;
    struct xds_release release;
};

/* All known releases, in the order of clients.def. */
enum {
#define XDS_RELEASE(id, major, minor, patch, day)                                        \
    XDS_RELEASE_##id##_##major##_##minor##_##patch,
#include "clients.def"
    XDS_RELEASES /* how many there are */
};

/* What a row of clients.def says. All text is static. */
struct xds_client_info {
    const char *name;    /* "core" */
    const char *aliases; /* "c++ cpp python ruby php objc" */
    const char *title;   /* "gRPC C-core: C++, Python, ..." */
    const char *judged;  /* what its verdicts are from */
};

XDS_API const struct xds_client_info *xds_client_info(enum xds_client client);
/* The releases of a client that were run, oldest first: an array of *count. */
XDS_API const struct xds_release *xds_client_releases(enum xds_client client,
                                                      size_t *count);
/* "1.64.1"; of the documents "A55"; "" for the newest. A value, as the label. */
struct xds_release_text {
    char text[24];
};
XDS_API struct xds_release_text xds_release_text(struct xds_client_release who);
/* "go@1.64.1", "grfc@A55", or "go" for its newest release. */
struct xds_client_label {
    char text[32];
};
XDS_API struct xds_client_label xds_client_label(struct xds_client_release who);
/* "grfc", "core", ... */
XDS_API const char *xds_client_name(enum xds_client client);
/* "ACCEPT", "IGNORE", "SKIP", "NACK", "CRASH". */
XDS_API const char *xds_verdict_name(enum xds_verdict verdict);
/* "note", "warning", "error". */
XDS_API const char *xds_level_name(enum xds_level level);
/* "UNAVAILABLE": of a status code of gRPC; NULL when none has this number. */
XDS_API const char *xds_status_code_name(uint32_t code);
/* By name or alias. False when there is no such client. */
XDS_API bool xds_client_from_name(struct xds_slice name, enum xds_client *out);

/* The version of the library: "X.Y.Z". */
XDS_API const char *xds_version(void);

#endif
