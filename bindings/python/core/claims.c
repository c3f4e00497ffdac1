/* claims.c: the claims of a verified token, which live in a result of libassay. Only a verification makes one. */

#include "core.h"


typedef struct {
    PyObject_HEAD
    void *memory;
} Claims;

static const assay_result *result_of(PyObject *self) { return ((Claims *)self)->memory; }

PyObject *claims_new(PyTypeObject *type, void *memory) {
    PyObject *self = PyType_GenericAlloc(type, 0);
    if (self == NULL) {
        free(memory);
        return NULL;
    }
    ((Claims *)self)->memory = memory;
    return self;
}

static PyObject *claims_refuse_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    (void)type, (void)args, (void)kwargs;
    PyErr_SetString(PyExc_TypeError, "only a verification makes Claims");
    return NULL;
}

static void claims_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    free(((Claims *)self)->memory);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}


/* Values */

/* JSON of a verified token: small, valid and without duplicate members, and its depth is limited. */
static PyObject *loaded(const char *bytes, size_t len) {
    PyObject *loads = imported("json", "loads"), *value = NULL;
    if (loads != NULL) { value = PyObject_CallFunction(loads, "s#", bytes, (Py_ssize_t)len); }
    Py_XDECREF(loads);
    return value;
}

/* Arrays, objects and numbers that are no int64_t. */
static PyObject *parsed(const assay_value *value) {
    const char *bytes = NULL;
    size_t len = 0;
    assay_code code = assay_value_json(&bytes, &len, value);
    return code == ASSAY_OK ? loaded(bytes, len) : raise_code(code, "claim");
}

static PyObject *decoded(const assay_value *value) {
    const char *bytes = NULL;
    size_t len = 0;
    int64_t integer = 0;
    int flag = 0;
    switch (value->type) {
    case ASSAY_TYPE_NULL: Py_RETURN_NONE;
    case ASSAY_TYPE_BOOLEAN:
        if (assay_value_bool(&flag, value) == ASSAY_OK) { return PyBool_FromLong(flag); }
        break;
    case ASSAY_TYPE_STRING:
        if (assay_value_string(&bytes, &len, value) == ASSAY_OK) { return text_object(bytes, len); }
        break;
    case ASSAY_TYPE_NUMBER:
        if (assay_value_integer(&integer, value) == ASSAY_OK) { return PyLong_FromLongLong(integer); }
        break;
    default: break;
    }
    return parsed(value);
}

/* 1: found; 0: the token has no such claim; -1: an exception. */
static int find(assay_value *out, PyObject *self, PyObject *name) {
    if (!PyUnicode_Check(name)) { return 0; }
    text key;
    if (text_of(&key, name, "name") < 0) { return -1; }
    assay_code code = assay_result_claim(out, result_of(self), key.bytes, key.len);
    text_clear(&key);
    return code == ASSAY_OK;
}

static PyObject *claims_subscript(PyObject *self, PyObject *name) {
    assay_value value;
    int found = find(&value, self, name);
    if (found > 0) { return decoded(&value); }
    if (found == 0) { PyErr_SetObject(PyExc_KeyError, name); }
    return NULL;
}

static int claims_contains(PyObject *self, PyObject *name) {
    assay_value value;
    return find(&value, self, name);
}

static PyObject *claims_get(PyObject *self, PyObject *args) {
    PyObject *name, *otherwise = Py_None;
    assay_value value;
    if (!PyArg_ParseTuple(args, "O|O:get", &name, &otherwise)) { return NULL; }
    int found = find(&value, self, name);
    if (found > 0) { return decoded(&value); }
    if (found < 0) { return NULL; }
    Py_INCREF(otherwise);
    return otherwise;
}

static PyObject *claims_at(PyObject *self, PyObject *args) {
    PyObject *pointer_object, *otherwise = Py_None;
    assay_value value;
    text pointer;
    if (!PyArg_ParseTuple(args, "U|O:at", &pointer_object, &otherwise) || text_of(&pointer, pointer_object, "pointer") < 0) { return NULL; }
    assay_code code = assay_result_claim_at(&value, result_of(self), pointer.bytes, pointer.len);
    text_clear(&pointer);
    if (code == ASSAY_OK) { return decoded(&value); }
    Py_INCREF(otherwise);
    return otherwise;
}

/* The whole payload as a value. */
static int root_of(assay_value *out, PyObject *self) {
    assay_code code = assay_result_claim_at(out, result_of(self), "", 0);
    if (code == ASSAY_OK) { return 0; }
    raise_code(code, "claims");
    return -1;
}

static Py_ssize_t claims_length(PyObject *self) {
    assay_value root;
    size_t count = 0;
    if (root_of(&root, self) < 0) { return -1; }
    return assay_value_count(&count, &root) == ASSAY_OK ? (Py_ssize_t)count : 0;
}

static PyObject *claims_iter(PyObject *self) {
    assay_value root, value;
    Py_ssize_t count = claims_length(self);
    if (count < 0 || root_of(&root, self) < 0) { return NULL; }
    PyObject *names = PyTuple_New(count), *iterator = NULL;
    for (Py_ssize_t index = 0; names != NULL && index < count; index++) {
        const char *bytes = NULL;
        size_t len = 0;
        assay_code code = assay_value_member(&value, &bytes, &len, &root, (size_t)index);
        PyObject *name = code == ASSAY_OK ? text_object(bytes, len) : raise_code(code, "claims");
        if (name == NULL || PyTuple_SetItem(names, index, name) < 0) { Py_CLEAR(names); }
    }
    if (names != NULL) { iterator = PyObject_GetIter(names); }
    Py_XDECREF(names);
    return iterator;
}


