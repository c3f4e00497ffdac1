import FuzzInput
import JWTCore

/// A token as text, as bytes and in a batch of texts: each form is judged like the others, by the same rules.
enum Forms {
    static func check(_ token: [UInt8], _ verdict: Verdict) {
        guard let text = String(validating: token, as: UTF8.self) else { return }
        let forms = [
            Verdict { () throws(VerificationError) in try verifier.verify(text, now: now) },
            Verdict { () throws(VerificationError) in try verifier.verify(token, now: now) },
            Verdict { () throws(VerificationError) in try verifier.withVerified(text, now: now) { VerifiedToken($0) } },
            Verdict(verifier.verify(batch: [text], now: now)[0]),
        ]
        precondition(forms.allSatisfy { $0 == verdict }, "a form of the token is judged otherwise")
        precondition(payload(text) == payload(token), "a form of the payload differs")
        precondition(issuer(text) == issuer(token), "a form of the token has another issuer")
        for expecting in [verifier.expecting(nonce: "n"), verifier.expecting(accessToken: "a"), verifier.expecting(code: "c")] {
            let narrowed = Verdict { () throws(VerificationError) in try expecting.verify(text, now: now) }
            precondition(verdict.isAccepted || !narrowed.isAccepted, "one more rule accepts more")
        }
        if case .refused(let error) = verdict {
            precondition(!verifier.explanation(of: error, token: text, now: now).isEmpty && (400...599).contains(error.code.httpStatus))
        }
    }

    private static func payload(_ text: String) -> [UInt8]? {
        try? verifier.withVerifiedPayload(text) { payload, _ in Array(copying: payload) }
    }

    private static func payload(_ token: [UInt8]) -> [UInt8]? {
        try? verifier.withVerifiedPayload(token) { payload, _ in Array(copying: payload) }
    }

    private static func issuer(_ text: String) -> [UInt8]? { (try? UnverifiedClaims(reading: text))?.issuer.map { Array($0.utf8) } }

    private static func issuer(_ token: [UInt8]) -> [UInt8]? { (try? UnverifiedClaims(reading: token))?.issuer.map { Array($0.utf8) } }
}
