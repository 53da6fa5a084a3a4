/*
 * walk.c - what one client refuses in its bootstrap, by the rows of bootstrap.def.
 *
 * Gives:  faults with path and place, in the order in which the client looks; also those
 *         after the first one, at which all but core stop.
 * Source: gRFC A27, A29, A47, A65, A97; runs of the clients.
 */
#include "base/ascii.h"
#include "base/path.h"
#include "base/text.h"
#include "bootstrap/inner.h"
#include "clients/environment.h"
#include "source/tree_read.h"

struct xds_place xds_tree_place(const struct xds_tree *value)
{
    return (struct xds_place){0, value->line, value->column, value->end_line,
                              value->end_column};
}

struct xds_place xds_tree_key_place(const struct xds_tree *member)
{
    return (struct xds_place){0, member->key_line, member->key_column, member->key_line,
                              member->key_column + 1};
}

const char xds_bootstrap_readers[] = "?";

void xds_bootstrap_add(struct xds_arena *arena, struct xds_bootstrap_faults *faults,
                       const struct xds_path *at, struct xds_place place,
                       enum xds_rule_id rule, const struct xds_slice values[4])
{
    faults->list = xds_arena_room(arena, faults->list, faults->n, &faults->cap,
                                  sizeof *faults->list);
    faults->list[faults->n++] = (struct xds_bootstrap_found){
        .rule = rule,
        .steps = xds_path_copy(arena, at),
        .at = place,
        .values = {values[0], values[1], values[2], values[3]},
    };
}

/* The documents of today are asked for without a number. */
enum xds_verdict xds_bootstrap_verdict(enum xds_rule_id rule,
                                       const struct xds_client_release *who)
{
    return who->release.major == 0 ? xds_rule_verdict(xds_rule_row(rule), who->client)
                                   : xds_rule_verdict_at(rule, who);
}

struct checker {
    struct xds_arena *arena;
    const struct xds_options *options;
    struct xds_client_release who;
    struct xds_bootstrap_faults *out;
};

/* The documents of today are asked for without a number. */
static bool reads_so(const struct checker *c, enum xds_difference difference)
{
    return c->who.release.major == 0 ? xds_differing(difference) >> c->who.client & 1u
                                     : xds_release_differs(&c->who, difference);
}

static void fault_with(struct checker *c, const struct xds_path *at,
                       const struct xds_tree *where, enum xds_rule_id rule,
                       const struct xds_slice values[4])
{
    if (xds_bootstrap_verdict(rule, &c->who) != XDS_ACCEPT)
        xds_bootstrap_add(c->arena, c->out, at, xds_tree_place(where), rule, values);
}

static void fault(struct checker *c, const struct xds_path *at,
                  const struct xds_tree *where, enum xds_rule_id rule,
                  struct xds_slice first, struct xds_slice second)
{
    fault_with(c, at, where, rule,
               (const struct xds_slice[]){first, second, {NULL, 0}, {NULL, 0}});
}

static void plain_fault(struct checker *c, const struct xds_path *at,
                        const struct xds_tree *where, enum xds_rule_id rule)
{
    fault(c, at, where, rule, XDS_S(""), XDS_S(""));
}

static void lacks_servers(struct checker *c, const struct xds_path *at,
                          const struct xds_tree *where)
{
    plain_fault(c, at, where, XDS_R_BOOT_SERVERS_ABSENT);
}

static void null_entry(struct checker *c, const struct xds_path *at,
                       const struct xds_tree *where)
{
    plain_fault(c, at, where, XDS_R_BOOT_NULL_ENTRY);
}

/* ---- values ---- */

enum want { WANT_OBJECT, WANT_ARRAY, WANT_STRING };

/* A kind as go names it, as JavaScript does, and for people. */
static const struct kind {
    const char *name, *type_of, *words;
} kinds[] = {
    [XDS_TREE_NULL] = {"null", "object", "null"},
    [XDS_TREE_BOOL] = {"bool", "boolean", "a boolean"},
    [XDS_TREE_NUMBER] = {"number", "number", "a number"},
    [XDS_TREE_STRING] = {"string", "string", "a string"},
    [XDS_TREE_ARRAY] = {"array", "object", "a list"},
    [XDS_TREE_OBJECT] = {"object", "object", "an object"},
};

static void type_fault(struct checker *c, const struct xds_path *at,
                       const struct xds_tree *value, enum xds_rule_id rule)
{
    const struct kind *kind = &kinds[value->kind];

    fault_with(c, at, value, rule,
               (const struct xds_slice[]){xds_slice_of(kind->name),
                                          xds_slice_of(kind->type_of),
                                          xds_slice_of(kind->words),
                                          {NULL, 0}});
}

