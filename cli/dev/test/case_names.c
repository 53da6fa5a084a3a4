/*
 * case_names.c - the newest release of a client by name, for cases that are not about it.
 *
 * Without it a new release would change every output that says who was asked.
 */
#include "cli/dev/test/case_names.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "include/xdscope.h"

static const struct client {
    const char *name, *judged;
} clients[] = {
#define XDS_CLIENT(id, name, as, aliases, title, judged)                                 \
    [XDS_CLIENT_##id] = {name, judged},
#include "include/xdscope/clients.def"
};

/* A row of clients.def: the last one of a client is its newest release. */
static const struct release {
    enum xds_client client;
    const char *version, *minor;
} releases[] = {
#define XDS_RELEASE(id, major, minor, patch, day)                                        \
    {XDS_CLIENT_##id, #major "." #minor "." #patch, #major "." #minor},
#include "include/xdscope/clients.def"
};

static const struct core_version {
    const char *version;
} core_versions[] = {
#define XDS_CORE_VERSION(core_major, core_minor, major, minor)                           \
    {#core_major "." #core_minor ".0"},
#include "include/xdscope/clients.def"
};

static const struct release *newest(enum xds_client client)
{
    const struct release *last = NULL;

    for (size_t i = 0; i < sizeof releases / sizeof *releases; i++)
        if (releases[i].client == client)
            last = &releases[i];
    return last;
}

static bool goes_on(char c)
{
    return isalnum((unsigned char)c) || c == '.';
}

/* "go", or as a client says its own name: "gRPC Go version=1.85.0". */
static bool is_word(const char *text, const char *at, const char *word)
{
    const size_t len = strlen(word);

    return strncasecmp(at, word, len) == 0 && !isalpha((unsigned char)at[len]) &&
           (at == text || !isalpha((unsigned char)at[-1]));
}

/* Is the last client that the line names before this place this one? */
static bool is_of(const char *text, const char *at, enum xds_client client)
{
    for (; at > text && at[-1] != '\n'; at--) {
        if (is_word(text, at, "Python"))
            return client == XDS_CLIENT_CORE;
        for (enum xds_client c = XDS_CLIENT_CORE; c < XDS_CLIENTS; c++)
            if (is_word(text, at, clients[c].name))
                return c == client;
    }
    return false;
}

/* Every `version` of the text that is a word by itself, as {name}. Frees the text. */
static char *put(char *text, const char *version, const char *name,
                 enum xds_client client)
{
    size_t size;
    char *out = NULL;
    FILE *to = open_memstream(&out, &size);
    const char *from = text;

    if (!to)
        abort();
    for (const char *at = text; (at = strstr(at, version)); at += strlen(version)) {
        const char *end = at + strlen(version);
        const bool begins = at == text || !goes_on(at[-1]) ||
                            (at - text >= 2 && strncmp(at - 2, "..", 2) == 0);
        const bool ends = !goes_on(*end) || (*end == '.' && !goes_on(end[1]));

        if (!begins || !ends || !is_of(text, at, client))
            continue;
        fprintf(to, "%.*s{%s}", (int)(at - from), from, name);
        from = end;
    }
    fputs(from, to);
    if (fclose(to) != 0)
        abort();
    free(text);
    return out;
}

char *case_put_names(const char *text, const char *given)
{
    const size_t last = sizeof core_versions / sizeof *core_versions - 1;
    char *out = strdup(text);

    if (!out)
        abort();
    for (enum xds_client c = XDS_CLIENT_CORE; c < XDS_CLIENTS; c++) {
        out = put(out, clients[c].judged, "judged", c);
        if (!strstr(given, newest(c)->minor))
            out = put(out, newest(c)->version, clients[c].name, c);
    }
    return strstr(given, core_versions[last].version) ||
                   strstr(given, newest(XDS_CLIENT_CORE)->minor)
               ? out
               : put(out, core_versions[last].version, "C-core", XDS_CLIENT_CORE);
}
