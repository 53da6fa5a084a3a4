/*
 * clients.h - sets of clients, and clients by name.
 *
 * The rows are those of include/xdscope/clients.def. A client without rows and tables of
 * its own does what the documents say: it is in every set that XDS_GRFC is in.
 */
#ifndef XDS_CLIENTS_CLIENTS_H
#define XDS_CLIENTS_CLIENTS_H

#include "include/xdscope.h"

enum {
    XDS_AS_DOCUMENTED = 0
#define XDS_CLIENT(id, name, as, aliases, title, judged)                                 \
    +(XDS_CLIENT_##as == XDS_CLIENT_GRFC ? 1 << XDS_CLIENT_##id : 0)
#include "include/xdscope/clients.def"
};

/* To make sets of. */
#define XDS_GRFC ((unsigned)XDS_AS_DOCUMENTED)
#define XDS_CORE XDS_CLIENT_BIT(XDS_CLIENT_CORE)
#define XDS_GO XDS_CLIENT_BIT(XDS_CLIENT_GO)
#define XDS_JAVA XDS_CLIENT_BIT(XDS_CLIENT_JAVA)
#define XDS_NODE XDS_CLIENT_BIT(XDS_CLIENT_NODE)

/* The client whose rows and tables hold for this one: itself, or XDS_CLIENT_GRFC. */
enum xds_client xds_client_as(enum xds_client client);

/* The known releases by index, below XDS_RELEASES; the day is "2026-10-27". */
const struct xds_client_release *xds_known_release(size_t i);
const char *xds_known_release_day(size_t i);
/* The index of the oldest known release of a client, and how many there are. */
size_t xds_known_releases(enum xds_client client, size_t *count);

/* "1.64", without the patch; of the documents "A55". */
struct xds_release_text xds_release_minor(struct xds_client_release who);

/* Room for the names of all, each with its NUL and " and ". */
enum {
    XDS_CLIENT_LIST_SIZE = 0
#define XDS_CLIENT(id, name, as, aliases, title, judged) +(int)sizeof(name " and ")
#include "include/xdscope/clients.def"
};

/* A value: it needs no arena, and lasts as long as the expression it is in. */
struct xds_client_list {
    char text[XDS_CLIENT_LIST_SIZE];
};

/* "core, go and java" of a set of clients. last: what comes before the last of several,
 * such as " and ". */
struct xds_client_list xds_client_list(unsigned clients, const char *last);

/* Those of a set that a text for people names. The documents are no client: they are
 * named where they were asked for by name, or alone. */
unsigned xds_clients_named(const struct xds_options *options, unsigned clients);
/* The list of these; "the documents" alone. */
struct xds_client_list xds_named_list(const struct xds_options *options, unsigned clients,
                                      const char *last);

#endif
