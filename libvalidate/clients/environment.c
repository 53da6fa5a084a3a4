/*
 * environment.c - the rows of environment.def, and how each client reads a value.
 *
 * Source: spec listener 12.1, spec cluster 0.6, spec routing 0.1; how go, java and node
 *         read a value is from their sources.
 */
#include "clients/environment.h"

#include "base/text.h"
#include "clients/readers.h"

static const struct xds_env_row variables[XDS_ENVS] = {
#define XDS_ENV(id, name, on, read_by, source, guards, text)                             \
    {name, source, guards, text, on, read_by},
#include "include/xdscope/environment.def"
};

static const struct part {
    const char *name;
    bool by_default;
} parts[XDS_PARTS] = {
#define XDS_PART(id, name, clients, by_default, text) {name, by_default},
#include "include/xdscope/parts.def"
};

const struct xds_env_row *xds_env_row(enum xds_env env)
{
    return &variables[env];
}

const char *xds_env_name(enum xds_env env)
{
    return variables[env].name;
}

void xds_options_init(struct xds_options *options)
{
    *options = (struct xds_options){.clients = XDS_ALL_CLIENTS};
    for (unsigned i = 0; i < XDS_PARTS; i++)
        options->linked |= parts[i].by_default ? 1u << i : 0;
}

enum xds_status xds_options_link(struct xds_options *options, struct xds_slice part)
{
    struct xds_slice name;
    const struct xds_slice value = xds_slice_cut(part, '=', &name);

    for (unsigned i = 0; i < XDS_PARTS; i++) {
        if (!xds_slice_is(name, parts[i].name))
            continue;
        if (value.data && !xds_slice_is(value, "no"))
            return XDS_ERR_USAGE;
        options->linked &= ~(1u << i);
        options->linked |= value.data ? 0 : 1u << i;
        return XDS_OK;
    }
    return XDS_ERR_USAGE;
}

bool xds_part_linked(const struct xds_options *options, enum xds_part part)
{
    return options->linked >> part & 1u;
}

/* Clients for which a value is true, and those for which it is as if unset; for the
 * others it is false. */
struct reading {
    unsigned on, as_unset;
};

/* Values of env_set after the two that mean the same to all. */
enum { IN_CAPITALS = XDS_ENV_TRUE + 1, C_TRUE, NO_WORD, EMPTY };

/* go knows the words true and false, in any case, and takes its default for all else;
 * java, node and the documents know true alone, node in small letters. For java an empty
 * value is unset. */
static const struct reading readings[] = {
    [XDS_ENV_UNSET] = {0, XDS_ALL_CLIENTS},
    [XDS_ENV_FALSE] = {0, 0},
    [XDS_ENV_TRUE] = {XDS_ALL_CLIENTS, 0},
    [IN_CAPITALS] = {XDS_ALL_CLIENTS & ~XDS_NODE, 0},
    [C_TRUE] = {XDS_CORE, XDS_GO},
    [NO_WORD] = {0, XDS_GO},
    [EMPTY] = {0, XDS_GO | XDS_JAVA},
};

/* The other words that absl takes for true. */
static bool is_true_to_core(struct xds_slice value)
{
    static const char *const words[] = {"1", "t", "y", "yes"};

    for (size_t i = 0; i < XDS_ARRAY_LEN(words); i++)
        if (xds_slice_eq_fold(value, xds_slice_of(words[i])))
            return true;
    return false;
}

static uint64_t word_of(struct xds_slice value)
{
    if (value.len == 0)
        return EMPTY;
    if (xds_slice_is(value, "true"))
        return XDS_ENV_TRUE;
    if (xds_slice_eq_fold(value, XDS_S("true")))
        return IN_CAPITALS;
    if (xds_slice_eq_fold(value, XDS_S("false")))
        return XDS_ENV_FALSE;
    return is_true_to_core(value) ? C_TRUE : NO_WORD;
}

const char *xds_env_word(uint64_t set)
{
    static const char *const words[] = {
        [XDS_ENV_UNSET] = NULL, [XDS_ENV_FALSE] = "false", [XDS_ENV_TRUE] = "true",
        [IN_CAPITALS] = "TRUE", [C_TRUE] = "yes",          [NO_WORD] = "no",
        [EMPTY] = "",
    };

    return set < XDS_ARRAY_LEN(words) ? words[set] : NULL;
}

