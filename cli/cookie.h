/* cookie.h - the session-affinity cookie's value from options. */
#ifndef XDS_CLI_COOKIE_H
#define XDS_CLI_COOKIE_H

#include "cli/options.h"

/* base64 of "ADDR,ADDR;CLUSTER", to be freed; NULL when there is no memory. cluster NULL:
 * no cluster part. */
char *cookie_value(const struct text_list *hosts, const char *cluster);

#endif
