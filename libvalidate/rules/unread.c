/*
 * unread.c - fields that are set and that a client does not read.
 *
 * Source: the comments of proto/: the fields that the sources of grpc, grpc-go, grpc-java
 *         and grpc-node read, and the rows of the spec that say "ignored".
 *
 * The walk is driven by plans, which say what to look at in each type of message. It
 * enters a message only for the clients that read it.
 */
#include "rules/unread.h"

#include "base/text.h"
#include "clients/environment.h"

/* Of the many fields of a message few can be reported, or lead to such ones; which ones
 * is known from its type and from the clients that read it. Plans are made once per run.
 */

/* What a comment in proto/ says about a field. */
struct xds_field_use {
    unsigned readers; /* of the clients that read the message */
    enum {
        XDS_NO_REMARK,
        XDS_COSMETIC, /* it decides nothing about RPCs for anybody: reported if asked for
                       */
        XDS_DECIDES,  /* where an RPC goes, or what it asks for, depends on it in Envoy */
        XDS_CURRENT,  /* deprecated, but gRPC does not read the newer form */
    } remark;
    const char *hint; /* what follows from a field that is not read, or NULL */
};

/* A field that not all releases read, or only while a variable is on. */
struct field_guard {
    const char *message;
    size_t length; /* of the message's name */
    const char *field;
    enum { READ_BEHIND, READ_UNLESS, READ_IF } when; /* as in field_guards.def */
    enum xds_env env;
    enum xds_difference difference;
};

/* A field of a message. */
struct xds_unread_field {
    const ProtobufCMessageDescriptor *message;
    const ProtobufCFieldDescriptor *field;
    const struct xds_field_use *use;
    const struct field_guard *guard; /* or NULL */
    struct xds_slice key; /* "envoy.config.route.v3.RouteAction.timeout"; once needed */
    struct xds_slice deprecated_key; /* "deprecated " before it; once needed */
};

/* Readers of a run that do not read a field that others read. */
struct blind_readers {
    xds_readers who; /* none: there is nothing to report */
    struct xds_slice key, why;
};

/* Who does not read a field. It is the same for the whole run. */
struct xds_unread_answer {
    struct blind_readers never, waiting, older; /* waiting: for a variable */
    unsigned never_by;                          /* the clients of never */
};

enum unread_entry { XDS_ENTER_NOTHING, XDS_ENTER_ONE, XDS_ENTER_LIST, XDS_ENTER_MAP };

/* What is done where a field is set. */
struct xds_unread_watch {
    struct xds_presence set;
    struct xds_unread_field *field;
    unsigned blind; /* who of those that read the message does not; 0: not reported */
    bool reports;   /* a blind client, or a guard, until the answer is empty */
    const struct xds_unread_answer *answer; /* once needed */
    bool is_deprecated;                     /* and read, which is reported too */
    enum unread_entry enter;
    unsigned offset; /* of the message, or of the list's array; its length is in set */
    bool is_any;     /* what is entered: its type decides the plan */
    bool is_known;   /* below has been found; not for an Any */
    const struct unread_plan *below;           /* NULL: nothing in it can be reported */
    const ProtobufCMessageDescriptor *content; /* what is entered, of a map its values */
    unsigned clients;                          /* that enter */
};

/* A word of a message in which these bits are 0 unless a watched field is set. */
struct xds_unread_probe {
    unsigned offset;
    uintptr_t bits;
};

/* A watch, and the word of a message that tells whether its field is set. */
struct xds_unread_test {
    struct xds_unread_watch *watch;
    uintptr_t bits, value;
    unsigned offset;
    bool is_equal; /* these bits are the value; else: they are not */
    bool is_half;  /* and xds_is_set() says so, too */
};

struct unread_plan {
    unsigned clients; /* that read the message */
    struct xds_unread_test *all, *all_end;
    /* Most fields that would be reported are not set: all probes together show that, and
     * then only the other watches are left. */
    struct xds_unread_probe *probes, *probes_end;
    struct xds_unread_test *others, *others_end;
    struct unread_plan *next; /* of the same type for other clients */
};

/* ---- the facts ---- */

