/* inner.h - what the files of this room share. */
#ifndef XDS_BOOTSTRAP_INNER_H
#define XDS_BOOTSTRAP_INNER_H

#include "base/path.h"
#include "bootstrap/bootstrap.h"
#include "catalogue/rule.h"
#include "include/xdscope/bootstrap.h"
#include "model/tree.h"

/* What one client finds in a bootstrap. Borrows from the arena and the tree. */
struct xds_bootstrap_found {
    enum xds_rule_id rule;
    struct xds_steps steps;
    struct xds_place at; /* of the value, without a file */
    struct xds_slice values[4];
};

struct xds_bootstrap_faults {
    struct xds_bootstrap_found *list;
    size_t n, cap;
};

void xds_bootstrap_add(struct xds_arena *arena, struct xds_bootstrap_faults *faults,
                       const struct xds_path *at, struct xds_place place,
                       enum xds_rule_id rule, const struct xds_slice values[4]);
/* What a client at a release does about a rule of bootstrap.def. */
enum xds_verdict xds_bootstrap_verdict(enum xds_rule_id rule,
                                       const struct xds_client_release *who);
/* Where a value is, and a key. */
struct xds_place xds_tree_place(const struct xds_tree *value);
struct xds_place xds_tree_key_place(const struct xds_tree *member);

/* All that a client at a release refuses, in the order in which it looks; all but core
 * stop at the first one. Under a guard of the arena. */
void xds_bootstrap_walk(struct xds_arena *arena, const struct xds_tree *root,
                        struct xds_client_release who, const struct xds_options *options,
                        struct xds_bootstrap_faults *faults);
/* A value that is replaced by the names of those who have the fault. */
extern const char xds_bootstrap_readers[];
#define XDS_BOOTSTRAP_READERS ((struct xds_slice){xds_bootstrap_readers, 1})

/* What is odd and refused by none of a client at a release: settings that it does not
 * read, names that it does not know. The same guard. */
void xds_bootstrap_lint(struct xds_arena *arena, const struct xds_tree *root,
                        struct xds_client_release who, const struct xds_options *options,
                        struct xds_bootstrap_faults *faults);

/* What a client says of the scheme of a server_uri that it does not resolve, or NULL. */
const char *xds_uri_refused(struct xds_slice uri, struct xds_client_release who);

#endif
