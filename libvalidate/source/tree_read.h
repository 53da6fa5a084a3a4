/* tree_read.h - JSON and YAML of our own formats as trees: a text, or a file value by
 * value. */
#ifndef XDS_SOURCE_TREE_READ_H
#define XDS_SOURCE_TREE_READ_H

#include "model/tree.h"
#include "source/json/json_source.h"
#include "source/token.h"
#include "source/yaml/yaml.h"

/* What is where the text is no JSON. */
struct xds_json_fault {
    enum xds_rule_id rule;
    size_t begin, end; /* offsets in the text */
    const char *what;
};

/* False with *fault filled when the text is not one JSON value. Numbers are the nearest
 * doubles; depth is bounded by XDS_MAX_NESTING. */
bool xds_tree_read(struct xds_arena *arena, struct xds_slice text, struct xds_tree *out,
                   struct xds_json_fault *fault);

/* The same of what was printed by the program itself, without members that `like`, an
 * object, does not have, at each level at which both have objects. */
bool xds_tree_read_like(struct xds_arena *arena, struct xds_slice text,
                        const struct xds_tree *like, struct xds_tree *out,
                        struct xds_json_fault *fault);

/* The same of JSON that begins at a place of a file, or of tokens recorded from YAML:
 * each value and each key has its line and column there. */
bool xds_tree_read_at(struct xds_arena *arena, const struct xds_resource *in,
                      struct xds_tree *out, struct xds_json_fault *fault);

/* Scenarios and files of tests are read with it: token by token where a file may be long,
 * or a value at a time. Every value and key of a tree knows its line and column. */

struct xds_tree_file {
    int fd; /* -1: bytes */
    struct xds_buffer buffer;
    struct xds_json json;
    struct xds_yaml yaml;
    struct xds_reader *reader;
    enum xds_format format;
    struct xds_arena scratch; /* of the value that is read */
};

/* The first time, all zero. `number` is the file's in the report. False with errno set
 * when it cannot be opened; "-" is standard input. */
bool xds_tree_file_open(struct xds_tree_file *file, const char *path, uint32_t number);
void xds_tree_file_open_bytes(struct xds_tree_file *file, const char *name,
                              struct xds_slice bytes, uint32_t number);
void xds_tree_file_close(struct xds_tree_file *file);
void xds_tree_file_release(struct xds_tree_file *file);

/* All of these run under a guard of these arenas, and of the arena they are given. */
enum { XDS_TREE_FILE_ARENAS = 4 };
void xds_tree_file_arenas(struct xds_tree_file *file,
                          struct xds_arena *arenas[XDS_TREE_FILE_ARENAS]);
/* To the next document that is not empty, and its first token; false when there is none.
 */
bool xds_tree_file_next(struct xds_tree_file *file, struct xds_token *first);
/* The value whose first token this is, as a tree. False with *fault filled: a file that
 * cannot be read on (buffer.error) looks like one that ends too early. */
bool xds_tree_file_value(struct xds_tree_file *file, struct xds_arena *arena,
                         const struct xds_token *first, struct xds_place at,
                         struct xds_tree *out, struct xds_source_fault *fault);
bool xds_token_is_container(const struct xds_token *token);

struct xds_parsed {
    struct xds_arena arena;
    struct xds_tree tree;
    struct xds_slice fault; /* absent: there is none */
    struct xds_place at;
};

#endif
