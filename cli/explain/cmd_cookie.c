/*
 * cmd_cookie.c - xdscope cookie: the session-affinity cookie, made and read.
 *
 * Source: gRFC A55, A60, A61.
 */
#include "cli/explain/request.h"
#include "cli/files/output.h"

#include <stdlib.h>
#include <string.h>

struct cookie_settings {
    struct common common;
    struct text_list hosts;
    const char *cluster;
};

static const struct option rows[] = {
    {VALUE_ROW(LIST, cookie_settings, hosts, "host", "ADDR"),
     .help = "encode: addresses of the host, separated by commas or repeated"},
    {VALUE_ROW(TEXT, cookie_settings, cluster, "cluster", "NAME"),
     .help = "encode: name of the cluster, the part that gRFC A60 adds"},
};

static const struct option_group cookie_options = {.options = rows, .n = ARRAY_LEN(rows)};

static bool put(struct output *out, const char *data, size_t len)
{
    return out->printer.write(out->printer.user, data, len);
}

static int print_line(const struct command *self, const struct common *settings,
                      const char *text, size_t len)
{
    struct output out;
    const int status = output_open(&out, self, settings, false);

    if (status != EXIT_CLEAN)
        return status;
    const bool written = put(&out, text, len) && put(&out, "\n", 1);

    return output_close(&out, written ? XDS_OK : XDS_ERR_IO);
}

static int encode(const struct command *self, struct cookie_settings *settings,
                  const struct operands *operands)
{
    const char *first = operands->n > 1 ? operands->items[1] : NULL;
    const char *cluster = operands->n > 2 ? operands->items[2] : settings->cluster;

    if (operands->n > 3 || (settings->hosts.n > 0 && first) ||
        (settings->cluster && operands->n > 2))
        return usage_error(self, "encode takes ADDR[,ADDR] and CLUSTER, each once");
    if (settings->hosts.n == 0 && !first)
        return usage_error(self, "encode needs ADDR[,ADDR]");
    const struct text_list given = {&first, 1};
    char *value = cookie_value(first ? &given : &settings->hosts, cluster);

    if (!value)
        return trouble(self, "out of memory");
    const int status = print_line(self, &settings->common, value, strlen(value));

    free(value);
    return status;
}

/* Bytes that would drive a terminal become \xNN. dest has room for four times len. */
static size_t make_printable(char *dest, const char *text, size_t len)
{
    static const char digits[] = "0123456789abcdef";
    size_t n = 0;

    for (size_t i = 0; i < len; i++) {
        const unsigned char c = (unsigned char)text[i];

        if (c >= 0x20 && c < 0x7f) {
            dest[n++] = text[i];
            continue;
        }
        dest[n++] = '\\';
        dest[n++] = 'x';
        dest[n++] = digits[c >> 4];
        dest[n++] = digits[c & 15];
    }
    return n;
}

static int print_clear(const struct command *self, const struct common *settings,
                       const char *text, size_t len)
{
    char *line = malloc(len * 4 + 1);

    if (!line)
        return trouble(self, "out of memory");
    const int status = print_line(self, settings, line, make_printable(line, text, len));

    free(line);
    return status;
}

static int decode(const struct command *self, struct cookie_settings *settings,
                  const struct operands *operands)
{
    size_t len;

    if (operands->n != 2 || settings->hosts.n > 0 || settings->cluster)
        return usage_error(self, "decode takes one VALUE");
    const struct xds_slice value = slice_of(operands->items[1]);
    char *text = malloc(value.len + 1);
    int status;

    if (!text)
        return trouble(self, "out of memory");
    if (xds_cookie_decode(value, text, value.len + 1, &len)) {
        status = print_clear(self, &settings->common, text, len);
    } else {
        (void)usage_error(self, "'%s' is not a base64-encoded cookie; clients ignore it",
                          value.data);
        status = EXIT_FINDINGS;
    }
    free(text);
    return status;
}

static int run(const struct command *self, void *arg, const struct operands *operands)
{
    const char *verb = operands->n > 0 ? operands->items[0] : "";

    if (strcmp(verb, "encode") == 0)
        return encode(self, arg, operands);
    if (strcmp(verb, "decode") == 0)
        return decode(self, arg, operands);
    return usage_error(self, "expected encode or decode");
}

const struct command cmd_cookie = {
    .name = "cookie",
    .operands = "encode ADDR[,ADDR] [CLUSTER] | decode VALUE",
    .summary = "encode and decode the session-affinity cookie",
    .operand_kind = OPERANDS_WORDS,
    .operand_words = (const char *const[]){"encode", "decode", NULL},
    .groups =
        (const struct option_group *const[]){&cookie_options, &common_options, NULL},
    .settings_size = sizeof(struct cookie_settings),
    .examples = "cookie encode 10.0.0.1:80 shop\n"
                "cookie decode MTAuMC4wLjE6ODA7c2hvcA==",
    .run = run,
};
