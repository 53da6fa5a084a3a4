/*
 * product.h - a case whose values are lists, as the RPCs that it stands for.
 *
 * Of a member that takes one value a list is a choice; of all members {each: [...]} is.
 * All combinations are made, the last choice changing first.
 */
#ifndef XDS_SUITE_PRODUCT_H
#define XDS_SUITE_PRODUCT_H

#include "suite/suite.h"

struct xds_choice {
    struct xds_slice key;
    const struct xds_tree *values;
    size_t n, at;  /* at: the one in turn */
    size_t member; /* of the request, or SIZE_MAX: the client */
};

struct xds_product {
    struct xds_tree request;       /* with the values in turn */
    const struct xds_tree *client; /* in turn; NULL: the case names none */
    struct xds_choice *choices;
    size_t n_choices;
    uint64_t total;
};

/* A value that names clients, or a list of such values, which may name several releases
 * each: a list of one apiece, or the value itself where it names one. */
const struct xds_tree *xds_suite_clients(struct xds_suite *suite,
                                         const struct xds_tree *value);
/* Of a case, with the defaults of the file. False after a fault. */
bool xds_product_begin(struct xds_suite *suite, const struct xds_tree *test,
                       struct xds_product *out);
/* To the next combination; false after the last one. */
bool xds_product_next(struct xds_product *product);
/* "NAME [path=/a.B/C, client=go]"; NAME alone where there is no choice. */
struct xds_slice xds_product_name(struct xds_arena *arena,
                                  const struct xds_product *product,
                                  struct xds_slice name);

#endif
