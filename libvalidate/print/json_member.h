/* json_member.h - members of JSON objects, and the object that is a whole document. */
#ifndef XDS_PRINT_JSON_MEMBER_H
#define XDS_PRINT_JSON_MEMBER_H

#include "print/out.h"

/* The object with the "version" of our own formats; and its end, with a line break. */
void xds_json_begin_document(struct xds_out *out);
void xds_json_end_document(struct xds_out *out);

/* The key, and the value as xds_json_string() and its like write it. */
XDS_UNROLLED void xds_json_key_string(struct xds_out *out, const char *key,
                                      struct xds_slice value)
{
    xds_json_key(out, key);
    xds_json_string(out, value);
}

XDS_UNROLLED void xds_json_key_string_or_null(struct xds_out *out, const char *key,
                                              struct xds_slice value)
{
    xds_json_key(out, key);
    xds_json_string_or_null(out, value);
}

XDS_UNROLLED void xds_json_key_text(struct xds_out *out, const char *key,
                                    const char *value)
{
    xds_json_key(out, key);
    xds_json_text(out, value);
}

XDS_UNROLLED void xds_json_key_u64(struct xds_out *out, const char *key, uint64_t value)
{
    xds_json_key(out, key);
    xds_json_u64(out, value);
}

XDS_UNROLLED void xds_json_key_bool(struct xds_out *out, const char *key, bool value)
{
    xds_json_key(out, key);
    xds_json_bool(out, value);
}

#endif
