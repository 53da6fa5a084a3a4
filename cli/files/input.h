/*
 * input.h - the options that say what is read and how it is judged, and the reading.
 *
 * Takes:  PATH operands and the shared options of the commands that take them.
 * Gives:  a report, and a check that has seen every resource.
 */
#ifndef XDS_CLI_INPUT_H
#define XDS_CLI_INPUT_H

#include "cli/fetch/fetch.h"

/* What the settings of such a command begin with: a struct peer_common in front. */
struct input_settings {
    struct common common;
    struct peer_settings peer;
    const char *from;
    struct ads_settings ads;
    const char *type, *bootstrap, *jobs;
    bool allow_unknown_fields, partial, no_gitignore;
    struct text_list exclude;
    bool each;                       /* of lint, see xds_options */
    unsigned role;                   /* the same */
    struct text_list reachable_from; /* the same */
    bool bootstraps;                 /* judge gRPC bootstraps, too; not an option */
    bool compare;                    /* keep what a comparison needs; not an option */
    const struct xds_check *against; /* an older snapshot, or NULL; not an option */
    bool versions;    /* what dumps tell of versions alone is of use; not an option */
    bool ask_dump;    /* a dump is judged as the client it is from; not an option */
    bool one_rpc;     /* an unreadable resource matters where the RPC meets it, see
                         input_answers(); not an option */
    const char *side; /* what a message of input_answers() begins with, "OLD cannot be
                         read: "; NULL: "no answer: "; the same */
    struct xds_known *known; /* findings of lint; not an option */
    size_t n_known;
    const char *known_file;
    bool cosmetic;         /* see struct xds_options; not an option */
    struct xds_memo *memo; /* of what earlier readings judged, or NULL; not an option */
    struct text_list env;
    struct text_list with; /* parts of the program */
};

extern const struct option_group input_options;
/* --jobs, of the commands that judge a whole snapshot. */
extern const struct option_group jobs_options;
/* Only those that say what is read: --type, --allow-unknown-fields, --exclude and
 * --no-gitignore, --stdin-name. */
extern const struct option_group reading_options;

/* For xds_memo_new(). */
enum { INPUT_REMEMBERED = 1 << 20 };

struct input {
    const struct command *command;
    struct xds_parsed *bootstrap;
    struct xds_options options;
    struct xds_report *report;
    struct xds_check *check;
    struct xds_source *source;
    enum xds_resource_type type;
    unsigned jobs; /* threads that judge */
    const struct operands *operands;
    struct xds_slice held;         /* input_read_twice(): what came through a pipe */
    const char *from;              /* --from, */
    struct xds_slice fetched;      /* and what has come from there */
    const enum xds_client *dumped; /* the client that a dump is judged as, or NULL */
    bool no_memory;                /* what is there is less than what was read */
    const char *side;              /* see input_settings */
    enum xds_client client;
};

/* Reads and checks everything below the operands; keep: also keep the models, to answer
 * from them. The exit code so far: EXIT_USAGE means that nothing was read; after
 * EXIT_TROUBLE what could be read is there, unless report is NULL. Release it in any
 * case. */
int input_read(struct input *input, const struct command *command,
               const struct input_settings *settings, const struct operands *operands,
               const struct xds_options *asked, bool keep);
/* The same for one operand that will be read again: standard input and pipes are held in
 * memory, up to what slurp() reads. */
int input_read_twice(struct input *input, const struct command *command,
                     const struct input_settings *settings,
                     const struct operands *operands, const struct xds_options *asked);
/* The same of a dump that was fetched: command, operands (none), from and fetched of the
 * input are set. */
int input_read_fetched(struct input *input, const struct input_settings *settings,
                       const struct xds_options *asked);
/* A fresh source over what input_read_twice() has read; NULL when it cannot be opened. */
struct xds_source *input_open_again(const struct input *input, struct xds_report *report);
/* The first half of that: the report and the source are there, and input->source is NULL
 * when nothing can be read. */