/* What JavaScript makes of a list where an object is meant: one without members. */
static const struct xds_tree *as_object(struct checker *c, const struct xds_tree *list)
{
    struct xds_tree *object = XDS_NEW(c->arena, struct xds_tree);

    *object = *list;
    object->kind = XDS_TREE_OBJECT;
    object->n = 0;
    return object;
}

/* False after a fault; *out is NULL if there is no value. */
static bool take(struct checker *c, const struct xds_path *at,
                 const struct xds_tree *value, enum want want,
                 enum xds_difference null_is_absent, const struct xds_tree **out)
{
    static const enum xds_tree_kind wanted[] = {XDS_TREE_OBJECT, XDS_TREE_ARRAY,
                                                XDS_TREE_STRING};
    static const enum xds_rule_id rules[] = {XDS_R_BOOT_NOT_OBJECT, XDS_R_BOOT_NOT_ARRAY,
                                             XDS_R_BOOT_NOT_STRING};

    *out = NULL;
    if (!value)
        return true;
    if (value->kind == wanted[want]) {
        *out = value;
        return true;
    }
    if (value->kind == XDS_TREE_NULL && reads_so(c, null_is_absent))
        return true;
    if (want == WANT_OBJECT && value->kind == XDS_TREE_ARRAY &&
        reads_so(c, XDS_DIFF_BOOTSTRAP_LIST_AS_OBJECT)) {
        *out = as_object(c, value);
        return true;
    }
    type_fault(c, at, value, rules[want]);
    return false;
}

static bool take_member(struct checker *c, const struct xds_path *up,
                        const struct xds_tree *object, const char *name, enum want want,
                        enum xds_difference null_is_absent, const struct xds_tree **out)
{
    return take(c, XDS_AT(up, name), xds_tree_member(object, name), want, null_is_absent,
                out);
}

/* A member that is a text, or is not there. */
static void check_text(struct checker *c, const struct xds_path *up,
                       const struct xds_tree *object, const char *name)
{
    const struct xds_tree *text;

    (void)take_member(c, up, object, name, WANT_STRING,
                      XDS_DIFF_BOOTSTRAP_NULL_MEMBER_ABSENT, &text);
}

static bool is_empty(const struct xds_tree *text)
{
    return !text || text->text.len == 0;
}

/* To JavaScript: what is false is absent, a number has no members. */
static bool has_no_entries(const struct xds_tree *value)
{
    return value->kind == XDS_TREE_NUMBER ||
           (value->kind != XDS_TREE_OBJECT && value->text.len == 0 &&
            (value->kind < XDS_TREE_STRING || value->n == 0));
}

/* What JavaScript makes of a list where entries are meant: its indices are their names.
 */
static const struct xds_tree *as_entries(struct checker *c, const struct xds_tree *list)
{
    struct xds_tree *object = XDS_NEW(c->arena, struct xds_tree);
    struct xds_tree *items = XDS_NEW_ARRAY(c->arena, struct xds_tree, list->n);

    for (size_t i = 0; i < list->n; i++) {
        items[i] = list->items[i];
        items[i].key = xds_arena_printf(c->arena, "%zu", i);
    }
    *object = *list;
    object->kind = XDS_TREE_OBJECT;
    object->items = items;
    return object;
}

/* The members of an object, or of what a client takes for one. False after a fault. */
static bool take_entries(struct checker *c, const struct xds_tree *root, const char *name,
                         const struct xds_tree **out)
{
    static const struct xds_tree none = {.kind = XDS_TREE_OBJECT};
    const struct xds_tree *value = xds_tree_member(root, name);
    const bool is_loose = value && reads_so(c, XDS_DIFF_BOOTSTRAP_ENTRIES_LOOSE);

    if (is_loose && has_no_entries(value)) {
        *out = &none;
        return true;
    }
    if (is_loose && value->kind == XDS_TREE_ARRAY) {
        *out = as_entries(c, value);
        return true;
    }
    return take_member(c, NULL, root, name, WANT_OBJECT,
                       XDS_DIFF_BOOTSTRAP_NULL_MEMBER_ABSENT, out);
}

/* ---- files of certificates ---- */

