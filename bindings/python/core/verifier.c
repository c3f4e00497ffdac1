/* verifier.c: the type under assay.Verifier. It is immutable, so threads share it. */

#include "core.h"

#include <math.h>

typedef struct {
    PyObject_HEAD
    assay_verifier *verifier;     /* NULL for the verifier of a login, which uses that of `base` */
    PyObject *base;
    PyObject *claims;             /* assay.Claims */
    PyObject *clock;              /* a callable, or NULL for the system's clock */
    PyObject *realm, *scope;      /* bytes for a challenge, or NULL */
    PyObject *nonce, *access_token, *code; /* bytes of a login, or NULL */
} Verifier;

/* Usual tokens need a quarter more than their length for their claims, and their places. */
static size_t usual_size(size_t token_len) {
    size_t most = assay_result_size(token_len), usual = 1024 + token_len;
    return usual < most ? usual : most;
}

static const assay_verifier *verifier_of(const Verifier *self) {
    return self->base == NULL ? self->verifier : ((const Verifier *)self->base)->verifier;
}


/* Time */

static int moment_of(double *out, const Verifier *self, PyObject *now) {
    PyObject *asked = NULL;
    *out = ASSAY_NOW;
    if (now == NULL || now == Py_None) {
        if (self->clock == NULL) { return 0; }
        now = asked = PyObject_CallObject(self->clock, NULL);
        if (asked == NULL) { return -1; }
    }
    *out = PyFloat_AsDouble(now);
    Py_XDECREF(asked);
    if (PyErr_Occurred()) { return -1; }
    if (isfinite(*out) && *out >= 0) { return 0; }
    PyErr_SetString(PyExc_ValueError, "the time must be seconds since 1970");
    return -1;
}


/* Verdicts */

static assay_code judge(assay_result *result, const Verifier *self, const text *token, double now) {
    if (self->base == NULL) { return assay_verify(result, self->verifier, token->bytes, token->len, now); }
    assay_login login = {.size = sizeof login};
    const struct { PyObject *from; assay_text *to; } texts[] = {
        {self->nonce, &login.nonce}, {self->access_token, &login.access_token}, {self->code, &login.code}};
    for (size_t index = 0; index < sizeof texts / sizeof *texts; index++) {
        if (texts[index].from == NULL) { continue; }
        texts[index].to->bytes = PyBytes_AsString(texts[index].from);
        texts[index].to->len = (size_t)PyBytes_Size(texts[index].from);
    }
    return assay_verify_login(result, verifier_of(self), token->bytes, token->len, now, &login);
}

/* What a verdict is for Python. Takes the memory. */
static PyObject *verdict(const Verifier *self, void *memory, assay_code code, int *is_refused) {
    *is_refused = code != ASSAY_OK;
    if (code == ASSAY_OK) { return claims_new((PyTypeObject *)self->claims, memory); }
    PyObject *refusal = code < 100 ? raise_code(code, "verify") : refusal_new(memory, code, self->realm, self->scope);
    free(memory);
    return refusal;
}

/* The verdict on one token: Claims or, with `is_refused`, a VerificationError that is not raised. */
static PyObject *verdict_on(const Verifier *self, const text *token, double now, size_t size, int *is_refused) {
    void *memory = malloc(size);
    if (memory == NULL) { return PyErr_NoMemory(); }
    assay_result *result = assay_result_init(memory, size);
    assay_code code = judge(result, self, token, now);
    if (code != ASSAY_RESULT_TOO_SMALL) { return verdict(self, memory, code, is_refused); }
    size_t needed = assay_result_needed(result);
    free(memory);
    if (needed <= size) { return raise_code(code, "verify"); }
    return verdict_on(self, token, now, needed, is_refused);
}

