/* cookie.c - the session-affinity cookie's value from options. */
#include "cli/explain/request.h"

#include <stdlib.h>
#include <string.h>

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
    const struct xds_slice list = slice_of(joined), name = slice_of(cluster);
    const size_t len = joined ? xds_cookie_encode(list, name, NULL, 0) : 0;
    char *value = joined ? malloc(len + 1) : NULL;

    if (value) {
        (void)xds_cookie_encode(list, name, value, len);
        value[len] = '\0';
    }
    free(joined);
    return value;
}
