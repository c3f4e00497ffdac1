#if IDaaS
import Foundation
import IDaaSServer
import JWTCore
import Secrets
import Testing

/// A server with settings of its own, and a command line over the same store that knows the defaults alone.
@Suite("Signing keys beside a server")
struct SigningPolicyTests {
    private static let day = 86_400

    private func server(_ folder: URL? = nil, clock: StandingClock = StandingClock(), idToken: Int = day) async throws -> Domain {
        var signing = SigningSettings(algorithm: .es256)
        signing.publication = 3 * Self.day
        var lifetimes = Lifetimes()
        lifetimes.idToken = idToken
        return try await Domain(limits: .wide, lifetimes: lifetimes, signing: signing, in: folder, clock: clock)
    }

    private func commandLine(_ server: Domain) async throws -> Domain {
        try await Domain(signing: SigningSettings(algorithm: .rs256), in: server.folder, clock: server.clock, isServing: false)
    }

    private func keys(_ domain: Domain) async throws -> [StoredSigningKey] { try await domain.store.read { try $0.signingKeys() } }

    private func states(_ domain: Domain) async throws -> [KeyState] { try await domain.services.keys.list().map(\.state) }

    @Test("A command that has nothing to do with keys leaves them as they are, whatever is due by its own settings")
    func untouched() async throws {
        let server = try await server()
        try await server.services.keys.rotate(now: false)
        server.clock.advance(Self.day)
        let before = try await keys(server)
        let commandLine = try await commandLine(server)
        _ = try await commandLine.services.administration.users()
        #expect(try await commandLine.services.keys.list().map(\.state) == [.active, .next])
        #expect(try await keys(server) == before)
    }

    @Test("A command makes no key in a store that no server has opened; rotating makes the first")
    func first() async throws {
        let commandLine = try await Domain(isServing: false)
        #expect(try await keys(commandLine) == [])
        try await commandLine.services.keys.rotate(now: false)
        #expect(try await states(commandLine) == [.active])
    }

    @Test("A rotation from the command line makes the server's kind of key, which signs when the server's time has come")
    func rotation() async throws {
        let server = try await server()
        let commandLine = try await commandLine(server)
        try await commandLine.services.keys.rotate(now: false)
        #expect(try await keys(server).map(\.algorithm) == ["ES256", "ES256"])
        server.clock.advance(3 * Self.day - 1)
        for domain in [server, commandLine] { try await domain.services.keys.maintain() }
        #expect(try await states(server) == [.active, .next])
        server.clock.advance(1)
        try await commandLine.services.keys.maintain()
        #expect(try await states(server) == [.retiring, .active])
    }

    @Test("A key retired from the command line stays for the lifetime of the server's id_tokens", arguments: [(-1, true), (0, false)])
    func overlap(_ offset: Int, _ isPublished: Bool) async throws {
        let server = try await server()
        let commandLine = try await commandLine(server)
        try await commandLine.services.keys.rotate(now: true)
        server.clock.advance(Self.day + 660 + offset)
        for domain in [server, commandLine] {
            try await domain.services.keys.maintain()
            #expect(try await states(domain) == [isPublished ? .retiring : .gone, .active])
        }
    }

    @Test("Shorter id_tokens later do not withdraw a key from the longer ones", arguments: [true, false])
    func shortened(_ isRetiredBefore: Bool) async throws {
        let former = try await server()
        if isRetiredBefore { try await former.services.keys.rotate(now: true) }
        let server = try await server(former.folder, clock: former.clock, idToken: 60)
        if !isRetiredBefore { try await server.services.keys.rotate(now: true) }
        server.clock.advance(Self.day + 660 - 1)
        try await server.services.keys.maintain()
        #expect(try await states(server) == [.retiring, .active])
        server.clock.advance(1)
        try await server.services.keys.maintain()
        #expect(try await states(server) == [.gone, .active])
        withExtendedLifetime(former) {}
    }

    @Test("A key that was retired before ends were kept has the end of the settings")
    func older() async throws {
        let server = try await server()
        try await server.services.keys.rotate(now: true)
        try await server.store.write { store in
            for var key in try store.signingKeys() {
                key.publishedUntil = nil
                try store.save(key)
            }
        }
        server.clock.advance(Self.day + 660 - 1)
        #expect(try await states(server) == [.retiring, .active])
        server.clock.advance(1)
        #expect(try await states(server) == [.gone, .active])
    }
}
#endif