/* Registered claims, the header and the payload */

typedef assay_code (*read_text)(const char **out, size_t *out_len, const assay_result *result);
typedef assay_code (*read_date)(int64_t *out, const assay_result *result);

/* The getters of a type differ in their closure alone: the place in these tables. */
static const read_text texts[] = {assay_result_issuer, assay_result_subject, assay_result_token_id, assay_result_key_id,
                                  assay_result_algorithm};
static const read_date dates[] = {assay_result_expiration, assay_result_not_before, assay_result_issued_at,
                                  assay_result_authentication_time};

static PyObject *claims_text(PyObject *self, void *closure) {
    const char *bytes = NULL;
    size_t len = 0;
    if (texts[(uintptr_t)closure](&bytes, &len, result_of(self)) == ASSAY_OK) { return text_object(bytes, len); }
    Py_RETURN_NONE;
}

static PyObject *claims_date(PyObject *self, void *closure) {
    int64_t date = 0;
    if (dates[(uintptr_t)closure](&date, result_of(self)) == ASSAY_OK) { return PyLong_FromLongLong(date); }
    Py_RETURN_NONE;
}

static PyObject *claims_payload(PyObject *self, void *closure) {
    (void)closure;
    const char *bytes = NULL;
    size_t len = 0;
    assay_code code = assay_result_payload(&bytes, &len, result_of(self));
    return code == ASSAY_OK ? PyBytes_FromStringAndSize(bytes, (Py_ssize_t)len) : raise_code(code, "payload");
}

static PyObject *claims_header(PyObject *self, void *closure) {
    (void)closure;
    const char *bytes = NULL;
    size_t len = 0;
    assay_code code = assay_result_header(&bytes, &len, result_of(self));
    return code == ASSAY_OK ? loaded(bytes, len) : raise_code(code, "header");
}

/* All claims at once: faster than one after another. */
static PyObject *claims_copy(PyObject *self, PyObject *ignored) {
    (void)ignored;
    const char *bytes = NULL;
    size_t len = 0;
    assay_code code = assay_result_payload(&bytes, &len, result_of(self));
    return code == ASSAY_OK ? loaded(bytes, len) : raise_code(code, "payload");
}

/* A log must not get the claims of a person by accident. */
static PyObject *claims_repr(PyObject *self) {
    Py_ssize_t count = claims_length(self);
    return count < 0 ? NULL : PyUnicode_FromFormat("<assay.Claims: %zd claims>", count);
}

static PyObject *claims_reduce(PyObject *self, PyObject *args) {
    (void)self, (void)args;
    PyErr_SetString(PyExc_TypeError, "Claims cannot be pickled or copied: take copy()");
    return NULL;
}

static PyMethodDef claims_methods[] = {
    {"get", claims_get, METH_VARARGS, "get(name, default=None): the claim of this name."},
    {"at", claims_at, METH_VARARGS,
     "at(pointer, default=None): the value at a JSON Pointer (RFC 6901), such as \"/realm_access/roles/0\"."},
    {"copy", claims_copy, METH_NOARGS, "copy(): a new dict of all claims."},
    {"__reduce_ex__", claims_reduce, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef claims_getters[] = {
    {"issuer", claims_text, NULL, "`iss`, or None.", (void *)0},
    {"subject", claims_text, NULL, "`sub`, or None.", (void *)1},
    {"token_id", claims_text, NULL, "`jti`, or None.", (void *)2},
    {"key_id", claims_text, NULL, "`kid` of the header, or None.", (void *)3},
    {"algorithm", claims_text, NULL, "`alg` of the header.", (void *)4},
    {"expiration", claims_date, NULL, "`exp` in seconds since 1970, or None.", (void *)0},
    {"not_before", claims_date, NULL, "`nbf` in seconds since 1970, or None.", (void *)1},
    {"issued_at", claims_date, NULL, "`iat` in seconds since 1970, or None.", (void *)2},
    {"authentication_time", claims_date, NULL, "`auth_time` in seconds since 1970, or None.", (void *)3},
    {"payload", claims_payload, NULL, "The JSON text of the payload, as the token has it.", NULL},
    {"header", claims_header, NULL, "The header as a new dict.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

#define CLAIMS_DOC                                                                                                                         \
    "The claims of a verified token: an immutable mapping.\n\nA claim is decoded when it is asked for, each time anew, so a change to a "     \
    "list that it gave changes nothing here. repr shows no claim."

static PyType_Slot claims_slots[] = {
    {Py_tp_doc, CLAIMS_DOC},
    {Py_tp_new, claims_refuse_new},
    {Py_tp_dealloc, claims_dealloc},
    {Py_tp_repr, claims_repr},
    {Py_tp_iter, claims_iter},
    {Py_tp_methods, claims_methods},
    {Py_tp_getset, claims_getters},
    {Py_mp_length, claims_length},
    {Py_mp_subscript, claims_subscript},
    {Py_sq_contains, claims_contains},
    {0, NULL},
};

PyType_Spec claims_spec = {"assay.Claims", sizeof(Claims), 0, Py_TPFLAGS_DEFAULT, claims_slots};
