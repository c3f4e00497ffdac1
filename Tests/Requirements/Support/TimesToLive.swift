import IDaaSServer
import IDaaSTestSupport
import Testing

extension TimeToLive {
    /// Every lifetime in the server, with its default.
    static let all = codes + limits + locks + sessions + keys + otherLogins

    // Codes and captchas

    private static let codes = [
        TimeToLive("a picture can be solved", 120) { trial in
            let challenge = try await trial.person.challenge()
            trial.pass()
            return try await trial.person.solve(challenge).outcome == "ok"
        },
        TimeToLive("a captcha token sends", 180) { trial in
            let token = try await trial.person.captchaToken()
            trial.pass()
            return try await trial.person.send(token).outcome == "ok"
        },
        TimeToLive("a request to send is answered again", 30) { trial in
            let token = try await trial.person.captchaToken()
            #expect(try await trial.person.send(token).outcome == "ok")
            trial.pass()
            return try await trial.person.send(token).outcome == "ok"
        },
        TimeToLive("a code logs in", 300) { trial in
            let code = try await trial.person.code()
            trial.pass()
            return try await trial.person.logIn(code).outcome == "ok"
        },
    ]

    // Limits: each tested separately at its maximum. Limits with a high count have a smaller count here

    private static let limits = [
        TimeToLive("a number waits after an SMS", 60) { trial in
            _ = try await trial.person.code()
            trial.pass()
            return try await trial.person.send().status == 429
        },
        limit("a number waits after five SMS", 3_600, of: 5, \.smsPerNumber, window: 1) { person, _ in try await person.send() },
        limit("a number waits after ten SMS", 86_400, of: 10, \.smsPerNumber, window: 2) { person, _ in try await person.send() },
        limit("a device waits after ten SMS", 3_600, of: 10, \.smsPerDevice) { try await $0.with("+86-1390000000\($1 % 10)").send() },
        limit("an address waits after its SMS", 3_600, of: 2, \.smsPerAddress) { try await $0.on("d\($1)").send() },
        limit("a client waits after its SMS", 1, of: 2, \.smsPerClient) { try await $0.on("d\($1)").send() },
        limit("a country waits after its SMS", 3_600, of: 2, \.smsPerForeignCountry) { try await $0.with("+852-9000000\($1)").send() },
        limit("a device waits after its pictures", 60, of: 2, \.captchaPerDevice) { person, _ in try await person.captcha() },
        limit("an address waits after its pictures", 60, of: 2, \.captchaPerAddress) { try await $0.on("d\($1)").captcha() },
        limit("an address waits after its wrong solutions", 60, of: 2, \.wrongCaptchaPerAddress) { try await $0.on("d\($1)").fail() },
        limit("a number waits after its wrong solutions", 3_600, of: 2, \.wrongCaptchaPerSender) { try await $0.on("d\($1)").fail() },
        limit("a device waits after its logins", 60, of: 2, \.loginsPerDevice) { person, _ in try await person.logIn("000000") },
        limit("an address waits after its logins", 60, of: 2, \.loginsPerAddress) { try await $0.on("d\($1)").logIn("000000") },
    ]

    /// A limit of `count` in a window of the default settings.
    private static func limit(
        _ name: String, _ seconds: Int, of count: Int, _ path: any WritableKeyPath<LimitSettings, [Limit]> & Sendable, window: Int = 0,
        _ ask: @Sendable @escaping (Person, Int) async throws -> WireReply
    ) -> TimeToLive {
        let limits = LimitSettings.without { $0[keyPath: path] = [Limit(count, per: LimitSettings()[keyPath: path][window].window)] }
        return TimeToLive(name, seconds, limits: limits) { trial in
            for ordinal in 0..<count { #expect(try await ask(trial.person, ordinal).status != 429) }
            #expect(try await ask(trial.person, count).status == 429)
            trial.pass()
            return try await ask(trial.person, count).status == 429
        }
    }

    // Locks

    private static let locks = [
        TimeToLive("the captcha stays locked", 300) { trial in
            for _ in 0..<6 { #expect(try await trial.person.fail().outcome == "SMS.1003") }
            trial.pass()
            return try await trial.person.captcha().status == 429
        },
        TimeToLive("five wrong solutions count towards the lock", 60) { trial in
            for _ in 0..<5 { #expect(try await trial.person.fail().outcome == "SMS.1003") }
            trial.pass()
            #expect(try await trial.person.fail().outcome == "SMS.1003")
            return try await trial.person.captcha().status == 429
        },
        TimeToLive("a number stays locked", 900, limits: .without()) { trial in
            #expect(try await trial.lock().outcome == "LOGIN.1003")
            trial.pass()
            return try await trial.person.logIn("000000").outcome == "LOGIN.1003"
        },
        TimeToLive("a lock makes the next one longer", 900 + 86_400, limits: .without()) { trial in
            #expect(try await trial.lock().details["retry_after"] as? Int == 900)
            trial.pass()
            return try await trial.lock().details["retry_after"] as? Int == 1_800
        },
    ]
}
