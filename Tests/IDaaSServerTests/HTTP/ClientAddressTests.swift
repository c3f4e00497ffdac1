#if IDaaS
import IDaaSServer
import Testing

@Suite("The address of a client")
struct ClientAddressTests {
    private static let proxies = TrustedProxies(["10.0.0.0/8", "127.0.0.1", "2001:db8:1::/48"].compactMap(AddressBlock.init))

    @Test(
        "X-Forwarded-For is believed from a trusted proxy only, and only as far back as proxies wrote it",
        arguments: [
            ("192.0.2.9", [], "192.0.2.9"), ("192.0.2.9", ["198.51.100.1"], "192.0.2.9"), ("10.1.2.3", ["198.51.100.1"], "198.51.100.1"),
            ("10.1.2.3", ["203.0.113.5, 198.51.100.1"], "198.51.100.1"),
            ("10.1.2.3", ["203.0.113.5, 198.51.100.1, 10.9.9.9"], "198.51.100.1"),
            ("10.1.2.3", ["203.0.113.5", "198.51.100.1"], "198.51.100.1"), ("10.1.2.3", [], "10.1.2.3"),
            ("10.1.2.3", ["nonsense"], "10.1.2.3"),
            ("10.1.2.3", ["198.51.100.1, nonsense"], "10.1.2.3"), ("10.1.2.3", ["198.51.100.1:4711"], "198.51.100.1"),
            ("10.1.2.3", ["[2001:db8::7]:443"], "2001:db8::7"), ("2001:db8:1::5", ["2001:DB8:0::7"], "2001:db8::7"),
            ("::ffff:192.0.2.9", ["198.51.100.1"], "192.0.2.9"), ("::ffff:10.1.2.3", ["198.51.100.1"], "198.51.100.1"),
        ] as [(String, [String], String)])
    func clientAddress(peer: String, forwarded: [String], expected: String) {
        #expect(Self.proxies.clientAddress(peer: peer, forwardedFor: forwarded) == expected)
    }

    @Test("Nobody is believed without trusted proxies")
    func untrusting() {
        #expect(TrustedProxies([]).clientAddress(peer: "127.0.0.1", forwardedFor: ["198.51.100.1"]) == "127.0.0.1")
    }

    @Test(
        "A block holds the addresses that begin with it",
        arguments: [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("192.0.2.128/25", "192.0.2.127", false),
            ("192.0.2.128/25", "192.0.2.128", true), ("0.0.0.0/0", "203.0.113.1", true), ("0.0.0.0/0", "::1", false), ("::1", "::1", true),
            ("127.0.0.0/8", "::ffff:127.0.0.1", true),
        ])
    func block(text: String, address: String, holds: Bool) throws {
        #expect(try #require(AddressBlock(text)).contains(address) == holds)
    }

    @Test(
        "What is no address is no block",
        arguments: ["", "localhost", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/8/8", "::1/129", "a/8", "10.0.0.0/-1"])
    func noBlock(text: String) {
        #expect(AddressBlock(text) == nil)
    }
}
#endif
