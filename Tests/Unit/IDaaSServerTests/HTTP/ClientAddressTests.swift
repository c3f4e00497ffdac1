import IDaaSServer
import Testing

struct ClientAddressTests {
    private static let proxies = TrustedProxies(["10.0.0.0/8", "127.0.0.1", "2001:db8:1::/48"].compactMap(AddressBlock.init))

    /// X-Forwarded-For is used only from a trusted proxy, and only as far back as proxies wrote it.
    @Test(
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

    @Test
    func nobodyIsBelievedWithoutTrustedProxies() {
        #expect(TrustedProxies([]).clientAddress(peer: "127.0.0.1", forwardedFor: ["198.51.100.1"]) == "127.0.0.1")
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("192.0.2.128/25", "192.0.2.127", false),
        ("192.0.2.128/25", "192.0.2.128", true), ("0.0.0.0/0", "203.0.113.1", true), ("0.0.0.0/0", "::1", false), ("::1", "::1", true),
        ("127.0.0.0/8", "::ffff:127.0.0.1", true),
    ])
    func aBlockHoldsTheAddressesThatBeginWithIt(text: String, address: String, holds: Bool) throws {
        #expect(try #require(AddressBlock(text)).contains(address) == holds)
    }

    @Test(arguments: ["", "localhost", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/8/8", "::1/129", "a/8", "10.0.0.0/-1"])
    func whatIsNoAddressIsNoBlock(text: String) {
        #expect(AddressBlock(text) == nil)
    }
}
