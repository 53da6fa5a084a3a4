/* json_member.c - the object that is a whole document of JSON. */
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
