import Gateway
import GatewayServer
import JWTTestSupport
import Testing

@Suite struct AccessLogFieldsTests {
    private static func sample(_ log: String, profile: String = "nginx") -> String {
        SampleConfiguration.replacing("profile: nginx", with: "profile: \(profile)")
            .replacing("level: info", with: "level: info\n" + log.split(separator: "\n").map { "  \($0)\n" }.joined())
    }

    /// The line of the only decision. A line follows its answer.
    private static func line(of gateway: RunningGateway) async -> String {
        func lines() -> [String] { gateway.log.all.filter { $0.contains("\"message\":\"decision\"") } }
        while lines().isEmpty { await Task.yield() }
        return lines()[0]
    }

    /// The line of a decision about a request of nginx with these fields and a token.
    private static func line(_ log: String, _ fields: [String], token: (TokenForge) -> String = { $0.token() }) async throws -> String {
        var line = ""
        try await RunningGateway.with(sample(log)) { gateway async throws in
            _ = try await gateway.ask(["Authorization: Bearer \(token(gateway.forge))"] + fields)
            line = await Self.line(of: gateway)
        }
        return line
    }

    private static let everything = ["X-Real-IP: 192.0.2.7", "X-Request-ID: r-1", "X-Forwarded-For: 192.0.2.7"]

