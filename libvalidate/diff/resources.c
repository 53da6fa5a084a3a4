/*
 * resources.c - which resources were added, removed and changed, and where.
 *
 * Only the changed resources of the old side are held at a time, up to
 * XDS_MAX_DIFF_DECODED bytes; when they are more, both inputs are read again.
 */
#include <stdlib.h>
#include <xxhash.h>

#include "diff/diff.h"
#include "source/source.h"

struct rules {
    struct xds_diff *diff;
    uint32_t resource[XDS_SIDES];
    unsigned
        clients[XDS_SIDES]; /* that reject it or die on this side, not on the other */
    struct xds_verdict_change *out;
};

static bool rejects(const struct xds_finding *finding, unsigned clients)
{
    for (unsigned c = 0; c < XDS_CLIENTS; c++)
        if ((clients & XDS_CLIENT_BIT(c)) && finding->verdict[c] >= XDS_NACK)
            return true;
    return finding->rule->effect == XDS_EFFECT_SYNTAX && clients;
}

static bool is_listed(const struct xds_verdict_change *out, const struct xds_rule *rule,
                      enum xds_side side)
{
    for (size_t i = 0; i < out->n_rules; i++)
        if (out->rules[i].rule == rule && out->rules[i].side == side)
            return true;
    return false;
}

static void list_rules(struct rules *r, enum xds_side side)
{
    const struct xds_report *report = r->diff->side[side].report;

    for (size_t i = 0; i < report->n_findings; i++) {
        const struct xds_finding *finding = &report->findings[i];

        if (finding->resource != r->resource[side] ||
            !rejects(finding, r->clients[side]) || is_listed(r->out, finding->rule, side))
            continue;
        struct xds_rule_change *more =
            XDS_NEW_ARRAY(&r->diff->arena, struct xds_rule_change, r->out->n_rules + 1);
        if (r->out->n_rules > 0)
            memcpy(more, r->out->rules, r->out->n_rules * sizeof *more);
        more[r->out->n_rules++] = (struct xds_rule_change){finding->rule, side, *finding};
        r->out->rules = more;
    }
}

/* Clients of one side, as those of the new side that they are compared with. Of two
 * readers only these count. */
static unsigned seen_by(const struct xds_diff *diff, enum xds_side side, unsigned clients)
{
    if (!diff->of_readers)
        return clients;
    return clients & XDS_CLIENT_BIT(diff->side[side].client)
               ? XDS_CLIENT_BIT(diff->side[XDS_SIDE_NEW].client)
               : 0;
}

/* old: XDS_NO_RESOURCE when the resource is new. */
static void compare_verdicts(struct xds_diff *diff, uint32_t old, uint32_t now)
{
    const struct xds_resource_result *result =
        xds_report_resource(diff->side[XDS_SIDE_NEW].report, now);
    const struct xds_resource_result *before =
        old == XDS_NO_RESOURCE
            ? NULL
            : xds_report_resource(diff->side[XDS_SIDE_OLD].report, old);
    const unsigned died = before ? seen_by(diff, XDS_SIDE_OLD, before->crashed_by) : 0;
    const unsigned dying = seen_by(diff, XDS_SIDE_NEW, result->crashed_by);
    const unsigned nacked =
        before ? seen_by(diff, XDS_SIDE_OLD, before->nacked_by) & ~died : 0;
    const unsigned nacking = seen_by(diff, XDS_SIDE_NEW, result->nacked_by) & ~dying;
    const struct xds_verdict_change change = {.type = result->type,
                                              .name = result->name,
                                              .added = !before,
                                              .rejects = nacking & ~nacked,
                                              .accepts = nacked & ~nacking & ~dying,
                                              .dies = dying & ~died,
                                              .survives = died & ~dying};
    struct rules r = {
        .diff = diff,
        .resource = {old, now},
        .clients = {change.accepts | change.survives, change.rejects | change.dies}};

    if (diff->of_readers && r.clients[XDS_SIDE_OLD])
        r.clients[XDS_SIDE_OLD] = XDS_CLIENT_BIT(diff->side[XDS_SIDE_OLD].client);

    if (!r.clients[XDS_SIDE_OLD] && !r.clients[XDS_SIDE_NEW])
        return;
    if (!diff->verdicts)
        diff->verdicts =
            XDS_NEW_ARRAY(&diff->arena, struct xds_verdict_change, XDS_MAX_DIFF_KINDS);
    if (diff->n_verdicts == XDS_MAX_DIFF_KINDS) {
        diff->n_more_verdicts++;
        return;
    }
    r.out = &diff->verdicts[diff->n_verdicts++];
    *r.out = change;
    list_rules(&r, XDS_SIDE_NEW);
    if (before)
        list_rules(&r, XDS_SIDE_OLD);
}

