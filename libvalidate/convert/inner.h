/* inner.h - what the files of this room share. */
#ifndef XDS_CONVERT_INNER_H
#define XDS_CONVERT_INNER_H

#include "base/arena.h"
#include "base/digits.h"
#include "base/path.h"
#include "decode/decode.h"
#include "decode/field.h"
#include "decode/pb.h"
#include "print/write/out.h"

#define XDS_SCALAR_TEXT 48

/* The fewest digits that read back as the number, which is finite; single: as a float. */
struct xds_slice xds_text_of_double(double value, bool single, char out[XDS_SCALAR_TEXT]);
/* These give an absent text when the message has no text form: it is then an object. */
struct xds_slice xds_text_of_duration(const pb_duration *duration,
                                      char out[XDS_SCALAR_TEXT]);
struct xds_slice xds_text_of_timestamp(const pb_timestamp *timestamp,
                                       char out[XDS_SCALAR_TEXT]);
struct xds_slice xds_text_of_mask(const pb_field_mask *mask, struct xds_arena *arena);
/* Base64 with padding. */
struct xds_slice xds_text_of_bytes(struct xds_slice bytes, struct xds_arena *arena);

/* Where a message goes in the JSON mapping: as JSON or as YAML. Events come as in JSON:
 * in an object a key before each value. Both are for eyes: two blanks for each level. */

enum xds_sink_event {
    XDS_SINK_OBJECT,
    XDS_SINK_OBJECT_END,
    XDS_SINK_ARRAY,
    XDS_SINK_ARRAY_END,
    XDS_SINK_KEY,
    XDS_SINK_STRING,
    XDS_SINK_PLAIN, /* a number, true, false or null */
};

struct xds_sink_level;

struct xds_sink {
    void (*put)(struct xds_sink *, enum xds_sink_event, struct xds_slice text);
    struct xds_out *out;
    unsigned depth;
    /* JSON */
    unsigned indent; /* of all lines but the first */
    bool fresh;      /* nothing is in the innermost bracket yet */
    bool after_key;  /* a value on the line of its key */
    /* YAML */
    struct xds_arena *arena; /* of the levels */
    struct xds_sink_level *level;
    size_t cap;
    enum {
        XDS_SINK_AT_START,
        XDS_SINK_AFTER_MARK, /* "-", "?", or the ":" on its line */
        XDS_SINK_AFTER_KEY,  /* and its ":" */
        XDS_SINK_AFTER_VALUE
    } at;
};

void xds_sink_json(struct xds_sink *sink, struct xds_out *out, unsigned indent);
/* One document, without "---"; the arena is for its time. */
void xds_sink_yaml(struct xds_sink *sink, struct xds_out *out, struct xds_arena *arena);

struct xds_mapping {
    struct xds_sink *sink;
    struct xds_arena *arena; /* for texts */
    const struct xds_kept *kept;
    bool json_names; /* lowerCamelCase instead of snake_case */
    bool of_json;    /* what was kept came from JSON or YAML, and can be repeated */
    unsigned levels, most_levels; /* of objects and lists */
};

/* The message in an Any, which says its type in front; one whose message is not known as
 * its bytes, under "@value". */
void xds_mapping_any(struct xds_mapping *m, const struct xds_any *any);

/* What is between the brackets of a message that is in no Any, and one more key there. */
void xds_mapping_fields(struct xds_mapping *m, const ProtobufCMessage *message);
void xds_mapping_key(struct xds_mapping *m, const ProtobufCFieldDescriptor *field);

struct xds_text_writer {
    struct xds_out *out;
    struct xds_arena *arena; /* for the bytes of Anys that are not written out */
    const struct xds_kept *kept;
    struct xds_unread_types *types; /* for these bytes */
    bool of_text; /* what was kept came from a text proto, and can be repeated */
    unsigned depth, deepest;
};

/* The comment in front that says what it is. */
void xds_text_header(struct xds_out *out, struct xds_slice message);
/* The fields of a message, each on lines of its own. */
void xds_text_fields(struct xds_text_writer *w, const ProtobufCMessage *message);
/* The inside of an Any: "[URL] { ... }", or its type_url and value. */
void xds_text_any(struct xds_text_writer *w, const struct xds_any *any);
/* A string in quotes. */
void xds_text_string(struct xds_out *out, struct xds_slice text);
/* Is the message in the Any written out? */
bool xds_text_is_open(const struct xds_any *any);

/* What a form cannot say of a message, by path. */
struct xds_lost {
    struct xds_arena *arena; /* of the words */
    const struct xds_kept *kept;
    struct xds_slice bytes; /* of the resource, if it is binary */
    enum xds_format from, to;
    size_t n;
    struct xds_slice words[XDS_MAX_LOST_NAMED]; /* "PATH: why", of the first of them */
    unsigned depth, deepest;    /* of messages: in the Any that is looked at, */
    bool is_through;            /* or through all of them */
    unsigned wanted;            /* 0, or a depth: */
    struct xds_slice wanted_at; /* the path to the first message there */
};

/* Adds to lost. */
void xds_lost_find(struct xds_lost *lost, const struct xds_any *root);
/* The same of a message that is in no Any. */
void xds_lost_find_in(struct xds_lost *lost, const ProtobufCMessage *message);
/* What is said of a text that nests too deep, and where most messages are in each other.
 */
struct xds_slice xds_lost_too_deep(struct xds_arena *arena, const struct xds_any *root);

/* What forms need to know of the run. */
struct xds_convert {
    struct xds_report *report;
    struct xds_convert_options options;
    const struct xds_form *form;
    struct xds_out out;
    struct xds_arena decode; /* reset per resource */
    struct xds_arena held;   /* of the whole run: the first resource, and type_url */
    struct xds_kept kept;
    struct xds_names names;
    struct xds_sink sink;
    struct xds_slice type_url; /* of all resources so far, unless they differ */
    bool types_differ;
    size_t n; /* resources */
    struct xds_page {
        struct xds_slice text;
        struct xds_slice type_url;
        bool packed; /* text proto: an Any with type_url and value, not its message */
        bool needs_response; /* which alone says its type */
        unsigned indent;     /* of its lines among others */
        unsigned levels;     /* that are nested in its text; 0 in binary */
    } first;                 /* held until it is known whether there are more */
    size_t lost;
    struct xds_lost_part {
        struct xds_place at;
        struct xds_slice words;
    } part[XDS_MAX_LOST_NAMED]; /* the first of them */
    size_t n_parts;
};

struct xds_form {
    /* The text of one resource, into out. */
    void (*render)(struct xds_convert *c, const struct xds_resource *in,
                   const struct xds_any *root, struct xds_out *out,
                   struct xds_page *page);
    /* One resource that is alone. */
    void (*alone)(struct xds_convert *c, struct xds_page *page);
    /* None or several: what is before, before and after each, and after. */
    void (*open)(struct xds_convert *c);
    void (*begin)(struct xds_convert *c, struct xds_page *page, bool is_first);
    void (*end)(struct xds_convert *c, const struct xds_page *page);
    void (*close)(struct xds_convert *c);
    bool has_lengths; /* begin() has to know the text */
};

/* One of several, whose text is known. */
void xds_form_item(struct xds_convert *c, struct xds_page *page, bool is_first);

extern const struct xds_form xds_form_json, xds_form_yaml, xds_form_text, xds_form_binary;

#endif