/* "600s", "-1.5s" */
static bool is_duration(struct xds_slice text, bool is_unsigned)
{
    size_t digits = 0, dots = 0, i = 0;

    if (text.len > 0 && text.data[0] == '-' && !is_unsigned)
        i++;
    for (; i + 1 < text.len; i++) {
        digits += xds_ascii_digit(text.data[i]);
        dots += text.data[i] == '.';
        if (!xds_ascii_digit(text.data[i]) && text.data[i] != '.')
            return false;
    }
    return digits > 0 && dots <= 1 && xds_slice_ends(text, XDS_S("s"));
}

/* Up to the last slash, which is not part of it. */
static struct xds_slice directory_of(struct xds_slice file)
{
    size_t len = file.len;

    while (xds_slice_starts(file, XDS_S("./"))) {
        file = xds_slice_from(file, 2);
        len -= 2;
    }
    while (len > 0 && file.data[len - 1] != '/')
        len--;
    while (len > 1 && file.data[len - 1] == '/')
        len--;
    return xds_slice_make(file.data, len);
}

static void check_duration(struct checker *c, const struct xds_path *up,
                           const struct xds_tree *config)
{
    static const char name[] = "refresh_interval";
    const struct xds_tree *text = NULL, *value = xds_tree_member(config, name);
    const bool is_null = value && value->kind == XDS_TREE_NULL &&
                         reads_so(c, XDS_DIFF_BOOTSTRAP_DURATION_NULL);

    if (!is_null && !take_member(c, up, config, name, WANT_STRING,
                                 XDS_DIFF_BOOTSTRAP_NULL_MEMBER_ABSENT, &text))
        return;
    const struct xds_tree *where = is_null ? value : text;
    const struct xds_slice words = text ? text->text : XDS_S("null");

    if (!where)
        plain_fault(c, XDS_AT(up, name), config, XDS_R_BOOT_DURATION_ABSENT);
    else if (!is_duration(words, reads_so(c, XDS_DIFF_BOOTSTRAP_DURATION_UNSIGNED)))
        fault(c, XDS_AT(up, name), where, XDS_R_BOOT_DURATION, words, XDS_S(""));
    else if (xds_slice_starts(words, XDS_S("-")))
        plain_fault(c, XDS_AT(up, name), where, XDS_R_BOOT_DURATION_NEGATIVE);
}

static bool has_file(const struct checker *c, const struct xds_tree *file)
{
    return file && (reads_so(c, XDS_DIFF_BOOTSTRAP_EMPTY_FILE) || !is_empty(file));
}

/* Does the config name a file by this key? */
static bool names_file(const struct checker *c, const struct xds_tree *config,
                       const char *key, const struct xds_tree *file)
{
    return reads_so(c, XDS_DIFF_BOOTSTRAP_FILES_BY_KEY)
               ? xds_tree_member(config, key) != NULL
               : has_file(c, file);
}

static void names_no_file(struct checker *c, const struct xds_path *at,
                          const struct xds_tree *where)
{
    plain_fault(c, at, where, XDS_R_BOOT_FILES_NONE);
}

/* The key by which a client reads the SPIFFE trust map of a certificate provider. */
static const char *map_key(struct xds_client_release who)
{
    return xds_release_differs(&who, XDS_DIFF_BOOTSTRAP_MAP_NAME)
               ? "spiffe_bundle_map_file"
               : "spiffe_trust_bundle_map_file";
}

/* The SPIFFE trust map, if the client reads one here. */
static const struct xds_tree *take_map(struct checker *c, const struct xds_path *at,
                                       const struct xds_tree *config, bool is_provider)
{
    const bool reads = xds_env_on_at(c->options, XDS_ENV_MTLS_SPIFFE, &c->who) &&
                       (is_provider || !reads_so(c, XDS_DIFF_BOOTSTRAP_MAP_OF_PROVIDERS));
    const struct xds_tree *map = NULL;

    if (reads || reads_so(c, XDS_DIFF_BOOTSTRAP_MAP_TYPED))
        (void)take_member(c, at, config, map_key(c->who), WANT_STRING,
                          XDS_DIFF_BOOTSTRAP_NULL_MEMBER_ABSENT, &map);
    return reads ? map : NULL;
}

