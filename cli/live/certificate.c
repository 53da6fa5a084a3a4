/*
 * certificate.c - a certificate out of a file, by OpenSSL.
 *
 * Source: RFC 5280; the names as gRPC has them: spec cluster 1.17.
 */
#include "cli/live/certificate.h"

#include "cli/live/inner.h"

#include <arpa/inet.h>
#include <errno.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Certificates of a file, and bytes. */
enum { MOST_CERTIFICATES = 100, MOST_BYTES = 1 << 20 };

struct pem {
    X509 *list[MOST_CERTIFICATES];
    size_t n;
};

static void free_pem(struct pem *pem)
{
    for (size_t i = 0; i < pem->n; i++)
        X509_free(pem->list[i]);
    pem->n = 0;
}

/* ---- files ---- */

struct bytes {
    char *data;
    size_t len;
};

static bool slurp(const struct live_certificate_file *file, const char *path,
                  struct bytes *out, struct live_error *error)
{
    FILE *f = fopen(path, "rb");

    if (!f)
        return live_fault(error, "%s: %s: %s", file->option, path, strerror(errno));
    out->data = malloc(MOST_BYTES + 1);
    out->len = out->data ? fread(out->data, 1, MOST_BYTES, f) : 0;
    const bool failed = !out->data || ferror(f) != 0;
    const bool too_long = !failed && out->len == MOST_BYTES;

    (void)fclose(f);
    if (failed)
        return live_fault(error, "%s: %s: %s", file->option, path, strerror(errno));
    out->data[out->len] = '\0';
    return !too_long || live_fault(error, "%s: %s: has more than %d bytes", file->option,
                                   path, MOST_BYTES - 1);
}

/* An encrypted certificate cannot be sent by a server. */
static int no_password(char *buffer, int size, int writes, void *user)
{
    (void)buffer;
    (void)size;
    (void)writes;
    (void)user;
    return -1;
}

static bool parse(const struct bytes *bytes, struct pem *out)
{
    BIO *from = BIO_new_mem_buf(bytes->data, (int)bytes->len);

    out->n = 0;
    while (from && out->n < MOST_CERTIFICATES) {
        X509 *x509 = PEM_read_bio_X509(from, NULL, no_password, NULL);

        if (!x509)
            break;
        out->list[out->n++] = x509;
    }
    BIO_free(from);
    ERR_clear_error();
    return out->n > 0;
}

static bool read_pem(const struct live_certificate_file *file, const char *path,
                     struct pem *out, struct live_error *error)
{
    struct bytes bytes = {NULL, 0};
    bool good = slurp(file, path, &bytes, error);

    if (good && bytes.data && !parse(&bytes, out)) {
        const bool is_key = strstr(bytes.data, "PRIVATE KEY-----") != NULL;

        good = live_fault(error, "%s: %s: has no certificate in PEM%s", file->option,
                          path, is_key ? ", but a private key" : "");
    }
    free(bytes.data);
    return good;
}

/* ---- names ---- */

static bool kind_of(int type, enum xds_san_kind *kind)
{
    static const struct {
        int type;
        enum xds_san_kind kind;
    } kinds[] = {{GEN_URI, XDS_SAN_URI},
                 {GEN_DNS, XDS_SAN_DNS},
                 {GEN_EMAIL, XDS_SAN_EMAIL},
                 {GEN_IPADD, XDS_SAN_IP}};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].type == type) {
            *kind = kinds[i].kind;
            return true;
        }
    return false;
}

/* The text moves while it is written: until the end a value has its length only. */
static bool add_san(struct live_certificate *to, FILE *text, const GENERAL_NAME *name)
{
    struct xds_san *san = &to->sans[to->names.n_sans];
    char ip[INET6_ADDRSTRLEN];
    int type;
    const ASN1_STRING *value = GENERAL_NAME_get0_value(name, &type);
    const void *bytes = kind_of(type, &san->kind) ? ASN1_STRING_get0_data(value) : NULL;

    if (!bytes)
        return true; /* a name of a kind that gRPC does not know */
    size_t len = (size_t)ASN1_STRING_length(value);

    if (san->kind == XDS_SAN_IP) {
        if ((len != 4 && len != 16) ||
            !inet_ntop(len == 4 ? AF_INET : AF_INET6, bytes, ip, sizeof ip))
            return true;
        bytes = ip;
        len = strlen(ip);
    }
    san->value.len = len;
    to->names.n_sans++;
    return fwrite(bytes, 1, len, text) == len;
}

static bool add_subject(struct live_certificate *to, FILE *text, X509 *x509)
{
    BIO *from = BIO_new(BIO_s_mem());
    char *subject = NULL;
    long len = 0;

    if (from &&
        X509_NAME_print_ex(from, X509_get_subject_name(x509), 0, XN_FLAG_RFC2253) >= 0)
        len = BIO_get_mem_data(from, &subject);
    to->names.subject.len = (size_t)len;

    const bool good =
        from && (len == 0 || fwrite(subject, 1, (size_t)len, text) == (size_t)len);

    BIO_free(from);
    return good;
}

