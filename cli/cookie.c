/* cookie.c - the session-affinity cookie's value from options. */
#include "cli/request.h"

#include <stdlib.h>
#include <string.h>

static char *encode(struct xds_slice hosts, struct xds_slice cluster)
{
    const size_t len = xds_cookie_encode(hosts, cluster, NULL, 0);
    char *value = malloc(len + 1);

    if (value) {
        (void)xds_cookie_encode(hosts, cluster, value, len);
        value[len] = '\0';
    }
    return value;
}

char *cookie_value(const struct text_list *hosts, const char *cluster)
{
    size_t size = 1, at = 0;

    for (size_t i = 0; i < hosts->n; i++)
        size += strlen(hosts->items[i]) + 1;
    char *joined = malloc(size);

    for (size_t i = 0; joined && i < hosts->n; i++) {
        const size_t len = strlen(hosts->items[i]);

        if (i > 0)
            joined[at++] = ',';
        memcpy(joined + at, hosts->items[i], len);
        at += len;
    }
    if (joined)
        joined[at] = '\0';
    char *value = joined ? encode(slice_of(joined), slice_of(cluster)) : NULL;

    free(joined);
    return value;
}
