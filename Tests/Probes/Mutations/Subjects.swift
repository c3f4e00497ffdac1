import JWTCore
import JWTSigning
import JWTTestSupport

/// The mutated inputs and their targets.
struct Subjects {
    private let forge = TokenForge(.hs256)
    private let verifier: TokenVerifier<KeySet>
    private let tokens: [[UInt8]]
    private let headers: [[UInt8]]
    private let payloads: [[UInt8]]
    private let documents: [[UInt8]]
    private let presentations = PresentationSubjects()
    private let signedDocuments = DocumentSubjects()

    init() {
        var policy = ClaimsPolicy.idToken(issuer: "https://idp.example", clientID: "client-1")
        policy.algorithms = AlgorithmSet(SignatureAlgorithm.all)
        verifier = TokenVerifier(keys: forge.keySet, policy: policy)
        tokens = [forge.token(), forge.token(#"{"iss":"https://idp.example","aud":["client-1"],"sub":"\u00e9\ud83d\ude00","exp":1.7e9}"#)]
            .map { Array($0.utf8) }
        headers = [
            #"{"alg":"HS256","kid":"test-key","typ":"JWT"}"#,
            #"{"alg":"HS256","crit":["b64"],"b64":true,"x5c":["AA=="],"jwk":{"kty":"oct"}}"#,
        ]
        .map { Array($0.utf8) }
        payloads = [
            TokenForge.idToken,
            #"{"a":[1,2.5e-3,{"b":[[[]]],"c":"\"\\\/\b\f\n\r\t\u0041"}],"aud":["x","y"],"amr":["otp"],"exp":9999999999}"#,
        ]
        .map { Array($0.utf8) }
        let rsa = TokenForge(.rs256).jwk, ec = TokenForge(.es256).jwk, okp = TokenForge(.ed25519).jwk
        documents = ["{\"keys\":[\(rsa),\(ec),\(okp),\(forge.jwk)]}", ec, okp, Self.pem].map { Array($0.utf8) }
    }

    /// A public key that signs no token here.
    private static let pem = """
        -----BEGIN PUBLIC KEY-----
        MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=
        -----END PUBLIC KEY-----
        """

    /// Runs `count` inputs; returns the number of changed tokens, presentations and documents that were accepted.
    func run(_ count: Int, _ mutator: inout Mutator) -> Int {
        var accepted = 0
        for ordinal in 0..<count {
            switch ordinal % 100 {
            case 0..<48: accepted += acceptsMutated(&mutator) ? 1 : 0
            case 48..<62: readHeader(&mutator)
            case 62..<80: readPayload(&mutator)
            case 80..<86: accepted += presentations.acceptsMutated(&mutator) ? 1 : 0
            case 86..<92: accepted += presentations.leavesDigest(&mutator) ? 1 : 0
            case 92..<98: accepted += signedDocuments.acceptsAnotherPayload(&mutator) ? 1 : 0
            default: readKeys(&mutator)
            }
        }
        return accepted
    }

    private func acceptsMutated(_ mutator: inout Mutator) -> Bool {
        let token = mutator.mutated(tokens[mutator.next(below: tokens.count)])
        _ = try? UnverifiedClaims(reading: token.span)
        guard !tokens.contains(token) else { return false }
        return judge(token)
    }

    /// A signed token under a mutated header.
    private func readHeader(_ mutator: inout Mutator) {
        let header = mutator.mutated(headers[mutator.next(below: headers.count)])
        let token = Base64URL.encode(header) + [UInt8(ascii: ".")] + tokens[0].drop { $0 != UInt8(ascii: ".") }.dropFirst()
        _ = judge(token)
        _ = try? verifier.withVerifiedPayload(token.span) { payload, _ in payload.count }
    }

    /// A mutated payload under a valid signature, so that all code after the signature check runs.
    private func readPayload(_ mutator: inout Mutator) {
        let payload = mutator.mutated(payloads[mutator.next(below: payloads.count)])
        guard let token = forge.signer.token(header: #"{"alg":"HS256","kid":"test-key"}"#, payload: payload) else { return }
        _ = judge(Array(token.utf8))
    }

    private func readKeys(_ mutator: inout Mutator) {
        let document = mutator.mutated(documents[mutator.next(below: documents.count)])
        guard let keys = try? KeySet(document: document.span) else { return }
        _ = TokenVerifier(keys: keys, policy: verifier.policy).verdict(String(decoding: tokens[0], as: UTF8.self))
    }

    /// Whether the token is accepted; if so, visits all its claims.
    private func judge(_ token: [UInt8]) -> Bool {
        do throws(VerificationError) {
            return try verifier.withVerified(token.span, now: TokenForge.now) { claims in
                _ = claims.issuer?.string
                _ = claims.value.value(at: "a", 2, "b")?.count
                claims.value.forEachMember { name, value in _ = (name.utf8, value.string?.utf8, value.number?.double, value.number?.int64) }
                return true
            }
        } catch {
            return error.description.isEmpty
        }
    }
}
