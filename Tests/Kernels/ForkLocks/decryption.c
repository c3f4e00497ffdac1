#include "cases.h"

#include <COpenSSL.h>

static const uint8_t cek[32] = "a content encryption key", text[] = "header.payload.signature";

/// Makes the key once more from its members.
static int make_again(cossl_decryption_key **out, const cossl_decryption_key *key) {
    uint8_t members[8192];
    size_t lengths[COSSL_MEMBERS] = {0}, used = 0;
    for (int member = 0; member < COSSL_MEMBERS; member++) {
        if (!cossl_decryption_key_member(members + used, &lengths[member], 1024, key, (cossl_member)member)) { lengths[member] = 0; }
        used += lengths[member];
    }
    return cossl_decryption_key_new(out, cossl_decryption_key_recipient(key), members, lengths);
}

static int decrypts(const cossl_decryption_key *key) {
    uint8_t sealed[COSSL_OAEP_MAX], opened[COSSL_CEK_MAX];
    size_t sealed_len = 0;
    int ok = 1;
    for (int uses_sha1 = 0; uses_sha1 < 2; uses_sha1++) {
        ok &= cossl_encrypt_cek(sealed, &sealed_len, key, uses_sha1, cek, sizeof cek) &&
              cossl_decrypt_cek(opened, sizeof cek, key, uses_sha1, sealed, sealed_len);
        sealed[sealed_len / 2] ^= 1;
        ok &= cossl_decrypt_cek(opened, sizeof cek, key, uses_sha1, sealed, sealed_len);
    }
    return ok;
}

/// With its own public part, and with a point that is on no curve.
static int agrees(const cossl_decryption_key *key) {
    uint8_t x[1024], y[1024], agreed[COSSL_AGREED_MAX], wrapped[COSSL_CEK_MAX], unwrapped[COSSL_CEK_MAX];
    size_t x_len = 0, y_len = 0, agreed_len = 0;
    int has_y = cossl_decryption_key_recipient(key) != COSSL_RECIPIENT_X25519;
    int ok = cossl_decryption_key_member(x, &x_len, sizeof x, key, COSSL_MEMBER_X) &&
             (!has_y || cossl_decryption_key_member(y, &y_len, sizeof y, key, COSSL_MEMBER_Y)) &&
             cossl_agree(agreed, &agreed_len, key, x, x_len, y, y_len) && cossl_wrap_cek(wrapped, agreed, 16, cek, sizeof cek) &&
             cossl_unwrap_cek(unwrapped, key, agreed, 16, wrapped, sizeof cek + 8);
    if (has_y) {
        y[y_len - 1] ^= 1;
        ok &= !cossl_agree(agreed, &agreed_len, key, x, x_len, y, y_len);
    }
    return ok;
}

static int has_a_key(cossl_recipient recipient) {
    cossl_decryption_key *made = NULL, *again = NULL;
    int ok = cossl_decryption_key_generate(&made, recipient, 2048) && cossl_decryption_key_bits(made) > 0 && make_again(&again, made) &&
             (recipient == COSSL_RECIPIENT_RSA ? decrypts(again) : agrees(again));
    cossl_decryption_key_free(made);
    cossl_decryption_key_free(again);
    return ok;
}

static int reads_a_key(void) {
    uint8_t *document = NULL;
    size_t document_len = 0;
    cossl_pkey *made = NULL;
    cossl_decryption_key *read = NULL;
    int ok = cossl_oaep_key_generate(&made, 2048) && cossl_pkey_private_document(&document, &document_len, made) &&
             cossl_decryption_key_import(&read, document, document_len);
    cossl_document_free(document, document_len);
    cossl_pkey_free(made);
    cossl_decryption_key_free(read);
    return ok;
}

static int opens(cossl_content content) {
    uint8_t key[64] = "a key", sealed[sizeof text + 16], opened[sizeof sealed], tag[64];
    size_t sealed_len = 0, opened_len = 0;
    int fits = cossl_content_key_length(content) <= sizeof key && cossl_content_nonce_length(content) <= sizeof cek &&
               cossl_content_tag_length(content) <= sizeof tag;
    cossl_content_input input = {content, key, cek, text, sizeof text, text, sizeof text};
    int ok = fits && cossl_content_seal(sealed, &sealed_len, tag, &input);
    input.in = sealed;
    input.in_len = sealed_len;
    ok = ok && cossl_content_open(opened, &opened_len, &input, tag) && opened_len == sizeof text;
    tag[0] ^= 1;
    return ok && !cossl_content_open(opened, &opened_len, &input, tag);
}

int decryption(void) {
    int ok = reads_a_key();
    for (int recipient = COSSL_RECIPIENT_RSA; recipient <= COSSL_RECIPIENT_X25519; recipient++) { ok &= has_a_key((cossl_recipient)recipient); }
    for (int content = COSSL_CONTENT_A128GCM; content <= COSSL_CONTENT_A256CBC_HS512; content++) { ok &= opens((cossl_content)content); }
    return ok;
}
