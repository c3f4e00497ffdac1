// Reads a private key from the document of an operator.

#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include "internal.h"

/// An encrypted document has no passphrase here; libcrypto would ask for one on the terminal.
static int no_passphrase(char *out, int max_out, int writes, void *unused) {
    (void)out;
    (void)max_out;
    (void)writes;
    (void)unused;
    return -1;
}

/// A curve's parameters or a certificate may stand beside the key. Of two keys, one would be ignored without a word.
static EVP_PKEY *pkey_of_pem(const uint8_t *in, size_t in_len) {
    BIO *text = cossl_count_pem_blocks(in, in_len).of_private_keys == 1 ? BIO_new_mem_buf(in, (int)in_len) : NULL;
    EVP_PKEY *pkey = text == NULL ? NULL : PEM_read_bio_PrivateKey_ex(text, NULL, no_passphrase, NULL, NULL, NULL);
    BIO_free(text);
    return pkey;
}

static EVP_PKEY *pkey_of_der(const uint8_t *der, size_t der_len) {
    const uint8_t *cursor = der;
    EVP_PKEY *pkey = d2i_AutoPrivateKey_ex(NULL, &cursor, (long)der_len, NULL, NULL);
    if (cursor == der + der_len) { return pkey; }
    EVP_PKEY_free(pkey);
    return NULL;
}

EVP_PKEY *cossl_private_document_pkey(const uint8_t *in, size_t in_len) {
    return cossl_is_sequence(in, in_len) ? pkey_of_der(in, in_len) : pkey_of_pem(in, in_len);
}
