/* errors.c: codes of libassay as exceptions. */

#include "core.h"

PyObject *imported(const char *module, const char *name) {
    PyObject *found = PyImport_ImportModule(module);
    if (found == NULL) { return NULL; }
    PyObject *attribute = PyObject_GetAttrString(found, name);
    Py_DECREF(found);
    return attribute;
}

PyObject *raise_assay(const char *name, PyObject *arguments) {
    PyObject *class = arguments == NULL ? NULL : imported("assay.errors", name);
    PyObject *raised = class == NULL ? NULL : PyObject_CallObject(class, arguments);
    if (raised != NULL) { PyErr_SetObject(class, raised); }
    Py_XDECREF(raised);
    Py_XDECREF(class);
    Py_XDECREF(arguments);
    return NULL;
}

PyObject *raise_code(assay_code code, const char *what) {
    if (code >= 100) { return raise_assay("DocumentError", Py_BuildValue("(Is)", (unsigned int)code, what)); }
    PyErr_Format(code == ASSAY_INVALID_ARGUMENT ? PyExc_ValueError : PyExc_RuntimeError, "%s: %s", what, assay_code_name(code));
    return NULL;
}

/* A text that a function writes into a buffer, or None where it writes none. */
static PyObject *written(const char *buffer, size_t len, size_t size) {
    if (len == 0) { Py_RETURN_NONE; }
    return len < size ? text_object(buffer, len) : PyUnicode_FromString("");
}

static PyObject *challenge_of(const assay_result *result, PyObject *realm, PyObject *scope) {
    char buffer[1024], *bytes = buffer;
    const char *realm_text = realm == NULL ? "" : PyBytes_AsString(realm), *scope_text = scope == NULL ? "" : PyBytes_AsString(scope);
    size_t realm_len = realm == NULL ? 0 : (size_t)PyBytes_Size(realm), scope_len = scope == NULL ? 0 : (size_t)PyBytes_Size(scope);
    size_t size = sizeof buffer, len = assay_result_challenge(bytes, size, result, realm_text, realm_len, scope_text, scope_len);
    if (len >= size) {
        size = len + 1;
        bytes = malloc(size);
        if (bytes == NULL) { return PyErr_NoMemory(); }
        len = assay_result_challenge(bytes, size, result, realm_text, realm_len, scope_text, scope_len);
    }
    PyObject *value = written(bytes, len, size);
    if (bytes != buffer) { free(bytes); }
    return value;
}

PyObject *refusal_new(const assay_result *result, assay_code code, PyObject *realm, PyObject *scope) {
    char buffer[1024];
    PyObject *challenge = challenge_of(result, realm, scope), *reason = NULL, *made = NULL, *class = NULL;
    long long offset = assay_result_offset(result);
    if (challenge != NULL) { reason = written(buffer, assay_result_description(buffer, sizeof buffer, result), sizeof buffer); }
    if (reason != NULL) { class = imported("assay.errors", code == ASSAY_KEYS_UNAVAILABLE ? "KeysUnavailable" : "VerificationError"); }
    if (class != NULL) {
        made = PyObject_CallFunction(class, "IOOzL", (unsigned int)code, reason, challenge, assay_result_claim_name(result), offset);
    }
    Py_XDECREF(class);
    Py_XDECREF(reason);
    Py_XDECREF(challenge);
    return made;
}
