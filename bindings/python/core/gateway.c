/* gateway.c: the decision core, as functions on capsules for assay.gateway. */

#include "core.h"

static void gateway_release(void *gateway) { assay_gateway_free(gateway); }

static void decision_release(void *decision) { assay_decision_free(decision); }

/* Calls a function that writes a text: first for its length, then for the text. */
#define WRITTEN(name, call)                                                  \
    static PyObject *name(const void *object, const text *first) {           \
        (void)object, (void)first;                                           \
        char *out = NULL;                                                    \
        size_t max_out = 0, len;                                             \
        while ((len = (call)) >= max_out && len > 0) {                       \
            free(out);                                              \
            max_out = len + 1;                                               \
            out = malloc(max_out);                                  \
            if (out == NULL) { return PyErr_NoMemory(); }                    \
        }                                                                    \
        PyObject *said = text_object(out == NULL ? "" : out, len);           \
        free(out);                                                  \
        return said;                                                         \
    }

WRITTEN(check_text, assay_gateway_check(out, max_out, first->bytes, first->len))
WRITTEN(status_text, assay_gateway_status(out, max_out, object))
WRITTEN(metrics_text, assay_gateway_metrics(out, max_out, object))
WRITTEN(reason_text, assay_decision_reason(out, max_out, object))
WRITTEN(resource_text, assay_gateway_resource_metadata(out, max_out, object, first[0].bytes, first[0].len, first[1].bytes, first[1].len))

/* raise_settings raises SettingsError with what assay_gateway_check says. */
static PyObject *raise_settings(assay_code code, const text *settings) {
    if (code != ASSAY_INVALID_SETTINGS) { return raise_code(code, "gateway"); }
    PyObject *said = check_text(NULL, settings);
    return raise_assay("SettingsError", said == NULL ? NULL : Py_BuildValue("(IN)", (unsigned int)code, said));
}

static PyObject *gateway_new(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *settings_object, *folder_object;
    uint64_t cache_bytes;
    text settings, folder;
    if (!PyArg_ParseTuple(args, "OOO&", &settings_object, &folder_object, uint64_of, &cache_bytes)) { return NULL; }
    if (text_of(&settings, settings_object, "settings") < 0) { return NULL; }
    PyObject *made = NULL;
    if (text_or_empty(&folder, folder_object, "folder") == 0) {
        assay_gateway *gateway = NULL;
        assay_gateway_options options = {.size = sizeof options, .folder = {folder.bytes, folder.len}, .cache_bytes = cache_bytes};
        assay_code code = assay_gateway_new(&gateway, settings.bytes, settings.len, &options);
        made = code == ASSAY_OK ? box_new(BOX_GATEWAY, gateway, gateway_release) : raise_settings(code, &settings);
        text_clear(&folder);
    }
    text_clear(&settings);
    return made;
}

static PyObject *gateway_check(PyObject *module, PyObject *object) {
    (void)module;
    text settings;
    if (text_of(&settings, object, "settings") < 0) { return NULL; }
    PyObject *said = check_text(NULL, &settings);
    text_clear(&settings);
    return said;
}

/* Gives a gateway a text: other settings, or revocations. */
static PyObject *change(PyObject *args, assay_code (*function)(assay_gateway *, const char *, size_t), int is_settings) {
    PyObject *capsule, *object;
    text value;
    if (!PyArg_ParseTuple(args, "OO", &capsule, &object)) { return NULL; }
    box *opened = box_open(capsule, BOX_GATEWAY);
    if (opened == NULL || text_of(&value, object, "settings") < 0) { return NULL; }
    assay_code code = function(opened->object, value.bytes, value.len);
    PyObject *said = Py_None;
    Py_INCREF(said);
    if (code != ASSAY_OK) {
        Py_DECREF(said);
        said = is_settings ? raise_settings(code, &value)
                           : raise_assay("SettingsError", Py_BuildValue("(Is)", (unsigned int)code, "the revocations cannot be used"));
    }
    text_clear(&value);
    return said;
}

static PyObject *gateway_replace(PyObject *module, PyObject *args) {
    (void)module;
    return change(args, assay_gateway_replace, 1);
}

static PyObject *gateway_revoke(PyObject *module, PyObject *args) {
    (void)module;
    return change(args, assay_gateway_revoke, 0);
}

static PyObject *gateway_close(PyObject *module, PyObject *capsule) {
    (void)module;
    box *opened = box_open(capsule, BOX_GATEWAY);
    if (opened == NULL) { return NULL; }
    box_close(opened);
    Py_RETURN_NONE;
}

static PyObject *gateway_is_ready(PyObject *module, PyObject *capsule) {
    (void)module;
    box *opened = box_open(capsule, BOX_GATEWAY);
    return opened == NULL ? NULL : PyBool_FromLong(assay_gateway_is_ready(opened->object));
}