/* The rows are written by proto/read_fields.awk. */
static const struct xds_field_use uses[] = {
#define XDS_MESSAGE_READ(message, clients, first)
#define XDS_FIELD_READ(name, clients, remark, hint) {(clients), (remark), (hint)},
#include "read_fields.inc"
#undef XDS_MESSAGE_READ
#undef XDS_FIELD_READ
};

static const struct field_guard guards[] = {
#define XDS_FIELD_BEHIND(message, field, env)                                            \
    {message, sizeof(message) - 1, field, READ_BEHIND, XDS_ENV_##env, XDS_DIFFERENCES},
#define XDS_FIELD_UNLESS(message, field, difference)                                     \
    {message, sizeof(message) - 1, field, READ_UNLESS, XDS_ENVS, XDS_DIFF_##difference},
#define XDS_FIELD_IF(message, field, difference)                                         \
    {message, sizeof(message) - 1, field, READ_IF, XDS_ENVS, XDS_DIFF_##difference},
#include "clients/field_guards.def"
};

/* The first guard of a field counts. */
static void set_guards(struct xds_unread_field *fields,
                       const ProtobufCMessageDescriptor *message)
{
    const struct xds_slice name = xds_slice_of(message->name);

    for (size_t i = XDS_ARRAY_LEN(guards); i-- > 0;) {
        const ProtobufCFieldDescriptor *field =
            xds_slice_eq(name, (struct xds_slice){guards[i].message, guards[i].length})
                ? protobuf_c_message_descriptor_get_field_by_name(message,
                                                                  guards[i].field)
                : NULL;

        if (field)
            fields[field - message->fields].guard = &guards[i];
    }
}

/* A message that clients read. */
static const struct reads {
    const ProtobufCMessageDescriptor *message;
    unsigned clients;
    const struct xds_field_use *fields; /* as the descriptor has them */
} reads[] = {
#define XDS_MESSAGE_READ(message, clients, first) {&(message), (clients), &uses[first]},
#define XDS_FIELD_READ(name, clients, remark, hint)
#include "read_fields.inc"
#undef XDS_MESSAGE_READ
#undef XDS_FIELD_READ
};

unsigned xds_field_readers(const ProtobufCMessageDescriptor *message,
                           const ProtobufCFieldDescriptor *field, const char **hint)
{
    *hint = NULL;
    for (size_t i = 0; i < XDS_ARRAY_LEN(reads); i++) {
        const struct xds_field_use *use = &reads[i].fields[field - message->fields];

        if (reads[i].message != message)
            continue;
        *hint = use->hint;
        return reads[i].clients & use->readers;
    }
    return 0;
}

bool xds_field_is_unread(const ProtobufCMessageDescriptor *message,
                         const ProtobufCFieldDescriptor *field)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(reads); i++)
        if (reads[i].message == message)
            return !reads[i].fields[field - message->fields].readers &&
                   !xds_field_in_oneof(field);
    return false;
}

/* ---- what is known of a message ---- */

struct xds_unread_message {
    const struct reads *reads;
    struct xds_unread_field *fields; /* NULL before the first plan */
    struct unread_plan *plans;
};

/* A power of two, a few times as many as there are messages. */
#define SLOTS ((size_t)512)

/* The slot of a type, or the free one for it. */
static struct xds_unread_message **slot_of(const struct xds_unread *unread,
                                           const ProtobufCMessageDescriptor *type)
{
    size_t slot = ((uintptr_t)type / sizeof *type) % SLOTS;

    while (unread->slots[slot] && unread->slots[slot]->reads->message != type)
        slot = (slot + 1) % SLOTS;
    return &unread->slots[slot];
}

/* NULL: no client reads it. */
static struct xds_unread_message *find_message(struct xds_unread *unread,
                                               const ProtobufCMessageDescriptor *type)
{
    if (!unread->slots) {
        const size_t n = XDS_ARRAY_LEN(reads);
        struct xds_unread_message *messages =
            XDS_NEW_ARRAY(unread->arena, struct xds_unread_message, n);

        unread->slots = XDS_NEW_ARRAY(unread->arena, struct xds_unread_message *, SLOTS);
        for (size_t i = 0; i < n; i++) {
            messages[i].reads = &reads[i];
            *slot_of(unread, reads[i].message) = &messages[i];
        }
    }
    return *slot_of(unread, type);
}

/* Those of the clients that read a message of this type. */
static unsigned readers_among(struct xds_unread *unread, unsigned clients,
                              const ProtobufCMessageDescriptor *type)
{
    const struct xds_unread_message *message = find_message(unread, type);

    return message ? clients & message->reads->clients : 0;
}

/* ---- plans ---- */

/* The type of what a field holds, of a map its values; NULL: nothing that is entered. The
 * values of a map are not entered when its keys are not text. */
static const ProtobufCMessageDescriptor *content_of(const ProtobufCFieldDescriptor *field)
{
    if (field->type != PROTOBUF_C_TYPE_MESSAGE)
        return NULL;
    if (!xds_field_is_map(field))
        return field->descriptor;

    const ProtobufCFieldDescriptor *entry =
        ((const ProtobufCMessageDescriptor *)field->descriptor)->fields;
    return entry[0].type == PROTOBUF_C_TYPE_STRING &&
                   entry[1].type == PROTOBUF_C_TYPE_MESSAGE
               ? entry[1].descriptor
               : NULL;
}

/* Below load_assignment other fields are read than in an endpoint resource of the same
 * type; see cluster.c. */
bool xds_field_is_read_otherwise(const ProtobufCFieldDescriptor *field)
{
    const ProtobufCMessageDescriptor *cluster =
        &envoy__config__cluster__v3__cluster__descriptor;

    return field >= cluster->fields && field < cluster->fields + cluster->n_fields &&
           strcmp(field->name, "load_assignment") == 0;
}

/* content: of the field, or NULL. */
static enum unread_entry entry_of(struct xds_unread *unread,
                                  const ProtobufCFieldDescriptor *field,
                                  const ProtobufCMessageDescriptor *content,
                                  unsigned clients)
{
    if (!content || !clients || xds_field_is_read_otherwise(field) ||
        (content != &google__protobuf__any__descriptor &&
         !readers_among(unread, clients, content)))
        return XDS_ENTER_NOTHING;
    if (field->label != PROTOBUF_C_LABEL_REPEATED)
        return XDS_ENTER_ONE;
    return xds_field_is_map(field) ? XDS_ENTER_MAP : XDS_ENTER_LIST;
}

/* Bytes that tell whether the field is set; 0: no word can. */
static size_t telling_bytes(struct xds_presence set)
{
    switch (set.by) {
    case XDS_SET_POINTER:
    case XDS_SET_TEXT:
        return sizeof(void *);
    case XDS_SET_SIZE:
        return sizeof(size_t);
    case XDS_SET_WORD32:
    case XDS_SET_CASE:
        return sizeof(uint32_t);
    case XDS_SET_WORD64:
        return sizeof(uint64_t) > sizeof(uintptr_t) ? 0 : sizeof(uint64_t);
    }
    return 0;
}

static struct xds_unread_test test_of(struct xds_unread_watch *watch)
{
    const struct xds_presence set = watch->set;
    const size_t n = telling_bytes(set);
    const unsigned in_word = set.offset % sizeof(uintptr_t);
    unsigned char bits[sizeof(uintptr_t)] = {0}, value[sizeof(uintptr_t)] = {0};
    struct xds_unread_test test = {
        .watch = watch,
        .offset = set.offset - in_word,
        .is_equal = set.by == XDS_SET_CASE || n == 0,
        .is_half = set.by == XDS_SET_TEXT || n == 0,
    };

    memset(bits + in_word, 0xff, n);
    if (set.by == XDS_SET_CASE)
        memcpy(value + in_word, &set.id, sizeof set.id);
    memcpy(&test.bits, bits, sizeof bits);
    memcpy(&test.value, value, sizeof value);
    return test;
}

/* Is a probe enough for it? */
static bool is_probed(const struct xds_unread_watch *watch)
{
    return watch->enter == XDS_ENTER_NOTHING && watch->set.by != XDS_SET_TEXT &&
           watch->set.by != XDS_SET_CASE && telling_bytes(watch->set) > 0;
}

/* Those of some clients of whom it is reported that they do not read a field. A member of
 * a oneof that no client reads is left to other rules, as to a client the oneof is not
 * set then, unless something depends on it. */
static unsigned blind_to(const struct xds_unread *unread,
                         const struct xds_unread_field *field, unsigned clients)
{
    const struct xds_field_use *use = field->use;
    const unsigned blind = clients & ~use->readers;

    return (blind & unread->selected) &&
                   (use->remark != XDS_COSMETIC || unread->cosmetic) &&
                   (use->readers || use->remark == XDS_DECIDES ||
                    !xds_field_in_oneof(field->field))
               ? blind
               : 0;
}

static bool is_deprecated_for(const struct xds_unread *unread,
                              const struct xds_unread_field *field, unsigned readers)
{
    return (field->field->flags & PROTOBUF_C_FIELD_FLAG_DEPRECATED) &&
           field->use->remark != XDS_CURRENT && (readers & unread->selected);
}

/* The watches of a message, in memory that the next plan uses again. */
static const struct xds_unread_watch *watches_of(struct xds_unread *unread,
                                                 struct xds_unread_message *message,
                                                 unsigned clients, size_t *n)
{
    const unsigned n_fields = message->reads->message->n_fields;

    *n = 0;
    if (n_fields > unread->cap) {
        unread->scratch = XDS_NEW_ARRAY(unread->arena, struct xds_unread_watch, n_fields);
        unread->cap = n_fields;
    }
    for (unsigned i = 0; i < n_fields; i++) {
        struct xds_unread_field *field = &message->fields[i];
        const unsigned readers = clients & field->use->readers;
        const unsigned blind = blind_to(unread, field, clients);
        const ProtobufCMessageDescriptor *content = content_of(field->field);
        const enum unread_entry entry = entry_of(unread, field->field, content, readers);
        const bool deprecated = is_deprecated_for(unread, field, readers);

        if (!blind && !field->guard && !deprecated && entry == XDS_ENTER_NOTHING)
            continue;
        unread->scratch[(*n)++] = (struct xds_unread_watch){
            .set = xds_field_presence(field->field),
            .field = field,
            .blind = blind,
            .reports = blind || field->guard,
            .is_deprecated = deprecated,
            .enter = entry,
            .offset = field->field->offset,
            .is_any = content == &google__protobuf__any__descriptor,
            .content = content,
            .clients = readers,
        };
    }
    return unread->scratch;
}

static void fill(struct unread_plan *plan, struct xds_arena *arena,
                 const struct xds_unread_watch *watches, size_t n)
{
    size_t probed = 0;

    for (size_t i = 0; i < n; i++)
        probed += is_probed(&watches[i]);
    struct xds_unread_watch *watch = XDS_NEW_ARRAY(arena, struct xds_unread_watch, n);

    plan->all = plan->all_end = XDS_NEW_ARRAY(arena, struct xds_unread_test, n);
    plan->others = plan->others_end =
        XDS_NEW_ARRAY(arena, struct xds_unread_test, n - probed);
    plan->probes = plan->probes_end =
        XDS_NEW_ARRAY(arena, struct xds_unread_probe, probed);
    for (size_t i = 0; i < n; i++, watch++) {
        *watch = watches[i];
        const struct xds_unread_test test = test_of(watch);

        *plan->all_end++ = test;
        if (!is_probed(watch))
            *plan->others_end++ = test;
        else if (plan->probes_end > plan->probes &&
                 plan->probes_end[-1].offset == test.offset)
            plan->probes_end[-1].bits |= test.bits;
        else
            *plan->probes_end++ = (struct xds_unread_probe){test.offset, test.bits};
    }
}

static struct unread_plan *make(struct xds_unread *unread,
                                struct xds_unread_message *message, unsigned clients)
{
    struct unread_plan *plan = XDS_NEW(unread->arena, struct unread_plan);
    size_t n;

    if (!message->fields) {
        const ProtobufCMessageDescriptor *type = message->reads->message;

        message->fields =
            XDS_NEW_ARRAY(unread->arena, struct xds_unread_field, type->n_fields);
        for (unsigned i = 0; i < type->n_fields; i++) {
            message->fields[i].message = type;
            message->fields[i].field = &type->fields[i];
            message->fields[i].use = &message->reads->fields[i];
        }
        set_guards(message->fields, type);
    }
    const struct xds_unread_watch *watches = watches_of(unread, message, clients, &n);

    fill(plan, unread->arena, watches, n);
    plan->clients = clients;
    plan->next = message->plans;
    message->plans = plan;
    return plan;
}

/* For a message that these clients read; NULL: nothing in it can be reported. Runs
 * under a guard of the arena. */
static const struct unread_plan *plan_of(struct xds_unread *unread,
                                         const ProtobufCMessageDescriptor *type,
                                         unsigned clients)
{
    struct xds_unread_message *message = find_message(unread, type);

    clients = message ? clients & message->reads->clients : 0;
    if (!clients)
        return NULL;
    struct unread_plan *plan = message->plans;

    while (plan && plan->clients != clients)
        plan = plan->next;
    if (!plan)
        plan = make(unread, message, clients);
    return plan->all == plan->all_end ? NULL : plan;
}

/* ---- reporting ---- */

struct walk {
    struct xds_unread *unread;
    struct xds_ctx *ctx;
};

/* "core, go" of a set; "gRPC" of all clients. */
static struct xds_slice name_clients(struct walk *walk, unsigned clients)
{
    if (clients == XDS_ALL_CLIENTS)
        return XDS_S("gRPC");
    return xds_arena_printf(walk->ctx->arena, "%s",
                            xds_named_list(walk->ctx->options, clients, ", ").text);
}

/* A timeout without a max_stream_duration is more than a field without effect: lint/ says
 * which limit holds. One of 0 is Envoy's way to have none. */
static bool leaves_no_limit(const ProtobufCMessage *message)
{
    const pb_route_action *action = (const void *)message;

    return !action->max_stream_duration &&
           (action->timeout->seconds != 0 || action->timeout->nanos != 0);
}

static struct xds_slice dotted(struct xds_arena *arena, const char *message,
                               const struct xds_unread_field *field)
{
    const struct xds_slice pieces[] = {xds_slice_of(message), XDS_S("."),
                                       xds_slice_of(field->field->name)};

    return xds_arena_join(arena, pieces, XDS_ARRAY_LEN(pieces));
}

static struct xds_slice key_of(struct walk *walk, struct xds_unread_field *field)
{
    if (!field->key.data)
        field->key = dotted(walk->unread->arena, field->message->name, field);
    return field->key;
}

/* "RouteAction.timeout" */
static struct xds_slice name_field(struct walk *walk,
                                   const struct xds_unread_field *field)
{
    return dotted(walk->ctx->arena, field->message->short_name, field);
}

static void fire_unread(struct xds_ctx *ctx, const struct xds_path *at, xds_readers who,
                        const struct xds_slice *words)
{
    xds_fire_for(ctx, at, who, XDS_R_FIELD_UNREAD, words);
}

static unsigned clients_of(const struct xds_panel *panel, xds_readers who)
{
    unsigned clients = 0;

    for (size_t i = 0; i < panel->n; i++)
        if (who >> i & 1)
            clients |= XDS_CLIENT_BIT(panel->reader[i].client);
    return clients;
}

/* Those that read a field which the others of their client do not. */
static xds_readers readers_if(const struct xds_ctx *ctx, const struct field_guard *guard)
{
    return guard && guard->when == READ_IF ? xds_who(ctx, guard->difference) : 0;
}

static void answer_never(struct walk *walk, const struct xds_unread_watch *watch,
                         struct xds_unread_answer *answer)
{
    const struct xds_ctx *ctx = walk->ctx;
    const unsigned unread_by =
        watch->field->use->readers ? watch->blind : XDS_ALL_CLIENTS;
    const xds_readers who =
        xds_panel_of(ctx->panel, unread_by) & ~readers_if(ctx, watch->field->guard);

    answer->never_by = unread_by & clients_of(ctx->panel, who);
    if (answer->never_by & walk->unread->selected)
        answer->never =
            (struct blind_readers){.who = who, .key = key_of(walk, watch->field)};
}

/* Which of some readers would read the field if the variable were set. */
static xds_readers waiting_for(const struct xds_ctx *ctx, enum xds_env env,
                               xds_readers some)
{
    struct xds_options *set = XDS_NEW(ctx->arena, struct xds_options);
    xds_readers out = 0;

    *set = *ctx->options;
    set->env_set[env] = XDS_ENV_TRUE;
    for (size_t i = 0; i < ctx->panel->n; i++)
        if (some >> i & 1 && xds_env_on_at(set, env, &ctx->panel->reader[i]))
            out |= (xds_readers)1 << i;
    return out;
}

static struct blind_readers blind_of(struct walk *walk,
                                     const struct xds_unread_field *field,
                                     xds_readers who, const char *why)
{
    struct xds_arena *arena = walk->unread->arena;

    if (!(clients_of(walk->ctx->panel, who) & walk->unread->selected))
        return (struct blind_readers){.who = 0};
    return (struct blind_readers){
        .who = who,
        .why = xds_slice_of(why),
        .key = xds_arena_printf(arena, "%s.%s%s", field->message->short_name,
                                field->field->name, why),
    };
}

static bool reads_at(const struct field_guard *guard, struct xds_client_release who)
{
    return guard->when == READ_BEHIND ? xds_env_has(guard->env, &who)
                                      : !xds_release_differs(&who, guard->difference);
}

/* The first releases of these clients that read a field: "java reads it since 1.78". */
static const char *newer_words(struct walk *walk, const struct field_guard *guard,
                               xds_readers who)
{
    const unsigned clients = clients_of(walk->ctx->panel, who) & walk->unread->selected;
    struct xds_text text = {.arena = walk->unread->arena};
    unsigned any = 0;

    xds_text_add(&text, XDS_S(": the field is newer"));
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++) {
        size_t n = 0, i = 0;
        const struct xds_release *known = xds_client_releases(c, &n);

        if (!(clients & XDS_CLIENT_BIT(c)) || c == XDS_CLIENT_GRFC)
            continue;
        while (i < n && !reads_at(guard, (struct xds_client_release){c, known[i]}))
            i++;
        if (i < n)
            xds_text_printf(&text, ", %s %ssince %u.%u", xds_client_name(c),
                            any++ ? "" : "reads it ", known[i].major, known[i].minor);
    }
    return text.data;
}

