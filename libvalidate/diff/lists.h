/* lists.h - which repeated fields have an order, and what tells their items apart. */
#ifndef XDS_DIFF_LISTS_H
#define XDS_DIFF_LISTS_H

#include <protobuf-c/protobuf-c.h>

enum xds_list_order {
    XDS_LIST_ORDERED, /* the order says something to gRPC */
    XDS_LIST_SET,     /* items are their own keys */
    XDS_LIST_KEYED,
};

#define XDS_LIST_KEYS 2

struct xds_list_rule {
    const ProtobufCMessageDescriptor *message;
    const char *field;
    enum xds_list_order order;
    /* What pairs two items that are not equal, best first: fields with "," between them,
     * "." into a message. NULL: no more. */
    const char *keys[XDS_LIST_KEYS];
    /* ORDERED: the field that two items between the same neighbours must share to be one
     * that was changed; NULL: items that have keys are never such a pair. */
    const char *loose;
};

/* Never NULL. */
const struct xds_list_rule *xds_list_rule_of(const ProtobufCMessageDescriptor *message,
                                             const ProtobufCFieldDescriptor *field);

#endif