static PyObject *gateway_status(PyObject *module, PyObject *capsule) {
    (void)module;
    box *opened = box_open(capsule, BOX_GATEWAY);
    return opened == NULL ? NULL : status_text(opened->object, NULL);
}

static PyObject *gateway_metrics(PyObject *module, PyObject *capsule) {
    (void)module;
    box *opened = box_open(capsule, BOX_GATEWAY);
    return opened == NULL ? NULL : metrics_text(opened->object, NULL);
}

/* The metadata of the protected resource that has it at this authority and target; "" where none has. */
static PyObject *gateway_resource_metadata(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *capsule, *authority, *target, *said = NULL;
    text asked[2] = {{NULL, 0, NULL}};
    if (!PyArg_ParseTuple(args, "OOO", &capsule, &authority, &target)) { return NULL; }
    box *opened = box_open(capsule, BOX_GATEWAY);
    if (opened == NULL) { return NULL; }
    if (text_of(&asked[0], authority, "authority") == 0 && text_of(&asked[1], target, "target") == 0) {
        said = resource_text(opened->object, asked);
    }
    text_clear(&asked[0]);
    text_clear(&asked[1]);
    return said;
}


/* Deciding */

/* Method, authority, target, scheme, policy and certificate. */
#define TEXTS 6

#define MAXIMUM_FIELDS 1024

/* Fills `out` from a list of pairs of bytes. Returns their number, or -1. The list keeps the bytes. */
static Py_ssize_t fields_of(assay_field *out, PyObject *list) {
    Py_ssize_t count = PyTuple_Size(list);
    if (count > MAXIMUM_FIELDS) {
        PyErr_SetString(PyExc_ValueError, "a request has at most 1,024 fields");
        return -1;
    }
    for (Py_ssize_t index = 0; index < count; index++) {
        char *name, *value;
        Py_ssize_t name_len, value_len;
        PyObject *name_object, *value_object, *pair = PyTuple_GetItem(list, index);
        if (!PyTuple_Check(pair)) {
            PyErr_SetString(PyExc_TypeError, "a field is a tuple of a name and a value");
            return -1;
        }
        if (!PyArg_ParseTuple(pair, "SS", &name_object, &value_object)) { return -1; }
        if (PyBytes_AsStringAndSize(name_object, &name, &name_len) < 0) { return -1; }
        if (PyBytes_AsStringAndSize(value_object, &value, &value_len) < 0) { return -1; }
        out[index] = (assay_field){{name, (size_t)name_len}, {value, (size_t)value_len}};
    }
    return count;
}

/* A text of a decision as str, or None. */
static PyObject *text_of_decision(assay_code (*read)(const char **, size_t *, const assay_decision *), const assay_decision *decision) {
    const char *bytes = NULL;
    size_t len = 0;
    if (read(&bytes, &len, decision) == ASSAY_OK) { return text_object(bytes, len); }
    Py_RETURN_NONE;
}

static int append(PyObject *list, PyObject *item) {
    if (item == NULL) { return -1; }
    int status = PyList_Append(list, item);
    Py_DECREF(item);
    return status;
}

static PyObject *operations_of(const assay_decision *decision) {
    PyObject *list = PyList_New(0);
    assay_operation operation;
    for (size_t index = 0; list != NULL && assay_decision_operation(&operation, decision, index) == ASSAY_OK; index++) {
        PyObject *item = Py_BuildValue("(Iy#y#)", operation.kind, operation.name.bytes, (Py_ssize_t)operation.name.len,
                                       operation.value.bytes, (Py_ssize_t)operation.value.len);
        if (append(list, item) < 0) { Py_CLEAR(list); }
    }
    return list;
}

static PyObject *providers_of(const assay_decision *decision) {
    PyObject *list = PyList_New(0);
    const char *bytes = NULL;
    size_t len = 0;
    for (size_t index = 0; list != NULL && assay_decision_provider(&bytes, &len, decision, index) == ASSAY_OK; index++) {
        if (append(list, text_object(bytes, len)) < 0) { Py_CLEAR(list); }
    }
    return list;
}

static PyObject *metadata_of(const assay_decision *decision) {
    PyObject *list = PyList_New(0);
    assay_metadata metadata;
    for (size_t index = 0; list != NULL && assay_decision_metadata(&metadata, decision, index) == ASSAY_OK; index++) {
        PyObject *item = Py_BuildValue("(s#s#s#)", metadata.provider.bytes, (Py_ssize_t)metadata.provider.len, metadata.key.bytes,
                                       (Py_ssize_t)metadata.key.len, metadata.json.bytes, (Py_ssize_t)metadata.json.len);
        if (append(list, item) < 0) { Py_CLEAR(list); }
    }
    return list;
}

