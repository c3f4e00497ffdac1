"""Trailers over HTTP/2 on both sides of Envoy, which hands them on there. Each is a function of a gateway."""
import contextlib

from expectations import FIELDS, plain
from http2_checks import exchange, head
from program import free_port
from upstream_http2 import UpstreamHTTP2

ENVOYS = ("envoy-http", "envoy-grpc", "envoy-module")
OPTIONS = """\
      typed_extension_protocol_options:
        envoy.extensions.upstreams.http.v3.HttpProtocolOptions:
          "@type": type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions
          explicit_http_config: {http2_protocol_options: {}}
"""


class OverHTTP2:
    """For a subclass of it and of a gateway: its application speaks HTTP/2."""

    def __init__(self, lab):
        self.application = UpstreamHTTP2(port := free_port())
        self.application_port = port
        super().__init__(lab)

    def addressed(self, text):
        text = text.replace("port_value: 9000}", f"port_value: {self.application_port}}}")
        start = text.index("    - name: application\n      type")
        at = text.index("      load_assignment:", start)
        return super().addressed(text[:at] + OPTIONS + text[at:])

    def stop(self):
        super().stop()
        self.application.stop()


@contextlib.contextmanager
def over_http2(gateway):
    kind = type(gateway)
    own = type(f"{kind.__name__}OverHTTP2", (OverHTTP2, kind), {"place": f"{gateway.folder.name}-over-http2"})(gateway.lab)
    try:
        yield own
    finally:
        own.stop()


# Names that bring an identity or a token, and others that some reader takes for them.
NAMES = (
    *FIELDS, "x_auth_subject", "x-auth_subject", "x.auth.subject", "x!auth~subject", "x-token", "x.token", "authorization", "cookie",
)
HARMLESS = ("x-checksum", "1")


def answers(port, token, trailers):
    """The status of a request with these trailers, with a body and without one, announced or not."""
    for more, body in (([], b"x"), ([("trailer", ", ".join(name for name, _ in trailers))], b"x"), ([], b"")):
        for target, own in (("/orders", token), ("/public", None)):
            yield exchange(port, head(target, own, "POST", more), body, trailers)


def trailers_of(reached):
    return [seen["trailers"] for seen in reached]


def an_application_of_http2_gets_no_identity_in_trailers(gateway):
    token = gateway.lab.provider.token()
    with over_http2(gateway) as own:
        reached = own.application.arrived
        # Sent to the application itself, they arrive: what follows proves something.
        assert set(answers(own.application_port, token, [("x-auth-subject", "evil")])) == {200}
        assert trailers_of(reached) == [[("x-auth-subject", "evil")]] * 6, trailers_of(reached)
        reached.clear()
        assert set(answers(own.port, token, [HARMLESS])) == {200}
        # The files of the service's gateways remove every trailer, because they do not know the names.
        expected = [HARMLESS] if gateway.name == "envoy-module" else []
        assert trailers_of(reached) == [expected] * 6, trailers_of(reached)
        assert [dict(seen["fields"]).get("x-auth-subject") or None for seen in reached] == ["jane", None] * 3, reached
        for name in NAMES:
            reached.clear()
            # Envoy itself may refuse a name.
            statuses = list(answers(own.port, token, [(name, "evil"), HARMLESS, (name, "evil")]))
            assert statuses.count(200) == len(reached), (name, statuses, reached)
            assert trailers_of(reached) == [expected] * len(reached), (name, trailers_of(reached))


ALL = [an_application_of_http2_gets_no_identity_in_trailers]