    @Test func withoutFieldsTheLineHasNone() async throws {
        let line = try await Self.line("access: all", Self.everything)
        for text in ["client", "subject", "request_id", "192.0.2.7", "248289761001", "r-1"] { #expect(!line.contains(text), "\(line)") }
    }

    @Test func eachFieldIsAChoice() async throws {
        let all = try await Self.line("fields: [client, subject, requestID]\nclientHeader: X-Real-IP", Self.everything)
        for text in ["\"client\":\"192.0.2.7\"", "\"subject\":\"248289761001\"", "\"request_id\":\"r-1\""] {
            #expect(all.contains(text), "\(all)")
        }
        let one = try await Self.line("fields: requestID\nrequestIDHeader: x-trace", Self.everything + ["X-Trace: t-9"])
        #expect(one.contains("\"request_id\":\"t-9\"") && !one.contains("subject") && !one.contains("client"), "\(one)")
    }

    /// The sender of a refused token may have written its claims.
    @Test func aRefusedTokenHasNoSubject() async throws {
        let line = try await Self.line("fields: [subject]", []) { $0.token(TokenForge.idToken.replacing("1700003600", with: "1700000001")) }
        #expect(line.contains("\"code\":\"expired\"") && !line.contains("subject"), "\(line)")
    }

    /// Names that a client chooses: long ones, controls and marks of other alphabets, tokens.
    @Test(arguments: [
        ("X-Request-ID: a b\u{e9}\"", "\"request_id\":\"a?b??\\\"\""),
        ("X-Request-ID: " + String(repeating: "a", count: 200), String(repeating: "a", count: 128) + "…\""),
        ("X-Request-ID: eyJhbGciOiJFUzI1NiJ9.e30", "\"request_id\":\"…\""),
    ])
    func aNameOfARequestIsBoundedAndPrintable(field: String, logged: String) async throws {
        let line = try await Self.line("fields: [requestID]", [field])
        #expect(line.contains(logged) && !line.contains("eyJ"), "\(line)")
    }

    /// A client may have sent one of two, the beginning of a list, and a text that is no address.
    @Test(
        arguments: [
            (["X-Real-IP: 192.0.2.7", "X-Real-IP: 192.0.2.8"], nil), (["X-Real-IP: 198.51.100.1, 192.0.2.7"], "192.0.2.7"),
            (["X-Real-IP: 2001:db8::1"], "2001:db8::1"), (["X-Real-IP: eve"], nil), (["X-Real-IP: 192.0.2.7 x"], "192.0.2.7"),
            (["X-Forwarded-For: 192.0.2.7"], nil), (["X-Real-IP: "], nil),
        ] as [([String], String?)])
    func anAddressIsTheLastOfTheOneFieldThatIsNamed(fields: [String], client: String?) async throws {
        let line = try await Self.line("fields: [client]\nclientHeader: x-real-ip", fields)
        #expect(client.map { line.contains("\"client\":\"\($0)\"") } ?? !line.contains("client\""), "\(line)")
    }

    /// Traefik and APISIX set X-Forwarded-For in every question; behind it a client's own text may stand.
    @Test(arguments: ["traefik", "apisix"])
    func aProfileThatTellsTheAddressNeedsNoField(profile: String) async throws {
        try await RunningGateway.with(Self.sample("fields: [client]", profile: profile)) { gateway async throws in
            let fields = [
                "X-Forwarded-Method: GET", "X-Forwarded-Proto: https", "X-Forwarded-Host: api.example", "X-Forwarded-Uri: /orders",
                "X-Forwarded-For: 198.51.100.1, 192.0.2.7", "X-Real-IP: 198.51.100.2",
            ]
            _ = try await GatewayClient.get(gateway.edge, "/", fields: fields)
            #expect(await Self.line(of: gateway).contains("\"client\":\"192.0.2.7\""))
        }
    }

    /// The next decision has what the new file asks for.
    @Test func fieldsCountAtOnce() async throws {
        try await RunningGateway.with(Self.sample("access: all")) { gateway async throws in
            _ = try gateway.folder.write("gateway.yaml", Self.sample("fields: [subject]"))
            gateway.server.reloadConfiguration()
            _ = try await gateway.ask(bearing: gateway.forge.token())
            #expect(await Self.line(of: gateway).contains("\"subject\":\"248289761001\""))
            #expect(try #require(try await gateway.operate("/status.json")).body.contains("\"restartNeeded\":[]"))
        }
    }

    // Settings

    @Test(
        arguments: [
            ("fields: [subjekt]", 29, .invalidValue, "each is one of client, subject, requestID; did you mean `subject`?"),
            ("fields: []", 29, .wrongKind, "the list is empty"), ("fields: [subject, subject]", 29, .repeatedName, "has `subject` twice"),
            ("fields: [client]", 29, .missingSetting, "name the field that it sets in `clientHeader`"),
            ("fields: [subject]\nclientHeader: x-real-ip", 30, .conflict, "is of no use without `client` in `fields`"),
            ("requestIDHeader: x-trace", 29, .conflict, "is of no use without `requestID` in `fields`"),
            ("fields: [client]\nclientHeader: \"x real\"", 30, .invalidValue, "is not a name of a header field"),
            ("fields: [requestID]\nrequestIDHeader: Authorization", 30, .conflict, "tokens come in the field `authorization`"),
            ("fields: [requestID]\nrequestIDHeader: cookie", 30, .conflict, "tokens come in the field `cookie`"),
            ("fields: [requestID]\nrequestIDHeader: X-Original-ID", 30, .conflict, "no listener gets the field `x-original-id`"),
            ("fields: [requestID]\nrequestIDheader: x-trace", 30, .unknownSetting, "did you mean `requestIDHeader`?"),
        ] as [(String, Int, SettingsFault.Code, String)])
    func aSettingThatLogsNothingOrTooMuchIsAFault(log: String, line: Int, code: SettingsFault.Code, words: String) throws {
        let faults = SettingsFaultTests.faults(of: Self.sample(log)), fault = try #require(faults.first)
        #expect(faults.count == 1 && fault.line == line && fault.code == code && fault.text.contains(words), "\(faults)")
    }

    /// A field in which the gateway or the client brings a token.
    @Test func theFieldThatIsMeantWithoutANameHasNoTokens() {
        let text = Self.sample("fields: [requestID]").replacing("- authorization: Bearer", with: "- header: x-request-id")
        #expect(SettingsFaultTests.faults(of: text).contains { $0.text.contains("tokens come in the field `x-request-id`") })
    }

    @Test(arguments: [("- header: x-token", "X-Token"), ("- context: token", "X-Context")])
    func aFieldOfTokensIsNotLogged(place: String, field: String) {
        let text = Self.sample("fields: [client]\nclientHeader: \(field)").replacing("- authorization: Bearer", with: place)
            .replacing("tcp: 127.0.0.1:0\nadmin", with: "tcp: 127.0.0.1:0\n    contextHeaders: {x-context: token}\nadmin")
        #expect(
            SettingsFaultTests.faults(of: text).map(\.text) == [
                "`log.clientHeader`: tokens come in the field `\(field.lowercased())`, and a log has none"
            ])
    }
}
