/* format.c - which format an input has. */
#include "source/format.h"

#include <string.h>

#include "source/text/text_source.h"

#define SNIFFED ((size_t)1024) /* bytes that tell the format */

static bool is_control(char c)
{
    const unsigned char byte = (unsigned char)c;

    return byte < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f';
}

static bool has_control(struct xds_slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (is_control(text.data[i]))
            return true;
    }
    return false;
}

/* The first two bytes that are no white space tell JSON from the flow style of YAML,
 * whose keys are seldom in quotes. */
static bool looks_like_json(struct xds_slice text)
{
    char first[2] = {'\0', '\0'};
    size_t n = 0;

    for (size_t i = 0; i < text.len && n < 2; i++) {
        if (!strchr(" \t\r\n", text.data[i]))
            first[n++] = text.data[i];
    }
    return (first[0] == '{' && strchr("\"}", first[1])) ||
           (first[0] == '[' && strchr("{[]", first[1]));
}

enum xds_ending xds_format_tell(const char *path, struct xds_buffer *in)
{
    const enum xds_ending ending = xds_input_ending(path);

    if (ending != XDS_ENDING_NONE)
        return ending;
    xds_buffer_need(in, 0, SNIFFED);
    struct xds_slice text = xds_buffer_from(in, 0);
    if (text.len > SNIFFED)
        text.len = SNIFFED;
    if (xds_slice_starts(text, XDS_S("\xEF\xBB\xBF")))
        text = xds_slice_from(text, 3);
    if (has_control(text))
        return XDS_ENDING_BINARY;
    if (xds_text_has_header(text))
        return XDS_ENDING_TEXT_PROTO;
    return looks_like_json(text) ? XDS_ENDING_JSON : XDS_ENDING_YAML;
}
