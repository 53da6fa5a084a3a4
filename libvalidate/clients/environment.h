/* environment.h - the rows of environment.def, and the inside of struct xds_options. */
#ifndef XDS_CLIENTS_ENVIRONMENT_H
#define XDS_CLIENTS_ENVIRONMENT_H

#include "include/xdscope.h"

/* See include/xdscope/environment.def. */
struct xds_env_row {
    const char *name, *source, *guards, *text;
    unsigned on, read_by; /* clients */
};

const struct xds_env_row *xds_env_row(enum xds_env env);

/* Values of env_set: a word, false and true to all clients or one of those that clients
 * read in their own ways; or, of the one variable that is a number, the number. */
enum { XDS_ENV_UNSET, XDS_ENV_FALSE, XDS_ENV_TRUE, XDS_ENV_FIRST_NUMBER = 16 };

/* What releases of a client before one did about a variable. */
struct xds_env_before {
    enum xds_env env;
    enum xds_client client;
    struct xds_release release;
    bool on, read;
};

/* Is the variable on for a release: set, or else by its default? */
bool xds_env_on_at(const struct xds_options *options, enum xds_env env,
                   const struct xds_client_release *reader);
/* Has a release what the variable is for: always, or once it is on? */
bool xds_env_has(enum xds_env env, const struct xds_client_release *reader);
/* The releases at which that changes, n of them. */
const struct xds_env_before *xds_env_history(size_t *n);

/* The variable is set, to what the client takes for true. */
bool xds_env_is_true(const struct xds_options *options, enum xds_env env,
                     enum xds_client client);
/* A value of env_set as a word that means the same; NULL for unset and for a number. */
const char *xds_env_word(uint64_t set);
/* The number that the variable was set to, or `unset`. */
uint64_t xds_env_number(const struct xds_options *options, enum xds_env env,
                        uint64_t unset);

#endif