/* A field that is read only while a variable is on, or only by newer releases. */
static void answer_guarded(struct walk *walk, const struct xds_unread_watch *watch,
                           struct xds_unread_answer *answer)
{
    const struct xds_ctx *ctx = walk->ctx;
    const struct field_guard *guard = watch->field->guard;
    const xds_readers reading = guard->when == READ_BEHIND
                                    ? xds_guarded_by(ctx, guard->env)
                                    : ~xds_who(ctx, guard->difference);
    const xds_readers blind = xds_panel_of(ctx->panel, watch->clients) & ~reading;
    xds_readers waiting = 0;

    if (!blind || guard->when == READ_IF)
        return;
    if (guard->when == READ_BEHIND) {
        waiting = waiting_for(ctx, guard->env, blind);
        answer->waiting = blind_of(walk, watch->field, waiting,
                                   xds_arena_printf(walk->unread->arena, ": %s is off",
                                                    xds_env_row(guard->env)->name)
                                       .data);
    }
    if (blind & ~waiting)
        answer->older = blind_of(walk, watch->field, blind & ~waiting,
                                 newer_words(walk, guard, blind & ~waiting));
}

static const struct xds_unread_answer *answer_of(struct walk *walk,
                                                 struct xds_unread_watch *watch)
{
    if (!watch->answer) {
        struct xds_unread_answer *answer =
            XDS_NEW(walk->unread->arena, struct xds_unread_answer);

        if (watch->blind)
            answer_never(walk, watch, answer);
        if (watch->field->guard)
            answer_guarded(walk, watch, answer);
        watch->answer = answer;
        watch->reports =
            (answer->never.who | answer->waiting.who | answer->older.who) != 0;
    }
    return watch->answer;
}

