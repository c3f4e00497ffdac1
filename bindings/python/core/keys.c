/* keys.c: fixed keys, and the state of any keys, as functions on capsules for assay.keys. */

#include "core.h"

static void keys_release(void *keys) { assay_keys_free(keys); }

static PyObject *keys_new(PyObject *module, PyObject *document) {
    (void)module;
    text value;
    if (text_of(&value, document, "keys") < 0) { return NULL; }
    assay_keys *keys = NULL;
    assay_code code = assay_keys_new(&keys, value.bytes, value.len);
    text_clear(&value);
    return code == ASSAY_OK ? box_new(BOX_KEYS, keys, keys_release) : raise_code(code, "keys");
}

static PyObject *keys_prepare(PyObject *module, PyObject *capsule) {
    (void)module;
    box *opened = box_open(capsule, BOX_KEYS);
    if (opened == NULL) { return NULL; }
    box_retain(opened);
    const assay_keys *keys = opened->object;
    work_begins();
    PyThreadState *thread = PyEval_SaveThread();
    assay_keys_prepare(keys);
    work_ends();
    PyEval_RestoreThread(thread);
    box_give_back(opened);
    Py_RETURN_NONE;
}

static PyObject *keys_status(PyObject *module, PyObject *capsule) {
    (void)module;
    box *opened = box_open(capsule, BOX_KEYS);
    if (opened == NULL) { return NULL; }
    assay_keys_state state = {.size = sizeof state};
    assay_code code = assay_keys_status(&state, opened->object);
    if (code != ASSAY_OK) { return raise_code(code, "keys"); }
    return Py_BuildValue("(IIKKLLLKKLz)", state.health, state.is_fetching, state.key_count, state.generation, state.age, state.fresh_for,
                         state.used_for, state.failures, state.shed_fetches, state.clock_skew, state.last_failure);
}

PyMethodDef keys_methods[] = {
    {"keys_new", keys_new, METH_O, NULL},
    {"keys_prepare", keys_prepare, METH_O, NULL},
    {"keys_status", keys_status, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
