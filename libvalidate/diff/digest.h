/* digest.h - one number for what a message says, however it is written. */
#ifndef XDS_DIFF_DIGEST_H
#define XDS_DIFF_DIGEST_H

#include "diff/lists.h"
#include "diff/message.h"

enum xds_digest_kind {
    XDS_DIGEST_MEANING, /* blind to the order of what has none for gRPC */
    XDS_DIGEST_STRICT,
};

uint64_t xds_digest_message(const ProtobufCMessage *message, enum xds_digest_kind kind);
/* Of one item of a field, by meaning. */
uint64_t xds_digest_item(const ProtobufCFieldDescriptor *field, const void *item);
/* Of the fields that a key of struct xds_list_rule names, by meaning; false: the message
 * has none of them. */
bool xds_digest_key(const ProtobufCMessage *message, const char *fields, uint64_t *out);

#endif