struct loop {
    struct xds_pass *pass;
    struct xds_source *source;
    struct xds_reread reread;
    bool is_done;
    uint32_t n;
    enum xds_status status;
};

/* Decode it into an arena; NULL when it cannot be read, or is of no known type. */
static const ProtobufCMessage *pass_decode(struct xds_pass *pass,
                                           const struct xds_resource *in,
                                           struct xds_arena *arena, struct xds_any *root)
{
    const uint32_t resource = (uint32_t)pass->report->n_resources - 1;

    *root = (struct xds_any){0};
    return xds_decode(in, resource, pass->report, arena, root) &&
                   root->state == XDS_ANY_TYPED
               ? root->message
               : NULL;
}

static void run_loop(void *arg)
{
    struct loop *loop = arg;
    struct xds_pass *pass = loop->pass;
    const size_t expected = pass->diff->side[pass->side].report->n_resources;
    struct xds_resource in;

    while ((loop->status = xds_source_next(loop->source, &in)) == XDS_OK) {
        if (loop->n == expected) {
            loop->status = XDS_ERR_IO;
            return;
        }
        xds_arena_reset(&pass->decode);
        xds_report_add_resource(pass->report, XDS_S(""), XDS_S(""), in.at);
        if (xds_check_uses(in.held))
            pass->visit(pass, loop->n, &in);
        loop->n++;
    }
    if (loop->status == XDS_END)
        loop->status = loop->n == expected ? XDS_OK : XDS_ERR_IO;
}

/* Only what is wanted, from where it is. */
static void run_some(void *arg)
{
    struct loop *loop = arg;
    struct xds_pass *pass = loop->pass;
    const struct xds_report *judged = pass->diff->side[pass->side].report;
    struct xds_resource in;

    for (; loop->n < judged->n_resources; loop->n++) {
        const struct xds_resource_result *result = &judged->resources[loop->n];

        if (!xds_check_uses(result->held) || !pass->wants(pass, loop->n))
            continue;
        xds_arena_reset(&pass->decode);
        if (!xds_reread_at(&loop->reread, &result->at, &pass->decode, &in))
            return;
        in.type = xds_resource_type_of(result->type);
        xds_report_add_resource(pass->report, XDS_S(""), XDS_S(""), in.at);
        pass->visit(pass, loop->n, &in);
    }
    loop->is_done = true;
}

/* False where the input cannot be read so: nothing is lost by reading all of it then. */
static bool reread_some(struct xds_pass *pass, const struct xds_source *source,
                        struct xds_arena *const *arenas, size_t n,
                        enum xds_status *status)
{
    struct loop loop = {.pass = pass};

    if (!source || !pass->wants)
        return false;
    xds_reread_init(&loop.reread, source);
    *status = xds_arena_guard(arenas, n, run_some, &loop);
    xds_reread_release(&loop.reread);
    return loop.is_done || *status != XDS_OK;
}

/* Calls visit for each resource that the check saw, with its index in the report of the
 * side. Runs under a guard of the comparison's arenas, which passes fatal memory faults
 * on. XDS_ERR_IO: the input could not be read again, or is another one. */
static enum xds_status pass_run(struct xds_pass *pass)
{
    struct xds_diff *diff = pass->diff;
    const struct xds_diff_side *side = &diff->side[pass->side];
    struct loop loop = {.pass = pass};
    enum xds_status status = XDS_ERR_NO_MEMORY;

