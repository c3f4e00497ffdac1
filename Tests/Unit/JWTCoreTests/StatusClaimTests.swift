import JWTCore
import JWTTestSupport
import Testing

/// What the claim `status` says: nothing, another mechanism, a place in a list, or an error.
struct StatusClaimTests {
    private static let forge = Forges.ed25519

    /// The claim of a token with this payload: "absent", "another", the index and the URI, or the error's code.
    private static func status(_ payload: String) throws -> String {
        try forge.verifier().withVerified(forge.token(payload), now: TokenForge.now) { claims -> String in
            do throws(VerificationError) {
                switch try claims.status {
                case .absent: return "absent"
                case .anotherMechanism: return "another"
                case .statusList(let list): return "\(list.index) \(list.uri.string)"
                }
            } catch {
                return error.code.name
            }
        }
    }

    @Test(arguments: [
        ("{}", "absent"), (#"{"STATUS":{"status_list":{}}}"#, "absent"), (#"{"status_list":{"idx":0,"uri":"u"}}"#, "absent"),
        (#"{"a":{"status":{"status_list":{"idx":0,"uri":"u"}}}}"#, "absent"),
        (#"{"status":{"other":{}}}"#, "another"), (#"{"status":{"other":null}}"#, "another"),
        (#"{"status":{"status_list":{"idx":0,"uri":"https://example.com/statuslists/1"}}}"#, "0 https://example.com/statuslists/1"),
        (#"{"status":{"other":7,"status_list":{"idx":412,"uri":"urn:u","x":[]}}}"#, "412 urn:u"),
        (#"{"st\u0061tus":{"status\u005flist":{"\u0069dx":1,"uri":"https:\/\/a"}}}"#, "1 https://a"),
    ])
    func aStatusIsAbsentAnotherMechanismsOrInAList(payload: String, expected: String) throws {
        #expect(try Self.status(payload) == expected)
    }

    @Test(arguments: [
        "null", "true", "7", #""active""#, "[]", "{}", #"{"status_list":null}"#, #"{"status_list":"u"}"#, #"{"status_list":[]}"#,
        #"{"status_list":{}}"#, #"{"status_list":{"idx":0}}"#, #"{"status_list":{"uri":"u"}}"#, #"{"status_list":{"idx":0,"uri":null}}"#,
        #"{"status_list":{"idx":0,"uri":""}}"#, #"{"status_list":{"idx":0,"uri":7}}"#, #"{"status_list":{"idx":0,"uri":["u"]}}"#,
        #"{"other":{},"status_list":{}}"#,
    ])
    func aMalformedStatusIsAnErrorAndNeverAbsent(status: String) throws {
        #expect(try Self.status(#"{"status":\#(status)}"#) == "invalid_status")
    }

    @Test(arguments: [
        ("0", "0"), ("-0", "0"), ("1", "1"), ("9223372036854775807", "9223372036854775807"), ("-1", nil), ("9223372036854775808", nil),
        ("-9223372036854775808", nil), ("99999999999999999999999999999999", nil), ("1.5", nil), ("1.0", nil), ("1e2", nil), ("0e0", nil),
        (#""1""#, nil), ("null", nil), ("true", nil), ("[1]", nil), ("{}", nil),
    ])
    func anIndexIsAnIntegerFromZeroOnThatFits(number: String, index: String?) throws {
        let payload = #"{"status":{"status_list":{"idx":\#(number),"uri":"urn:u"}}}"#
        #expect(try Self.status(payload) == index.map { "\($0) urn:u" } ?? "invalid_status")
    }

    @Test(arguments: [
        "https://example.com/1", "HTTPS://example.com:8443/a/b?c=d#e", "https://[2001:db8::1]/", "urn:example:1", "a+b-c.1:",
        "https://a/%4a%Ff",
        #"https:\/\/example.com\/1"#, #"\u0068ttps\u003a//a"#, "did:web:example.com", "x:!$&'()*+,;=-._~@",
    ])
    func anAddressOfAnySchemeIsRead(uri: String) throws {
        #expect(try Self.status(#"{"status":{"status_list":{"idx":0,"uri":"\#(uri)"}}}"#).hasPrefix("0 "))
    }

    @Test(arguments: [
        "u", "/statuslists/1", "//example.com/1", ":", ":a", "1a:b", "-a:b", "a_b:c", " https://a", "https://a b", #"https://a\n"#,
        #"https://a\u0000"#,
        #"https:\\a"#, #"\"https://a\""#, "<https://a>", "https://a/^", "https://a/{b}", "https://a/|", "https://a/`", "https://例",
        #"https://\u4e2d"#,
        "https://a/%", "https://a/%4", "https://a/%zz", "https://a/%4g", #"https\u0000://a"#,
    ])
    func aTextThatIsNoURIIsNoAddress(uri: String) throws {
        #expect(try Self.status(#"{"status":{"status_list":{"idx":0,"uri":"\#(uri)"}}}"#) == "invalid_status")
    }

    @Test(arguments: [
        #"{"status":{"other":{}},"status":{"other":{}}}"#,
        #"{"status":{"status_list":{"idx":0,"uri":"u"},"status_list":{"idx":0,"uri":"u"}}}"#,
        #"{"status":{"status_list":{"idx":0,"idx":1,"uri":"u"}}}"#, #"{"status":{"status_list":{"idx":0,"uri":"u","\u0075ri":"v"}}}"#,
    ])
    func aMemberThatStandsTwiceRefusesTheToken(payload: String) {
        #expect(Self.forge.verifier().verdict(Self.forge.token(payload)) == "duplicate_member")
    }

    @Test
    func aKeptTokenHasItsStatus() throws {
        let payload = #"{"status":{"status_list":{"idx":3,"uri":"urn:u"}}}"#
        let token = try Self.forge.verifier().verify(Self.forge.token(payload), now: TokenForge.now)
        let claims = token.claims
        guard case .statusList(let list) = try claims.status else {
            Issue.record("the status is lost")
            return
        }
        let (index, isURI) = (list.index, list.uri.equals("urn:u"))
        #expect(index == 3 && isURI)
    }

    @Test
    func anErrorSaysWhatIsWrongAndNothingOfTheToken() throws {
        func read(_ token: VerifiedToken) throws(VerificationError) { _ = try token.claims.status }
        let token = try Self.forge.verifier().verify(Self.forge.token(#"{"status":{"status_list":"planted"}}"#), now: TokenForge.now)
        do throws(VerificationError) {
            try read(token)
            Issue.record("a malformed status is accepted")
        } catch {
            #expect(error.description == "invalid_status: status_list is not an object")
            #expect(error.code.httpStatus == 401)
        }
    }

    @Test(arguments: [
        (#"{"sub":"u","iat":1700000000}"#, "statuslist+jwt", "valid"),
        (#"{"sub":"u","iat":1700000000}"#, "application/statuslist+jwt", "valid"),
        (#"{"sub":"u","iat":1700000000,"exp":1700000041}"#, "STATUSLIST+JWT", "valid"),
        (#"{"sub":"u","iat":1700000000,"exp":1700000040}"#, "statuslist+jwt", "expired"),
        (#"{"sub":"u","iat":1700000160}"#, "statuslist+jwt", "valid"),
        (#"{"sub":"u","iat":1700000161}"#, "statuslist+jwt", "issued_in_future"),
        (#"{"iat":1700000000}"#, "statuslist+jwt", "missing_claim"), (#"{"sub":"u"}"#, "statuslist+jwt", "missing_claim"),
        (#"{"sub":"u","iat":"1700000000"}"#, "statuslist+jwt", "invalid_claim"),
        (#"{"sub":"u","iat":1700000000}"#, "JWT", "type_mismatch"), (#"{"sub":"u","iat":1700000000}"#, "statuslist+cwt", "type_mismatch"),
        (#"{"sub":"u","iat":1700000000}"#, nil, "type_mismatch"),
    ])
    func thePolicyOfStatusListsWantsTheirTypeSubjectAndDates(payload: String, type: String?, expected: String) {
        #expect(Self.forge.verifier(.statusList).verdict(Self.forge.token(payload, type: type)) == expected)
    }

    /// A list of this size in the longest text that zlib makes of it, in a token with 8 KiB of other claims.
    @Test(arguments: [0, 1, 1 << 10, 1 << 20, 1 << 24])
    func limitsOfAListHaveRoomForItsText(bytes: Int) {
        let compressed = bytes + bytes >> 12 + bytes >> 14 + bytes >> 25 + 13
        let text = compressed * 4 / 3 + 2, limits = TokenLimits.statusList(maximumBytes: bytes)
        #expect(limits.stringBytes >= text)
        #expect(limits.tokenBytes >= (text + 8_192) * 4 / 3 + 2_048)
    }

    @Test(arguments: [Int.min, -1, .max])
    func limitsOfAListMayHaveAnyValue(bytes: Int) {
        let limits = TokenLimits.statusList(maximumBytes: bytes)
        #expect(limits.tokenBytes >= TokenLimits.standard.tokenBytes && limits.stringBytes >= TokenLimits.standard.stringBytes)
    }
}
