import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Testing

/// A server that ends between any two steps of a login, and goes on over the same store.
struct RestartSentences {
    private static func start(_ clock: ManualServerClock, _ directory: URL? = nil) async throws -> LiveServer {
        try await LiveServer(clock: clock, directory: directory) {
            $0.simulators = true
            $0.limits = .without()
            $0.signing.algorithm = "ES256"
        }
    }

    private static func restarted(_ server: LiveServer) async throws -> LiveServer {
        try await server.stopKeepingFiles()
        return try await start(server.clock, server.directory)
    }

    /// 17, 24: The simulators forget their codes with the server, so a second exchange would be refused.
    @Test
    func aLostReplyIsGivenAgainByTheServerThatFollows() async throws {
        let first = try await Self.start(ManualServerClock())
        defer { try? FileManager.default.removeItem(at: first.directory) }
        try await first.server.services.administration.useSimulators(for: LiveServer.client)
        let person = Person(first)
        let (code, token) = (try await person.wechatCode(), try await person.carrierToken())
        let step = try #require(try await person.logInByWeChat(code).string("state_token"))
        let session = try #require(try await person.logInByCarrier(token).string("session_token"))
        let second = try await Self.restarted(first)
        let later = Person(second)
        #expect(try await later.logInByWeChat(code).string("state_token") == step)
        #expect(try await later.logInByCarrier(token).string("session_token") == session)
        second.clock.advance(by: 30)
        #expect(try await later.logInByWeChat(code).outcome == "COMMON.1006")
        #expect(try await later.complete(WirePath.socialRegister, step, try await later.code(.register, step)).outcome == "ok")
        try await second.stopKeepingFiles()
    }

    /// Asked but not answered, answered but not polled, polled: each goes on where it was.
    @Test
    func aSecondFactorGoesOnAfterEachStep() async throws {
        var server = try await Self.start(ManualServerClock())
        defer { try? FileManager.default.removeItem(at: server.directory) }
        try await server.server.services.administration.useSimulators(for: LiveServer.client)
        try await server.addUser(Person(server).mobile)
        var phone = try await WirePhone(of: Person(server))
        #expect(try await phone.bind().outcome == "ok")
        server = try await Self.restarted(server)
        let waiting = try await Waiting(Person(server))
        server = try await Self.restarted(server)
        let key = phone.key
        // The next server has another port, so its issuer has another name: the phone logs in again.
        phone = try await WirePhone(of: Person(server))
        phone.key = key
        #expect(try await phone.approve(waiting).outcome == "ok")
        server = try await Self.restarted(server)
        let pc = Person(server)
        let tokens = try server.tokens(try await pc.poll(waiting.stateToken, waiting.id))
        server = try await Self.restarted(server)
        #expect(try await Person(server).poll(waiting.stateToken, waiting.id).outcome == "COMMON.1005")
        #expect(try await Person(server).refresh(tokens).outcome == "ok")
        try await server.stopKeepingFiles()
    }
}