static void check_files(struct checker *c, const struct xds_path *at,
                        const struct xds_tree *config, bool is_provider)
{
    const struct xds_tree *ca, *cert, *key;
    const bool good = take_member(c, at, config, "ca_certificate_file", WANT_STRING,
                                  XDS_DIFF_BOOTSTRAP_NULL_MEMBER_ABSENT, &ca) &
                      take_member(c, at, config, "certificate_file", WANT_STRING,
                                  XDS_DIFF_BOOTSTRAP_NULL_MEMBER_ABSENT, &cert) &
                      take_member(c, at, config, "private_key_file", WANT_STRING,
                                  XDS_DIFF_BOOTSTRAP_NULL_MEMBER_ABSENT, &key);
    const struct xds_tree *map = take_map(c, at, config, is_provider);
    const bool has_cert = names_file(c, config, "certificate_file", cert);
    const bool has_key = names_file(c, config, "private_key_file", key);
    const bool any = names_file(c, config, "ca_certificate_file", ca) || has_cert ||
                     has_key || has_file(c, map);

    if (!good)
        return;
    if (is_provider || any || reads_so(c, XDS_DIFF_BOOTSTRAP_DURATION_ALWAYS))
        check_duration(c, at, config);
    if (has_cert != has_key)
        plain_fault(c, at, config, XDS_R_BOOT_FILES_PAIR);
    else if (has_cert && cert && key &&
             !xds_slice_eq(directory_of(cert->text), directory_of(key->text)))
        plain_fault(c, at, config, XDS_R_BOOT_FILES_DIRECTORY);
    else if (!any && is_provider)
        names_no_file(c, at, config);
}

/* ---- channel_creds ---- */

static const struct creds_row {
    const char *type;
    unsigned clients;
    bool has;
} creds_rows[] = {
#define XDS_CHANNEL_CREDS(type, clients, has) {type, clients, has},
#include "bootstrap/tables.def"
};

enum xds_call_creds xds_call_creds_of(struct xds_client_release who,
                                      const struct xds_options *options)
{
    if (xds_env_on_at(options, XDS_ENV_BOOTSTRAP_CALL_CREDS, &who))
        return XDS_CALL_CREDS_READ;
    return xds_env_has(XDS_ENV_BOOTSTRAP_CALL_CREDS, &who) ? XDS_CALL_CREDS_OFF
                                                           : XDS_CALL_CREDS_NEVER;
}

bool xds_channel_creds_known(struct xds_slice type, struct xds_client_release who,
                             bool *has)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(creds_rows); i++) {
        const struct creds_row *row = &creds_rows[i];

        if (!xds_slice_is(type, row->type))
            continue;
        *has = row->has;
        return row->clients >> xds_client_as(who.client) & 1u &&
               !(xds_slice_is(type, "tls") &&
                 xds_release_differs(&who, XDS_DIFF_BOOTSTRAP_TLS_UNKNOWN));
    }
    *has = false;
    return false;
}

static struct xds_slice known_types(const struct checker *c)
{
    struct xds_text text = {.arena = c->arena};
    bool has;

    for (size_t i = 0; i < XDS_ARRAY_LEN(creds_rows); i++)
        if (xds_channel_creds_known(xds_slice_of(creds_rows[i].type), c->who, &has))
            xds_text_printf(&text, "%s%s", text.len > 0 ? ", " : "", creds_rows[i].type);
    return xds_slice_make(text.data, text.len);
}

static bool check_creds_config(struct checker *c, const struct xds_path *at,
                               const struct xds_tree *item, struct xds_slice type,
                               bool is_known)
{
    const bool is_tls = xds_slice_is(type, "tls");
    const struct xds_tree *config;

    if (!is_tls && !reads_so(c, XDS_DIFF_BOOTSTRAP_CREDS_CONFIG_ALWAYS) &&
        !(is_known && reads_so(c, XDS_DIFF_BOOTSTRAP_CREDS_CONFIG_KNOWN)))
        return true;
    if (!take_member(c, at, item, "config", WANT_OBJECT,
                     XDS_DIFF_BOOTSTRAP_NULL_MEMBER_ABSENT, &config))
        return false;
    if (config && is_tls && is_known && !reads_so(c, XDS_DIFF_BOOTSTRAP_TLS_UNREAD))
        check_files(c, XDS_AT(at, "config"), config, false);
    return true;
}

/* Is it one that the client knows? *is_shaped becomes false if it is not one of any. */
static bool check_creds(struct checker *c, const struct xds_path *at,
                        const struct xds_tree *value, struct xds_slice uri,
                        bool *is_shaped)
{
    const struct xds_tree *item, *type;
    bool has;

    if (!take(c, at, value, WANT_OBJECT, XDS_DIFF_BOOTSTRAP_NULL_ABSENT, &item)) {
        *is_shaped = false;
        return false;
    }
    if (!item)
        return false;
    if (!take_member(c, at, item, "type", WANT_STRING, XDS_DIFF_BOOTSTRAP_NULL_ABSENT,
                     &type)) {
        *is_shaped = false;
        return false;
    }
    if (!type) {
        *is_shaped &= reads_so(c, XDS_DIFF_BOOTSTRAP_CREDS_WITHOUT_TYPE);
        fault(c, XDS_AT(at, "type"), item, XDS_R_BOOT_CREDS_TYPE_ABSENT, uri, XDS_S(""));
        return false;
    }
    const bool known = xds_channel_creds_known(type->text, c->who, &has);

    *is_shaped &= check_creds_config(c, at, item, type->text, known);
    return known;
}