    xds_arena_init(&pass->decode, XDS_MAX_DECODED_BYTES);
    pass->report = xds_report_new(xds_report_options(side->report));
    if (pass->report) {
        struct xds_arena *const arenas[] = {&diff->arena, &diff->scratch, &pass->decode,
                                            &pass->report->arena, pass->taken};
        const size_t n = XDS_ARRAY_LEN(arenas) - !pass->taken;

        if (!reread_some(pass, side->source, arenas, n, &status)) {
            loop.source = side->open(side->user, pass->report);
            if (loop.source)
                status = xds_arena_guard(arenas, n, run_loop, &loop);
        }
    }
    xds_source_free(loop.source);
    xds_report_free(pass->report);
    xds_arena_release(&pass->decode);
    return status == XDS_OK ? loop.status : status;
}

/* One resource of a side. */
struct entry {
    uint64_t text;            /* of its bytes; 0: they do not stand for themselves */
    uint64_t meaning, strict; /* unless is_same */
    bool readable;
    bool is_same;                       /* its partner has the same bytes */
    bool hidden;                        /* by a later one of its name, or not in use */
    struct xds_resource_change *change; /* that it is the one side of, or NULL */
};

/* A changed resource while its messages are compared. */
struct open_change {
    struct xds_resource_change shown; /* the first member: entries point to it */
    const ProtobufCMessage *old;      /* decoded and waiting for the new one */
    bool done;
};

struct work {
    struct xds_diff *diff;
    struct entry *entries[XDS_SIDES];
    struct xds_strmap by_name[XDS_SIDES]; /* entry by type and name */
    struct open_change *open;
    size_t n, cap;
    struct xds_arena batch; /* messages of the old side */
    size_t pending;         /* changes that wait for their fields */
    enum xds_status status;
};

static const struct xds_resource_result *result_of(const struct work *w,
                                                   enum xds_side side, size_t i)
{
    return xds_report_resource(w->diff->side[side].report, i);
}

static size_t count_of(const struct work *w, enum xds_side side)
{
    return xds_report_resources(w->diff->side[side].report);
}

/* ---- first pass: which have the same bytes ---- */

/* Both sides have come through one memo, which knows the bytes. */
static bool takes_content(struct work *w)
{
    for (enum xds_side side = XDS_SIDE_OLD; side < XDS_SIDES; side++)
        for (size_t i = 0; i < count_of(w, side); i++) {
            const struct xds_resource_result *result = result_of(w, side, i);

            if (result->content == 0 && xds_check_uses(result->held))
                return false;
        }
    return true;
}

/* YAML and text proto may mean something else at another place. */
static void take_text(struct xds_pass *pass, uint32_t index,
                      const struct xds_resource *in)
{
    struct work *w = pass->user;
    const struct xds_slice parts[] = {in->bytes, in->type_url, in->expected};
    uint64_t hash = in->format;

    for (size_t i = 0; i < XDS_ARRAY_LEN(parts); i++)
        hash = XXH3_64bits_withSeed(xds_slice_text(parts[i]), parts[i].len, hash);
    w->entries[pass->side][index].text = in->tokens ? 0 : hash;
}

static bool could_be_read(const struct xds_resource_result *result)
{
    return !result->unreadable && !result->undecodable &&
           xds_resource_type_of(result->type) != XDS_TYPE_UNKNOWN;
}

/* ---- second pass: digests of the others ---- */

static bool wants_digest(struct xds_pass *pass, uint32_t index)
{
    const struct work *w = pass->user;
    const struct entry *entry = &w->entries[pass->side][index];

    return !entry->is_same && !entry->hidden;
}

static void take_digest(struct xds_pass *pass, uint32_t index,
                        const struct xds_resource *in)
{
    struct work *w = pass->user;
    struct entry *entry = &w->entries[pass->side][index];
    struct xds_any root;

    if (!wants_digest(pass, index))
        return;
    const ProtobufCMessage *message = pass_decode(pass, in, &pass->decode, &root);

    entry->readable = message != NULL;
    if (!message)
        return;
    entry->meaning = xds_digest_message(message, XDS_DIGEST_MEANING);
    entry->strict = xds_digest_message(message, XDS_DIGEST_STRICT);
}

