/*
 * judge.c - a gRPC bootstrap in a report: what each reader refuses and what is odd, each
 * fault once; and the faults of one client, for who starts as it.
 */
#include "base/text.h"
#include "bootstrap/inner.h"
#include "model/listener.h"
#include "model/resource_type.h"
#include "rules/ctx.h"
#include "source/tree_read.h"

/* ---- words ---- */

static const struct words {
    enum xds_rule_id rule;
    const char *of[XDS_CLIENTS];
} table[] = {
#define XDS_BOOTSTRAP_WORDS(rule, core, go, java, node)                                  \
    {XDS_R_##rule,                                                                       \
     {[XDS_CLIENT_CORE] = core,                                                          \
      [XDS_CLIENT_GO] = go,                                                              \
      [XDS_CLIENT_JAVA] = java,                                                          \
      [XDS_CLIENT_NODE] = node}},
#include "bootstrap/words.def"
};

static const char *words_of(enum xds_rule_id rule, enum xds_client client)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(table); i++)
        if (table[i].rule == rule)
            return table[i].of[client];
    return NULL;
}

/* What a client says of a fault; absent: that is not known, or it says nothing. */
static struct xds_slice said_by(struct xds_arena *arena, enum xds_client client,
                                const struct xds_bootstrap_found *found)
{
    const char *words = words_of(found->rule, client);

    return words
               ? xds_rule_words(arena, words, (struct xds_slice){NULL, 0}, found->values)
               : (struct xds_slice){NULL, 0};
}

/* ---- the same fault of several readers ---- */

/* A fault, and who has it; the second value may be what the client knows, such as its
 * types of channel_creds. */
struct shared {
    struct xds_bootstrap_found found;
    xds_readers who;
    struct xds_slice second[XDS_CLIENTS];
};

struct judge {
    struct xds_arena *arena;
    const struct xds_panel *panel;
    struct xds_report *report;
    uint32_t resource;
    uint32_t file;
    bool serves; /* a server uses it */
    struct shared *list;
    size_t n, cap;
};

static bool same_steps(struct judge *j, struct xds_steps a, struct xds_steps b)
{
    return xds_slice_eq(xds_path_render(j->arena, xds_path_of(j->arena, a)),
                        xds_path_render(j->arena, xds_path_of(j->arena, b)));
}

static bool is_same(struct judge *j, const struct xds_bootstrap_found *a,
                    const struct xds_bootstrap_found *b)
{
    if (a->rule != b->rule || a->at.line != b->at.line || a->at.column != b->at.column)
        return false;
    for (size_t i = 0; i < XDS_ARRAY_LEN(a->values); i++)
        if (i != 1 && !xds_slice_eq(a->values[i], b->values[i]))
            return false;
    return same_steps(j, a->steps, b->steps);
}

static void share(struct judge *j, size_t reader, const struct xds_bootstrap_found *found)
{
    const enum xds_client client = j->panel->reader[reader].client;
    size_t i = 0;

    while (i < j->n && !is_same(j, &j->list[i].found, found))
        i++;
    if (i == j->n) {
        j->list = xds_arena_room(j->arena, j->list, j->n, &j->cap, sizeof *j->list);
        j->list[j->n++] = (struct shared){.found = *found};
    }
    j->list[i].who |= (xds_readers)1 << reader;
    if (!j->list[i].second[client].data)
        j->list[i].second[client] = found->values[1];
}

/* ---- findings ---- */

/* The documents, and a client without rows of its own: they say little of bootstraps. */
static bool is_documents(enum xds_client client)
{
    return XDS_GRFC & XDS_CLIENT_BIT(client);
}

/* Is it a reader whose name is said? */
static bool is_named(const struct judge *j, size_t reader, xds_readers who)
{
    const struct xds_options *options = &j->report->options;
    const enum xds_client client = j->panel->reader[reader].client;

    return who >> reader & 1 && !is_documents(client) &&
           options->clients & XDS_CLIENT_BIT(client);
}

/* ; core "field not present", go "...": each client once, by the newest of its
 * releases. */
static void add_said(struct judge *j, struct xds_text *text, const struct shared *s)
{
    unsigned said = 0;

    for (size_t r = 0; r < j->panel->n; r++) {
        const enum xds_client client = j->panel->reader[r].client;
        struct xds_bootstrap_found found = s->found;

        found.values[1] = s->second[client];
        const struct xds_slice words = said_by(j->arena, xds_client_as(client), &found);

        if (!is_named(j, r, s->who) || said & XDS_CLIENT_BIT(client) || !words.data)
            continue;
        xds_text_printf(text, "%s %s \"%.*s\"", said ? "," : ";",
                        xds_client_list(XDS_CLIENT_BIT(client), "").text, XDS_FMT(words));
        said |= XDS_CLIENT_BIT(client);
    }
}

/* "core and go", "node and older releases of go"; all that were asked: "any client". */
static struct xds_slice name_readers(struct judge *j, xds_readers who)
{
    const struct xds_ctx ctx = {
        .arena = j->arena, .options = &j->report->options, .panel = j->panel};
    bool several;

    return xds_name_readers(&ctx, who & ~(xds_readers)XDS_GRFC, &several);
}

/* Who it is, where a value stands for that. */
static void fill_readers(struct judge *j, struct shared *s)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(s->found.values); i++)
        if (s->found.values[i].data == xds_bootstrap_readers)
            s->found.values[i] = name_readers(j, s->who);
}

/* Without what xdscope adds: "...; it knows insecure, tls". */
static size_t own_words(struct xds_slice said)
{
    const size_t end = xds_slice_search(said, XDS_S("; it knows "));

    return end < said.len ? end : said.len;
}