/* by_shape: it may be without any that is known. */
static void check_channel_creds(struct checker *c, const struct xds_path *up,
                                const struct xds_tree *server, struct xds_slice uri,
                                bool by_shape)
{
    static const char name[] = "channel_creds";
    const struct xds_path *at = XDS_AT(up, name);
    const struct xds_tree *list;
    bool known = false, is_shaped = !by_shape;

    if (!take_member(c, up, server, name, WANT_ARRAY, XDS_DIFF_BOOTSTRAP_NULL_ABSENT,
                     &list) ||
        (by_shape && !list))
        return;
    if (!list) {
        fault(c, at, server, XDS_R_BOOT_CREDS_ABSENT, uri, XDS_S(""));
        return;
    }
    if (list->n == 0 && !by_shape) {
        fault(c, at, list, XDS_R_BOOT_CREDS_EMPTY, uri, XDS_S(""));
        return;
    }
    for (size_t i = 0; i < list->n; i++) {
        const struct xds_path *here = XDS_AT_I(up, name, i);
        const struct xds_tree *item;

        if (known && reads_so(c, XDS_DIFF_BOOTSTRAP_CREDS_FIRST))
            (void)take(c, here, &list->items[i], WANT_OBJECT,
                       XDS_DIFF_BOOTSTRAP_NULL_ABSENT, &item);
        else
            known |= check_creds(c, here, &list->items[i], uri, &is_shaped);
    }
    if (!known && is_shaped)
        fault(c, at, list, XDS_R_BOOT_CREDS_UNKNOWN, uri, known_types(c));
}

/* ---- call_creds ---- */

static void check_token_config(struct checker *c, const struct xds_path *at,
                               const struct xds_tree *item)
{
    static const char name[] = "jwt_token_file";
    const struct xds_path *up = XDS_AT(at, "config");
    const struct xds_tree *value = xds_tree_member(item, "config"), *config, *file;

    if (!take(c, up, value, WANT_OBJECT, XDS_DIFF_BOOTSTRAP_NULL_MEMBER_ABSENT, &config))
        return;
    if (!value && reads_so(c, XDS_DIFF_BOOTSTRAP_CALL_CONFIG_NEEDED)) {
        plain_fault(c, up, item, XDS_R_BOOT_CALL_CONFIG_ABSENT);
        return;
    }
    if (!take(c, XDS_AT(up, name), config ? xds_tree_member(config, name) : NULL,
              WANT_STRING, XDS_DIFF_BOOTSTRAP_NULL_MEMBER_ABSENT, &file))
        return;
    if (!file)
        plain_fault(c, XDS_AT(up, name), config ? config : item,
                    XDS_R_BOOT_TOKEN_FILE_ABSENT);
    else if (is_empty(file))
        plain_fault(c, XDS_AT(up, name), file, XDS_R_BOOT_TOKEN_FILE_EMPTY);
}

static void check_call_creds_item(struct checker *c, const struct xds_path *at,
                                  const struct xds_tree *value, bool is_on)
{
    const struct xds_tree *item, *type, *config;

    if (!take(c, at, value, WANT_OBJECT, XDS_DIFF_BOOTSTRAP_NULL_ABSENT, &item) ||
        !item ||
        !take_member(c, at, item, "type", WANT_STRING, XDS_DIFF_BOOTSTRAP_NULL_ABSENT,
                     &type))
        return;
    if (!type)
        plain_fault(c, XDS_AT(at, "type"), item, XDS_R_BOOT_CALL_TYPE_ABSENT);
    else if (is_on && xds_slice_is(type->text, "jwt_token_file"))
        check_token_config(c, at, item);
    else if (reads_so(c, XDS_DIFF_BOOTSTRAP_CREDS_CONFIG_ALWAYS))
        (void)take_member(c, at, item, "config", WANT_OBJECT,
                          XDS_DIFF_BOOTSTRAP_NULL_MEMBER_ABSENT, &config);
}

