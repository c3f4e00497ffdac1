import AssayTesting
import HTTPGuard
import JWKSCache
import Testing

/// The addresses that may be dialled, and their spellings.
@Suite struct AddressTests {
    static let kinds: [(String, AddressKind)] = [
        ("0.0.0.0", .unspecified), ("0.1.2.3", .unspecified), ("::", .unspecified),
        ("127.0.0.1", .loopback), ("127.255.255.254", .loopback), ("::1", .loopback),
        ("10.0.0.1", .private), ("172.16.0.1", .private), ("172.31.255.255", .private), ("192.168.1.1", .private),
        ("100.64.0.1", .private), ("100.127.255.255", .private), ("fc00::1", .private), ("fdff::1", .private), ("fec0::1", .private),
        ("169.254.0.1", .linkLocal), ("fe80::1", .linkLocal), ("febf::1", .linkLocal),
        ("169.254.169.254", .metadata), ("169.254.170.2", .metadata), ("100.100.100.200", .metadata), ("168.63.129.16", .metadata),
        ("192.0.0.192", .metadata), ("fd00:ec2::254", .metadata), ("fd20:ce::254", .metadata),
        ("224.0.0.1", .multicast), ("239.255.255.255", .multicast), ("ff02::1", .multicast),
        ("255.255.255.255", .reserved), ("240.0.0.1", .reserved), ("192.0.0.1", .reserved), ("192.0.2.1", .reserved),
        ("198.18.0.1", .reserved), ("198.19.255.255", .reserved), ("198.51.100.1", .reserved), ("203.0.113.1", .reserved),
        ("192.88.99.1", .reserved), ("2001:db8::1", .reserved), ("2001::1", .reserved), ("3fff::1", .reserved), ("100::1", .reserved),
        ("64:ff9b:1::1", .reserved), ("4000::1", .reserved), ("::ffff:0:127.0.0.1", .reserved),
        ("1.1.1.1", .global), ("9.255.255.255", .global), ("11.0.0.0", .global), ("100.63.255.255", .global), ("100.128.0.0", .global),
        ("126.255.255.255", .global), ("128.0.0.1", .global), ("169.253.255.255", .global), ("169.255.0.0", .global),
        ("172.15.255.255", .global), ("172.32.0.0", .global), ("198.17.255.255", .global), ("198.20.0.0", .global),
        ("223.255.255.255", .global), ("2606:4700::1111", .global), ("2002:101:101::1", .global), ("64:ff9b::101:101", .global),
        ("::ffff:1.1.1.1", .global),
        // IPv4 in IPv6.
        ("::ffff:127.0.0.1", .loopback), ("::ffff:10.0.0.1", .private), ("::ffff:169.254.169.254", .metadata),
        ("::ffff:0.0.0.0", .unspecified),
        ("::127.0.0.1", .loopback), ("::a9fe:a9fe", .metadata), ("64:ff9b::7f00:1", .loopback), ("64:ff9b::a9fe:a9fe", .metadata),
        ("64:ff9b::e000:1", .multicast), ("2002:7f00:1::", .loopback), ("2002:a00:1::1", .private), ("2002:a9fe:a9fe::", .metadata),
    ]

    @Test(arguments: kinds) func addressHasItsKind(_ text: String, kind: AddressKind) throws {
        #expect(try #require(IPAddress(numeric: text)).kind == kind)
    }

    static let spellings: [(String, String)] = [
        ("127.1", "127.0.0.1"), ("127.0.1", "127.0.0.1"), ("0x7f.1", "127.0.0.1"), ("0x7f000001", "127.0.0.1"), ("2130706433", "127.0.0.1"),
        ("017700000001", "127.0.0.1"), ("0177.0.0.01", "127.0.0.1"), ("0X7F.0.0.1", "127.0.0.1"), ("0", "0.0.0.0"),
        ("2852039166", "169.254.169.254"), ("0xa9.0xfe.0xa9.0xfe", "169.254.169.254"), ("169.254.43518", "169.254.169.254"),
        ("[::ffff:127.0.0.1]", "::ffff:127.0.0.1"), ("[::ffff:7f00:1]", "::ffff:127.0.0.1"), ("[0:0:0:0:0:0:0:1]", "::1"),
        ("[0000::0001]", "::1"), ("[::]", "::"), ("[FD00:EC2::254]", "fd00:ec2::254"), ("[64:ff9b::169.254.169.254]", "64:ff9b::a9fe:a9fe"),
    ]

    @Test(arguments: spellings) func everySpellingIsKnown(_ host: String, address: String) async throws {
        #expect(try Origin("https://\(host)/").host == address)
        let transport = try GuardedClient(GuardedClient.Configuration(limits: .patient))
        #expect(await transport.outcome("https://\(host)/") == .failure(.forbiddenAddress))
    }

    @Test(arguments: AddressKind.allCases) func onlyWhatIsAllowedIsDialled(_ kind: AddressKind) {
        #expect(AddressPolicy().allows(kind) == (kind == .global))
        #expect(AddressPolicy(allowsLoopback: true).allows(kind) == [.global, .loopback].contains(kind))
        #expect(AddressPolicy(allowsPrivate: true).allows(kind) == [.global, .private].contains(kind))
        #expect(AddressPolicy(allowsLinkLocal: true).allows(kind) == [.global, .linkLocal, .metadata].contains(kind))
        let all = AddressPolicy(allowsLoopback: true, allowsPrivate: true, allowsLinkLocal: true)
        #expect(all.allows(kind) == ![.unspecified, .multicast, .reserved].contains(kind))
    }

