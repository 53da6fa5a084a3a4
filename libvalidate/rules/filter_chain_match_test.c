/* filter_chain_match_test.c - the table of matches: its bound, its order, its text. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "base/limits.h"
#include "rules/inner.h"
#include "rules/kit_test.h"

static char *writable(struct kit *kit, const char *text)
{
    return (char *)(uintptr_t)xds_arena_strdup(&kit->arena, text);
}

static pb_filter_chain_match *new_match(struct kit *kit)
{
    pb_filter_chain_match *pb = XDS_NEW(&kit->arena, pb_filter_chain_match);

    envoy__config__listener__v3__filter_chain_match__init(pb);
    return pb;
}

static void set_names(struct kit *kit, size_t *n, char ***names, const char *list)
{
    struct xds_slice rest = xds_slice_of(list), name;

    *names = XDS_NEW_ARRAY(&kit->arena, char *, rest.len + 1);
    for (*n = 0; rest.data && rest.len > 0; (*n)++) {
        rest = xds_slice_cut(rest, ' ', &name);
        (*names)[*n] = writable(kit, xds_arena_dup(&kit->arena, name).data);
    }
}

static void set_ranges(struct kit *kit, size_t *n, pb_cidr_range ***ranges,
                       const char *list)
{
    char **names;

    set_names(kit, n, &names, list);
    *ranges = XDS_NEW_ARRAY(&kit->arena, pb_cidr_range *, *n);
    for (size_t i = 0; i < *n; i++) {
        (*ranges)[i] = XDS_NEW(&kit->arena, pb_cidr_range);
        envoy__config__core__v3__cidr_range__init((*ranges)[i]);
        (*ranges)[i]->address_prefix = names[i];
    }
}

static void set_ports(struct kit *kit, pb_filter_chain_match *pb, size_t n)
{
    pb->n_source_ports = n;
    pb->source_ports = XDS_NEW_ARRAY(&kit->arena, uint32_t, n);
    for (size_t i = 0; i < n; i++)
        pb->source_ports[i] = (uint32_t)i;
}

static void set_destination_port(struct kit *kit, pb_filter_chain_match *pb,
                                 uint32_t port)
{
    pb->destination_port = XDS_NEW(&kit->arena, Google__Protobuf__UInt32Value);
    google__protobuf__uint32_value__init(pb->destination_port);
    pb->destination_port->value = port;
}

/* Returns who reads on. */
static unsigned add(struct kit *kit, struct xds_chain_set *set,
                    const pb_filter_chain_match *pb)
{
    struct xds_chain_match match;
    const xds_readers readers = xds_chain_match_read(&kit->ctx, NULL, pb, set, &match);

    xds_chain_set_add(&kit->ctx, set, &match, 0);
    return (unsigned)readers;
}

Test(filter_chain_match, fields_that_multiply_without_bound_are_not_compared)
{
    struct kit *kit = kit_new();
    struct xds_chain_set set;
    pb_filter_chain_match *pb = new_match(kit);

    /* Nobody looks at entries of which there are too many: they need not exist. */
    pb->n_server_names = pb->n_application_protocols = pb->n_source_ports = SIZE_MAX / 2;
    xds_chain_set_init(&set, &kit->ctx);
    add(kit, &set, pb);
    add(kit, &set, NULL);
    add(kit, &set, NULL);
    cr_expect(set.is_full);
    cr_expect_eq(set.n_matches, 0);
    cr_expect_str_eq(kit_findings(kit), "filter_chains filter-chain-matches-limit AAAAA");
    kit_free(kit);
}

/* limit: XDS_MAX_FILTER_CHAIN_MATCHES */
Test(filter_chain_match, the_bound_is_for_all_chains_together)
{
    struct kit *kit = kit_new();
    struct xds_chain_set set;
    pb_filter_chain_match *all = new_match(kit);
    char a[] = "a", b[] = "b", *names[] = {a, b};

    /* C-core compares 16 bits of a port. */
    set_ports(kit, all, XDS_MAX_FILTER_CHAIN_MATCHES / 2);
    all->n_server_names = 2;
    all->server_names = names;
    xds_chain_set_init(&set, &kit->ctx);
    add(kit, &set, all);
    cr_expect_not(set.is_full);
    cr_expect_eq(set.n_matches, XDS_MAX_FILTER_CHAIN_MATCHES);
    cr_expect_str_eq(kit_findings(kit), "");
    add(kit, &set, NULL);
    cr_expect_str_eq(kit_findings(kit), "filter_chains filter-chain-matches-limit AAAAA");
    kit_free(kit);
}

Test(filter_chain_match, one_entry_in_common_is_enough)
{
    struct kit *kit = kit_new();
    struct xds_chain_set set;
    pb_filter_chain_match *a = new_match(kit), *b = new_match(kit);

    set_names(kit, &a->n_server_names, &a->server_names, "x y");
    set_names(kit, &a->n_application_protocols, &a->application_protocols, "h2 h3");
    set_names(kit, &b->n_server_names, &b->server_names, "y z");
    set_names(kit, &b->n_application_protocols, &b->application_protocols, "h3");
    xds_chain_set_init(&set, &kit->ctx);
    add(kit, &set, a);
    add(kit, &set, b);
    cr_expect_str_eq(kit_findings(kit),
                     "filter_chains filter-chain-match-duplicate NAANN");
    kit_free(kit);
}

