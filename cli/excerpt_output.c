/*
 * excerpt_output.c - results that show lines of the input.
 *
 * Fails:  as output.c does.
 */
#include "cli/excerpt_output.h"

int excerpt_output_open(struct excerpt_output *out, const struct command *command,
                        const struct common *settings, bool color)
{
    const int status = output_open(&out->to, command, settings, color);

    excerpt_init(&out->excerpt);
    out->to.printer.line = excerpt_line;
    out->to.printer.line_user = &out->excerpt;
    return status;
}

int excerpt_output_close(struct excerpt_output *out, enum xds_status status)
{
    const int result =
        output_close(&out->to, out->excerpt.no_memory ? XDS_ERR_NO_MEMORY : status);

    excerpt_release(&out->excerpt);
    return result;
}
