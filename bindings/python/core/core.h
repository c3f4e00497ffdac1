/* core.h: what the files of the extension modules share.
 *
 * The modules keep to the limited API of Python 3.9 and have no static Python objects, so that one binary serves every later version and
 * every sub-interpreter. No thread of libassay calls Python. */

#ifndef ASSAY_PYTHON_CORE_H
#define ASSAY_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x03090000
#endif
#include <Python.h>

#include <stdlib.h>
#include <string.h>

#include "assay.h"

#if Py_LIMITED_API + 0 < 0x030a0000
/* Every CPython from 3.3 exports it; from 3.10 on it is in the limited API. */
extern const char *PyUnicode_AsUTF8AndSize(PyObject *text, Py_ssize_t *size);
#endif

#ifndef METH_FASTCALL
/* Every CPython from 3.7 calls so; from 3.10 on it is in the limited API. */
#define METH_FASTCALL 0x0080
#endif


/* Texts */

/* The bytes of a str or bytes object. `owner` keeps them. */
typedef struct text {
    const char *bytes;
    size_t len;
    PyObject *owner;
} text;

/* text_of takes a str as UTF-8, or bytes. A str with lone surrogates gives bytes that are not UTF-8, which libassay refuses. `what` names
 * the argument in a TypeError. Returns -1 with an exception set. */
int text_of(text *out, PyObject *object, const char *what);

/* text_or_empty does the same, and takes None as a text of length zero. */
int text_or_empty(text *out, PyObject *object, const char *what);

void text_clear(text *value);

/* text_object makes a str of UTF-8. */
PyObject *text_object(const char *bytes, size_t len);


/* uint64_of is a converter for PyArg_ParseTuple, which would cut off what has more than 64 bits. `out` is a uint64_t. */
int uint64_of(PyObject *object, void *out);


/* Boxes: objects of libassay in capsules. An object that was closed while another thread uses it ends with its last use. The GIL guards
 * the counters. */

typedef struct box {
    void *object;                 /* NULL once it is freed */
    void (*release)(void *object);
    void *companion;              /* a second object of the same life, or NULL */
    void (*release_companion)(void *companion);
    PyObject *owner;              /* the capsule that `object` is part of, or NULL */
    Py_ssize_t uses;
    int closed;
} box;

#define BOX_POLICY "assay.policy"
#define BOX_KEYS "assay.keys"
#define BOX_HTTP "assay.http"
#define BOX_GATEWAY "assay.gateway"

/* box_new makes a capsule, which frees the object in the end. With a failure it frees the object at once. */
PyObject *box_new(const char *name, void *object, void (*release)(void *object));

/* box_open gives the box of a capsule of this name. NULL with a TypeError, or a ValueError if it was closed. */
box *box_open(PyObject *capsule, const char *name);

/* box_close frees the object now, or with its last use. */
void box_close(box *opened);

/* While an object is in use without the GIL. */
void box_retain(box *opened);
void box_give_back(box *opened);


/* Exceptions */

/* raise_code raises what stands for a code that is no verdict on a token. Returns NULL. */
PyObject *raise_code(assay_code code, const char *what);

/* raise_assay raises a class of the module assay.errors with its arguments, which this function takes. Returns NULL. */
PyObject *raise_assay(const char *name, PyObject *arguments);

/* refusal_new makes a VerificationError from a result. `realm` and `scope` are bytes or NULL. */
PyObject *refusal_new(const assay_result *result, assay_code code, PyObject *realm, PyObject *scope);

/* imported gives an attribute of a module. */
PyObject *imported(const char *module, const char *name);


/* Claims */

/* claims_new makes an object of a subtype of Claims, which takes the memory: malloc gave it, and it holds a result. */
PyObject *claims_new(PyTypeObject *type, void *memory);

extern PyType_Spec claims_spec, verifier_spec;


/* Work without the GIL. When the interpreter ends, the process waits for it: libcrypto frees its locks at exit. */
void work_begins(void);
void work_ends(void);

/* work_is_awaited has Python wait at its end; once for a process. */
int work_is_awaited(void);


/* Functions of the modules, in tables of their own. */
extern PyMethodDef policy_methods[], keys_methods[], gateway_methods[];

/* module_start begins the import of a module. */
PyObject *module_start(PyModuleDef *definition);

/* The last slots of a module. From 3.12 on they say that each sub-interpreter may have a GIL of its own; earlier versions refuse to read
 * that, so module_start ends the slots before it there. */
#define INTERPRETER_SLOTS {3 /* Py_mod_multiple_interpreters */, (void *)2 /* Py_MOD_PER_INTERPRETER_GIL_SUPPORTED */}, {0, NULL}

#endif
