#if HTTP
import Foundation
import HTTPGuard
import JWKSCache
import JWKSHTTP
import LoopbackServer
import Testing

/// Every fetch gives back what it took.
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
        let transport = try HTTPTransport(configuration)
        for round in 0..<20 {
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<10 { group.addTask { _ = await transport.outcome(server.url("/\(round * 10 + number)")) } }
                // One in ten is cancelled, wherever it is.
                if round % 10 == 9 { group.cancelAll() }
            }
        }
        #expect(try await Self.socketsLeft(of: server.port) == 1, "besides the one that listens")
    }

    @Test func cancelledFetchClosesItsConnection() async throws {
        let server = try LoopbackServer { _ in .hang }
        let transport = try HTTPTransport(.loopback)
        let fetch = Task { await transport.outcome(server.url()) }
        while server.requests.isEmpty { await Task.yield() }
        #expect(try Self.sockets(of: server.port) == 3)
        fetch.cancel()
        _ = await fetch.value
        #expect(try await Self.socketsLeft(of: server.port) == 1)
    }

    @Test func connectionWithoutAPinnedKeyIsClosed() async throws {
        let authority = try TestAuthority.shared.get()
        let server = try await TLSServer(certificate: "good", authority)
        let configuration = GuardedClient.Configuration(
            limits: .patient, addresses: AddressPolicy(allowsLoopback: true), trustRoots: .only(authority.root),
            pins: [try PublicKeyPin(authority.pin("client"))])
        let transport = try HTTPTransport(configuration)
        for _ in 0..<10 { #expect(await transport.outcome(server.url()) == .failure(.pinMismatch)) }
        #expect(try await Self.socketsLeft(of: server.port) == 1)
    }

    /// The number that remains. Clients are shut down without anybody waiting, so it takes a moment to get there.
    private static func socketsLeft(of port: UInt16) async throws -> Int {
        let deadline = ContinuousClock.now + .seconds(20)
        while try sockets(of: port) > 1, ContinuousClock.now < deadline { await Task.yield() }
        return try sockets(of: port)
    }

    /// How many of this process's descriptors are sockets with this port at either end.
    private static func sockets(of port: UInt16) throws -> Int {
        let ownPort = ":" + String(format: "%04X", port)
        let inodes = Set(
            try String(contentsOfFile: "/proc/self/net/tcp", encoding: .utf8).split(separator: "\n").compactMap { line -> String? in
                let words = line.split(separator: " ")
                return words.count > 9 && (words[1].hasSuffix(ownPort) || words[2].hasSuffix(ownPort)) ? "socket:[\(words[9])]" : nil
            })
        let files = FileManager.default
        return try files.contentsOfDirectory(atPath: "/proc/self/fd").count {
            (try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")).map(inodes.contains) ?? false
        }
    }
}
#endif
