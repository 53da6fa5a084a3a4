/* lsp.h - the parts of xdscope lsp: messages, open documents, answers. */
#ifndef XDS_CLI_LSP_LSP_H
#define XDS_CLI_LSP_LSP_H

#include "cli/lint/lint.h"

#include <cjson/cJSON.h>
#include <stdint.h>

/* More bytes are not read: of one message, of the text of one document, of all documents.
 */
#define LSP_MAX_MESSAGE ((size_t)128 << 20)
#define LSP_MAX_TEXT ((size_t)64 << 20)
#define LSP_MAX_TEXTS ((size_t)512 << 20)
#define LSP_MAX_DOCUMENTS 1000
/* Of one document; the lowest levels are left out first. */
#define LSP_MAX_DIAGNOSTICS 1000

/* ---- memory.c: what memory was missing for is left out, and the exit code says so ----
 */

/* NULL when there is no memory. */
void *lsp_alloc(size_t size);
char *lsp_copy(struct xds_slice text);
/* There was no memory for something. */
void lsp_lack(void);
/* How often so far. */
unsigned lsp_lacks(void);

/* ---- frame.c: messages on two streams ---- */

struct lsp_frames {
    int in;
    char *data;
    size_t begin, end, cap; /* what was read and not yet taken */
    uint64_t drop;          /* bytes of a message that is too large, still to come */
    size_t body;            /* bytes of the message whose headers were read */
    bool in_body, has_length, is_bad, skips_line;
    uint64_t length;
};

enum lsp_frame_result {
    LSP_FRAME,       /* one message; it lives until the next call */
    LSP_FRAME_NONE,  /* nothing more has come so far */
    LSP_FRAME_FAULT, /* *fault says what; the next call goes on after it */
    LSP_FRAME_END,   /* the stream has ended, or cannot be read */
    LSP_FRAME_NO_MEMORY,
};

/* waits: until something has come. */
enum lsp_frame_result lsp_frame_next(struct lsp_frames *frames, bool waits,
                                     struct xds_slice *body, const char **fault);
void lsp_frames_release(struct lsp_frames *frames);
/* One message on standard output; NULL: there was no memory for it. It is deleted. */
void lsp_send(cJSON *message);

/* ---- text.c: a text and its positions ---- */

enum lsp_encoding { LSP_UTF16, LSP_UTF8, LSP_UTF32 };

struct lsp_text {
    char *data; /* of malloc(), with a NUL after it */
    size_t len;
    size_t *lines; /* where they begin */
    size_t n_lines;
};

struct lsp_position {
    uint32_t line, character; /* from 0, in units of the encoding */
};

/* Take over data; false when there is no memory: the text is empty then. */
bool lsp_text_set(struct lsp_text *text, char *data, size_t len);
void lsp_text_release(struct lsp_text *text);
/* A position beyond the end of a line, or of the text, is that end. */
size_t lsp_text_offset(const struct lsp_text *text, struct lsp_position at,
                       enum lsp_encoding encoding);
struct lsp_position lsp_text_position(const struct lsp_text *text, size_t offset,
                                      enum lsp_encoding encoding);
/* The same for line and column of a place, from 1 and in code points. */
size_t lsp_text_place(const struct lsp_text *text, uint32_t line, uint32_t column);
void lsp_text_find_place(const struct lsp_text *text, size_t offset, uint32_t *line,
                         uint32_t *column);
/* Where the line that holds the offset begins. */
size_t lsp_text_line(const struct lsp_text *text, size_t offset);

/* ---- document.c: what is open ---- */

/* What lint says of a text, with all that the report refers to. */
struct lsp_judged {
    struct lint_settings settings;
    struct operands operands;
    struct conf conf;
    struct input input; /* options, bootstrap and type */
    struct xds_report *report;
    const char *root; /* the server's */
    bool is_shared;   /* of all documents of a snapshot */
    unsigned users;   /* who has to free it */
};

struct lsp_document {
    struct lsp_document *next;
    char *uri, *name; /* name: as reports have it */
    double version;
    bool has_version;
    bool is_lost;        /* its text is not known any more */
    bool is_dirty;       /* it has changed since its diagnostics were sent */
    bool is_in_snapshot; /* as the settings were when something was judged last */
    struct lsp_text text;
    struct lsp_judged *judged; /* with this text; NULL: not yet, or it cannot be */
};

struct lsp_server {
    const struct command *command;
    const struct lsp_settings *settings;
    struct lsp_document *documents;
    size_t n_documents, n_bytes;
    char *root; /* the folder of the workspace, absolute and without links; or NULL */
    enum lsp_encoding encoding;
    bool is_ready, is_shut_down, is_over;
    /* What the client can do. */
    bool has_related, has_tags, has_href, has_markdown, has_document_changes, has_create,
        has_literals, has_watchers;
    bool watches_files; /* it was asked to say when files of a snapshot change */
    char *said;         /* the last message on the settings */
    struct xds_memo *memo;
};

struct lsp_settings {
    struct common common;
    struct text_list clients;
    const char *config;
};

struct lsp_document *lsp_document_find(const struct lsp_server *server,
                                       struct xds_slice uri);
/* The one of a name as reports have it, or NULL. */
struct lsp_document *lsp_document_named(const struct lsp_server *server,
                                        struct xds_slice name);
