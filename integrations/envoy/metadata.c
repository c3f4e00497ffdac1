/* Writes google.protobuf.Struct: a message of fields, each with a key and a Value, which has one of six kinds. */
#include "metadata.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Tags of the wire format: number of the field, and type. */
enum {
    ENTRY = 0x0a, KEY = 0x0a, VALUE = 0x12, NULL_VALUE = 0x08, NUMBER_VALUE = 0x11, STRING_VALUE = 0x1a, BOOL_VALUE = 0x20,
    STRUCT_VALUE = 0x2a, LIST_VALUE = 0x32, ELEMENT = 0x0a,
};

/* A document that is kept, and whose it is. */
typedef struct document {
    const ae_provider *provider;
    assay_text key;
} document;

/* Names of `document` itself may be those of claims; NULL for a struct inside it. */
static void append_struct(ae_bytes *to, const json_t *object, const document *document);

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

static void append_value(ae_bytes *to, const json_t *value) {
    double number = json_number_value(value);
    size_t start, index;
    json_t *element;
    switch (json_typeof(value)) {
    case JSON_STRING: append_text(to, STRING_VALUE, (assay_text){json_string_value(value), json_string_length(value)}); break;
    case JSON_INTEGER:
    case JSON_REAL:
        ae_append_byte(to, NUMBER_VALUE);
        ae_append(to, &number, sizeof number); /* little-endian, as x86-64 and AArch64 are */
        break;
    case JSON_TRUE:
    case JSON_FALSE: ae_append(to, (char[]){BOOL_VALUE, json_is_true(value)}, 2); break;
    case JSON_OBJECT:
        start = begin(to, STRUCT_VALUE);
        append_struct(to, value, NULL);
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

static void append_words(ae_bytes *to, assay_text words) {
    size_t start = begin(to, LIST_VALUE);
    while (words.len) {
        assay_text word = ae_part(&words, ' ');
        if (word.len) {
            size_t place = begin(to, ELEMENT);
            append_text(to, STRING_VALUE, word);
            end(to, place);
        }
    }
    end(to, start);
}

static void append_struct(ae_bytes *to, const json_t *object, const document *document) {
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)object, name, value) {
        size_t entry = begin(to, ENTRY);
        append_text(to, KEY, ae_text(name));
        size_t start = begin(to, VALUE);
        if (document && json_is_string(value) && ae_provider_spaces(document->provider, document->key, name)) {
            append_words(to, (assay_text){json_string_value(value), json_string_length(value)});
        } else {
            append_value(to, value);
        }
        end(to, start);
        end(to, entry);
    }
}

/* Appends an entry of the namespace: a document under its key. */
static void append_document(ae_bytes *to, const ae_gateway *gateway, const assay_metadata *kept) {
    json_t *object = json_loadb(kept->json.bytes, kept->json.len, JSON_ALLOW_NUL, NULL);
    document document = {ae_gateway_provider(gateway, kept->provider), kept->key};
    if (json_is_object(object) && document.provider) {
        size_t entry = begin(to, ENTRY);
        append_text(to, KEY, kept->key);
        size_t value = begin(to, VALUE), start = begin(to, STRUCT_VALUE);
        append_struct(to, object, &document);
        end(to, start);
        end(to, value);
        end(to, entry);
    }
    json_decref(object);
}

static envoy_bytes space_of(const ae_configuration *configuration) { return ae_envoy(ae_text(configuration->metadata_space)); }

void ae_metadata_set(void *filter, const ae_configuration *configuration, const assay_decision *decision) {
    ae_bytes message = {0};
    assay_metadata kept;
    for (size_t i = 0; assay_decision_metadata(&kept, decision, i) == ASSAY_OK; i++) {
        append_document(&message, configuration->gateway, &kept);
    }
    if (message.len) {
        CALLBACK(http_set_dynamic_metadata_struct)(filter, space_of(configuration), (envoy_bytes){message.bytes, message.len});
    }
    free(message.bytes);
}

void ae_metadata_set_code(void *filter, const ae_configuration *configuration, assay_code code) {
    envoy_bytes name = ae_envoy(ae_text(assay_code_name(code)));
    CALLBACK(http_set_dynamic_metadata_string)(filter, space_of(configuration), ENVOY_LITERAL("code"), name);
}
