/*
 * kit_test.h - what the tests of readers share: a context, its findings as text, and
 * Anys as decode/ makes them.
 */
#ifndef XDS_RULES_KIT_TEST_H
#define XDS_RULES_KIT_TEST_H

#include "rules/readers.h"

struct kit {
    struct xds_judges judges;
    struct xds_ctx ctx;
    struct xds_options options;
    struct xds_arena arena;
};

/* All clients look, every variable is unset. */
struct kit *kit_new(void);
void kit_free(struct kit *kit);
/* "NAME=VALUE" */
void kit_set_env(struct kit *kit, const char *assignment);
/* "path slug VERDICTS" per line in visit order, VERDICTS as in the rows: "NNAAS". */
const char *kit_findings(struct kit *kit);
/* "type.googleapis.com/" and the type of message. */
pb_any *kit_any(struct kit *kit, const ProtobufCMessage *message);
/* An HttpConnectionManager without fault: routes over ADS, one router. */
pb_http_connection_manager *kit_hcm(struct kit *kit);
/* An Any of which decode/ could make nothing. */
pb_any *kit_opaque(struct kit *kit, const char *type_url, enum xds_any_state state);

#endif
