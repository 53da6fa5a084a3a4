/* convert.h - resources in another format. */
#ifndef XDSCOPE_CONVERT_H
#define XDSCOPE_CONVERT_H

#include "check.h"
#include "print.h"

struct xds_convert_options {
    enum xds_format format;
    bool json_names; /* JSON, YAML: lowerCamelCase instead of snake_case */
    bool bare;       /* binary: the message of the only resource, no DiscoveryResponse */
};

struct xds_convert;

/* Writes resources to `to` as they come: one alone as itself, several as a
 * DiscoveryResponse, in YAML as documents. report and *to are borrowed; what cannot be
 * decoded becomes findings of the report. NULL when there is no memory. */
XDS_API struct xds_convert *xds_convert_new(struct xds_report *report,
                                            const struct xds_convert_options *options,
                                            const struct xds_printer *to);
XDS_API void xds_convert_free(struct xds_convert *convert);
/* One more resource. XDS_OK also when it could not be decoded: it is not written then.
 * XDS_ERR_USAGE: it is the second one, and `bare` allows but one. XDS_END when the run
 * has two million resources already. */
XDS_API XDS_MUST_USE enum xds_status xds_convert_resource(struct xds_convert *convert,
                                                          const struct xds_resource *in);
/* What is after the last resource; XDS_ERR_IO when any write failed. */
XDS_API XDS_MUST_USE enum xds_status xds_convert_finish(struct xds_convert *convert);
/* How many parts of the input the format cannot say, or no message has a field for; they
 * were left out. *first is the resource with the first one. */
XDS_API size_t xds_convert_lost(const struct xds_convert *convert,
                                struct xds_place *first);

/* One of the first ten of them: the resource or the field that it is in, and "PATH: why".
 * words lives as long as convert. False after the last one. */
XDS_API bool xds_convert_lost_part(const struct xds_convert *convert, size_t i,
                                   struct xds_place *at, struct xds_slice *words);

/* What a client says of all that it holds, with versions and states, as JSON, YAML or
 * text proto: `bytes` are an envoy.service.status.v3.ClientStatusResponse on the wire.
 * *lost counts parts as xds_convert_lost() does. XDS_ERR_USAGE: they are no such message,
 * or the format is binary, which they are in. XDS_ERR_NO_MEMORY also when a resource, or
 * as text proto the whole, takes more than 512 MiB. XDS_ERR_IO: `to` failed. Then less
 * than all was written. JSON and YAML take the memory of one resource. */
XDS_API XDS_MUST_USE enum xds_status
xds_convert_status(struct xds_slice bytes, const struct xds_convert_options *options,
                   const struct xds_printer *to, size_t *lost);

#endif
