/*
 * clients.c - clients by name, one after the other.
 *
 * Takes:  a mask of clients.
 * Gives:  their names in one order, by value.
 */
#include "base/clients.h"

#include "base/slice.h"

/* What has no room is left out; there is room for all. */
static size_t append(struct xds_client_list *list, size_t at, const char *text)
{
    const size_t len = strlen(text);

    if (len >= sizeof list->text - at)
        return at;
    memcpy(list->text + at, text, len + 1);
    return at + len;
}

struct xds_client_list xds_client_list(unsigned clients, const char *last)
{
    struct xds_client_list list = {.text = ""};
    unsigned left = clients & XDS_ALL_CLIENTS;
    size_t len = 0;

    for (enum xds_client c = 0; c < XDS_CLIENTS; c++) {
        if (!(left & XDS_CLIENT_BIT(c)))
            continue;
        left &= ~XDS_CLIENT_BIT(c);
        if (len > 0)
            len = append(&list, len, left ? ", " : last);
        len = append(&list, len, xds_client_name(c));
    }
    return list;
}
