/* text.c: str and bytes as texts of libassay. */

#include "core.h"

/* Where a str has no UTF-8, three bytes stand for each lone surrogate. */
static int text_of_surrogates(text *out, PyObject *object) {
    if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) { return -1; }
    PyErr_Clear();
    PyObject *encoded = PyUnicode_AsEncodedString(object, "utf-8", "surrogatepass");
    if (encoded == NULL) { return -1; }
    int status = text_of(out, encoded, "text");
    Py_DECREF(encoded);
    return status;
}

int text_of(text *out, PyObject *object, const char *what) {
    Py_ssize_t len = 0;
    char *bytes = NULL;
    if (PyUnicode_Check(object)) {
        out->bytes = PyUnicode_AsUTF8AndSize(object, &len);
        if (out->bytes == NULL) { return text_of_surrogates(out, object); }
    } else if (PyBytes_Check(object)) {
        if (PyBytes_AsStringAndSize(object, &bytes, &len) < 0) { return -1; }
        out->bytes = bytes;
    } else {
        PyObject *name = PyObject_GetAttrString((PyObject *)Py_TYPE(object), "__name__");
        if (name != NULL) { PyErr_Format(PyExc_TypeError, "%s must be str or bytes, not %U", what, name); }
        Py_XDECREF(name);
        return -1;
    }
    out->len = (size_t)len;
    Py_INCREF(object);
    out->owner = object;
    return 0;
}

int text_or_empty(text *out, PyObject *object, const char *what) {
    if (object != NULL && object != Py_None) { return text_of(out, object, what); }
    *out = (text){NULL, 0, NULL};
    return 0;
}

void text_clear(text *value) { Py_CLEAR(value->owner); }

PyObject *text_object(const char *bytes, size_t len) { return PyUnicode_DecodeUTF8(bytes, (Py_ssize_t)len, "strict"); }
