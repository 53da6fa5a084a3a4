/* json.h - members and objects of JSON, on top of the writer of out.h. */
#ifndef XDS_PRINT_WRITE_JSON_H
#define XDS_PRINT_WRITE_JSON_H

#include "print/write/out.h"
#include "report/report.h"

/* The object with the "version" of our own formats; and its end, with a line break. */
void xds_json_begin_document(struct xds_out *out);
void xds_json_end_document(struct xds_out *out);

/* The key, and the value as xds_json_string() and its like write it. */
#define XDS_JSON_KEY(name, type)                                                         \
    XDS_UNROLLED void xds_json_key_##name(struct xds_out *out, const char *key,          \
                                          type value)                                    \
    {                                                                                    \
        xds_json_key(out, key);                                                          \
        xds_json_##name(out, value);                                                     \
    }

XDS_JSON_KEY(string, struct xds_slice)
XDS_JSON_KEY(string_or_null, struct xds_slice)
XDS_JSON_KEY(text, const char *)
XDS_JSON_KEY(u64, uint64_t)
XDS_JSON_KEY(bool, bool)
XDS_JSON_KEY(double, double)

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
/* The whole object; the same on a line of its own. */
void xds_json_object(struct xds_out *out, const char *format, ...) XDS_PRINTF(2, 3);
void xds_json_row(struct xds_out *out, const char *format, ...) XDS_PRINTF(2, 3);
static inline void xds_json_begin_row(struct xds_out *out)
{
    xds_json_line(out);
    xds_json_begin_object(out);
}
/* Parts of a string; in the format JSON's escapes are its own: "\\n". */
void xds_json_parts(struct xds_out *out, const char *format, ...) XDS_PRINTF(2, 3);
/* A member that is such a string. */
void xds_json_key_parts(struct xds_out *out, const char *key, const char *format, ...)
    XDS_PRINTF(3, 4);
/* The member "held": what a dump says of a resource. */
void xds_json_held(struct xds_out *out, const struct xds_held *held,
                   struct xds_slice scope);
#define XDS_FMT_OR_NULL(s) (s).data ? (int)(s).len : -1, xds_slice_text(s)

#endif
