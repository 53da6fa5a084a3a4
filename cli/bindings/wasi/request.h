/*
 * request.h - what a host of WebAssembly asks for, and the output.
 *
 * Takes:  one line of JSON, then the bytes of the inputs.
 * Gives:  options, inputs and the RPC of it; texts are those of the request's own JSON.
 */
#ifndef XDS_BINDINGS_REQUEST_H
#define XDS_BINDINGS_REQUEST_H

#include <cjson/cJSON.h>

#include "include/xdscope.h"

/* The exit status of the program. */
enum status { STATUS_CLEAN, STATUS_FINDINGS, STATUS_USAGE, STATUS_TROUBLE };

struct output {
    char *data;
    size_t len, cap;
};

struct input {
    const char *name;
    struct xds_slice bytes;
    bool is_answer; /* bytes are a DiscoveryResponse, made here: to be freed */
    bool is_folder;
    size_t n_files; /* of a folder: so many of the inputs after it */
};

struct inputs {
    struct input *items;
    size_t n;
};

struct request {
    cJSON *json;
    const cJSON *clients; /* or NULL */
    struct xds_options options;
    enum xds_client client; /* of call_ask_one() */
    enum xds_resource_type type;
    struct xds_parsed *bootstrap; /* or NULL */
    char *rpc;                    /* JSON, or NULL */
    struct inputs files, old;
    bool has_old, ask_dump;
    const char *format; /* or NULL: json */
};

/* A status after a sentence as output. */
int call_fail(struct output *output, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int call_no_memory(struct output *output);
struct xds_printer call_printer(struct output *output);
struct xds_slice call_slice(const char *text);

/* STATUS_CLEAN, or a status after a sentence. Release it in any case. */
int call_read(struct request *request, struct xds_slice text, struct output *output);
void call_release(struct request *request);
/* The i-th name in "clients", or NULL. */
const char *call_client(const struct request *request, size_t i);
/* Sets the options to all of "clients", or to all there are. */
int call_ask(struct request *request, struct output *output);
/* The same to this one; NULL: C-core. */
int call_ask_one(struct request *request, const char *name, struct output *output);

#endif
