import Gateway
import GatewayServer
import Testing

@Suite struct CheckRequestTests {
    private static func decoded(_ message: [UInt8]) -> Result<CheckRequest, ProtobufFault> {
        Result { () throws(ProtobufFault) in try CheckRequest(decoding: message.span) }
    }

    private static func fault(_ message: [UInt8]) -> ProtobufFault? {
        if case .failure(let fault) = decoded(message) { fault } else { nil }
    }

    @Test func everyFactHasItsField() throws {
        let http =
            Protobuf.text(1, "id-1") + Protobuf.text(2, "POST") + Protobuf.entry(3, ":path", "/a")
            + Protobuf.entry(3, "Authorization", "B t")
            + Protobuf.text(4, "/a?b=%2e#c") + Protobuf.text(5, "api.example:8443") + Protobuf.text(6, "https") + Protobuf.number(9, .max)
            + Protobuf.text(10, "HTTP/2") + Protobuf.text(11, "body")
        let attributes =
            Protobuf.bytes(1, Protobuf.text(4, "spiffe://peer")) + Protobuf.entry(10, "tier", "gold") + Protobuf.entry(10, "route", "r")
        let facts = try Self.decoded(Protobuf.checkRequest(http: http, attributes: attributes)).get().facts
        #expect(facts.method == "POST" && facts.target == "/a?b=%2e#c" && facts.host == "api.example:8443" && facts.scheme == "https")
        #expect(facts.fields == [Field("authorization", "B t")])
        #expect(facts.context == ["tier": "gold", "route": "r"])
    }

    /// `source.address.socket_address.address`; only where the log has it.
    @Test func theClientHasItsAddress() throws {
        func message(_ address: [UInt8]) -> [UInt8] {
            Protobuf.checkRequest(http: Protobuf.get, attributes: Protobuf.bytes(1, Protobuf.bytes(1, address) + Protobuf.text(4, "peer")))
        }
        let socket = message(Protobuf.bytes(1, Protobuf.number(1, 0) + Protobuf.text(2, "192.0.2.7") + Protobuf.number(3, 443)))
        #expect(try CheckRequest(decoding: socket.span, readsClient: true).facts.client == "192.0.2.7")
        #expect(try CheckRequest(decoding: socket.span).facts.client == nil)
        let pipe = message(Protobuf.bytes(2, Protobuf.text(1, "/run/client.sock")))
        #expect(try CheckRequest(decoding: pipe.span, readsClient: true).facts.client == nil)
        let two = message(Protobuf.bytes(1, Protobuf.text(2, "192.0.2.7") + Protobuf.text(2, "192.0.2.8")))
        #expect(throws: ProtobufFault.repeatedField) { try CheckRequest(decoding: two.span, readsClient: true) }
    }

    @Test func theListOfHeadersKeepsOrderAndRepetition() throws {
        let list =
            Protobuf.bytes(1, Protobuf.text(1, "cookie") + Protobuf.text(3, "a=1")) + Protobuf.bytes(1, Protobuf.text(1, ":method"))
            + Protobuf.bytes(1, Protobuf.text(1, "cookie") + Protobuf.text(2, "b=2")) + Protobuf.bytes(1, Protobuf.text(1, "x-empty"))
            + Protobuf.bytes(1, Protobuf.text(1, "x-raw") + Protobuf.bytes(3, [0x41, 0xff, 0x42]))
        let facts = try Self.decoded(Protobuf.checkRequest(http: Protobuf.get + Protobuf.bytes(13, list))).get().facts
        #expect(facts.fields == [Field("cookie", "a=1"), Field("cookie", "b=2"), Field("x-empty", ""), Field("x-raw", "A\u{fffd}B")])
    }

    @Test func aTunnelHasItsAuthorityAsTarget() throws {
        let http = Protobuf.text(2, "CONNECT") + Protobuf.text(5, "db.example:5432")
        #expect(try Self.decoded(Protobuf.checkRequest(http: http)).get().facts.target == "db.example:5432")
    }

    @Test func unknownFieldsAreSkippedWhateverTheyContain() throws {
        let unknown =
            Protobuf.number(200, 1) + Protobuf.bytes(201, [0xff, 0xff]) + Protobuf.tag(202, wireType: 5) + [1, 2, 3, 4]
            + Protobuf.tag(203, wireType: 1) + [1, 2, 3, 4, 5, 6, 7, 8]
        let message =
            unknown + Protobuf.bytes(1, unknown + Protobuf.bytes(4, unknown + Protobuf.bytes(2, unknown + Protobuf.get) + unknown))
            + unknown
        #expect(try Self.decoded(message).get().facts.target == "/")
    }

