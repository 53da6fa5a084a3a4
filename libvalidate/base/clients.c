/*
 * clients.c - clients by name, one after the other.
 *
 * Takes:  a mask of clients.
 * Gives:  their names in one order, by value.
 */
#include "base/clients.h"

#include <stdio.h>

struct xds_client_list xds_client_list(unsigned clients, const char *last)
{
    struct xds_client_list list = {.text = ""};
    unsigned left = clients & XDS_ALL_CLIENTS;
    size_t len = 0;

    for (enum xds_client c = 0; c < XDS_CLIENTS; c++) {
        if (!(left & XDS_CLIENT_BIT(c)))
            continue;
        left &= ~XDS_CLIENT_BIT(c);
        const char *separator = left ? ", " : last;

        len += (size_t)snprintf(list.text + len, sizeof list.text - len, "%s%s",
                                len ? separator : "", xds_client_name(c));
    }
    return list;
}
