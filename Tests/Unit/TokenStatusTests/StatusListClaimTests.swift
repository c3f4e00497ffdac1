import JWTCore
import JWTTestSupport
import Testing
import TokenStatus

/// The claims of a Status List Token, and what each must be.
struct StatusListClaimTests {
    private static let text = DraftVector.oneBitExample.text
    private static let good = #""status_list":{"bits":1,"lst":"\#(text)"}"#
    private static let named = #""sub":"https://example.com/statuslists/1","iat":1700000000"#

    private static func verdict(_ claims: String, type: String? = "statuslist+jwt") -> String {
        outcome {
            try StatusListVerifier(keys: ListIssuer.forge.keySet)
                .verify(ListIssuer.token(claims, type: type), uri: ListIssuer.uri, now: TokenForge.now)
        }
    }

    @Test(arguments: [
        (#""sub":"https://example.com/statuslists/1","iat":1700000000"#, "valid"),
        (#""sub":"https:\/\/example.com\/statuslists\/1","iat":1700000000"#, "valid"),
        (#""sub":"https://example.com/statuslists/2","iat":1700000000"#, "subject_mismatch"),
        (#""sub":"https://example.com/statuslists/1/","iat":1700000000"#, "subject_mismatch"),
        (#""sub":"HTTPS://example.com/statuslists/1","iat":1700000000"#, "subject_mismatch"),
        (#""sub":"","iat":1700000000"#, "subject_mismatch"),
        (#""sub":7,"iat":1700000000"#, "invalid_claim"),
        (#""iat":1700000000"#, "missing_claim"),
        (#""sub":"https://example.com/statuslists/1""#, "missing_claim"),
        (#""sub":"https://example.com/statuslists/1","iat":null"#, "invalid_claim"),
        (#""sub":"https://example.com/statuslists/1","iat":1700000160"#, "valid"),
        (#""sub":"https://example.com/statuslists/1","iat":1700000161"#, "issued_in_future"),
        (#""sub":"https://example.com/statuslists/1","iat":1700000000,"exp":1700000041"#, "valid"),
        (#""sub":"https://example.com/statuslists/1","iat":1700000000,"exp":1700000040"#, "expired"),
        (#""sub":"https://example.com/statuslists/1","iat":1700000000,"exp":"never""#, "invalid_claim"),
        (#""sub":"https://example.com/statuslists/1","iat":1700000000,"nbf":1700000161"#, "not_yet_valid"),
        (#""sub":"https://example.com/statuslists/1","iat":1700000000,"iat":1700000000"#, "duplicate_member"),
    ])
    func aListTellsWhichItIsAndWhenItWasIssued(claims: String, expected: String) {
        #expect(Self.verdict("{\(claims),\(Self.good)}") == expected)
    }

    @Test(arguments: [
        ("statuslist+jwt", "valid"), ("application/statuslist+jwt", "valid"), ("StatusList+JWT", "valid"), ("JWT", "type_mismatch"),
        ("at+jwt", "type_mismatch"), ("statuslist+cwt", "type_mismatch"), ("", "type_mismatch"), (nil, "type_mismatch"),
    ])
    func aListHasItsType(type: String?, expected: String) {
        #expect(Self.verdict("{\(Self.named),\(Self.good)}", type: type) == expected)
    }

    @Test(arguments: [
        ("1", "valid"), ("43200", "valid"), ("9223372036854775807", "valid"), ("0", "invalid_time_to_live"), ("-1", "invalid_time_to_live"),
        ("0.5", "invalid_time_to_live"), ("60.0", "invalid_time_to_live"), ("6e1", "invalid_time_to_live"),
        ("9223372036854775808", "invalid_time_to_live"), (#""60""#, "invalid_time_to_live"), ("null", "invalid_time_to_live"),
    ])
    func aTimeToLiveIsAPositiveInteger(number: String, expected: String) {
        #expect(Self.verdict(#"{\#(Self.named),"ttl":\#(number),\#(Self.good)}"#) == expected)
    }

    @Test(arguments: [
        ("1", "valid"), ("2", "valid"), ("4", "valid"), ("8", "valid"), ("0", "invalid_bits"), ("3", "invalid_bits"), ("5", "invalid_bits"),
        ("16", "invalid_bits"), ("-1", "invalid_bits"), ("-8", "invalid_bits"), ("257", "invalid_bits"), ("4294967297", "invalid_bits"),
        ("18446744073709551617", "invalid_bits"), ("1.0", "invalid_bits"), ("1e0", "invalid_bits"), (#""1""#, "invalid_bits"),
        ("null", "invalid_bits"), ("true", "invalid_bits"),
    ])
    func aStatusHasOneTwoFourOrEightBits(bits: String, expected: String) {
        #expect(Self.verdict(#"{\#(Self.named),"status_list":{"bits":\#(bits),"lst":"\#(Self.text)"}}"#) == expected)
    }

    @Test(arguments: [
        (#""other":1"#, "missing_status_list"), (#""status":{"status_list":{"idx":0,"uri":"u"}}"#, "missing_status_list"),
        (#""status_list":null"#, "invalid_status_list"), (#""status_list":[]"#, "invalid_status_list"),
        (#""status_list":"x""#, "invalid_status_list"), (#""status_list":{}"#, "invalid_status_list"),
        (#""status_list":{"bits":1}"#, "invalid_status_list"), (#""status_list":{"lst":"eNrbuRgAAhcBXQ"}"#, "invalid_status_list"),
        (#""status_list":{"bits":1,"lst":null}"#, "invalid_status_list"), (#""status_list":{"bits":1,"lst":7}"#, "invalid_status_list"),
        (#""status_list":{"bits":1,"lst":["eNrbuRgAAhcBXQ"]}"#, "invalid_status_list"),
        (#""status_list":{"bits":1,"lst":"eNrbuRgAAhcBXQ","aggregation_uri":7}"#, "invalid_status_list"),
        (#""status_list":{"bits":1,"lst":"eNrbuRgAAhcBXQ","aggregation_uri":"https://example.com/all","x":{}}"#, "valid"),
        (#""status_list":{"\u0062its":1,"\u006cst":"\u0065NrbuRgAAhcBXQ"}"#, "valid"),
        (#""status_list":{"bits":1,"bits":1,"lst":"eNrbuRgAAhcBXQ"}"#, "duplicate_member"),
        (#""status_list":{"bits":1,"lst":"eNrbuRgAAhcBXQ","l\u0073t":""}"#, "duplicate_member"),
        (#""status_list":{"bits":1,"lst":"eNrbuRgAAhcBXQ="}"#, "invalid_encoding"),
        (#""status_list":{"bits":1,"lst":"eNrbuRgAAhcBXR"}"#, "invalid_encoding"),
        (#""status_list":{"bits":1,"lst":"eNrbuRgAAhcBX"}"#, "invalid_encoding"),
        (#""status_list":{"bits":1,"lst":"eNrbuRgAAhcBX+"}"#, "invalid_encoding"),
        (#""status_list":{"bits":1,"lst":"eNrb\nuRgAAhcBXQ"}"#, "invalid_encoding"),
        (#""status_list":{"bits":1,"lst":"\u00e9"}"#, "invalid_encoding"),
        (#""status_list":{"bits":1,"lst":""}"#, "truncated_list"),
    ])
    func aListIsAnObjectWithBitsAndText(claim: String, expected: String) {
        #expect(Self.verdict("{\(Self.named),\(claim)}") == expected)
    }

    @Test
    func whatIsAbsentIsNil() throws {
        let list = try ListIssuer.list(Self.text)
        #expect(list.issuer == nil && list.expiration == nil && list.timeToLive == nil && list.issuedAt == 1_700_000_000)
        #expect(list.isCurrent(at: 253_402_300_799))
    }

    @Test(arguments: [(1_700_003_659, 60, true), (1_700_003_660, 60, false), (1_700_003_599, 0, true), (1_700_003_600, 0, false)])
    func aListIsCurrentUntilItExpires(now: Int64, leeway: Int64, isCurrent: Bool) throws {
        let token = ListIssuer.token(#"{\#(Self.named),"exp":1700003600,\#(Self.good)}"#)
        let list = try StatusListVerifier(keys: ListIssuer.forge.keySet).verify(token, uri: ListIssuer.uri, now: TokenForge.now)
        #expect(list.isCurrent(at: NumericDate(seconds: now), leeway: .seconds(leeway)) == isCurrent)
    }

    @Test
    func nothingOfAListIsPrinted() throws {
        let list = try ListIssuer.list(Self.text)
        var dumped = ""
        dump(list, to: &dumped)
        for text in ["\(list)", String(reflecting: list), dumped] { #expect(!text.contains("example.com") && !text.contains("185")) }
        #expect("\(list)" == "VerifiedStatusList(1 bits, 2 bytes)")
    }
}
