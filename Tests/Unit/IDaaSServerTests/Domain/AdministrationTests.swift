import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Secrets
import Testing

struct AdministrationTests {
    private let domain: Domain
    private var administration: Administration { domain.services.administration }

    init() async throws { domain = try await Domain() }

    /// Clients are added with a key, listed, configured and removed with their sessions.
    @Test
    func clientsAreAddedConfiguredAndRemoved() async throws {
        let client = try await administration.addClient(name: "Second")
        #expect(client.id.wholeMatch(of: /[0-9A-Za-z]{32}/) != nil)
        #expect(client.signatureKey?.publicKey.hasPrefix("-----BEGIN PUBLIC KEY-----") == true)
        #expect(Set(try await administration.allClients().map(\.id)) == ["client-1", client.id])
        #expect(try await domain.services.clients.find(client.id) == client)
        _ = try await administration.configure(client.id) { $0.compatibleCaptchaToken = true }
        let changed = try await administration.configure(client.id) { $0.rotatesSessionTokens = false }
        #expect(try await domain.services.clients.find(client.id) == changed)
        #expect(changed.settings.compatibleCaptchaToken && !changed.settings.rotatesSessionTokens && changed.settings.sms)
        await #expect(throws: AdministrationFailure.unknownClient) { try await administration.configure("nobody") { $0.sms = false } }
        let login = try await domain.login(to: Domain.mobile, domain.caller(client: changed))
        try await administration.removeClient(client.id)
        #expect(try await domain.services.clients.find(client.id) == nil)
        #expect(try await domain.store.read { try $0.session(login.sid) } == nil)
        await #expect(throws: AdministrationFailure.unknownClient) { try await administration.removeClient(client.id) }
    }

    @Test
    func aChangeOfAClientByAnotherProcessIsNoticedWithin5S() async throws {
        _ = try await domain.services.clients.find("client-1")
        try await domain.store.write { _ = try $0.removeClient("client-1", at: Timestamp(seconds: 1)) }
        domain.clock.advance(by: 5)
        #expect(try await domain.services.clients.find("client-1") == nil)
    }

