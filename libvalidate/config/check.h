/* check.h - the inside of --check: one walk over a service config or LB config. */
#ifndef XDS_CONFIG_CHECK_H
#define XDS_CONFIG_CHECK_H

#include "regex/regex.h"
#include "catalogue/rule.h"
#include "rules/lb_policy/registry.h"

struct xds_config_check {
    struct xds_report *report;
    struct xds_arena *arena;
    struct xds_lb_judge judge;
    struct xds_lb_observer observer;
    struct xds_regex_cache *regexes;
};

/* One fault at a path; the rule's row decides, for every client. */
void xds_config_fault(struct xds_config_check *check, enum xds_rule_id rule,
                      const struct xds_path *at, const char *format, ...)
    XDS_PRINTF(4, 5);
/* A fault of one field, whose name begins the message. */
void xds_config_field_fault(struct xds_config_check *check, enum xds_rule_id rule,
                            const struct xds_path *at, struct xds_slice message);
/* The same, as the parser of a policy says it. */
void xds_config_policy_fault(struct xds_config_check *check, const struct xds_path *at,
                             struct xds_slice message);
/* A list of policies in the member `field` of `up`. */
void xds_config_check_list(struct xds_config_check *check, const struct xds_path *up,
                           const char *field, const struct xds_tree *list);
/* Keys that appear twice in one object, anywhere in the document. */
void xds_config_check_keys(struct xds_config_check *check,
                           const struct xds_tree *document);

/* The policies that no client of today has, but that are generated or were. */
void xds_config_check_routing(struct xds_config_check *check, const struct xds_path *at,
                              const struct xds_tree *config);
void xds_config_check_resolver(struct xds_config_check *check, const struct xds_path *at,
                               const struct xds_tree *config);
/* The value of "methodConfig". */
void xds_config_check_methods(struct xds_config_check *check, const struct xds_path *at,
                              const struct xds_tree *methods);

/* A field that is there and of this kind, or NULL; null is absent. Another kind is a
 * fault of rule CONFIG_FIELD at the field. */
const struct xds_tree *xds_config_field(struct xds_config_check *check,
                                        const struct xds_path *at,
                                        const struct xds_tree *object, const char *name,
                                        enum xds_tree_kind kind);

#endif