    @Test func nestingIsNeverFollowed() {
        var nested: [UInt8] = []
        for _ in 0..<20_000 { nested = Protobuf.bytes(1, nested) }
        #expect(Self.fault(nested) == .missingField)
        #expect(Self.fault(Protobuf.checkRequest(http: Protobuf.get, attributes: Protobuf.bytes(11, nested))) == nil)
    }

    @Test(arguments: [
        ([], ProtobufFault.missingField),
        (Protobuf.checkRequest(http: Protobuf.text(2, "GET")), .missingField),
        (Protobuf.checkRequest(http: Protobuf.text(4, "/")), .missingField),
        (Protobuf.checkRequest(http: Protobuf.get + Protobuf.text(2, "PUT")), .repeatedField),
        (Protobuf.checkRequest(http: Protobuf.get + Protobuf.text(4, "/other")), .repeatedField),
        (Protobuf.checkRequest(http: Protobuf.get) + Protobuf.checkRequest(http: Protobuf.get), .repeatedField),
        (Protobuf.bytes(1, Protobuf.bytes(4, Protobuf.bytes(2, Protobuf.get) + Protobuf.bytes(2, []))), .repeatedField),
        (Protobuf.checkRequest(http: Protobuf.get, attributes: Protobuf.bytes(4, [])), .repeatedField),
        (
            Protobuf.checkRequest(http: Protobuf.get + Protobuf.entry(3, "authorization", "a") + Protobuf.entry(3, "Authorization", "b")),
            .repeatedField
        ),
        (
            Protobuf.checkRequest(http: Protobuf.get, attributes: Protobuf.entry(10, "k", "a") + Protobuf.entry(10, "k", "b")),
            .repeatedField
        ),
        (Protobuf.checkRequest(http: Protobuf.get + Protobuf.entry(3, "a", "b") + Protobuf.bytes(13, [])), .repeatedField),
        (
            Protobuf.checkRequest(
                http: Protobuf.get
                    + Protobuf.bytes(13, Protobuf.bytes(1, Protobuf.text(1, "a") + Protobuf.text(2, "b") + Protobuf.text(3, "c")))),
            .repeatedField
        ),
        (Protobuf.checkRequest(http: Protobuf.get + Protobuf.bytes(3, Protobuf.text(1, "a") + Protobuf.text(1, "b"))), .repeatedField),
        (Protobuf.checkRequest(http: Protobuf.get + Protobuf.entry(3, "", "b")), .missingField),
        (Protobuf.checkRequest(http: Protobuf.get + Protobuf.entry(3, "x y", "b")), .invalidName),
        // The Kelvin sign is a k in lower case.
        (Protobuf.checkRequest(http: Protobuf.get + Protobuf.entry(3, "x-to\u{212a}en", "b")), .invalidName),
        (Protobuf.number(1, 1), .wrongWireType),
        (Protobuf.checkRequest(http: Protobuf.number(2, 1)), .wrongWireType),
        (Protobuf.checkRequest(http: Protobuf.get + Protobuf.number(3, 1)), .wrongWireType),
        (Protobuf.checkRequest(http: Protobuf.text(2, "GET") + Protobuf.bytes(4, [0x2f, 0xff])), .invalidUTF8),
        (Protobuf.checkRequest(http: Protobuf.get + Protobuf.bytes(3, Protobuf.bytes(1, [0xc0, 0x80]))), .invalidUTF8),
    ])
    func whatCouldBeReadInTwoWaysIsRefused(_ message: [UInt8], _ expected: ProtobufFault) {
        #expect(Self.fault(message) == expected)
    }

    @Test func everyTruncationIsRefused() {
        let http = Protobuf.get + Protobuf.entry(3, "authorization", "Bearer token") + Protobuf.text(5, "host")
        let message = Protobuf.checkRequest(http: http)
        #expect(Self.fault(message) == nil)
        for count in 1..<message.count { #expect(Self.fault(Array(message[..<count])) == .truncated, "\(count)") }
    }

    @Test func entriesAreCounted() {
        func headers(_ count: Int) -> [UInt8] { (0..<count).flatMap { Protobuf.entry(3, "h\($0)", "") } }
        func extensions(_ count: Int) -> [UInt8] { (0..<count).flatMap { Protobuf.entry(10, "k\($0)", "") } }
        #expect(Self.fault(Protobuf.checkRequest(http: Protobuf.get + headers(1_024), attributes: extensions(256))) == nil)
        #expect(Self.fault(Protobuf.checkRequest(http: Protobuf.get + headers(1_025))) == .tooManyEntries)
        #expect(Self.fault(Protobuf.checkRequest(http: Protobuf.get, attributes: extensions(257))) == .tooManyEntries)
    }
}