static void report(struct walk *walk, const ProtobufCMessage *message,
                   const struct xds_unread_watch *watch, const struct xds_path *at)
{
    struct xds_ctx *ctx = walk->ctx;
    const struct xds_unread_field *field = watch->field;
    const struct xds_unread_answer *answer = watch->answer;
    const char *hint = field->use->hint;

    if (field->message == &envoy__config__route__v3__route_action__descriptor &&
        strcmp(field->field->name, "timeout") == 0 && leaves_no_limit(message))
        return;
    if (xds_report_is_first(ctx->report, answer->never.key)) {
        const struct xds_slice name = name_field(walk, field);
        const size_t before = ctx->report->n_findings;
        const struct xds_slice *words =
            XDS_WITH(name, name_clients(walk, answer->never_by),
                     hint ? xds_arena_printf(ctx->arena, ": %s", hint) : XDS_S(""));

        if (field->use->remark == XDS_COSMETIC)
            xds_fire_for(ctx, at, answer->never.who, XDS_R_FIELD_COSMETIC, words);
        else
            fire_unread(ctx, at, answer->never.who, words);
        if (!field->use->readers && field->use->remark != XDS_DECIDES &&
            ctx->report->n_findings > before)
            xds_report_add_unread(ctx->report, name);
    }
}

