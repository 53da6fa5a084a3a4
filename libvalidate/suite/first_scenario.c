/*
 * first_scenario.c - a first scenario of a snapshot: hosts connect, one goes down and
 * comes back, and an RPC shows each time where it goes. If no RPC goes to a host, the
 * listener of a server is removed while an RPC is open. Written here for the reason that
 * first.c has.
 */
#include "check/check.h"
#include "explain/decision.h"
#include "explain/derive.h"
#include "explain/derive_server.h"
#include "print/write/out.h"
#include "suite/inner.h"

#define MOST_HOSTS 4

struct first {
    struct xds_out *out;
    struct xds_arena *arena;
    struct xds_explainer *explainer;
    struct xds_server *server;
    enum xds_status status;
    const struct xds_check *check;
    enum xds_client client;
    const char *const *paths;
    size_t n_paths, n_steps;
    size_t least; /* hosts that an RPC must have */
};

static void begin_step(struct first *f, unsigned seconds, const char *event)
{
    xds_out_format(f->out, "- at: %us\n  event: {type: %s", seconds, event);
    f->n_steps++;
}

static void put_rpc(struct first *f, unsigned seconds, const struct xds_request *request)
{
    struct xds_out *out = f->out;

    begin_step(f, seconds, "rpc");
    xds_suite_put(out, ", path: ", request->path);
    xds_suite_put(out, ", authority: ", request->authority);
    xds_suite_put_headers(out, request);
    xds_out_text(out, "}\n");
}

static void put_state(struct first *f, unsigned seconds, struct xds_slice address,
                      const char *state)
{
    begin_step(f, seconds, "subchannel_state");
    xds_suite_put(f->out, ", address: ", address);
    xds_out_format(f->out, ", state: %s}\n", state);
}

static void put_head(struct first *f, const struct xds_request *request)
{
    struct xds_out *out = f->out;

    out->in_yaml = true;
    xds_out_text(
        out,
        "# A first scenario of this snapshot: hosts connect, one goes down and comes "
        "back,\n"
        "# and an RPC shows each time where it goes. Events are described in\n"
        "# xdscope-scenario(5); of a step, \"expect\" holds what its result is to have.\n"
        "scenario: first\nsubject: channel\n");
    xds_suite_put_client(out, f->check, f->client);
    xds_suite_put(out, "target: ", request->target);
    xds_out_char(out, '\n');
    xds_suite_put_snapshot(out, f->paths, f->n_paths);
    xds_out_text(out, "steps:\n");
}

static void put_steps(struct first *f, const struct xds_request *request,
                      const struct xds_slice *addresses, size_t n, bool each)
{
    const struct xds_slice all = XDS_S("*");

    xds_out_text(f->out, "# Nothing is connected yet: the RPC waits.\n");
    put_rpc(f, 0, request);
    xds_out_format(f->out, "# %s ...\n",
                   each ? "The hosts that it may go to connect"
                        : "What is being connected is connected");
    for (size_t i = 0; i < n && (each || i == 0); i++)
        put_state(f, 1, each ? addresses[i] : all, "READY");
    put_rpc(f, 2, request);
    xds_out_format(f->out, "# ... %s ...\n", each ? "one of them goes down" : "is lost");
    put_state(f, 10, each ? addresses[0] : all, "TRANSIENT_FAILURE");
    put_rpc(f, 11, request);
    xds_out_text(f->out, "# ... and is back.\n");
    put_state(f, 20, each ? addresses[0] : all, "READY");
    put_rpc(f, 21, request);
}

/* Does the policy of the only leaf connect to all of its hosts at once? Others have the
 * subchannels that RPCs have asked for. */
static bool connects_to_all(const struct xds_decision *d)
{
    return d->pick.policy && !xds_lb_traits(d->pick.policy)->hashes &&
           !xds_lb_traits(d->pick.policy)->chosen && !xds_lb_traits(d->pick.policy)->open;
}

/* The first RPC that goes to so many hosts is taken. */
static void try_request(void *user, const struct xds_derived *derived)
{
    struct first *f = user;
    struct xds_slice addresses[MOST_HOSTS] = {{NULL, 0}};
    const struct xds_decision *d;
    size_t n = 0;

    if (f->n_steps > 0 || f->status != XDS_OK || !derived->request.target.data)
        return;
    f->status = xds_explain(f->explainer, &derived->request, &d);
    if (f->status != XDS_OK || !xds_decision_routed(d))
        return;
    for (size_t i = 0; i < d->pick.n_hosts && n < MOST_HOSTS; i++) {
        const struct xds_slice address = xds_host_address_of(d->pick.hosts[i].host);
        bool again = d->pick.hosts[i].probability <= 0;

        for (size_t k = 0; k < n; k++)
            again |= xds_slice_eq(addresses[k], address);
        if (!again)
            addresses[n++] = address;
    }
    if (n < f->least)
        return;
    put_head(f, &derived->request);
    put_steps(f, &derived->request, addresses, n, connects_to_all(d));
}