/* False without memory. */
static bool add_names(struct live_certificate *out, X509 *x509)
{
    GENERAL_NAMES *names = X509_get_ext_d2i(x509, NID_subject_alt_name, NULL, NULL);
    const int n = names ? sk_GENERAL_NAME_num(names) : 0;
    FILE *text = open_memstream(&out->text, &out->text_len);

    out->sans = calloc((size_t)n + 1, sizeof *out->sans);
    bool good = text && out->sans;

    for (int i = 0; good && i < n; i++)
        good = add_san(out, text, sk_GENERAL_NAME_value(names, i));
    GENERAL_NAMES_free(names);
    good = good && add_subject(out, text, x509);
    if (text && fclose(text) != 0)
        good = false;
    if (!good)
        return false;
    const char *at = out->text;

    for (size_t i = 0; i < out->names.n_sans; at += out->sans[i++].value.len)
        out->sans[i].value.data = at;
    out->names.subject.data = at;
    out->names.sans = out->sans;
    return true;
}

/* ---- the chain ---- */

static void refuse(struct live_certificate *out, const char *what, const char *why)
{
    (void)snprintf(out->fault, sizeof out->fault, "%s: %s", what, why);
}

static void check_dates(struct live_certificate *out, X509 *x509)
{
    if (X509_cmp_time(X509_get0_notBefore(x509), NULL) > 0)
        refuse(out, "the certificate",
               X509_verify_cert_error_string(X509_V_ERR_CERT_NOT_YET_VALID));
    else if (X509_cmp_time(X509_get0_notAfter(x509), NULL) < 0)
        refuse(out, "the certificate",
               X509_verify_cert_error_string(X509_V_ERR_CERT_HAS_EXPIRED));
}

/* Of servers and of clients alike. */
#define TLS_USAGE (KU_DIGITAL_SIGNATURE | KU_KEY_ENCIPHERMENT | KU_KEY_AGREEMENT)

static void check_usage(struct live_certificate *out, X509 *x509, bool of_server)
{
    const uint32_t wanted = of_server ? XKU_SSL_SERVER : XKU_SSL_CLIENT;

    out->names.no_tls_usage = (X509_get_key_usage(x509) & TLS_USAGE) == 0;
    if (!out->fault[0] &&
        (X509_get_extended_key_usage(x509) & (wanted | XKU_ANYEKU)) == 0)
        refuse(out, "the certificate",
               of_server ? "its key is not for servers (extended key usage)"
                         : "its key is not for clients (extended key usage)");
}

static void verify(struct live_certificate *out, const struct pem *chain,
                   const struct pem *authorities)
{
    X509_STORE *store = X509_STORE_new();
    X509_STORE_CTX *ctx = X509_STORE_CTX_new();
    STACK_OF(X509) *others = sk_X509_new_null();
    bool good = store && ctx && others;

    for (size_t i = 0; good && i < authorities->n; i++)
        good = X509_STORE_add_cert(store, authorities->list[i]) == 1;
    for (size_t i = 1; good && i < chain->n; i++)
        good = sk_X509_push(others, chain->list[i]) > 0;
    good = good && X509_STORE_set_flags(store, X509_V_FLAG_PARTIAL_CHAIN) == 1 &&
           X509_STORE_CTX_init(ctx, store, chain->list[0], others) == 1;
    if (!good)
        refuse(out, "the chain of the certificate", "cannot be checked");
    else if (X509_verify_cert(ctx) != 1)
        refuse(out,
               X509_STORE_CTX_get_error_depth(ctx) == 0 ? "the certificate" : "its chain",
               X509_verify_cert_error_string(X509_STORE_CTX_get_error(ctx)));
    sk_X509_free(others);
    X509_STORE_CTX_free(ctx);
    X509_STORE_free(store);
    ERR_clear_error();
}

static bool judge(const struct live_certificate_file *file, const struct pem *chain,
                  struct live_certificate *out, struct live_error *error)
{
    struct pem authorities = {.n = 0};

    if (!file->ca)
        check_dates(out, chain->list[0]);
    else if (!read_pem(&(struct live_certificate_file){.option = "--ca"}, file->ca,
                       &authorities, error))
        return false;
    else
        verify(out, chain, &authorities);
    free_pem(&authorities);
    check_usage(out, chain->list[0], file->of_server);
    return true;
}

enum live_status live_certificate_read(const struct live_certificate_file *file,
                                       struct live_certificate *out,
                                       struct live_error *error)
{
    struct pem chain = {.n = 0};
    enum live_status status = LIVE_OK;

    *out = (struct live_certificate){.text = NULL};
    if (!openssl_load(error) || !read_pem(file, file->path, &chain, error) ||
        !judge(file, &chain, out, error))
        status = LIVE_FAILED;
    else if (!add_names(out, chain.list[0]))
        status = LIVE_NO_MEMORY;
    if (out->fault[0])
        out->names.fault = (struct xds_slice){out->fault, strlen(out->fault)};
    free_pem(&chain);
    return status;
}

void live_certificate_free(struct live_certificate *certificate)
{
    free(certificate->sans);
    free(certificate->text);
}
