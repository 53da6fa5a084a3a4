/*
 * cover_index.h - the earlier routes of a virtual host that may take all of a later one.
 *
 * A route takes all RPCs of another one only if its path begins the other's path and the
 * other asks for each header that it asks for; by the path and one header it is found.
 * What is found is still to be compared.
 */
#ifndef XDS_LINT_COVER_INDEX_H
#define XDS_LINT_COVER_INDEX_H

#include "lint/cover_path.h"
#include "lint/within.h"

struct xds_cover {
    const struct xds_route *route;
    uint64_t key;
    uint32_t position; /* in the virtual host */
    uint32_t next;     /* of the same key, counted from 1; 0: none */
};

/* The covers of one key, counted from 1; 0: a free slot. */
struct xds_cover_slot {
    uint32_t first, last;
};

struct xds_cover_index {
    struct xds_arena *arena;
    const struct xds_within *readers; /* one per client */
    unsigned clients;
    struct xds_cover *covers;
    uint32_t n_covers;
    struct xds_cover_slot *slots;
    size_t n_slots;       /* a power of two */
    unsigned char *known; /* a bit per key or for several: most look-ups end here */
    uint32_t *asking;     /* about how many routes ask for a header, by its key */
    size_t n_asking;      /* a power of two */
    /* What stems there are, by length and last character: sets of bits. */
    struct xds_cover_stems {
        uint64_t bits[XDS_COVER_STEM + 1][4];
    } prefixes, regexes;
};

/* Room for the routes of one virtual host, none of which is in it yet. index is zero but
 * for arena, readers and clients. */
void xds_cover_index_init(struct xds_cover_index *index,
                          const struct xds_virtual_host *host);
void xds_cover_index_add(struct xds_cover_index *index,
                         const struct xds_cover_path *path);

/* Called with each route that may take all of `route`; false ends the search. */
typedef bool xds_cover_visit(void *user, const struct xds_cover *earlier);
void xds_cover_index_find(const struct xds_cover_index *index,
                          const struct xds_cover_path *path, xds_cover_visit *visit,
                          void *user);

#endif