/* What a run says once of a field: that these readers do not read it, and why. */
static void report_blind(struct walk *walk, const struct xds_unread_field *field,
                         const struct xds_path *at, const struct blind_readers *blind)
{
    struct xds_ctx *ctx = walk->ctx;
    bool several;

    if (xds_report_is_first(ctx->report, blind->key))
        fire_unread(ctx, at, blind->who,
                    XDS_WITH(name_field(walk, field),
                             xds_name_readers(ctx, blind->who, &several), blind->why));
}

static void report_readers(struct walk *walk, const ProtobufCMessage *message,
                           struct xds_unread_watch *watch, const struct xds_path *at)
{
    const struct xds_unread_answer *answer = answer_of(walk, watch);

    if (answer->never.who)
        report(walk, message, watch, at);
    if (answer->waiting.who)
        report_blind(walk, watch->field, at, &answer->waiting);
    if (answer->older.who)
        report_blind(walk, watch->field, at, &answer->older);
}

/* ---- the walk ---- */

/* The watches that are left to look at: the first one's field is set. */
struct todo {
    const struct xds_unread_test *next, *end;
};

static inline bool is_met(const struct xds_unread_test *test,
                          const ProtobufCMessage *message)
{
    uintptr_t word;

    memcpy(&word, (const char *)message + test->offset, sizeof word);
    return ((word & test->bits) == test->value) == test->is_equal &&
           (!test->is_half || xds_is_set(message, test->watch->set));
}