static struct xds_slice key_of(struct work *w, const struct xds_resource_result *result)
{
    return xds_arena_printf(&w->diff->scratch, "%.*s %.*s", XDS_FMT(result->type),
                            XDS_FMT(result->name));
}

/* known: by their content. */
static enum xds_status read_texts(struct work *w, enum xds_side side, bool known)
{
    struct xds_pass pass = {.diff = w->diff, .side = side, .visit = take_text, .user = w};
    const size_t n = count_of(w, side);

    w->entries[side] = XDS_NEW_ARRAY(&w->diff->scratch, struct entry, n + 1);
    xds_strmap_init(&w->by_name[side], &w->diff->scratch);
    for (size_t i = 0; i < n; i++) {
        const struct xds_resource_result *result = result_of(w, side, i);

        w->entries[side][i].text = known ? result->content : 0;
        w->entries[side][i].readable = could_be_read(result);
        w->entries[side][i].hidden = !xds_check_uses(result->held);
        if (w->entries[side][i].hidden)
            continue;
        void **slot = xds_strmap_at(&w->by_name[side], key_of(w, result));

        if (*slot)
            ((struct entry *)*slot)->hidden = true;
        *slot = &w->entries[side][i];
    }
    return known ? XDS_OK : pass_run(&pass);
}

static enum xds_status read_digests(struct work *w, enum xds_side side)
{
    struct xds_pass pass = {.diff = w->diff,
                            .side = side,
                            .visit = take_digest,
                            .wants = wants_digest,
                            .user = w};

    return pass_run(&pass);
}

/* ---- which ones ---- */

static void set_side(struct work *w, struct xds_resource_change *change,
                     enum xds_side side, const struct entry *entry)
{
    const size_t i = (size_t)(entry - w->entries[side]);
    const struct xds_resource_result *result = result_of(w, side, i);

    change->type = result->type;
    change->name = result->name;
    change->place[side] = result->at;
    change->file[side] = xds_report_file(w->diff->side[side].report, result->at.file);
    change->unreadable |= !entry->readable;
}

static struct open_change *new_change(struct work *w, enum xds_change_kind kind)
{
    struct open_change *change = &w->open[w->n++];

    *change = (struct open_change){.shown = {.kind = kind}, .done = true};
    return change;
}

static void note_alone(struct work *w, enum xds_side side, const struct entry *entry)
{
    struct open_change *change =
        new_change(w, side == XDS_SIDE_OLD ? XDS_CHANGE_REMOVED : XDS_CHANGE_ADDED);

    set_side(w, &change->shown, side, entry);
}

static uint32_t index_of(const struct work *w, enum xds_side side,
                         const struct entry *entry)
{
    return (uint32_t)(entry - w->entries[side]);
}

static void note_pair(struct work *w, struct entry *old, struct entry *now)
{
    compare_verdicts(w->diff, index_of(w, XDS_SIDE_OLD, old),
                     index_of(w, XDS_SIDE_NEW, now));
    if (old->readable && now->readable &&
        (now->is_same || old->meaning == now->meaning)) {
        w->diff->n_same++;
        w->diff->reordered |= !now->is_same && old->strict != now->strict;
        return;
    }
    if (!old->readable && !now->readable)
        return;
    struct open_change *change = new_change(w, XDS_CHANGE_CHANGED);
    set_side(w, &change->shown, XDS_SIDE_OLD, old);
    set_side(w, &change->shown, XDS_SIDE_NEW, now);
    old->change = now->change = &change->shown;
    change->done = change->shown.unreadable;
    w->pending += !change->done;
}

static struct entry *partner_of(struct work *w, enum xds_side side, size_t i)
{
    const enum xds_side other = side == XDS_SIDE_OLD ? XDS_SIDE_NEW : XDS_SIDE_OLD;

    return xds_strmap_get(&w->by_name[other], key_of(w, result_of(w, side, i)));
}