int input_open(struct input *input, const struct command *command,
               const struct input_settings *settings, const struct operands *operands,
               const struct xds_options *asked);
/* What is done with a resource; what is not XDS_OK is said here, but for XDS_ERR_USAGE.
 */
typedef enum xds_status (*input_visit)(void *user, const struct xds_resource *resource);
/* The second half: every resource; one that fails does not keep us from the next. */
int input_each(struct input *input, input_visit visit, void *user);
/* The check, its report and a source without input, for the lines of a stream; operands
 * stay the caller's. An exit code; release it in any case. */
int input_open_lines(struct input *input, const struct command *command,
                     const struct input_settings *settings,
                     const struct xds_options *asked);
/* One line, whose report is there then, sorted, unless it is XDS_ERR_NO_MEMORY. What is
 * not XDS_OK comes after a message. */
enum xds_status input_judge_line(struct input *input, const struct xds_line *line);
/* Whether there is an answer in what was read: EXIT_CLEAN; or EXIT_TROUBLE after what
 * could not be read and a line that says so. input_read() asks it with keep, and so does
 * input_read_twice(). met: the resources that matter, one for each of the report; NULL:
 * all do. */
int input_answers(struct input *input, const struct common *common, const bool *met);
void input_release(struct input *input);
/* The options alone, of a command that reads no snapshot; --bootstrap and --type have no
 * say there. EXIT_CLEAN, or EXIT_USAGE after a message. */
int input_options_read(const struct command *command,
                       const struct input_settings *settings,
                       const struct xds_options *asked, struct xds_options *options);
/* What --bootstrap adds to them; the names are those of bootstrap, which is to be
 * released in any case. EXIT_CLEAN, or the exit code after a message. */
int input_read_bootstrap(const struct command *command,
                         const struct input_settings *settings,
                         struct xds_parsed **bootstrap, struct xds_options *options);
/* What --from names, if it is given: free out->data in any case. What is missing there is
 * said, and the dump says so as well: that is no reason to stop. */
int input_fetch(const struct command *command, const struct input_settings *settings,
                const struct xds_options *options, struct xds_parsed *bootstrap,
                struct xds_slice *out);
/* Of a snapshot beside the one that --from names, of which --node is, too. */
void input_settings_local(struct input_settings *settings);
/* A usage error: needs says what would choose one of several listeners, which are listed
 * below it. */
int input_needs_choice(const struct input *input, const struct common *common,
                       const char *needs);
/* The path of the input, or "the input". */
const char *input_name(const struct input *input);
/* The type of --type, XDS_TYPE_UNKNOWN without it; false after a message. */
bool input_read_type(const struct command *command, const char *name,
                     enum xds_resource_type *type);
/* Is this a value of --env? False after a message. */
bool input_check_env(const struct command *command, const char *value);
/* Fresh options with the variables of --env; false after a message. */
bool input_set_env(const struct command *command, const struct text_list *env,
                   struct xds_options *options);

/* Reads the snapshot at the path, if there is one, and sets what input_read() needs of it
 * in the settings. What is wrong in it is not reported. The exit code so far; unless it
 * is EXIT_CLEAN there is nothing to compare with. Release *out in any case, after the new
 * snapshot was read. */
int against_read(struct input *out, const struct command *command,
                 struct input_settings *settings, const char *path,
                 const struct xds_options *asked);

/* --init: reads the snapshot that the operands are and writes a first file of tests, or a
 * first scenario; missing: what no RPC does when there is nothing to write. An exit code.
 */
typedef enum xds_status first_fn(const struct xds_printer *to, struct xds_check *check,
                                 enum xds_client client, const char *const *paths,
                                 size_t n_paths, size_t *n);
int first_write(const struct command *self, const struct input_settings *settings,
                const struct operands *operands, const struct xds_options *asked,
                enum xds_client client, first_fn *write, const char *missing);

#endif
