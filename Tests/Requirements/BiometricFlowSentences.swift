import IDaaSFlows
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import JWKSTestSupport
import JWTTestSupport
import LoginSupport
import Testing

/// The biometric second factor through the flows of a phone, a running server and a PC over the wire: mistakes of users, and attacks.
struct BiometricFlowSentences {
    /// A phone with its session and its keys.
    private struct Phone: Sendable {
        let live: LiveFlows
        let folder: TemporaryFolder

        /// - Parameter other: a phone whose session and keys this one has, as after a restart of the app.
        init(
            _ server: LiveServer, after other: Phone? = nil, configure: (inout FlowConfiguration) -> Void = { _ in }
        ) throws {
            let folder = try other?.folder ?? TemporaryFolder()
            self.folder = folder
            live = try LiveFlows(server, store: other?.live.store ?? MemorySessionStore(), configure: configure) {
                $0.biometricKeys = FileBiometricKeyStore(path: folder.path + "/keys", verifier: PresentOwner())
            }
        }

        var biometrics: BiometricMFA { live.flows.biometrics }

        func request() async throws -> PendingApproval {
            let outcome = await biometrics.pending()
            guard case .pending(let request) = outcome else { throw outcome.failure ?? FlowError(.cancelled) }
            return request
        }
    }

    /// A server, a user at a PC with a password, and the user's bound phone.
    private static func bound(
        _ body: (LiveServer, Person, Phone) async throws -> Void
    ) async throws {
        try await LiveServer.simulated(clock: ManualServerClock(LiveFlows.start)) { server in
            let pc = Person(server)
            try await server.addUser(pc.mobile)
            let phone = try Phone(server)
            try await phone.live.logIn(pc.mobile)
            #expect(await phone.biometrics.deviceStatus().legacyCode == "102")
            #expect(await phone.biometrics.bind(userID: "jane").legacyCode == "0")
            #expect(await phone.biometrics.deviceStatus().legacyCode == "101")
            try await body(server, pc, phone)
        }
    }

    @Test
    func aLoginIsApprovedOnceAndKnownByTheServersRecord() async throws {
        try await Self.bound { _, pc, phone in
            #expect(await phone.biometrics.pending().legacyCode == "2")
            let waiting = try await Waiting(pc)
            let request = try await phone.request()
            #expect(request.clientID == LiveServer.client && request.needsMatchCode && request.region?.hasPrefix("127.") == true)
            #expect(await phone.biometrics.answer(request, .approve, matchCode: waiting.matchCode).legacyCode == "0")
            #expect(await phone.biometrics.answer(request, .approve, matchCode: waiting.matchCode).legacyCode == "IDAAS.SDK.MFA.1006")
            #expect(try await pc.poll(waiting.stateToken, waiting.id).outcome == "ok")
        }
    }

    @Test
    func aDenialAndAGuessedNumberEndTheLogin() async throws {
        try await Self.bound { _, pc, phone in
            let denied = try await Waiting(pc)
            #expect(await phone.biometrics.answer(try await phone.request(), .deny).legacyCode == "0")
            #expect(try await pc.poll(denied.stateToken, denied.id).string("error") == "access_denied")
            let guessed = try await Waiting(pc)
            let digits = guessed.matchCode == "47" ? "48" : "47"
            let outcome = await phone.biometrics.answer(try await phone.request(), .approve, matchCode: digits)
            #expect(outcome.legacyCode == "IDAAS.SDK.MFA.1012")
            #expect(try await pc.poll(guessed.stateToken, guessed.id).string("error") == "access_denied")
        }
    }

    @Test
    func anAppThatEndsBetweenTheApprovalAndThePollLosesNothing() async throws {
        try await Self.bound { server, pc, phone in
            let waiting = try await Waiting(pc)
            let request = try await phone.request()
            #expect(await phone.biometrics.answer(request, .approve, matchCode: waiting.matchCode).legacyCode == "0")
            let restarted = try Phone(server, after: phone)
            #expect(await restarted.biometrics.pending().legacyCode == "2")
            #expect(await restarted.biometrics.answer(request, .approve, matchCode: waiting.matchCode).legacyCode == "IDAAS.SDK.MFA.1006")
            #expect(try await pc.poll(waiting.stateToken, waiting.id).outcome == "ok")
        }
    }

    @Test
    func aNewPhoneHasNoKeyAndCannotTakeTheOldOnesPlace() async throws {
        try await Self.bound { server, pc, _ in
            let other = try Phone(server)
            try await other.live.logIn(pc.mobile)
            let waiting = try await Waiting(pc)
            #expect(await other.biometrics.answer(try await other.request(), .approve, matchCode: waiting.matchCode).legacyCode == "101")
            #expect(await other.biometrics.unbind().legacyCode == "1")
            #expect(await other.biometrics.bind(userID: "jane").legacyCode == "IDAAS.SDK.MFA.1004")
            #expect(try await pc.poll(waiting.stateToken, waiting.id).string("error") == "authorization_pending")
        }
    }

    /// A key that signed whole statements is not believed with less.
    @Test
    func aPhoneIsNotDowngraded() async throws {
        try await Self.bound { server, pc, phone in
            let older = try Phone(server, after: phone) { $0.signatureVersion = .challengeOnly }
            let waiting = try await Waiting(pc)
            let outcome = await older.biometrics.answer(try await older.request(), .approve, matchCode: waiting.matchCode)
            #expect(outcome.legacyCode == "IDAAS.SDK.MFA.1009")
            #expect(try await pc.poll(waiting.stateToken, waiting.id).string("error") == "authorization_pending")
        }
    }

    @Test
    func afterUnbindingNothingOfThePhoneWorks() async throws {
        try await Self.bound { _, pc, phone in
            let waiting = try await Waiting(pc)
            let request = try await phone.request()
            #expect(await phone.biometrics.unbind().legacyCode == "0")
            #expect(await phone.biometrics.deviceStatus().legacyCode == "102")
            #expect(await phone.biometrics.answer(request, .approve, userID: "jane", matchCode: waiting.matchCode).legacyCode == "101")
            #expect(await phone.biometrics.pending().legacyCode == "IDAAS.SDK.MFA.1005")
            #expect(try await pc.poll(waiting.stateToken, waiting.id).string("error") != "authorization_pending")
        }
    }

    @Test(arguments: [Int64(3_600), -3_600])
    func aPhoneWhoseClockIsAnHourWrongApproves(_ ahead: Int64) async throws {
        try await Self.bound { server, pc, phone in
            phone.live.clock.setDate(server.clock.now.seconds + ahead)
            _ = await phone.live.flows.synchroniseClock()
            let waiting = try await Waiting(pc)
            #expect(await phone.biometrics.answer(try await phone.request(), .approve, matchCode: waiting.matchCode).legacyCode == "0")
            #expect(try await pc.poll(waiting.stateToken, waiting.id).outcome == "ok")
        }
    }

    @Test
    func aRequestThatExpiredIs1007() async throws {
        try await Self.bound { _, pc, phone in
            let waiting = try await Waiting(pc)
            let request = try await phone.request()
            phone.live.advance(by: 121)
            let outcome = await phone.biometrics.answer(request, .approve, matchCode: waiting.matchCode)
            #expect(["IDAAS.SDK.MFA.1007", "IDAAS.SDK.MFA.1006"].contains(outcome.legacyCode))
            #expect(try await pc.poll(waiting.stateToken, waiting.id).string("error") == "expired_token")
        }
    }
}
