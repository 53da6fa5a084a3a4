/* conf.h - settings from the environment and from xdscope.conf, see xdscope.conf(5). */
#ifndef XDS_CLI_CONF_H
#define XDS_CLI_CONF_H

#include "cli/options/common.h"

struct conf;
struct conf_text;

/* A setting that is not an option. read: false after a message. */
struct conf_key {
    const char *name;
    bool (*read)(struct conf *conf, const struct xds_tree *value);
};

/* What the settings point into. Begin with the first four members. */
struct conf {
    const struct command *command;
    void *settings;
    const struct operands *operands;
    const struct conf_key *key; /* or NULL */
    char *path;                 /* of the file, as it is shown */
    char *folder;  /* of relative paths in it: "", or with a slash at the end */
    char *pattern; /* the same, absolute, for patterns */
    struct xds_parsed *document;
    struct conf_text *texts;
    struct list_room *room;
    bool no_memory; /* a message says so */
};

/* Sets what the command line has left open: from the variables XDSCOPE_*, then from the
 * file. wanted: the file that was asked for, or NULL; search: else look for one. An exit
 * code, after a message unless it is EXIT_CLEAN. */
int conf_read_environment(struct conf *conf);
int conf_read_file(struct conf *conf, const char *wanted, bool search);
/* "FILE:LINE:COLUMN: 'NAME' WHAT"; false. For conf_key's read(). */
bool conf_wrong(const struct conf *conf, const struct xds_tree *value, const char *name,
                const char *what);
/* unknown_error() at this place; false. */
bool conf_unknown(const struct conf *conf, const struct xds_tree *at, const char *what,
                  struct xds_slice word, const char *hint, const char *otherwise);
bool conf_no_memory(struct conf *conf);
/* When the settings are needed no longer. */
void conf_release(struct conf *conf);

/* conf_find.c: "xdscope.conf" here or in a folder above, else the user's own, as it is to
 * be opened, and to be freed. NULL when there is none, or no memory: errno is ENOMEM. */
char *conf_find(void);

#endif
