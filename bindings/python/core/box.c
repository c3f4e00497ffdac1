/* box.c: objects of libassay in capsules, which may be closed. */

#include "core.h"

static void box_release(box *opened) {
    void *object = opened->object, *companion = opened->companion;
    opened->object = NULL;
    opened->companion = NULL;
    if (companion != NULL) { opened->release_companion(companion); }
    if (object != NULL && opened->release != NULL) { opened->release(object); }
}

static void box_end(PyObject *capsule) {
    box *opened = PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule));
    box_release(opened);
    Py_XDECREF(opened->owner);
    free(opened);
}

PyObject *box_new(const char *name, void *object, void (*release)(void *object)) {
    box *made = calloc(1, sizeof *made);
    PyObject *capsule = made == NULL ? PyErr_NoMemory() : PyCapsule_New(made, name, box_end);
    if (capsule == NULL) {
        free(made);
        if (release != NULL) { release(object); }
        return NULL;
    }
    made->object = object;
    made->release = release;
    return capsule;
}

box *box_open(PyObject *capsule, const char *name) {
    if (!PyCapsule_IsValid(capsule, name)) {
        PyErr_Format(PyExc_TypeError, "%s is needed", name);
        return NULL;
    }
    box *opened = PyCapsule_GetPointer(capsule, name);
    if (opened->object == NULL || opened->closed) {
        PyErr_Format(PyExc_ValueError, "%s is closed", name);
        return NULL;
    }
    return opened;
}

void box_close(box *opened) {
    opened->closed = 1;
    if (opened->uses == 0) { box_release(opened); }
}

/* The keys of an assay_http end with it. */
static box *owner_of(box *opened) { return opened->owner == NULL ? NULL : PyCapsule_GetPointer(opened->owner, BOX_HTTP); }

void box_retain(box *opened) {
    opened->uses++;
    box *owner = owner_of(opened);
    if (owner != NULL) { box_retain(owner); }
}

void box_give_back(box *opened) {
    box *owner = owner_of(opened);
    opened->uses--;
    if (opened->closed && opened->uses == 0) { box_release(opened); }
    if (owner != NULL) { box_give_back(owner); }
}
