import JWTCore
import JWTTestSupport
import SharedSignals
import Testing

/// What events and subjects are read as.
struct SecurityEventTests {
    private static let caep = "https://schemas.openid.net/secevent/caep/event-type/"
    private static let ssf = "https://schemas.openid.net/secevent/ssf/event-type/"

    @Test(
        arguments: [
            (#"{"\#(caep)session-revoked":{}}"#, [.sessionRevoked(at: nil)]),
            (
                #"{"\#(caep)credential-change":{"credential_type":"password","change_type":"update","event_timestamp":1.5}}"#,
                [.credentialChange(type: "password", change: "update", at: NumericDate(seconds: 1, nanoseconds: 500_000_000))]
            ),
            (
                #"{"urn:assay:secevent:sessions-revoked":{"sessions":["s1","s2"],"event_timestamp":7}}"#,
                [.sessionsRevoked(sessions: ["s1", "s2"], at: 7)]
            ),
            (#"{"\#(ssf)verification":{"state":"s"}}"#, [.verification(state: "s")]),
            (#"{"\#(ssf)verification":{}}"#, [.verification(state: nil)]),
            (#"{"\#(ssf)stream-updated":{"status":"paused","reason":"x"}}"#, [.streamUpdated(status: "paused")]),
            (#"{"\#(caep)token-claims-change":{"claims":{}}}"#, [.unknown("\(caep)token-claims-change")]),
            (#"{"urn:a":{},"\#(ssf)verification":{}}"#, [.unknown("urn:a"), .verification(state: nil)]),
            // JSON's escapes are no other name.
            (#"{"\u0068ttps://schemas.openid.net/secevent/ssf/event-type/verification":{}}"#, [.verification(state: nil)]),
        ] as [(String, [SecurityEvent])])
    func aKnownEventIsRead(events: String, expected: [SecurityEvent]) throws {
        #expect(try Transmitter.verified(Transmitter.token(Transmitter.claims(events: events))).events == expected)
    }

    @Test(arguments: [
        ("{}", "invalid_events"), ("[]", "invalid_events"), ("\"x\"", "invalid_events"), ("null", "invalid_events"),
        (#"{"urn:a":1}"#, "invalid_events"), (#"{"":{}}"#, "invalid_events"),
        (#"{"\#(caep)session-revoked":{"event_timestamp":"1"}}"#, "invalid_event"),
        // Milliseconds.
        (#"{"\#(caep)session-revoked":{"event_timestamp":1700000000000}}"#, "invalid_event"),
        (#"{"\#(caep)credential-change":{"credential_type":"password"}}"#, "invalid_event"),
        (#"{"\#(caep)credential-change":{"credential_type":"","change_type":"update"}}"#, "invalid_event"),
        (#"{"\#(ssf)verification":{"state":1}}"#, "invalid_event"),
        (#"{"urn:assay:secevent:sessions-revoked":{}}"#, "invalid_event"),
        (#"{"urn:assay:secevent:sessions-revoked":{"sessions":"s1"}}"#, "invalid_event"),
        (#"{"urn:assay:secevent:sessions-revoked":{"sessions":[]}}"#, "invalid_event"),
        (#"{"urn:assay:secevent:sessions-revoked":{"sessions":["s1",""]}}"#, "invalid_event"),
        (#"{"urn:assay:secevent:sessions-revoked":{"sessions":["s1",2]}}"#, "invalid_event"),
        (#"{"\#(ssf)stream-updated":{}}"#, "invalid_event"),
    ])
    func anEventOfTheWrongShapeRefusesTheToken(events: String, expected: String) {
        #expect(Transmitter.verdict(Transmitter.token(Transmitter.claims(events: events))) == expected)
    }

    @Test
    func aTokenWithoutEventsIsRefused() {
        let claims = #"{"iss":"https://idp.example","aud":"https://gateway.example","jti":"1","iat":1700000000}"#
        #expect(Transmitter.verdict(Transmitter.token(claims)) == "missing_events")
    }

    @Test(
        arguments: [
            (#"{"format":"iss_sub","iss":"i","sub":"s"}"#, .simple(.issuerSubject(issuer: "i", subject: "s"))),
            (#"{"format":"opaque","id":"o"}"#, .simple(.opaque("o"))),
            (#"{"format":"email","email":"a@b.example"}"#, .simple(.other(format: "email"))),
            (#"{"format":"complex","session":{"format":"opaque","id":"o"}}"#, .complex(user: nil, session: .opaque("o"))),
            (#"{"format":"complex","tenant":{"format":"opaque","id":"o"}}"#, .complex(user: nil, session: nil)),
            (
                #"{"format":"complex","user":{"format":"phone_number","phone_number":"+1"}}"#,
                .complex(user: .other(format: "phone_number"), session: nil)
            ),
        ] as [(String, SubjectIdentifier)])
    func aSubjectIsRead(subject: String, expected: SubjectIdentifier) throws {
        #expect(try Transmitter.verified(Transmitter.token(Transmitter.claims(subject: subject))).subject == expected)
    }

    @Test(arguments: [
        "1", "[]", "{}", #"{"format":1}"#, #"{"format":""}"#, #"{"id":"o"}"#, #"{"format":"opaque"}"#, #"{"format":"opaque","id":""}"#,
        #"{"format":"iss_sub","iss":"i"}"#, #"{"format":"iss_sub","sub":"s"}"#, #"{"format":"iss_sub","iss":"i","sub":1}"#,
        #"{"format":"complex"}"#, #"{"format":"complex","user":"jane"}"#, #"{"format":"complex","session":{}}"#,
        #"{"format":"complex","user":{"format":"iss_sub"}}"#, #"{"format":"complex","device":1}"#, #"{"format":"complex","device":{}}"#,
        #"{"format":"complex","user":{"format":"complex","user":{"format":"opaque","id":"o"}}}"#,
        #"{"format":"complex","device":{"format":"opaque"}}"#,
    ])
    func aSubjectOfTheWrongShapeRefusesTheToken(subject: String) {
        #expect(Transmitter.verdict(Transmitter.token(Transmitter.claims(subject: subject))) == "invalid_subject")
    }

    /// Formats that no effect reads: what their registration requires has to be there.
    @Test(arguments: [
        ("account", #""uri":"acct:a@b.example""#), ("email", #""email":"a@b.example""#), ("phone_number", #""phone_number":"+1""#),
        ("did", #""url":"did:example:1""#), ("uri", #""uri":"urn:a""#), ("jwt_id", #""iss":"i","jti":"1""#),
        ("saml_assertion_id", #""issuer":"i","assertion_id":"a""#), ("ip-addresses", #""ip-addresses":["192.0.2.1"]"#),
        ("aliases", #""identifiers":[{"format":"email","email":"a@b.example"}]"#),
    ])
    func aSubjectHasWhatItsFormatRequires(format: String, members: String) {
        func verdict(_ members: String) -> String {
            Transmitter.verdict(Transmitter.token(Transmitter.claims(subject: #"{"format":"\#(format)"\#(members)}"#)))
        }
        #expect(verdict(",\(members)") == "valid")
        #expect(verdict("") == "invalid_subject")
        let name = members.prefix { $0 != ":" }
        for value in ["null", "1", "\"\"", "[]", "{}", "[\"\"]", "[1]", "[{}]"] {
            #expect(verdict(",\(name):\(value)") == "invalid_subject", "\(format) with \(value)")
        }
    }

    @Test(arguments: [#"{"format":"email"}"#, #"{"format":"aliases","identifiers":[{"format":"opaque","id":"o"}]}"#, "\"x\""])
    func anAliasIsASubjectWithoutAliases(element: String) {
        let subject = #"{"format":"aliases","identifiers":[{"format":"opaque","id":"o"},\#(element)]}"#
        #expect(Transmitter.verdict(Transmitter.token(Transmitter.claims(subject: subject))) == "invalid_subject")
    }

    @Test
    func anEventAboutASubjectNeedsOne() {
        let change = #"{"\#(Self.caep)credential-change":{"credential_type":"password","change_type":"update"}}"#
        for events in [#"{"\#(Self.caep)session-revoked":{}}"#, change] {
            #expect(Transmitter.verdict(Transmitter.token(Transmitter.claims(events: events, subject: nil))) == "missing_subject")
        }
        let verification = #"{"\#(Self.ssf)verification":{}}"#
        #expect(Transmitter.verdict(Transmitter.token(Transmitter.claims(events: verification, subject: nil))) == "valid")
    }

    /// Numbers and names never change: logs and metrics use them.
    @Test
    func numbersAndNamesOfErrorsAreStable() {
        let expected: [(UInt16, String)] = [
            (800, "token_refused"), (801, "missing_events"), (802, "invalid_events"), (803, "too_many_events"), (804, "invalid_event"),
            (805, "unexpected_subject"), (806, "missing_subject"), (807, "invalid_subject"), (808, "invalid_text"),
        ]
        let all = SecurityEventError.Code.all
        #expect(all.map(\.number) == expected.map(\.0) && all.map(\.name) == expected.map(\.1))
        #expect(Set(all.map(\.summary)).count == all.count)
        for code in all { #expect(!VerificationError.Code.all.contains { $0.number == code.number || $0.name == code.name }) }
    }
}
