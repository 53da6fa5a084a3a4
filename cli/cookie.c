/* cookie.c - the session-affinity cookie's value from options. */
#include "cli/request.h"

#include "cli/common.h"

#include <stdlib.h>
#include <string.h>

static char *join(const struct text_list *list)
{
    size_t size = 1, at = 0;

    for (size_t i = 0; i < list->n; i++)
        size += strlen(list->items[i]) + 1;
    char *text = malloc(size);

    for (size_t i = 0; text && i < list->n; i++) {
        const size_t len = strlen(list->items[i]);

        if (i > 0)
            text[at++] = ',';
        memcpy(text + at, list->items[i], len);
        at += len;
    }
    if (text)
        text[at] = '\0';
    return text;
}

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
    char *joined = join(hosts);
    char *value = joined ? encode(slice_of(joined), slice_of(cluster)) : NULL;

    free(joined);
    return value;
}
