/*
 * tls.c - TLS by OpenSSL, and in words why it failed.
 *
 * Source: RFC 9113, section 9.2 (ALPN "h2", TLS 1.2 or later).
 */
#include "cli/live/inner.h"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- what a certificate says ---- */

static void add_name(struct tls *tls, const char *text, int len)
{
    const size_t used = strlen(tls->subject);

    (void)snprintf(tls->subject + used, sizeof tls->subject - used, "%s'%.*s'",
                   used > 0 ? ", " : "", len, text);
}

static void add_general_name(struct tls *tls, const GENERAL_NAME *name)
{
    char text[INET6_ADDRSTRLEN];
    int type;
    const ASN1_STRING *value = GENERAL_NAME_get0_value(name, &type);

    if (type == GEN_DNS || type == GEN_URI)
        add_name(tls, (const char *)ASN1_STRING_get0_data(value),
                 ASN1_STRING_length(value));
    if (type != GEN_IPADD)
        return;
    if (inet_ntop(ASN1_STRING_length(value) == 4 ? AF_INET : AF_INET6,
                  ASN1_STRING_get0_data(value), text, sizeof text))
        add_name(tls, text, (int)strlen(text));
}

/* Names and addresses; a certificate without any has its common name. */
static void read_names(struct tls *tls, X509 *certificate)
{
    GENERAL_NAMES *names =
        X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
    char common[100];

    tls->subject[0] = '\0';
    for (int i = 0; i < sk_GENERAL_NAME_num(names); i++)
        add_general_name(tls, sk_GENERAL_NAME_value(names, i));
    GENERAL_NAMES_free(names);
    tls->only_common_name = tls->subject[0] == '\0';
    if (tls->only_common_name &&
        X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName,
                                  common, sizeof common) > 0)
        add_name(tls, common, (int)strlen(common));
}

/* What is refused of a chain, and the names that the server's own certificate has. */
static int note_verification(int good, X509_STORE_CTX *store)
{
    SSL *ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx());
    struct tls *tls = SSL_get_app_data(ssl);
    X509 *own = X509_STORE_CTX_get0_cert(store);

    if (!good && tls->refused == X509_V_OK) {
        tls->refused = X509_STORE_CTX_get_error(store);
        if (own)
            read_names(tls, own);
    }
    return good;
}

/* ---- files ---- */

/* The reason that OpenSSL gives first. */
static const char *why(void)
{
    const unsigned long code = ERR_get_error();
    const char *reason = ERR_reason_error_string(code);

    if (ERR_SYSTEM_ERROR(code))
        reason = strerror(ERR_GET_REASON(code));
    return reason ? reason : "cannot be used";
}

/* OpenSSL knows where the system that it was built for keeps the authorities that it
 * trusts. A static program runs on others, too. */
static bool load_system_authorities(SSL_CTX *context)
{
    static const char *const bundles[] = {
        "/etc/ssl/certs/ca-certificates.crt", /* Debian, Alpine, Arch */
        "/etc/pki/tls/certs/ca-bundle.crt",   /* Fedora */
        "/etc/ssl/ca-bundle.pem",             /* openSUSE */
        "/etc/ssl/cert.pem",                  /* BSD */
    };

    if (SSL_CTX_set_default_verify_paths(context) != 1)
        return false;
    if (getenv(X509_get_default_cert_file_env()) ||
        getenv(X509_get_default_cert_dir_env()) ||
        access(X509_get_default_cert_dir(), R_OK) == 0)
        return true;
    for (size_t i = 0; i < sizeof bundles / sizeof bundles[0]; i++)
        if (access(bundles[i], R_OK) == 0)
            return SSL_CTX_load_verify_locations(context, bundles[i], NULL) == 1;
    return true;
}

static bool load_files(struct tls *tls, const struct live_peer *peer,
                       struct live_error *error)
{
    SSL_CTX *context = tls->context;
    const char *key = peer->key ? peer->key : peer->cert;

    ERR_clear_error();
    if (peer->ca && SSL_CTX_load_verify_locations(context, peer->ca, NULL) != 1)
        return live_fault(error, "%s: %s: %s",
                          peer->of_bootstrap ? "ca_certificate_file of the bootstrap"
                                             : "--ca",
                          peer->ca, why());
    if (!peer->ca && !load_system_authorities(context))
        return live_fault(error, "the system's certificates: %s", why());
    if (peer->cert && SSL_CTX_use_certificate_chain_file(context, peer->cert) != 1)
        return live_fault(error, "%s: %s: %s",
                          peer->of_bootstrap ? "certificate_file of the bootstrap"
                                             : "--cert",
                          peer->cert, why());
    if (key && SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1)
        return live_fault(error, "%s: %s: %s",
                          peer->of_bootstrap ? "private_key_file of the bootstrap"
                                             : "--key",
                          key, why());
    return true;
}

static int note_request(SSL *ssl, X509 **certificate, EVP_PKEY **key)
{
    struct tls *tls = SSL_get_app_data(ssl);

    (void)certificate;
    (void)key;
    tls->is_asked = true;
    return 0;
}

/* A key with a passphrase is not asked for: there may be no one to answer. */
static int no_passphrase(char *buffer, int size, int writing, void *user)
{
    (void)buffer;
    (void)size;
    (void)writing;
    (void)user;
    return 0;
}

static bool is_plain(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           strchr("-._~", c);
}

/* The name that the certificate has to have: a unix socket is at this machine, or, for
 * some clients, at its path without the slash in front, percent-encoded. */
