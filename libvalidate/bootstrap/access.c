/*
 * access.c - how a client reaches a server of its bootstrap: the credentials
 * that it takes, and the token that it sends.
 *
 * Source: gRFC A27, A65, A87, A97; runs of core 1.85.3, go 1.85.0 and java 1.85.1.
 */
#include <stdio.h>

#include "base/base64.h"
#include "clients/environment.h"
#include "clients/readers.h"
#include "bootstrap/bootstrap.h"
#include "bootstrap/inner.h"
#include "source/tree_read.h"

static const char *text_member(const struct xds_tree *object, const char *name)
{
    const struct xds_tree *member =
        object && object->kind == XDS_TREE_OBJECT ? xds_tree_member(object, name) : NULL;

    return member && member->kind == XDS_TREE_STRING && member->text.len > 0
               ? member->text.data
               : NULL;
}

static const struct xds_tree *list_member(const struct xds_tree *object, const char *name)
{
    const struct xds_tree *member = xds_tree_member(object, name);

    return member && member->kind == XDS_TREE_ARRAY ? member : NULL;
}

/* ---- channel_creds ---- */

static enum xds_trust_map trust_map_of(struct xds_client_release who,
                                       const struct xds_options *options)
{
    if (xds_release_differs(&who, XDS_DIFF_BOOTSTRAP_MAP_OF_PROVIDERS) ||
        !xds_env_has(XDS_ENV_MTLS_SPIFFE, &who))
        return XDS_TRUST_MAP_NEVER;
    return xds_env_on_at(options, XDS_ENV_MTLS_SPIFFE, &who) ? XDS_TRUST_MAP_READ
                                                             : XDS_TRUST_MAP_OFF;
}

static void read_files(const struct xds_tree *creds, struct xds_client_release who,
                       const struct xds_options *options, struct xds_server_access *out)
{
    const struct xds_tree *config = xds_tree_member(creds, "config");
    const char *ca = text_member(config, "ca_certificate_file");
    const char *cert = text_member(config, "certificate_file");

    out->spiffe = text_member(config, "spiffe_trust_bundle_map_file");
    out->trust_map = trust_map_of(who, options);
    if (xds_release_differs(&who, XDS_DIFF_BOOTSTRAP_TLS_UNREAD)) {
        out->ignores_config = ca || cert || out->spiffe;
        out->spiffe = NULL;
        return;
    }
    out->ca = ca;
    out->cert = cert;
    out->key = text_member(config, "private_key_file");
}

static void choose_creds(const struct xds_tree *list, struct xds_client_release who,
                         const struct xds_options *options, struct xds_server_access *out)
{
    for (size_t i = 0; i < list->n && out->have == XDS_CREDS_NONE; i++) {
        const struct xds_tree *creds = &list->items[i];
        const char *type = text_member(creds, "type");
        bool has;

        if (!type || !xds_channel_creds_known(xds_slice_of(type), who, &has))
            continue;
        out->type = out->type ? out->type : type;
        if (!has)
            continue;
        out->have =
            xds_slice_is(xds_slice_of(type), "tls") ? XDS_CREDS_TLS : XDS_CREDS_INSECURE;
        if (out->have == XDS_CREDS_TLS)
            read_files(creds, who, options, out);
    }
}

/* ---- call_creds ---- */

static void read_call_creds(const struct xds_tree *list, struct xds_client_release who,
                            const struct xds_options *options,
                            struct xds_server_access *out)
{
    const char *file = NULL;

    for (size_t i = 0; i < list->n; i++) {
        const char *type = text_member(&list->items[i], "type");

        if (type && xds_slice_is(xds_slice_of(type), "jwt_token_file"))
            file =
                text_member(xds_tree_member(&list->items[i], "config"), "jwt_token_file");
    }
    if (!file)
        return;
    out->call_creds = xds_call_creds_of(who, options);
    out->token_file = out->call_creds == XDS_CALL_CREDS_READ ? file : NULL;
}

/* ---- server_uri ---- */

