/* config.c - a generated config as JSON, and the heading of its other formats. */
#include "print/config/config.h"

static const char *const titles[] = {
    [XDS_CONFIG_CURRENT] = "service config",
    [XDS_CONFIG_A28] = "service config as of gRFC A28",
    [XDS_CONFIG_METHODS] = "service config for clients without xDS",
    [XDS_CONFIG_LEGACY] = "LB policies as before gRFC A74",
};

void xds_out_config_title(struct xds_out *out, const struct xds_config *config)
{
    const bool today = config->form == XDS_CONFIG_CURRENT;

    xds_out_text(out,
                 config->is_lb_config && today ? "LB policies" : titles[config->form]);
    if (config->subject.len > 0)
        xds_out_format(out, " of %s\"%.*s\"", config->is_lb_config ? "cluster " : "",
                       XDS_FMT(config->subject));
    if (config->host)
        xds_out_format(out, ", virtual host \"%.*s\"", XDS_FMT(config->host->name));
    xds_out_format(out, ", as client %s", config->as.text);
}

enum xds_status xds_print_config_json(const struct xds_printer *to,
                                      const struct xds_config *config)
{
    struct xds_out out;

    xds_out_init(&out, to);
    if (to->one_line)
        xds_json_tree(&out, &config->document);
    else
        xds_out_tree(&out, &config->document);
    xds_out_char(&out, '\n');
    return xds_out_finish(&out);
}
