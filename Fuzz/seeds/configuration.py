"""Files of the gateway's service: whole ones, and each with one fault."""

WHOLE = b"""listeners:
  - {name: main, profile: nginx, tcp: "127.0.0.1:0"}
  - {profile: envoy-http, tcp: "[::1]:9", pathPrefix: /check, contextHeaders: {x-tenant: tenant}}
  - {profile: envoy-grpc, unix: /run/a.sock, mode: "0600", owner: root, group: root}
  - {profile: traefik, activation: traefik, handledFields: [X-Sub, "x-r*", x-s, x-payload]}
administration: {tcp: "127.0.0.1:1", hosts: [Assay.internal]}
providers:
  - name: a
    issuer: https://a.example
    audiences: [api]
    tokens: access-token
    algorithms: [ES256, EdDSA]
    leewaySeconds: 5
    maximumAgeSeconds: 60
    requiredClaims: [sub, tenant]
    keys: {url: "https://a.example/keys", failover: [{file: a.jwks}, {spiffeBundle: "https://b.example/"}]}
    tokenFrom: [{authorization: Bearer}, {cookie: session}, {header: x-token, prefix: "T "}, {query: access_token}]
    claims: [{header: x-sub, claim: sub}, {header: x-r, path: [a, 0, "1"], arrays: json}, {header: x-s, claim: b, separator: ";"}]
    payloadHeader: x-payload
    forwardToken: false
    required: false
    refresh: revocation-first
    staleSeconds: 60
    storage: /var/lib/a
  - {name: b, issuer: "https://b.example", anyAudience: true, tokenFrom: [{cookie: b}], keys: {failover: [{file: b}]}}
  - {name: c, issuer: urn:c, audiences: c, tokens: id-token, keys: {file: /c}, tokens: any}
policies:
  - {name: users, requires: {any: [a, {all: [b, c]}]}, scopes: [read], realm: r, resourceMetadata: "https://a.example/m", browsers: {redirect: "/a?b={url}"}}
  - {name: dry, requires: allow-failed, mode: dry-run, shadow: users}
  - {name: open, requires: nothing}
  - {name: orders, requires: a, resource: "https://a.example/r", scopes: [read], acrValues: [mfa], maximumAuthenticationAgeSeconds: 60}
  - {name: maybe, requires: {any: [a, {all: [b, c]}, allow-missing]}}
  - name: staff
    requires: {any: [a, b]}
    claims: [{claim: /realm_access/roles, anyOf: [clerk, admin], provider: a}, {claim: groups, allOf: [x, "y"]},
      {claim: email, mailDomain: [example.com, Example.org]}, {claim: email_verified, equals: "true"}, {claim: sub, prefix: "u:"},
      {path: [a, 0, "1"], present: true}, {claim: level, atLeast: -1, atMost: 3}, {claim: n, atMost: 253402300799}]
routes:
  - {exact: /health, policy: open}
  - {path: /a/, methods: [get], hosts: ["*.example"], headers: {x-v: "2"}, context: {tenant: one}, policy: dry}
  - {policy: users}
resources:
  - {resource: "https://a.example/r", authorizationServers: ["https://a.example"], scopes: [read], displayName: R, keysURL: "https://a.example/k",
    documentationURL: "https://a.example/d", policyURL: "https://a.example/p", termsURL: "https://a.example/t",
    authorizationDetailsTypes: [pay], certificateBoundTokens: true, signedMetadata: {keyFile: /nowhere, algorithm: ES256}}
paths: {allowEncodedSlashes: true, allowEmptySegments: false, allowParameters: true}
fieldLimits: {valueBytes: 64, totalBytes: 128}
revocations: revocations.yaml
transport: {authorities: /nowhere, allowPrivateAddresses: true, allowLoopback: true, timeoutSeconds: 5}
connections: {maximum: 1, maximumPerAddress: 1, minimumBytesPerSecond: 1, headSeconds: 1, bodySeconds: 1, writeSeconds: 1, idleSeconds: 1,
  drainSeconds: 0, headBytes: 4096, bodyBytes: 0}
tokenCache: {megabytes: 0, maximumAgeSeconds: 1}
log: {level: debug, access: denied}
"""
# Without a fault: no file of authorities, and each setting once.
GOOD = WHOLE.replace(b"authorities: /nowhere, ", b"").replace(b", tokens: any}", b"}").replace(b"allow-failed,", b"a,")
# A reader goes on after a fault, so each element has one.
FAULTS = [
    b"""listeners:
  - {profile: ngnix, tcp: "127.0.0.1:0"}
  - {tcp: "127.0.0.1:0"}
  - {name: "a b", profile: nginx, tcp: "127.0.0.1:0"}
  - {profile: caddy, tcp: nowhere}
  - {profile: caddy, tcp: [a], pathPrefix: check/}
  - {profile: envoy-grpc, tcp: "127.0.0.1:5", contextHeaders: {"x a": b}}
  - {profile: traefik, tcp: "127.0.0.1:5", contextHeaders: {a: [b]}}
  - {profile: traefik, unix: a}
  - {profile: nginx, unix: /a, mode: "0999"}
  - {profile: nginx, unix: /a, tcp: "127.0.0.1:0"}
  - {profile: nginx, activation: a, owner: b}
  - {profile: apisix}
  - {profile: traefik, tcp: "127.0.0.1:6", name: b, handledFields: ["x y", "x-*-a", "*"]}
  - {profile: traefik, tcp: "127.0.0.1:6", name: c, handledFields: []}
  - {profile: traefik, tcp: "127.0.0.1:6", name: d, handledFields: {x: y}}
  - {profile: nginx, name: e, unix: /e, owner: nobody-of-this-name, group: no-group-of-this-name}
  - a
administration: {tcp: "127.0.0.1:5", hosts: ["a:1"]}
""",
    b"""providers:
  - {name: nothing, issuer: a}
  - {name: a, issuer: "", audiences: a}
  - {name: a, issuer: "http://u:p@a/#f", anyAudience: yes}
  - {name: b, issuer: urn:a, anyAudience: true, audiences: [a]}
  - {name: c, issuer: urn:c, algorithms: [HS256, es256], leewaySeconds: 5000, maximumAgeSeconds: "5", requiredClaims: {a: b}}
  - {name: d, issuer: urn:d, requiredClaims: [[a], ""], keys: {url: "http://a", failover: [a, {file: b, url: c}, {}]}}
  - {name: e, issuer: urn:e, tokens: [a], tokenFrom: [], forwardToken: 0, refresh: now, keys: a}
  - name: f
    issuer: "http://localhost/"
    tokenFrom: [{header: Authorization}, {cookie: "a b"}, {cookie: c, prefix: a}, {cookie: c}, {}, {query: []}]
    claims: [{header: x, claim: a}, {header: X, claim: a}, {header: "a b", claim: a}, {claim: a}, {header: y}, a,
      {header: z, claim: a, path: [b]}]
    payloadHeader: "\\u0001"
  - {name: g, issuer: urn:g, claims: [{header: y, path: a}, {header: z, path: [[a], -1]},
      {header: w, claim: a, arrays: json, separator: b}]}
""",
    b"""policies:
  - {name: a, requires: nobody, scopes: ["a b"], realm: 'a"b', resourceMetadata: a, shadow: a}
  - {name: b, requires: {some: [a]}, mode: none, shadow: c}
  - {name: b, requires: {any: []}}
  - {name: c}
  - {name: d, requires: allow-missing, shadow: e}
  - {name: e, requires: [a], shadow: d}
  - {name: f, requires: a, claims: []}
  - name: g
    requires: a
    claims: [a, {}, {claim: a}, {anyOf: [a]}, {claim: a, anyOf: []}, {claim: a, anyOf: [b], allOf: [b]}, {claim: /~2, equals: a},
      {claim: a, equals: []}, {claim: a, prefix: ""}, {claim: a, mailDomain: [[b]]}, {claim: a, present: false}, {claim: a, present: 1},
      {claim: a, atLeast: 1.5}, {claim: a, atMost: 253402300800}, {claim: a, atLeast: 2, equals: b},
      {claim: a, present: true, provider: nobody}, {claim: a, path: [b], present: true}, {path: [], present: true},
      {claim: a, atleast: 1}]
routes:
  - {path: a, policy: a}
  - {exact: /a, path: /b, policy: b, methods: ["a b"], headers: {"x v": a}, context: [a]}
  - {path: /a, policy: x}
  - {path: /a}
paths: [a]
path: {}
fieldLimits: {valueBytes: 0, totalBytes: many}
log: {level: debgu, access: "\\u0001"}
tokenCache:
# megabytes: 0
""",
]
# Texts that are refused before a setting has a meaning, or by the core.
FORMS = [
    b"a: &x 1\n", b"a: *x", b"a: !!str b", b"a: [", b"\t", b"\x00", b"a: \"b", b"a: b\n---\nc: d\n", b"? [a]\n: b\n", b"a: b\na: c\n",
    b"a: {a\n:",
    b"a: [\"b\n # c\", &d e]", b"a: " + b"[" * 18, b"".join(b" " * level + b"a:\n" for level in range(20)), b"", b"~", b"a", b"- a", b"# a",
    b"{\"a\\u001b\": 1, listners: 2}", b"%YAML 1.1\n---\na: 'b'\n", b"a: >-\n  b\n  c\n", b"{a: b}: c\n{a: b}: d\n",
]
CORE = b"""listeners: [{profile: nginx, tcp: "127.0.0.1:0"}]
providers: [{name: a, issuer: "https://a.example", audiences: [b], claims: [{header: authorization, claim: sub}]}]
policies: [{name: p, requires: a}]
routes: [{path: /a/../b, policy: p}]
"""
# What the core, or the service, refuses after a file without a fault of its own.
SMALL = b"""listeners: [{profile: nginx, tcp: "127.0.0.1:0"}]
providers:
  - {name: a, issuer: "https://a.example", audiences: [b], claims: [{header: x-sub, claim: sub}]}
  - {name: b, issuer: "https://b.example", audiences: [b], tokenFrom: [{cookie: b}], claims: [{header: x-sub, claim: sub}]}
policies: [{name: p, requires: {any: [a, b]}}, {name: open, requires: nothing}]
routes: [{policy: p}]
fieldLimits: {valueBytes: 64, totalBytes: 128}
"""
CORE_FAULTS = [
    (b"{any: [a, b]}", b"{any: [a, allow-missing, allow-failed]}"), (b"{any: [a, b]}", b"{any: [%s]}" % b", ".join([b"a"] * 64)),
    # Two providers whose fields would overwrite each other.
    (b"{any: [a, b]}", b"{all: [a, b]}"),
    # Rules about claims without a token, with limits that no number keeps, with a domain that is none, and too many.
    (b"{any: [a, b]}}", b"{any: [a, allow-missing]}, claims: [{claim: c, present: true}]}"),
    (b"{any: [a, b]}}", b"a, claims: [{claim: c, atLeast: 2, atMost: 1}]}"),
    (b"{any: [a, b]}}", b"a, claims: [{claim: c, mailDomain: a@b}]}"),
    (b"{any: [a, b]}}", b"a, claims: [%s]}" % b", ".join([b"{claim: c, prefix: d}"] * 65)),
    (b"{any: [a, b]}}", b"a, claims: [{claim: c, anyOf: [%s]}]}" % b", ".join([b"d"] * 257)),
    (b"{any: [a, b]}}", b"a, claims: [{claim: c, equals: d, provider: b}]}"),
    # An address that nobody has verified: a warning.
    (b"{any: [a, b]}}", b"a, claims: [{claim: e, mailDomain: f.g}]}"),
    # A claim in a field that the gateway does not handle.
    (b'"127.0.0.1:0"}', b'"127.0.0.1:0", handledFields: [x-other, "x-s*b"]}'),
    (b'"127.0.0.1:0"}', b'"127.0.0.1:0", handledFields: x-other}'), (b'"127.0.0.1:0"}', b'"127.0.0.1:0", handledFields: [X-SUB]}'),
    (b"totalBytes: 128", b"totalBytes: 8"), (b"https://b.example", b"https://a.example"), (b"https://b.example", b"urn: b"),
]
REVOCATIONS = [
    b"revocations:\n  - {issuer: a, kid: b}\n  - {sub: a}\n  - {jti: a}\n  - {sid: a}\n  - {issuedBefore: 1}\n",
    b"revocations: [{kid: a, sub: b}, {}, {issuedBefore: -1}, {issuedBefore: a}, {kid: []}, a]\n", b"revocations: a", b"revocation: []",
]


def configurations():
    """Whole files, files with faults, and texts that are no file of settings."""
    return [GOOD, WHOLE, *FAULTS, *FORMS, CORE, CORE.replace(b"authorization", b"x-a"), SMALL,
            *(SMALL.replace(good, bad) for good, bad in CORE_FAULTS), *REVOCATIONS]
