/* module.c: the extension module assay._core. */

#include "core.h"

#include <stdio.h>

static PyObject *code_name(PyObject *module, PyObject *number) {
    (void)module;
    unsigned long code = PyLong_AsUnsignedLong(number);
    return PyErr_Occurred() ? NULL : PyUnicode_FromString(assay_code_name(code > UINT32_MAX ? UINT32_MAX : (assay_code)code));
}

static PyObject *http_status(PyObject *module, PyObject *number) {
    (void)module;
    unsigned long code = PyLong_AsUnsignedLong(number);
    return PyErr_Occurred() ? NULL : PyLong_FromUnsignedLong(assay_code_http_status(code > UINT32_MAX ? UINT32_MAX : (assay_code)code));
}

/* The challenge to a request without a token. */
static PyObject *challenge(PyObject *module, PyObject *args) {
    (void)module;
    _Alignas(16) char memory[ASSAY_RESULT_MINIMUM];
    char buffer[1024];
    const char *realm, *scope;
    Py_ssize_t realm_len, scope_len;
    if (!PyArg_ParseTuple(args, "y#y#", &realm, &realm_len, &scope, &scope_len)) { return NULL; }
    size_t len = assay_result_challenge(buffer, sizeof buffer, assay_result_init(memory, sizeof memory), realm, (size_t)realm_len, scope,
                                        (size_t)scope_len);
    return len < sizeof buffer ? text_object(buffer, len) : raise_code(ASSAY_INVALID_ARGUMENT, "a realm and a scope this long");
}

static PyMethodDef module_methods[] = {
    {"code_name", code_name, METH_O, NULL},
    {"http_status", http_status, METH_O, NULL},
    {"challenge", challenge, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

/* Numbers and functions grow within a major version: the library must be as new as the header. */
static int check_version(void) {
    unsigned int major = 0, minor = 0;
    if (sscanf(assay_version(), "%u.%u", &major, &minor) == 2 && major == ASSAY_VERSION_MAJOR && minor >= ASSAY_VERSION_MINOR) { return 0; }
    PyErr_Format(PyExc_ImportError, "assay: this package needs libassay %d.%d, and found %s", ASSAY_VERSION_MAJOR, ASSAY_VERSION_MINOR,
                 assay_version());
    return -1;
}

static int add_type(PyObject *module, const char *name, PyType_Spec *spec) {
    PyObject *type = PyType_FromSpec(spec);
    if (type == NULL) { return -1; }
    if (PyModule_AddObject(module, name, type) == 0) { return 0; }
    Py_DECREF(type);
    return -1;
}

static int execute(PyObject *module) {
    if (check_version() < 0 || work_is_awaited() < 0) { return -1; }
    PyMethodDef *tables[] = {module_methods, policy_methods, keys_methods, gateway_methods};
    for (size_t index = 0; index < sizeof tables / sizeof *tables; index++) {
        if (PyModule_AddFunctions(module, tables[index]) < 0) { return -1; }
    }
    if (add_type(module, "Claims", &claims_spec) < 0 || add_type(module, "Verifier", &verifier_spec) < 0) { return -1; }
    return PyModule_AddStringConstant(module, "library_version", assay_version());
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, execute}, INTERPRETER_SLOTS};

static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "assay._core", NULL, 0, NULL, slots, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__core(void) { return module_start(&definition); }
