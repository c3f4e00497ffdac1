import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Testing

struct PasswordSentences {
    @Test
    func aPasswordLogsInByNumberAndByName() async throws {
        try await LiveServer.simulated(passwordCost: nil) { server in
            let person = Person(server)
            let id = try await server.addUser(person.mobile, userName: "zhang").id
            let hash = try await server.server.services.store.read { try $0.user(id)?.passwordHash }
            #expect(try #require(hash).hasPrefix("$scrypt$ln=15,r=8,p=3$"))
            for name in [person.mobile, "13800000000", "zhang", " zhang "] {
                #expect(try await person.logInByPassword(name).outcome == "ok", "\(name)")
            }
            #expect(try await person.logInByPassword("Zhang").outcome == "LOGIN.1005")
        }
    }

    /// Enumeration: a known and an unknown name get the same answers, in the same order, until the lock.
    @Test
    func anUnknownNameIsAnsweredLikeAKnownOne() async throws {
        try await LiveServer.simulated { server in
            try await server.addUser("+86-13800000000", userName: "zhang")
            var answers: [[String]] = []
            for (ordinal, name) in ["zhang", "nobody"].enumerated() {
                let person = Person(server, ordinal)
                var replies: [String] = []
                for _ in 0..<11 { replies.append(try await person.logInByPassword(name, password: "wrong").substance) }
                answers.append(replies)
            }
            #expect(answers[0] == answers[1])
            #expect(
                answers[0][0].contains("\"remaining\":9") && answers[0][9].contains("LOGIN.1003") && answers[0][10].contains("LOGIN.1003"))
        }
    }

    @Test
    func tenWrongPasswordsLockTheirDeviceAndARightOneForgives() async throws {
        try await LiveServer.simulated { server in
            let person = Person(server)
            try await server.addUser(person.mobile)
            for _ in 0..<9 { #expect(try await person.logInByPassword(person.mobile, password: "wrong").outcome == "LOGIN.1005") }
            #expect(try await person.logInByPassword(person.mobile).outcome == "ok")
            #expect(try await person.logInByPassword(person.mobile, password: "wrong").remaining == 9)
            for _ in 0..<9 { _ = try await person.logInByPassword(person.mobile, password: "wrong") }
            let locked = try await person.logInByPassword(person.mobile)
            #expect(locked.outcome == "LOGIN.1003" && locked.details["args"] as? [String] == ["15", "0"])
            #expect(try await person.on("device-9").logInByPassword(person.mobile).outcome == "ok")
        }
    }

    /// Each spelling once had ten tries of its own: SQLite ends a text at its first U+0000, and Swift does not.
    @Test
    func noSpellingOfANameGivesAnEleventhTryOnADevice() async throws {
        let spellings = [
            "zhang", " zhang", "zhang\t", "zhang\u{0}", "zhang\u{0}x", "zhang\u{1}", "zhang\u{7f}", "zhang\u{85}", "+86-13800000000",
            "13800000000", " 13800000000", "13800000000\u{0}1", "+8613800000000", "8613800000000", "0086-13800000000",
        ]
        try await LiveServer.simulated { server in
            let person = Person(server)
            try await server.addUser("+86-13800000000", userName: "zhang")
            for ordinal in 0..<10 { _ = try await person.logInByPassword(["zhang", "13800000000"][ordinal % 2], password: "wrong") }
            for name in spellings {
                let outcome = try await person.logInByPassword(name).outcome
                #expect(["LOGIN.1003", "COMMON.1002", "LOGIN.1005"].contains(outcome), "\(name.debugDescription)")
            }
        }
    }

    /// Attempts at once cannot outrun the lock.
    @Test
    func of64WrongPasswordsAtOnceTenAreTried() async throws {
        try await LiveServer.simulated { server in
            let person = Person(server)
            try await server.addUser(person.mobile)
            let replies = try await Volley.fire(
                64, person.wire, WirePath.passwordLogin, [], ["user_name": person.mobile, "password": "wrong"])
            #expect(replies.count { $0.outcome == "LOGIN.1005" } <= 9)
            #expect(Set(replies.map(\.outcome)).isSubset(of: ["LOGIN.1005", "LOGIN.1003", "RATE.1001"]))
        }
    }

    /// Guesses from many devices stop for strangers, and not for the user's own device.
    @Test
    func manyDevicesGuessTwentyTimesAnHourAndTheUsersDeviceGoesOn() async throws {
        try await LiveServer.simulated(limits: .without { $0.wrongPasswordsPerName = [Limit(20, per: .seconds(3_600))] }) { server in
            let person = Person(server)
            try await server.addUser(person.mobile)
            #expect(try await person.logInByPassword(person.mobile).outcome == "ok")
            for ordinal in 0..<20 {
                let stranger = person.on("stranger-\(ordinal)")
                #expect(try await stranger.logInByPassword(person.mobile, password: "wrong").outcome == "LOGIN.1005")
            }
            #expect(try await person.on("stranger-20").logInByPassword(person.mobile).outcome == "RATE.1001")
            #expect(try await person.logInByPassword(person.mobile).outcome == "ok")
            server.clock.advance(by: 3_600)
            #expect(try await person.on("stranger-20").logInByPassword(person.mobile).outcome == "ok")
        }
    }

    /// A flood of logins, while two hashes of the test keep both threads busy: 30 logins wait, the server refuses the others, and other requests do not wait.
    @Test
    func aFloodOfPasswordsRunsTwoHashesAtOnce() async throws {
        try await LiveServer.simulated { server in
            let person = Person(server, 99)
            try await server.addUser("+86-13800000000")
            let work = server.server.services.passwords.environment.passwordWork
            let held = await HeldHashes(work)
            defer { held.release() }
            let flood = Task {
                try await Volley.fire(
                    (0..<64).map { person.on("flood-\($0)").wire }, WirePath.passwordLogin,
                    ["user_name": "+86-13800000000", "password": "wrong"])
            }
            // Each of these would wait if hashes ran on the threads that serve requests.
            #expect(try await person.logInByWeChat(try await person.wechatCode()).string("status") == "USER_REGISTER")
            #expect(try await person.logInByCarrier(try await person.carrierToken()).outcome == "ok")
            #expect(try await !person.session().idToken.isEmpty)
            held.release()
            let replies = try await flood.value
            #expect(replies.tally.keys.allSatisfy { ["LOGIN.1005", "RATE.1001"].contains($0) })
            #expect((replies.tally["LOGIN.1005"] ?? 0) >= 30)
            #expect(work.mostRunning == 2)
        }
    }

    @Test
    func moreHashesThanTheQueueHoldsAreRefused() async throws {
        let work = PasswordWork(threads: 2, longestQueue: 8)
        let held = await HeldHashes(work)
        var refused = 0
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<62 {
                group.addTask {
                    do {
                        try await work.run {}
                        return true
                    } catch let error as ServiceError {
                        #expect(error.code == .rateLimited && error.retryAfter == .seconds(1))
                        return false
                    }
                }
            }
            for try await wasRun in group where !wasRun {
                refused += 1
                if refused == 56 { held.release() }
            }
        }
        #expect(refused == 56 && work.mostRunning == 2)
    }

    @Test
    func aPasswordNeverStandsInTheStoreTheLogOrTheTrail() async throws {
        try await LiveServer.simulated { server in
            let person = Person(server)
            try await server.addUser(person.mobile)
            _ = try await person.logInByPassword(person.mobile)
            // People type a password in the place of the name.
            _ = try await person.logInByPassword("hunter2-hunter2", password: "x")
            let lines = server.log.lines + server.auditLines
            for secret in [OtherLogin.password, "hunter2-hunter2"] { #expect(!lines.contains { $0.contains(secret) }) }
            for name in try FileManager.default.contentsOfDirectory(atPath: server.directory.path) where name.hasPrefix("idaas.sqlite") {
                let data = try Data(contentsOf: server.directory.appending(path: name))
                for secret in [OtherLogin.password, "hunter2-hunter2"] { #expect(data.range(of: Data(secret.utf8)) == nil) }
            }
        }
    }

    @Test
    func aNewPasswordEndsTheSessionsOfTheOldOne() async throws {
        try await LiveServer.simulated { server in
            let person = Person(server)
            let user = try await server.addUser(person.mobile)
            let (byPassword, bySMS) = (try server.tokens(try await person.logInByPassword(person.mobile)), try await person.session())
            try await server.server.services.administration.setPassword(of: user.id, to: "another long one")
            #expect(try await person.refresh(byPassword).outcome == "COMMON.1005")
            #expect(try await person.refresh(bySMS).outcome == "ok")
            #expect(try await person.logInByPassword(person.mobile).outcome == "LOGIN.1005")
            let weak: [(String, ServiceCode)] = [
                ("short", .passwordLength), ("13800000000", .passwordIsUserName), ("00000000831", .passwordIsReversedUserName),
                ("13800000000!", .passwordContainsUser),
            ]
            for (password, code) in weak {
                await #expect(throws: ServiceError(code)) {
                    try await server.server.services.administration.setPassword(of: user.id, to: password)
                }
            }
        }
    }
}

/// Two hashes that run until they are released.
private struct HeldHashes {
    private let gate = DispatchSemaphore(value: 0)

    /// Returns when both run.
    init(_ work: PasswordWork) async {
        let (started, report) = AsyncStream.makeStream(of: Void.self)
        for _ in 0..<2 {
            Task { [gate] in
                try await work.run {
                    report.yield()
                    // At most ten minutes, so that a test fails instead of waiting for ever.
                    _ = gate.wait(timeout: .now() + 600)
                }
            }
        }
        var starts = started.makeAsyncIterator()
        for _ in 0..<2 { await starts.next() }
    }

    func release() { for _ in 0..<2 { gate.signal() } }
}
