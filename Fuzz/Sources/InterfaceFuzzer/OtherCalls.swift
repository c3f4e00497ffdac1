import CAssayInterface
import FuzzInput
import JWTCore

/// The other ways to verify a token through the C interface. Each says what its counterpart in Swift says.
struct OtherCalls {
    private static let nonce = "n-1", accessToken = "2YotnFZFEjr1zCsicMWpAA", authorizationCode = "SplxlOBeZQQYbYS6WxSbIA"
    private let routed = RoutedPair()
    private let short = VerifierPair.short

    /// Mistakes of a caller are refused.
    init() {
        var codes: [assay_code] = [0], none: OpaquePointer?, texts = [assay_text(bytes: nil, len: 1)]
        let refused = [
            assay_verifier_new(&none, [assay_issuer()], 1, nil), assay_verify(nil, nil, "a", 1, 0), assay_verify_payload(nil, nil, "a", 1),
            assay_verify_login(nil, nil, "a", 1, 0, nil), assay_verify_batch(&codes, nil, short.c, &texts, 1, 0),
        ]
        precondition(refused.allSatisfy { $0 == ASSAY_INVALID_ARGUMENT } && none == nil, "a mistake is not refused")
        precondition(assay_verify(nil, short.c, "a", 1, 1e300) == ASSAY_MALFORMED_TOKEN, "a late time differs")
    }

    /// - Parameter code: the verdict of `assay_verify`.
    func check(_ pair: VerifierPair, _ token: [UInt8], _ code: assay_code) {
        checkLogin(pair, token)
        checkPayload(pair, token)
        checkRouted(token)
        precondition(verdict(short.c, token) == Outcome(short.swift, token).code, "the short way to a verifier differs")
        let cut = Array(token.dropLast())
        precondition(batch(pair.c, [token, cut, token]) == [code, Outcome(pair.swift, cut).code, code], "a batch differs")
    }

    private func checkLogin(_ pair: VerifierPair, _ token: [UInt8]) {
        let once = pair.swift.expecting(nonce: Self.nonce)
        precondition(login(pair.c, token, Self.nonce) == Outcome(once, token).code, "a login differs")
        let all = Outcome(once.expecting(accessToken: Self.accessToken).expecting(code: Self.authorizationCode), token)
        precondition(login(pair.c, token, Self.nonce, Self.accessToken, Self.authorizationCode) == all.code, "a login differs")
        precondition(login(pair.c, token, "") == ASSAY_INVALID_ARGUMENT, "a login without a nonce")
    }

    private func checkPayload(_ pair: VerifierPair, _ token: [UInt8]) {
        let result = Result(size: assay_result_size(token.count))
        let code = token.withChars { assay_verify_payload(result.handle, pair.c, $0, $1) }
        precondition(code == assay_result_code(result.handle), "a result with another code")
        do throws(VerificationError) {
            let payload = try pair.swift.withVerifiedPayload(token) { payload, _ in Array(copying: payload) }
            precondition(code == ASSAY_OK && result.payload == payload, "another payload")
        } catch {
            precondition(code == assay_code(error.code.number) && result.payload == nil, "a payload of a refused token")
        }
    }

    /// Of two issuers, the token's chooses the policy.
    private func checkRouted(_ token: [UInt8]) {
        let expected = routed.code(token)
        precondition(verdict(routed.c, token) == expected, "the choice of a policy differs")
        precondition(batch(routed.c, [token]) == [expected], "the choice of a policy differs in a batch")
        precondition(login(routed.c, token, Self.nonce) != ASSAY_OK || expected == ASSAY_OK, "one more rule accepts more")
        let payload = token.withChars { assay_verify_payload(nil, routed.c, $0, $1) }
        precondition(payload == ASSAY_INVALID_ARGUMENT, "a payload without an issuer")
    }

    private func verdict(_ verifier: OpaquePointer, _ token: [UInt8]) -> assay_code {
        token.withChars { assay_verify(nil, verifier, $0, $1, Double(now.seconds)) }
    }

    private func login(
        _ verifier: OpaquePointer, _ token: [UInt8], _ nonce: String, _ accessToken: String = "", _ code: String = ""
    ) -> assay_code {
        nonce.withText { nonce in
            accessToken.withText { accessToken in
                code.withText { code in
                    var login = assay_login(
                        size: MemoryLayout<assay_login>.size, nonce: nonce, access_token: accessToken, code: code)
                    return token.withChars { assay_verify_login(nil, verifier, $0, $1, Double(now.seconds), &login) }
                }
            }
        }
    }

    /// The verdicts of up to three tokens. The first has a result.
    private func batch(_ verifier: OpaquePointer, _ tokens: [[UInt8]]) -> [assay_code] {
        let result = Result(size: assay_result_size(tokens[0].count)), none: [UInt8] = []
        var codes = [assay_code](repeating: .max, count: tokens.count)
        func text(_ place: Int, _ body: (assay_text) -> assay_code) -> assay_code {
            (place < tokens.count ? tokens[place] : none).withChars { body(assay_text(bytes: $0, len: $1)) }
        }
        let code = text(0) { first in
            text(1) { second in
                text(2) { third in
                    let results = [result.handle, nil, nil], texts = [first, second, third]
                    return assay_verify_batch(&codes, results, verifier, texts, tokens.count, Double(now.seconds))
                }
            }
        }
        precondition(code == ASSAY_OK && assay_result_code(result.handle) == codes[0], "a result with another code")
        return codes
    }
}

extension String {
    fileprivate func withText<Result>(_ body: (assay_text) -> Result) -> Result {
        Array(utf8).withChars { body(assay_text(bytes: $0, len: $1)) }
    }
}