static const char *name_of(struct tls *tls, const struct live_peer *peer)
{
    const char *path = peer->address.path;
    size_t n = 0;

    if (peer->server_name)
        return peer->server_name;
    if (*path == '\0')
        return peer->address.host;
    if (!peer->unix_name_is_path)
        return "localhost";
    for (path += *path == '/'; *path != '\0'; path++)
        n += (size_t)snprintf(tls->own_name + n, sizeof tls->own_name - n,
                              is_plain(*path) ? "%c" : "%%%02X", (unsigned char)*path);
    return tls->own_name;
}

bool tls_open(struct tls *tls, const struct live_peer *peer, struct live_error *error)
{
    static const unsigned char h2[] = "\2h2";

    tls->name = name_of(tls, peer);
    tls->no_common_name = peer->no_common_name;
    if (!openssl_load(error))
        return false;
    tls->context = SSL_CTX_new(TLS_client_method());
    if (!tls->context || SSL_CTX_set_min_proto_version(tls->context, TLS1_2_VERSION) != 1)
        return live_fault(error, "out of memory");
    /* 0 is success here. */
    if (SSL_CTX_set_alpn_protos(tls->context, h2, sizeof h2 - 1) != 0)
        return live_fault(error, "out of memory");
    /* RFC 9113 9.2.1: HTTP/2 over TLS 1.2 must not renegotiate. */
    SSL_CTX_set_options(tls->context, SSL_OP_NO_RENEGOTIATION);
    SSL_CTX_set_default_passwd_cb(tls->context, no_passphrase);
    SSL_CTX_set_mode(tls->context,
                     SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_verify(tls->context,
                       peer->skip_verify ? SSL_VERIFY_NONE : SSL_VERIFY_PEER,
                       note_verification);
    if (!peer->cert)
        SSL_CTX_set_client_cert_cb(tls->context, note_request);
    return load_files(tls, peer, error);
}

/* ---- a connection ---- */

/* An address is looked for among addresses, and is never asked for by SNI. */
static bool set_name(SSL *ssl, const char *name, bool no_common_name)
{
    unsigned char address[16];

    if (inet_pton(AF_INET, name, address) == 1 || inet_pton(AF_INET6, name, address) == 1)
        return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), name) == 1;
    SSL_set_hostflags(ssl,
                      X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS |
                          (no_common_name ? X509_CHECK_FLAG_NEVER_CHECK_SUBJECT : 0u));
    /* OpenSSL takes an empty name for none. */
    return *name != '\0' && SSL_set1_host(ssl, name) == 1 &&
           SSL_set_tlsext_host_name(ssl, name) == 1;
}

bool tls_begin(struct tls *tls, int fd, struct live_error *error)
{
    tls->refused = X509_V_OK;
    tls->is_asked = false;
    tls->subject[0] = '\0';
    tls->ssl = SSL_new(tls->context);
    if (!tls->ssl || SSL_set_fd(tls->ssl, fd) != 1 ||
        !set_name(tls->ssl, tls->name, tls->no_common_name))
        return live_fault(error, "TLS cannot begin with the name '%s'", tls->name);
    SSL_set_app_data(tls->ssl, tls);
    SSL_set_connect_state(tls->ssl);
    return true;
}

bool tls_has_h2(const struct tls *tls)
{
    const unsigned char *protocol;
    unsigned int len;

    SSL_get0_alpn_selected(tls->ssl, &protocol, &len);
    return len == 2 && memcmp(protocol, "h2", 2) == 0;
}

static bool is_plaintext(unsigned long code)
{
    switch (ERR_GET_REASON(code)) {
    case SSL_R_WRONG_VERSION_NUMBER:
    case SSL_R_HTTP_REQUEST:
    case SSL_R_HTTPS_PROXY_REQUEST:
    case SSL_R_PACKET_LENGTH_TOO_LONG:
    case SSL_R_RECORD_LENGTH_MISMATCH:
        return ERR_GET_LIB(code) == ERR_LIB_SSL;
    default:
        return false;
    }
}

void tls_explain(const struct tls *tls, struct live_error *error)
{
    const unsigned long code = ERR_peek_error();

    switch (tls->refused) {
    case X509_V_OK:
        break;
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
        (void)live_fault(error,
                         "TLS: the certificate is for %s%s, not for '%s'%s; "
                         "--server-name expects another name",
                         tls->subject[0] != '\0' ? tls->subject : "no name",
                         tls->no_common_name && tls->only_common_name
                             ? " in its common name alone, which this client ignores"
                             : "",
                         tls->name,
                         tls->own_name[0] != '\0'
                             ? ", which this client expects of a unix socket"
                             : "");
        return;
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
        (void)live_fault(error,
                         "TLS: the certificate, for %s, is of an unknown authority (%s); "
                         "--ca FILE names one",
                         tls->subject[0] != '\0' ? tls->subject : "no name",
                         X509_verify_cert_error_string(tls->refused));
        return;
    default:
        (void)live_fault(error, "TLS: the certificate, for %s, is refused: %s",
                         tls->subject[0] != '\0' ? tls->subject : "no name",
                         X509_verify_cert_error_string(tls->refused));
        return;
    }
    if (is_plaintext(code))
        (void)live_fault(error, "the server does not answer with TLS; it may want "
                                "plaintext");
    else
        (void)live_fault(error, "TLS: %s%s", why(), tls->is_asked ? TLS_ASKED : "");
}

void tls_release(struct tls *tls)
{
    if (tls->ssl)
        SSL_free(tls->ssl);
    tls->ssl = NULL;
    if (tls->context)
        SSL_CTX_free(tls->context);
    tls->context = NULL;
}
