"""Keys: fixed ones, and those of an issuer that are kept up to date."""

import json
import os
import weakref
from collections.abc import Mapping
from typing import Any, Iterable, NamedTuple, Optional, Tuple, Union

from . import _core

_HEALTH = ("unavailable", "fixed", "fresh", "stale")


class KeysState(NamedTuple):
    """The state of keys at one moment. Times are in seconds; `age` is None without keys and for fixed keys."""

    health: str
    is_fetching: bool
    key_count: int
    generation: int
    age: Optional[float]
    fresh_for: float
    used_for: float
    failures: int
    shed_fetches: int
    clock_skew: float
    last_failure: Optional[str]


def state_of(capsule: Any) -> KeysState:
    health, fetching, count, generation, age, fresh, used, failures, shed, skew, last = _core.keys_status(capsule)
    return KeysState(
        _HEALTH[health],
        bool(fetching),
        count,
        generation,
        None if age < 0 else age / 1000,
        fresh / 1000,
        used / 1000,
        failures,
        shed,
        skew / 1000,
        last,
    )


class Keys:
    """Fixed keys from a JWK Set, a JWK, PEM or DER, at most 262,144 bytes.

    PEM has one key, or one certificate with its issuers behind it. A key that is not usable stays in the set; a token that names it gets
    the reason. Raises DocumentError for a document that cannot be read.
    """

    __slots__ = ("_keys",)

    def __init__(self, document: Union[str, bytes, Mapping[str, Any]]):
        if isinstance(document, Mapping):
            document = json.dumps(dict(document))
        self._keys = _core.keys_new(document)

    def prepare(self) -> None:
        """Builds the tables of all keys now, milliseconds for each, and not in the background: for a server before it forks."""
        _core.keys_prepare(self._keys)

    @property
    def state(self) -> KeysState:
        return state_of(self._keys)

    def __reduce__(self) -> Any:
        raise TypeError("keys cannot be pickled")

    def __repr__(self) -> str:
        return f"<assay.Keys: {self.state.key_count} usable>"


class Client(NamedTuple):
    """How keys are fetched. Times are in seconds.

    `addresses` permits addresses beside those of the public internet: "loopback", "private", "link_local", and "plain_loopback" for http to
    this machine. `roots` are certificates in PEM beside the system's, or in place of them with `roots_only`. `certificate` and
    `private_key` are the client's, in PEM. `pins` are SHA-256 of public keys in base64 (RFC 7469 section 2.4).
    """

    request_limit: float = 3.0
    connect_limit: float = 1.0
    addresses: Iterable[str] = ()
    roots: Optional[str] = None
    roots_only: bool = False
    certificate: Optional[str] = None
    private_key: Optional[str] = None
    proxy_host: Optional[str] = None
    proxy_port: int = 0
    proxy_user: Optional[str] = None
    proxy_password: Optional[str] = None
    user_agent: Optional[str] = None
    pins: Iterable[str] = ()

    def __repr__(self) -> str:
        return "<assay.Client>"

    def options(self) -> Tuple[Any, ...]:
        """The arguments of assay._http, where the addresses are one number."""
        addresses = {self.addresses} if isinstance(self.addresses, str) else set(self.addresses)
        unknown = addresses - _ADDRESSES.keys()
        if unknown:
            raise ValueError(f"no such kind of address: {', '.join(sorted(map(repr, unknown)))}")
        return (
            round(self.request_limit * 1000),
            round(self.connect_limit * 1000),
            sum(_ADDRESSES[name] for name in addresses),
            self.roots_only,
            self.roots,
            self.certificate,
            self.private_key,
            self.proxy_host,
            self.proxy_port,
            self.proxy_user,
            self.proxy_password,
            self.user_agent,
            tuple(pin.encode() for pin in self.pins),
        )


_ADDRESSES = {"loopback": 1, "private": 2, "link_local": 4, "plain_loopback": 8}
_PRESETS = {"availability": 0, "revocation": 1}


class RemoteKeys:
    """The keys of an issuer, fetched by a thread of their own from the moment of creation on, until `close` or the end of the object.

    With `issuer` its metadata names the address of the keys; with `url` that is the address of the JWK Set. `first` says what counts more
    while the issuer cannot be reached: "availability" uses keys for up to two hours more, "revocation" for five minutes. Raises ValueError
    for an address, certificates or pins that cannot be read.
    """

    __slots__ = ("source", "_http", "_keys", "__weakref__")

    def __init__(self, issuer: Optional[str] = None, *, url: Optional[str] = None, client: Client = Client(), first: str = "availability"):
        if (issuer is None) == (url is None):
            raise TypeError("either an issuer or a url is needed")
        if first not in _PRESETS:
            raise ValueError('first is "availability" or "revocation"')
        from . import _http

        self.source = url if issuer is None else issuer
        kind = "url" if issuer is None else "issuer"
        self._http, self._keys = _http.http_new(kind, self.source, client.options(), _PRESETS[first])
        continued_after_fork.add(self)

    def wait(self, seconds: float = 5.0) -> bool:
        """Waits until there are keys, at most so long. Returns whether there are. Blocks the thread; other threads go on."""
        return wait_for(self._http, seconds)

    def refresh(self) -> None:
        """Orders a fetch that bypasses caches, unless one is under way. Returns at once."""
        from . import _http

        _http.http_refresh(self._http)

    def prepare(self) -> None:
        """Builds the tables of all present keys now, milliseconds for each: for a server before it forks."""
        _core.keys_prepare(self._keys)

    @property
    def state(self) -> KeysState:
        return state_of(self._keys)

    @property
    def is_expecting(self) -> bool:
        """Whether a fetch is under way or about to begin."""
        if self not in continued_after_fork:
            return False
        state = self.state
        return state.is_fetching or state.health == "unavailable" and state.failures == 0

    @property
    def generation(self) -> int:
        """Another number whenever there are other keys; 0 after `close`."""
        return self.state.generation if self in continued_after_fork else 0

    def close(self) -> None:
        """Ends the fetches. Verifiers keep the keys until they are too old. A second call does nothing."""
        from . import _http

        if self in continued_after_fork:
            continued_after_fork.discard(self)
            _http.http_close(self._http, self._keys)

    def after_fork(self) -> None:
        """Begins to fetch again in a child; called by itself after os.fork."""
        wait_for(self._http, 0)

    def __enter__(self) -> "RemoteKeys":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise TypeError("keys cannot be pickled")

    def __repr__(self) -> str:
        if self not in continued_after_fork:
            return f"<assay.RemoteKeys of {self.source!r}: closed>"
        return f"<assay.RemoteKeys of {self.source!r}: {self.state.health}, {self.state.key_count} usable>"


def wait_for(http: Any, seconds: float) -> bool:
    """Waits in slices, so that a signal's handler runs within a tenth of a second."""
    from . import _http

    left = round(seconds * 1000)
    if left < 0:
        raise ValueError("the time must not be negative")
    while True:
        part = min(left, 100)
        if _http.http_wait(http, part):
            return True
        left -= part
        if left <= 0:
            return False


# Threads do not survive a fork: what fetches begins again in the child.
continued_after_fork: "weakref.WeakSet[Any]" = weakref.WeakSet()


def _continue() -> None:
    for each in list(continued_after_fork):
        each.after_fork()


os.register_at_fork(after_in_child=_continue)
