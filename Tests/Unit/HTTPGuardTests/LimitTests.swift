import AssayTesting
import HTTPGuard
import JWKSCache
import JWTTestSupport
import Testing

/// The limit of a body, to the byte.
@Suite struct LimitTests {
    private static let limit = 262_144

    enum Framing: CaseIterable, Sendable { case length, chunks, untilClose, gzip }

    @Test(arguments: Framing.allCases) func bodyOfTheLimitIsTaken(_ framing: Framing) async throws {
        let outcome = try await outcome(of: Self.limit, framing)
        #expect(outcome == .answer(200, String(repeating: " ", count: Self.limit)))
    }

    @Test(arguments: Framing.allCases) func bodyOneByteLongerIsRefused(_ framing: Framing) async throws {
        #expect(try await outcome(of: Self.limit + 1, framing) == .failure(.tooLarge))
    }

    @Test func bombIsRefused() async throws {
        let bomb = try Self.gzip(50_000_000)
        #expect(bomb.count < Self.limit)
        let server = try LoopbackServer { _ in .status(200, [("Content-Encoding", "gzip")], body: bomb) }
        #expect(try await GuardedClient(.loopback).outcome(server.url()) == .failure(.tooLarge))
    }

    @Test func truncatedGzipIsRefused() async throws {
        let part = try Array(Self.gzip(1000).dropLast(9))
        let server = try LoopbackServer { _ in .status(200, [("Content-Encoding", "gzip")], body: part) }
        #expect(try await GuardedClient(.loopback).outcome(server.url()) == .failure(.malformed))
    }

    @Test func requestHasATimeLimitOfItsOwn() async throws {
        let server = try LoopbackServer { $0.path == "/hang" ? .hang : .json("[1234]") }
        let client = try GuardedClient(.loopback)
        #expect(await client.failure(OutgoingRequest(url: server.url("/hang"), timeLimit: .milliseconds(500))) == .timedOut)
        #expect(try await client.send(OutgoingRequest(url: server.url())).status == 200)
    }

    private func outcome(of size: Int, _ framing: Framing) async throws -> Outcome {
        let body = [UInt8](repeating: 32, count: size)
        let gzip = framing == .gzip ? try Self.gzip(size) : []
        let server = try LoopbackServer { _ in
            switch framing {
            case .length: .status(200, body: body)
            case .chunks: .chunked([Array(body[..<100_000]), Array(body[100_000...])])
            case .untilClose: LoopbackAnswer([.send(LoopbackAnswer.head(200, [])), .send(body), .close])
            case .gzip: .status(200, [("Content-Encoding", "gzip")], body: gzip)
            }
        }
        return try await GuardedClient(.loopback).outcome(server.url())
    }

    /// `count` spaces, compressed.
    private static func gzip(_ count: Int) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        try #require(Shell.run("head -c \(count) /dev/zero | tr '\\0' ' ' | gzip -n >\(folder.path)/bomb") == 0)
        return folder.bytes("bomb")
    }
}
