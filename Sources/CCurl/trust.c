// What is trusted, and the check of a server's certificate where the handshake makes it.

#include "internal.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <sys/stat.h>

struct ccurl_trust {
    bool has_system_roots;
    STACK_OF(X509) *roots, *chain;
    EVP_PKEY *key;
};

ccurl_trust *ccurl_trust_new(bool has_system_roots) {
    ccurl_trust *trust = calloc(1, sizeof *trust);
    if (trust == NULL) { return NULL; }
    trust->has_system_roots = has_system_roots;
    trust->roots = sk_X509_new_null();
    trust->chain = sk_X509_new_null();
    if (trust->roots != NULL && trust->chain != NULL) { return trust; }
    ccurl_trust_free(trust);
    return NULL;
}

void ccurl_trust_free(ccurl_trust *trust) {
    if (trust == NULL) { return; }
    sk_X509_pop_free(trust->roots, X509_free);
    sk_X509_pop_free(trust->chain, X509_free);
    EVP_PKEY_free(trust->key);
    free(trust);
}

/// No passphrase is asked for on a terminal.
static int no_passphrase(char *out, int count, int writes, void *context) {
    (void)out;
    (void)count;
    (void)writes;
    (void)context;
    return -1;
}

static BIO *open_text(const ccurl_pem *pem) {
    enum { LONGEST = 1 << 20 };
    struct stat about;
    if (pem->path == NULL) { return pem->count <= LONGEST ? BIO_new_mem_buf(pem->bytes, (int)pem->count) : NULL; }
    // Reading a pipe would wait for its writer.
    if (stat(pem->path, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size > LONGEST) { return NULL; }
    return BIO_new_file(pem->path, "rb");
}

static int read_certificates(STACK_OF(X509) *out, const ccurl_pem *pem) {
    BIO *text = open_text(pem);
    if (text == NULL) { return 0; }
    int read = 0, is_whole = 1;
    ERR_set_mark();
    for (X509 *one; (one = PEM_read_bio_X509_AUX(text, NULL, no_passphrase, NULL)) != NULL; read++) {
        if (sk_X509_push(out, one) == 0) {
            X509_free(one);
            is_whole = 0;
            break;
        }
    }
    // OpenSSL reports the end of the text as this error.
    if (ERR_GET_REASON(ERR_peek_last_error()) != PEM_R_NO_START_LINE) { is_whole = 0; }
    ERR_pop_to_mark();
    BIO_free(text);
    return is_whole && read > 0;
}

int ccurl_trust_add_roots(ccurl_trust *trust, const ccurl_pem *pem) { return read_certificates(trust->roots, pem); }

int ccurl_trust_set_chain(ccurl_trust *trust, const ccurl_pem *pem) { return read_certificates(trust->chain, pem); }

int ccurl_trust_set_key(ccurl_trust *trust, const ccurl_pem *pem) {
    BIO *text = open_text(pem);
    if (text == NULL) { return 0; }
    ERR_set_mark();
    trust->key = PEM_read_bio_PrivateKey(text, NULL, no_passphrase, NULL);
    X509 *own = sk_X509_value(trust->chain, 0);
    int fits = trust->key != NULL && own != NULL && X509_check_private_key(own, trust->key) == 1;
    ERR_pop_to_mark();
    BIO_free(text);
    return fits;
}

const char *ccurl_trust_error(long number) { return X509_verify_cert_error_string(number); }

const char *ccurl_alert_name(long number) { return SSL_alert_desc_string_long((int)number); }

/// RFC 9525 section 6: a name must be one of the DNS names, an address one of the addresses. The common name never counts.
static bool is_for_host(X509 *certificate, const ccurl_transfer *transfer) {
    if (transfer->is_address) { return X509_check_ip_asc(certificate, transfer->host, 0) == 1; }
    unsigned flags = X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS;
    return X509_check_host(certificate, transfer->host, 0, flags, NULL) == 1;
}

static bool is_key_accepted(X509 *certificate, const ccurl_transfer *transfer) {
    uint8_t *bytes = NULL;
    int count = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &bytes);
    bool is_accepted = count > 0 && transfer->functions.key(transfer->functions.context, bytes, (size_t)count);
    OPENSSL_free(bytes);
    return is_accepted;
}

