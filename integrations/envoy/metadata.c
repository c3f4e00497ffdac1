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

static void append_struct(ae_bytes *to, const json_t *object, const ae_provider *spaced);

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

static bool is_spaced(const ae_provider *provider, const char *claim) {
    for (size_t i = 0; provider && i < provider->spaced_count; i++) {
        if (strcmp(provider->spaced_claims[i], claim) == 0) {
            return true;
        }
    }
    return false;
}

static void append_struct(ae_bytes *to, const json_t *object, const ae_provider *spaced) {
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)object, name, value) {
        size_t entry = begin(to, ENTRY);
        append_text(to, KEY, ae_text(name));
        size_t start = begin(to, VALUE);
        if (json_is_string(value) && is_spaced(spaced, name)) {
            append_words(to, (assay_text){json_string_value(value), json_string_length(value)});
        } else {
            append_value(to, value);
        }
        end(to, start);
        end(to, entry);
    }
}

/* Appends an entry of the namespace: a document under its key. */
static void append_document(ae_bytes *to, const char *key, assay_text document, const ae_provider *spaced) {
    json_t *object = json_loadb(document.bytes, document.len, JSON_ALLOW_NUL, NULL);
    if (!json_is_object(object)) {
        json_decref(object);
        return;
    }
    size_t entry = begin(to, ENTRY);
    append_text(to, KEY, ae_text(key));
    size_t value = begin(to, VALUE), start = begin(to, STRUCT_VALUE);
    append_struct(to, object, spaced);
    end(to, start);
    end(to, value);
    end(to, entry);
    json_decref(object);
}

static void set_of_provider(void *filter, const ae_judgement *judgement, size_t position) {
    const ae_provider *provider = &judgement->configuration->providers[position];
    const assay_result *result = judgement->scratch->results[position];
    ae_bytes message = {0};
    assay_text document;
    if (provider->payload_metadata && assay_result_payload(&document.bytes, &document.len, result) == ASSAY_OK) {
        append_document(&message, provider->payload_metadata, document, provider);
    }
    if (provider->header_metadata && assay_result_header(&document.bytes, &document.len, result) == ASSAY_OK) {
        append_document(&message, provider->header_metadata, document, NULL);
    }
    if (message.len) {
        envoy_bytes space = ae_envoy(ae_text(judgement->configuration->metadata_space));
        CALLBACK(http_set_dynamic_metadata_struct)(filter, space, (envoy_bytes){message.bytes, message.len});
    }
    free(message.bytes);
}

void ae_set_metadata(void *filter, const ae_judgement *judgement) {
    for (uint64_t rest = judgement->accepted; rest; rest &= rest - 1) {
        size_t position = (size_t)__builtin_ctzll(rest);
        const ae_provider *provider = &judgement->configuration->providers[position];
        if (provider->payload_metadata || provider->header_metadata) {
            set_of_provider(filter, judgement, position);
        }
    }
    if (judgement->waived) {
        ae_set_code(filter, judgement->configuration, judgement->waived_refusal.code);
    }
}

void ae_set_code(void *filter, const ae_configuration *configuration, uint32_t code) {
    envoy_bytes space = ae_envoy(ae_text(configuration->metadata_space));
    CALLBACK(http_set_dynamic_metadata_string)(filter, space, ENVOY_LITERAL("code"), ae_envoy(ae_text(ae_code_name(code))));
}