static void check_call_creds(struct checker *c, const struct xds_path *up,
                             const struct xds_tree *server)
{
    static const char name[] = "call_creds";
    const enum xds_call_creds reads = xds_call_creds_of(c->who, c->options);
    const bool is_on = reads == XDS_CALL_CREDS_READ;
    const struct xds_tree *list;

    if (!is_on && !(reads == XDS_CALL_CREDS_OFF &&
                    reads_so(c, XDS_DIFF_BOOTSTRAP_CALL_CREDS_SHAPED)))
        return;
    if (!take_member(c, up, server, name, WANT_ARRAY, XDS_DIFF_BOOTSTRAP_NULL_ABSENT,
                     &list))
        return;
    if (!list) {
        plain_fault(c, XDS_AT(up, name), server, XDS_R_BOOT_CALL_ABSENT);
        return;
    }
    for (size_t i = 0; i < list->n; i++)
        check_call_creds_item(c, XDS_AT_I(up, name, i), &list->items[i], is_on);
}

/* ---- servers ---- */

/* is_first: of the bootstrap's own. */
static void check_server(struct checker *c, const struct xds_path *at,
                         const struct xds_tree *value, bool is_first)
{
    const bool needs_first = reads_so(c, XDS_DIFF_BOOTSTRAP_FIRST_CHECKED);
    const bool by_shape = needs_first && !is_first;
    const struct xds_tree *server, *uri, *features, *feature;

    if (!take(c, at, value, WANT_OBJECT, XDS_DIFF_BOOTSTRAP_NULL_ABSENT, &server) ||
        (by_shape && !server))
        return;
    if (!server) {
        if (needs_first)
            lacks_servers(c, at, value);
        else
            null_entry(c, at, value);
        return;
    }
    if (!take_member(c, at, server, "server_uri", WANT_STRING,
                     XDS_DIFF_BOOTSTRAP_NULL_ABSENT, &uri))
        uri = NULL;
    else if (!uri && !by_shape)
        plain_fault(c, XDS_AT(at, "server_uri"), server, XDS_R_BOOT_URI_ABSENT);
    else if (is_empty(uri) && !by_shape)
        plain_fault(c, XDS_AT(at, "server_uri"), uri, XDS_R_BOOT_URI_EMPTY);
    check_channel_creds(c, at, server, uri ? uri->text : XDS_S(""), by_shape);
    check_call_creds(c, at, server);
    if (!take_member(c, at, server, "server_features", WANT_ARRAY,
                     XDS_DIFF_BOOTSTRAP_NULL_ABSENT, &features) ||
        !features || !reads_so(c, XDS_DIFF_BOOTSTRAP_FEATURES_TYPED))
        return;
    for (size_t i = 0; i < features->n; i++)
        (void)take(c, XDS_AT_I(at, "server_features", i), &features->items[i],
                   WANT_STRING, XDS_DIFF_BOOTSTRAP_NULL_ABSENT, &feature);
}

static void check_servers(struct checker *c, const struct xds_path *up,
                          const struct xds_tree *list)
{
    for (size_t i = 0; i < list->n; i++)
        check_server(c, XDS_AT_I(up, "xds_servers", i), &list->items[i], !up && i == 0);
}

static void check_own_servers(struct checker *c, const struct xds_tree *root)
{
    const struct xds_tree *list;

    if (!take_member(c, NULL, root, "xds_servers", WANT_ARRAY,
                     XDS_DIFF_BOOTSTRAP_NULL_MEMBER_ABSENT, &list))
        return;
    if (!list)
        lacks_servers(c, XDS_AT(NULL, "xds_servers"), root);
    else if (list->n == 0)
        plain_fault(c, XDS_AT(NULL, "xds_servers"), list, XDS_R_BOOT_SERVERS_EMPTY);
    else
        check_servers(c, NULL, list);
}

/* ---- the rest ---- */

