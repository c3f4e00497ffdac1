import JWTCore
import JWTTestSupport
import Testing

/// Every rule of the header holds for JWTs and for JWSs.
struct JOSEHeaderTests {
    /// Verdicts on the same token as a JWT and as a JWS with any payload. Detached tokens follow the JWS's rules.
    private func expectVerdicts(_ header: String, jwt: String, jws: String) {
        let forge = Forges.ed25519, verifier = forge.verifier()
        let token = forge.token(header: header)
        #expect(verifier.verdict(token) == jwt, "\(header)")
        #expect(verifier.payloadVerdict(token) == jws, "\(header)")
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        let detached = "\(parts[0])..\(parts[2])"
        let isUnencoded = jws == "valid" && jwt != "valid" && header.contains(#""b64":false"#)
        let payload = isUnencoded ? String(parts[1]) : TokenForge.idToken
        let verdict = verdict { try verifier.verifyDetached(detached.utf8.span, payload: payload.utf8.span) }
        #expect(verdict == jws, "\(header)")
    }

    @Test(arguments: [
        ("[]", "invalid_header"), ("{}", "missing_algorithm"), (#"{"alg":1}"#, "invalid_header"),
        (#"{"alg":"n\u006fne"}"#, "unsecured_token"), (#"{"alg":"None"}"#, "unsupported_algorithm"),
        (#"{"alg":"EdDSA\u0000"}"#, "unsupported_algorithm"), (#"{"alg":"EdDSA","enc":null}"#, "encrypted_token"),
        (#"{"\u0061lg":"Ed\u0044SA"}"#, "valid"), (#"{"alg":"Ed25519"}"#, "valid"),
        (#"{"alg":"Ed448"}"#, "key_algorithm_mismatch"), (#"{"alg":"EdDSA","kid":null}"#, "invalid_header"),
        (#"{"alg":"EdDSA","typ":1}"#, "invalid_header"), (#"{"alg":"EdDSA","cty":{}}"#, "invalid_header"),
        (#"{"alg":"EdDSA","jku":1,"x5c":null,"jwk":{"kty":"oct","k":"AAAA"}}"#, "valid"),
    ])
    func whatAHeaderOfAJWTMustBeThatOfAJWSMustBe(header: String, expected: String) {
        expectVerdicts(header, jwt: expected, jws: expected)
    }

    /// In the order of `b64` and `crit`, and in the opposite.
    @Test(arguments: [
        ("[]", "invalid_header"), (#""b64""#, "invalid_header"), ("[1]", "invalid_header"), (#"["b64","\u0062\u00364"]"#, "invalid_header"),
        (#"["absent"]"#, "invalid_header"), (#"["exp",1]"#, "invalid_header"), (#"["alg"]"#, "invalid_header"),
        (#"["exp","b64"]"#, "unsupported_critical"), (#"["\u0065xp"]"#, "unsupported_critical"), (#"["\u006264"]"#, "valid"),
    ])
    func criticalParametersAreListedOnceThereAndUnderstood(list: String, expected: String) {
        expectVerdicts(#"{"alg":"EdDSA","b64":true,"exp":1,"crit":\#(list)}"#, jwt: expected, jws: expected)
        expectVerdicts(#"{"crit":\#(list),"exp":1,"b64":true,"alg":"EdDSA"}"#, jwt: expected, jws: expected)
    }

    @Test(arguments: [(256, "valid"), (257, "token_too_large")])
    func aHeaderHasOnlySoManyEscapes(count: Int, expected: String) {
        let half = String(repeating: "\\/", count: count / 2), rest = String(repeating: "\\u00e9", count: count - count / 2)
        expectVerdicts("{\"alg\":\"EdDSA\",\"a\":\"\(half)\",\"b\":[\"\(rest)\"]}", jwt: expected, jws: expected)
    }

    /// A name with an escape is read more slowly, so only a short header may have one, also in `crit`.
    @Test(arguments: [
        (#""\u0078":0"#, 60, "valid"), (#""\u0078":0"#, 100, "token_too_large"), (#""x":0"#, 100, "valid"),
        (#""x":"\u0078""#, 100, "valid"),
        (#""crit":["b6\u0034"],"b64":true"#, 30, "valid"), (#""crit":["b6\u0034"],"b64":true"#, 100, "token_too_large"),
        (#""crit":["b64"],"b64":true"#, 100, "valid"),
    ])
    func onlyAShortHeaderMayEscapeNames(member: String, bytes: Int, expected: String) {
        let filling = String(repeating: "x", count: bytes)
        expectVerdicts(#"{"alg":"EdDSA","filling":"\#(filling)",\#(member)}"#, jwt: expected, jws: expected)
    }

    @Test(arguments: [#""\u0078":0"#, #""crit":["b6\u0034"],"b64":true"#])
    func aShortHeaderHas128Bytes(member: String) {
        for (bytes, expected) in [(128, "valid"), (129, "token_too_large")] {
            let filling = String(repeating: "x", count: bytes - member.utf8.count - #"{"alg":"EdDSA","filling":"",}"#.utf8.count)
            expectVerdicts(#"{"alg":"EdDSA","filling":"\#(filling)",\#(member)}"#, jwt: expected, jws: expected)
        }
    }

    @Test(arguments: [
        (#""b64":false,"crit":["b64"]"#, "unsupported_critical", "valid"),
        (#""crit":["b64"],"b64":false"#, "unsupported_critical", "valid"),
        (#""b64":false"#, "invalid_header", "invalid_header"),
        (#""b64":false,"crit":["x"],"x":1"#, "invalid_header", "invalid_header"),
        (#""b64":true"#, "valid", "valid"), (#""b64":null"#, "invalid_header", "invalid_header"),
        (#""b64":0"#, "invalid_header", "invalid_header"),
        (#""b64":"false","crit":["b64"]"#, "invalid_header", "invalid_header"), (#""zip":"DEF""#, "invalid_header", "valid"),
        (#""zip":null"#, "invalid_header", "valid"), (#""cty":"JWT""#, "type_mismatch", "valid"),
        (#""cty":"jwt""#, "type_mismatch", "valid"),
        (#""cty":"application/jwt""#, "type_mismatch", "valid"), (#""cty":"APPLICATION/JWT""#, "type_mismatch", "valid"),
        (#""cty":"""#, "valid", "valid"),
        (#""cty":"json""#, "valid", "valid"), (#""cty":"application/application/jwt""#, "valid", "valid"),
        (#""cty":"\u004aWT""#, "type_mismatch", "valid"),
        (#""cty":"application\/jwt""#, "type_mismatch", "valid"),
    ])
    func aJWTIsNotUnencodedCompressedOrNested(members: String, jwt: String, jws: String) {
        expectVerdicts(#"{"alg":"EdDSA",\#(members)}"#, jwt: jwt, jws: jws)
    }

    @Test(
        arguments: [
            (["JWT"], "JWT", true), (["JWT"], "jwt", true), (["JWT"], "application/jwt", true), (["application/JWT"], "Jwt", true),
            (["at+jwt"], "AT+JWT", true), (["at+jwt"], "application/at+jwt", true), (["at+jwt"], "JWT", false), (["JWT"], "JW", false),
            (["JWT"], "JWT ", false), (["JWT"], "", false), ([""], "", false), ([""], nil, true), (["JWT"], nil, false),
            (["JWT"], "\\u006awt", true), (["JWT"], "application\\/jwt", true),
            (["at+jwt"], "\\u004aWT", false), ([""], "\\u004aWT", false),
            (["", "JWT"], nil, true), ([], nil, false), ([], "JWT", false), (["JWT"], "\\u004a\\u0057T", true),
            (["JWT"], "application/", false), (["application/"], "application/", true), (["J\u{212a}"], "JK", false),
        ] as [([String], String?, Bool)])
    func typesAreComparedWithoutCaseAndPrefix(types: [String], type: String?, isGood: Bool) {
        var policy = ClaimsPolicy.lenient
        policy.types = types
        let token = Forges.ed25519.token(header: "{\"alg\":\"EdDSA\"\(type.map { ",\"typ\":\"\($0)\"" } ?? "")}")
        #expect(Forges.ed25519.verifier(policy).verdict(token) == (isGood ? "valid" : "type_mismatch"))
        #expect(Forges.ed25519.verifier(policy).payloadVerdict(token) == (isGood ? "valid" : "type_mismatch"))
    }

    @Test
    func theHeaderIsLentWithItsMembersUnescaped() throws {
        let forge = Forges.ed25519
        let token = forge.token(header: #"{"alg":"EdDSA","kid":"test\u002dkey","typ":"a\/b","cty":"text","extra":7}"#)
        try forge.verifier().withVerifiedPayload(token.utf8.span) { payload, header in
            let texts = [header.keyID?.string, header.type?.string, header.contentType?.string, header.algorithm.name, text(payload)]
            #expect(texts == ["test-key", "a/b", "text", "EdDSA", TokenForge.idToken])
            let extra = header.value["extra"]?.number?.int64, isUnencoded = header.isUnencoded
            #expect(extra == 7)
            #expect(!isUnencoded)
        }
    }
}
