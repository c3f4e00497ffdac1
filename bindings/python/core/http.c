/* http.c: the extension module assay._http, which fetches keys through libassay-http. It is a module of its own, because libcurl is only
 * loaded with it. */

#include "core.h"

#include "assay_http.h"

static void http_release(void *http) { assay_http_free(http); }

/* The options of a client, with the texts that they point to. */
typedef struct {
    assay_http_options options;
    text texts[7];
    assay_text pins[64];
} client;

static void client_clear(client *made) {
    for (size_t index = 0; index < sizeof made->texts / sizeof *made->texts; index++) { text_clear(&made->texts[index]); }
}

static int pins_of(client *made, PyObject *list) {
    Py_ssize_t count = PyTuple_Size(list);
    if (count > 64) {
        PyErr_SetString(PyExc_ValueError, "at most 64 pins");
        return -1;
    }
    for (Py_ssize_t index = 0; index < count; index++) {
        char *bytes;
        Py_ssize_t len;
        if (PyBytes_AsStringAndSize(PyTuple_GetItem(list, index), &bytes, &len) < 0) { return -1; }
        made->pins[index] = (assay_text){bytes, (size_t)len};
    }
    made->options.pins = made->pins;
    made->options.pin_count = (size_t)count;
    return 0;
}

/* Reads (request_limit, connect_limit, addresses, roots_only, roots, certificate, private_key, proxy_host, proxy_port, proxy_user,
 * proxy_password, user_agent, pins). */
static int client_of(client *made, PyObject *tuple) {
    PyObject *objects[7], *pins;
    long long request_limit, connect_limit;
    unsigned int addresses;
    uint64_t proxy_port;
    int roots_only;
    memset(made, 0, sizeof *made);
    assay_http_options_init(&made->options, sizeof made->options);
    if (!PyArg_ParseTuple(tuple, "LLIpOOOOO&OOOO!", &request_limit, &connect_limit, &addresses, &roots_only, &objects[0], &objects[1],
                          &objects[2], &objects[3], uint64_of, &proxy_port, &objects[4], &objects[5], &objects[6], &PyTuple_Type, &pins)) {
        return -1;
    }
    assay_http_options *options = &made->options;
    assay_text *places[] = {&options->roots,      &options->certificate,    &options->private_key, &options->proxy_host,
                            &options->proxy_user, &options->proxy_password, &options->user_agent};
    for (size_t index = 0; index < sizeof places / sizeof *places; index++) {
        if (text_or_empty(&made->texts[index], objects[index], "an option of a client") < 0) { return -1; }
        *places[index] = (assay_text){made->texts[index].bytes, made->texts[index].len};
    }
    options->request_limit = request_limit;
    options->connect_limit = connect_limit;
    options->addresses = addresses;
    options->roots_only = (uint32_t)roots_only;
    options->proxy_port = proxy_port > UINT32_MAX ? UINT32_MAX : (uint32_t)proxy_port;
    return pins_of(made, pins);
}

/* The keys of an assay_http, as a capsule beside its own. */
static PyObject *keys_of(PyObject *capsule, assay_http *http) {
    PyObject *keys = box_new(BOX_KEYS, (void *)assay_http_keys(http), NULL);
    if (keys == NULL) { return NULL; }
    Py_INCREF(capsule);
    ((box *)PyCapsule_GetPointer(keys, BOX_KEYS))->owner = capsule;
    return keys;
}

