"""Attacks by targets and hosts that a gateway, the policy and an application could read differently. Each is a function of a gateway."""
from exchange import ask, bearer, converse_all
from expectations import nothing_passes_unjudged, passed, refused

TRICKS = [
    # Dot segments, plain and encoded.
    "/public/../admin", "/public/%2e%2e/admin", "/public/%2E./admin", "/public/.%2e/admin", "/./admin", "/public/./../admin",
    "/public/x/../../admin", "/admin/../admin", "/public/../../../admin", "/public/../admin?x=/public", "/%2e/admin", "/public/..",
    "/public/../", "/public/.././admin", "/public/%252e%252e/admin", "/public/%u002e%u002e/admin", "/public/%25%32%65%25%32%65/admin",
    "/public/%ef%bc%8e%ef%bc%8e/admin", "/public/%c0%ae%c0%ae/admin", "/public/%e0%80%ae%e0%80%ae/admin", "/public/%ff/../admin",
    # Slashes, encoded, doubled, and others that are taken for one.
    "//admin", "///admin", "/.//admin", "/public//../admin", "/public/...//admin", "/public/..%2fadmin", "/public%2f..%2fadmin",
    "/public/..%252fadmin", "/public/%2e%2e%2fadmin", "/admin%2fusers", "/%2fadmin", "/%2f/admin", "/public/..%c0%afadmin",
    "/public/..%u2215admin", "/public\\..\\admin", "/public/..\\admin", "/\\admin", "/%5cadmin", "/public/..%5cadmin",
    "/public/%2e%2e%5cadmin", "//app.example/admin", "//public/../admin",
    # Parameters of segments.
    "/public/..;/admin", "/public;/../admin", "/public/..;a=b/admin", "/admin;x=1", "/;/admin", "/public/..%3b/admin",
    "/public/%2e%2e;/admin", "/admin;/../public", "/public/..;/..;/admin",
    # Controls, NUL and encoded white space.
    "/public/.%00./admin", "/admin%00", "/admin%00.html", "/public/%2e%2e%00/admin", "/admin%20", "/admin%09", "/public/%0d%0a/../admin",
    "/public/%0d%0aX-Auth-Subject:%20evil", "/admin/", "/%61dmin",
    # Queries and fragments.
    "/public%3f/../admin", "/public?/../admin", "/public??/../admin", "/admin?/public", "/public?x=/../admin", "/admin%3f/public",
    "/public#/../../admin", "/admin#/public", "/public%23/../admin", "/public&/../admin",
    # The absolute form.
    "http://app.example/admin", "http://app.example/public/../admin", "http://other.example/public", "HTTP://app.example/admin",
    "https://app.example/admin", "http://app.example@other/admin", "http://app.example", "http://app.example?/public",
    "http://app.example#/public", "http:///admin", "http:/admin", "ftp://app.example/admin", "http://app.example//admin",
    "http://app.example/public?/../../admin",
]


def no_path_reads_differently_here_and_there(gateway):
    """Whatever passes must be what was judged, in every reading."""
    token = gateway.lab.provider.token()
    for trick in TRICKS:
        with nothing_passes_unjudged(gateway, trick, token=False):
            ask(gateway.port, trick)
        with nothing_passes_unjudged(gateway, trick, token=True):
            ask(gateway.port, trick, [bearer(token)])


def a_path_with_two_readings_is_refused(gateway):
    """Where no gateway normalises it, the service's refusal arrives with its code."""
    for target in ("/public/%252e", "/public/a%20"):
        refused(gateway, 400, "ambiguous_path", target)


LINES = [
    b"GET /public/\x01/../admin HTTP/1.1", b"GET /public/\x7f HTTP/1.1", b"GET /public\t/../admin HTTP/1.1", b"GET /public/\xff HTTP/1.1",
    b"GET /public/\xc3\xa4/../../admin HTTP/1.1", b"GET /public\0/../admin HTTP/1.1", b"GET /admin\0/../public HTTP/1.1",
    b"GET /public /../admin HTTP/1.1", b"GET /admin /public HTTP/1.1", b"GET  /admin HTTP/1.1", b"GET\t/admin HTTP/1.1",
    b"GET /admin\tHTTP/1.1", b"GET /admin HTTP/1.1 HTTP/1.1", b"GET /admin", b"GET /admin HTTP/0.9", b"GET /admin HTTP/1.0",
    b"GET /admin HTTP/2.0", b"GET /admin HTTP/1.2", b"\r\nGET /admin HTTP/1.1", b"\nGET /admin HTTP/1.1", b" GET /admin HTTP/1.1",
    b"GET * HTTP/1.1", b"GET app.example:80 HTTP/1.1", b"GET public/../admin HTTP/1.1", b"GET  HTTP/1.1", b"GET ?/admin HTTP/1.1",
    b"GET \\admin HTTP/1.1", b"/admin", b"GET /admin HTTP/1.1\rX: y", b"OPTIONS * HTTP/1.1", b"OPTIONS /admin HTTP/1.1",
]