    @Test(arguments: ["", "a b", "é", "a\n", String(repeating: "a", count: 65)])
    func anIdThatNoHeaderCanCarryIsRefused(_ id: String) async throws {
        await #expect(throws: AdministrationFailure.invalidClientID) {
            try await administration.addClient(name: "x", id: id)
        }
    }

    @Test(arguments: ["Shop\u{1b}[2J", "a\nb", "\u{9b}31m", "\u{202e}evil", "a\u{2028}b", String(repeating: "a", count: 257)])
    func whatIsNoTextNamesNobody(_ text: String) async throws {
        await #expect(throws: AdministrationFailure.invalidText) { try await administration.addClient(name: text) }
        await #expect(throws: AdministrationFailure.invalidText) { try await administration.addUser(mobile: "13800000001", name: text) }
        await #expect(throws: AdministrationFailure.invalidText) { try await administration.addUser(mobile: "13800000001", userName: text) }
        await #expect(throws: AdministrationFailure.invalidText) { try await administration.addUser(mobile: "13800000001", email: text) }
        _ = try await administration.addUser(mobile: "13800000001", name: "张三 👨‍👩‍👧", email: "a@example.com")
    }

    @Test
    func repeatedIdsAndMalformedTestCodesAreRefused() async throws {
        await #expect(throws: AdministrationFailure.clientExists) { try await administration.addClient(name: "x", id: "client-1") }
        _ = try await administration.addUser(mobile: "13800000000")
        await #expect(throws: AdministrationFailure.userExists) { try await administration.addUser(mobile: "+86-13800000000") }
        for code in ["12345", "1234567", "12345a", "１２３４５６"] {
            await #expect(throws: AdministrationFailure.invalidTestCode) {
                try await administration.addUser(mobile: "13800000001", testCode: code)
            }
        }
    }

    @Test
    func aLockedUserIsOutAtOnceAndGetsNoCodeUntilUnlocked() async throws {
        let domain = try await Domain(limits: .without())
        let login = try await domain.login()
        try await domain.send()
        let code = try #require(domain.gateway.code(to: Domain.mobile))
        try await domain.services.administration.lockUser(login.userID)
        let caller = domain.caller()
        #expect(try await refusal { try await domain.services.tokens.bearer(login.idToken, for: caller) }?.code == .expired)
        let refreshed = try await refusal { try await domain.services.sessions.refresh(sessionToken: login.sessionToken, for: caller) }
        #expect(refreshed?.code == .expired)
        #expect(try await refusal { try await domain.login(code) } == ServiceError(.smsCodeIncorrect))
        let sent = domain.gateway.messages.count
        try await domain.send()
        #expect(domain.gateway.messages.count == sent && domain.sink.messages.count == 1)
        try await domain.services.administration.unlockUser("13800000000")
        #expect(try await domain.login().userID == login.userID)
    }

    /// Ten wrong codes for the number.
    private func lock(_ domain: Domain) async throws {
        for attempt in 1...10 {
            if attempt % 5 == 1 { try await domain.send() }
            _ = try await refusal { try await domain.login(domain.wrongCode()) }
        }
        #expect(try await refusal { try await domain.send() }?.code == .locked)
    }

    @Test
    func unlockingLiftsTheLockOfTheNumberToo() async throws {
        let domain = try await Domain(limits: .without())
        _ = try await domain.login()
        try await lock(domain)
        try await domain.services.administration.unlockUser(Domain.mobile)
        _ = try await domain.login()
    }

    @Test
    func aDeletedUserIsAnotherOneAtTheNextLogin() async throws {
        let login = try await domain.login()
        domain.clock.advance(by: 60)
        try await domain.send()
        _ = try await refusal { try await domain.login(domain.wrongCode()) }
        try await administration.deleteUser(Domain.mobile)
        try await domain.store.read { store throws in
            #expect(try store.user(login.userID) == nil && store.session(login.sid) == nil)
            #expect(try store.sessionToken(Digest256.of(Array(login.sessionToken.utf8))) == nil)
            #expect(try store.singleUses(of: Domain.mobile).isEmpty && store.failures(of: Domain.mobile).isEmpty)
            let start = Timestamp(seconds: 0)
            for scope in ["send.number", "send.pause"] {
                #expect(try store.event(Limit.Scope(rawValue: scope), Domain.mobile, ordinal: 1, after: start) == nil)
            }
        }
        #expect(try await domain.login().userID != login.userID)
        await #expect(throws: AdministrationFailure.unknownUser) {
            try await administration.deleteUser(login.userID)
        }
    }

    @Test
    func anExportHasAllThatIsKeptAboutAUserAndNoSecret() async throws {
        let login = try await domain.login()
        let export = try await administration.exportUser(login.userID)
        let json = try #require(try JSONSerialization.jsonObject(with: Data(export)) as? [String: Any])
        #expect((json["user"] as? [String: Any])?["mobile"] as? String == Domain.mobile)
        let sessions = try #require(json["sessions"] as? [[String: Any]])
        #expect(sessions.map { $0["id"] as? String } == [login.sid])
        #expect(sessions.first?["authenticated"] as? String == "2027-01-15T08:00:00.000Z")
        #expect((json["proofs"] as? [[String: Any]])?.count == 2)
        let text = String(decoding: export, as: UTF8.self)
        for secret in [login.sessionToken, login.idToken, try #require(domain.gateway.code(to: Domain.mobile))] {
            #expect(!text.contains("\"\(secret)\""))
        }
    }

    /// An export contains the number's SMS, wrong attempts, locks and test code.
    @Test
    func exportOfNumber() async throws {
        let domain = try await Domain(isDevelopment: true)
        try await domain.send()
        let (mobile, now) = (Domain.mobile, domain.clock.now)
        _ = try await domain.services.administration.addUser(mobile: mobile, testCode: "123456")
        try await domain.store.write { store in
            try store.record(Limit.Scope(rawValue: "captcha.wrong.sender"), mobile, at: now + .seconds(1))
            try store.record(Limit.Scope(rawValue: "send.number"), "+86-13800000001", at: now)
            try store.save(LoginFailures(mobile: mobile, device: [1], count: 2, locks: 3, updated: now))
        }
        let json = try await export(domain, mobile)
        #expect((json["user"] as? [String: Any])?["testCode"] as? String == "123456")
        #expect((json["failures"] as? [[String: Any]])?.map { $0["locks"] as? Int } == [3])
        #expect(
            json["events"] as? [[String: String]] == [
                ["event": "captcha.wrong.sender", "time": "2027-01-15T08:00:01.000Z"],
                ["event": "send.number", "time": "2027-01-15T08:00:00.000Z"],
            ])
    }

    private func export(_ domain: Domain, _ reference: String) async throws -> [String: Any] {
        let document = try await domain.services.administration.exportUser(reference)
        return try #require(try JSONSerialization.jsonObject(with: Data(document)) as? [String: Any])
    }

    /// A number without a login can be unlocked, exported and forgotten, in any notation.
    @Test
    func numberWithoutUser() async throws {
        let domain = try await Domain(limits: .without())
        try await lock(domain)
        try await domain.services.administration.unlockUser("13800000000")
        #expect(try await refusal { try await domain.send() } == nil)
        let json = try await export(domain, "+8613800000000")
        #expect(json["user"] == nil && json["mobile"] as? String == Domain.mobile)
        #expect((json["proofs"] as? [Any])?.isEmpty == false && (json["events"] as? [Any])?.count == 3)
        try await domain.services.administration.deleteUser(Domain.mobile)
        try await domain.store.read { store throws in
            #expect(try store.singleUses(of: Domain.mobile).isEmpty && store.events(of: Domain.mobile).isEmpty)
        }
    }

    @Test(arguments: ["+86-13800000009", "nobody", ""])
    func anUnknownNumberHasNoUser(_ reference: String) async throws {
        await #expect(throws: AdministrationFailure.unknownUser) { try await administration.unlockUser(reference) }
        await #expect(throws: AdministrationFailure.unknownUser) { try await administration.lockUser(reference) }
        await #expect(throws: AdministrationFailure.unknownUser) { try await administration.deleteUser(reference) }
        await #expect(throws: AdministrationFailure.unknownUser) { try await administration.exportUser(reference) }
    }

    @Test
    func usersAreListedByPages() async throws {
        for ordinal in 0..<5 { _ = try await administration.addUser(mobile: "1380000000\(ordinal)") }
        let first = try await administration.users(limit: 3)
        let rest = try await administration.users(after: first.last?.id, limit: 3)
        #expect(first.count == 3 && rest.count == 2)
        #expect(Set((first + rest).map(\.mobile)).count == 5)
    }
}