/* Reads arguments that stand in an array, those with names behind the others, as verify(token, *, now=None). The caller keeps them. */
static int arguments_of(PyObject **token, PyObject **now, PyObject *const *args, Py_ssize_t count, PyObject *names) {
    static char *known[] = {"token", "now", NULL};
    PyObject *positional = PyTuple_New(count), *named = PyDict_New();
    int status = positional == NULL || named == NULL ? -1 : 0;
    for (Py_ssize_t index = 0; status == 0 && index < count; index++) {
        Py_INCREF(args[index]);
        status = PyTuple_SetItem(positional, index, args[index]);
    }
    for (Py_ssize_t index = 0; status == 0 && names != NULL && index < PyTuple_Size(names); index++) {
        status = PyDict_SetItem(named, PyTuple_GetItem(names, index), args[count + index]);
    }
    if (status == 0 && !PyArg_ParseTupleAndKeywords(positional, named, "O|$O:verify", known, token, now)) { status = -1; }
    Py_XDECREF(positional);
    Py_XDECREF(named);
    return status;
}

static PyObject *verifier_verify(PyObject *object, PyObject *const *args, Py_ssize_t count, PyObject *names) {
    const Verifier *self = (const Verifier *)object;
    PyObject *token_object = NULL, *now = NULL;
    if (count == 1 && names == NULL) {
        token_object = args[0];
    } else if (arguments_of(&token_object, &now, args, count, names) < 0) {
        return NULL;
    }
    text token;
    double moment;
    int is_refused = 0;
    if (moment_of(&moment, self, now) < 0 || text_of(&token, token_object, "token") < 0) { return NULL; }
    PyObject *said = verdict_on(self, &token, moment, usual_size(token.len), &is_refused);
    text_clear(&token);
    if (said == NULL || !is_refused) { return said; }
    PyErr_SetObject((PyObject *)Py_TYPE(said), said);
    Py_DECREF(said);
    return NULL;
}

/* The payload and the header of any JWS, as two bytes objects. */
static PyObject *verifier_verify_payload(PyObject *object, PyObject *token_object) {
    const Verifier *self = (const Verifier *)object;
    text token;
    if (text_of(&token, token_object, "token") < 0) { return NULL; }
    size_t size = assay_result_size(token.len);
    void *memory = malloc(size);
    PyObject *said = NULL;
    if (memory != NULL) {
        assay_result *result = assay_result_init(memory, size);
        assay_code code = assay_verify_payload(result, verifier_of(self), token.bytes, token.len);
        const char *header = NULL, *payload = NULL;
        size_t header_len = 0, payload_len = 0;
        if (code == ASSAY_OK) { code = assay_result_header(&header, &header_len, result); }
        if (code == ASSAY_OK) { code = assay_result_payload(&payload, &payload_len, result); }
        if (code == ASSAY_OK) {
            said = Py_BuildValue("(y#y#)", header, (Py_ssize_t)header_len, payload, (Py_ssize_t)payload_len);
        } else if (code < 100) {
            raise_code(code, "verify_payload");
        } else if ((said = refusal_new(result, code, self->realm, self->scope)) != NULL) {
            PyErr_SetObject((PyObject *)Py_TYPE(said), said);
            Py_CLEAR(said);
        }
        free(memory);
    } else {
        PyErr_NoMemory();
    }
    text_clear(&token);
    return said;
}


/* Batches */

/* So many tokens are judged without the GIL between two looks at it: enough for groups of eight of each kind, and milliseconds of work. */
#define PART 256

typedef struct {
    const Verifier *verifier;
    double now;
    PyObject *names;              /* a dict of the members of Code that this batch has met, or NULL where verdicts have claims */
    text tokens[PART];
    assay_text views[PART];
    assay_result *results[PART];
    assay_code codes[PART];
    size_t count;
} part;

static void part_clear(part *taken) {
    for (size_t index = 0; index < taken->count; index++) {
        text_clear(&taken->tokens[index]);
        free(taken->results[index]);
        taken->results[index] = NULL;
    }
    taken->count = 0;
}