static void check_node(struct checker *c, const struct xds_tree *root)
{
    const struct xds_path *at = XDS_AT(NULL, "node");
    const struct xds_tree *node, *locality, *metadata;

    if (!take_member(c, NULL, root, "node", WANT_OBJECT, XDS_DIFF_BOOTSTRAP_NULL_NODE,
                     &node))
        return;
    if (!node) {
        plain_fault(c, at, root, XDS_R_BOOT_NODE_ABSENT);
        return;
    }
    if (!xds_tree_member(node, "id"))
        plain_fault(c, XDS_AT(at, "id"), node, XDS_R_BOOT_NODE_ID_ABSENT);
    check_text(c, at, node, "id");
    check_text(c, at, node, "cluster");
    (void)take_member(c, at, node, "metadata", WANT_OBJECT,
                      XDS_DIFF_BOOTSTRAP_NULL_MEMBER_ABSENT, &metadata);
    if (!take_member(c, at, node, "locality", WANT_OBJECT,
                     XDS_DIFF_BOOTSTRAP_NULL_MEMBER_ABSENT, &locality))
        return;
    if (!locality) {
        plain_fault(c, XDS_AT(at, "locality"), node, XDS_R_BOOT_LOCALITY_ABSENT);
        return;
    }
    check_text(c, XDS_AT(at, "locality"), locality, "region");
    check_text(c, XDS_AT(at, "locality"), locality, "zone");
    check_text(c, XDS_AT(at, "locality"), locality, "sub_zone");
}

static struct xds_slice quoted(struct checker *c, struct xds_slice key)
{
    return xds_arena_printf(c->arena, "\"%.*s\"", XDS_FMT(key));
}

/* file_watcher is the plugin that all clients have; core knows no other. */
static void check_provider(struct checker *c, const struct xds_path *at,
                           const struct xds_tree *value)
{
    const struct xds_tree *item, *plugin, *config;

    if (!take(c, at, value, WANT_OBJECT, XDS_DIFF_BOOTSTRAP_NULL_ABSENT, &item) ||
        !item ||
        !take_member(c, at, item, "plugin_name", WANT_STRING,
                     XDS_DIFF_BOOTSTRAP_NULL_ABSENT, &plugin))
        return;
    if (!plugin) {
        plain_fault(c, XDS_AT(at, "plugin_name"), item, XDS_R_BOOT_PLUGIN_ABSENT);
        return;
    }
    const bool is_known = xds_slice_is(plugin->text, "file_watcher");
    const bool is_none =
        is_empty(plugin) && reads_so(c, XDS_DIFF_BOOTSTRAP_PLUGIN_NAME_EMPTY);
    const struct xds_path *below = XDS_AT(at, "config");

    if (!is_known && !is_none)
        fault(c, XDS_AT(at, "plugin_name"), plugin, XDS_R_BOOT_PLUGIN_UNKNOWN,
              plugin->text, XDS_S(""));
    if ((!is_known && !is_none && !reads_so(c, XDS_DIFF_BOOTSTRAP_PLUGIN_CONFIG_LATE)) ||
        !take(c, below, xds_tree_member(item, "config"), WANT_OBJECT,
              XDS_DIFF_BOOTSTRAP_NULL_PROVIDER_CONFIG, &config))
        return;
    if (!config)
        plain_fault(c, below, item, XDS_R_BOOT_PLUGIN_CONFIG_ABSENT);
    for (size_t i = 0; config && i < config->n; i++)
        if (config->items[i].kind == XDS_TREE_NULL)
            fault(c, below, &config->items[i], XDS_R_BOOT_PLUGIN_CONFIG_NULL,
                  config->items[i].key, XDS_S(""));
    if (!config && is_known && reads_so(c, XDS_DIFF_BOOTSTRAP_PLUGIN_CONFIG_EMPTY))
        names_no_file(c, below, item);
    if (config && is_known && !reads_so(c, XDS_DIFF_BOOTSTRAP_PLUGIN_CONFIG_LATE))
        check_files(c, below, config, true);
}

static void check_providers(struct checker *c, const struct xds_tree *root)
{
    static const char name[] = "certificate_providers";
    const struct xds_tree *all;

    if (!take_entries(c, root, name, &all) || !all)
        return;
    for (size_t i = 0; i < all->n; i++)
        check_provider(c, XDS_AT_KEY(NULL, name, quoted(c, all->items[i].key)),
                       &all->items[i]);
}

static void check_template(struct checker *c, const struct xds_path *up,
                           const struct xds_tree *item)
{
    static const char name[] = "client_listener_resource_name_template";
    const struct xds_tree *text;

    if (!take_member(c, up, item, name, WANT_STRING,
                     XDS_DIFF_BOOTSTRAP_NULL_MEMBER_ABSENT, &text) ||
        !text || (is_empty(text) && reads_so(c, XDS_DIFF_BOOTSTRAP_TEMPLATE_EMPTY)))
        return;
    const struct xds_slice prefix = xds_arena_printf(
        c->arena, "xdstp://%.*s%s", XDS_FMT(item->key),
        reads_so(c, XDS_DIFF_BOOTSTRAP_TEMPLATE_SLASH_UNREAD) ? "" : "/");

    if (!xds_slice_starts(text->text, prefix))
        fault(c, XDS_AT(up, name), text, XDS_R_BOOT_TEMPLATE_PREFIX, item->key,
              text->text);
}

