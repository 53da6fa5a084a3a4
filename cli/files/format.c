/* format.c - the formats that resources are written in, as options and files name them.
 */
#include "cli/files/format.h"

#include <string.h>

const char *const format_words[] = {[XDS_FORMAT_JSON] = "json",
                                    [XDS_FORMAT_YAML] = "yaml",
                                    [XDS_FORMAT_BINARY] = "binary",
                                    [XDS_FORMAT_TEXT_PROTO] = "textproto",
                                    NULL};

bool format_of_name(const struct command *command, const char *name,
                    enum xds_format *format)
{
    struct hint hint = hint_for(name, strlen(name));

    for (unsigned i = 0; format_words[i]; i++) {
        if (strcmp(name, format_words[i]) == 0) {
            *format = (enum xds_format)i;
            return true;
        }
        hint_offer(&hint, format_words[i]);
    }
    (void)unknown_error(command, "format", slice_of(name), hint.best,
                        "use json, yaml, textproto or binary");
    return false;
}

/* The endings by which the format of an input is known. */
bool format_of_ending(const char *path, enum xds_format *format)
{
    static const struct {
        const char *text;
        enum xds_format format;
    } endings[] = {
        {".json", XDS_FORMAT_JSON},
        {".yaml", XDS_FORMAT_YAML},
        {".yml", XDS_FORMAT_YAML},
        {".pb", XDS_FORMAT_BINARY},
        {".binpb", XDS_FORMAT_BINARY},
        {".txtpb", XDS_FORMAT_TEXT_PROTO},
        {".textproto", XDS_FORMAT_TEXT_PROTO},
        {".pb_text", XDS_FORMAT_TEXT_PROTO},
        {".pbtxt", XDS_FORMAT_TEXT_PROTO},
        {".prototxt", XDS_FORMAT_TEXT_PROTO},
    };
    const size_t len = path ? strlen(path) : 0;

    for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
        const size_t n = strlen(endings[i].text);

        if (len > n && strcmp(path + len - n, endings[i].text) == 0) {
            *format = endings[i].format;
            return true;
        }
    }
    return false;
}
