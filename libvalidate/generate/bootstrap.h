/* bootstrap.h - what the files about bootstraps share. */
#ifndef XDS_CONFIG_BOOTSTRAP_H
#define XDS_CONFIG_BOOTSTRAP_H

#include "clients/clients.h"

/* Does a client know a type of channel_creds? *has: xdscope has it, too. */
bool xds_channel_creds_known(struct xds_slice type, struct xds_client_release who,
                             bool *has);
/* Does a client read call_creds: READ, OFF or NEVER. */
enum xds_call_creds xds_call_creds_of(struct xds_client_release who,
                                      const struct xds_options *options);

#endif
