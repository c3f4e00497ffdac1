/* policy.c: what a token must fulfil, as functions on capsules for assay.verifier. */

#include "core.h"

static void policy_release(void *policy) { assay_policy_free(policy); }

static PyObject *policy_new(PyObject *module, PyObject *args) {
    (void)module;
    const char *preset;
    text issuer, audience;
    PyObject *issuer_object, *audience_object;
    if (!PyArg_ParseTuple(args, "sOO", &preset, &issuer_object, &audience_object)) { return NULL; }
    if (text_or_empty(&issuer, issuer_object, "issuer") < 0) { return NULL; }
    if (text_or_empty(&audience, audience_object, "audience") < 0) {
        text_clear(&issuer);
        return NULL;
    }
    assay_policy *policy = NULL;
    assay_code code = ASSAY_INVALID_ARGUMENT;
    if (strcmp(preset, "id_token") == 0) {
        code = assay_policy_new_id_token(&policy, issuer.bytes, issuer.len, audience.bytes, audience.len);
    } else if (strcmp(preset, "access_token") == 0) {
        code = assay_policy_new_access_token(&policy, issuer.bytes, issuer.len, audience.bytes, audience.len);
    } else if (strcmp(preset, "") == 0) {
        code = assay_policy_new(&policy);
    }
    text_clear(&issuer);
    text_clear(&audience);
    return code == ASSAY_OK ? box_new(BOX_POLICY, policy, policy_release) : raise_code(code, "policy");
}

static PyObject *policy_add(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *capsule, *object;
    unsigned int rule;
    text value;
    if (!PyArg_ParseTuple(args, "OIO", &capsule, &rule, &object)) { return NULL; }
    box *opened = box_open(capsule, BOX_POLICY);
    if (opened == NULL || text_of(&value, object, "a rule's text") < 0) { return NULL; }
    assay_code code = assay_policy_add(opened->object, rule, value.bytes, value.len);
    text_clear(&value);
    return PyLong_FromUnsignedLong(code);
}

static PyObject *policy_set(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *capsule;
    unsigned int rule;
    long long value;
    if (!PyArg_ParseTuple(args, "OIL", &capsule, &rule, &value)) { return NULL; }
    box *opened = box_open(capsule, BOX_POLICY);
    if (opened == NULL) { return NULL; }
    assay_code code = assay_policy_set(opened->object, rule, value);
    return PyLong_FromUnsignedLong(code);
}

PyMethodDef policy_methods[] = {
    {"policy_new", policy_new, METH_VARARGS, NULL},
    {"policy_add", policy_add, METH_VARARGS, NULL},
    {"policy_set", policy_set, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
