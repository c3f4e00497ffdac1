import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import JWTCore
import Secrets
import Testing

/// A server with its own settings, and a command line over the same store that knows only the defaults.
struct SigningPolicyTests {
    private static let day = 86_400

    private func server(_ folder: URL? = nil, clock: ManualServerClock = Domain.clock(), idToken: Int = day) async throws -> Domain {
        var signing = SigningSettings(algorithm: .es256)
        signing.publication = .seconds(3 * Self.day)
        var lifetimes = Lifetimes()
        lifetimes.idToken = .seconds(idToken)
        return try await Domain(limits: .without(), lifetimes: lifetimes, signing: signing, in: folder, clock: clock)
    }

    private func commandLine(_ server: Domain) async throws -> Domain {
        try await Domain(signing: SigningSettings(algorithm: .rs256), in: server.folder, clock: server.clock, isServing: false)
    }

    private func keys(_ domain: Domain) async throws -> [StoredSigningKey] { try await domain.store.read { try $0.signingKeys() } }

    private func states(_ domain: Domain) async throws -> [KeyState] { try await domain.services.keys.list().map(\.state) }

    /// A command that does not concern keys leaves them unchanged, whatever its own settings make due.
    @Test
    func otherCommandsLeaveKeysUnchanged() async throws {
        let server = try await server()
        try await server.services.keys.rotate(now: false)
        server.clock.advance(by: Self.day)
        let before = try await keys(server)
        let commandLine = try await commandLine(server)
        _ = try await commandLine.services.administration.users()
        #expect(try await commandLine.services.keys.list().map(\.state) == [.active, .next])
        #expect(try await keys(server) == before)
    }

    /// A command makes no key in a store that no server has opened; a rotation makes the first.
    @Test
    func aCommandMakesTheFirstKeyByRotationAlone() async throws {
        let commandLine = try await Domain(isServing: false)
        #expect(try await keys(commandLine) == [])
        try await commandLine.services.keys.rotate(now: false)
        #expect(try await states(commandLine) == [.active])
    }

    /// A rotation from the command line makes the server's kind of key, which signs after the server's publication time.
    @Test
    func aCommandRotatesToTheServersKindOfKey() async throws {
        let server = try await server()
        let commandLine = try await commandLine(server)
        try await commandLine.services.keys.rotate(now: false)
        #expect(try await keys(server).map(\.algorithm) == ["ES256", "ES256"])
        server.clock.advance(by: 3 * Self.day - 1)
        for domain in [server, commandLine] { try await domain.services.keys.maintain() }
        #expect(try await states(server) == [.active, .next])
        server.clock.advance(by: 1)
        try await commandLine.services.keys.maintain()
        #expect(try await states(server) == [.retiring, .active])
    }

    /// A key retired from the command line stays for the lifetime of the server's id_tokens.
    @Test(arguments: [(-1, true), (0, false)])
    func aKeyRetiredByACommandStaysForItsIdTokens(_ offset: Int, _ isPublished: Bool) async throws {
        let server = try await server()
        let commandLine = try await commandLine(server)
        try await commandLine.services.keys.rotate(now: true)
        server.clock.advance(by: Self.day + 660 + offset)
        for domain in [server, commandLine] {
            try await domain.services.keys.maintain()
            #expect(try await states(domain) == [isPublished ? .retiring : .gone, .active])
        }
    }

    @Test(arguments: [true, false])
    func shorterIdTokensLaterDoNotWithdrawAKeyFromTheLongerOnes(_ isRetiredBefore: Bool) async throws {
        let former = try await server()
        if isRetiredBefore { try await former.services.keys.rotate(now: true) }
        let server = try await server(former.folder, clock: former.clock, idToken: 60)
        if !isRetiredBefore { try await server.services.keys.rotate(now: true) }
        server.clock.advance(by: Self.day + 660 - 1)
        try await server.services.keys.maintain()
        #expect(try await states(server) == [.retiring, .active])
        server.clock.advance(by: 1)
        try await server.services.keys.maintain()
        #expect(try await states(server) == [.gone, .active])
        withExtendedLifetime(former) {}
    }

    @Test
    func aKeyThatWasRetiredBeforeEndsWereKeptHasTheEndOfTheSettings() async throws {
        let server = try await server()
        try await server.services.keys.rotate(now: true)
        try await server.store.write { store in
            for var key in try store.signingKeys() {
                key.publishedUntil = nil
                try store.save(key)
            }
        }
        server.clock.advance(by: Self.day + 660 - 1)
        #expect(try await states(server) == [.retiring, .active])
        server.clock.advance(by: 1)
        #expect(try await states(server) == [.gone, .active])
    }
}
