/*
 * user_agent.h - the client and its release, as it names itself to a control plane.
 *
 * Source: what clients of core 1.53 to 1.85, go 1.52 to 1.85, java 1.52 and 1.85 and node
 *         1.10 to 1.14 have sent.
 */
#ifndef XDS_CLIENTS_USER_AGENT_H
#define XDS_CLIENTS_USER_AGENT_H

#include "include/xdscope.h"

/* name and version: user_agent_name and user_agent_version of a Node; "gRPC C-core linux
 * Python" and "C-core 58.0.0 Python 1.85.1" are "core@1.85.1". Without a release, as for
 * an unknown version of C-core, the client alone; empty for all but gRPC. */
struct xds_client_label xds_user_agent_label(struct xds_slice name,
                                             struct xds_slice version);

#endif