static PyObject *tuple_of(const assay_decision *decision, assay_code code) {
    PyObject *parts[] = {text_of_decision(assay_decision_challenge, decision), text_of_decision(assay_decision_location, decision),
                         text_of_decision(assay_decision_policy, decision),    reason_text(decision, NULL),
                         operations_of(decision),                              providers_of(decision),
                         metadata_of(decision),                                text_of_decision(assay_decision_proof_nonce, decision)};
    int is_whole = 1;
    for (size_t index = 0; index < sizeof parts / sizeof *parts; index++) { is_whole = is_whole && parts[index] != NULL; }
    if (!is_whole) {
        for (size_t index = 0; index < sizeof parts / sizeof *parts; index++) { Py_XDECREF(parts[index]); }
        return NULL;
    }
    return Py_BuildValue("(IIILNNNNNNNN)", (unsigned int)code, (unsigned int)assay_decision_waived(decision),
                         (unsigned int)assay_decision_status(decision), (long long)assay_decision_retry_after(decision), parts[0], parts[1],
                         parts[2], parts[3], parts[4], parts[5], parts[6], parts[7]);
}

/* The decision of the last request serves for this one, unless a collection of garbage decides in between. */
static assay_decision *decision_taken(box *opened) {
    assay_decision *decision = opened->companion;
    opened->companion = NULL;
    if (decision == NULL) { assay_decision_new(&decision); }
    return decision;
}

static void decision_given_back(box *opened, assay_decision *decision) {
    if (opened->companion != NULL || opened->object == NULL) {
        assay_decision_free(decision);
        return;
    }
    opened->companion = decision;
    opened->release_companion = decision_release;
}

static PyObject *decide(box *opened, assay_request *request, PyObject *fields, double now) {
    assay_field *array = calloc(MAXIMUM_FIELDS, sizeof *array);
    assay_decision *decision = array == NULL ? NULL : decision_taken(opened);
    PyObject *said = NULL;
    if (decision == NULL) {
        PyErr_NoMemory();
    } else {
        Py_ssize_t count = fields_of(array, fields);
        request->fields = array;
        request->field_count = (size_t)count;
        if (count >= 0) {
            assay_code code = assay_gateway_decide(decision, opened->object, request, now);
            said = code < 100 && code != ASSAY_OK && code != ASSAY_AWAITING_KEYS ? raise_code(code, "request") : tuple_of(decision, code);
        }
        decision_given_back(opened, decision);
    }
    free(array);
    return said;
}

static PyObject *gateway_decide(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *capsule, *fields, *objects[TEXTS];
    int may_wait;
    double now;
    if (!PyArg_ParseTuple(args, "OOOOOOOO!pd", &capsule, &objects[0], &objects[1], &objects[2], &objects[3], &objects[4],
                          &objects[5], &PyTuple_Type, &fields, &may_wait, &now)) {
        return NULL;
    }
    box *opened = box_open(capsule, BOX_GATEWAY);
    if (opened == NULL) { return NULL; }
    text texts[TEXTS] = {{NULL, 0, NULL}};
    int status = 0;
    for (size_t index = 0; index < TEXTS && status == 0; index++) {
        status = text_or_empty(&texts[index], objects[index], "a text of a request");
    }
    PyObject *said = NULL;
    if (status == 0) {
        assay_text views[TEXTS];
        for (size_t index = 0; index < TEXTS; index++) { views[index] = (assay_text){texts[index].bytes, texts[index].len}; }
        assay_request request = {.size = sizeof request, .method = views[0], .authority = views[1], .target = views[2], .scheme = views[3],
                                 .policy = views[4], .certificate = views[5], .may_wait = (uint32_t)may_wait};
        box_retain(opened);
        said = decide(opened, &request, fields, now);
        box_give_back(opened);
    }
    for (size_t index = 0; index < TEXTS; index++) { text_clear(&texts[index]); }
    return said;
}

PyMethodDef gateway_methods[] = {
    {"gateway_new", gateway_new, METH_VARARGS, NULL},
    {"gateway_check", gateway_check, METH_O, NULL},
    {"gateway_replace", gateway_replace, METH_VARARGS, NULL},
    {"gateway_revoke", gateway_revoke, METH_VARARGS, NULL},
    {"gateway_close", gateway_close, METH_O, NULL},
    {"gateway_is_ready", gateway_is_ready, METH_O, NULL},
    {"gateway_status", gateway_status, METH_O, NULL},
    {"gateway_metrics", gateway_metrics, METH_O, NULL},
    {"gateway_decide", gateway_decide, METH_VARARGS, NULL},
    {"gateway_resource_metadata", gateway_resource_metadata, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
