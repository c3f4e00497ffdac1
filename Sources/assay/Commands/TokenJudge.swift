import JWTCore

/// Judges tokens for the verify command and puts what came of it into words.
struct TokenJudge {
    let verifier: TokenVerifier<CommandKeys>
    let now: NumericDate?
    let checksClaims: Bool

    struct Judgement {
        var error: VerificationError?
        /// The claims for a person, or the payload as it is.
        var text = ""
        /// One JSON object.
        var json = ""
    }

    func judge(_ token: String) async -> Judgement {
        do throws(VerificationError) {
            return try await verifier.keys.retrying { () throws(VerificationError) in
                checksClaims ? try claims(of: token) : try payload(of: token)
            }
        } catch {
            return Judgement(error: error, json: Self.refusal(error))
        }
    }

    private func claims(of token: String) throws(VerificationError) -> Judgement {
        try verifier.withVerified(token.utf8.span, now: now) { claims in
            let payload = String(copying: claims.payload)
            let header = String(copying: claims.header.value.raw)
            return Judgement(
                text: JSONWriter.pretty(claims.value, on: .output),
                json: "{\"valid\":true,\"header\":\(header),\"claims\":\(payload)}")
        }
    }

    private func payload(of token: String) throws(VerificationError) -> Judgement {
        try verifier.withVerifiedPayload(token.utf8.span) { payload, header in
            let text = String(copying: payload)
            return Judgement(
                text: text, json: "{\"valid\":true,\"header\":\(String(copying: header.value.raw)),\"payload\":\(quoted(text))}")
        }
    }

    static func refusal(_ error: VerificationError) -> String {
        var members = ["\"valid\":false", "\"code\":\"\(error.code.name)\"", "\"number\":\(error.code.number)"]
        if let offset = error.offset { members.append("\"offset\":\(offset)") }
        if let claim = error.claim { members.append("\"claim\":\"\(claim.name)\"") }
        members.append("\"reason\":\(quoted(error.code.summary))")
        return "{\(members.joined(separator: ","))}"
    }
}