static inline bool go_to_next(struct todo *todo, const ProtobufCMessage *message)
{
    while (todo->next < todo->end && !is_met(todo->next, message))
        todo->next++;
    return todo->next < todo->end;
}

/* Is there anything to look at? Most messages are leaves without, for which no path is
 * made. plan: or NULL. */
static inline bool begin_visit(struct todo *todo, const struct unread_plan *plan,
                               const ProtobufCMessage *message)
{
    uintptr_t found = 0, word;

    if (!plan)
        return false;
    for (const struct xds_unread_probe *p = plan->probes; p < plan->probes_end; p++) {
        memcpy(&word, (const char *)message + p->offset, sizeof word);
        found |= word & p->bits;
    }
    *todo = found ? (struct todo){plan->all, plan->all_end}
                  : (struct todo){plan->others, plan->others_end};
    return go_to_next(todo, message);
}

/* Depth is that of the input, which is bounded. */
static void visit(struct walk *walk, const ProtobufCMessage *message, struct todo todo,
                  const struct xds_path *at);

static void visit_any(struct walk *walk, const pb_any *pb, const struct xds_path *at,
                      unsigned clients)
{
    const struct xds_any *any = xds_any_of(pb);
    struct todo todo;

    if (any->state != XDS_ANY_TYPED)
        return;
    const struct unread_plan *plan =
        plan_of(walk->unread, any->message->descriptor, clients);
    if (begin_visit(&todo, plan, any->message))
        visit(walk, any->message, todo, XDS_AT_VALUE(at, any->type));
}