def odd_request_lines_pass_nothing(gateway):
    own = b"Authorization: Bearer " + gateway.lab.provider.token().encode() + b"\r\n"
    for fields in (b"", own):
        with nothing_passes_unjudged(gateway, LINES, token=bool(fields)):
            converse_all(gateway.port, [line + b"\r\nHost: app.example\r\n" + fields + b"\r\n" for line in LINES])


def paths_are_compared_with_case(gateway):
    refused(gateway, 401, "missing_token", "/Public")
    refused(gateway, 401, "missing_token", "/PUBLIC/x")


HOSTS = [
    ("/tenants", ["Host: open.example", "Host: app.example"]), ("/tenants", ["Host: app.example", "Host: open.example"]),
    ("/tenants", ["Host: open.example, app.example"]), ("/tenants", ["Host: app.example, open.example"]),
    ("/tenants", ["Host: app.example", "X-Forwarded-Host: open.example"]), ("/tenants", ["Host: app.example", "X-Host: open.example"]),
    ("/tenants", ["Host: app.example", "Forwarded: host=open.example"]),
    ("/tenants", ["Host: app.example", "X-Original-Host: open.example"]),
    ("/tenants", ["Host: app.example", "X-Forwarded-Server: open.example", "X-HTTP-Host-Override: open.example"]),
    ("/tenants", ["Host: app.example", "X-Forwarded-Host: open.example", "X-Forwarded-Host: open.example"]),
    ("/tenants", ["Host: app.example", "X_Forwarded_Host: open.example", "x-FORWARDED-host: open.example"]),
    ("http://open.example/tenants", ["Host: app.example"]), ("http://app.example/tenants", ["Host: open.example"]),
    ("http://open.example@app.example/tenants", ["Host: open.example"]), ("http://app.example:80/tenants", ["Host: open.example"]),
    ("//open.example/tenants", ["Host: app.example"]), ("/tenants", ["Host: open.example:80@app.example"]),
    ("/tenants", ["Host: open.example:evil"]), ("/tenants", ["Host: open.example:80:80"]), ("/tenants", ["Host: open.example/"]),
    ("/tenants", ["Host: open.example#app.example"]), ("/tenants", ["Host: open.example?app.example"]),
    ("/tenants", ["Host: open.example app.example"]), ("/tenants", ["Host: open.example\tapp.example"]),
    ("/tenants", ["Host: app.example open.example"]), ("/tenants", ["Host: open.example\0app.example"]),
    ("/tenants", ["Host: app.example", " Host: open.example"]), ("/tenants", ["Host : open.example", "Host: app.example"]),
    ("/tenants", ["Host:", "Host: open.example"]), ("/tenants", ["X: y"]), ("/tenants", ["Host: .open.example"]),
    ("/tenants", ["Host: xopen.example"]), ("/tenants", ["Host: open.example.evil"]), ("/tenants", ["Host: open.example%00.evil"]),
    ("/tenants", ["Host: OPEN.example.:8080"]), ("/tenants", ["Host: open.example:"]),
]


def hosts_read_by(arrived):
    """Every host that an application may read: of the fields, and of a target in absolute form."""
    hosts = [value for name, value in arrived["fields"] if plain_host(name)]
    if "://" in arrived["target"]:
        hosts.append(arrived["target"].split("://", 1)[1].split("/")[0].split("?")[0])
    return {host.rpartition("@")[2].split(":")[0].rstrip(".").lower() for host in hosts}


def plain_host(name):
    return name.lower() == "host"


def no_host_reads_differently_here_and_there(gateway):
    """`/tenants` is open for one host alone."""
    assert hosts_read_by(passed(gateway, "/tenants", [("Host", "open.example")])) == {"open.example"}
    refused(gateway, 401, "missing_token", "/tenants", [("Host", "app.example")])
    reached = gateway.lab.upstream.arrived
    count = len(reached)
    texts = ["\r\n".join([f"GET {target} HTTP/1.1", *fields, "", ""]).encode("latin-1") for target, fields in HOSTS]
    converse_all(gateway.port, texts)
    for seen in reached[count:]:
        if seen["target"] != "/public/last":
            assert hosts_read_by(seen) == {"open.example"}, seen


ALL = [no_path_reads_differently_here_and_there, a_path_with_two_readings_is_refused, paths_are_compared_with_case]
# These concern the gateway's reading of bytes.
PARSING = [odd_request_lines_pass_nothing, no_host_reads_differently_here_and_there]
