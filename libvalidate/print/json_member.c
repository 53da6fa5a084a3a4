/*
 * json_member.c - members of JSON objects, and the object that is a whole document.
 *
 * Takes:  keys and values.
 * Gives:  JSON.
 */
#include "print/json_member.h"

void xds_json_begin_document(struct xds_out *out)
{
    xds_json_begin_object(out);
    xds_json_key_u64(out, "version", 1);
}

void xds_json_end_document(struct xds_out *out)
{
    xds_json_end_object(out);
    xds_out_char(out, '\n');
}

void xds_json_key_string(struct xds_out *out, const char *key, struct xds_slice value)
{
    xds_json_key(out, key);
    xds_json_string(out, value);
}

void xds_json_key_string_or_null(struct xds_out *out, const char *key,
                                 struct xds_slice value)
{
    xds_json_key(out, key);
    xds_json_string_or_null(out, value);
}

void xds_json_key_text(struct xds_out *out, const char *key, const char *value)
{
    xds_json_key(out, key);
    xds_json_text(out, value);
}

void xds_json_key_u64(struct xds_out *out, const char *key, uint64_t value)
{
    xds_json_key(out, key);
    xds_json_u64(out, value);
}

void xds_json_key_bool(struct xds_out *out, const char *key, bool value)
{
    xds_json_key(out, key);
    xds_json_bool(out, value);
}
