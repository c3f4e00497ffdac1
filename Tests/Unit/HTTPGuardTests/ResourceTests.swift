import AssayTesting
import Foundation
import Glibc
import HTTPGuard
import JWKSCache
import TLSTestSupport
import Testing

/// Every fetch releases its resources.
@Suite struct ResourceTests {
    @Test func noDescriptorStaysOpen() async throws {
        let server = try LoopbackServer { request in
            switch Int(request.path.dropFirst()).map({ $0 % 5 }) {
            case 0: .json("{}")
            case 1: .hang
            case 2: .reset
            case 3: .chunked(Array(repeating: Array(repeating: 32, count: 4096), count: 65))
            default: .redirect(to: "https://idp.example/")
            }
        }
        var configuration = GuardedClient.Configuration.loopback
        configuration.limits = RequestLimits(total: .milliseconds(100), connect: .milliseconds(100))
        let transport = try GuardedClient(configuration)
        for round in 0..<20 {
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<10 { group.addTask { _ = await transport.outcome(server.url("/\(round * 10 + number)")) } }
                // One in ten is cancelled, at any stage.
                if round % 10 == 9 { group.cancelAll() }
            }
        }
        #expect(try await Self.socketsLeft(of: server.port) == 1, "besides the one that listens")
    }

    @Test func cancelledFetchSaysSoAndClosesItsConnection() async throws {
        let server = try LoopbackServer { _ in .hang }
        let transport = try GuardedClient(.loopback)
        let fetch = Task { await transport.outcome(server.url()) }
        while server.requests.isEmpty { await Task.yield() }
        #expect(try Self.sockets(of: server.port) == 3)
        fetch.cancel()
        #expect(await fetch.value == .failure(.cancelled))
        #expect(try await Self.socketsLeft(of: server.port) == 1)
    }

    @Test func connectionWithoutAPinnedKeyIsClosed() async throws {
        let authority = try TestAuthority.shared.get()
        let server = try await TLSServer(certificate: "good", authority)
        var configuration = GuardedClient.Configuration.trusting(authority)
        configuration.pins = [try PublicKeyPin(authority.pin("client"))]
        let transport = try GuardedClient(configuration)
        for _ in 0..<10 { #expect(await transport.outcome(server.url()) == .failure(.pinMismatch)) }
        #expect(try await Self.socketsLeft(of: server.port) == 1)
    }

    /// The number of remaining sockets. Clients shut down in the background, so this takes a moment.
    private static func socketsLeft(of port: UInt16) async throws -> Int {
        let deadline = ContinuousClock.now + .seconds(20)
        while try sockets(of: port) > 1, ContinuousClock.now < deadline { await Task.yield() }
        return try sockets(of: port)
    }

    /// How many of this process's descriptors are sockets with this port at either end.
    private static func sockets(of port: UInt16) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }.count { descriptor in
            unsafe self.port(descriptor, at: getsockname) == port || self.port(descriptor, at: getpeername) == port
        }
    }

    private typealias End = (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32

    /// The port at one end of a descriptor, nil if that is not an IPv4 socket.
    private static func port(_ descriptor: Int32, at end: End) -> UInt16? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isKnown = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe end(descriptor, $0, &length) == 0 }
        }
        return isKnown && address.sin_family == sa_family_t(AF_INET) ? UInt16(bigEndian: address.sin_port) : nil
    }
}
