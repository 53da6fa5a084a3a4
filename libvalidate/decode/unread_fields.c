/* unread_fields.c - look-up in the shape of messages that are declared empty. */
#include "decode/unread_fields.h"

#include <string.h>

static const struct xds_unread_shape shapes[] = {
#define XDS_UNREAD_MESSAGE(name, first, n) {name, first, n},
#define XDS_UNREAD_FIELD(number, kind, label, message)
#include "unread_fields.inc"
#undef XDS_UNREAD_MESSAGE
#undef XDS_UNREAD_FIELD
};

static const struct xds_unread_member members[] = {
#define XDS_UNREAD_MESSAGE(name, first, n)
#define XDS_UNREAD_FIELD(number, kind, label, message)                                   \
    {number, XDS_UNREAD_##kind, XDS_UNREAD_##label, message},
#include "unread_fields.inc"
#undef XDS_UNREAD_MESSAGE
#undef XDS_UNREAD_FIELD
};

const struct xds_unread_shape *xds_unread_shape(const char *name)
{
    size_t low = 0, high = sizeof shapes / sizeof *shapes;

    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        const int order = strcmp(shapes[mid].name, name);

        if (order == 0)
            return &shapes[mid];
        if (order < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

const struct xds_unread_member *xds_unread_member(const struct xds_unread_shape *shape,
                                                  uint32_t number)
{
    for (size_t i = shape->first; i < (size_t)shape->first + shape->n; i++)
        if (members[i].number == number)
            return &members[i];
    return NULL;
}

const struct xds_unread_shape *xds_unread_below(const struct xds_unread_member *member)
{
    return &shapes[member->message];
}
