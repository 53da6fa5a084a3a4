/*
 * scripted.c - child policies whose states a scenario says.
 *
 * Fails:  an event that names a child which does not exist is a fault of the play.
 */
#include "scenario/scenario.h"

static struct xds_scripted_child *of_policy(struct xds_policy *policy)
{
    return (struct xds_scripted_child *)(void *)policy;
}

static struct xds_pick_result pick(struct xds_policy *self,
                                   const struct xds_pick_call *call)
{
    struct xds_scripted *table = of_policy(self)->table;

    (void)call;
    table->asked = of_policy(self)->path;
    if (self->report.state == XDS_STATE_READY)
        return (struct xds_pick_result){.kind = XDS_PICK_COMPLETE,
                                        .address = table->picks.data ? table->picks
                                                                     : self->name};
    if (self->report.state == XDS_STATE_TRANSIENT_FAILURE)
        return xds_pick_why(XDS_PICK_FAIL, self->report.status);
    return (struct xds_pick_result){.kind = XDS_PICK_QUEUE};
}

static void exit_idle(struct xds_policy *self)
{
    struct xds_scripted_child *child = of_policy(self);
    struct xds_step *step = child->table->play->step;

    if (child->told_in == step->index + 1)
        return;
    child->told_in = step->index + 1;
    xds_step_add_name(step, "told_to_exit_idle", child->path);
}

/* The maker keeps the books. */
static void destroy(struct xds_policy *self)
{
    of_policy(self)->exists = false;
}

static const struct xds_policy_ops ops = {
    .name = "scripted", .exit_idle = exit_idle, .pick = pick, .destroy = destroy};

struct xds_scripted_child *xds_scripted_of(struct xds_policy *policy)
{
    return policy->ops == &ops ? of_policy(policy) : NULL;
}

/* A label outlives the event that it is in; each text is kept once. */
static struct xds_slice keep_label(struct xds_scripted *table, struct xds_slice text)
{
    struct xds_arena *arena = table->play->machine.arena;
    void **slot = xds_strmap_at(&table->labels, text);

    if (!*slot) {
        struct xds_slice *kept = XDS_NEW(arena, struct xds_slice);

        *kept = xds_arena_dup(arena, text);
        *slot = kept;
    }
    return *(struct xds_slice *)*slot;
}

/* status: of a child that fails; absent: the one it has. */
static void report(struct xds_scripted *table, struct xds_scripted_child *child,
                   enum xds_connectivity state, struct xds_slice picker,
                   struct xds_slice status)
{
    const bool fails = state == XDS_STATE_TRANSIENT_FAILURE;

    if (status.data)
        child->failure = keep_label(table, status);

    xds_policy_report(
        &child->policy,
        (struct xds_lb_report){
            .state = state,
            .has_picker = true,
            .picker = picker.data ? keep_label(table, picker) : child->policy.name,
            .status = fails ? child->failure : (struct xds_slice){0},
        });
}

/* What the update in work makes the child say, once. */
static void report_of_update(struct xds_scripted *table, struct xds_scripted_child *child)
{
    const struct xds_tree *state = child->says;

    child->says = NULL;
    if (state && !table->play->failed)
        report(table, child, xds_event_state(table->play, state), (struct xds_slice){0},
               (struct xds_slice){0});
}

void xds_scripted_report(struct xds_scripted *table, const struct xds_tree *event)
{
    struct xds_play *play = table->play;
    struct xds_scripted_child *child = xds_scripted_find(table, event, "child");
    const struct xds_slice picker = xds_event_text(play, event, "picker");
    const struct xds_slice status = xds_event_text(play, event, "status");
    const enum xds_connectivity state = xds_event_own_state(play, event);

    if (child && !play->failed)
        report(table, child, state, picker, status);
}

/* The child's place in the table, which may be that of one that was destroyed. */
static struct xds_scripted_child *place_of(struct xds_scripted *table,
                                           struct xds_slice path)
{
    struct xds_machine *machine = &table->play->machine;
    void **slot = xds_strmap_at(&table->children, path);

    struct xds_scripted_child *child = *slot;

    if (child)
        return child;
    child = XDS_NEW(machine->arena, struct xds_scripted_child);
    *slot = child;
    child->table = table;
    child->policy = (struct xds_policy){.ops = &ops, .machine = machine};
    child->path = xds_arena_dup(machine->arena, path);
    child->failure = xds_arena_concat(machine->arena, path, XDS_S(" fails"));
    return child;
}

struct xds_scripted_child *xds_scripted_make(struct xds_scripted *table,
                                             struct xds_policy *parent,
                                             struct xds_slice path, size_t name_len)
{
    struct xds_scripted_child *child = place_of(table, path);

    child->policy.parent = parent;
    child->policy.name =
        xds_slice_make(child->path.data + child->path.len - name_len, name_len);
    child->policy.report = XDS_LB_REPORT_NEW;
    child->policy.n_reports = 0;
    child->exists = child->existed = true;
    child->told_in = 0;
    if (!table->silent)
        xds_step_add_name(table->play->step, "created", child->path);
    report_of_update(table, child);
    return child;
}

static struct xds_policy *make(void *user, struct xds_policy *parent,
                               struct xds_slice name)
{
    return &xds_scripted_make(user, parent, name, name.len)->policy;
}

static void update(void *user, struct xds_policy *policy)
{
    report_of_update(user, of_policy(policy));
}

static void unmake(void *user, struct xds_policy *policy)
{
    struct xds_scripted *table = user;

    xds_step_add_name(table->play->step, "deleted", of_policy(policy)->path);
    policy->ops->destroy(policy);
}

void xds_scripted_init(struct xds_scripted *table, struct xds_play *play)
{
    *table = (struct xds_scripted){.play = play};
    xds_strmap_init(&table->children, play->machine.arena);
    xds_strmap_init(&table->labels, play->machine.arena);
    table->maker = (struct xds_child_maker){
        .user = table, .create = make, .update = update, .destroy = unmake};
}

void xds_scripted_begin(struct xds_scripted *table, const struct xds_tree *reports)
{
    table->reports = reports;
    for (size_t i = 0; reports && i < reports->n; i++) {
        struct xds_scripted_child *child = place_of(table, reports->items[i].key);

        xds_event_state(table->play, &reports->items[i]);
        child->says = &reports->items[i];
        child->existed = child->exists;
    }
}

void xds_scripted_end(struct xds_scripted *table)
{
    const struct xds_tree *reports = table->reports;

    table->reports = NULL;
    for (size_t i = 0; reports && i < reports->n; i++) {
        struct xds_scripted_child *child = place_of(table, reports->items[i].key);

        if (!child->existed)
            xds_play_fault(
                table->play, &reports->items[i],
                "child \"%.*s\" cannot report a state: it does not exist in this step",
                XDS_FMT(child->path));
        else if (child->exists)
            /* One that got no update, such as one that left the config. */
            report_of_update(table, child);
        child->says = NULL;
    }
}

struct xds_scripted_child *xds_scripted_find(struct xds_scripted *table,
                                             const struct xds_tree *event,
                                             const char *key)
{
    const struct xds_slice name = xds_event_name(table->play, event, key);
    struct xds_scripted_child *child = xds_strmap_get(&table->children, name);

    if (table->play->failed)
        return NULL;
    if (child && child->exists)
        return child;
    xds_play_fault(table->play, xds_tree_member(event, key),
                   "child \"%.*s\" does not exist now", XDS_FMT(name));
    return NULL;
}
