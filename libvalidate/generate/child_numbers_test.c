/* child_numbers_test.c - numbers of priorities over long chains of updates, against a
 * second reading of the same tables that works on sets of localities. */
#include <criterion/criterion.h>

#include "clients/clients.h"
#include "generate/config.h"

enum { LOCALITIES = 5, PRIORITIES = 4, NONE = -1 };
static const char *const letters[LOCALITIES] = {"a", "b", "c", "d", "e"};

/* An update: the localities of each priority as bits, and their numbers. */
struct simple {
    unsigned sets[PRIORITIES];
    int64_t numbers[PRIORITIES];
    size_t n;
    int64_t next;
};

/* ---- the second model ---- */

/* The old priority that has the locality; of several the last. */
static int holder_of(const struct simple *old, unsigned locality)
{
    for (size_t i = old->n; i-- > 0;)
        if (old->sets[i] >> locality & 1u)
            return (int)i;
    return NONE;
}

/* Spec cluster 5.6, the three rules for core. */
static void number_core(const struct simple *old, struct simple *now)
{
    unsigned table = (1u << LOCALITIES) - 1;

    for (size_t i = 0; i < now->n; i++) {
        now->numbers[i] = NONE;
        for (unsigned l = 0; l < LOCALITIES; l++) {
            const int holder = holder_of(old, l);

            if (!(now->sets[i] >> l & 1u) || !(table >> l & 1u) || holder == NONE)
                continue;
            table &= ~(1u << l);
            if (now->numbers[i] == NONE) {
                now->numbers[i] = old->numbers[holder];
                table &= ~old->sets[holder];
            }
        }
        if (now->numbers[i] == NONE)
            now->numbers[i] = now->next++;
    }
}

static bool is_taken(const struct simple *now, size_t n, int64_t number)
{
    for (size_t i = 0; i < n; i++)
        if (now->numbers[i] == number)
            return true;
    return false;
}

static int64_t first_free(const struct simple *old, const struct simple *now, size_t i)
{
    for (unsigned l = 0; l < LOCALITIES; l++) {
        const int holder = now->sets[i] >> l & 1u ? holder_of(old, l) : NONE;

        if (holder != NONE && !is_taken(now, now->n, old->numbers[holder]))
            return old->numbers[holder];
    }
    return NONE;
}

static bool shares(const struct simple *old, const struct simple *now, size_t i, int from)
{
    for (unsigned l = 0; l < LOCALITIES; l++)
        if ((now->sets[i] >> l & 1u) && holder_of(old, l) == from)
            return true;
    return false;
}

/* Three passes: the same place, greedily, new numbers. */
static void number_go(const struct simple *old, struct simple *now)
{
    for (size_t i = 0; i < now->n; i++)
        now->numbers[i] = NONE;
    for (size_t i = 0; i < now->n && i < old->n; i++)
        if (shares(old, now, i, (int)i))
            now->numbers[i] = old->numbers[i];
    for (size_t i = 0; i < now->n; i++)
        if (now->numbers[i] == NONE)
            now->numbers[i] = first_free(old, now, i);
    for (size_t i = 0; i < now->n; i++)
        if (now->numbers[i] == NONE)
            now->numbers[i] = now->next++;
}

/* Priority by priority: a free number of one of its localities, or a new one. */
static void number_java(const struct simple *old, struct simple *now)
{
    for (size_t i = 0; i < now->n; i++)
        now->numbers[i] = NONE;
    for (size_t i = 0; i < now->n; i++) {
        now->numbers[i] = first_free(old, now, i);
        if (now->numbers[i] == NONE)
            now->numbers[i] = now->next++;
    }
}

/* The smallest old priority from the same place on that held one of the localities. */
static void number_node(const struct simple *old, struct simple *now)
{
    for (size_t i = 0; i < now->n; i++) {
        size_t from = i;

        while (from < old->n && !shares(old, now, i, (int)from))
            from++;
        now->numbers[i] = from < old->n && !is_taken(now, i, old->numbers[from])
                              ? old->numbers[from]
                              : now->next++;
    }
}

static void (*const number[XDS_CLIENTS])(const struct simple *, struct simple *) = {
    [XDS_CLIENT_GRFC] = number_core, [XDS_CLIENT_CORE] = number_core,
    [XDS_CLIENT_GO] = number_go,     [XDS_CLIENT_JAVA] = number_java,
    [XDS_CLIENT_NODE] = number_node,
};

/* ---- both side by side ---- */

static unsigned chance(uint64_t *seed, unsigned bound)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*seed >> 33) % bound;
}

static struct xds_child_numbers priorities_of(struct xds_maker *maker,
                                              const struct simple *s)
{
    struct xds_child_numbers out = {.n = s->n};

    out.priorities = XDS_NEW_ARRAY(maker->arena, struct xds_config_priority, s->n);
    for (size_t i = 0; i < s->n; i++) {
        const struct xds_locality **list =
            XDS_NEW_ARRAY(maker->arena, const struct xds_locality *, LOCALITIES);

        out.priorities[i].localities = list;
        for (unsigned l = 0; l < LOCALITIES; l++) {
            struct xds_locality *locality = XDS_NEW(maker->arena, struct xds_locality);

            locality->sub_zone = xds_slice_of(letters[l]);
            if (s->sets[i] >> l & 1u)
                list[out.priorities[i].n++] = locality;
        }
    }
    return out;
}

static void check(const struct xds_maker *maker, const struct xds_child_numbers *got,
                  const struct simple *wanted)
{
    for (size_t i = 0; i < wanted->n; i++) {
        cr_assert_eq(got->number[i], (uint64_t)wanted->numbers[i], "%s, priority %zu",
                     xds_client_name(maker->client), i);
        cr_assert_lt(got->number[i], got->next);
        for (size_t k = 0; k < i; k++)
            cr_assert_neq(got->number[i], got->number[k]);
    }
    cr_assert_eq(got->next, (uint64_t)wanted->next);
}

static void play_chain(struct xds_maker *maker, uint64_t *seed)
{
    struct simple old = {.next = maker->client == XDS_CLIENT_JAVA ? 1 : 0};
    struct xds_child_numbers before = {.n = 0};

    for (unsigned update = 0; update < 6; update++) {
        struct simple now = {.n = 1 + chance(seed, PRIORITIES), .next = old.next};

        for (size_t i = 0; i < now.n; i++)
            now.sets[i] = 1 + chance(seed, (1u << LOCALITIES) - 1);
        struct xds_child_numbers got = priorities_of(maker, &now);

        number[xds_client_as(maker->client)](&old, &now);
        xds_child_numbers_assign(maker->arena, maker->options, maker->client, &before,
                                 &got);
        check(maker, &got, &now);
        old = now;
        before = got;
    }
}

Test(child_numbers, random_chains_of_updates_are_numbered_as_the_tables_say,
     .timeout = 120)
{
    struct xds_arena arena;
    struct xds_options options;
    struct xds_maker maker = {.arena = &arena, .options = &options};
    uint64_t seed = 56;

    xds_options_init(&options);
    xds_arena_init(&arena, 0);
    for (unsigned i = 0; i < 100000; i++) {
        maker.client = (enum xds_client)(i % XDS_CLIENTS);
        play_chain(&maker, &seed);
        xds_arena_reset(&arena);
    }
    xds_arena_release(&arena);
}