/* no_server: the bootstrap has none for it either. */
static void check_authority(struct checker *c, const struct xds_path *at,
                            const struct xds_tree *value, bool no_server)
{
    static const char name[] = "xds_servers";
    const struct xds_tree *item, *servers;

    if (!take(c, at, value, WANT_OBJECT, XDS_DIFF_BOOTSTRAP_NULL_ABSENT, &item))
        return;
    if (!item) {
        null_entry(c, at, value);
        return;
    }
    check_template(c, at, item);
    const bool needs_one =
        xds_tree_member(item, name) && reads_so(c, XDS_DIFF_BOOTSTRAP_FIRST_CHECKED);
    const bool good = take_member(c, at, item, name, WANT_ARRAY,
                                  XDS_DIFF_BOOTSTRAP_NULL_AUTHORITY_SERVERS, &servers);

    const char *lack = good && needs_one ? "no server in its xds_servers"
                       : no_server       ? "no servers, and xds_servers is empty"
                                         : NULL;

    if (servers && servers->n > 0)
        check_servers(c, at, servers);
    else if (lack)
        fault(c, at, item, XDS_R_BOOT_AUTHORITY_SERVERS, value->key, xds_slice_of(lack));
}

static void check_authorities(struct checker *c, const struct xds_tree *root)
{
    static const char name[] = "authorities";
    const struct xds_tree *own = xds_tree_member(root, "xds_servers"), *all;
    const bool no_server = own && own->kind == XDS_TREE_ARRAY && own->n == 0;

    if (!take_entries(c, root, name, &all) || !all)
        return;
    for (size_t i = 0; i < all->n; i++)
        check_authority(c, XDS_AT_KEY(NULL, name, quoted(c, all->items[i].key)),
                        &all->items[i], no_server);
}

/* Its parser refuses the text: nothing else is looked at. False: there is one. */
static bool check_keys(struct checker *c, const struct xds_tree *tree)
{
    const struct xds_tree *twice =
        tree->kind == XDS_TREE_OBJECT ? xds_tree_twice(c->arena, tree) : NULL;

    const enum xds_rule_id rule = XDS_R_BOOT_KEY_DUPLICATE;

    if (twice && xds_bootstrap_verdict(rule, &c->who) != XDS_ACCEPT) {
        struct xds_tree where = *twice;

        where.line = twice->key_line;
        where.column = twice->key_column;
        fault(c, NULL, &where, rule, twice->key, XDS_S(""));
        return false;
    }
    for (size_t i = 0; i < tree->n; i++)
        if (!check_keys(c, &tree->items[i]))
            return false;
    return true;
}

static void check_root(struct checker *c, const struct xds_tree *value)
{
    const struct xds_tree *root;

    if (!check_keys(c, value))
        return;
    if (!take(c, NULL, value, WANT_OBJECT, XDS_DIFF_BOOTSTRAP_NULL_ABSENT, &root))
        return;
    if (!root) {
        lacks_servers(c, XDS_AT(NULL, "xds_servers"), value);
        return;
    }
    check_own_servers(c, root);
    check_node(c, root);
    if (!reads_so(c, XDS_DIFF_BOOTSTRAP_PROVIDERS_UNREAD)) {
        check_providers(c, root);
        check_text(c, NULL, root, "server_listener_resource_name_template");
    }
    if (!xds_env_on_at(c->options, XDS_ENV_FEDERATION, &c->who))
        return;
    check_text(c, NULL, root, "client_default_listener_resource_name_template");
    check_authorities(c, root);
}

/* What kills a client does so after all else was looked at. */
static void drop_deaths(struct xds_bootstrap_faults *faults, size_t first,
                        const struct xds_client_release *who)
{
    size_t kept = first;

    for (size_t i = first; i < faults->n; i++)
        if (xds_bootstrap_verdict(faults->list[i].rule, who) != XDS_CRASH)
            faults->list[kept++] = faults->list[i];
    if (kept > first)
        faults->n = kept;
}

void xds_bootstrap_walk(struct xds_arena *arena, const struct xds_tree *root,
                        struct xds_client_release who, const struct xds_options *options,
                        struct xds_bootstrap_faults *faults)
{
    const size_t first = faults->n;

    check_root(
        &(struct checker){.arena = arena, .options = options, .who = who, .out = faults},
        root);
    drop_deaths(faults, first, &who);
}