static void report_one(struct judge *j, struct shared *s)
{
    const struct xds_rule *row = xds_rule_row(s->found.rule);
    const struct xds_path *at = xds_path_of(j->arena, s->found.steps);
    struct xds_place place = s->found.at;
    struct xds_verdict_sets verdict = {{0}};
    struct xds_text text = {.arena = j->arena};

    place.file = j->file;
    fill_readers(j, s);
    for (size_t r = 0; r < j->panel->n; r++)
        if (s->who >> r & 1)
            verdict.of[xds_bootstrap_verdict(s->found.rule, &j->panel->reader[r])] |=
                (xds_readers)1 << r;
    xds_text_add(&text, xds_rule_words(j->arena, row->message,
                                       xds_slice_of(at ? at->field : "bootstrap"),
                                       s->found.values));
    add_said(j, &text, s);
    const struct xds_slice core = said_by(j->arena, XDS_CLIENT_CORE, &s->found);

    if (xds_report_add(j->report, row, j->resource, at, &place, &verdict,
                       xds_slice_make(text.data, text.len)) &&
        core.data)
        xds_report_add_core(j->report, xds_slice_make(core.data, own_words(core)));
}

/* Is it of one that was asked about? */
static bool is_asked(const struct judge *j, size_t reader)
{
    return j->report->options.clients & XDS_CLIENT_BIT(j->panel->reader[reader].client) ||
           is_documents(j->panel->reader[reader].client);
}

static void collect(struct judge *j, const struct xds_tree *root)
{
    const struct xds_panel *panel = j->panel;
    struct xds_options options = j->report->options;

    if (j->serves)
        options.role = XDS_ROLE_SERVER;
    for (size_t r = 0; r < panel->n; r++) {
        struct xds_bootstrap_faults found = {NULL, 0, 0};

        if (!is_asked(j, r))
            continue;
        xds_bootstrap_walk(j->arena, root, panel->reader[r], &options, &found);
        if (!is_documents(panel->reader[r].client))
            xds_bootstrap_lint(j->arena, root, panel->reader[r], &options, &found);
        for (size_t i = 0; i < found.n; i++)
            share(j, r, &found.list[i]);
    }
}

/* The id of its node; empty where it has none. */
static struct xds_slice name_of(const struct xds_tree *root)
{
    const struct xds_tree *node =
        root->kind == XDS_TREE_OBJECT ? xds_tree_member(root, "node") : NULL;
    const struct xds_tree *id =
        node && node->kind == XDS_TREE_OBJECT ? xds_tree_member(node, "id") : NULL;

    return id && id->kind == XDS_TREE_STRING ? id->text : XDS_S("");
}

/* Is a listener among the resources one that servers ask for? */
static bool has_server(const struct xds_report *report)
{
    for (size_t i = 0; i < report->n_resources; i++)
        if (xds_resource_type_of(report->resources[i].type) == XDS_TYPE_LISTENER &&
            xds_is_server_name(report->resources[i].name))
            return true;
    return false;
}

void xds_bootstrap_judge(struct xds_arena *arena, const struct xds_tree *root,
                         const struct xds_panel *panel, struct xds_place at,
                         bool is_input, struct xds_report *report)
{
    struct judge j = {.arena = arena, .panel = panel, .report = report, .file = at.file};

    /* One beside the resources may come before them. */
    j.serves = !is_input && has_server(report);
    collect(&j, root);
    if (!is_input && j.n == 0)
        return;
    j.resource =
        xds_report_add_resource(report, XDS_S(XDS_BOOTSTRAP_TYPE), name_of(root), at);
    for (size_t i = 0; i < j.n; i++)
        report_one(&j, &j.list[i]);
}

/* ---- one client ---- */

struct job {
    struct xds_parsed *bootstrap;
    struct xds_client_release who;
    const struct xds_options *options;
    struct xds_bootstrap_fault *list;
    size_t n;
};

static void run(void *arg)
{
    struct job *job = arg;
    struct xds_arena *arena = &job->bootstrap->arena;
    const enum xds_client as = xds_client_as(job->who.client);
    struct xds_bootstrap_faults found = {NULL, 0, 0};

    xds_bootstrap_walk(arena, &job->bootstrap->tree, job->who, job->options, &found);
    job->n = found.n > 1 && as != XDS_CLIENT_CORE ? 1 : found.n;
    job->list = XDS_NEW_ARRAY(arena, struct xds_bootstrap_fault, job->n);
    for (size_t i = 0; i < job->n; i++) {
        const struct xds_bootstrap_found *one = &found.list[i];
        const struct xds_path *at = xds_path_of(arena, one->steps);
        const struct xds_slice said = said_by(arena, as, one);

        job->list[i] = (struct xds_bootstrap_fault){
            .path = xds_path_render(arena, at),
            .words = said.data
                         ? said
                         : xds_rule_words(arena, xds_rule_row(one->rule)->message,
                                          xds_slice_of(at ? at->field : "bootstrap"),
                                          one->values),
            .line = one->at.line,
            .column = one->at.column,
        };
    }
}

enum xds_status xds_bootstrap_check(struct xds_parsed *bootstrap,
                                    struct xds_client_release who,
                                    const struct xds_options *options,
                                    const struct xds_bootstrap_fault **faults, size_t *n)
{
    struct xds_arena *const arenas[] = {&bootstrap->arena};
    struct job job = {.bootstrap = bootstrap, .who = who, .options = options};
    enum xds_status status = XDS_OK;

    if (!bootstrap->fault.data && !is_documents(who.client))
        status = xds_arena_guard(arenas, 1, run, &job);
    *faults = status == XDS_OK ? job.list : NULL;
    *n = status == XDS_OK ? job.n : 0;
    return status;
}