static int part_add(part *taken, PyObject *object) {
    size_t index = taken->count;
    if (text_of(&taken->tokens[index], object, "token") < 0) { return -1; }
    taken->views[index] = (assay_text){taken->tokens[index].bytes, taken->tokens[index].len};
    taken->count++;
    if (taken->names != NULL) { return 0; }
    size_t size = usual_size(taken->tokens[index].len);
    void *memory = malloc(size);
    taken->results[index] = memory == NULL ? NULL : assay_result_init(memory, size);
    if (memory != NULL) { return 0; }
    PyErr_NoMemory();
    return -1;
}

/* The member of Code for a verdict; a new reference. */
static PyObject *name_of(PyObject *names, assay_code code) {
    if (code != ASSAY_OK && code < 100) { return raise_code(code, "verify_batch"); }
    PyObject *number = PyLong_FromUnsignedLong(code);
    PyObject *name = number == NULL ? NULL : PyDict_GetItemWithError(names, number);
    Py_XINCREF(name);
    if (number != NULL && name == NULL && !PyErr_Occurred()) {
        PyObject *codes = imported("assay.errors", "Code");
        name = codes == NULL ? NULL : PyObject_CallFunctionObjArgs(codes, number, NULL);
        Py_XDECREF(codes);
        if (name != NULL && PyDict_SetItem(names, number, name) < 0) { Py_CLEAR(name); }
    }
    Py_XDECREF(number);
    return name;
}

static PyObject *part_verdict(part *taken, size_t index) {
    int is_refused;
    if (taken->names != NULL) { return name_of(taken->names, taken->codes[index]); }
    if (taken->codes[index] == ASSAY_RESULT_TOO_SMALL) {
        return verdict_on(taken->verifier, &taken->tokens[index], taken->now, assay_result_needed(taken->results[index]), &is_refused);
    }
    void *memory = taken->results[index];
    taken->results[index] = NULL;
    return verdict(taken->verifier, memory, taken->codes[index], &is_refused);
}

/* Appends the verdicts on the tokens of a part. */
static int part_judge(part *taken, PyObject *verdicts) {
    assay_result *const *results = taken->names == NULL ? taken->results : NULL;
    work_begins();
    PyThreadState *thread = PyEval_SaveThread();
    assay_code code = assay_verify_batch(taken->codes, results, taken->verifier->verifier, taken->views, taken->count, taken->now);
    work_ends();
    PyEval_RestoreThread(thread);
    if (code != ASSAY_OK) {
        raise_code(code, "verify_batch");
        return -1;
    }
    int status = 0;
    for (size_t index = 0; index < taken->count && status == 0; index++) {
        PyObject *said = part_verdict(taken, index);
        status = said == NULL ? -1 : PyList_Append(verdicts, said);
        Py_XDECREF(said);
    }
    return status;
}

