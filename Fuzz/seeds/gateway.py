"""Requests at a gateway, and Envoy's messages."""

REQUESTS = [
    b"GET\n[::1]:80\n/hosts/a\n", b"GET\n[::g]\n/hosts/a\n", b"GET\na..b:99999\n/hosts\n", b"GET\n-a_b.open.example\n/hosts/a\n",
    b"GET\nh\n/" + b"a" * 3000 + b"\n", b"GET\nh\nftp://h/a\n", b"GET\nh\nhttp://h\n", b"GET\nh\n/%zz\n", b"GET\nh\n/%c3%28\n",
    b"GET\napi.example\n/orders?a=b\nAuthorization: Bearer \xf8", b"GET\nh\n/both/x\nCookie: session=\xf8; other=\xf9",
    b"POST\nh\n/either/%20\nX-B: jwt=\xf9\nConnection: close",
    b"GET\na.open.example:8443\n/hosts/a\nX-Token: \xf8\nX-HTTP-Method-Override: PUT",
    b"OPTIONS\nxn.open.example.\n/open/%2e%2e/main\nx_a_sub: evil\nX-A-Sub: evil\nCookie: session=\"\xf8\"",
    b"GET\nh\n/scoped?access_token=\xfa",
    b"GET\nh\n/main?access%5Ftoken=\xf8&access_token=\xf8\nauthorization: Basic x, Bearer \xf8",
    b"GET\nh\n/scoped\nAuthorization: Bearer \xf8",
    b"GET\nh\n/main\nx-forwarded-method: GET\nx-forwarded-proto: https\nx-forwarded-host: h\n"
    b"x-forwarded-uri: /main\nAuthorization: Bearer \xfb",
    b"GET\nh\n/main/a\nx-original-method: GET\nx-original-uri: /main\nhost: h\nAuthorization: Bearer \xfc", b"GET\nh\n*\n", b"\n\n\n",
    b"GET",
    b"GET\nh\n/main\nAuthorization: Bearer \xfd", b"GET\nh\n/main\nAuthorization: Bearer \xfe",
    b"GET\nh\n/main\nAuthorization: Bearer \xff",
    b"GET\nh\nhttp://h/main?access_token=a.b.c\nx-route: a\nx-route: b", b"CONNECT\nh:443\nh:443\n", b"GET\nh\n/main;x=1//a\\b%2f%00\n",
    b"GET\nh\n/main%3bx\nAuthorization: Bearer \xf9", b"GET\nh\n/main;x?a=b+c&access_token=a+b", b"GET\nh\n/a%2f..;/main%2Fx",
    b"GET\nh\n/failing\nAuthorization: Bearer \xfb\nx-b: jwt=\xff", b"GET\na.open.example\n/hosts\nx-version: 2\nx-version: 3",
    b"POST\nh\n/main\nAuthorization: Bearer \xf8\nx-b: jwt=\xf9",
    # What a gateway's file handles, once, twice, in other letters, and under a name that is read as it.
    b"GET\nh\n/main\nx-original-method: GET\nx-original-uri: /main\nx-assay-fields: x-auth-* x-a-sub,x-b-sub\nAuthorization: Bearer \xf8",
    b"GET\nh\n/main\nx-assay-fields: *\nX-Assay-Fields: x-*\nAuthorization: Bearer \xf8",
    b"GET\nh\n/open\nx_assay_fields: x-a-sub\nx-assay-fields:\nx-a-sub: evil",
    b"GET\nh\n/main\nx-forwarded-method: GET\nx-forwarded-proto: https\nx-forwarded-host: h\nx-forwarded-uri: /main\n"
    b"x-assay-fields: x-a-sub\nAuthorization: Bearer \xfa",
    # Names that another reader takes for a token's, behind a comma and a semicolon.
    b"GET\nh\n/either\nCookie: a=1,session[]=\xf8", b"GET\nh\n/either\nCookie: a, session[0]=\xf8; other=\xf9",
    b"GET\nh\n/either?a;access_token=\xf8", b"GET\nh\n/either?a=1;Access.token[]=\xf8&b",
]


def protobuf(number, content):
    return bytes([number << 3 | 2, len(content) & 0x7f | (0x80 if len(content) > 127 else 0)]) + (
        bytes([len(content) >> 7]) if len(content) > 127 else b"") + content


def check_requests():
    def header(name, value, map_field):
        entry = protobuf(1, name) + protobuf(2, value)
        return protobuf(3, entry) if map_field else protobuf(1, entry)

    base = protobuf(2, b"GET") + protobuf(4, b"/a?b") + protobuf(5, b"h") + protobuf(6, b"https")
    for fields in (
        header(b"authorization", b"Bearer a", True) + header(b":path", b"/a", True), protobuf(13, header(b"cookie", b"a=b", False)),
        protobuf(13, protobuf(1, protobuf(1, b"x") + protobuf(3, b"\xff"))), header(b"a", b"b", True) * 2, header(b"", b"b", True),
        header(b"a b", b"", True), protobuf(13, b"") + header(b"a", b"b", True), b"\x09\0\0\0\0\0\0\0\0\x15\0\0\0\0\x50\x96\x01", b"\x0b",
        b"\x50\xff\xff",
    ):
        message = protobuf(1, protobuf(4, protobuf(2, base + fields)) + protobuf(10, protobuf(1, b"k") + protobuf(2, b"v")))
        yield message
        yield b"\0" + len(message).to_bytes(4, "big") + message
    yield protobuf(1, protobuf(4, protobuf(2, protobuf(2, b"CONNECT") + protobuf(5, b"h:1"))))
    yield protobuf(1, protobuf(10, b"") * 2)
    yield b"\1\0\0\0\0"
    yield b"\0\0\0\0\0"
    yield b"\0\0\0\0\x06" + protobuf(1, b"none")