/// Replaces libssl's check, and so runs before anything is sent to the server. libcurl checks the name once more, after the handshake.
static int verify(X509_STORE_CTX *store, void *context) {
    ccurl_transfer *transfer = context;
    // libcurl would trust any certificate among the roots, a server's own too.
    X509_VERIFY_PARAM_clear_flags(X509_STORE_CTX_get0_param(store), X509_V_FLAG_PARTIAL_CHAIN);
    if (X509_verify_cert(store) != 1) {
        transfer->verification = X509_STORE_CTX_get_error(store);
        if (transfer->verification == X509_V_OK) { transfer->verification = X509_V_ERR_UNSPECIFIED; }
        return 0;
    }
    X509 *certificate = X509_STORE_CTX_get0_cert(store);
    if (certificate == NULL || !is_for_host(certificate, transfer)) {
        transfer->is_other_host = true;
    } else if (!is_key_accepted(certificate, transfer)) {
        transfer->is_refused = true;
    } else {
        return 1;
    }
    X509_STORE_CTX_set_error(store, X509_V_ERR_APPLICATION_VERIFICATION);
    return 0;
}

static int transfer_index(void) {
    static int index = -1;
    // All transfers of the process are prepared by one thread.
    if (index == -1) { index = SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, NULL); }
    return index;
}

/// An end of the connection without close_notify is no alert of the server's. libcurl 8.14 tells libcrypto of it, and libcrypto then sends one
/// of its own, and has its reason as the last error.
static bool is_unexpected_end(int where) {
    return (where & SSL_CB_WRITE) != 0 && ERR_GET_REASON(ERR_peek_last_error()) == SSL_R_UNEXPECTED_EOF_WHILE_READING;
}

static void note_alert(const SSL *session, int where, int value) {
    if ((where & SSL_CB_ALERT) == 0 || value >> 8 != SSL3_AL_FATAL || is_unexpected_end(where)) { return; }
    ccurl_transfer *transfer = SSL_CTX_get_ex_data(SSL_get_SSL_CTX(session), transfer_index());
    if (transfer != NULL) { transfer->alert = value & 0xff; }
}

/// A store of its own: libcurl shares one between transfers that have the same files, and these roots are one configuration's.
static int set_roots(SSL_CTX *context, const ccurl_trust *trust) {
    X509_STORE *store = X509_STORE_new();
    if (store == NULL) { return 0; }
    SSL_CTX_set_cert_store(context, store);
    if (trust->has_system_roots && SSL_CTX_set_default_verify_paths(context) != 1) { return 0; }
    for (int i = 0; i < sk_X509_num(trust->roots); i++) {
        if (X509_STORE_add_cert(store, sk_X509_value(trust->roots, i)) != 1) { return 0; }
    }
    return 1;
}

static int set_identity(SSL_CTX *context, const ccurl_trust *trust) {
    if (trust->key == NULL) { return 1; }
    if (SSL_CTX_use_certificate(context, sk_X509_value(trust->chain, 0)) != 1 || SSL_CTX_use_PrivateKey(context, trust->key) != 1) { return 0; }
    for (int i = 1; i < sk_X509_num(trust->chain); i++) {
        if (SSL_CTX_add1_chain_cert(context, sk_X509_value(trust->chain, i)) != 1) { return 0; }
    }
    return 1;
}

int trust_prepare(SSL_CTX *context, ccurl_transfer *transfer) {
    if (set_roots(context, transfer->trust) != 1 || set_identity(context, transfer->trust) != 1) { return 0; }
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    SSL_CTX_set_cert_verify_callback(context, verify, transfer);
    SSL_CTX_set_info_callback(context, note_alert);
    // libcurl takes a connection that ends without close_notify for the end of the answer, and would write the keys of the session to the
    // file that SSLKEYLOGFILE names.
    SSL_CTX_clear_options(context, SSL_OP_IGNORE_UNEXPECTED_EOF);
    SSL_CTX_set_keylog_callback(context, NULL);
    return SSL_CTX_set_ex_data(context, transfer_index(), transfer);
}
