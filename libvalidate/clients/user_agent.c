/* user_agent.c - the client and its release, as it names itself to a control plane. */
#include "clients/user_agent.h"

#include <stdio.h>

#include "base/slice.h"

static const struct agent {
    enum xds_client client;
    const char *name;
} agents[] = {
#define XDS_USER_AGENT(id, name) {XDS_CLIENT_##id, name},
#include "include/xdscope/clients.def"
};

static const struct core_version {
    unsigned major, minor;
    struct xds_release release;
} core_versions[] = {
#define XDS_CORE_VERSION(core_major, core_minor, major, minor)                           \
    {core_major, core_minor, {major, minor, 0}},
#include "include/xdscope/clients.def"
};

static const struct agent *find_agent(struct xds_slice name)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(agents); i++)
        if (xds_slice_starts(name, xds_slice_of(agents[i].name)))
            return &agents[i];
    return NULL;
}

/* The words of a version, separated by blanks: the last one, and how many. */
static size_t last_word(struct xds_slice text, struct xds_slice *word)
{
    size_t n = 0;

    for (struct xds_slice rest = text; rest.data; n++)
        rest = xds_slice_cut(rest, ' ', word);
    return n;
}

/* "1.85.1", of which the first two numbers are needed. */
static bool read_version(struct xds_slice text, uint64_t part[3])
{
    size_t n = 0;

    part[0] = part[1] = part[2] = 0;
    while (text.data && n < 3) {
        struct xds_slice number;

        text = xds_slice_cut(text, '.', &number);
        if (!xds_slice_to_u64(number, &part[n]) || part[n] > 9999)
            break;
        n++;
    }
    return n >= 2;
}

/* "C-core 58.0.0" is the version of the library, not of a release. */
static bool find_core_release(uint64_t part[3])
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(core_versions); i++) {
        const struct core_version *row = &core_versions[i];

        if (row->major != part[0] || row->minor != part[1])
            continue;
        part[0] = row->release.major;
        part[1] = row->release.minor;
        part[2] = row->release.patch;
        return true;
    }
    return false;
}

struct xds_client_label xds_user_agent_label(struct xds_slice name,
                                             struct xds_slice version)
{
    const struct agent *agent = find_agent(name);
    struct xds_client_label label = {""};
    struct xds_slice word = {NULL, 0};
    uint64_t part[3];

    if (!agent)
        return label;
    const size_t n = last_word(version, &word);
    const bool of_library = agent->client == XDS_CLIENT_CORE && n == 2;
    const struct xds_client_release newest = {.client = agent->client};

    if (!read_version(word, part) || (of_library && !find_core_release(part)))
        return xds_client_label(newest);
    (void)snprintf(label.text, sizeof label.text, "%s@%u.%u.%u",
                   xds_client_name(agent->client), (unsigned)part[0], (unsigned)part[1],
                   (unsigned)part[2]);
    return label;
}