static const struct scheme {
    const char *name;
    unsigned clients;
    const char *words;
} schemes[] = {
#define XDS_URI_SCHEME(scheme, clients, words) {scheme, clients, words},
#include "bootstrap/tables.def"
};

/* unix://etc/socket has an authority, unix:///etc/socket has none. */
static bool is_scheme(const char *name, struct xds_slice uri, struct xds_slice scheme)
{
    const struct xds_slice rest = xds_slice_from(uri, strlen(name));

    if (xds_slice_is(scheme, name))
        return true;
    return strchr(name, '/') && xds_slice_starts(uri, xds_slice_of(name)) &&
           rest.len > 0 && rest.data[0] != '/';
}

const char *xds_uri_refused(struct xds_slice uri, struct xds_client_release who)
{
    struct xds_slice scheme;
    const struct xds_slice rest = xds_slice_cut(uri, ':', &scheme);

    for (size_t i = 0; rest.data && i < XDS_ARRAY_LEN(schemes); i++)
        if (is_scheme(schemes[i].name, uri, scheme) &&
            schemes[i].clients >> xds_client_as(who.client) & 1u)
            return schemes[i].words;
    return NULL;
}

void xds_server_access(const struct xds_tree *server, struct xds_client_release who,
                       const struct xds_options *options, struct xds_server_access *out)
{
    *out = (struct xds_server_access){
        .plain_port = xds_release_differs(&who, XDS_DIFF_DEFAULT_PORT_80) ? 80 : 443,
        .common_name = !xds_release_differs(&who, XDS_DIFF_COMMON_NAME_IGNORED),
        .unix_name_is_path = xds_release_differs(&who, XDS_DIFF_UNIX_NAME_ENCODED)};
    if (!server || server->kind != XDS_TREE_OBJECT)
        return;
    const struct xds_tree *creds = list_member(server, "channel_creds");
    const struct xds_tree *calls = list_member(server, "call_creds");
    const char *uri = text_member(server, "server_uri");

    if (creds)
        choose_creds(creds, who, options, out);
    if (calls)
        read_call_creds(calls, who, options, out);
    if (uri)
        out->uri_refused = xds_uri_refused(xds_slice_of(uri), who);
}

/* ---- tokens ---- */

enum { MOST_CLAIMS = 16 << 10 };

static void put_note(struct xds_token_note *note, const char *before, const char *path,
                     const char *after)
{
    (void)snprintf(note->text, sizeof note->text, "%s%.200s%s", before, path, after);
}

static enum xds_status refuse(struct xds_client_release who, const char *path,
                              const char *why, struct xds_token_note *note)
{
    if (xds_release_differs(&who, XDS_DIFF_TOKEN_TRIMMED))
        (void)snprintf(note->text, sizeof note->text,
                       "UNAUTHENTICATED: token file \"%.200s\"%s: invalid JWT", path,
                       why);
    else
        (void)snprintf(note->text, sizeof note->text,
                       "UNAUTHENTICATED: error parsing JWT token (%.200s%s)", path, why);
    return XDS_ERR_USAGE;
}

void xds_call_token_unreadable(struct xds_client_release who, const char *path,
                               const char *why, struct xds_token_note *note)
{
    if (xds_release_differs(&who, XDS_DIFF_TOKEN_TRIMMED))
        (void)snprintf(note->text, sizeof note->text,
                       "UNAVAILABLE: open %.200s: %.100s: token file access error", path,
                       why);
    else
        (void)snprintf(note->text, sizeof note->text,
                       "UNAVAILABLE: Failed to load file: %.200s due to error(fdopen): "
                       "%.100s",
                       path, why);
}

const char *xds_call_token_insecure(struct xds_client_release who)
{
    return xds_release_differs(&who, XDS_DIFF_TOKEN_TRIMMED)
               ? "UNAVAILABLE: the credentials require transport level security"
               : "UNAUTHENTICATED: Established channel does not have a sufficient "
                 "security level to transfer call credential.";
}

