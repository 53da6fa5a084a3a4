/* yaml_node.h - what one event of libyaml is in its document; a part of yaml_events.c. */
#ifndef XDS_SOURCE_YAML_YAML_NODE_H
#define XDS_SOURCE_YAML_YAML_NODE_H

#include "source/yaml/yaml_events.h"

/* The token of the event in work. */
void xds_yaml_node(struct xds_yaml_events *e, struct xds_token *out);
/* The event in work begins the value of a key that cannot be used. */
void xds_yaml_refuse_value(struct xds_yaml_events *e, struct xds_token *out);
/* The next token of the innermost alias in work. */
void xds_yaml_replay(struct xds_yaml_events *e, struct xds_token *out);

/* ---- of yaml_events.c ---- */

/* To the next event; false when the document is dead. */
bool xds_yaml_parse(struct xds_yaml_events *e);
/* An error that is in the place of a value. */
void xds_yaml_error(struct xds_token *out, enum xds_rule_id rule, const char *text);
/* An error that ends the document; e->error has its place. */
void xds_yaml_fail(struct xds_yaml_events *e, const char *text);
/* The event in work is nested too deep. */
void xds_yaml_fail_too_deep(struct xds_yaml_events *e);

/* A parser for the chunk; false when there is no memory for it. */
bool xds_yaml_open_parser(struct xds_yaml_events *e);
void xds_yaml_close_parser(struct xds_yaml_events *e);
/* Skip the next event; false when the document has failed. */
bool xds_yaml_pass_event(struct xds_yaml_events *e);

/* ---- of yaml_handover.c ---- */

/* The event in work may be a key from which reading by lines can continue: then it does.
 */
bool xds_yaml_resume_lines(struct xds_yaml_events *e);
/* libyaml reads on where reading by lines has ended; false when the document is dead. */
bool xds_yaml_take_over(struct xds_yaml_events *e);

#endif