Test(filter_chain_match, node_tells_destination_port_0_from_none)
{
    struct kit *kit = kit_new();
    struct xds_chain_set set;
    pb_filter_chain_match *none = new_match(kit), *zero = new_match(kit);

    set_destination_port(kit, zero, 0);
    xds_chain_set_init(&set, &kit->ctx);
    add(kit, &set, none);
    add(kit, &set, zero);
    cr_expect_str_eq(kit_findings(kit),
                     "filter_chains filter-chain-match-duplicate NNNNA");
    kit_free(kit);
}

/* Chains as 'plain', 'raw_buffer', 'raw_buffer with an application protocol' and 'plain
 * for another destination'; the clients that find a duplicate. */
static const struct {
    const char *chains;
    const char *findings;
} orders[] = {
    {"pr", ""},
    {"rp", ""},
    {"ppr", "filter_chains filter-chain-match-duplicate NNNNN"},
    {"rpp", "filter_chains filter-chain-match-duplicate AAANN"},
    {"prp", "filter_chains filter-chain-match-duplicate AAANN"},
    {"app", "filter_chains filter-chain-match-duplicate AAANN"},
    {"pap", "filter_chains filter-chain-match-duplicate AAANN"},
    {"roo", "filter_chains filter-chain-match-duplicate NNNNN"},
    {"rr", "filter_chains filter-chain-match-duplicate NNNNN"},
    {"aa", "filter_chains filter-chain-match-duplicate NAANN"},
};

static const pb_filter_chain_match *chain_of(struct kit *kit, char letter)
{
    pb_filter_chain_match *pb = new_match(kit);

    if (letter == 'r' || letter == 'a')
        pb->transport_protocol = writable(kit, "raw_buffer");
    if (letter == 'a')
        set_names(kit, &pb->n_application_protocols, &pb->application_protocols, "h2");
    if (letter == 'o')
        set_ranges(kit, &pb->n_prefix_ranges, &pb->prefix_ranges, "10.0.0.0");
    return pb;
}

Test(filter_chain_match, raw_buffer_counts_from_where_it_stands)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(orders); i++) {
        struct kit *kit = kit_new();
        struct xds_chain_set set;

        xds_chain_set_init(&set, &kit->ctx);
        for (const char *letter = orders[i].chains; *letter; letter++)
            add(kit, &set, chain_of(kit, *letter));
        cr_expect_str_eq(kit_findings(kit), orders[i].findings, "%s", orders[i].chains);
        kit_free(kit);
    }
}

/* How many destinations go has a chain for, as it goes on. */
Test(filter_chain_match, go_forgets_what_stands_before_raw_buffer)
{
    struct kit *kit = kit_new();
    struct xds_chain_set set;

    xds_chain_set_init(&set, &kit->ctx);
    cr_expect(add(kit, &set, chain_of(kit, 'p')) & XDS_GO);
    cr_expect_eq(set.n_in_use, 1);
    cr_expect(add(kit, &set, chain_of(kit, 'o')) & XDS_GO);
    cr_expect_eq(set.n_in_use, 2);
    cr_expect_not(add(kit, &set, chain_of(kit, 'a')) & XDS_GO);
    cr_expect_eq(set.n_in_use, 1);
    cr_expect_not(add(kit, &set, chain_of(kit, 'p')) & XDS_GO);
    cr_expect(add(kit, &set, chain_of(kit, 'r')) & XDS_GO);
    cr_expect_eq(set.n_in_use, 2);
    kit_free(kit);
}

Test(filter_chain_match, the_text_names_what_is_set_in_the_order_of_core)
{
    struct kit *kit = kit_new();
    struct xds_chain_set set;
    struct xds_chain_match match;
    pb_filter_chain_match *pb = new_match(kit);

    set_destination_port(kit, pb, 80);
    set_ranges(kit, &pb->n_prefix_ranges, &pb->prefix_ranges, "10.0.0.0 ::");
    pb->source_type =
        ENVOY__CONFIG__LISTENER__V3__FILTER_CHAIN_MATCH__CONNECTION_SOURCE_TYPE__SAME_IP_OR_LOOPBACK;
    set_ranges(kit, &pb->n_source_prefix_ranges, &pb->source_prefix_ranges, "10.0.0.0");
    set_ports(kit, pb, 2);
    set_names(kit, &pb->n_server_names, &pb->server_names, "a b");
    pb->transport_protocol = writable(kit, "tls");
    set_names(kit, &pb->n_application_protocols, &pb->application_protocols, "h2 h3");
    xds_chain_set_init(&set, &kit->ctx);
    xds_chain_match_read(&kit->ctx, NULL, pb, &set, &match);
    cr_expect_str_eq(xds_chain_match_text(&kit->arena, &match).data,
                     "{destination_port=80, prefix_ranges={{address_prefix=0.0.0.0:0, "
                     "prefix_len=0}, {address_prefix=[::]:0, prefix_len=0}}, "
                     "source_type=SAME_IP_OR_LOOPBACK, "
                     "source_prefix_ranges={{address_prefix=0.0.0.0:0, prefix_len=0}}, "
                     "source_ports={0, 1}, server_names={a, b}, transport_protocol=tls, "
                     "application_protocols={h2, h3}}");
    pb = new_match(kit);
    pb->source_type = 7;
    xds_chain_match_read(&kit->ctx, NULL, pb, &set, &match);
    cr_expect_str_eq(xds_chain_match_text(&kit->arena, &match).data, "{}");
    kit_free(kit);
}
