/* options.h - everything that changes a verdict or a decision. */
#ifndef XDSCOPE_OPTIONS_H
#define XDSCOPE_OPTIONS_H

#include "common.h"

/* What a gRPC environment variable switches, per client. XDS_ENV_UNSET = the default
 * of that client today. The names are those of xds_env_name(). */
enum xds_env {
#define XDS_ENV(id, name, on, read_by, source, guards, text) XDS_ENV_##id,
#include "environment.def"
    XDS_ENVS /* how many there are */
};

/* The full variable name, such as "GRPC_EXPERIMENTAL_XDS_SNI". */
XDS_API const char *xds_env_name(enum xds_env env);

struct xds_rule;

/* Findings that are known: those of a rule in resources by name. */
struct xds_known {
    const struct xds_rule *rule;
    struct xds_slice resource; /* a pattern: * and ? */
    struct xds_slice type;     /* for xds_resource_type_from_name(); absent: any */
    struct xds_slice reason;
    bool expired;          /* it suppresses nothing, and that is a finding */
    uint32_t line, column; /* in the file of settings, from 1 */
};

/* Whose resources are judged: what an API listener leads to is a client's, any other
 * listener and the route configurations that it names are a server's, or Envoy's. What
 * nothing leads to is judged for every role. */
enum xds_role {
    /* Those of clients, and listeners that are named as gRPC servers name them; all where
     * the input has no API listener. */
    XDS_ROLE_BY_INPUT,
    XDS_ROLE_CLIENT,
    XDS_ROLE_SERVER,
    XDS_ROLE_ALL,
};

/* How a bootstrap makes the names of listeners for targets of an authority. */
struct xds_authority {
    struct xds_slice name;
    struct xds_slice listener_template; /* absent: that of gRFC A47 */
};

/* What the bootstrap says of resources. All of it is borrowed. */
struct xds_bootstrap_options {
    bool is_set;
    bool trusted_xds_server;     /* server_features */
    size_t n_provider_instances; /* certificate_providers */
    const struct xds_slice *provider_instances;
    const struct xds_slice *provider_plugins; /* plugin_name of each, or NULL */
    size_t n_allowed_grpc_services;           /* keys of that name */
    const struct xds_slice *allowed_grpc_services;
    /* Templates for names of listeners, absent where there are none. */
    struct xds_slice client_listener_template, server_listener_template;
    const struct xds_authority *authorities;
    size_t n_authorities;
};

/* Everything that changes a verdict or a decision. Start from xds_options_init(). */
struct xds_options {
    unsigned clients; /* whose verdict counts: a mask; see xds_options_ask() */
    bool documents; /* XDS_CLIENT_GRFC was asked for by name: texts list it as a client */
    uint64_t asked[(XDS_RELEASES + 63) / 64]; /* releases that were asked for */
    struct xds_release release[XDS_CLIENTS];  /* of those the newest one, or {0, 0, 0} */
    uint64_t env_set[XDS_ENVS]; /* 0 unset, 1 false, 2 true; more is internal */
    bool allow_unknown_fields;
    bool partial;  /* a dangling reference is a note */
    bool cosmetic; /* report also what optional rules find */
    bool compare;  /* keep what xds_check_against() compares */
    struct xds_bootstrap_options bootstrap;
    bool bootstraps; /* gRPC bootstraps in the input are judged as well */
    bool versions;   /* entries of dumps that only tell a version are resources, too */
    unsigned linked; /* parts: a mask */
    /* Patterns of what is left out of folders, as lines of a .gitignore file; one with a
     * slash is seen from the working folder. Borrowed. */
    const char *const *exclude;
    size_t n_exclude;
    bool no_gitignore;      /* .gitignore files in folders say nothing */
    bool each;              /* the files of each folder are a snapshot of their own */
    bool each_time;         /* nothing is reported once for many */
    const char *stdin_name; /* of standard input, for reports and types; NULL: "-" */
    const struct xds_known *known; /* borrowed */
    size_t n_known;
    const char *known_file; /* that they are written in */
    enum xds_role role;
    /* Only what the listeners of these targets lead to is judged, whatever the role:
     * "xds:///NAME", or the name of a listener. Borrowed. */
    const char *const *reachable_from;
    size_t n_reachable_from;
    /* If a dump has the states of several clients, only that of the client with this node
     * id is read; NULL: those of all. Borrowed. */
    const char *node;
};

/* What programs link beside the xDS client, see parts.def. */
enum xds_part {
#define XDS_PART(id, name, clients, by_default, text) XDS_PART_##id,
#include "parts.def"
    XDS_PARTS
};

/* "NAME" or "NAME=no". XDS_ERR_USAGE when it is neither. */
XDS_API XDS_MUST_USE enum xds_status xds_options_link(struct xds_options *options,
                                                      struct xds_slice part);
XDS_API bool xds_part_linked(const struct xds_options *options, enum xds_part part);

/* All clients at their newest releases, nothing else. */
XDS_API void xds_options_init(struct xds_options *options);
/* What there is to say about clients that were asked for; empty: nothing. */
struct xds_ask_note {
    char text[160];
};
/* Ask for more clients and releases; set clients to 0 before the first time. Names
 * separated by commas, each alone for its newest release or with others: "go@1.64",
 * "go@1.60..1.72", "go@1.60+", "go@3y" (of the last three years), "grfc@A55" (all gRFCs
 * up to it), and "all" in place of a name. XDS_ERR_USAGE for what is none of this; *note
 * then says what is wrong. A release that is not known counts as the nearest older one;
 * *note then says so. */
XDS_API XDS_MUST_USE enum xds_status xds_options_ask(struct xds_options *options,
                                                     struct xds_slice list,
                                                     struct xds_ask_note *note);
/* The same of one client at one release, which takes the place of all; the mask of
 * clients stays. */
XDS_API XDS_MUST_USE enum xds_status xds_options_ask_one(struct xds_options *options,
                                                         struct xds_slice name,
                                                         enum xds_client *client,
                                                         struct xds_ask_note *note);
/* Who was asked for, by client and age; {0, 0, 0} is the newest release of a client that
 * was asked for by its name alone. There is room for XDS_RELEASES + XDS_CLIENTS. */
XDS_API size_t xds_options_asked(const struct xds_options *options,
                                 struct xds_client_release *list);
/* "NAME=VALUE". XDS_ERR_USAGE when NAME is no variable of the catalogues; *hint is then
 * the nearest known name, or NULL. "true" and "false" are that to every client; other
 * words each client reads in its own way: "1" is true to core, no word to go. */
XDS_API XDS_MUST_USE enum xds_status xds_options_set_env(struct xds_options *options,
                                                         struct xds_slice assignment,
                                                         const char **hint);
/* What the variable is for this client: set, or else the client's default. */
XDS_API bool xds_env_on(const struct xds_options *options, enum xds_env env,
                        enum xds_client client);
/* The clients for which the variable is on. */
XDS_API unsigned xds_env_mask(const struct xds_options *options, enum xds_env env);

#endif