/* ---- a server ---- */

static void put_server_head(struct first *f, const struct xds_derived_inbound *derived)
{
    struct xds_out *out = f->out;

    out->in_yaml = true;
    xds_out_text(out, "# A first scenario of this snapshot: the listener of a server is "
                      "removed while an "
                      "RPC\n"
                      "# is open. Events are described in xdscope-scenario(5); of a "
                      "step, \"expect\" holds "
                      "what\n"
                      "# its result is to have.\n"
                      "scenario: first\nsubject: server\n");
    xds_suite_put_client(out, f->check, f->client);
    xds_suite_put(out, "config: {server: ", derived->inbound.server);
    xds_suite_put(out, ", local: ", derived->inbound.local);
    xds_suite_put(out, ", listener: ", derived->listener->name);
    xds_out_text(out, "}\n");
    xds_suite_put_snapshot(out, f->paths, f->n_paths);
    xds_out_text(out, "steps:\n");
}

static void put_connect(struct first *f, unsigned seconds, const struct xds_inbound *in)
{
    const struct xds_certificate *certificate = in->certificate;

    begin_step(f, seconds, "connect, id: a");
    xds_suite_put(f->out, ", peer: ", in->peer);
    for (size_t i = 0; certificate && i < certificate->n_sans; i++) {
        const struct xds_san *san = &certificate->sans[i];

        xds_suite_put(f->out, i == 0 ? ", peer_san: [" : ", ",
                      xds_arena_printf(f->arena, "%s:%.*s", xds_san_kind_name(san->kind),
                                       XDS_FMT(san->value)));
        xds_out_text(f->out, i + 1 == certificate->n_sans ? "]" : "");
    }
    xds_out_text(f->out, "}\n");
}

static void put_server_steps(struct first *f, const struct xds_derived_inbound *derived)
{
    const struct xds_inbound *in = &derived->inbound;
    struct xds_out *out = f->out;

    xds_out_text(out, "# A client connects, and an RPC stays open.\n");
    put_connect(f, 0, in);
    begin_step(f, 1, "rpc_start, id: x, connection: a");
    xds_suite_put(out, ", path: ", in->rpc.path);
    xds_suite_put(out, ", authority: ", in->rpc.authority);
    xds_suite_put_headers(out, &in->rpc);
    xds_out_text(out, "}\n# The listener goes: the connection is drained ...\n");
    begin_step(f, 10, "xds_remove, resource_type: listener");
    xds_suite_put(out, ", name: ", derived->listener->name);
    xds_out_text(out, "}\n# ... and closed with its last RPC.\n");
    begin_step(f, 20, "rpc_end, id: x");
    xds_out_text(out, "}\n# A new one is not accepted.\n");
    put_connect(f, 30, in);
}

/* The first RPC that a server serves is taken. */
static bool try_inbound(void *user, const struct xds_derived_inbound *derived)
{
    struct first *f = user;
    const struct xds_served *d;

    if (f->n_steps > 0 || f->status != XDS_OK)
        return true;
    f->status = xds_serve(f->server, &derived->inbound, &d);
    if (f->status != XDS_OK || !xds_served_well(d) ||
        xds_first_has_secret(&derived->inbound.rpc))
        return false;
    put_server_head(f, derived);
    put_server_steps(f, derived);
    return true;
}

/* ---- all of it ---- */

static void write_all(void *arg)
{
    struct first *f = arg;
    struct xds_derive_counts counts = {.made = 0};

    for (f->least = 2; f->least > 0 && f->n_steps == 0; f->least--)
        xds_derive_requests(&f->check->snapshot, f->client, &f->check->report->options,
                            (struct xds_slice){NULL, 0}, f->arena, try_request, f,
                            &counts);
    if (f->n_steps == 0)
        xds_derive_inbounds(&f->check->snapshot, f->client, &f->check->report->options,
                            f->arena, try_inbound, f);
}

enum xds_status xds_suite_write_scenario(const struct xds_printer *to,
                                         struct xds_check *check, enum xds_client client,
                                         const char *const *paths, size_t n_paths,
                                         size_t *n_steps)
{
    struct xds_out out;
    struct xds_arena arena = {0};
    struct first first = {.out = &out,
                          .arena = &arena,
                          .explainer = xds_explainer_new(check, client),
                          .server = xds_server_new(check, client),
                          .status = XDS_OK,
                          .check = check,
                          .client = client,
                          .paths = paths,
                          .n_paths = n_paths};
    enum xds_status status = XDS_ERR_NO_MEMORY;

    if (first.explainer && first.server)
        status = xds_out_run(&out, &arena, to, write_all, &first);
    xds_explainer_free(first.explainer);
    xds_server_free(first.server);
    *n_steps = first.n_steps;
    return status == XDS_OK ? first.status : status;
}
