/*
 * rule_url.c - where a page about a rule is, on the site that mk/home.def names.
 *
 * Nothing else is in this file: a program with another site is only linked anew.
 */
#include <stdio.h>

#include "catalogue/spec.h"
#include "include/xdscope.h"

#ifndef XDS_SITE_URL
#define XDS_SITE_URL ""
#endif

_Static_assert(sizeof XDS_SITE_URL <= 256, "SITE_URL is at most 255 bytes long");

const char *xds_site_url(void)
{
    return XDS_SITE_URL;
}

struct xds_rule_url xds_rule_url(const struct xds_rule *rule)
{
    static const char site[] = XDS_SITE_URL;
    struct xds_rule_url url = {""};
    const struct xds_grfc *grfc = xds_grfc_of(rule->source);

    if (*site == '\0')
        (void)snprintf(url.text, sizeof url.text, "%s", grfc ? grfc->url : "");
    else
        (void)snprintf(url.text, sizeof url.text, "%s/rules/%s.html", site, rule->slug);
    return url;
}
