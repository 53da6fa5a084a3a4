/*
 * bootstrap.h - a gRPC bootstrap as an input: what its clients refuse, and what is odd.
 *
 * Source: bootstrap.def, lint.def, words.def, tables.def; gRFC A27, A29, A36, A47, A53,
 * A65, A71, A81, A88, A97.
 */
#ifndef XDS_BOOTSTRAP_BOOTSTRAP_H
#define XDS_BOOTSTRAP_BOOTSTRAP_H

#include "clients/clients.h"
#include "clients/readers.h"
#include "model/tree.h"
#include "report/report.h"

/* Report what each reader of the panel refuses in a bootstrap, and what is odd, as a
 * resource. at: where it begins. is_input: it is one also if nothing is found. Under a
 * guard of the arena and of the report's. */
void xds_bootstrap_judge(struct xds_arena *arena, const struct xds_tree *root,
                         const struct xds_panel *panel, struct xds_place at,
                         bool is_input, struct xds_report *report);

/* Set the options that a bootstrap decides; names stay those of the tree. NULL, or what
 * is wrong with it. */
const char *xds_bootstrap_read(struct xds_arena *arena, const struct xds_tree *root,
                               struct xds_options *options);

/* Does a client know a type of channel_creds? *has: xdscope has it, too. */
bool xds_channel_creds_known(struct xds_slice type, struct xds_client_release who,
                             bool *has);
/* Does a client read call_creds: READ, OFF or NEVER. */
enum xds_call_creds xds_call_creds_of(struct xds_client_release who,
                                      const struct xds_options *options);

#endif
