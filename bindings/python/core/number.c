/* number.c: int objects as numbers of libassay. */

#include "core.h"

int uint64_of(PyObject *object, void *out) {
    if (!PyLong_Check(object)) {
        PyErr_SetString(PyExc_TypeError, "a number must be int");
        return 0;
    }
    unsigned long long number = PyLong_AsUnsignedLongLong(object);
    if (PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_OverflowError)) { return 0; }
        PyErr_SetString(PyExc_ValueError, "a number is negative or has more than 64 bits");
        return 0;
    }
    *(uint64_t *)out = number;
    return 1;
}
