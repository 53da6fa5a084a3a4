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

XDS_UNROLLED void xds_json_key_double(struct xds_out *out, const char *key, double value)
{
    xds_json_key(out, key);
    xds_json_double(out, value);
}

/* The key, and the begin of its object or array. */
XDS_UNROLLED void xds_json_key_object(struct xds_out *out, const char *key)
{
    xds_json_key(out, key);
    xds_json_begin_object(out);
}

XDS_UNROLLED void xds_json_key_array(struct xds_out *out, const char *key)
{
    xds_json_key(out, key);
    xds_json_begin_array(out);
}

/* The same, or null: false when there is nothing to begin. */
XDS_UNROLLED bool xds_json_object_or_null(struct xds_out *out, const char *key,
                                          bool exists)
{
    xds_json_key(out, key);
    if (exists)
        xds_json_begin_object(out);
    else
        xds_json_null(out);
    return exists;
}

XDS_UNROLLED bool xds_json_array_or_null(struct xds_out *out, const char *key,
                                         bool exists)
{
    xds_json_key(out, key);
    if (exists)
        xds_json_begin_array(out);
    else
        xds_json_null(out);
    return exists;
}

XDS_UNROLLED void xds_json_key_u64_or_null(struct xds_out *out, const char *key,
                                           bool exists, uint64_t value)
{
    xds_json_key(out, key);
    if (exists)
        xds_json_u64(out, value);
    else
        xds_json_null(out);
}

XDS_UNROLLED void xds_json_key_bool_or_null(struct xds_out *out, const char *key,
                                            bool exists, bool value)
{
    xds_json_key(out, key);
    if (exists)
        xds_json_bool(out, value);
    else
        xds_json_null(out);
}

/* Members of an object: xds_json_members(out, "name: %.*s, weight: %u", ...), checked by
 * the compiler. A %s is text, null for NULL; a %.*s is text from XDS_FMT() or, if its
 * absence is null, from XDS_FMT_OR_NULL(); %d is false or true; %g is a number, null if
 * it is not finite; %u, %zu and PRIu64 are numbers. */
void xds_json_members(struct xds_out *out, const char *format, ...) XDS_PRINTF(2, 3);
/* The whole object. */
void xds_json_object(struct xds_out *out, const char *format, ...) XDS_PRINTF(2, 3);
#define XDS_FMT_OR_NULL(s) (s).data ? (int)(s).len : -1, xds_slice_text(s)

#endif