static int batch(const Verifier *self, PyObject *tokens, double now, int has_claims, PyObject *verdicts) {
    part *taken = calloc(1, sizeof *taken);
    if (taken == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    taken->verifier = self;
    taken->now = now;
    taken->names = has_claims ? NULL : PyDict_New();
    PyObject *iterator = !has_claims && taken->names == NULL ? NULL : PyObject_GetIter(tokens), *token;
    int status = iterator == NULL ? -1 : 0;
    while (status == 0 && (token = PyIter_Next(iterator)) != NULL) {
        status = part_add(taken, token);
        Py_DECREF(token);
        if (status == 0 && taken->count == PART) {
            status = part_judge(taken, verdicts);
            part_clear(taken);
            if (status == 0) { status = PyErr_CheckSignals(); }
        }
    }
    if (status == 0 && PyErr_Occurred()) { status = -1; }
    if (status == 0 && taken->count > 0) { status = part_judge(taken, verdicts); }
    Py_XDECREF(iterator);
    part_clear(taken);
    Py_XDECREF(taken->names);
    free(taken);
    return status;
}

static PyObject *verifier_verify_batch(PyObject *object, PyObject *args, PyObject *kwargs) {
    static char *names[] = {"tokens", "now", "claims", NULL};
    const Verifier *self = (const Verifier *)object;
    PyObject *tokens, *now = NULL;
    double moment;
    int has_claims = 1;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|$Op:verify_batch", names, &tokens, &now, &has_claims)) { return NULL; }
    if (self->base != NULL) {
        PyErr_SetString(PyExc_ValueError, "a login has one token: use verify");
        return NULL;
    }
    if (PyUnicode_Check(tokens) || PyBytes_Check(tokens)) {
        PyErr_SetString(PyExc_TypeError, "tokens must be an iterable of tokens, not one token");
        return NULL;
    }
    if (moment_of(&moment, self, now) < 0) { return NULL; }
    PyObject *verdicts = PyList_New(0);
    if (verdicts != NULL && batch(self, tokens, moment, has_claims, verdicts) < 0) { Py_CLEAR(verdicts); }
    return verdicts;
}


/* Making one */

/* A member that is bytes or None. */
static int take_bytes(PyObject **member, PyObject *object) {
    if (object == NULL || object == Py_None) { return 0; }
    if (!PyBytes_Check(object)) {
        PyErr_SetString(PyExc_TypeError, "bytes are needed");
        return -1;
    }
    Py_INCREF(object);
    *member = object;
    return 0;
}

#define MAXIMUM_ISSUERS 1024

/* Fills `out` from a list of pairs of capsules. Returns their number, or -1. */
static Py_ssize_t issuers_of(assay_issuer *out, PyObject *list) {
    Py_ssize_t count = PyList_Size(list);
    if (count < 0) { return -1; }
    if (count == 0 || count > MAXIMUM_ISSUERS) {
        PyErr_SetString(PyExc_ValueError, "a verifier has 1 to 1,024 issuers");
        return -1;
    }
    for (Py_ssize_t index = 0; index < count; index++) {
        PyObject *policy, *keys;
        if (!PyArg_ParseTuple(PyList_GetItem(list, index), "OO", &policy, &keys)) { return -1; }
        box *policy_box = box_open(policy, BOX_POLICY), *keys_box = policy_box == NULL ? NULL : box_open(keys, BOX_KEYS);
        if (keys_box == NULL) { return -1; }
        out[index] = (assay_issuer){policy_box->object, keys_box->object};
    }
    return count;
}

/* An object of another type would not have the members of Claims. */
static int check_claims(PyObject *type) {
    PyObject *base = imported("assay._core", "Claims");
    int fits = base == NULL ? -1 : PyType_Check(type) ? PyObject_IsSubclass(type, base) : 0;
    Py_XDECREF(base);
    if (fits == 0) { PyErr_SetString(PyExc_TypeError, "a subclass of Claims is needed"); }
    return fits == 1 ? 0 : -1;
}

static PyObject *verifier_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    PyObject *list, *claims, *clock, *realm, *scope;
    uint64_t token_bytes, cache_bytes, cache_seconds;
    int cache_digests;
    if (kwargs != NULL && PyDict_Size(kwargs) > 0) {
        PyErr_SetString(PyExc_TypeError, "assay._core.Verifier takes no keywords");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "O!OOOOO&O&O&p", &PyList_Type, &list, &claims, &clock, &realm, &scope, uint64_of, &token_bytes,
                          uint64_of, &cache_bytes, uint64_of, &cache_seconds, &cache_digests)) {
        return NULL;
    }
    if (check_claims(claims) < 0) { return NULL; }
    assay_issuer *issuers = calloc(MAXIMUM_ISSUERS, sizeof *issuers);
    if (issuers == NULL) { return PyErr_NoMemory(); }
    Py_ssize_t count = issuers_of(issuers, list);
    PyObject *self = count < 0 ? NULL : PyType_GenericAlloc(type, 0);
    if (self != NULL) {
        Verifier *made = (Verifier *)self;
        assay_verifier_options options = {.size = sizeof options, .token_bytes = token_bytes, .cache_bytes = cache_bytes,
                                          .cache_seconds = cache_seconds, .cache_digests = (uint32_t)cache_digests};
        assay_code code = assay_verifier_new(&made->verifier, issuers, (size_t)count, &options);
        if (code != ASSAY_OK) { raise_code(code, "verifier"); }
        Py_INCREF(claims);
        made->claims = claims;
        if (clock != Py_None) {
            Py_INCREF(clock);
            made->clock = clock;
        }
        if (code != ASSAY_OK || take_bytes(&made->realm, realm) < 0 || take_bytes(&made->scope, scope) < 0) { Py_CLEAR(self); }
    }
    free(issuers);
    return self;
}

