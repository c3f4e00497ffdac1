import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Testing

/// What waits for receivers of shared signals after the transactions that end sessions and change credentials.
struct SignalOutboxTests {
    private let quick: QuickLogins
    private var domain: Domain { quick.domain }
    private var services: Services { quick.services }

    init() async throws {
        quick = try await QuickLogins()
        try await quick.addUsers(2)
        try await quick.domain.addStream("both")
        try await quick.domain.addStream("polls", push: nil)
        try await quick.domain.addStream("credentials", revocations: false)
        try await quick.domain.addStream("revocations", credentials: false)
    }

    /// A way to end a session, and who is said to have ended it; nil for the session: all of the user's.
    private struct Ending: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let initiator: Signal.Initiator
        let isOfUser: Bool
        let end: @Sendable (QuickLogins, Authentication) async throws -> Void

        init(
            _ name: String, _ initiator: Signal.Initiator, ofUser: Bool = false,
            _ end: @Sendable @escaping (QuickLogins, Authentication) async throws -> Void
        ) {
            testDescription = name
            self.initiator = initiator
            isOfUser = ofUser
            self.end = end
        }
    }

    private static let endings = [
        Ending("logout", .user) { quick, login in
            try await quick.services.sessions.logOut(sessionToken: login.sessionToken, everywhere: false, for: quick.domain.caller())
        },
        Ending("logout, twice", .user) { quick, login in
            for _ in 0..<2 {
                try await quick.services.sessions.logOut(sessionToken: login.sessionToken, everywhere: false, for: quick.domain.caller())
            }
        },
        Ending("logout everywhere", .user) { quick, login in
            try await quick.services.sessions.logOut(sessionToken: login.sessionToken, everywhere: true, for: quick.domain.caller())
        },
        Ending("in the list of one's sessions", .user) { quick, login in
            let bearer = try await quick.services.tokens.bearer(login.idToken, for: quick.domain.caller())
            try await quick.services.sessions.end(login.sid, by: bearer)
        },
        Ending("end_session", .user) { quick, login in
            _ = try await quick.services.codes.end(hint: login.idToken, redirectURI: nil, state: nil)
        },
        Ending("a token on another device", .policy) { quick, login in
            _ = try await refusal {
                try await quick.services.sessions.refresh(sessionToken: login.sessionToken, for: quick.domain.caller("D2"))
            }
        },
        Ending("a token that was replaced long ago", .policy) { quick, login in
            let caller = quick.domain.caller()
            _ = try await quick.services.sessions.refresh(sessionToken: login.sessionToken, for: caller)
            quick.domain.clock.advance(by: 31)
            _ = try await refusal { try await quick.services.sessions.refresh(sessionToken: login.sessionToken, for: caller) }
        },
        Ending("another password", .admin) { quick, login in
            try await quick.services.administration.setPassword(of: login.userID, to: "another long password")
        },
        Ending("a removed client", .admin) { quick, _ in try await quick.services.administration.removeClient("client-1") },
        Ending("a locked user", .admin, ofUser: true) { quick, login in
            try await quick.services.administration.lockUser(login.userID)
        },
        Ending("a deleted user", .admin, ofUser: true) { quick, login in
            try await quick.services.administration.deleteUser(login.userID)
        },
    ]

    @Test(arguments: endings)
    private func aSessionThatEndsIsOneSignalForEachStreamThatWantsIt(_ ending: Ending) async throws {
        let login = try await quick.login(0)
        let expected = Signal.Event.sessionRevoked(user: login.userID, session: ending.isOfUser ? nil : login.sid, by: ending.initiator)
        for stream in ["both", "polls", "revocations"] { #expect(try await revocations(for: stream).isEmpty) }
        try await ending.end(quick, login)
        for stream in ["both", "polls", "revocations"] { #expect(try await revocations(for: stream) == [expected]) }
        #expect(try await revocations(for: "credentials").isEmpty)
        let (waiting, now) = (try await domain.waiting(for: "both"), domain.clock.now)
        #expect(waiting.allSatisfy { $0.signal.at == now && $0.attempts == 0 })
    }

    private func revocations(for stream: String) async throws -> [Signal.Event] {
        try await domain.events(for: stream).filter { event in
            if case .sessionRevoked = event { true } else { false }
        }
    }

    @Test
    func aLogoutEverywhereIsASignalForEachSessionThatGoesOn() async throws {
        let ended = try await quick.login(0, device: "D0")
        try await services.sessions.logOut(sessionToken: ended.sessionToken, everywhere: false, for: domain.caller("D0"))
        var logins: [Authentication] = []
        for device in ["D1", "D2", "D3"] { logins.append(try await quick.login(0, device: device)) }
        let other = try await quick.login(1)
        try await services.sessions.logOut(sessionToken: logins[0].sessionToken, everywhere: true, for: domain.caller("D1"))
        let expected = ([ended] + logins).map { Signal.Event.sessionRevoked(user: $0.userID, session: $0.sid, by: .user) }
        let events = try await domain.events(for: "both")
        #expect(events.count == 4 && Set(events) == Set(expected))
        #expect(try await services.sessions.refresh(sessionToken: other.sessionToken, for: domain.caller()).sid == other.sid)
    }

    /// A user's sessions end with as many statements as one session.
    @Test
    func theNumberOfStatementsDoesNotDependOnTheNumberOfSessions() async throws {
        var counts: [Int] = []
        for (user, devices) in [(0, 1), (1, 40)] {
            var login: Authentication?
            for device in 0..<devices { login = try await quick.login(user, device: "D\(device)") }
            _ = domain.statements.take()
            try await services.sessions.logOut(
                sessionToken: try #require(login).sessionToken, everywhere: true, for: domain.caller("D\(devices - 1)"))
            counts.append(domain.statements.take().count)
        }
        #expect(counts[0] == counts[1])
        #expect(try await domain.events(for: "both").count == 41)
    }

    @Test
    func aSessionWhoseTimeIsOverIsNoSignal() async throws {
        _ = try await quick.login()
        domain.clock.advance(by: 15 * 86_400)
        try await services.maintain()
        #expect(try await domain.events(for: "both").isEmpty)
    }

    @Test
    func aTransactionThatIsUndoneIsNoSignalAndWakesNobody() async throws {
        let login = try await quick.login()
        let rings = domain.store.signals.count
        await #expect(throws: Domain.Missing.self) {
            try await domain.store.write { [now = domain.clock.now] store in
                try store.end(SessionSelection(user: login.userID), at: now, by: .admin)
                throw Domain.Missing()
            }
        }
        #expect(try await domain.events(for: "both").isEmpty)
        #expect(domain.store.signals.count == rings)
        #expect(try await services.sessions.refresh(sessionToken: login.sessionToken, for: domain.caller()).sid == login.sid)
        #expect(domain.store.signals.count == rings)
        try await services.administration.lockUser(login.userID)
        #expect(domain.store.signals.count == rings + 1)
    }

    @Test
    func aPasswordIsACredentialThatIsMadeAndThenChanged() async throws {
        let user = try await services.administration.addUser(mobile: "13900000000").id
        for password in ["correct horse battery", "battery horse correct"] {
            try await services.administration.setPassword(of: user, to: password)
        }
        let expected = [Signal.Change.create, .update].map { Signal.Event.credentialChange(user: user, .password, $0, by: .admin) }
        for stream in ["both", "polls", "credentials"] { #expect(try await domain.events(for: stream) == expected) }
        #expect(try await domain.events(for: "revocations").isEmpty)
    }

    @Test
    func aPhoneThatAnAdministratorUnbindsIsACredentialThatIsGone() async throws {
        let login = try await quick.login()
        let key = BoundKey(
            user: login.userID, client: "client-1", keyID: [1], document: [2], version: .statement, device: [3], deviceName: "Phone",
            bound: domain.clock.now)
        try await domain.store.write { _ = try $0.save(key) }
        try await services.administration.unbindPhones(of: login.userID)
        let expected = Signal.Event.credentialChange(user: login.userID, .app, .delete, by: .admin)
        #expect(try await domain.events(for: "credentials") == [expected])
    }

    // The records

    private func found(_ tokenID: String, _ stream: String) async throws -> StoredSignal? {
        try await domain.store.read { try $0.signals([tokenID], of: stream).first }
    }

    /// SQLite uses the number of the last row again after it was removed.
    @Test
    func aNumberThatIsUsedAgainHasAnotherTokenID() async throws {
        var ids: Set<String> = []
        for _ in 0..<3 {
            let login = try await quick.login()
            try await services.sessions.logOut(sessionToken: login.sessionToken, everywhere: false, for: domain.caller())
            let waiting = try await domain.waiting(for: "both") + domain.waiting(for: "polls")
            for signal in waiting {
                #expect(ids.insert(signal.tokenID).inserted)
                #expect(signal.tokenID.wholeMatch(of: /[0-9]+-[0-9A-Za-z_-]{22}/) != nil)
                #expect(try await found(signal.tokenID, signal.stream) == signal)
                #expect(try await found(signal.tokenID, "revocations") == nil)
            }
            try await domain.store.write { try $0.removeSignals(before: Timestamp(seconds: 9_000_000_000)) }
        }
        #expect(ids.count == 6)
    }

    @Test(arguments: ["", "1", "-", "1-", "x-AAAAAAAAAAAAAAAAAAAAAA", "99999999999999999999-A", "1-AAAAAAAAAAAAAAAAAAAAAA", "' OR 1=1 --"])
    func anUnknownTokenIDIsNoSignal(_ id: String) async throws {
        let login = try await quick.login()
        try await services.administration.lockUser(login.userID)
        #expect(try await found(id, "both") == nil)
    }

    /// A text is a value, never a part of a statement.
    @Test(arguments: ["'; DROP TABLE signals; --", "$1", "?", "\\'", "\"", "%", "x' OR '1'='1", "';", "E'\\x41'", "/*", "\u{202e}名"])
    func aTextWithSQLIsOnlyAText(_ text: String) async throws {
        var stream = SignalStream(
            id: "s" + text, name: text, audience: text, delivery: .push(url: text, sealedSecret: nil), created: Timestamp(seconds: 1))
        try await domain.store.write { [stream] in try $0.save(stream) }
        stream.delivery = .poll(secretDigest: [1, 2])
        stream.wantsCredentials = false
        let signals = [
            Signal(.sessionRevoked(user: text, session: text, by: .user), at: Timestamp(seconds: 2)),
            Signal(.verification(state: text), at: Timestamp(seconds: 3)),
        ]
        try await domain.store.write { [stream] store in
            try store.save(stream)
            for signal in signals { try store.add(signal, to: stream.id) }
            try store.end(SessionSelection(user: text, client: text, method: text), at: Timestamp(seconds: 4), by: .user)
        }
        try await domain.store.read { [stream] store throws in
            #expect(try store.signalStream(stream.id) == stream)
            #expect(try store.signalStreams().contains(stream))
            #expect(try store.signals(of: stream.id, at: Timestamp(seconds: 3), limit: 9).map(\.signal) == signals)
        }
        let isRemoved = try await domain.store.write { [stream] in try $0.removeSignalStream(stream.id) }
        #expect(isRemoved)
        #expect(try await domain.events(for: stream.id).isEmpty)
    }

    @Test
    func aMethodIsAWordAndNotAPartOfOne() async throws {
        let login = try await quick.login()
        for method in ["pw", "wd", "p", "pwd sms", ""] {
            try await domain.store.write { [now = domain.clock.now] in
                try $0.end(SessionSelection(user: login.userID, method: method), at: now, by: .admin)
            }
        }
        #expect(try await domain.events(for: "both").isEmpty)
        #expect(try await services.sessions.refresh(sessionToken: login.sessionToken, for: domain.caller()).sid == login.sid)
    }
}