/* http_new(kind, source, client, preset): "issuer" or "url". Returns the capsules of the client and of its keys. */
static PyObject *http_new(PyObject *module, PyObject *args) {
    (void)module;
    const char *kind;
    PyObject *source_object, *options;
    unsigned int preset;
    text source;
    client made;
    if (!PyArg_ParseTuple(args, "sOO!I", &kind, &source_object, &PyTuple_Type, &options, &preset)) { return NULL; }
    if (text_of(&source, source_object, "the source of keys") < 0) { return NULL; }
    PyObject *said = NULL;
    if (client_of(&made, options) == 0) {
        assay_http *http = NULL;
        assay_refresh_options refresh;
        assay_code code = assay_refresh_options_init(&refresh, sizeof refresh, preset);
        if (code == ASSAY_OK) {
            code = strcmp(kind, "issuer") == 0 ? assay_http_new_issuer(&http, source.bytes, source.len, &made.options, &refresh)
                                               : assay_http_new_url(&http, source.bytes, source.len, &made.options, &refresh);
        }
        PyObject *capsule = code == ASSAY_OK ? box_new(BOX_HTTP, http, http_release) : raise_code(code, "the source of keys");
        PyObject *keys = capsule == NULL ? NULL : keys_of(capsule, http);
        if (keys != NULL) { said = PyTuple_Pack(2, capsule, keys); }
        Py_XDECREF(capsule);
        Py_XDECREF(keys);
    }
    client_clear(&made);
    text_clear(&source);
    return said;
}

static PyObject *http_new_gateway(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *capsule, *options, *said = NULL;
    client made;
    if (!PyArg_ParseTuple(args, "OO!", &capsule, &PyTuple_Type, &options)) { return NULL; }
    box *opened = box_open(capsule, BOX_GATEWAY);
    if (opened == NULL) { return NULL; }
    if (client_of(&made, options) == 0) {
        assay_http *http = NULL;
        assay_code code = assay_http_new_gateway(&http, opened->object, &made.options);
        said = code == ASSAY_OK ? box_new(BOX_HTTP, http, http_release) : raise_code(code, "the client of a gateway");
    }
    client_clear(&made);
    return said;
}

/* http_wait(capsule, milliseconds): whether there are keys. */
static PyObject *http_wait(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *capsule;
    long long milliseconds;
    if (!PyArg_ParseTuple(args, "OL", &capsule, &milliseconds)) { return NULL; }
    box *opened = box_open(capsule, BOX_HTTP);
    if (opened == NULL) { return NULL; }
    box_retain(opened);
    const assay_http *http = opened->object;
    work_begins();
    PyThreadState *thread = PyEval_SaveThread();
    assay_code code = assay_http_wait(http, milliseconds);
    work_ends();
    PyEval_RestoreThread(thread);
    box_give_back(opened);
    return code == ASSAY_OK || code == ASSAY_KEYS_UNAVAILABLE ? PyBool_FromLong(code == ASSAY_OK) : raise_code(code, "wait");
}

static PyObject *http_refresh(PyObject *module, PyObject *capsule) {
    (void)module;
    box *opened = box_open(capsule, BOX_HTTP);
    if (opened == NULL) { return NULL; }
    assay_code code = assay_http_refresh(opened->object);
    if (code != ASSAY_OK && code != ASSAY_NOT_DUE) { return raise_code(code, "refresh"); }
    Py_RETURN_NONE;
}

/* http_close(capsule, keys): `keys` is the capsule of its keys, or None. */
static PyObject *http_close(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *capsule, *keys;
    if (!PyArg_ParseTuple(args, "OO", &capsule, &keys)) { return NULL; }
    box *opened = box_open(capsule, BOX_HTTP), *keys_box = NULL;
    if (opened == NULL || (keys != Py_None && (keys_box = box_open(keys, BOX_KEYS)) == NULL)) { return NULL; }
    if (keys_box != NULL) { box_close(keys_box); }
    box_close(opened);
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"http_new", http_new, METH_VARARGS, NULL},
    {"http_new_gateway", http_new_gateway, METH_VARARGS, NULL},
    {"http_wait", http_wait, METH_VARARGS, NULL},
    {"http_refresh", http_refresh, METH_O, NULL},
    {"http_close", http_close, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static int execute(PyObject *module) { return work_is_awaited() < 0 ? -1 : PyModule_AddFunctions(module, methods); }

static PyModuleDef_Slot slots[] = {{Py_mod_exec, execute}, INTERPRETER_SLOTS};

static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "assay._http", NULL, 0, NULL, slots, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__http(void) { return module_start(&definition); }