/* Can anything be reported in what the watch enters? */
static bool is_worth_entering(struct walk *walk, struct xds_unread_watch *watch)
{
    if (watch->enter == XDS_ENTER_NOTHING)
        return false;
    if (!watch->is_any && !watch->is_known) {
        /* Find the plan for what a watch enters, the first time: most of the API is never
         * set. */
        watch->below = plan_of(walk->unread, watch->content, watch->clients);
        watch->is_known = true;
    }
    return watch->is_any || watch->below;
}

/* The value in an entry of a map, which is a message of a key and a value; or NULL. */
static const ProtobufCMessage *value_of(const ProtobufCMessage *entry,
                                        struct xds_slice *key)
{
    const ProtobufCFieldDescriptor *fields = entry->descriptor->fields;

    if (xds_field_count(entry, &fields[1]) == 0)
        return NULL;
    *key = xds_item_text(xds_field_item(entry, &fields[0], 0));
    return xds_item_message(xds_field_item(entry, &fields[1], 0));
}

static void enter(struct walk *walk, const ProtobufCMessage *message,
                  const struct xds_unread_watch *watch, const struct xds_path *at)
{
    static const enum xds_step_kind steps[] = {[XDS_ENTER_ONE] = XDS_STEP_FIELD,
                                               [XDS_ENTER_LIST] = XDS_STEP_INDEX,
                                               [XDS_ENTER_MAP] = XDS_STEP_KEY};
    const char *base = (const char *)message;
    const void *items = base + watch->offset; /* an array of pointers; or one of them */
    size_t n = 1;

    if (watch->enter != XDS_ENTER_ONE) {
        memcpy(&n, base + watch->set.offset, sizeof n);
        memcpy(&items, base + watch->offset, sizeof items);
    }
    for (size_t i = 0; i < n; i++) {
        const ProtobufCMessage *item;
        struct xds_slice key = {NULL, 0};
        struct todo todo;

        memcpy(&item, (const char *)items + i * sizeof item, sizeof item);
        if (watch->enter == XDS_ENTER_MAP && !(item = value_of(item, &key)))
            continue;
        if (!watch->is_any && !begin_visit(&todo, watch->below, item))
            continue;
        const struct xds_path step = {
            at,  steps[watch->enter], watch->field->field->name, i,
            key, XDS_STEP_EVERYWHERE};

        if (watch->is_any)
            visit_any(walk, (const pb_any *)(const void *)item, &step, watch->clients);
        else
            visit(walk, item, todo, &step);
    }
}

