/*
 * openssl.c - OpenSSL, loaded by the first connection that needs it: linked, it would
 * take most of the time in which every command starts.
 *
 * Each function of openssl.def is one of ours, with the prototype that OpenSSL's headers
 * declare, which hands on to the one that was found. A static program links OpenSSL.
 */
#include "cli/live/inner.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#ifdef LIVE_LINKS_OPENSSL

bool openssl_load(struct live_error *error)
{
    (void)error;
    return true;
}

#else

#include <dlfcn.h>

#define TEXT_OF(value) #value
#define LIBRARY_OF(version) "libssl.so." TEXT_OF(version)

#define OPENSSL_CALL(type, name, parameters, arguments)                                  \
    static type(*found_##name) parameters;                                               \
    type name parameters                                                                 \
    {                                                                                    \
        return found_##name arguments;                                                   \
    }
#define OPENSSL_VOID(name, parameters, arguments)                                        \
    static void(*found_##name) parameters;                                               \
    void name parameters                                                                 \
    {                                                                                    \
        found_##name arguments;                                                          \
    }
#include "cli/live/openssl.def"
#undef OPENSSL_CALL
#undef OPENSSL_VOID

/* The form of the pointer is POSIX's, see dlsym(3p). */
#define OPENSSL_CALL(type, name, parameters, arguments) {#name, (void **)&found_##name},
#define OPENSSL_VOID(name, parameters, arguments) {#name, (void **)&found_##name},
static const struct {
    const char *name;
    void **found;
} functions[] = {
#include "cli/live/openssl.def"
};

bool openssl_load(struct live_error *error)
{
    static void *library; /* stays loaded */

    if (library)
        return true;
    /* It brings libcrypto along. */
    void *loaded = dlopen(LIBRARY_OF(OPENSSL_SHLIB_VERSION), RTLD_NOW | RTLD_LOCAL);

    for (size_t i = 0; loaded && i < sizeof functions / sizeof *functions; i++) {
        *functions[i].found = dlsym(loaded, functions[i].name);
        if (!*functions[i].found)
            return live_fault(error, "TLS needs OpenSSL: %s", dlerror());
    }
    library = loaded;
    return library || live_fault(error, "TLS needs OpenSSL: %s", dlerror());
}

#endif
