import AssayTesting
import Foundation
import JWTCore
import Testing

/// The payloads that dictionaries and types of one's own become.
@Suite struct TestClaimsTests {
    private struct Profile: Encodable { var sub: String, groups: [String], exp: NumericDate, email: String? }

    private static func payload(_ token: String) throws -> String {
        let claims = try UnverifiedClaims(reading: token)
        return claims.value.raw.text
    }

    @Test func aDictionaryMixesTypesAndLeavesOutNil() throws {
        let key = try TestKey(.es256), user = "jane \"the\" \u{1}é"
        let token = try key.token(claims: [
            "sub": user, "aud": ["client-1", "client-2"], "exp": 1_700_003_600, "ratio": 0.5, "admin": true, "realm": ["roles": ["a"]],
            "nbf": NumericDate(seconds: 7), "iat": Date(timeIntervalSince1970: 9), "email": nil,
        ])
        #expect(
            try Self.payload(token) == """
                {"admin":true,"aud":["client-1","client-2"],"exp":1700003600,"iat":9,"nbf":7,"ratio":0.5,"realm":{"roles":["a"]},\
                "sub":"jane \\"the\\" \\u0001é"}
                """)
    }

    @Test func anEncodableTypeIsItsOwnClaims() throws {
        let profile = Profile(sub: "jane", groups: ["a"], exp: NumericDate(seconds: 5, nanoseconds: 500_000_000), email: nil)
        #expect(try Self.payload(TestKey(.es256).token(encoding: profile)) == #"{"exp":5.5,"groups":["a"],"sub":"jane"}"#)
        #expect(throws: TestKeyError.notAnObject) { try TestKey(.es256).token(encoding: ["a"]) }
    }

    @Test func anyHeaderAndAnyPayloadCanBeSigned() throws {
        let key = try TestKey(.es256)
        var policy = ClaimsPolicy()
        policy.requiresExpiration = false
        let verifier = TokenVerifier(keys: try key.keySet, policy: policy)
        let cases = [
            (try key.token(payload: "{}"), "valid"), (try key.token(payload: "no JSON"), "invalid_json"),
            (try key.token(header: #"{"alg":"none"}"#, payload: "{}"), "unsecured_token"),
            (try key.token(header: #"{"alg":"ES256","kid":"other"}"#, payload: "{}"), "unknown_key"),
            (try key.token(payload: #"{"a":1,"a":2}"#), "duplicate_member"),
        ]
        for (token, verdict) in cases {
            do throws(VerificationError) {
                _ = try verifier.verify(token)
                #expect(verdict == "valid")
            } catch {
                #expect(error.code.name == verdict)
            }
        }
    }

    @Test(arguments: [nil, "JWT", "at+jwt"] as [String?]) func theTypeCanBeLeftOut(_ type: String?) throws {
        let claims = try UnverifiedClaims(reading: TestKey(.es256).token(claims: [:], type: type))
        #expect(claims.header.string("typ") == type)
    }
}

extension Span<UInt8> {
    fileprivate var text: String {
        var bytes: [UInt8] = []
        for index in indices { bytes.append(self[index]) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