static void report_deprecated(struct walk *walk, struct xds_unread_field *field,
                              const struct xds_path *at)
{
    if (!field->deprecated_key.data)
        field->deprecated_key = xds_arena_concat(
            walk->unread->arena, XDS_S("deprecated "), key_of(walk, field));
    if (xds_report_is_first(walk->ctx->report, field->deprecated_key))
        xds_fire_with(walk->ctx, at, XDS_R_FIELD_DEPRECATED,
                      XDS_WITH(name_field(walk, field)));
}

static void look(struct walk *walk, const ProtobufCMessage *message,
                 struct xds_unread_watch *watch, const struct xds_path *at)
{
    const char *name = watch->field->field->name;

    if (watch->reports)
        report_readers(walk, message, watch, XDS_AT(at, name));
    if (watch->is_deprecated)
        report_deprecated(walk, watch->field, XDS_AT(at, name));
    if (is_worth_entering(walk, watch))
        enter(walk, message, watch, at);
}

static void visit(struct walk *walk, const ProtobufCMessage *message, struct todo todo,
                  const struct xds_path *at)
{
    do {
        look(walk, message, todo.next->watch, at);
        todo.next++;
    } while (go_to_next(&todo, message));
}

void xds_unread_check(struct xds_unread *unread, struct xds_ctx *ctx,
                      const ProtobufCMessage *resource)
{
    struct walk walk = {unread, ctx};
    struct todo todo;

    unread->selected = ctx->options->clients;
    unread->cosmetic = ctx->options->cosmetic;
    const struct unread_plan *plan =
        plan_of(unread, resource->descriptor, XDS_ALL_CLIENTS);
    if (begin_visit(&todo, plan, resource))
        visit(&walk, resource, todo, NULL);
}