static void copy_member(PyObject **to, PyObject *from) {
    Py_XINCREF(from);
    *to = from;
}

static PyObject *verifier_login(PyObject *object, PyObject *args) {
    const Verifier *self = (const Verifier *)object;
    PyObject *nonce, *access_token, *code;
    if (!PyArg_ParseTuple(args, "OOO", &nonce, &access_token, &code)) { return NULL; }
    PyObject *view = PyType_GenericAlloc(Py_TYPE(object), 0);
    if (view == NULL) { return NULL; }
    Verifier *made = (Verifier *)view;
    copy_member(&made->base, self->base == NULL ? object : self->base);
    copy_member(&made->claims, self->claims);
    copy_member(&made->clock, self->clock);
    copy_member(&made->realm, self->realm);
    copy_member(&made->scope, self->scope);
    if (take_bytes(&made->nonce, nonce) < 0 || take_bytes(&made->access_token, access_token) < 0 || take_bytes(&made->code, code) < 0) {
        Py_CLEAR(view);
    }
    return view;
}

static int verifier_traverse(PyObject *object, visitproc visit, void *arg) {
    const Verifier *self = (const Verifier *)object;
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->base);
    Py_VISIT(self->claims);
    Py_VISIT(self->clock);
    return 0;
}

/* The collector calls it for garbage, with which nothing verifies any more. */
static int verifier_clear(PyObject *object) {
    Verifier *self = (Verifier *)object;
    Py_CLEAR(self->clock);
    return 0;
}

static void verifier_dealloc(PyObject *object) {
    Verifier *self = (Verifier *)object;
    PyTypeObject *type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    assay_verifier_free(self->verifier);
    PyObject *members[] = {self->base, self->claims, self->clock, self->realm, self->scope, self->nonce, self->access_token, self->code};
    for (size_t index = 0; index < sizeof members / sizeof *members; index++) { Py_XDECREF(members[index]); }
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static PyMethodDef verifier_methods[] = {
    {"verify", (PyCFunction)(void (*)(void))verifier_verify, METH_FASTCALL | METH_KEYWORDS,
     "verify(token, *, now=None): the claims of a valid token; raises VerificationError for another. Never waits."},
    {"verify_batch", (PyCFunction)(void (*)(void))verifier_verify_batch, METH_VARARGS | METH_KEYWORDS,
     "verify_batch(tokens, *, now=None, claims=True): for each token its Claims, or its VerificationError, in their order. Without claims "
     "its Code. Works without the GIL."},
    {"_verify_payload", verifier_verify_payload, METH_O, NULL},
    {"_login", verifier_login, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot verifier_slots[] = {
    {Py_tp_new, verifier_new},
    {Py_tp_dealloc, verifier_dealloc},
    {Py_tp_traverse, verifier_traverse},
    {Py_tp_clear, verifier_clear},
    {Py_tp_methods, verifier_methods},
    {0, NULL},
};

PyType_Spec verifier_spec = {"assay._core.Verifier", sizeof(Verifier), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, verifier_slots};
