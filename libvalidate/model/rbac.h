/* rbac.h - the RBAC of a server: policies as trees of rules. Immutable once built.
 * Source: gRFC A41, A59. */
#ifndef XDS_MODEL_RBAC_H
#define XDS_MODEL_RBAC_H

#include "model/address.h"
#include "model/matcher.h"

/* With the values of the resource; any other is kept as it is. */
enum xds_rbac_action { XDS_RBAC_ALLOW, XDS_RBAC_DENY, XDS_RBAC_LOG };

enum xds_rbac_rule_kind {
    XDS_RBAC_UNKNOWN, /* none is set, or none that gRPC knows */
    XDS_RBAC_ANY,
    XDS_RBAC_AND,
    XDS_RBAC_OR,
    XDS_RBAC_NOT,
    XDS_RBAC_HEADER,
    XDS_RBAC_URL_PATH,
    XDS_RBAC_METADATA, /* gRPC has none: matches only where it is inverted */
    /* Of permissions. */
    XDS_RBAC_DESTINATION_IP,
    XDS_RBAC_DESTINATION_PORT,
    XDS_RBAC_DESTINATION_PORT_RANGE,
    XDS_RBAC_REQUESTED_SERVER_NAME,
    /* Of principals. */
    XDS_RBAC_AUTHENTICATED,
    XDS_RBAC_SOURCE_IP,
    XDS_RBAC_DIRECT_REMOTE_IP,
    XDS_RBAC_REMOTE_IP,
};

/* A permission or a principal. */
struct xds_rbac_rule {
    enum xds_rbac_rule_kind kind;
    const char *field; /* of the oneof: "and_rules"; NULL: UNKNOWN */
    bool any;          /* ANY: its value */
    bool invert;       /* METADATA */
    const struct xds_header_matcher *header; /* HEADER */
    /* URL_PATH, REQUESTED_SERVER_NAME, AUTHENTICATED; NULL: not set, or without a usable
     * pattern. */
    const struct xds_string_matcher *string;
    bool string_set;                  /* is the field there, whatever it holds? */
    const struct xds_ip_range *range; /* the kinds that end in _IP */
    int64_t port, port_end; /* [port, port_end), of DESTINATION_PORT as written */
    const struct xds_rbac_rule *rules; /* AND, OR; NOT: just one */
    size_t n_rules;
};

struct xds_rbac_policy {
    struct xds_slice name;
    const struct xds_rbac_rule *permissions, *principals; /* one of each must match */
    size_t n_permissions, n_principals;
};

/* gRFC A59, with the values of the resource. */
enum xds_audit_condition {
    XDS_AUDIT_NONE,
    XDS_AUDIT_ON_DENY,
    XDS_AUDIT_ON_ALLOW,
    XDS_AUDIT_ON_DENY_AND_ALLOW,
};

struct xds_audit_logger {
    struct xds_slice name; /* of the TypedExtensionConfig */
    struct xds_slice type; /* the message in typed_config, or what a TypedStruct names */
    bool is_optional;
    bool is_stdout;         /* the one that is built in */
    xds_readers dropped_by; /* readers that leave it out; of clients the lowest bits */
};

struct xds_rbac {
    bool has_rules;  /* false: nothing is enforced, and the rest is unset */
    uint32_t action; /* enum xds_rbac_action */
    const struct xds_rbac_policy *policies; /* as sent, each name once */
    size_t n_policies;
    bool has_audit;           /* audit_logging_options is set */
    uint32_t audit_condition; /* enum xds_audit_condition */
    const struct xds_audit_logger *loggers;
    size_t n_loggers;
    bool has_matcher;      /* decides for Envoy; gRPC does not read it */
    bool has_shadow_rules; /* no gRPC client reads them */
};

#endif
