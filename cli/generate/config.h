/*
 * config.h - what service-config and lb-config share: options, notes and --check.
 */
#ifndef XDS_CLI_CONFIG_H
#define XDS_CLI_CONFIG_H

#include "cli/files/input.h"
#include "cli/files/output.h"

enum config_format {
#define FORMAT_CONFIG(word, id, print, check) FORMAT_##id,
#include "cli/formats.def"
};

/* What the settings of both begin with. */
struct config_settings {
    struct input_settings input;
    const char *client, *check;
    unsigned format; /* enum config_format */
    struct text_list previous;
};

extern const struct option_group config_options;

struct config_run {
    const struct command *command;
    const struct config_settings *settings;
    const struct input *input;
    struct xds_generator *generator;
    struct xds_slice previous;
    struct output out;
    bool is_open, one_line;
    size_t parts; /* of the picture so far */
    bool several; /* ... which is of several configs */
};

/* The whole run: --check, or read the snapshot and call generate() with a generator. An
 * exit code. */
int config_run(const struct command *self, const struct config_settings *settings,
               const struct operands *operands,
               int (*generate)(struct config_run *run, const void *settings));
/* Print one config (the first opens the output), and what it cannot say on standard
 * error. */
int config_print(struct config_run *run, const struct xds_config *config);
/* After a call that did not give XDS_OK. */
int config_failed(const struct config_run *run, enum xds_status status);

#endif
