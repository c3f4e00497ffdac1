import JWTCore
import JWTTestSupport
import SharedSignals
import Testing

/// What an event revokes: tokens of the operator's issuer, and of no other.
struct RevocationTermsTests {
    private static let terms = RevocationTerms(tokenIssuer: "https://idp.example")
    private static let strange = #"{"format":"iss_sub","iss":"https://other.example","sub":"jane"}"#
    private static let opaque = #"{"format":"opaque","id":"sid-1"}"#

    private static func effects(
        _ claims: String, terms: RevocationTerms = terms, now: NumericDate = TokenForge.now
    ) throws -> [EventEffect] {
        terms.effects(of: try Transmitter.verified(Transmitter.token(claims)), at: now)
    }

    @Test(
        arguments: [
            (Transmitter.session, .revokes(.session("sid-1"))),
            (#"{"format":"complex","session":\#(opaque)}"#, .revokes(.session("sid-1"))),
            (
                #"{"format":"complex","session":{"format":"iss_sub","iss":"https://idp.example","sub":"sid-2"}}"#,
                .revokes(.session("sid-2"))
            ),
            (#"{"format":"complex","session":\#(strange)}"#, .anotherIssuer),
            (#"{"format":"complex","user":\#(strange),"session":\#(opaque)}"#, .anotherIssuer),
            (#"{"format":"complex","session":{"format":"uri","uri":"urn:a"}}"#, .unknownSubject),
            (#"{"format":"complex","user":\#(Transmitter.user)}"#, .revokes(.subject("jane", issuedBefore: 1_699_999_991))),
            (Transmitter.user, .revokes(.subject("jane", issuedBefore: 1_699_999_991))),
            (#"{"format":"opaque","id":"jane"}"#, .revokes(.subject("jane", issuedBefore: 1_699_999_991))),
            (strange, .anotherIssuer),
            (#"{"format":"complex","user":\#(strange)}"#, .anotherIssuer),
            (#"{"format":"email","email":"jane@idp.example"}"#, .unknownSubject),
            (#"{"format":"complex","tenant":\#(opaque)}"#, .unknownSubject),
        ] as [(String, EventEffect)])
    func aRevokedSessionIsThatOfItsSubject(subject: String, expected: EventEffect) throws {
        #expect(try Self.effects(Transmitter.claims(subject: subject)) == [expected])
    }

    @Test
    func manySessionsAreRevokedTogetherWhateverTheSubject() throws {
        let events = #"{"urn:assay:secevent:sessions-revoked":{"sessions":["s1","s2"]}}"#
        for subject in [nil, Self.strange, Transmitter.session] {
            #expect(try Self.effects(Transmitter.claims(events: events, subject: subject)) == [.revokes(.sessions(["s1", "s2"]))])
        }
    }

    /// The most sessions that this project's identity server puts into one token.
    @Test
    func fourHundredSessionsFitIntoAToken() throws {
        let sessions = (0..<400).map { "\($0 + 100)-4567890123456789012" }
        let list = sessions.map { "\"\($0)\"" }.joined(separator: ",")
        let events = #"{"urn:assay:secevent:sessions-revoked":{"sessions":[\#(list)]}}"#
        #expect(try Self.effects(Transmitter.claims(events: events, subject: nil)) == [.revokes(.sessions(sessions))])
    }

    @Test
    func anIssuerIsComparedByteForByte() throws {
        let slash = Transmitter.user.replacing("idp.example", with: "idp.example/")
        #expect(try Self.effects(Transmitter.claims(subject: slash)) == [.anotherIssuer])
        // One letter, in two forms of Unicode.
        let terms = RevocationTerms(tokenIssuer: "https://idp.example/\u{E9}")
        let other = Transmitter.user.replacing("idp.example", with: "idp.example/e\u{301}")
        #expect(try Self.effects(Transmitter.claims(subject: other), terms: terms) == [.anotherIssuer])
    }

    /// Each as the date of the event, the date of receipt, and the date that tokens have to be issued before.
    @Test(
        arguments: [
            (nil, 1_700_000_100, 1_700_000_001),
            ("1700000000", 1_700_000_100, 1_700_000_001),
            // A fraction does not reach into the next second but one.
            ("1700000000.9", 1_700_000_100, 1_700_000_001),
            ("0", 1_700_000_100, 1),
            ("-5", 1_700_000_100, 0),
            // The future is cut off at the leeway.
            ("1700000159", 1_700_000_100, 1_700_000_160),
            ("1700000160", 1_700_000_100, 1_700_000_160),
            ("253402300799", 1_700_000_100, 1_700_000_160),
        ] as [(String?, NumericDate, NumericDate)])
    func tokensOfTheEventsOwnSecondAreRevokedAndNoneOfTheFuture(stamp: String?, now: NumericDate, expected: NumericDate) throws {
        let member = stamp.map { #""event_timestamp":\#($0)"# } ?? ""
        let claims = Transmitter.claims(events: #"{"\#(Transmitter.sessionRevoked)":{\#(member)}}"#, subject: Transmitter.user)
        #expect(try Self.effects(claims, now: now) == [.revokes(.subject("jane", issuedBefore: expected))])
    }

    @Test
    func aChangedCredentialRevokesWhereTheOperatorSaysSo() throws {
        let change = #"{"\#(Transmitter.credentialChange)":{"credential_type":"password","change_type":"update"}}"#
        let claims = Transmitter.claims(events: change, subject: Transmitter.user)
        #expect(try Self.effects(claims) == [.ignored])
        let strict = RevocationTerms(tokenIssuer: "https://idp.example", credentialChangeRevokes: true)
        #expect(try Self.effects(claims, terms: strict) == [.revokes(.subject("jane", issuedBefore: 1_700_000_001))])
        // The credential is the user's, whatever session it was changed in.
        let session = Transmitter.claims(events: change, subject: Transmitter.session)
        #expect(try Self.effects(session, terms: strict) == [.revokes(.subject("jane", issuedBefore: 1_700_000_001))])
    }

    @Test
    func eachEventOfATokenHasItsOwnEffect() throws {
        let events = #"""
            {"urn:a":{},"\#(SecurityEvent.Name.verification.rawValue)":{},"\#(Transmitter.sessionRevoked)":{}}
            """#
        #expect(try Self.effects(Transmitter.claims(events: events)) == [.ignored, .notice, .revokes(.session("sid-1"))])
    }
}
