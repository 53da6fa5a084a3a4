/* head.c - what a scenario says beside its steps. */
#include "scenario/scenario.h"

#include "base/text.h"
#include "clients/clients.h"

static const char *const keys[] = {"scenario", "subject",  "config", "client",
                                   "env",      "snapshot", "target", NULL};

static bool read_client(struct xds_play *play, const struct xds_tree *members,
                        bool has_client, struct xds_head *out)
{
    const struct xds_slice name = xds_event_text(play, members, "client");
    struct xds_options unused = {.clients = 0};
    struct xds_ask_note note;
    enum xds_client client;

    if (!name.data)
        return !play->failed;
    if (xds_options_ask_one(has_client ? &unused : &out->options, name, &client, &note) !=
        XDS_OK)
        return xds_play_fault(play, xds_tree_member(members, "client"),
                              "\"client\" must be %s, or one of them at a release, "
                              "such as go@1.64",
                              xds_client_list(XDS_ALL_CLIENTS, " or ").text);
    if (!has_client)
        out->client = client;
    return true;
}

static bool set_variable(struct xds_play *play, struct xds_options *options,
                         const struct xds_tree *variable)
{
    struct xds_arena *arena = play->machine.arena;
    const char *hint = NULL;
    struct xds_slice text = variable->text;

    if (variable->kind == XDS_TREE_BOOL)
        text = variable->truth ? XDS_S("true") : XDS_S("false");
    else if (variable->kind != XDS_TREE_STRING && variable->kind != XDS_TREE_NUMBER)
        return xds_play_fault(play, variable,
                              "\"env\": the value of a variable must be a string");
    const struct xds_slice assignment =
        xds_arena_printf(arena, "%.*s=%.*s", XDS_FMT(variable->key), XDS_FMT(text));

    if (xds_options_set_env(options, assignment, &hint) == XDS_OK)
        return true;
    const struct xds_slice words = xds_nearest_words(arena, hint);

    return xds_play_fault(play, variable, "gRPC clients have no variable \"%.*s\"%.*s",
                          XDS_FMT(variable->key), XDS_FMT(words));
}

/* What the user has set goes before what the scenario sets. */
static bool read_env(struct xds_play *play, const struct xds_tree *members,
                     struct xds_head *out)
{
    const struct xds_tree *env = xds_event_object(play, members, "env");
    const struct xds_options wish = out->options;

    for (size_t i = 0; i < env->n; i++)
        if (!set_variable(play, &out->options, &env->items[i]))
            return false;
    for (size_t i = 0; i < XDS_ENVS; i++)
        if (wish.env_set[i])
            out->options.env_set[i] = wish.env_set[i];
    return !play->failed;
}

static const struct xds_subject *const subjects[] = {
    &xds_subject_cds_child_names, &xds_subject_channel,    &xds_subject_config_selector,
    &xds_subject_override_host,   &xds_subject_policy,     &xds_subject_priority,
    &xds_subject_weighted_target, &xds_subject_xds_client,
};

/* NULL when there is none of that name; *hint is then the nearest name or NULL. */
static const struct xds_subject *find_subject(struct xds_slice name, const char **hint)
{
    struct xds_nearest nearest = xds_nearest_to(name);

    for (size_t i = 0; i < XDS_ARRAY_LEN(subjects); i++) {
        if (xds_slice_is(name, subjects[i]->name))
            return subjects[i];
        xds_nearest_offer(&nearest, subjects[i]->name);
    }
    *hint = nearest.best;
    return NULL;
}

static bool read_subject(struct xds_play *play, const struct xds_tree *members,
                         struct xds_head *out)
{
    const struct xds_slice name = xds_event_name(play, members, "subject");
    const char *hint = NULL;

    if (play->failed)
        return false;
    out->subject = find_subject(name, &hint);
    if (out->subject)
        return true;
    const struct xds_slice words = xds_nearest_words(play->machine.arena, hint);

    return xds_fault_at(play, XDS_R_SCENARIO_SUBJECT,
                        xds_play_place(play, xds_tree_member(members, "subject")),
                        "there is no subject \"%.*s\"%.*s", XDS_FMT(name),
                        XDS_FMT(words));
}

static bool read_config(struct xds_play *play, const struct xds_tree *members,
                        const struct xds_subject *subject)
{
    play->config = xds_event_given(members, "config");
    if (subject->any_config && play->config)
        return true;
    play->config = xds_event_object(play, members, "config");
    return xds_keys_check_type(
        play, play->config,
        &(struct xds_known_keys){"the config of subject", subject->config_keys, NULL},
        subject->name);
}

bool xds_head_read(struct xds_play *play, const struct xds_tree *members, bool has_client,
                   struct xds_head *out)
{
    out->name = xds_event_text(play, members, "scenario");
    if (!xds_keys_check(play, members,
                        &(struct xds_known_keys){"a scenario", keys, NULL}) ||
        !read_client(play, members, has_client, out) || !read_env(play, members, out) ||
        !read_subject(play, members, out) || !read_config(play, members, out->subject))
        return false;
    out->snapshot = xds_tree_member(members, "snapshot");
    play->target = xds_event_text(play, members, "target");
    return !play->failed;
}
