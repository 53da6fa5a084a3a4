/* harness.h - one hostile input through everything a user can reach with it. */
#ifndef XDS_FUZZ_HARNESS_H
#define XDS_FUZZ_HARNESS_H

#include <stddef.h>
#include <stdint.h>

#include "include/xdscope.h"

/* Lints the bytes as a file of this name (its ending tells the format), explains an RPC
 * over what was accepted, generates configs from it, judges the bytes as a config, and
 * prints all of that in every form to nowhere, and the resources in every format. */
void xds_fuzz_file(const char *name, const uint8_t *data, size_t size);
/* Plays the bytes as scenarios, JSON or YAML, as each client and as none, and prints them
 * in every form to nowhere. */
void xds_fuzz_scenario(const uint8_t *data, size_t size);
/* The input files of a .case text, each as xds_fuzz_file() does. */
void xds_fuzz_case(const uint8_t *data, size_t size);
/* The bytes as the value of the Any around one resource of this type: judged by all five
 * clients, printed in every form, what was printed read back as a log, and explained
 * among the other resources that an RPC needs. A hash of the bytes says whether guards
 * are on and whether there is a bootstrap. */
void xds_fuzz_resource(enum xds_resource_type type, const uint8_t *data, size_t size);

/* The bytes as a config that one of the clients checks, and as the update before of
 * configs that are generated and checked in turn; a hash of the bytes says which client.
 */
void xds_fuzz_config(const uint8_t *data, size_t size);

/* The bytes as a session cookie, as its clear text and as a Cookie header: encoded,
 * decoded, parsed as each client does and carried by an RPC. */
void xds_fuzz_cookie(const uint8_t *data, size_t size);
/* A pattern, a subject and a substitution on a line each: read, rewritten, compiled and
 * matched until the pattern is hot. */
void xds_fuzz_regex(const uint8_t *data, size_t size);
/* The bytes as YAML, read line by line where that can be done, and by libyaml alone: the
 * tokens are the same. */
void xds_fuzz_yaml(const uint8_t *data, size_t size);
/* An Any in wire form whose resource is judged in every format. */
void xds_fuzz_forms(const uint8_t *data, size_t size);
/* What a control plane sends to a client, and when: requests come to an end, and the dump
 * holds what the client does. */
void xds_fuzz_ads(const uint8_t *data, size_t size);
/* A message of a RouteConfiguration and a request: the index of routes answers as the
 * plain walk does. */
void xds_fuzz_routes(const uint8_t *data, size_t size);
/* The bytes of a gRPC stream, after a byte that says whether it is compressed and how
 * large pieces are, and one that says which: the messages are those of the whole. */
void xds_fuzz_frames(const uint8_t *data, size_t size);

/* A text, after four bytes that say which syntax it has, and how and where a secret is
 * put into it: nothing that is printed of it shows that. */
void xds_fuzz_secrets(const uint8_t *data, size_t size);

struct xds_decision;
/* Fails if the priorities that a decision prints are not those of its hosts. */
void xds_fuzz_agree(const struct xds_decision *decision);
/* What an RPC needs besides the only resource of the report, to get there. */
void xds_fuzz_add_companions(struct xds_check *check, const struct xds_report *report,
                             enum xds_resource_type of);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
