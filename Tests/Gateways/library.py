"""The functions of libassay that decide about requests, through ctypes."""
import ctypes
import json

OK, AWAITING_KEYS = 0, 13
SET_FIELD, REMOVE_FIELD, SET_TARGET = 1, 2, 4
FAILURE_CONNECTION = 1
NOW = -1.0


class Text(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_char_p), ("len", ctypes.c_size_t)]

    def __init__(self, value=b""):
        super().__init__(value, len(value))


class Slice(ctypes.Structure):
    """A text of the library: it need not end with NUL."""
    _fields_ = [("bytes", ctypes.c_void_p), ("len", ctypes.c_size_t)]

    def value(self):
        return ctypes.string_at(self.bytes, self.len) if self.len else b""


class Field(ctypes.Structure):
    _fields_ = [("name", Text), ("value", Text)]


class Request(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t), ("method", Text), ("authority", Text), ("target", Text), ("fields", ctypes.POINTER(Field)),
        ("field_count", ctypes.c_size_t), ("context", ctypes.POINTER(Field)), ("context_count", ctypes.c_size_t),
        ("may_wait", ctypes.c_uint32), ("reserved", ctypes.c_uint32), ("policy", Text), ("scheme", Text),
    ]


class Operation(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_uint32), ("reserved", ctypes.c_uint32), ("name", Slice), ("value", Slice)]


POINTER, SIZE, CODE, TEXT = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint32, ctypes.c_char_p
FUNCTIONS = {
    "assay_gateway_new": (CODE, [POINTER, TEXT, SIZE, POINTER]),
    "assay_gateway_check": (SIZE, [TEXT, SIZE, TEXT, SIZE]),
    "assay_gateway_decide": (CODE, [POINTER, POINTER, POINTER, ctypes.c_double]),
    "assay_gateway_explain": (SIZE, [TEXT, SIZE, POINTER, POINTER, ctypes.c_double]),
    "assay_gateway_resource_metadata": (SIZE, [TEXT, SIZE, POINTER, TEXT, SIZE, TEXT, SIZE]),
    "assay_gateway_request": (CODE, [POINTER, POINTER]),
    "assay_gateway_next_due": (ctypes.c_int64, [POINTER]),
    "assay_gateway_install": (CODE, [POINTER, POINTER, ctypes.c_uint32, POINTER, SIZE, TEXT, SIZE]),
    "assay_gateway_fail": (CODE, [POINTER, POINTER, ctypes.c_uint32]),
    "assay_gateway_is_ready": (ctypes.c_int, [POINTER]),
    "assay_fetch_url": (TEXT, [POINTER]),
    "assay_fetch_free": (None, [POINTER]),
    "assay_decision_new": (CODE, [POINTER]),
    "assay_decision_free": (None, [POINTER]),
    "assay_decision_status": (ctypes.c_uint32, [POINTER]),
    "assay_decision_retry_after": (ctypes.c_int64, [POINTER]),
    "assay_decision_challenge": (CODE, [POINTER, POINTER, POINTER]),
    "assay_decision_location": (CODE, [POINTER, POINTER, POINTER]),
    "assay_decision_operation": (CODE, [POINTER, POINTER, SIZE]),
    "assay_code_name": (TEXT, [CODE]),
}


def load(path):
    library = ctypes.CDLL(str(path))
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


class Decision:
    """What becomes of a request: `code` is 0 for one that may pass."""

    def __init__(self, library, gateway, request):
        handle = ctypes.c_void_p()
        assert library.assay_decision_new(ctypes.byref(handle)) == OK
        self.code = library.assay_gateway_decide(handle, gateway, ctypes.byref(request), NOW)
        self.name = library.assay_code_name(self.code).decode()
        self.status = library.assay_decision_status(handle)
        self.retry_after = library.assay_decision_retry_after(handle)
        self.challenge = self.text(library.assay_decision_challenge, handle)
        self.location = self.text(library.assay_decision_location, handle)
        self.operations = []
        operation = Operation()
        while library.assay_decision_operation(ctypes.byref(operation), handle, len(self.operations)) == OK:
            self.operations.append((operation.kind, operation.name.value(), operation.value.value()))
        library.assay_decision_free(handle)

    @staticmethod
    def text(read, handle):
        """None if the decision has none."""
        text, length = ctypes.c_void_p(), ctypes.c_size_t()
        return ctypes.string_at(text, length.value) if read(ctypes.byref(text), ctypes.byref(length), handle) == OK else None


class Gateway:
    """A gateway of the library. `settings` is what the service's file has for decisions."""

    def __init__(self, path, settings):
        self.library, self.handle = load(path), ctypes.c_void_p()
        text = json.dumps(settings).encode()
        code = self.library.assay_gateway_new(ctypes.byref(self.handle), text, len(text), None)
        if code != OK:
            said = ctypes.create_string_buffer(65_536)
            self.library.assay_gateway_check(said, len(said), text, len(text))
            raise ValueError(said.value.decode())

    def decide(self, method, authority, target, fields, may_wait=False):
        """`fields` are pairs of bytes, as the client sent them."""
        own = (Field * len(fields))(*[Field(Text(name), Text(value)) for name, value in fields])
        request = Request(
            ctypes.sizeof(Request), Text(method), Text(authority), Text(target), own, len(fields), None, 0, may_wait, 0,
            Text(), Text(b"http"))
        return Decision(self.library, self.handle, request)

    def resource_metadata(self, authority, target):
        """The metadata of the protected resource at this host and target; empty if there is none."""
        question = (self.handle, authority, len(authority), target, len(target))
        out = ctypes.create_string_buffer(self.library.assay_gateway_resource_metadata(None, 0, *question) + 1)
        self.library.assay_gateway_resource_metadata(out, len(out), *question)
        return out.value

    def fetch(self, get):
        """Makes the requests that are due. `get` has a status and a body for a URL, or raises OSError."""
        fetch = ctypes.c_void_p()
        while self.library.assay_gateway_request(ctypes.byref(fetch), self.handle) == OK:
            try:
                status, body = get(self.library.assay_fetch_url(fetch).decode())
                self.library.assay_gateway_install(self.handle, fetch, status, None, 0, body, len(body))
            except OSError:
                self.library.assay_gateway_fail(self.handle, fetch, FAILURE_CONNECTION)
            self.library.assay_fetch_free(fetch)

    @property
    def is_ready(self):
        return self.library.assay_gateway_is_ready(self.handle) == 1

    @property
    def next_due(self):
        """In seconds."""
        return self.library.assay_gateway_next_due(self.handle) / 1_000