/* The second of exactly three parts. */
static bool find_claims(struct xds_slice token, struct xds_slice *claims)
{
    struct xds_slice part;
    struct xds_slice rest = xds_slice_cut(token, '.', &part);

    if (!rest.data)
        return false;
    rest = xds_slice_cut(rest, '.', claims);
    return rest.data && xds_slice_find(rest, '.') == rest.len;
}

/* URL-safe digits; core takes padding, too. */
static bool decode_claims(struct xds_slice claims, bool may_pad, char *out, size_t *len)
{
    for (size_t i = 0; i < claims.len; i++)
        if (claims.data[i] == '+' || claims.data[i] == '/' ||
            (claims.data[i] == '=' && !may_pad))
            return false;
    return xds_base64_decode(claims, XDS_BASE64_JSON, out, MOST_CLAIMS, len);
}

/* *exp; or why there is none. Core takes a number that is a text, and go one that is 0
 * for absent. */
static const char *read_expiry(const struct xds_tree *claims, bool is_strict,
                               int64_t *exp)
{
    const struct xds_tree *member =
        claims->kind == XDS_TREE_OBJECT ? xds_tree_member(claims, "exp") : NULL;

    if (claims->kind != XDS_TREE_OBJECT)
        return ": the claims are not an object";
    if (!member || (member->kind == XDS_TREE_NULL && is_strict))
        return ": no expiration claims";
    if (member->kind != XDS_TREE_NUMBER && (is_strict || member->kind != XDS_TREE_STRING))
        return ": exp is not a number";
    if (!xds_slice_to_i64(member->text, exp))
        return ": exp is not a whole number";
    return is_strict && *exp == 0 ? ": no expiration claims" : NULL;
}

static const char *find_expiry(struct xds_slice token, bool is_strict, int64_t *exp,
                               enum xds_status *status)
{
    static const char not_json[] = ": the claims are not JSON";
    char decoded[MOST_CLAIMS];
    struct xds_slice claims;
    size_t len;

    if (!find_claims(token, &claims))
        return ": expected 3 parts in token";
    if (!decode_claims(claims, !is_strict, decoded, &len))
        return ": the claims are not base64url";
    struct xds_parsed *parsed;

    *status = xds_parse(XDS_FORMAT_JSON, xds_slice_make(decoded, len), &parsed);
    if (*status != XDS_OK)
        return NULL;
    const char *fault = xds_parsed_tree(parsed)
                            ? read_expiry(xds_parsed_tree(parsed), is_strict, exp)
                            : not_json;

    xds_parsed_free(parsed);
    return fault;
}

static bool has_control(struct xds_slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.data[i] < ' ')
            return true;
    return false;
}

/* Core sends the file as it is, also an expired token; go trims it, and refuses what is
 * expired or has a control character. */
enum xds_status xds_call_token(struct xds_client_release who, const char *path,
                               struct xds_slice text, int64_t now,
                               struct xds_slice *token, struct xds_token_note *note)
{
    const bool is_strict = xds_release_differs(&who, XDS_DIFF_TOKEN_TRIMMED);
    const struct xds_slice trimmed = xds_slice_trim(text);
    enum xds_status status = XDS_OK;
    int64_t exp = 0;

    note->text[0] = '\0';
    *token = is_strict ? trimmed : text;
    if (is_strict && trimmed.len == 0)
        return refuse(who, path, " is empty", note);
    const char *fault = find_expiry(*token, is_strict, &exp, &status);

    if (status != XDS_OK)
        return status;
    if (!fault && is_strict && exp < now)
        fault = ": expired token";
    if (fault)
        return refuse(who, path, fault, note);
    const bool is_line = !has_control(*token);

    if (is_strict && !is_line) {
        put_note(note,
                 "INTERNAL: header key \"authorization\" contains value with "
                 "non-printable ASCII characters (token file \"",
                 path, "\")");
        return XDS_ERR_USAGE;
    }
    if (!is_line)
        put_note(note, "", path,
                 " has a line break, which this client sends with the token: some "
                 "servers refuse such a header");
    else if (exp < now)
        put_note(note, "the token in ", path,
                 " is expired, which this client does not look at");
    return XDS_OK;
}
