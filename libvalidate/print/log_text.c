/* log_text.c - the errors found in a log, for people: each with the rules after it. */
#include "print/rules.h"

#define LONGEST_MESSAGE 200 /* go and java print whole resources after their words */

static const char margin[] = "    ";

static bool is_inside_character(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

static void print_message(struct xds_out *out, struct xds_slice message)
{
    const bool cut = message.len > LONGEST_MESSAGE;

    if (cut)
        message.len = LONGEST_MESSAGE;
    while (cut && message.len > 0 && is_inside_character(message.data[message.len]))
        message.len--;
    xds_out_clean(out, message);
    if (cut)
        xds_out_text(out, "...");
}

/* "Cluster "shop": ", as much of it as is known. */
static void print_subject(struct xds_out *out, const struct xds_log_error *error)
{
    const bool named = error->resource.data != NULL;

    if (!named && *error->type == '\0')
        return;
    xds_out_text(out, *error->type != '\0' ? error->type : "resource");
    if (named) {
        xds_out_text(out, " \"");
        xds_out_clean(out, error->resource);
        xds_out_char(out, '"');
    }
    xds_out_text(out, ": ");
}

static void print_match(struct xds_out *out, const struct xds_log_match *match,
                        const char *before)
{
    xds_out_text(out, margin);
    xds_out_text(out, before);
    xds_out_styled(out, XDS_STYLE_BOLD, match->rule->slug);
    xds_out_text(out, ", in the words of ");
    xds_out_clients(out, match->clients);
    xds_out_char(out, '\n');
    xds_out_text(out, margin);
    xds_out_text(out, margin);
    xds_out_text(out, match->rule->text);
    xds_out_char(out, '\n');
    xds_out_text(out, margin);
    xds_out_text(out, margin);
    xds_out_rule_effect(out, match->rule);
    xds_out_text(out, " (");
    xds_out_text(out, match->rule->source);
    xds_out_text(out, ")\n");
}

static void print_unknown(struct xds_out *out, const struct xds_log_error *error)
{
    xds_out_text(out, margin);
    xds_out_text(out, "no rule has these words");
    if (error->nearest) {
        xds_out_text(out, "; the nearest is ");
        xds_out_text(out, error->nearest->slug);
        xds_out_text(out, ": ");
        xds_out_text(out, error->nearest->text);
    }
    xds_out_char(out, '\n');
}

static void print_error(struct xds_out *out, const struct xds_log_error *error)
{
    print_subject(out, error);
    if (error->path.len > 0) {
        xds_out_clean(out, error->path);
        xds_out_text(out, ": ");
    }
    print_message(out, error->message);
    xds_out_char(out, '\n');
    for (size_t i = 0; i < error->n_matches; i++)
        print_match(out, &error->matches[i], i > 0 ? "or " : "");
    if (error->n_matches == 0)
        print_unknown(out, error);
}

enum xds_status xds_print_log_text(const struct xds_printer *to,
                                   const struct xds_log *log)
{
    const size_t n = xds_log_errors(log);
    struct xds_out out;

    xds_out_init(&out, to);
    for (size_t i = 0; i < n && !out.failed; i++)
        print_error(&out, xds_log_error(log, i));
    return xds_out_finish(&out);
}
