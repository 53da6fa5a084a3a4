/* output.h - where results go: standard output, or a file that is never half-written. */
#ifndef XDS_CLI_OUTPUT_H
#define XDS_CLI_OUTPUT_H

#include "cli/options/common.h"
#include "cli/files/replace.h"

#include <stdio.h>

struct output {
    const struct command *command;
    const char *name; /* for messages */
    FILE *file;
    struct replacement place; /* unless it is standard output */
    struct xds_printer printer;
    struct xds_fold *fold; /* text for people on a terminal; or NULL */
};

/* EXIT_CLEAN, or EXIT_TROUBLE after a message. text: the format is for people, and may
 * have colour and the width of the terminal. */
int output_open(struct output *out, const struct command *command,
                const struct common *settings, bool text);
/* Puts the file in its place if status is XDS_OK and every write went well, and drops
 * what was written otherwise. EXIT_CLEAN, or EXIT_TROUBLE after a message. */
int output_close(struct output *out, enum xds_status status);
/* Drops what was written, for a reason that was reported. */
void output_drop(struct output *out);
/* The bytes, in their place. EXIT_CLEAN, or EXIT_TROUBLE after a message. */
int output_write(const struct command *command, const struct common *settings,
                 struct xds_slice bytes);
/* The new text in a file that has the old one, unless somebody else changes it meanwhile.
 * EXIT_CLEAN, or EXIT_TROUBLE after a message. */
int output_edit(const struct command *command, const char *path, struct xds_slice old,
                struct xds_slice new);
/* What is in the spool, in its place. EXIT_CLEAN, or EXIT_TROUBLE after a message. */
int output_put(const struct command *command, const struct common *settings, FILE *spool);
/* The write() of a printer whose user is a FILE. */
bool write_file(void *user, const char *data, size_t len);
/* The lines in which a text and its edited copy differ, as diff -u has them, without
 * their secrets. False when it cannot be written, or there is no memory. */
bool print_text_diff(FILE *out, const char *name, struct xds_slice old,
                     struct xds_slice new);
/* A printer for standard error. */
struct xds_printer error_printer(const struct common *settings);
/* Route configurations to choose from: the command with each of them, on standard error.
 * choice: gives the i-th of them, absent after the last one. */
void tell_choices(const struct command *command, const struct common *settings,
                  struct xds_slice (*choice)(const void *of, size_t i), const void *of);
/* The wanted findings on standard error; the report keeps no others. EXIT_CLEAN or
 * EXIT_TROUBLE. */
int tell_findings(const struct command *command, const struct common *settings,
                  struct xds_report *report,
                  bool (*wanted)(const struct xds_finding *finding, void *user),
                  void *user);
/* A few errors among them, and the number of the rest, unless --quiet says otherwise;
 * with --verbose all of them. met: the resources whose errors come first, one for each of
 * the report; or NULL. */
int tell_errors(const struct command *command, const struct common *settings,
                struct xds_report *report, const bool *met);

#endif
