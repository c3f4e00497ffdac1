import HTTPEdge
import NIOCore
import NIOEmbedded
import Testing

@Suite struct AddressCountTests {
    private static func connection(from address: String) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        channel.remoteAddress = try SocketAddress(ipAddress: address, port: 1)
        return channel
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false), ("192.0.2.1", "::ffff:192.0.2.1", true),
        ("2001:db8::1", "2001:db8::ffff:1:2:3", true), ("2001:db8::1", "2001:db8:0:1::1", false),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", false),
    ])
    func aFurtherConnectionOfANetworkIsRefused(first: String, second: String, isSame: Bool) throws {
        let counts = AddressCounts(limit: 2) { _ in false }
        for _ in 0..<2 { #expect(counts.admit(try Self.connection(from: first))) }
        #expect(counts.admit(try Self.connection(from: second)) == !isSame)
    }

    @Test func aClosedConnectionCountsNoMore() throws {
        let counts = AddressCounts(limit: 1) { _ in false }
        let first = try Self.connection(from: "192.0.2.1")
        #expect(counts.admit(first))
        #expect(!counts.admit(try Self.connection(from: "192.0.2.1")))
        _ = try first.finish()
        #expect(counts.admit(try Self.connection(from: "192.0.2.1")))
    }

    @Test func aProxyMayHaveAnyNumber() throws {
        let counts = AddressCounts(limit: 1) { $0 == "192.0.2.1" }
        for _ in 0..<10 { #expect(counts.admit(try Self.connection(from: "192.0.2.1"))) }
    }
}