/* The notifications; what cannot be done is said. */
void lsp_did_open(struct lsp_server *server, const struct xds_tree *params);
void lsp_did_change(struct lsp_server *server, const struct xds_tree *params);
void lsp_did_close(struct lsp_server *server, const struct xds_tree *params);
void lsp_did_save(struct lsp_server *server, const struct xds_tree *params);
void lsp_documents_release(struct lsp_server *server);
/* The path of a file: URI, absolute; NULL when it is none. To be freed. */
char *lsp_path_of(struct xds_slice uri);
/* An absolute path becomes such a name. */
void lsp_strip_root(const struct lsp_server *server, char *path);
/* And back; of an open document its own. To be freed. */
char *lsp_uri_of(const struct lsp_server *server, struct xds_slice name);
/* The text of a file as it is open, or as it is stored: then in *stored, which is to be
 * released in any case. NULL when it cannot be read. */
const struct lsp_text *lsp_text_of(const struct lsp_server *server, struct xds_slice name,
                                   struct lsp_text *stored);

/* ---- judge.c ---- */

/* Settings as lint reads them in the folder of the workspace; NULL after a message. */
struct lsp_judged *lsp_settings_read(struct lsp_server *server);
/* What lint says of the document with this text: of the snapshot that the settings name
 * if the document is one of its files, else of the document alone. NULL after a message.
 * each_time: also what it says once for many, as a fix needs it. */
struct lsp_judged *lsp_judge(struct lsp_server *server,
                             const struct lsp_document *document, struct xds_slice text,
                             bool each_time);
/* For one of its users. */
void lsp_judged_free(struct lsp_judged *judged);
/* The document's, which is judged if it has to be. */
const struct lsp_judged *lsp_document_judged(struct lsp_server *server,
                                             struct lsp_document *document);
/* A file of the report as documents are named. */
struct xds_slice lsp_file(const struct lsp_judged *judged,
                          const struct xds_report *report, uint32_t file);
/* Is the finding in the document? */
bool lsp_is_in(const struct lsp_judged *judged, const struct lsp_document *document,
               const struct xds_finding *finding);
/* Is it a text that has to do with xDS? Others are not reported. */
bool lsp_is_ours(const struct lsp_judged *judged, const struct lsp_document *document);

/* ---- answers ---- */

/* Send the diagnostics of what has changed. */
void lsp_publish(struct lsp_server *server);
/* The diagnostic of a finding in a document. */
cJSON *lsp_diagnostic(const struct lsp_server *server,
                      const struct lsp_document *document,
                      const struct lsp_judged *judged, const struct xds_finding *finding);

/* A request is about a document and a position, or a range. */
struct lsp_place {
    struct lsp_document *document;
    size_t begin, end;     /* offsets */
    uint32_t line, column; /* of begin, as places have them */
};

cJSON *lsp_hover(struct lsp_server *server, const struct lsp_place *at);
cJSON *lsp_definition(struct lsp_server *server, const struct lsp_place *at);
/* only: an array of kinds, or NULL. */
cJSON *lsp_actions(struct lsp_server *server, const struct lsp_place *at,
                   const struct xds_tree *only);
/* Is the finding about something at this place? */
bool lsp_is_at(const struct lsp_place *at, const struct lsp_judged *judged,
               const struct xds_finding *finding);

/* ---- json.c ---- */

/* NULL when it is not there, or of another kind. */
const struct xds_tree *lsp_member(const struct xds_tree *object, const char *name);
/* The same over several names: "capabilities/general/positionEncodings". */
const struct xds_tree *lsp_at(const struct xds_tree *tree, const char *path);
bool lsp_is_true(const struct xds_tree *tree);
/* An absent slice when it is no text. */
struct xds_slice lsp_string(const struct xds_tree *tree);
bool lsp_read_position(const struct xds_tree *tree, struct lsp_position *out);
/* Add a text; what is no UTF-8 in it becomes U+FFFD. */
void lsp_put(cJSON *object, const char *name, struct xds_slice text);
cJSON *lsp_range(const struct lsp_text *text, size_t begin, size_t end,
                 enum lsp_encoding encoding);
/* The range of a place. */
cJSON *lsp_place_range(const struct lsp_text *text, const struct xds_place *at,
                       enum lsp_encoding encoding);
/* A text that grows; data is NULL once there was no memory. */
struct lsp_buffer {
    char *data;
    size_t len, cap;
    bool failed;
};
/* The write() of a printer. */
bool lsp_buffer_write(void *user, const char *data, size_t len);
void lsp_buffer_add(struct lsp_buffer *buffer, const char *text);
__attribute__((format(printf, 2, 3))) void lsp_buffer_format(struct lsp_buffer *buffer,
                                                             const char *format, ...);
/* What has a meaning in Markdown is escaped; false when there was no memory. */
bool lsp_markdown(struct lsp_buffer *buffer, struct xds_slice text);
/* In the client: type 1 is an error, 2 a warning. */
void lsp_show(unsigned type, const char *text);
void lsp_log(unsigned type, const char *text);

/* ---- server.c ---- */

/* Reads messages until the end. An exit code. */
int lsp_serve(struct lsp_server *server);

#endif