/* Marks the pairs of the same bytes; false when there are no others. */
static bool has_others(struct work *w)
{
    size_t n_same = 0;

    for (size_t i = 0; i < count_of(w, XDS_SIDE_NEW); i++) {
        struct entry *now = &w->entries[XDS_SIDE_NEW][i];
        struct entry *old = now->hidden ? NULL : partner_of(w, XDS_SIDE_NEW, i);

        if (!old || now->text == 0 || old->text != now->text || !old->readable ||
            !now->readable)
            continue;
        old->is_same = now->is_same = true;
        n_same++;
    }
    return n_same < count_of(w, XDS_SIDE_OLD) || n_same < count_of(w, XDS_SIDE_NEW);
}

static void match(struct work *w)
{
    w->cap = count_of(w, XDS_SIDE_OLD) + count_of(w, XDS_SIDE_NEW);
    w->open = XDS_NEW_ARRAY(&w->diff->arena, struct open_change, w->cap + 1);
    for (size_t i = 0; i < count_of(w, XDS_SIDE_OLD); i++)
        if (!w->entries[XDS_SIDE_OLD][i].hidden && !partner_of(w, XDS_SIDE_OLD, i))
            note_alone(w, XDS_SIDE_OLD, &w->entries[XDS_SIDE_OLD][i]);
    for (size_t i = 0; i < count_of(w, XDS_SIDE_NEW); i++) {
        struct entry *now = &w->entries[XDS_SIDE_NEW][i];
        struct entry *old = partner_of(w, XDS_SIDE_NEW, i);

        if (now->hidden)
            continue;
        if (old) {
            note_pair(w, old, now);
            continue;
        }
        note_alone(w, XDS_SIDE_NEW, now);
        if (now->readable) /* or else its syntax error is reported, for any type */
            compare_verdicts(w->diff, XDS_NO_RESOURCE, (uint32_t)i);
    }
}

/* ---- further passes: messages side by side ---- */

static struct open_change *open_of(struct work *w, enum xds_side side, uint32_t index)
{
    const struct entry *entry = &w->entries[side][index];

    return entry->hidden ? NULL : (struct open_change *)(void *)entry->change;
}

static bool wants_change(struct xds_pass *pass, uint32_t index)
{
    return open_of(pass->user, pass->side, index) != NULL;
}

static void take_old(struct xds_pass *pass, uint32_t index, const struct xds_resource *in)
{
    struct work *w = pass->user;
    struct open_change *open = open_of(w, XDS_SIDE_OLD, index);
    struct xds_any root;

    if (open && !open->done && w->batch.used < XDS_MAX_DIFF_DECODED)
        open->old = pass_decode(pass, in, &w->batch, &root);
}

static void fill_places(struct xds_pass *pass, const struct xds_resource *in,
                        const struct xds_field_changes *changes)
{
    size_t next = pass->report->n_findings;

    /* A finding of a rule that says nothing here: only its place is wanted. */
    static const struct xds_rule rule = {.effect = XDS_EFFECT_HYGIENE};
    const struct xds_verdict_sets verdict = {{0}};
    const uint32_t resource = (uint32_t)pass->report->n_resources - 1;

    for (size_t i = 0; i < changes->n; i++)
        if (changes->list[i].at[pass->side])
            xds_report_add(pass->report, &rule, resource, changes->list[i].at[pass->side],
                           NULL, &verdict, XDS_S(""));
    xds_locate(in, pass->report, &pass->decode);
    for (size_t i = 0; i < changes->n; i++)
        if (changes->list[i].at[pass->side] && next < pass->report->n_findings)
            changes->list[i].place[pass->side] = pass->report->findings[next++].at;
}

static bool all_unread(const struct xds_field_changes *changes)
{
    for (size_t i = 0; i < changes->n; i++)
        if (!changes->list[i].unread)
            return false;
    return changes->n > 0 && changes->n_more == 0;
}

static void take_new(struct xds_pass *pass, uint32_t index, const struct xds_resource *in)
{
    struct work *w = pass->user;
    struct open_change *open = open_of(w, XDS_SIDE_NEW, index);
    struct xds_any root;

    if (!open || !open->old)
        return;
    const ProtobufCMessage *now = pass_decode(pass, in, &pass->decode, &root);

    if (now && now->descriptor == open->old->descriptor)
        xds_fields_compare(&w->diff->arena, &pass->decode, open->old, now,
                           &open->shown.fields);
    open->old = NULL;
    open->done = true;
    w->pending--;
    open->shown.unread = all_unread(&open->shown.fields);
    fill_places(pass, in, &open->shown.fields);
}

