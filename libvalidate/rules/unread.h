/*
 * unread.h - fields that are set and that a client does not read.
 *
 * Clients ignore them silently: the resource is accepted, and RPCs behave as without the
 * field.
 */
#ifndef XDS_RULES_UNREAD_H
#define XDS_RULES_UNREAD_H

#include "decode/pb.h"
#include "rules/ctx.h"
#include "rules/unread_plan.h"

/* Report what is set in a resource and not read by one of the selected clients, which are
 * the same each time. Each field is reported once per run. Runs under a guard of
 * unread->arena, and of those in ctx. */
void xds_unread_check(struct xds_unread *unread, struct xds_ctx *ctx,
                      const ProtobufCMessage *resource);

#endif