static const char *nearest_name(struct xds_slice name)
{
    /* The names are long and begin alike. */
    struct xds_nearest nearest = {.name = name, .distance = 12};

    for (size_t i = 0; i < XDS_ENVS; i++)
        xds_nearest_offer(&nearest, variables[i].name);
    return nearest.best;
}

enum xds_status xds_options_set_env(struct xds_options *options,
                                    struct xds_slice assignment, const char **hint)
{
    struct xds_slice name;
    const struct xds_slice value = xds_slice_cut(assignment, '=', &name);

    *hint = NULL;
    for (unsigned i = 0; i < XDS_ENVS; i++) {
        if (xds_slice_is(name, variables[i].name)) {
            if (!value.data)
                return XDS_ERR_USAGE;
            uint64_t number;

            options->env_set[i] = i == XDS_ENV_RING_HASH_CAP &&
                                          xds_slice_to_u64(value, &number) &&
                                          number < UINT32_MAX
                                      ? number + XDS_ENV_FIRST_NUMBER
                                      : word_of(value);
            return XDS_OK;
        }
    }
    *hint = nearest_name(name);
    return XDS_ERR_USAGE;
}

/* The last one ends the table. */
static const struct xds_env_before history[] = {
#define XDS_ENV_BEFORE(id, client, major, minor, on, read, source)                       \
    {XDS_ENV_##id, XDS_CLIENT_##client, {major, minor, 0}, on, read},
#include "include/xdscope/environment.def"
    {XDS_ENVS, XDS_CLIENTS, {0, 0, 0}, false, false},
};

const struct xds_env_before *xds_env_history(size_t *n)
{
    *n = XDS_ARRAY_LEN(history) - 1;
    return history;
}

/* Without a value, and whether the release looks for one. */
struct defaults {
    bool on, read;
};

static struct defaults defaults_of(enum xds_env env,
                                   const struct xds_client_release *reader)
{
    const struct xds_env_row *v = &variables[env];
    const bool newest = reader->release.major == 0;

    for (const struct xds_env_before *row = history; !newest && row->env != XDS_ENVS;
         row++)
        if (row->env == env && row->client == reader->client &&
            xds_release_is_before(reader->release, row->release))
            return (struct defaults){row->on, row->read};
    return (struct defaults){v->on >> reader->client & 1u,
                             v->read_by >> reader->client & 1u};
}

bool xds_env_on_at(const struct xds_options *options, enum xds_env env,
                   const struct xds_client_release *reader)
{
    const struct defaults defaults = defaults_of(env, reader);
    const uint64_t set = options->env_set[env];

    xds_question_asked(XDS_DIFFERENCES + env);
    if (set >= XDS_ARRAY_LEN(readings) || !defaults.read ||
        readings[set].as_unset >> reader->client & 1u)
        return defaults.on;
    return readings[set].on >> reader->client & 1u;
}

bool xds_env_has(enum xds_env env, const struct xds_client_release *reader)
{
    const struct defaults defaults = defaults_of(env, reader);

    xds_question_asked(XDS_DIFFERENCES + env);
    return defaults.on || defaults.read;
}

unsigned xds_env_mask(const struct xds_options *options, enum xds_env env)
{
    unsigned clients = 0;

    for (enum xds_client client = 0; client < XDS_CLIENTS; client++)
        if (xds_env_on(options, env, client))
            clients |= XDS_CLIENT_BIT(client);
    return clients;
}

bool xds_env_is_true(const struct xds_options *options, enum xds_env env,
                     enum xds_client client)
{
    const uint64_t set = options->env_set[env];

    return set < XDS_ARRAY_LEN(readings) && (readings[set].on & XDS_CLIENT_BIT(client));
}

bool xds_env_on(const struct xds_options *options, enum xds_env env,
                enum xds_client client)
{
    const struct xds_client_release reader = xds_asked(options, client);

    return xds_env_on_at(options, env, &reader);
}

uint64_t xds_env_number(const struct xds_options *options, enum xds_env env,
                        uint64_t unset)
{
    const uint64_t set = options->env_set[env];

    return set >= XDS_ENV_FIRST_NUMBER ? set - XDS_ENV_FIRST_NUMBER : unset;
}