    @Test func nameWithOneForbiddenAddressIsRefused() async throws {
        let table = ["1.1.1.1", "2606:4700::1111", "10.0.0.1"].compactMap(IPAddress.init(numeric:))
        let client = try GuardedClient(GuardedClient.Configuration(limits: .patient), resolution: AddressResolution { _ in table })
        #expect(await client.failure("https://idp.example/") == .forbiddenAddress)
    }

    @Test func nameOfThisMachineIsRefused() async throws {
        let transport = try GuardedClient(GuardedClient.Configuration(limits: .patient))
        #expect(await transport.outcome("https://localhost/") == .failure(.forbiddenAddress))
    }

    @Test func localhostThatIsElsewhereIsNoLoopback() async throws {
        let elsewhere = AddressResolution { _ in [IPAddress(numeric: "1.1.1.1")!] }
        let client = try GuardedClient(.loopback, resolution: elsewhere)
        #expect(await client.failure("http://localhost/") == .forbiddenAddress)
    }

    @Test func nextAddressIsTriedWhereOneRefuses() async throws {
        let server = try LoopbackServer { _ in .json("{}") }
        let table = ["127.0.0.2", "127.0.0.3", "127.0.0.1"].compactMap(IPAddress.init(numeric:))
        let client = try GuardedClient(.loopback, resolution: AddressResolution { _ in table })
        #expect(try await client.send(OutgoingRequest(url: "http://localhost:\(server.port)/")).status == 200)
        #expect(server.requests.first?.field("Host") == "localhost:\(server.port)")
    }

    @Test func requestThatWasSentIsNotSentToTheNextAddress() async throws {
        let server = try LoopbackServer { _ in .reset }
        let table = ["127.0.0.1", "127.0.0.1"].compactMap(IPAddress.init(numeric:))
        let client = try GuardedClient(.loopback, resolution: AddressResolution { _ in table })
        #expect(await client.failure("http://localhost:\(server.port)/") == .connection)
        #expect(server.requests.count == 1)
    }
}

/// The URLs that are accepted.
@Suite struct URLTests {
    @Test(arguments: [
        "", "keys", "/keys", "ftp://idp.example/", "file:///etc/passwd", "unix:///run/x", "http+unix://x/", "https:idp.example", "https://",
        "https:///keys",
        "https://u@idp.example/", "https://u:p@idp.example/", "https://@idp.example/", "https://idp.example/#x", "https://idp.example#",
        "https://idp.example:0/", "https://idp.example:65536/", "https://idp.example:x/", "https://idp.example:-1/",
        "https://idp .example/",
        "https://idp.example/a b", "https://idp.example/\n", "https://idp.example\\@evil.example/", "https://%31%32%37.0.0.1/",
        "https://ⅰdp.example/", "https://[::1/", "https://::1/", "https://[127.0.0.1]/", "https://[fe80::1%25lo]/", "https://[::1]x/",
        "https://.example/", "https://idp.example./", "https://idp.example:80:90/", "https://a;b/",
    ])
    func urlIsRefused(_ url: String) async throws {
        #expect(try await GuardedClient(GuardedClient.Configuration(limits: .patient)).outcome(url) == .failure(.invalidURL))
    }

    @Test(arguments: [
        ("https://IdP.Example/keys", "https://idp.example"), ("HTTPS://idp.example:443", "https://idp.example"),
        ("https://idp.example:8443?x", "https://idp.example:8443"), ("https://idp.example:/", "https://idp.example"),
        ("https://[2606:4700:0::1111]:8443/", "https://[2606:4700::1111]:8443"), ("http://127.1/", "http://127.0.0.1"),
    ])
    func originIsNormal(_ url: String, origin: String) throws {
        #expect(try Origin(url).description == origin)
    }

    @Test(arguments: ["http://127.0.0.1/", "http://localhost/", "http://[::1]/"]) func httpIsRefusedUnlessAllowed(_ url: String)
        async throws
    {
        let configuration = GuardedClient.Configuration(limits: .patient, addresses: AddressPolicy(allowsLoopback: true))
        #expect(try await GuardedClient(configuration).outcome(url) == .failure(.invalidURL))
    }

    @Test(arguments: ["http://idp.example/", "http://10.0.0.1/", "http://1.1.1.1/", "http://0.0.0.0/", "http://localhost.example/"])
    func httpToAnotherHostIsRefused(_ url: String) async throws {
        #expect(try await GuardedClient(.loopback).outcome(url) == .failure(.invalidURL))
    }

    /// A server without a key cannot have the pinned one.
    @Test(arguments: ["localhost", "127.0.0.1"]) func httpIsRefusedWhereKeysArePinned(_ host: String) async throws {
        let server = try LoopbackServer { _ in .json("{}") }
        var configuration = GuardedClient.Configuration.loopback
        configuration.pins = [try PublicKeyPin("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")]
        #expect(try await GuardedClient(configuration).outcome("http://\(host):\(server.port)/") == .failure(.pinMismatch))
        #expect(server.connections == 0)
    }

    @Test(arguments: ["localhost", "127.0.0.1", "127.1", "2130706433", "LOCALHOST"]) func httpToThisMachineIsAllowed(_ host: String)
        async throws
    {
        let server = try LoopbackServer { _ in .json("{}") }
        #expect(try await GuardedClient(.loopback).outcome("http://\(host):\(server.port)/") == .answer(200, "{}"))
    }
}
