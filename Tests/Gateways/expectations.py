"""What must be true of an answer, and of what the application got."""
from contextlib import contextmanager

from exchange import ask
from readings import below, only_below

# The fields of `claims` in integrations/assay.yaml.
FIELDS = ("x-auth-subject", "x-auth-name", "x-auth-tenant")


def plain(name):
    """A field's name as CGI and its successors read it: they take every other character for a hyphen, as in X_Auth_Subject."""
    return "".join(letter if letter.isalnum() else "-" for letter in name.lower())


def identity(arrived):
    """What an application reads as identity."""
    found = {name: [] for name in FIELDS}
    for name, value in arrived["fields"]:
        if plain(name) in found and value:
            found[plain(name)].append(value)
    return found


JANE = {"x-auth-subject": ["jane"], "x-auth-name": ["Jane Doe"], "x-auth-tenant": []}
NOBODY = {name: [] for name in FIELDS}


def passed(gateway, *arguments, **options):
    """Sends a request that must pass; returns it as the application got it."""
    answer = ask(gateway.port, *arguments, **options)
    assert answer and answer.status == 200, (arguments, answer)
    return answer.arrived()


def refused(gateway, status, code, *arguments, **options):
    """Sends a request that must be refused with a status and a code, before it reaches the application."""
    count = len(gateway.lab.upstream.arrived)
    answer = ask(gateway.port, *arguments, **options)
    assert answer and answer.status == status, (status, code, arguments, answer)
    assert answer.field("x-assay-code") == code, (code, arguments, answer)
    assert len(gateway.lab.upstream.arrived) == count, "the application was reached"
    return answer


def stopped(gateway, *arguments, **options):
    """Sends a request that must not reach the application. The gateway or the service may stop it, with any status."""
    count = len(gateway.lab.upstream.arrived)
    answer = ask(gateway.port, *arguments, **options)
    assert answer is None or answer.status >= 400, (arguments, answer)
    reached = gateway.lab.upstream.arrived[count:]
    assert not reached, f"{arguments}: the application was reached: {reached}"
    return answer


@contextmanager
def nothing_passes_unjudged(gateway, what, token):
    """Whatever reaches the application within the block must be what was judged, in every reading: without a token only what is open,
    with a token that has no scope nothing of the administration. No request has another identity than Jane's."""
    reached = gateway.lab.upstream.arrived
    count = len(reached)
    yield
    for seen in reached[count:]:
        if token:
            assert not below(seen["target"], "/admin"), f"{what!r} without the scope reached {seen}"
        else:
            assert only_below(seen["target"], "/public"), f"{what!r} without a token reached {seen}"
        for name, values in identity(seen).items():
            assert set(values) <= set(JANE[name]), f"{what!r} made the application read {name}: {values}"