static void place_old(struct xds_pass *pass, uint32_t index,
                      const struct xds_resource *in)
{
    const struct open_change *open = open_of(pass->user, XDS_SIDE_OLD, index);

    if (open)
        fill_places(pass, in, &open->shown.fields);
}

static enum xds_status run(struct work *w, enum xds_side side,
                           void (*visit)(struct xds_pass *, uint32_t,
                                         const struct xds_resource *))
{
    struct xds_pass pass = {.diff = w->diff,
                            .side = side,
                            .visit = visit,
                            .wants = wants_change,
                            .user = w,
                            .taken = &w->batch};

    return pass_run(&pass);
}

/* Each round takes at least one change, or the input is not what it was. */
static enum xds_status compare_fields(struct work *w)
{
    enum xds_status status = XDS_OK;
    const bool any = w->pending > 0;

    while (w->pending > 0 && status == XDS_OK) {
        const size_t before = w->pending;

        xds_arena_reset(&w->batch);
        status = run(w, XDS_SIDE_OLD, take_old);
        if (status == XDS_OK)
            status = run(w, XDS_SIDE_NEW, take_new);
        if (status == XDS_OK && w->pending == before)
            return XDS_ERR_IO;
    }
    return any && status == XDS_OK ? run(w, XDS_SIDE_OLD, place_old) : status;
}

/* ---- all ---- */

static int cmp_changes(const void *left, const void *right)
{
    const struct xds_resource_change *a = left, *b = right;
    const enum xds_resource_type types[] = {xds_resource_type_of(a->type),
                                            xds_resource_type_of(b->type)};

    if (types[0] != types[1])
        return types[0] < types[1] ? -1 : 1;
    const int types_differ = xds_slice_cmp(a->type, b->type);
    return types_differ ? types_differ : xds_slice_cmp(a->name, b->name);
}

static void read_all(void *arg)
{
    struct work *w = arg;
    const bool known = takes_content(w);

    for (unsigned side = 0; side < XDS_SIDES && w->status == XDS_OK; side++)
        w->status = read_texts(w, (enum xds_side)side, known);
    if (w->status == XDS_OK && has_others(w))
        for (unsigned side = 0; side < XDS_SIDES && w->status == XDS_OK; side++)
            w->status = read_digests(w, (enum xds_side)side);
    if (w->status != XDS_OK)
        return;
    match(w);
    w->status = compare_fields(w);

    struct xds_diff *diff = w->diff;

    diff->resources = XDS_NEW_ARRAY(&diff->arena, struct xds_resource_change, w->n + 1);
    diff->n_resources = w->n;
    for (size_t i = 0; i < w->n; i++)
        diff->resources[i] = w->open[i].shown;
    qsort(diff->resources, w->n, sizeof *diff->resources, cmp_changes);
}

enum xds_status xds_diff_resources(struct xds_diff *diff)
{
    struct work w = {.diff = diff};
    struct xds_arena *const arenas[] = {&diff->arena, &diff->scratch, &w.batch};

    xds_arena_init(&w.batch, XDS_MAX_DIFF_DECODED + XDS_MAX_DECODED_BYTES);
    const enum xds_status status =
        xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), read_all, &w);
    xds_arena_release(&w.batch);
    return status == XDS_OK ? w.status : status;
}

/* ---- two readers ---- */

static void read_verdicts(void *arg)
{
    struct xds_diff *diff = arg;
    const size_t n = xds_report_resources(diff->side[XDS_SIDE_NEW].report);

    for (uint32_t i = 0; i < n; i++)
        if (xds_check_uses(xds_report_resource(diff->side[XDS_SIDE_NEW].report, i)->held))
            compare_verdicts(diff, i, i);
}

enum xds_status xds_diff_verdicts(struct xds_diff *diff)
{
    struct xds_arena *const arenas[] = {&diff->arena, &diff->scratch};

    return xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), read_verdicts, diff);
}
