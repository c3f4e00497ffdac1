import JWTCore
import Testing

/// The kernel for usual texts writes the same tape as the tokenizer, and accepts nothing that the tokenizer refuses.
@Suite struct JSONReaderAgreementTests {
    private static let texts = [
        #"{"iss":"https://idp.example","sub":"248289761001","aud":["client-1","api"],"exp":1700003600,"iat":1.7e9,"email_verified":true}"#,
        #"{"realm_access":{"roles":["a","b",{}]},"a":{"a":{"a":[]}},"n":[0,-0,0.5,1E+2,10e-3,null,false]}"#,
        #"{\#r\#n "iss" : "joe" ,\#t"http://example.com/is_root":true , "x" : [ ] }"#,
        #"{"name":"J\u00e9","s":"\/\n\\\"","é":"日本語","":"","a name that is longer than sixteen bytes":1}"#,
        #"{"groups":["/a","/b",""],"t":true,"f":false,"n":null,"r":{"roles":["x","y"],"exp":1700003600},"amr":["pwd"],"iat":17000036}"#,
        #"{"email_verified":true,"groups":["/teams/1000","/teams/1001"],"groups2":["a",1],"groups":["b"],"none":[],"last":["z"]}"#,
        #"[1,"1",[2],{"3":3},[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]"#, #""text""#, "0", "-1.5", " true ",
        #"{"a":"\ud83d\ude00\u00e9\u0041\/","b":[],"\u0063":{},"c":"\\\"","d":0}"#,
        "[                                 1                 ]  ",
        #"{"aa":1,"ab":2,"ba":3,"bb":4,"ac":5,"ca":6,"bc":7,"cb":8,"cc":9,"ad":10,"da":11,"bd":12,"db":13,"cd":14,"dc":15,"dd":16}"#,
    ]

    private static let limits = [
        JSONLimits.payload, .small, .roomy, JSONLimits(depth: 2, members: 3, values: 9, stringBytes: 12, numberBytes: 4),
        JSONLimits(depth: 1, members: 100, values: 100, stringBytes: 100, numberBytes: 100),
        JSONLimits(depth: 0, members: 0, values: 0, stringBytes: 0, numberBytes: 0), .fewEscapes,
    ]

    @Test(arguments: texts)
    func textsAndTheirPrefixesAreReadAlike(text: String) {
        let bytes = Array(text.utf8)
        for limits in Self.limits {
            for length in 0...bytes.count { #expect(agrees(Array(bytes.prefix(length)), limits)) }
        }
    }

    @Test(arguments: texts)
    func everyChangedByteIsReadAlike(text: String) {
        let bytes = Array(text.utf8)
        for place in bytes.indices {
            for byte in 0...UInt8.max {
                var changed = bytes
                changed[place] = byte
                #expect(agrees(changed, .payload))
            }
        }
    }

    @Test func shuffledTextsAreReadAlike() {
        var random = SeededGenerator(seed: 8259)
        let tokens = [
            "{", "}", "[", "]", ",", ":", #""a""#, #""b""#, #""\u0061""#, #""é""#, "1", "-", "0.1", "e", "true", "null", " ", "\n",
            "\\", "\"",
        ]
        for _ in 0..<200_000 {
            var text = ""
            for _ in 0..<Int.random(in: 1...14, using: &random) { text += tokens.randomElement(using: &random) ?? "" }
            #expect(agrees(Array(text.utf8), .small))
        }
    }

    // Claims

    private static let claims = [
        #"{"iss":"https://idp.example","sub":"248289761001","aud":["client-1","api"],"exp":1700003600,"iat":1700000000,"nbf":1}"#,
        #"{"jti":"a","azp":"b","nonce":"n","auth_time":1700000000,"acr":"1","amr":["pwd"],"at_hash":"h","c_hash":"c","name":""}"#,
        #"{"sid":"s","client_id":"client-1","aud":"api","realm_access":{"iss":"a","roles":["b"]},"auth_tim":1,"client_ie":2}"#,
        #"{"exp":0,"iat":12345678901,"client_id2":1,"auth_time_":1,"é":2,"":3,"amr":[],"aud":[] , "iss" : "x" }"#,
    ]
    private static let values = [
        "null", "true", "0", "-1", "1.5", "1e2", "123456789012", "-1700000000", "1700000000", "1700003600.25", #""text""#, #""\n""#, "[]",
        #"["a"]"#, #"["a",["b"]]"#, "[1]", "{}", #"{"aud":"a"}"#,
    ]

    @Test(arguments: claims)
    func usualClaimsAreFound(text: String) { #expect(findsClaims(Array(text.utf8)) == true) }

    @Test(arguments: RegisteredClaim.allCases)
    func claimsOfEveryTypeAreFoundAlike(claim: RegisteredClaim) {
        for value in Self.values {
            for name in [claim.name, claim.name + "s", String(claim.name.dropLast())] {
                for text in ["{\"\(name)\":\(value)}", #"{"name":"Jane","\#(name)":\#(value),"email":"jane@example.com"}"#] {
                    #expect(findsClaims(Array(text.utf8)) != false, "\(text)")
                }
            }
        }
    }

    @Test(arguments: claims)
    func claimsOfEveryChangedTextAreFoundAlike(text: String) {
        let bytes = Array(text.utf8)
        for place in bytes.indices {
            for byte in 0...UInt8.max {
                var changed = bytes
                changed[place] = byte
                #expect(findsClaims(changed) != false)
            }
        }
    }

    /// Whether the kernel finds the same claims as Swift; nil if it leaves them to Swift.
    private func findsClaims(_ bytes: [UInt8]) -> Bool? {
        var tape = [JSONNode](repeating: .placeholder, count: 64)
        var found = ClaimPlaces()
        var nodes = tape.mutableSpan
        let count = (try? nodes.read(bytes.span, .payload, finding: &found)) ?? 0
        guard count > 0, found.areFound else { return nil }
        let value = JSONValue(text: bytes.span, tape: tape.span.extracting(0..<count))
        guard value.isObject else { return found == ClaimPlaces() }
        return (try? ClaimPlaces(in: value, base: 0)) == found
    }

    // Comparison

    private func agrees(_ bytes: [UInt8], _ limits: JSONLimits) -> Bool {
        records(bytes, limits, byReference: false) == records(bytes, limits, byReference: true)
    }

    private func records(_ bytes: [UInt8], _ limits: JSONLimits, byReference: Bool) -> Result<[JSONNode], VerificationError> {
        var tape = [JSONNode](repeating: .placeholder, count: 2 * max(limits.values, 0))
        do throws(VerificationError) {
            let count = try read(bytes.span, tape.mutableSpan, limits, byReference)
            return .success(Array(tape.prefix(count)))
        } catch {
            return .failure(error)
        }
    }

    private func read(
        _ text: Span<UInt8>, _ tape: consuming MutableSpan<JSONNode>, _ limits: JSONLimits, _ byReference: Bool
    ) throws(VerificationError) -> Int {
        var tokenizer = JSONTokenizer(text, tape: tape, limits: limits)
        return byReference ? try tokenizer.tokenizeByReference() : try tokenizer.tokenize()
    }
}
