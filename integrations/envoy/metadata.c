/* Writes google.protobuf.Struct: a message of fields, each with a key and a Value, which has one of six kinds. */
#include "metadata.h"

#include <stdlib.h>
#include <string.h>

/* Tags of the wire format: number of the field, and type. */
enum {
    ENTRY = 0x0a, KEY = 0x0a, VALUE = 0x12, NULL_VALUE = 0x08, NUMBER_VALUE = 0x11, STRING_VALUE = 0x1a, BOOL_VALUE = 0x20,
    STRUCT_VALUE = 0x2a, LIST_VALUE = 0x32, ELEMENT = 0x0a,
};

/* Begins a part whose length is not known yet. */
static size_t begin(ae_bytes *to, int tag) {
    ae_append_byte(to, tag);
    return to->len;
}

/* Puts the length before the part that began at `start`. */
static void end(ae_bytes *to, size_t start) {
    size_t length = to->len - start, count = 0;
    char varint[10];
    for (size_t rest = length; count == 0 || rest; rest >>= 7) {
        varint[count++] = (char)((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
    }
    ae_append(to, varint, count);
    memmove(to->bytes + start + count, to->bytes + start, length);
    memcpy(to->bytes + start, varint, count);
}

static void append_text(ae_bytes *to, int tag, assay_text text) {
    size_t start = begin(to, tag);
    ae_append_text(to, text);
    end(to, start);
}

static assay_text text_of(const json_t *value) { return (assay_text){json_string_value(value), json_string_length(value)}; }

static void append_members(ae_bytes *to, json_t *object);

static void append_value(ae_bytes *to, json_t *value) {
    double number = json_number_value(value);
    size_t start, index;
    json_t *element;
    switch (json_typeof(value)) {
    case JSON_STRING: append_text(to, STRING_VALUE, text_of(value)); break;
    case JSON_REAL:
        ae_append_byte(to, NUMBER_VALUE);
        ae_append(to, &number, sizeof number); /* little-endian, as x86-64 and AArch64 are */
        break;
    case JSON_TRUE:
    case JSON_FALSE: ae_append(to, (char[]){BOOL_VALUE, json_is_true(value)}, 2); break;
    case JSON_OBJECT:
        start = begin(to, STRUCT_VALUE);
        append_members(to, value);
        end(to, start);
        break;
    case JSON_ARRAY:
        start = begin(to, LIST_VALUE);
        json_array_foreach(value, index, element) {
            size_t place = begin(to, ELEMENT);
            append_value(to, element);
            end(to, place);
        }
        end(to, start);
        break;
    default: ae_append(to, (char[]){NULL_VALUE, 0}, 2);
    }
}

static void append_members(ae_bytes *to, json_t *object) {
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value) {
        size_t entry = begin(to, ENTRY);
        append_text(to, KEY, ae_text(name));
        size_t start = begin(to, VALUE);
        append_value(to, value);
        end(to, start);
        end(to, entry);
    }
}

static json_t *words_of(assay_text text) {
    json_t *words = json_array();
    while (text.len) {
        assay_text word = ae_part(&text, ' ');
        if (word.len) {
            json_array_append_new(words, json_stringn(word.bytes, word.len));
        }
    }
    return words;
}

/* Adds a document to the namespace, with claims as lists of words where the provider says so. */
static void add_document(json_t *space, const ae_gateway *gateway, const assay_metadata *kept) {
    const ae_provider *provider = ae_gateway_provider(gateway, kept->provider);
    size_t index;
    json_t *name, *key = json_stringn(kept->key.bytes, kept->key.len);
    /* An integer may be larger than any of C's; a Value has doubles in any case. */
    json_t *document = json_loadb(kept->json.bytes, kept->json.len, JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, NULL);
    bool is_payload = provider && strcmp(json_string_value(key), provider->payload_metadata) == 0;
    json_array_foreach(is_payload ? provider->spaced_claims : NULL, index, name) {
        json_t *claim = json_object_get(document, json_string_value(name));
        if (json_is_string(claim)) {
            json_object_set_new(document, json_string_value(name), words_of(text_of(claim)));
        }
    }
    json_object_set_new(space, json_string_value(key), document);
    json_decref(key);
}

static envoy_bytes space_of(const ae_configuration *configuration) { return ae_envoy(ae_text(configuration->metadata_space)); }

void ae_metadata_set(void *filter, const ae_configuration *configuration, const assay_decision *decision) {
    ae_bytes message = {0};
    json_t *space = NULL;
    assay_metadata kept;
    for (size_t i = 0; assay_decision_metadata(&kept, decision, i) == ASSAY_OK; i++) {
        space = space ? space : json_object();
        add_document(space, configuration->gateway, &kept);
    }
    append_members(&message, space);
    if (message.len) {
        CALLBACK(http_set_dynamic_metadata_struct)(filter, space_of(configuration), (envoy_bytes){message.bytes, message.len});
    }
    json_decref(space);
    free(message.bytes);
}

void ae_metadata_set_code(void *filter, const ae_configuration *configuration, assay_code code) {
    envoy_bytes name = ae_envoy(ae_text(assay_code_name(code)));
    CALLBACK(http_set_dynamic_metadata_string)(filter, space_of(configuration), ae_envoy(LITERAL("code")), name);
}
